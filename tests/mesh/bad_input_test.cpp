// Numbers that make no sense give an error that says where, or nothing; never a crash.
#include <doctest/doctest.h>
#include <pliant/embedding.h>
#include <pliant/mesh.h>
#include <pliant/mesh_report.h>
#include <pliant/panels.h>
#include <pliant/shapes.h>
#include <pliant/tetrahedralize.h>

#include <array>
#include <climits>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

using namespace pliant;

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

template <class T>
std::string error_of(const Result<T>& result) {
    return result ? "none" : result.error().text();
}

// Makers with sizes and counts, in the order of their parameters.
struct Maker {
    const char* name;
    std::vector<float> sizes;
    std::vector<int> counts;
    std::function<std::string(const std::vector<float>&, const std::vector<int>&)> error;
};

using S = const std::vector<float>&;
using C = const std::vector<int>&;

const Maker makers[] = {
    {"sheet", {1, 1}, {1, 1}, [](S s, C c) { return error_of(make_sheet(s[0], s[1], c[0], c[1])); }},
    {"tube", {1, 1}, {3, 1}, [](S s, C c) { return error_of(make_tube(s[0], s[1], c[0], c[1])); }},
    {"box surface",
     {1, 1, 1},
     {1, 1, 1},
     [](S s, C c) {
         return error_of(make_box_surface({s[0], s[1], s[2]}, {c[0], c[1], c[2]}));
     }},
    {"sphere", {1}, {3, 2}, [](S s, C c) { return error_of(make_sphere_surface(s[0], c[0], c[1])); }},
    {"icosphere", {1}, {1}, [](S s, C c) { return error_of(make_icosphere(s[0], c[0])); }},
    {"cylinder surface",
     {1, 1},
     {3, 1},
     [](S s, C c) { return error_of(make_cylinder_surface(s[0], s[1], c[0], c[1])); }},
    {"capsule surface",
     {1, 1},
     {3, 1},
     [](S s, C c) { return error_of(make_capsule_surface(s[0], s[1], c[0], c[1])); }},
    {"torus surface",
     {2, 1},
     {3, 3},
     [](S s, C c) { return error_of(make_torus_surface(s[0], s[1], c[0], c[1])); }},
    {"box",
     {1, 1, 1},
     {1, 1, 1},
     [](S s, C c) {
         return error_of(make_box({s[0], s[1], s[2]}, {c[0], c[1], c[2]}));
     }},
    {"ball", {1}, {1}, [](S s, C c) { return error_of(make_ball(s[0], c[0])); }},
    {"cylinder", {1, 1}, {1, 1}, [](S s, C c) { return error_of(make_cylinder(s[0], s[1], c[0], c[1])); }},
    {"capsule", {1, 1}, {1, 1}, [](S s, C c) { return error_of(make_capsule(s[0], s[1], c[0], c[1])); }},
    {"torus", {2, 1}, {1, 3}, [](S s, C c) { return error_of(make_torus(s[0], s[1], c[0], c[1])); }},
    {"helix", {1}, {1}, [](S s, C c) { return error_of(make_helix(s[0], 1, 2, c[0])); }},
    {"line",
     {},
     {1},
     [](S, C c) {
         return error_of(make_line({0, 0, 0}, {1, 0, 0}, c[0]));
     }},
    {"strands on a disc",
     {1, 1},
     {1, 1},
     [](S s, C c) { return error_of(make_strands_on_disc(s[0], s[1], c[0], c[1])); }},
    {"strands on a sphere",
     {1, 1},
     {1, 1},
     [](S s, C c) { return error_of(make_strands_on_sphere(s[0], s[1], c[0], c[1])); }},
};

}  // namespace

