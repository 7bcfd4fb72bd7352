// A parachute fills, and sinks as fast as its drag says.
#include <doctest/doctest.h>

#include <cmath>

#include "scenes/scenes.h"
#include "support/simulations.h"

using namespace pliant;
using namespace pliant::test;

namespace {

struct Canopy {
    Vec3d area_vector{};
    double area = 0;
};

Canopy canopy_of(const View& view) {
    Canopy canopy;
    const BodyView& body = view.bodies[0];
    for (const Triangle& t : view.triangles.subspan(body.first_triangle, body.triangle_count)) {
        const Vec3d a = to_double(view.positions[t[0]]), b = to_double(view.positions[t[1]]),
                    c = to_double(view.positions[t[2]]);
        const Vec3d n = cross(b - a, c - a) * 0.5;
        canopy.area_vector = canopy.area_vector + n;
        canopy.area += std::sqrt(dot(n, n));
    }
    return canopy;
}

}  // namespace

TEST_CASE("the parachute fills from a bundle, and sinks at √(2mg/ρc_dA) within a fifth, with c_d = 1.5") {
    auto scene = load_scene(*scenes::find("parachute"));
    REQUIRE_MESSAGE(scene, scene.error().text());
    auto player = Player::create(std::move(*scene), on_threads(1));
    REQUIRE(player);
    double start_share = 1, share = 0, area = 0, speed = 0;
    int frames = 0;
    const std::size_t load = player->view().bodies[1].first_particle;
    double before = player->view().positions[load].y;
    while (player->view().positions[load].y > 0.4f && frames < 600) {
        succeed(player->step());
        const View view = player->view();
        const Canopy canopy = canopy_of(view);
        const double open = std::abs(canopy.area_vector.y);
        start_share = std::min(start_share, open / canopy.area);
        const double now = view.positions[load].y;
        if (now < 2) {  // settled by then
            ++frames;
            speed += (before - now) * 60;
            area += open;
            share += open / canopy.area;
        }
        before = now;
    }
    REQUIRE(frames > 10);
    speed /= frames, area /= frames, share /= frames;
    const double mass = 0.08 + 16 * 0.001 * 1.43 + 0.03 * 3.14159 * 0.7 * 0.7;
    const double expected = std::sqrt(2 * mass * 9.81 / (1.2 * 1.5 * area));
    CAPTURE(speed);
    CAPTURE(expected);
    CAPTURE(area);
    CHECK(start_share < 0.25);
    CHECK(share > 0.33);
    CHECK(speed > expected / 1.2);
    CHECK(speed < expected * 1.2);
}
