// Meshes and height fields as colliders: nothing passes, whatever the speed; the sign is that of the winding
// number.
#include <doctest/doctest.h>
#include <pliant/collider_mesh.h>
#include <pliant/shapes.h>

#include <cmath>
#include <limits>

#include "collision/local_colliders.h"
#include "support/random_source.h"

using namespace pliant;
using namespace pliant::collision;
using pliant::test::RandomSource;

namespace {

// Two triangles: 2 m × 2 m at height 0.
TriangleMesh square() {
    TriangleMesh mesh;
    mesh.positions = {{-1, 0, -1}, {1, 0, -1}, {1, 0, 1}, {-1, 0, 1}};
    mesh.triangles = {{0, 2, 1}, {0, 3, 2}};
    return mesh;
}

SolidMesh placed(const ColliderMeshPointer& surface) {
    SolidMesh solid;
    solid.surface = surface;
    return solid;
}

// Where a particle is after contact.
Vec3d after(const LocalMesh& local, const Vec3d& x, const Vec3d& step, double r) {
    const Contact<double> c = MeshCollider::contact<double>(local, x, step, r);
    return c.distance < 0 ? x - c.normal * c.distance : x;
}

}  // namespace

TEST_CASE("a thin open sheet stops particles from both sides at any speed") {
    const auto sheet = make_collider_mesh(square(), 0.002f);
    REQUIRE(sheet);
    CHECK(!is_closed(**sheet));
    CHECK(thickness_of(**sheet) == doctest::Approx(0.002f));
    const LocalMesh local = MeshCollider::localize(placed(*sheet), {});
    RandomSource random(5);
    for (int i = 0; i < 400; ++i) {
        CAPTURE(i);
        const double side = i % 2 == 0 ? 1 : -1, r = random.chance(0.5) ? 0 : 0.01;
        const Vec3d from{random.real(-0.9, 0.9), side * (0.001 + r + random.magnitude(1e-6, 1)),
                         random.real(-0.9, 0.9)};
        const Vec3d through{random.real(-0.9, 0.9), 0, random.real(-0.9, 0.9)};
        const Vec3d step = (through - from) * (1 + random.magnitude(1e-3, 1e4));
        CHECK(side * after(local, from + step, step, r).y > 0.9 * (0.001 + r));
    }
}

TEST_CASE("a particle that slides along a floor of triangles into a thin wall stops in the corner") {
    TriangleMesh mesh = square();
    mesh.positions.insert(mesh.positions.end(), {{0.5f, 0, -1}, {0.5f, 1, -1}, {0.5f, 1, 1}, {0.5f, 0, 1}});
    mesh.triangles.insert(mesh.triangles.end(), {{4, 5, 6}, {4, 6, 7}});
    const SolidMesh solid = placed(*make_collider_mesh(mesh, 0.002f));
    const LocalMesh local = MeshCollider::localize(solid, {});
    for (const double speed : {0.01, 0.3, 0.7, 20.0}) {
        CAPTURE(speed);
        Vec3d x{0.4, 0.001, 0.123};
        for (int i = 0; i < 40; ++i) {
            const Vec3d step{speed, -0.001, 0};
            x = after(local, x + step, step, 0);
            CHECK(x.y > 0.0009);
            CHECK(x.x < 0.4995);
        }
        CHECK(x.x > 0.49);
    }
}

TEST_CASE("edges between the triangles of a flat floor do not catch what glides over them") {
    const TriangleMesh floor = *make_sheet(2, 2, 20, 20);
    const SolidMesh solid = placed(*make_collider_mesh(floor, 0.002f));
    const LocalMesh local = MeshCollider::localize(solid, {});
    for (const double r : {0.0, 0.02}) {
        Vec3d x{-0.9, 0.001 + r, 0.037};
        for (int i = 0; i < 200; ++i) {
            const Vec3d step{0.008, -1e-4, 0.001}, free = x + step;
            x = after(local, free, step, r);
            CHECK(std::abs(x.x - free.x) < 2e-6);
            CHECK(std::abs(x.y - (0.001 + r)) < 5e-5);  // of the 1e-4 by which it was pressed in
        }
    }
}

