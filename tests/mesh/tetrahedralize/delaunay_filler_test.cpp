#include <doctest/doctest.h>
#include <pliant/tetrahedralize.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "mesh/geometry/triangle_tree.h"
#include "mesh/tetrahedralize/editable_tetrahedra.h"
#include "mesh/tetrahedralize/improve.h"
#include "mesh/tetrahedralize/surface_samples.h"
#include "support/surfaces.h"
#include "support/tetrahedra.h"

using namespace pliant;
using namespace pliant::test;
using doctest::Approx;

namespace {

Tetrahedralized fill(const TriangleMesh& surface, int resolution) {
    TetrahedralizeOptions options;
    options.method = TetrahedralizeMethod::delaunay;
    options.resolution = resolution;
    auto result = tetrahedralize(surface, options);
    REQUIRE_MESSAGE(result, result.error().text());
    return std::move(*result);
}

TetrahedralQuality check_delaunay_body(const TetrahedralMesh& mesh) {
    const TetrahedralQuality q = check_body(mesh);
    CHECK(q.smallest_dihedral > 5);
    CHECK(q.smallest_interior_dihedral > 10);
    CHECK(q.largest_dihedral < 175);
    return q;
}

}  // namespace

TEST_CASE("the smallest sine of known tetrahedra") {
    const Vec3d a{1, 1, 1}, b{1, -1, -1}, c{-1, 1, -1}, d{-1, -1, 1};
    CHECK(mesh::smallest_sine(a, c, b, d) == Approx(std::sqrt(8.0) / 3));
    CHECK(mesh::smallest_sine(a, b, c, d) == Approx(-std::sqrt(8.0) / 3));
    CHECK(mesh::smallest_sine({0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}) == Approx(std::sqrt(2.0 / 3)));
    CHECK(mesh::smallest_sine({0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}) == 0);
    CHECK(mesh::smallest_sine({0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {1, 1, 0}) == -1);
}

TEST_CASE("around an edge, across a face, and simple stars") {
    // Five tetrahedra around the edge 0 1, the last one missing in the second mesh.
    std::vector<Vec3d> positions{{0, 0, -1}, {0, 0, 1}};
    std::vector<Tetrahedron> tetrahedra;
    for (std::uint32_t i = 0; i < 5; ++i) {
        positions.push_back({std::cos(2 * pi * i / 5), std::sin(2 * pi * i / 5), 0});
        tetrahedra.push_back({0, 1, 2 + i, 2 + (i + 1) % 5});
    }
    mesh::EditableTetrahedra whole(positions, tetrahedra);
    for (std::uint32_t t = 0; t < 5; ++t) CHECK(whole.quality(t) > 0);
    const auto ring = whole.around(0, 1);
    CHECK(ring.closed);
    CHECK(ring.vertices == std::vector<std::uint32_t>{2, 3, 4, 5, 6});
    CHECK(!whole.around(2, 3).closed);
    CHECK(whole.across(0, 2) == 1);
    CHECK(whole.across(0, 0) == mesh::EditableTetrahedra::none);
    for (std::uint32_t v = 0; v < 7; ++v) CHECK(whole.has_simple_star(v));

    whole.remove(4);
    CHECK(!whole.around(0, 1).closed);
    CHECK(whole.has_simple_star(0));
    whole.remove(1);  // two parts that share only the edge 0 1
    CHECK(!whole.has_simple_star(0));
    whole.restore(1);
    CHECK(whole.has_simple_star(0));
    CHECK(whole.remaining().size() == 4);
}

TEST_CASE("samples lie on the surface, apart, and near every vertex") {
    for (const TriangleMesh& surface :
         {box({0, 0, 0}, {1, 0.6, 0.4}), sphere(0.5), torus(0.4, 0.1, 100, 40), torus(0.4, 0.1, 12, 5)}) {
        const mesh::TriangleTree tree(surface.positions, surface.triangles);
        const Vec3d low = to_double(tree.nodes()[0].box.low), high = to_double(tree.nodes()[0].box.high);
        const double apart = 0.08;
        const auto samples = mesh::sample_surface(surface, mesh::Lattice(low, high, 0.1), apart);
        double nearest_pair = 1;
        for (std::size_t i = 0; i < samples.size(); ++i) {
            const Vec3d p = samples[i].position;
            CHECK(tree.nearest(p).squared_distance < 1e-12);
            for (std::size_t j = 0; j < i; ++j) {
                nearest_pair = std::min(nearest_pair, length(p - samples[j].position));
            }
        }
        CHECK(nearest_pair >= apart);
        const auto distance_to_samples = [&](const Vec3d& p) {
            double best = 1;
            for (const auto& s : samples) best = std::min(best, length(p - s.position));
            return best;
        };
        for (const Vec3& v : surface.positions) CHECK(distance_to_samples(to_double(v)) <= apart);
        for (const Triangle& t : surface.triangles) {
            const Vec3d centroid = (to_double(surface.positions[t[0]]) + to_double(surface.positions[t[1]]) +
                                    to_double(surface.positions[t[2]])) *
                                   (1.0 / 3);
            CHECK(distance_to_samples(centroid) < 1.6 * apart);
        }
    }
}

TEST_CASE("volumes from Delaunay tetrahedra approach the surface's") {
    struct Case {
        TriangleMesh surface;
        double size;
        int euler;
    };
    for (const Case& c :
         {Case{sphere(1), 2, 2}, Case{torus(1, 0.4), 2.8, 0}, Case{box({0, 0, 0}, {1, 1, 1}), 1, 2},
          Case{box({0, 0, 0}, {1, 0.77, 0.31}), 1, 2}}) {
        const double volume = enclosed_volume(c.surface);
        double last = 1;
        for (const int resolution : {6, 12, 24}) {
            CAPTURE(resolution);
            const Tetrahedralized result = fill(c.surface, resolution);
            const TetrahedralQuality q = check_delaunay_body(result.mesh);
            last = std::abs(q.volume / volume - 1);
            CHECK(last < (resolution == 6 ? 0.16 : 0.05));
            CHECK(count_pieces(result.mesh) == 1);
            CHECK(closed_euler_characteristic(surface_triangles(result.mesh.tetrahedra)) == c.euler);
            CHECK(farthest_vertex(c.surface, result.mesh) < c.size / resolution);
            CHECK(q.mean_edge > 0.7 * c.size / resolution);
            CHECK(q.mean_edge < 1.3 * c.size / resolution);
        }
        CHECK(last < 0.01);
    }
}

TEST_CASE("the surface's own vertices are kept where they are sparse enough") {
    const TriangleMesh surface = sphere(1, 6);
    const Tetrahedralized result = fill(surface, 10);
    std::size_t kept = 0;
    for (const Vec3& p : surface.positions) {
        kept += std::find(result.mesh.positions.begin(), result.mesh.positions.end(), p) !=
                result.mesh.positions.end();
    }
    CHECK(kept > surface.positions.size() * 3 / 4);
}

TEST_CASE("Delaunay tetrahedra of nested, open, turned and overlapping surfaces") {
    const double whole = enclosed_volume(sphere(1)), core = enclosed_volume(sphere(0.5));
    const Tetrahedralized hollow = fill(together(sphere(1), turned(sphere(0.5))), 20);
    CHECK(check_delaunay_body(hollow.mesh).volume == Approx(whole - core).epsilon(0.02));
    CHECK(closed_euler_characteristic(surface_triangles(hollow.mesh.tetrahedra)) == 4);
    CHECK(check_delaunay_body(fill(together(sphere(1), sphere(0.5)), 20).mesh).volume ==
          Approx(whole).epsilon(0.02));
    CHECK(check_delaunay_body(fill(turned(sphere(1)), 15).mesh).volume == Approx(whole).epsilon(0.03));
    const TriangleMesh boxes = together(box({0, 0, 0}, {1, 1, 1}), box({0.5, 0.5, 0.5}, {1.5, 1.5, 1.5}));
    const Tetrahedralized united = fill(boxes, 15);
    CHECK(check_body(united.mesh).volume == Approx(2 - 0.125).epsilon(0.02));
    CHECK(count_pieces(united.mesh) == 1);
    check_body(fill(torus(1, 1.3), 15).mesh);
    TriangleMesh open = sphere(1);
    std::erase_if(open.triangles, [&](const Triangle& t) { return open.positions[t[0]].z > 0.8f; });
    CHECK(check_body(fill(open, 15).mesh).volume == Approx(whole).epsilon(0.06));
    const Tetrahedralized two = fill(together(sphere(1), sphere(0.5, 12, {3, 0, 0})), 30);
    CHECK(count_pieces(two.mesh) == 2);
    CHECK(two.warnings.empty());
}

TEST_CASE("what encloses nothing is refused by both methods") {
    TriangleMesh triangle;
    triangle.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    triangle.triangles = {{0, 1, 2}};
    TetrahedralizeOptions options;
    options.method = TetrahedralizeMethod::delaunay;
    CHECK(!tetrahedralize(triangle, options));
    triangle.triangles.push_back({0, 2, 1});
    CHECK(!tetrahedralize(triangle, options));
    triangle.triangles = {{0, 0, 0}};
    CHECK(!tetrahedralize(triangle, options));
}

TEST_CASE("Delaunay tetrahedra of random soups have positive volumes, or there are none") {
    int filled = 0;
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
        TetrahedralizeOptions options;
        options.method = TetrahedralizeMethod::delaunay;
        options.resolution = 8;
        const auto result = tetrahedralize(random_soup(seed, 43), options);
        if (!result) continue;
        ++filled;
        check_body(result->mesh);
    }
    CHECK(filled > 2);
}