TEST_CASE("shapes: every size must be a positive number, every count large enough and not too large") {
    for (const Maker& maker : makers) {
        CAPTURE(maker.name);
        CHECK(maker.error(maker.sizes, maker.counts) == "none");
        for (std::size_t i = 0; i < maker.sizes.size(); ++i) {
            for (const float bad : {0.0f, -0.0f, -1.0f, not_a_number, infinity, -infinity, 3e38f}) {
                std::vector<float> sizes = maker.sizes;
                sizes[i] = bad;
                CAPTURE(bad);
                CHECK(maker.error(sizes, maker.counts).find("must be above 0 and at most 1e+30, got ") !=
                      std::string::npos);
            }
        }
        for (std::size_t i = 0; i < maker.counts.size(); ++i) {
            for (const int bad : {maker.counts[i] - 1, -1, INT_MIN}) {
                std::vector<int> counts = maker.counts;
                counts[i] = bad;
                CAPTURE(bad);
                CHECK(maker.error(maker.sizes, counts).find("must be ≥ ") != std::string::npos);
            }
            std::vector<int> counts = maker.counts;
            counts[i] = INT_MAX;
            CHECK(maker.error(maker.sizes, counts).find("too large") == 0);
            counts.assign(counts.size(), INT_MAX);
            CHECK(maker.error(maker.sizes, counts).find("too large") == 0);
        }
    }
}

TEST_CASE("shapes: errors name the number and the range that is right") {
    CHECK(error_of(make_box({1, 1, -1}, {1, 1, 1})) == "size/2: must be above 0 and at most 1e+30, got -1");
    CHECK(error_of(make_box({1, 1, 1}, {1, -1, 1})) == "cells/1: must be ≥ 1, got -1");
    CHECK(error_of(make_box({1, 1, 1}, {1000, 1000, 1000})) ==
          "too large: the mesh would have 6000000000 elements, at most 50000000 are allowed");
    CHECK(error_of(make_torus(1, 1, 1, 3)) == "minor_radius: must be below the major_radius, 1, got 1");
    CHECK(error_of(make_tube(1, 1, 2, 1)) == "segments: must be ≥ 3, got 2");
    CHECK(error_of(make_line({0, not_a_number, 0}, {1, 0, 0}, 3)) ==
          "from/1: must be within -1e+30 … 1e+30, got nan");
    CHECK(error_of(make_line({0, 0, 0}, {1, 0, infinity}, 3)) ==
          "to/2: must be within -1e+30 … 1e+30, got inf");
    CHECK(error_of(make_helix(1, not_a_number, 1, 3)) == "height: must be within -1e+30 … 1e+30, got nan");
    CHECK(error_of(make_helix(1, 1, infinity, 3)) == "turns: must be within -1e+06 … 1e+06, got inf");
    CHECK(error_of(make_strands_on_sphere(1, 1, 1, 1, 1.5f)) == "coverage: must be within 0 … 1, got 1.5");
    CHECK(error_of(make_strands_on_sphere(1, 1, 1, 1, not_a_number)) ==
          "coverage: must be within 0 … 1, got nan");
    CHECK(make_helix(1, 0, -3, 3));
}

TEST_CASE("delaunay: points must be finite") {
    std::vector<Vec3d> points{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0.2, 0.2, 0.2}};
    CHECK(delaunay(points)->size() == 4);
    points[3].z = std::nan("");
    CHECK(error_of(delaunay(points)) == "points/3: must be finite, got (0, 0, nan)");
    points[3].z = std::numeric_limits<double>::infinity();
    CHECK(error_of(delaunay(points)) == "points/3: must be finite, got (0, 0, inf)");
    CHECK(delaunay({})->empty());
}

TEST_CASE("quality: corners must exist and vertices be finite") {
    TetrahedralMesh mesh = *make_box({1, 1, 1}, {1, 1, 1});
    mesh.tetrahedra[2][1] = 8;
    CHECK(error_of(quality(mesh)) == "tetrahedra/2: vertex 8 does not exist: there are 8");
    mesh.tetrahedra[2][1] = 0xffffffff;
    CHECK_FALSE(quality(mesh));
    mesh = *make_box({1, 1, 1}, {1, 1, 1});
    mesh.positions[5].y = not_a_number;
    CHECK(error_of(quality(mesh)).find("positions/5: must be finite") == 0);
    CHECK(quality({})->tetrahedra == 0);
    CHECK(quality({{}, {{0, 0, 0, 0}}}).error().path == "tetrahedra/0");
}

