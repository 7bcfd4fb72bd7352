// What repair does, and what it leaves alone.
#include <doctest/doctest.h>
#include <pliant/mesh_report.h>
#include <pliant/shapes.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "mesh/geometry/coincident_points.h"
#include "support/meshes.h"
#include "support/random_source.h"

using namespace pliant;
using namespace pliant::test;

namespace {

bool has(const std::vector<std::string>& list, const std::string& text) {
    return std::find(list.begin(), list.end(), text) != list.end();
}

TriangleMesh cube(float size) { return *make_box_surface({size, size, size}, {1, 1, 1}); }

void turn_some(TriangleMesh& mesh, RandomSource& random) {
    for (Triangle& t : mesh.triangles) {
        if (random.chance(0.4)) std::swap(t[0], t[1]);
    }
}

}  // namespace

TEST_CASE("a good surface stays as it is, bit for bit") {
    const TriangleMesh meshes[] = {*make_icosphere(1, 5), *make_torus_surface(2, 1, 20, 10),
                                   *make_sheet(1, 1, 5, 5),
                                   // Closed surfaces may touch each other.
                                   side_by_side(cube(1), moved(cube(1), {1, 0, 0}))};
    for (const TriangleMesh& mesh : meshes) {
        const Repaired repaired = repair(mesh);
        CHECK(repaired.changes.empty());
        CHECK(repaired.problems.empty());
        CHECK(repaired.mesh.positions == mesh.positions);
        CHECK(repaired.mesh.triangles == mesh.triangles);
        CHECK(repaired.mesh.texture_coordinates == mesh.texture_coordinates);
        for (std::uint32_t v = 0; v < mesh.positions.size(); ++v) CHECK(repaired.vertex_from[v] == v);
    }
}

TEST_CASE("triangles with vertices of their own are welded to a closed surface") {
    RandomSource random(1);
    TriangleMesh soup = taken_apart(*make_torus_surface(2, 1, 30, 20));
    turn_some(soup, random);
    for (const float distance : {0.0f, 1e-3f}) {
        if (distance > 0) {
            for (Vec3& p : soup.positions) p = p + random.point_float(2e-4);
        }
        const Repaired repaired = repair(soup, {.weld_distance = distance});
        const SurfaceReport r = report(repaired.mesh);
        CHECK(r.vertices == 600);
        CHECK(r.triangles == 1200);
        CHECK(r.closed);
        CHECK(r.manifold);
        CHECK(r.oriented);
        CHECK_FALSE(r.inside_out);
        CHECK(r.volume == doctest::Approx(4 * 3.14159 * 3.14159).epsilon(0.03));
        CHECK(has(repaired.changes, "3000 vertices welded to others"));
        for (std::size_t v = 0; v < 600; ++v) {
            CHECK(repaired.mesh.positions[v] == soup.positions[repaired.vertex_from[v]]);
        }
    }
}

TEST_CASE("points are joined by steps of at most the distance, as trying all pairs says") {
    RandomSource random(9);
    for (const float distance : {0.0f, 1e-6f, 0.01f, 0.1f, 0.5f, 10.0f, INFINITY}) {
        std::vector<Vec3> points;
        for (int i = 0; i < 250; ++i) {
            points.push_back(random.chance(0.3) && i > 0 ? points[random.below(points.size())] +
                                                               random.point_float(distance < 1 ? distance : 0)
                                                         : random.point_float(1));
        }
        std::vector<std::uint32_t> expected(points.size());
        for (std::uint32_t i = 0; i < points.size(); ++i) expected[i] = i;
        // Passes the smallest number on until nothing changes.
        for (bool changed = true; changed;) {
            changed = false;
            for (std::size_t i = 0; i < points.size(); ++i) {
                for (std::size_t j = 0; j < points.size(); ++j) {
                    if (length(to_double(points[i]) - to_double(points[j])) > static_cast<double>(distance))
                        continue;
                    if (expected[j] >= expected[i]) continue;
                    expected[i] = expected[j];
                    changed = true;
                }
            }
        }
        CAPTURE(distance);
        CHECK(mesh::first_within(points, distance) == expected);
    }
    CHECK(mesh::first_at_place(std::vector<Vec3>{{0, 1, 2}, {3, 0, 0}, {-0.0f, 1, 2}}) ==
          std::vector<std::uint32_t>{0, 1, 0});
}

