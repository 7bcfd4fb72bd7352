#include <doctest/doctest.h>
#include <pliant/tetrahedralize.h>

#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "mesh/tetrahedralize/solid.h"
#include "support/random_source.h"
#include "support/surfaces.h"
#include "support/tetrahedra.h"

using namespace pliant;
using namespace pliant::test;
using doctest::Approx;

namespace {

Tetrahedralized fill(const TriangleMesh& surface, int resolution) {
    TetrahedralizeOptions options;
    options.resolution = resolution;
    auto result = tetrahedralize(surface, options);
    REQUIRE_MESSAGE(result, result.error().text());
    return std::move(*result);
}

// What the lattice promises, whatever the surface.
TetrahedralQuality check_lattice_body(const TetrahedralMesh& mesh) {
    const TetrahedralQuality q = check_body(mesh);
    CHECK(q.smallest_dihedral > 10.7);
    CHECK(q.largest_dihedral < 164.8);
    return q;
}

bool mentions(const std::vector<std::string>& warnings, const std::string& what) {
    for (const std::string& warning : warnings) {
        if (warning.find(what) != std::string::npos) return true;
    }
    return false;
}

}  // namespace

TEST_CASE("volumes from the lattice approach the surface's") {
    struct Case {
        TriangleMesh surface;
        int euler;
    };
    for (const Case& c : {Case{sphere(1), 2}, Case{torus(1, 0.4), 0}, Case{box({0, 0, 0}, {1, 1, 1}), 2},
                          Case{box({0, 0, 0}, {1, 0.77, 0.31}), 2}}) {
        const double volume = enclosed_volume(c.surface);
        double last = 1;
        for (const int resolution : {6, 12, 24}) {
            const Tetrahedralized result = fill(c.surface, resolution);
            const TetrahedralQuality q = check_lattice_body(result.mesh);
            const double error = std::abs(q.volume / volume - 1);
            CAPTURE(resolution);
            CHECK(error <= last + 1e-6);
            last = error;
            CHECK(closed_euler_characteristic(surface_triangles(result.mesh.tetrahedra)) == c.euler);
            CHECK(count_pieces(result.mesh) == 1);
        }
        CHECK(last < 0.01);
    }
}

TEST_CASE("a box of whole cells is filled exactly") {
    const Tetrahedralized result = fill(box({-1, 2, 3}, {1, 3, 4.5}), 8);
    CHECK(result.warnings.empty());
    CHECK(check_lattice_body(result.mesh).volume == Approx(3).epsilon(1e-5));
}

TEST_CASE("the points on the outside lie on the surface") {
    const TriangleMesh surface = torus(1, 0.4);
    const mesh::Solid solid(surface);
    const Tetrahedralized result = fill(surface, 25);
    const double edge = 2.8 / 25;
    for (const Triangle& t : surface_triangles(result.mesh.tetrahedra)) {
        for (const std::uint32_t v : t) {
            CHECK(solid.tree().nearest(to_double(result.mesh.positions[v])).squared_distance <
                  std::pow(edge / 1000, 2));
        }
    }
}

TEST_CASE("edges are about as long as wished") {
    TetrahedralizeOptions options;
    options.edge_length = 0.1f;
    const auto result = tetrahedralize(sphere(1), options);
    REQUIRE(result);
    const TetrahedralQuality q = *quality(result->mesh);
    CHECK(q.mean_edge > 0.08);
    CHECK(q.mean_edge < 0.1);
    CHECK(q.longest_edge < 0.18);
}

TEST_CASE("an inner surface the other way round is a cavity, the same way round it is not") {
    const double whole = enclosed_volume(sphere(1)), core = enclosed_volume(sphere(0.5));
    const Tetrahedralized hollow = fill(together(sphere(1), turned(sphere(0.5))), 20);
    CHECK(check_lattice_body(hollow.mesh).volume == Approx(whole - core).epsilon(0.01));
    CHECK(closed_euler_characteristic(surface_triangles(hollow.mesh.tetrahedra)) == 4);
    CHECK(hollow.warnings.empty());
    const Tetrahedralized solid = fill(together(sphere(1), sphere(0.5)), 20);
    CHECK(check_lattice_body(solid.mesh).volume == Approx(whole).epsilon(0.01));
    CHECK(solid.warnings.empty());
}

