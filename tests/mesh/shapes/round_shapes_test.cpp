// Round shapes against closed forms.
#include <doctest/doctest.h>
#include <pliant/shapes.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>

#include "base/hash.h"
#include "support/meshes.h"

using namespace pliant;
using namespace pliant::test;

namespace {

constexpr double pi = 3.14159265358979323846;

struct Surface {
    std::string name;
    std::function<TriangleMesh(int)> make;  // of 4n segments or so
    double volume, area;
    long euler;
};

const Surface surfaces[] = {
    {"box",
     [](int n) {
         return *make_box_surface({1, 2, 3}, {n, 2 * n, 3 * n});
     },
     6, 22, 2},
    {"sphere", [](int n) { return *make_sphere_surface(2, 4 * n, 2 * n); }, 32 * pi / 3, 16 * pi, 2},
    {"icosphere", [](int n) { return *make_icosphere(2, n); }, 32 * pi / 3, 16 * pi, 2},
    {"cylinder", [](int n) { return *make_cylinder_surface(0.5f, 2, 4 * n, n); }, pi / 2, 2.5 * pi, 2},
    {"capsule", [](int n) { return *make_capsule_surface(0.5f, 2, 4 * n, n); }, pi / 2 + pi / 6, 3 * pi, 2},
    {"torus", [](int n) { return *make_torus_surface(2, 0.5f, 8 * n, 3 * n); }, pi* pi, 4 * pi* pi, 0},
};

struct Solid {
    std::string name;
    std::function<TetrahedralMesh(int)> make;
    double volume;
    long euler;  // of its surface
};

const Solid solids[] = {
    {"ball", [](int n) { return *make_ball(2, n); }, 32 * pi / 3, 2},
    {"cylinder", [](int n) { return *make_cylinder(0.5f, 2, n, 4 * n); }, pi / 2, 2},
    {"capsule", [](int n) { return *make_capsule(0.5f, 2, n, 4 * n); }, pi / 2 + pi / 6, 2},
    {"torus", [](int n) { return *make_torus(2, 0.5f, n, 16 * n); }, pi* pi, 0},
};

double total_volume(const TetrahedralMesh& mesh) {
    double sum = 0;
    for (const Tetrahedron& t : mesh.tetrahedra) sum += volume(mesh, t);
    return sum;
}

// Smallest and largest angle between two faces, in degrees.
std::pair<double, double> dihedral_angles(const TetrahedralMesh& mesh) {
    double smallest = 180, largest = 0;
    for (const Tetrahedron& t : mesh.tetrahedra) {
        for (std::size_t i = 0; i < 4; ++i) {
            for (std::size_t j = i + 1; j < 4; ++j) {
                const std::size_t k = i != 0 ? 0 : j != 1 ? 1 : 2, l = 6 - i - j - k;
                const Vec3d p = to_double(mesh.positions[t[i]]), edge = to_double(mesh.positions[t[j]]) - p;
                const Vec3d a = cross(edge, to_double(mesh.positions[t[k]]) - p),
                            b = cross(edge, to_double(mesh.positions[t[l]]) - p);
                const double angle = std::atan2(length(cross(a, b)), dot(a, b)) * 180 / pi;
                smallest = std::min(smallest, angle);
                largest = std::max(largest, angle);
            }
        }
    }
    return {smallest, largest};
}

}  // namespace

TEST_CASE("closed shapes have no seam, face outward, and approach their true volume and area") {
    for (const Surface& surface : surfaces) {
        CAPTURE(surface.name);
        double last_error = 1e9;
        for (const int n : {1, 2, 4, 8, 16}) {
            CAPTURE(n);
            const TriangleMesh mesh = surface.make(n);
            CHECK(is_closed_and_oriented(mesh.triangles));
            CHECK(euler_characteristic(mesh.triangles) == surface.euler);
            CHECK(connected_components(mesh.triangles).count == 1);
            std::vector<bool> used(mesh.positions.size());
            for (const Triangle& t : mesh.triangles) {
                for (const std::uint32_t corner : t) used[corner] = true;
            }
            CHECK(std::count(used.begin(), used.end(), false) == 0);

            const double volume_error = 1 - enclosed_volume(mesh.positions, mesh.triangles) / surface.volume;
            const double area_error = 1 - area(mesh.positions, mesh.triangles) / surface.area;
            CHECK(volume_error > -1e-6);
            // Both errors fall with the square of the resolution.
            CHECK(volume_error <= std::max(last_error / 2.9, 1e-6));
            CHECK(std::abs(area_error) <= volume_error + 1e-6);
            last_error = volume_error;
        }
        CHECK(last_error < 0.01);
    }
}

