#include "output/collider_mesh.h"

#include <doctest/doctest.h>

#include "output/picture.h"

using namespace pliant;
using namespace pliant::output;

TEST_CASE("vertices are shared where a surface is smooth, and not at sharp edges") {
    const ColliderMesh box = mesh_of(Box{}, {}, 1);
    CHECK(box.positions.size() == 24);  // eight corners of three faces each
    CHECK(box.triangles.size() == 12);
    const ColliderMesh capsule = mesh_of(Capsule{}, {}, 1);
    CHECK(capsule.triangles.size() == 2 * (capsule.positions.size() - 2));
    const ColliderMesh plane = mesh_of(Plane{{0, 3, 0}, {0, 1, 0}}, {0, 1, 0}, 5);
    REQUIRE(plane.positions.size() == 4);
    for (const Vec3& p : plane.positions) CHECK(p.y == doctest::Approx(2));
}

TEST_CASE("a picture is as large as its colliders, without planes") {
    Picture picture;
    picture.colliders = {{Plane{}}, {Capsule{{-1, 0, 0}, {3, 2, 0}, 0.5f}}};
    const Bounds bounds = bounds_of(picture);
    CHECK(bounds.low == Vec3d{-1.5, -0.5, -0.5});
    CHECK(bounds.high == Vec3d{3.5, 2.5, 0.5});
}
