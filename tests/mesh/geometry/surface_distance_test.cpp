// Distances along surfaces against closed forms.
#include "mesh/geometry/surface_distance.h"

#include <doctest/doctest.h>
#include <pliant/shapes.h>

#include <cmath>

#include "base/convert.h"
#include "support/random_source.h"

using namespace pliant;

namespace {

std::vector<double> distances_from(const mesh::Surface& surface, std::vector<std::uint32_t> sources,
                                   double limit = 1e30) {
    std::vector<double> distances(surface.vertices(), -1);
    mesh::DistanceSearch search(surface);
    search.run(sources, limit, [&](std::uint32_t vertex, double distance, std::uint32_t) {
        CHECK(distances[vertex] == -1);
        distances[vertex] = distance;
        return true;
    });
    return distances;
}

// Columns × rows squares of one metre, each cut along one of its diagonals, rolled up around the y axis.
TriangleMesh grid(std::uint32_t columns, std::uint32_t rows, double radius = 0) {
    TriangleMesh mesh;
    for (std::uint32_t j = 0; j <= rows; ++j) {
        for (std::uint32_t i = 0; i <= columns; ++i) {
            const Vec3d p =
                radius > 0 ? Vec3d{radius * std::sin(i / radius), double(j), radius * std::cos(i / radius)}
                           : Vec3d{double(i), double(j), 0};
            mesh.positions.push_back(to_float(p));
        }
    }
    for (std::uint32_t j = 0; j < rows; ++j) {
        for (std::uint32_t i = 0; i < columns; ++i) {
            const std::uint32_t a = j * (columns + 1) + i, b = a + 1, c = a + columns + 1, d = c + 1;
            if ((i + j) % 2 == 0) {
                mesh.triangles.push_back({a, b, d});
                mesh.triangles.push_back({a, d, c});
            } else {
                mesh.triangles.push_back({a, b, c});
                mesh.triangles.push_back({b, d, c});
            }
        }
    }
    return mesh;
}

}  // namespace

TEST_CASE("distances on a flat grid are straight") {
    const TriangleMesh mesh = grid(17, 11);
    const mesh::Surface surface(mesh.positions, mesh.triangles);
    for (const std::uint32_t source : {0u, 17u, 95u}) {
        const std::vector<double> found = distances_from(surface, {source});
        for (std::uint32_t v = 0; v < surface.vertices(); ++v)
            CHECK(found[v] ==
                  doctest::Approx(length(surface.point(v) - surface.point(source))).epsilon(1e-9));
    }
}

TEST_CASE("distances around a cylinder go along it, not through it") {
    const double radius = 8 / 3.14159265358979;
    const TriangleMesh mesh = grid(8, 12, radius);  // half a turn
    const mesh::Surface surface(mesh.positions, mesh.triangles);
    const std::vector<double> found = distances_from(surface, {0});
    const double chord = 2 * radius * std::sin(0.5 / radius);  // of one edge
    CHECK(found[8] == doctest::Approx(8 * chord).epsilon(1e-6));
    const double far = std::sqrt(64 * chord * chord + 144);
    CHECK(found[12 * 9 + 8] == doctest::Approx(far).epsilon(0.01));
    CHECK(found[12 * 9 + 8] > far * (1 - 1e-6));
}

TEST_CASE("distances on irregular flat meshes are never too short, and little too long") {
    TriangleMesh mesh = grid(20, 20);
    test::RandomSource random(7);
    for (Vec3& p : mesh.positions) {
        p.x += random.real_float(-0.3, 0.3);
        p.y += random.real_float(-0.3, 0.3);
    }
    const mesh::Surface surface(mesh.positions, mesh.triangles);
    const std::vector<double> found = distances_from(surface, {220});
    for (std::uint32_t v = 0; v < surface.vertices(); ++v) {
        const double straight = length(surface.point(v) - surface.point(220));
        CHECK(found[v] >= straight * (1 - 1e-9));
        CHECK(found[v] <= straight * 1.06 + 1e-9);
    }
}

TEST_CASE("a search ends at its limit and takes the nearest of several sources") {
    const TriangleMesh mesh = grid(10, 1);
    const mesh::Surface surface(mesh.positions, mesh.triangles);
    const std::vector<double> near = distances_from(surface, {0}, 3.5);
    CHECK(near[3] == doctest::Approx(3));
    CHECK(near[4] == -1);
    const std::vector<double> both = distances_from(surface, {0, 10});
    for (std::uint32_t i = 0; i <= 10; ++i) CHECK(both[i] == doctest::Approx(std::min(i, 10 - i)));
}
