// Reports on surfaces whose faults are known.
#include <doctest/doctest.h>
#include <pliant/mesh_report.h>
#include <pliant/shapes.h>

#include <chrono>
#include <cmath>
#include <string>

#include "support/meshes.h"
#include "support/random_source.h"

using namespace pliant;
using namespace pliant::test;

namespace {

bool says(const SurfaceReport& r, const std::string& sentence) {
    return ("\n" + to_text(r)).find("\n" + sentence + "\n") != std::string::npos;
}

}  // namespace

TEST_CASE("a box is closed, manifold, oriented, and measured") {
    const SurfaceReport r = report(*make_box_surface({1, 2, 3}, {1, 1, 1}));
    CHECK(r.vertices == 8);
    CHECK(r.triangles == 12);
    CHECK(r.edges == 18);
    CHECK(r.components == 1);
    CHECK(r.closed);
    CHECK(r.manifold);
    CHECK(r.oriented);
    CHECK_FALSE(r.inside_out);
    CHECK(r.volume == doctest::Approx(6));
    CHECK(r.area == doctest::Approx(22));
    CHECK(r.low == Vec3{-0.5f, -1, -1.5f});
    CHECK(r.high == Vec3{0.5f, 1, 1.5f});
    CHECK(to_text(r) ==
          "8 vertices, 12 triangles, 18 edges, 1 component\n"
          "size 1 × 2 × 3 m, area 22 m², volume 6 m³\n"
          "closed: no boundary\n"
          "manifold: no edge has more than two triangles, no vertex more than one fan\n"
          "oriented: the triangles face outward\n"
          "no self-intersections\n");
}

TEST_CASE("the volume does not suffer far from the origin") {
    const TriangleMesh box = moved(*make_box_surface({1, 1, 1}, {2, 2, 2}), {4096, -8192, 512});
    CHECK(report(box).volume == doctest::Approx(1).epsilon(1e-9));
}

TEST_CASE("an inside-out box is said to be one") {
    const SurfaceReport r = report(inside_out(*make_box_surface({1, 1, 1}, {2, 2, 2})));
    CHECK(r.inside_out);
    CHECK(r.oriented);
    CHECK(r.volume == doctest::Approx(-1));
    CHECK(says(r, "inside out: the triangles face inward"));
}

TEST_CASE("boundaries are counted by loops and edges") {
    const SurfaceReport r = report(*make_tube(1, 2, 17, 3));
    CHECK_FALSE(r.closed);
    CHECK(r.boundary_loops == 2);
    CHECK(r.boundary_edges == 34);
    CHECK(r.volume == 0);
    CHECK(says(r, "open: 2 boundary loops (34 edges)"));
    CHECK(says(r, "oriented: neighbours face the same way"));
}

TEST_CASE("two boxes that touch in a vertex are not manifold there") {
    TriangleMesh boxes = side_by_side(*make_box_surface({1, 1, 1}, {1, 1, 1}),
                                      moved(*make_box_surface({1, 1, 1}, {1, 1, 1}), {1, 1, 1}));
    CHECK(report(boxes).non_manifold_vertices == 0);  // two vertices at one place
    CHECK(report(boxes).duplicate_vertices == 1);
    std::uint32_t ends[2] = {};
    for (std::uint32_t v = 0; v < 16; ++v) {
        if (boxes.positions[v] == Vec3{0.5f, 0.5f, 0.5f}) ends[v / 8] = v;
    }
    for (Triangle& t : boxes.triangles) {
        for (std::uint32_t& corner : t) corner = corner == ends[1] ? ends[0] : corner;
    }
    const SurfaceReport r = report(boxes);
    CHECK(r.non_manifold_vertices == 1);
    CHECK(r.non_manifold_edges == 0);
    CHECK_FALSE(r.manifold);
    CHECK(r.closed);
    CHECK(r.components == 2);
    CHECK(r.unused_vertices == 1);
    CHECK(says(r, "1 vertex joins parts that share no edge there: not manifold"));
}

TEST_CASE("three triangles on an edge are not manifold, a Möbius strip not oriented") {
    TriangleMesh book;
    book.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, -1, 0}};
    book.triangles = {{0, 1, 2}, {0, 1, 3}, {1, 0, 4}};
    const SurfaceReport r = report(book);
    CHECK(r.non_manifold_edges == 1);
    CHECK(r.non_manifold_vertices == 0);
    CHECK(r.boundary_edges == 6);
    CHECK_FALSE(r.manifold);
    CHECK(says(r, "1 edge has three triangles or more: not manifold"));

    const SurfaceReport strip = report(moebius_strip(20));
    CHECK(strip.manifold);
    CHECK_FALSE(strip.oriented);
    CHECK(strip.misoriented_edges == 1);
    CHECK(strip.boundary_loops == 1);
    CHECK(says(strip, "1 edge has triangles that face opposite ways: not oriented"));
}