TEST_CASE("a surface inside out is filled, with a warning") {
    const Tetrahedralized result = fill(turned(sphere(1)), 15);
    CHECK(check_lattice_body(result.mesh).volume == Approx(enclosed_volume(sphere(1))).epsilon(0.03));
    CHECK(mentions(result.warnings, "inside out"));
}

TEST_CASE("parts that overlap become one") {
    const Tetrahedralized result =
        fill(together(box({0, 0, 0}, {1, 1, 1}), box({0.5, 0.5, 0.5}, {1.5, 1.5, 1.5})), 20);
    CHECK(check_lattice_body(result.mesh).volume == Approx(2 - 0.125).epsilon(0.01));
    CHECK(count_pieces(result.mesh) == 1);
    CHECK(result.warnings.empty());
}

TEST_CASE("parts that do not touch are all kept; those too small are reported") {
    const TriangleMesh two = together(sphere(1), sphere(0.5, 12, {3, 0, 0}));
    const Tetrahedralized both = fill(two, 30);
    CHECK(count_pieces(both.mesh) == 2);
    CHECK(both.warnings.empty());
    const Tetrahedralized one = fill(together(two, sphere(0.01, 6, {0, 1.05, 0})), 20);
    CHECK(count_pieces(one.mesh) == 2);
    CHECK(mentions(one.warnings, "1 of 3 separate parts"));
    const Tetrahedralized all = fill(together(two, sphere(0.01, 6, {0, 3, 0})), 20);
    CHECK(count_pieces(all.mesh) == 3);
    CHECK(all.warnings.empty());
}

TEST_CASE("a torus through itself is filled") {
    const Tetrahedralized result = fill(torus(1, 1.3), 20);
    check_lattice_body(result.mesh);
}

TEST_CASE("holes are closed") {
    TriangleMesh open = sphere(1);
    std::erase_if(open.triangles, [&](const Triangle& t) { return open.positions[t[0]].z > 0.8f; });
    const Tetrahedralized result = fill(open, 20);
    const double volume = check_lattice_body(result.mesh).volume, whole = enclosed_volume(sphere(1));
    // Between the sphere with a flat lid, less a cap of height 0.2, and the sphere.
    const double cap = pi * 0.04 * (1 - 0.2 / 3);
    CHECK(volume > (whole - cap) * 0.96);
    CHECK(volume < whole);
    CHECK(mentions(result.warnings, "open at"));
    CHECK(closed_euler_characteristic(surface_triangles(result.mesh.tetrahedra)) == 2);
}

TEST_CASE("surfaces that enclose nothing are refused with a reason") {
    TriangleMesh triangle;
    triangle.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    triangle.triangles = {{0, 1, 2}};
    auto result = tetrahedralize(triangle);
    REQUIRE(!result);
    CHECK(result.error().text().find("encloses nothing: 3 of its edges are open") != std::string::npos);

    TriangleMesh flat = triangle;  // both sides
    flat.triangles.push_back({0, 2, 1});
    result = tetrahedralize(flat);
    REQUIRE(!result);
    CHECK(result.error().text().find("folded flat onto itself") != std::string::npos);

    TriangleMesh line = triangle;
    line.positions[2] = {2, 0, 0};
    CHECK(!tetrahedralize(line));
    TriangleMesh point = triangle;
    point.triangles = {{1, 1, 1}};
    CHECK(!tetrahedralize(point));

    TetrahedralizeOptions coarse;
    coarse.edge_length = 0.5f;
    result = tetrahedralize(box({0, 0, 0.13}, {2, 2, 0.14}), coarse);
    REQUIRE(!result);
    CHECK(result.error().text().find("too coarse") != std::string::npos);
}