TEST_CASE(
    "what starts inside a closed mesh leaves by the nearest way, and out of an inverted one nothing gets") {
    const auto box = make_collider_mesh(*make_box_surface({2, 1, 3}, {2, 2, 2}));
    REQUIRE(box);
    CHECK(is_closed(**box));
    LocalMesh local = MeshCollider::localize(placed(*box), {});
    RandomSource random(7);
    for (int i = 0; i < 100; ++i) {
        const Vec3d x{random.real(-0.45, 0.45), random.real(0.1, 0.45), random.real(-0.9, 0.9)};
        CHECK(std::abs(after(local, x, {1e-4, 0, 0}, 0).y - 0.5) < 1e-3);
    }
    local.inverted = true;
    for (int i = 0; i < 100; ++i) {
        const Vec3d from{random.real(-0.9, 0.9), random.real(-0.4, 0.4), random.real(-1.4, 1.4)};
        const Vec3d step = random.point(random.magnitude(1e-3, 1e3));
        const Vec3d x = after(local, from + step, step, 0);
        CHECK(std::abs(x.x) < 1);
        CHECK(std::abs(x.y) < 0.5);
        CHECK(std::abs(x.z) < 1.5);
    }
}

TEST_CASE("between poses a mesh carries along what rests on it") {
    TriangleMesh up = square();
    for (Vec3& p : up.positions) p.y += 0.1f * (p.x + 1);
    const std::vector<TriangleMesh> poses{square(), up};
    const auto moving = make_collider_mesh(poses, 0.002f);
    REQUIRE(moving);
    CHECK(poses_of(**moving) == 2);
    LocalMesh local = MeshCollider::localize(placed(*moving), {});
    local.pose_before = 0;
    local.pose = 0.1;
    const MovingContact<double> c = MeshCollider::contact<double>(local, {0.5, 0.001, 0.2}, {0, -1e-5, 0}, 0);
    CHECK(c.distance < 0);
    CHECK(std::abs(c.motion.y - 0.1 * 0.1 * 1.5) < 1e-4);
    CHECK(std::abs(0.001 - c.normal.y * c.distance - (0.015 + 0.001)) < 1e-3);
}

TEST_CASE("a height field stops what falls, and brings up what is below") {
    Heights heights{4, 4, 0.5f, {}};
    for (int i = 0; i < 25; ++i) heights.heights.push_back(static_cast<float>(i % 3) * 0.1f);
    HeightField field;
    field.surface = *make_height_field(heights);
    const LocalMesh local = HeightFieldCollider::localize(field, {});
    RandomSource random(9);
    const auto height = [&](double x, double z) {  // by halving
        double low = -0.5, high = 1;
        for (int i = 0; i < 40; ++i) {
            const double middle = (low + high) / 2;
            (HeightFieldCollider::contact<double>(local, {x, middle, z}, {}, 0).distance < 0 ? low : high) =
                middle;
        }
        return low;
    };
    int stopped = 0;
    for (int i = 0; i < 100; ++i) {
        const double x = random.real(-0.9, 0.9), z = random.real(-0.9, 0.9);
        const Vec3d step{0, -random.magnitude(0.5, 1e4), 0};
        const Vec3d landed = after(local, Vec3d{x, 0.3, z} + step, step, 0);
        // A long step may slide down a slope and off the field.
        if (std::abs(landed.x) < 1 && std::abs(landed.z) < 1) {
            stopped += 1;
            CHECK(landed.y > height(landed.x, landed.z) - 1e-4);
        }
        const Vec3d risen = after(local, {x, -0.05, z}, {0, -1e-4, 0}, 0);
        CHECK(risen.y > height(risen.x, risen.z) - 1e-4);
    }
    CHECK(stopped >= 15);
}

TEST_CASE("bad meshes and heights are an Error that says where") {
    constexpr float nan = std::numeric_limits<float>::quiet_NaN();
    CHECK(make_collider_mesh(TriangleMesh{}).error().path == "triangles");
    TriangleMesh bad = square();
    bad.positions[2].y = nan;
    CHECK(make_collider_mesh(bad).error().path == "positions/2");
    bad = square();
    bad.triangles[1][0] = 9;
    CHECK(make_collider_mesh(bad).error().path == "triangles/1");
    CHECK(make_collider_mesh(square(), -1).error().path == "thickness");
    CHECK(make_collider_mesh(square(), nan).error().path == "thickness");
    bad = square();
    for (Vec3& p : bad.positions) p = {1, 1, 1};
    CHECK(make_collider_mesh(bad).error().path == "positions");
    bad = square();
    bad.triangles.pop_back();
    CHECK(make_collider_mesh(std::vector<TriangleMesh>{square(), bad}).error().path == "triangles");
    CHECK(make_height_field({2, 2, 1, {1, 2, 3}}).error().path == "heights");
    CHECK(make_height_field({1, 1, 0, {0, 0, 0, 0}}).error().path == "spacing");
    CHECK(make_height_field({1, 1, 1, {0, nan, 0, 0}}).error().path == "heights/1");
    CHECK(make_height_field({0, 1, 1, {}}).error().path == "columns");
    CHECK(MeshCollider::check(SolidMesh{}, "/c")->path == "/c/surface");
}