TEST_CASE("self-intersections are found: of a spindle torus, of two boxes, of none") {
    CHECK(report(*make_torus_surface(1, 1.5f, 40, 20)).intersecting_pairs > 100);
    CHECK(report(*make_torus_surface(1.5f, 1, 40, 20)).intersecting_pairs == 0);
    const TriangleMesh box = *make_box_surface({1, 1, 1}, {1, 1, 1});
    CHECK(report(side_by_side(box, moved(box, {0.5f, 0.25f, 0.125f}))).intersecting_pairs > 0);
    CHECK(report(side_by_side(box, moved(box, {1.001f, 0, 0}))).intersecting_pairs == 0);
    // One inside the other: they do not meet.
    CHECK(report(side_by_side(box, *make_box_surface({0.5f, 0.5f, 0.5f}, {1, 1, 1}))).intersecting_pairs ==
          0);
    // On top of each other, shifted in the common plane.
    CHECK(report(side_by_side(box, moved(box, {0.25f, 1, 0.125f}))).intersecting_pairs > 0);
    CHECK(says(report(box), "no self-intersections"));
}

TEST_CASE("neighbours do not intersect, whether welded or not") {
    const TriangleMesh sphere = *make_icosphere(1, 8);
    CHECK(report(sphere).intersecting_pairs == 0);
    const SurfaceReport r = report(taken_apart(sphere));
    CHECK(r.intersecting_pairs == 0);
    CHECK(r.components == 20 * 64);
    CHECK(r.duplicate_vertices == 3 * 20 * 64 - sphere.positions.size());
    CHECK(report(*make_sheet(1, 1, 20, 20)).intersecting_pairs == 0);
}

TEST_CASE("bad numbers are counted and do no harm") {
    TriangleMesh mesh = *make_box_surface({1, 1, 1}, {1, 1, 1});
    mesh.positions.push_back({NAN, 0, 0});
    mesh.positions.push_back({0, INFINITY, 0});
    mesh.positions.push_back({5, 5, 5});
    mesh.triangles.push_back({0, 1, 8});
    mesh.triangles.push_back({0, 1, 99});
    mesh.triangles.push_back({0, 0xffffffff, 1});
    mesh.triangles.push_back({2, 2, 3});
    mesh.triangles.push_back(mesh.triangles[0]);
    mesh.normals.resize(3);
    const SurfaceReport r = report(mesh);
    CHECK(r.not_finite_vertices == 2);
    CHECK(r.invalid_triangles == 3);
    CHECK(r.degenerate_triangles == 1);
    CHECK(r.duplicate_triangles == 1);
    CHECK(r.unused_vertices == 3);
    CHECK_FALSE(r.attributes_fit);
    CHECK(r.high == Vec3{5, 5, 5});
    CHECK(std::isfinite(r.area));
    CHECK(says(r, "2 vertices are infinite or not numbers"));
    CHECK(says(r, "3 triangles have a corner that does not exist or is not finite"));
    CHECK(says(r, "1 triangle has no area"));
    CHECK(says(r, "1 triangle is there already"));
    CHECK(says(r, "3 vertices belong to no triangle"));

    const SurfaceReport nothing = report({});
    CHECK_FALSE(nothing.closed);
    CHECK(says(nothing, "0 vertices, 0 triangles, 0 edges, 0 components"));
    CHECK(report({{{NAN, NAN, NAN}}, {{0, 0, 0}}}).invalid_triangles == 1);
}

TEST_CASE("the report as JSON has every number") {
    const std::string text = to_json(report(*make_box_surface({1, 2, 3}, {1, 1, 1})));
    for (const char* line :
         {"\"vertices\": 8,", "\"edges\": 18,", "\"closed\": true,", "\"inside_out\": false,",
          "\"volume\": 6,", "\"area\": 22,", "\"low\": [-0.5, -1, -1.5],", "\"high\": [0.5, 1, 1.5]\n}"}) {
        CAPTURE(line);
        CHECK(text.find(line) != std::string::npos);
    }
}

TEST_CASE("longer run: the report on 70,000 triangles takes less than a second" * doctest::skip()) {
    const TriangleMesh torus = *make_torus_surface(1, 0.4f, 350, 100);
    const auto start = std::chrono::steady_clock::now();
    const SurfaceReport r = report(torus);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    CHECK(r.intersecting_pairs == 0);
    CHECK(r.closed);
    CHECK(seconds < 5);  // natively 0.2 s; sanitizers and WebAssembly take several times as long
}