TEST_CASE("soups of random triangles are filled or refused, never wrong") {
    int filled = 0;
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
        TetrahedralizeOptions options;
        options.resolution = 8;
        const auto result = tetrahedralize(random_soup(seed, 63), options);
        if (!result) continue;
        ++filled;
        check_lattice_body(result->mesh);
    }
    CHECK(filled > 3);
}

TEST_CASE("a sphere with triangles turned, missing and doubled at random is still filled") {
    RandomSource random(9);
    TriangleMesh bad = sphere(1);
    const TriangleMesh good = bad;
    bad.triangles.clear();
    for (Triangle t : good.triangles) {
        if (random.chance(0.03)) continue;
        if (random.chance(0.03)) std::swap(t[0], t[1]);
        bad.triangles.push_back(t);
        if (random.chance(0.03)) bad.triangles.push_back(t);
    }
    const Tetrahedralized result = fill(bad, 15);
    CHECK(check_lattice_body(result.mesh).volume == Approx(enclosed_volume(good)).epsilon(0.06));
}

TEST_CASE("size and place do not matter") {
    const TetrahedralQuality unit = *quality(fill(sphere(1), 12).mesh);
    for (const double scale : {0x1p-40, 0x1p-10, 0x1p20, 0x1p60}) {
        const TetrahedralQuality q = *quality(fill(sphere(scale), 12).mesh);
        CHECK(q.tetrahedra == unit.tetrahedra);
        CHECK(q.smallest_dihedral == Approx(unit.smallest_dihedral).epsilon(1e-6));
    }
    const Tetrahedralized far = fill(sphere(1, 24, {1000, -2000, 500}), 12);
    CHECK(check_lattice_body(far.mesh).volume == Approx(unit.volume).epsilon(0.01));
}

TEST_CASE("the same surface gives the same tetrahedra") {
    const Tetrahedralized a = fill(torus(1, 0.4), 20), b = fill(torus(1, 0.4), 20);
    CHECK(a.mesh.positions == b.mesh.positions);
    CHECK(a.mesh.tetrahedra == b.mesh.tetrahedra);
}

TEST_CASE("the bunny from the lattice") {
    const TriangleMesh bunny = read_or_nothing(PLIANT_SOURCE_DIR "/assets/bunny.obj");
    REQUIRE(bunny.positions.size() == 1839);
    const double volume = enclosed_volume(bunny), size = 9.907325;
    for (const int resolution : {10, 12, 20, 32}) {
        CAPTURE(resolution);
        const Tetrahedralized result = fill(bunny, resolution);
        const TetrahedralQuality q = check_lattice_body(result.mesh);
        CHECK(std::abs(q.volume / volume - 1) < (resolution == 32 ? 0.01 : 0.06));
        CHECK(count_pieces(result.mesh) == 1);
        CHECK(farthest_vertex(bunny, result.mesh) <= size / resolution);
        CHECK(result.warnings.empty());
    }
}

TEST_CASE("longer run: the dragon from the lattice" * doctest::skip()) {
    const TriangleMesh dragon = read_or_nothing(PLIANT_SOURCE_DIR "/build/assets/dragon.obj");
    if (dragon.triangles.empty()) {
        std::puts("no build/assets/dragon.obj (see scripts/fetch_dragon): not tested");
        return;
    }
    const double volume = enclosed_volume(dragon), size = 0.2036555;
    for (const int resolution : {20, 40, 80}) {
        CAPTURE(resolution);
        const Tetrahedralized result = fill(dragon, resolution);
        const TetrahedralQuality q = check_lattice_body(result.mesh);
        CHECK(std::abs(q.volume / volume - 1) < (resolution == 80 ? 0.01 : 0.1));
        CHECK(count_pieces(result.mesh) == 1);
        CHECK(farthest_vertex(dragon, result.mesh) <= size / resolution);
    }
}