TEST_CASE("the same surface gives the same Delaunay tetrahedra") {
    const Tetrahedralized a = fill(torus(1, 0.4), 15), b = fill(torus(1, 0.4), 15);
    CHECK(a.mesh.positions == b.mesh.positions);
    CHECK(a.mesh.tetrahedra == b.mesh.tetrahedra);
}

TEST_CASE("the bunny by Delaunay") {
    const TriangleMesh bunny = read_or_nothing(PLIANT_SOURCE_DIR "/assets/bunny.obj");
    REQUIRE(bunny.positions.size() == 1839);
    const double volume = enclosed_volume(bunny), size = 9.907325;
    for (const int resolution : {8, 10, 20, 32}) {
        CAPTURE(resolution);
        const Tetrahedralized result = fill(bunny, resolution);
        const double error = check_delaunay_body(result.mesh).volume / volume - 1;
        CHECK(std::abs(error) < (resolution == 32 ? 0.01 : 0.06));
        CHECK(count_pieces(result.mesh) == 1);
        CHECK(farthest_vertex(bunny, result.mesh) <= size / resolution);
    }
}

TEST_CASE("longer run: the dragon by Delaunay" * doctest::skip()) {
    const TriangleMesh dragon = read_or_nothing(PLIANT_SOURCE_DIR "/build/assets/dragon.obj");
    if (dragon.triangles.empty()) {
        std::puts("no build/assets/dragon.obj (see scripts/fetch_dragon): not tested");
        return;
    }
    const double volume = enclosed_volume(dragon), size = 0.2036555;
    for (const int resolution : {20, 40, 80}) {
        CAPTURE(resolution);
        const Tetrahedralized result = fill(dragon, resolution);
        const double error = check_delaunay_body(result.mesh).volume / volume - 1;
        CHECK(std::abs(error) < (resolution == 80 ? 0.01 : 0.06));
        CHECK(count_pieces(result.mesh) == 1);
        CHECK(farthest_vertex(dragon, result.mesh) <= size / resolution);
    }
}
