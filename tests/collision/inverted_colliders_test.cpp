// Colliders that are solid outside and free inside.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>

#include "scene/validate.h"
#include "support/random_colliders.h"

using namespace pliant;
using namespace pliant::test;

namespace {

template <class Kind>
typename Kind::Local inverted(const typename Kind::Shape& shape) {
    typename Kind::Local local = Kind::localize(shape, {});
    local.inverted = true;
    return local;
}

template <class Kind>
Vec3d after(const typename Kind::Local& local, const Vec3d& x, const Vec3d& step, double r) {
    const Contact<double> c = contact_with<Kind>(local, x, step, r);
    return c.distance < 0 ? x - c.normal * c.distance : x;
}

}  // namespace

TEST_CASE("inverted, every shape has the other distance and the other normal") {
    int asked = 0;
    for_many_shapes([&]<class Kind>(const typename Kind::Shape& shape, RandomSource& random) {
        if (std::is_same_v<Kind, HeightFieldCollider>) return;  // solid above it, and free beside it
        const typename Kind::Local local = inverted<Kind>(shape);
        for (int k = 0; k < 10; ++k) {
            const Vec3d x = random.point(2);
            const double r = random.chance(0.5) ? 0 : 0.05;
            const Contact<double> c = contact_with<Kind>(local, x, Vec3d{}, r);
            const Contact<double> plain = contact_at<Kind>(shape, x);
            CHECK(std::abs(c.distance + plain.distance + r + 2 * skin_of<Kind>(shape)) < 1e-6);
            if (std::abs(plain.distance) > 1e-3) CHECK(size_of(c.normal + plain.normal) < 1e-6);
            ++asked;
        }
    });
    CHECK(asked > 5000);
}

TEST_CASE("out of an inverted shape nothing gets, however far it wants to go") {
    int pushed = 0;
    for_many_shapes([&]<class Kind>(const typename Kind::Shape& shape, RandomSource& random) {
        if (std::is_same_v<Kind, HeightFieldCollider>) return;
        const typename Kind::Local local = inverted<Kind>(shape);
        // Between the walls of a cone, which may meet at any angle, a ball takes longer to find room.
        const double r = std::is_same_v<Kind, ConeCollider> || random.chance(0.5) ? 0 : 0.02;
        Vec3d x = after<Kind>(local, middle_of<Kind>(shape), {}, r);
        for (int k = 0; k < 40; ++k) {
            const Vec3d step = random.point(random.magnitude(1e-3, 1e3));
            const Vec3d next = after<Kind>(local, x + step, step, r);
            pushed += size_of(next - x - step) > 0;
            CAPTURE(k);
            CAPTURE(r);
            // Its middle is inside, but in sharp corners; in a tube it went along the plane that it met.
            if (!std::is_same_v<Kind, TorusCollider>)
                CHECK(distance_at<Kind>(shape, next) < 0.5 * r + 1e-6 * (1 + size_of(step)));
            // In a corner a ball meets one wall after the other.
            x = next;
            for (int i = 0; i < 8; ++i) x = after<Kind>(local, x, {}, r);
            CHECK(distance_at<Kind>(shape, x) < -r + 1e-4);
        }
    });
    CHECK(pushed > 10000);
}

TEST_CASE("inside an inverted torus nothing leaps from one side of the ring to the other") {
    Torus torus;
    torus.major_radius = 0.5f;
    torus.minor_radius = 0.1f;
    const LocalTorus local = inverted<TorusCollider>(torus);
    for (int k = 1; k < 200; ++k) {
        const Vec3d from{0.5, 0, 0.001 * k}, step{-1, 0.0003 * k, 0};
        const Vec3d x = after<TorusCollider>(local, from + step, step, 0);
        CHECK(after<TorusCollider>(local, x, {}, 0).x > 0.1);
    }
}

TEST_CASE("inverted, a height field is solid above and free below") {
    Heights heights{4, 4, 0.5f, std::vector<float>(25, 0.25f)};
    HeightField field;
    field.surface = *make_height_field(heights);
    const LocalMesh local = inverted<HeightFieldCollider>(field);
    RandomSource random(3);
    for (int i = 0; i < 100; ++i) {
        const double x = random.real(-0.9, 0.9), z = random.real(-0.9, 0.9);
        const Vec3d step{0, random.magnitude(1e-3, 1e3), 0};
        const Vec3d stopped = after<HeightFieldCollider>(local, Vec3d{x, 0.2, z} + step, step, 0);
        CHECK(stopped.y < 0.25);
        const Vec3d sunk = after<HeightFieldCollider>(local, {x, 0.3, z}, {0, 1e-5, 0}, 0);
        CHECK(sunk.y < 0.25);
        CHECK(
            contact_with<HeightFieldCollider>(local, Vec3d{x + 5, 0.3, z}, Vec3d{1e-5, 0, 0}, 0.0).distance >
            0);
    }
}

TEST_CASE("an open mesh cannot be inverted, and a mesh collider needs its mesh and a pose") {
    TriangleMesh triangle;
    triangle.positions = {{0, 0, 0}, {1, 0, 0}, {0, 0, 1}};
    triangle.triangles = {{0, 1, 2}};
    SolidMesh open;
    open.surface = *make_collider_mesh(triangle);
    Collider collider{open};
    CHECK(!check_collider("/c", collider));
    collider.inverted = true;
    CHECK(check_collider("/c", collider)->path == "/c/inverted");
    collider = {SolidMesh{}};
    CHECK(check_collider("/c", collider)->path == "/c/shape/surface");
    open.pose = std::numeric_limits<double>::quiet_NaN();
    collider = {open};
    CHECK(check_collider("/c", collider)->path == "/c/shape/pose");
}
