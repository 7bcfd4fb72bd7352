#include "output/picture/collider_surfaces.h"

#include <doctest/doctest.h>

using namespace pliant;
using namespace pliant::output;

TEST_CASE("a shape without a surface made for pictures is drawn by its own, with shared vertices") {
    const auto capsule = surface_of({Capsule{{9, 0, 0}, {11, 0, 0}, 0.5f}});
    REQUIRE(capsule);
    CHECK(capsule->center == Vec3d{10, 0, 0});
    // A closed surface whose vertices are all shared has V − 2 = T/2.
    CHECK(capsule->mesh.positions.size() > 500);
    CHECK(capsule->mesh.triangles.size() == 2 * (capsule->mesh.positions.size() - 2));
    CHECK(!surface_of({Plane{}}));
    CHECK(surface_of({Sphere{}}));
    CHECK(surface_of({Box{}}));
}

TEST_CASE("a picture is as large as its colliders, without planes") {
    Picture picture;
    picture.colliders = {{Plane{}}, {Capsule{{-1, 0, 0}, {3, 2, 0}, 0.5f}}};
    const Bounds bounds = bounds_of(picture);
    CHECK(bounds.low == Vec3d{-1.5, -0.5, -0.5});
    CHECK(bounds.high == Vec3d{3.5, 2.5, 0.5});
}