TEST_CASE("normals and texture coordinates come along") {
    TriangleMesh mesh = *make_sphere_surface(1, 12, 6);
    for (const Triangle& t : mesh.triangles) {
        mesh.normals.push_back({mesh.positions[t[0]], mesh.positions[t[1]], mesh.positions[t[2]]});
    }
    TriangleMesh soup = taken_apart(mesh);
    std::swap(soup.triangles[3][1], soup.triangles[3][2]);  // and its corners' attributes
    std::swap(soup.texture_coordinates[3][1], soup.texture_coordinates[3][2]);
    std::swap(soup.normals[3][1], soup.normals[3][2]);
    std::swap(soup.triangles[4][1], soup.triangles[4][2]);
    std::swap(soup.texture_coordinates[4][1], soup.texture_coordinates[4][2]);
    for (Vec3& normal : soup.normals[4]) normal = -normal;  // made from the wrong turn
    std::swap(soup.normals[4][1], soup.normals[4][2]);
    soup.triangles.insert(soup.triangles.begin(), {0, 0, 1});
    soup.normals.emplace(soup.normals.begin());
    soup.texture_coordinates.emplace(soup.texture_coordinates.begin());
    const Repaired repaired = repair(soup);
    REQUIRE(repaired.mesh.triangles.size() == mesh.triangles.size());
    CHECK(repaired.mesh.texture_coordinates == mesh.texture_coordinates);
    CHECK(repaired.mesh.normals == mesh.normals);
    CHECK(has(repaired.changes, "2 triangles turned"));
    CHECK(has(repaired.changes, "1 triangle without area dropped"));
}

TEST_CASE("an inside-out surface is turned outward, an open one by the majority") {
    RandomSource random(2);
    const Repaired box = repair(inside_out(cube(1)));
    CHECK(report(box.mesh).volume == doctest::Approx(1));
    CHECK(box.changes == std::vector<std::string>{"12 triangles turned"});

    TriangleMesh sheet = *make_sheet(1, 1, 10, 10);
    const std::vector<Triangle> before = sheet.triangles;
    for (std::size_t t = 0; t < 80; ++t)
        std::swap(sheet.triangles[(37 * t) % 200][1], sheet.triangles[(37 * t) % 200][2]);
    CHECK(repair(sheet).mesh.triangles == before);

    TriangleMesh left = inside_out(cube(1));
    CHECK(repair(left, {.orient = false}).mesh.triangles == left.triangles);
}

TEST_CASE("a cavity stays a cavity and a body in a body stays a body, also inside out") {
    const TriangleMesh outer = cube(3), inner = cube(1), innermost = cube(0.25f);
    const TriangleMesh hollow = side_by_side(side_by_side(outer, inside_out(inner)), innermost);
    const TriangleMesh filled = side_by_side(inner, outer);
    CHECK(repair(hollow).changes.empty());
    CHECK(repair(filled).changes.empty());
    CHECK(repair(inside_out(hollow)).mesh.triangles == hollow.triangles);
    CHECK(repair(inside_out(filled)).mesh.triangles == filled.triangles);
    CHECK(report(hollow).volume == doctest::Approx(27 - 1 + 0.25 * 0.25 * 0.25));

    // Side by side in a common box, but none in the other: each by itself.
    const TriangleMesh ring = *make_torus_surface(2, 0.5f, 24, 12);
    const TriangleMesh in_the_hole = side_by_side(ring, inside_out(cube(0.5f)));
    CHECK(report(repair(in_the_hole).mesh).volume > report(ring).volume);
    const TriangleMesh in_the_ring = side_by_side(ring, inside_out(moved(cube(0.3f), {2, 0, 0})));
    CHECK(repair(in_the_ring).changes.empty());
}

TEST_CASE("a Möbius strip cannot be oriented, and repair says so") {
    const TriangleMesh strip = moebius_strip(15);
    const Repaired repaired = repair(side_by_side(inside_out(cube(9)), strip));
    CHECK(repaired.problems ==
          std::vector<std::string>{"1 component is one-sided, like a Möbius strip: cannot be oriented"});
    CHECK(repaired.changes == std::vector<std::string>{"12 triangles turned"});
}

TEST_CASE("two boxes with a common edge are both turned outward") {
    TriangleMesh boxes = side_by_side(cube(1), moved(cube(1), {1, 1, 0}));
    // Weld the common edge by hand: repair welds no closed surfaces.
    for (Triangle& t : boxes.triangles) {
        for (std::uint32_t& corner : t) {
            for (std::uint32_t v = 0; v < 8; ++v) {
                if (boxes.positions[v] == boxes.positions[corner]) corner = v;
            }
        }
    }
    CHECK(report(boxes).non_manifold_edges == 1);
    const Repaired repaired = repair(inside_out(boxes));
    CHECK(enclosed_volume(repaired.mesh.positions, repaired.mesh.triangles) == doctest::Approx(2));
}