TEST_CASE("points of round surfaces lie on them") {
    for (const Vec3& p : std::vector<Vec3>(make_icosphere(2, 7)->positions))
        CHECK(length(to_double(p)) == doctest::Approx(2).epsilon(1e-7));
    for (const Vec3& p : std::vector<Vec3>(make_sphere_surface(2, 9, 7)->positions))
        CHECK(length(to_double(p)) == doctest::Approx(2).epsilon(1e-7));
    for (const Vec3& p : std::vector<Vec3>(make_capsule_surface(0.5f, 2, 13, 3)->positions)) {
        const double above = std::max(std::abs(static_cast<double>(p.y)) - 1, 0.0);
        CHECK(length({p.x, above, p.z}) == doctest::Approx(0.5).epsilon(1e-6));
    }
    for (const Vec3& p : std::vector<Vec3>(make_torus_surface(2, 0.5f, 13, 9)->positions)) {
        const double out = std::sqrt(static_cast<double>(p.x) * p.x + static_cast<double>(p.z) * p.z) - 2;
        CHECK(length({out, p.y, 0}) == doctest::Approx(0.5).epsilon(1e-6));
    }
    CHECK(make_icosphere(1, 7)->triangles.size() == 20 * 49);
}

TEST_CASE("triangles of even surfaces are about as long as wide") {
    const TriangleMesh meshes[] = {*make_icosphere(1, 12), *make_cylinder_surface(1, 3, 36, 18),
                                   *make_capsule_surface(1, 3, 36, 18)};
    for (const TriangleMesh& mesh : meshes) {
        for (const Triangle& t : mesh.triangles) {
            double shortest = 1e9, longest = 0;
            for (std::size_t k = 0; k < 3; ++k) {
                const double side =
                    length(to_double(mesh.positions[t[k]]) - to_double(mesh.positions[t[(k + 1) % 3]]));
                shortest = std::min(shortest, side);
                longest = std::max(longest, side);
            }
            CHECK(longest < 2.2 * shortest);
        }
    }
}

TEST_CASE("a tube is a band with two ends, numbered row by row") {
    const TriangleMesh tube = *make_tube(0.5f, 2, 16, 5);
    CHECK(tube.positions.size() == 16 * 6);
    CHECK(tube.triangles.size() == 2 * 16 * 5);
    CHECK(euler_characteristic(tube.triangles) == 0);
    CHECK(tube.positions[0] == Vec3{0.5f, -1, 0});
    CHECK(tube.positions[5 * 16 + 4] == Vec3{0, 1, -0.5f});
    const double sides = 16 * 2 * 0.5 * std::sin(pi / 16);
    CHECK(area(tube.positions, tube.triangles) == doctest::Approx(2 * sides).epsilon(1e-6));
}

TEST_CASE("texture coordinates run to the right and upward, each triangle within the picture") {
    const TriangleMesh meshes[] = {*make_sheet(1, 2, 5, 4),
                                   *make_sphere_surface(1, 9, 6),
                                   *make_torus_surface(2, 1, 12, 9),
                                   *make_cylinder_surface(1, 1, 11, 2),
                                   *make_capsule_surface(1, 1, 11, 2),
                                   *make_tube(1, 1, 7, 3)};
    for (const TriangleMesh& mesh : meshes) {
        REQUIRE(mesh.texture_coordinates.size() == mesh.triangles.size());
        for (const std::array<Vec2, 3>& t : mesh.texture_coordinates) {
            const double turn =
                (static_cast<double>(t[1].x) - t[0].x) * (static_cast<double>(t[2].y) - t[0].y) -
                (static_cast<double>(t[1].y) - t[0].y) * (static_cast<double>(t[2].x) - t[0].x);
            CHECK(turn > 0);  // seen from outside, a picture is not mirrored
            for (const Vec2& corner : t) {
                CHECK(corner.x >= 0);
                CHECK(corner.x <= 1);
                CHECK(corner.y >= 0);
                CHECK(corner.y <= 1);
            }
        }
    }
}

