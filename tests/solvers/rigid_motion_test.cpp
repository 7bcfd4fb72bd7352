#include "solvers/rigid_motion.h"

#include <doctest/doctest.h>

#include <cmath>
#include <random>

#include "base/convert.h"

using namespace pliant;
using solvers::Moments;

namespace {

// As the kernels sum them: every product is a float.
void add_rounded(Moments& sums, const Vec3& x, const Vec3& u, float m) {
    const Vec3 mx = x * m, mu = u * m, l = cross(x, mu);
    sums.add({m, to_double(mx), to_double(mu), to_double(l), mx.x * x.x, mx.y * x.y, mx.z * x.z, mx.x * x.y,
              mx.x * x.z, mx.y * x.z});
}

}  // namespace

TEST_CASE("one particle goes on as it does, whatever rounding makes of its inertia") {
    std::mt19937 random(1);
    std::uniform_real_distribution<float> any(-1, 1), tiny(-1e-6f, 1e-6f);
    for (int i = 0; i < 100000; ++i) {
        const Vec3 x{i % 2 ? any(random) : tiny(random), any(random), i % 3 ? any(random) : tiny(random)};
        const Vec3 u{any(random), tiny(random), any(random)};
        Moments sums;
        add_rounded(sums, x, u, 0.5f + std::abs(any(random)));
        const Vec3d after = solvers::rigid_motion(sums).at(to_double(x));
        REQUIRE(length(after - to_double(u)) < 1e-5);
    }
}

TEST_CASE("a straight line that turns is rigid") {
    Moments sums;
    const Vec3d spin{0, 3, -1};
    for (int i = 0; i < 20; ++i) {
        const Vec3d x{0.1 * i + 0.3, 0.2, -0.4};
        sums.add(x, cross(spin, x), 2);
    }
    const solvers::RigidMotion motion = solvers::rigid_motion(sums);
    for (int i = 0; i < 20; ++i) {
        const Vec3d x{0.1 * i + 0.3, 0.2, -0.4};
        CHECK(length(motion.at(x) - cross(spin, x)) < 1e-4);
    }
}