TEST_CASE("what is not valid, degenerate, double or unused goes, and is said") {
    TriangleMesh mesh = cube(1);
    mesh.positions.insert(mesh.positions.begin(), {Vec3{NAN, 0, 0}, Vec3{7, 7, 7}});
    for (Triangle& t : mesh.triangles) t = {t[0] + 2, t[1] + 2, t[2] + 2};
    const std::vector<Triangle> good = mesh.triangles;
    mesh.triangles.push_back({0, 2, 3});
    mesh.triangles.push_back({2, 3, 77});
    mesh.triangles.push_back({2, 2, 3});
    mesh.triangles.push_back({good[0][1], good[0][0], good[0][2]});
    mesh.texture_coordinates.resize(5);
    const Repaired repaired = repair(mesh);
    CHECK(repaired.changes ==
          std::vector<std::string>{"dropped normals and texture coordinates: not one for each triangle",
                                   "2 triangles dropped: a corner does not exist or is not finite",
                                   "1 triangle without area dropped",
                                   "1 triangle dropped that was there twice",
                                   "2 vertices dropped that no triangle used"});
    CHECK(repaired.mesh.triangles == cube(1).triangles);
    CHECK(repaired.vertex_from == std::vector<std::uint32_t>{2, 3, 4, 5, 6, 7, 8, 9});
    CHECK(repair({}).mesh.triangles.empty());
    CHECK(repair(cube(1), {.weld_distance = NAN}).changes.empty());
    CHECK(repair(cube(1), {.weld_distance = -1}).changes.empty());
}

TEST_CASE("a triangle without area is merged with its neighbour, and no hole opens") {
    // A box with a vertex in the middle of an edge that only one of the two triangles there uses; a flat
    // triangle fills the crack.
    TriangleMesh box = *make_box_surface({2, 2, 2}, {1, 1, 1});
    box.texture_coordinates.resize(12);
    const Triangle first = box.triangles[0];
    const Vec3 middle = (box.positions[first[0]] + box.positions[first[1]]) * 0.5f;
    box.positions.push_back(middle);
    box.triangles[0] = {first[0], 8, first[2]};
    box.triangles.push_back({8, first[1], first[2]});
    box.triangles.push_back({first[0], first[1], 8});
    box.texture_coordinates.resize(14);
    const SurfaceReport before = report(box);
    CHECK(before.closed);
    CHECK(before.degenerate_triangles == 1);
    const Repaired repaired = repair(box);
    const SurfaceReport after = report(repaired.mesh);
    CHECK(repaired.changes == std::vector<std::string>{"1 triangle without area merged with its neighbour"});
    CHECK(after.degenerate_triangles == 0);
    CHECK(after.closed);
    CHECK(after.manifold);
    CHECK(after.oriented);
    CHECK(after.volume == doctest::Approx(8));
    CHECK(after.triangles == 14);
}

TEST_CASE("along a boundary a triangle without area goes") {
    TriangleMesh mesh;
    mesh.positions = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {1, 1, 0}};
    mesh.triangles = {{0, 1, 3}, {1, 2, 3}, {0, 2, 1}};
    const Repaired repaired = repair(mesh);
    CHECK(repaired.mesh.triangles == std::vector<Triangle>{{0, 1, 3}, {1, 2, 3}});
}

TEST_CASE("whatever triangles come, repair ends, keeps its promises, and has nothing left to do") {
    RandomSource random(4);
    for (int round = 0; round < 1500; ++round) {
        CAPTURE(round);
        TriangleMesh soup = random_soup(random, random.chance(0.5));
        if (random.chance(0.3)) soup = taken_apart(random_soup(random, false));
        if (random.chance(0.3)) soup.texture_coordinates.resize(soup.triangles.size());
        const RepairOptions options{random.chance(0.5) ? 0.0f : random.real_float(0, 0.8), true};
        const Repaired once = repair(soup, options);
        const SurfaceReport r = report(once.mesh);
        CHECK(r.invalid_triangles == 0);
        CHECK(r.not_finite_vertices == 0);
        CHECK(r.unused_vertices == 0);
        CHECK(r.duplicate_triangles == 0);
        CHECK(r.attributes_fit);
        if (once.problems.empty()) {
            CHECK(r.degenerate_triangles == 0);
            CHECK(r.misoriented_edges == 0);
        }
        CHECK(once.vertex_from.size() == once.mesh.positions.size());
        const Repaired twice = repair(once.mesh, options);
        CHECK(twice.changes.empty());
        CHECK(twice.mesh.triangles == once.mesh.triangles);
        CHECK(twice.problems == once.problems);
    }
}

TEST_CASE("a turned and scattered sphere comes back outward") {
    RandomSource random(6);
    for (int round = 0; round < 20; ++round) {
        TriangleMesh sphere = *make_icosphere(1, 6);
        const double truth = report(sphere).volume;
        turn_some(sphere, random);
        for (std::size_t i = sphere.triangles.size(); i > 1; --i) {
            std::swap(sphere.triangles[i - 1], sphere.triangles[random.below(i)]);
        }
        const SurfaceReport r = report(repair(sphere).mesh);
        CHECK(r.oriented);
        CHECK(r.volume == doctest::Approx(truth).epsilon(1e-12));
    }
}