TEST_CASE("solids are filled by positive tetrahedra of good shape, up to their true volume") {
    for (const Solid& solid : solids) {
        CAPTURE(solid.name);
        double last_error = 1e9;
        for (const int n : {1, 2, 4, 8}) {
            CAPTURE(n);
            const TetrahedralMesh mesh = solid.make(n);
            for (const Tetrahedron& t : mesh.tetrahedra) {
                if (!(volume(mesh, t) > 0)) FAIL_CHECK("a tetrahedron is not positive");
            }
            const auto [smallest, largest] = dihedral_angles(mesh);
            CHECK(smallest > 22);
            CHECK(largest < 132);
            const std::vector<Triangle> surface = surface_triangles(mesh.tetrahedra);
            CHECK(is_closed_and_oriented(surface));
            CHECK(euler_characteristic(surface) == solid.euler);
            // No gaps or overlaps inside: the surface encloses what the tetrahedra fill.
            const double filled = total_volume(mesh);
            CHECK(enclosed_volume(mesh.positions, surface) == doctest::Approx(filled).epsilon(1e-6));
            const double error = 1 - filled / solid.volume;
            CHECK(error > 0);
            CHECK(error < last_error / 2.2);
            last_error = error;
        }
        CHECK(last_error < 0.01);
    }
}

TEST_CASE("solids have the promised numbers of tetrahedra and the surfaces of their kind") {
    CHECK(make_ball(1, 5)->tetrahedra.size() == 20 * 125);
    CHECK(make_cylinder(1, 1, 3, 5)->tetrahedra.size() == 18 * 9 * 5);
    CHECK(make_capsule(1, 1, 3, 5)->tetrahedra.size() == 18 * 9 * 5 + 12 * 27);
    CHECK(make_torus(2, 1, 3, 7)->tetrahedra.size() == 18 * 9 * 7);
    const TetrahedralMesh ball = *make_ball(1.5f, 6);
    const TriangleMesh sphere = *make_icosphere(1.5f, 6);
    const auto ball_surface = surface_triangles(ball.tetrahedra);
    CHECK(ball_surface.size() == sphere.triangles.size());
    CHECK(area(ball.positions, ball_surface) == doctest::Approx(area(sphere.positions, sphere.triangles)));
    const auto box_surface = surface_triangles(make_box({1, 2, 3}, {2, 3, 4})->tetrahedra);
    CHECK(make_box_surface({1, 2, 3}, {2, 3, 4})->triangles.size() == box_surface.size());
}

TEST_CASE("a helix climbs and turns evenly") {
    const std::vector<Vec3> helix = *make_helix(0.5f, 3, 2.5f, 100);
    REQUIRE(helix.size() == 101);
    CHECK(helix.front() == Vec3{0.5f, -1.5f, 0});
    CHECK(helix.back() == Vec3{-0.5f, 1.5f, 0});
    const double step = length(to_double(helix[1]) - to_double(helix[0]));
    for (std::size_t i = 1; i < helix.size(); ++i) {
        CHECK(length(to_double(helix[i]) - to_double(helix[i - 1])) == doctest::Approx(step).epsilon(1e-5));
    }
    CHECK(helix[1].z < 0);  // counterclockwise as seen from above
}

TEST_CASE("strands grow from their ground, evenly spread") {
    const auto disc = *make_strands_on_disc(2, 0.5f, 500, 8);
    REQUIRE(disc.size() == 500);
    std::size_t within_half = 0;
    for (const std::vector<Vec3>& strand : disc) {
        REQUIRE(strand.size() == 9);
        const Vec3 root = strand.front();
        CHECK(root.y == 0);
        CHECK(strand.back() == Vec3{root.x, 0.5f, root.z});
        const double r = length(to_double(root));
        CHECK(r <= 2);
        within_half += r < 2 / std::sqrt(2.0);
    }
    CHECK(within_half == 250);

    const auto sphere = *make_strands_on_sphere(1, 0.25f, 400, 4, 0.5f);
    REQUIRE(sphere.size() == 400);
    double nearest = 1e9;
    for (const std::vector<Vec3>& strand : sphere) {
        CHECK(strand.front().y > 0);
        CHECK(length(to_double(strand.front())) == doctest::Approx(1));
        CHECK(length(to_double(strand.back())) == doctest::Approx(1.25));
        for (const std::vector<Vec3>& other : sphere) {
            if (&other == &strand) continue;
            nearest = std::min(nearest, length(to_double(strand.front()) - to_double(other.front())));
        }
    }
    CHECK(nearest > 0.7 * std::sqrt(2 * pi / 400));  // of the side of a square of each one's area
}

TEST_CASE("shapes are the same bits on every machine") {
    Hash hash;
    const auto add = [&](const auto& mesh) {
        for (const Vec3& p : mesh.positions) {
            hash.add(p.x);
            hash.add(p.y);
            hash.add(p.z);
        }
    };
    for (const Surface& surface : surfaces) add(surface.make(5));
    for (const Solid& solid : solids) add(solid.make(3));
    const auto strands = *make_strands_on_sphere(1, 1, 50, 3);
    for (const auto& strand : strands) add(TriangleMesh{strand});
    CHECK(hash.value() == 2731291659320620674u);
}
