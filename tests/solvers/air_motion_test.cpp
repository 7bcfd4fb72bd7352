// Gusts and eddies: how strong they are, that nothing flows in or out, and what they depend on.
#include "solvers/air_motion.h"

#include <doctest/doctest.h>

#include "base/convert.h"
#include "base/random.h"

using namespace pliant;
using namespace pliant::solvers;
using doctest::Approx;

namespace {

Settings airy() {
    Settings settings;
    settings.air_density = 1.2f;
    settings.wind = {4, 0, 3};
    settings.gusts = 0.5f;
    settings.turbulence = 0.3f;
    settings.eddy_size = 0.8f;
    return settings;
}

float size(const Vec3& v) { return sqrt(dot(v, v)); }

Vec3d random_place(Random& random, double size) {
    return {size * (random() - 0.5), size * (random() - 0.5), size * (random() - 0.5)};
}

}  // namespace

TEST_CASE("eddies are as fast as the turbulence says, along each axis, and on average still") {
    Settings even = airy();
    even.gusts = 0;
    AirMotion air(even, {});
    Random random(3);
    Vec3d squares{}, sum{};
    constexpr int places = 20000;
    for (int i = 0; i < places; ++i) {
        air.move_to(random_place(random, 50));
        const Vec3d v = to_double(air.eddies_at(to_float(random_place(random, 2))));
        squares = squares + Vec3d{v.x * v.x, v.y * v.y, v.z * v.z};
        sum = sum + v;
    }
    CHECK((squares.x + squares.y + squares.z) / (3 * places) == Approx(1.5 * 1.5).epsilon(0.03));
    for (const double one : {squares.x, squares.y, squares.z})
        CHECK(one / places == Approx(1.5 * 1.5).epsilon(0.35));  // 32 waves have no more directions than that
    CHECK(length(sum) / places < 0.1);
}

TEST_CASE("eddies are free of divergence") {
    AirMotion air(airy(), {{3, 2, 1}, 5, 0.3});
    Random random(4);
    constexpr float step = 1e-3f;
    double divergence = 0, gradient = 0;
    for (int i = 0; i < 1000; ++i) {
        const Vec3 x = to_float(random_place(random, 4));
        const auto slope = [&](const Vec3& d) {
            return (air.eddies_at(x + d) - air.eddies_at(x - d)) * (0.5f / step);
        };
        const Vec3 a = slope({step, 0, 0}), b = slope({0, step, 0}), c = slope({0, 0, step});
        divergence += double(a.x + b.y + c.z) * (a.x + b.y + c.z);
        gradient += double(dot(a, a) + dot(b, b) + dot(c, c));
    }
    CHECK(divergence < 1e-5 * gradient);
}

TEST_CASE("the wind carries eddies along, while they turn over") {
    Settings settings = airy();
    settings.gusts = 0;
    model::AirPath path;
    for (int frame = 0; frame < 60; ++frame) path = AirMotion::after(settings, path, 1.0 / 60);
    CHECK(path.drift.x == Approx(4));
    path.eddies = 0;  // frozen: what is here now was a second's wind upstream
    AirMotion before(settings, {}), now(settings, path);
    CHECK(size(now.eddies_at({4.3f, 0.2f, 2.9f}) - before.eddies_at({0.3f, 0.2f, -0.1f})) < 1e-3f);
    path.eddies = 1.5;
    now = AirMotion(settings, path);
    CHECK(size(now.eddies_at({4.3f, 0.2f, 2.9f}) - before.eddies_at({0.3f, 0.2f, -0.1f})) > 0.1f);
}

TEST_CASE("gusts change the wind by their share, and by no more") {
    const Settings settings = airy();
    model::AirPath path;
    float least = 100, most = 0;
    for (int frame = 0; frame < 6000; ++frame) {
        path = AirMotion::after(settings, path, 1.0 / 60);
        const Vec3 wind = AirMotion(settings, path).wind();
        least = std::min(least, wind.x), most = std::max(most, wind.x);
        REQUIRE(wind.z == Approx(wind.x * 3 / 4));
    }
    CHECK(least >= 2);
    CHECK(least < 2.6f);
    CHECK(most > 5.4f);
    CHECK(most <= 6);
}

TEST_CASE("another seed is another wind; places and times without end have one too") {
    Settings settings = airy();
    const Vec3 one = AirMotion(settings, {}).eddies_at({1, 2, 3});
    CHECK(one == AirMotion(settings, {}).eddies_at({1, 2, 3}));
    settings.wind_seed = 2;
    CHECK(size(one - AirMotion(settings, {}).eddies_at({1, 2, 3})) > 0.01f);
    AirMotion far(settings, {{1e12, -1e12, 0}, 1e9, 1e9});
    far.move_to({1e9, 1e9, -1e9});
    CHECK(size(far.eddies_at({1e9f, 0, 1e20f})) < 30);
}
