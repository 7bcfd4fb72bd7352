// What a rod's joint measures, and its gradients against finite differences.
#include "solvers/position_based/strands/rod_joint.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

#include "base/convert.h"

using namespace pliant;
using namespace pliant::solvers::position_based;

namespace {

struct Chain {
    std::array<Vec3d, 3> x;
    std::array<RodSegment<double>, 2> segments;
};

// Segments where the particles are; frames go along, and turn by θ.
void move(Chain& chain, const std::array<double, 11>& by) {
    for (std::size_t i = 0; i < 3; ++i)
        chain.x[i] = chain.x[i] + Vec3d{by[4 * i], by[4 * i + 1], by[4 * i + 2]};
    for (std::size_t i = 0; i < 2; ++i) {
        RodSegment<double>& s = chain.segments[i];
        const Vec3d e = chain.x[i + 1] - chain.x[i], t = e * (1 / length(e)), before = s.tangent;
        const double turn = by[4 * i + 3];
        s.normal = s.normal * std::cos(turn) + cross(before, s.normal) * std::sin(turn);
        s.normal = across(transport(s.normal, before, t), t);
        s.tangent = t;
        s.inverse_length = 1 / length(e);
    }
}

std::array<double, 11> gradient_of(const RodMeasure<double>& m) {
    const Vec3d middle = m.before - m.after;
    return {-m.before.x, -m.before.y,  -m.before.z, m.turn_before, middle.x, middle.y,
            middle.z,    m.turn_after, m.after.x,   m.after.y,     m.after.z};
}

}  // namespace

TEST_CASE("gradients of a joint's curvature and twist agree with finite differences") {
    std::mt19937 random(1);
    std::uniform_real_distribution<double> number(-1, 1);
    for (int n = 0; n < 200; ++n) {
        Chain chain;
        const double bend = n % 2 ? 1.0 : 0.1;
        chain.x = {Vec3d{-1, 0, 0}, Vec3d{0, 0, 0}, Vec3d{1.5, 0, 0}};
        for (Vec3d& x : chain.x) x = x + Vec3d{number(random), number(random), number(random)} * (0.5 * bend);
        chain.segments[0] = {{1, 0, 0}, {0, 1, 0}, 1};
        chain.segments[1] = {{1, 0, 0}, {0, std::cos(0.7 * bend), std::sin(0.7 * bend)}, 1};
        move(chain, {});
        const auto measures = [](const Chain& at) {
            const RodJoint<double> j = joint_of(at.segments[0], at.segments[1]);
            return std::array{j.first, j.second, j.twist};
        };
        const auto here = measures(chain);
        for (std::size_t k = 0; k < 11; ++k) {
            const double step = 1e-5;
            std::array<double, 11> by{};
            by[k] = step;
            Chain up = chain, down = chain;
            move(up, by);
            by[k] = -step;
            move(down, by);
            const auto above = measures(up), below = measures(down);
            for (std::size_t m = 0; m < 3; ++m) {
                const double slope = (above[m].value - below[m].value) / (2 * step);
                CAPTURE(n);
                CAPTURE(k);
                CAPTURE(m);
                const double gradient = gradient_of(here[m])[k];
                CHECK(std::abs(slope - gradient) < 2e-7 * std::max(1.0, std::abs(slope)));
            }
        }
    }
}

TEST_CASE("a joint folded back on itself has finite measures") {
    const RodSegment<double> a{{1, 0, 0}, {0, 1, 0}, 1}, b{{-1, 0, 0}, {0, 1, 0}, 1};
    const RodJoint<double> joint = joint_of(a, b);
    for (const RodMeasure<double>& m : {joint.first, joint.second, joint.twist}) {
        CHECK(std::isfinite(m.value));
        CHECK(std::isfinite(dot(m.before, m.before) + dot(m.after, m.after)));
    }
}