TEST_CASE("embedding: lists of the wrong length are errors") {
    const TetrahedralMesh mesh = *make_box({1, 1, 1}, {1, 1, 1});
    Embedding embedding = *embed(std::vector<Vec3>{{0, 0, 0}, {0.1f, 0, 0}}, mesh);
    std::vector<Vec3> points(2), vertices(7);
    CHECK(embedding.apply(mesh.positions, points));
    CHECK(embedding.apply(vertices, points).error().text() == "vertices: must be 8, got 7");
    points.resize(1);
    CHECK(embedding.apply(mesh.positions, points).error().text() == "points: must be 2, got 1");
    points.resize(2);
    embedding.weights.clear();
    CHECK_FALSE(embedding.apply(mesh.positions, points));
    CHECK_FALSE(embed({}, TetrahedralMesh{}));
}

TEST_CASE("normals: lists of the wrong length and corners that do not exist are errors") {
    const TriangleMesh sheet = *make_sheet(1, 1, 2, 2);
    std::vector<Vec3> normals(8);
    CHECK(vertex_normals(sheet.positions, sheet.triangles, normals).error().text() ==
          "normals: must be 9, got 8");
    normals.resize(9);
    CHECK(vertex_normals(sheet.positions, std::vector<Triangle>{{0, 1, 2}, {0, 1, 9}}, normals)
              .error()
              .text() == "triangles/1: vertex 9 does not exist: there are 9");
    CHECK(vertex_normals({}, {}, {}));
    // What is not finite stays where it is.
    std::vector<Vec3> positions = sheet.positions;
    positions[0].x = not_a_number;
    CHECK(vertex_normals(positions, sheet.triangles, normals));
    CHECK(normals[8] == Vec3{0, 1, 0});
}

TEST_CASE("topology: any corners will do, and none") {
    const std::vector<Triangle> odd{{0xffffffff, 0, 7}, {7, 0xfffffffe, 0xffffffff}, {3, 3, 3}, {0, 7, 7}};
    CHECK(unique_edges(std::span<const Triangle>(odd)).size() > 0);
    CHECK(triangle_neighbours(odd).size() == 4);
    CHECK(connected_components(odd).of_triangle.size() == 4);
    CHECK(boundary_loops(odd).size() == 1);
    opposite_vertices(odd);
    const std::vector<Tetrahedron> strange{{0xffffffff, 0, 7, 7}, {1, 1, 1, 1}};
    CHECK(unique_edges(std::span<const Tetrahedron>(strange)).size() > 0);
    surface_triangles(strange);
    CHECK(unique_edges(std::span<const Triangle>()).empty());
    CHECK(surface_triangles({}).empty());
    CHECK(connected_components({}).count == 0);
    CHECK(boundary_loops({}).empty());
    CHECK(opposite_vertices({}).empty());
    CHECK(triangle_neighbours({}).empty());
}

TEST_CASE("report and repair: corners that do not exist, numbers that are none, odd distances") {
    TriangleMesh mesh = *make_box_surface({1, 1, 1}, {1, 1, 1});
    mesh.triangles.push_back({0, 1, 0xffffffff});
    mesh.positions.push_back({not_a_number, infinity, 0});
    mesh.triangles.push_back({0, 1, 8});
    mesh.normals.resize(3);
    const SurfaceReport r = report(mesh);
    CHECK(r.invalid_triangles == 2);
    CHECK(r.not_finite_vertices == 1);
    CHECK_FALSE(r.attributes_fit);
    for (const float distance : {0.0f, -1.0f, not_a_number, 1e-45f, 3e38f, infinity}) {
        CAPTURE(distance);
        const Repaired repaired = repair(mesh, {.weld_distance = distance});
        CHECK(repaired.mesh.triangles.size() == 12);
    }
    CHECK(report({}).triangles == 0);
    CHECK(repair({}).mesh.triangles.empty());
    mesh = {{{3e38f, 0, 0}, {-3e38f, 3e38f, 0}, {0, 0, 1e-45f}}, {{0, 1, 2}}};
    CHECK(report(mesh).degenerate_triangles == 0);
    CHECK(repair(mesh, {.weld_distance = 1e-45f}).mesh.triangles.size() == 1);
}

TEST_CASE("tetrahedralize: odd options and surfaces are errors") {
    const TriangleMesh cube = *make_box_surface({1, 1, 1}, {1, 1, 1});
    for (const auto method : {TetrahedralizeMethod::lattice, TetrahedralizeMethod::delaunay}) {
        for (const float length : {-1.0f, not_a_number, infinity, 1e-45f, 1e-10f}) {
            CAPTURE(length);
            CHECK(tetrahedralize(cube, {.method = method, .edge_length = length}).error().path ==
                  "/edge_length");
        }
        for (const int resolution : {0, -1, INT_MIN, INT_MAX}) {
            CHECK(tetrahedralize(cube, {.method = method, .resolution = resolution}).error().path ==
                  "/resolution");
        }
        for (const float size : {1e-45f, 1e-38f, 1e38f}) {
            TriangleMesh scaled = cube;
            for (Vec3& p : scaled.positions) p = p * size;
            static_cast<void>(tetrahedralize(scaled, {.method = method, .resolution = 4}));
        }
        CHECK_FALSE(tetrahedralize({}, {.method = method}));
        CHECK_FALSE(tetrahedralize({cube.positions, {{0, 1, 8}}}, {.method = method}));
        CHECK_FALSE(tetrahedralize({{{not_a_number, 0, 0}}, {{0, 0, 0}}}, {.method = method}));
    }
}

TEST_CASE("panels: numbers that are none are errors with a place") {
    const Panels good{.edge_length = 0.3f, .pieces = {{"a", {{0, 0}, {1, 0}, {0, 1}}, {}, {}}}};
    CHECK(sew(good));
    const auto path_after = [&](const std::function<void(Panels&)>& change) {
        Panels panels = good;
        change(panels);
        const auto sewn = sew(panels);
        return sewn ? std::string("none") : sewn.error().path;
    };
    for (const float bad : {0.0f, -1.0f, not_a_number, infinity}) {
        CHECK(path_after([&](Panels& p) { p.edge_length = bad; }) == "edge_length");
    }
    CHECK(path_after([](Panels& p) { p.edge_length = 1e-30f; }) == "pieces/0/outline");
    CHECK(path_after([](Panels& p) { p.pieces.clear(); }) == "pieces");
    CHECK(path_after([](Panels& p) { p.pieces[0].outline.clear(); }) == "pieces/0/outline");
    CHECK(path_after([](Panels& p) { p.pieces[0].outline[1].y = not_a_number; }) == "pieces/0/outline/1");
    CHECK(path_after([](Panels& p) { p.pieces[0].position.z = infinity; }) == "pieces/0/position");
    CHECK(path_after([](Panels& p) { p.pieces[0].position.x = not_a_number; }) == "pieces/0/position");
    CHECK(path_after([](Panels& p) { p.pieces[0].rotation = {0, 0, 0, 0}; }) == "pieces/0/rotation");
    CHECK(path_after([](Panels& p) { p.pieces[0].rotation.w = not_a_number; }) == "pieces/0/rotation");
    CHECK(path_after([](Panels& p) { p.pieces[0].rotation.w = infinity; }) == "pieces/0/rotation");
    CHECK(path_after([](Panels& p) { p.seams = {{{"a", 7, 0}, {"a", 1, 2}}}; }) == "seams/0/a/from");
    CHECK(path_after([](Panels& p) { p.seams = {{{"b", 0, 1}, {"a", 1, 2}}}; }) == "seams/0/a/panel");
}
