#include <doctest/doctest.h>
#include <pliant/panels.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <set>

#include "base/format.h"
#include "mesh/geometry/planar_predicates.h"
#include "mesh/panels/outline.h"
#include "support/random_source.h"
#include "support/simulations.h"

using namespace pliant;
using namespace pliant::test;

namespace {

constexpr double pi = std::numbers::pi;

Panel panel(std::string name, std::vector<Vec2> outline, Vec3 position = {}) {
    return {std::move(name), std::move(outline), position, {}};
}
std::vector<Vec2> rectangle(float width, float height) {
    return {{0, 0}, {width, 0}, {width, height}, {0, height}};
}
std::vector<Vec2> circle(double radius, int corners) {
    std::vector<Vec2> outline;
    for (int i = 0; i < corners; ++i) {
        outline.push_back({static_cast<float>(radius * std::cos(2 * pi * i / corners)),
                           static_cast<float>(radius * std::sin(2 * pi * i / corners))});
    }
    return outline;
}
// From the middle, at any angle a radius between `inner` and 1.
std::vector<Vec2> star(RandomSource& random, std::size_t corners, double inner) {
    std::vector<Vec2> outline = circle(1, static_cast<int>(corners));
    for (Vec2& p : outline) {
        const float radius = random.real_float(inner, 1);
        p = {p.x * radius, p.y * radius};
    }
    if (random.chance(0.5)) std::reverse(outline.begin(), outline.end());
    return outline;
}
double area_of(const std::vector<Vec2>& outline) {
    double twice = 0;
    for (std::size_t i = 0; i < outline.size(); ++i) {
        const Vec2 a = outline[i], b = outline[(i + 1) % outline.size()];
        twice += double(a.x) * b.y - double(a.y) * b.x;
    }
    return std::abs(twice) / 2;
}

SewnPanels sewn(const Panels& panels) {
    auto result = sew(panels);
    if (!result) FAIL(result.error().text());
    return std::move(*result);
}
std::string error_of(const Panels& panels) {
    const auto result = sew(panels);
    return result ? "" : result.error().text();
}

// How many vertices lie at a point, but for their unevenness.
std::ptrdiff_t count_at(const TriangleMesh& mesh, const Vec3& point, double edge_length) {
    return std::count_if(mesh.positions.begin(), mesh.positions.end(),
                         [&](const Vec3& p) { return distance(p, point) <= 0.00101 * edge_length; });
}

struct Quality {
    double area = 0, smallest_angle = 180, largest_angle = 0, shortest = 1e9, longest = 0;
};
Quality quality_of(const TriangleMesh& mesh) {
    Quality quality;
    for (const Triangle& t : mesh.triangles) {
        for (std::size_t k = 0; k < 3; ++k) {
            const Vec3d a = to_double(mesh.positions[t[k]]);
            const Vec3d u = to_double(mesh.positions[t[(k + 1) % 3]]) - a;
            const Vec3d v = to_double(mesh.positions[t[(k + 2) % 3]]) - a;
            const double angle = std::acos(dot(u, v) / length(u) / length(v)) * 180 / pi;
            quality.smallest_angle = std::min(quality.smallest_angle, angle);
            quality.largest_angle = std::max(quality.largest_angle, angle);
            quality.shortest = std::min(quality.shortest, length(u));
            quality.longest = std::max(quality.longest, length(u));
            if (k == 0) quality.area += cross(u, v).z / 2;
        }
    }
    return quality;
}

// Every side's two triangles: neither's circle holds the other's far corner.
bool is_delaunay(const mesh::PlanarMesh& mesh) {
    const auto neighbours = triangle_neighbours(mesh.triangles);
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        for (std::size_t k = 0; k < 3; ++k) {
            if (neighbours[t][k] == no_neighbour) continue;
            const Triangle& other = mesh.triangles[neighbours[t][k] / 3];
            const std::uint32_t far = other[(neighbours[t][k] % 3 + 2) % 3];
            const auto corner = [&](std::size_t i) { return mesh.positions[mesh.triangles[t][i]]; };
            if (mesh::in_circle(corner(0), corner(1), corner(2), mesh.positions[far]) > 0) return false;
        }
    }
    return true;
}

}  // namespace

TEST_CASE("a panel is filled with even triangles that face forward") {
    const std::pair<const char*, std::vector<Vec2>> outlines[] = {
        {"rectangle", rectangle(0.7f, 0.43f)},
        {"clockwise", {{0, 0}, {0, 0.43f}, {0.7f, 0.43f}, {0.7f, 0}}},
        {"disc", circle(0.4, 100)},
        {"L", {{0, 0}, {1, 0}, {1, 0.3f}, {0.3f, 0.3f}, {0.3f, 1}, {0, 1}}},
        {"hexagon", circle(0.5, 6)}};
    for (const auto& shape : outlines) {
        const auto& outline = shape.second;
        for (const float edge : {0.1f, 0.05f, 0.02f}) {
            CAPTURE(shape.first);
            CAPTURE(edge);
            const SewnPanels made = sewn({edge, {panel("a", outline)}, {}});
            const Quality quality = quality_of(made.mesh);
            CHECK(relative_error(quality.area, area_of(outline)) < 0.03);  // a disc's chords
            CHECK(quality.smallest_angle > 27);
            CHECK(quality.largest_angle < 115);
            CHECK(quality.shortest > 0.5 * edge);
            CHECK(quality.longest < 1.6 * edge);
            const auto loops = boundary_loops(made.mesh.triangles);
            REQUIRE(loops.size() == 1);
            CHECK(loops[0].closed);
            CHECK(made.mesh.positions.size() + made.mesh.triangles.size() ==
                  unique_edges(made.mesh.triangles).size() + 1);  // Euler: no holes
            CHECK(made.mesh.texture_coordinates.size() == made.mesh.triangles.size());
        }
    }
}

TEST_CASE("any polygon that does not cross itself is filled, as Delaunay would") {
    RandomSource random(5);
    for (int i = 0; i < 300; ++i) {
        const std::vector<Vec2> outline = star(random, 3 + random.below(40), random.real(0.05, 1));
        const mesh::Outline as_outline(outline);
        std::vector<Vec3d> polygon(as_outline.all_corners().begin(), as_outline.all_corners().end());
        if (!as_outline.is_counterclockwise()) std::reverse(polygon.begin(), polygon.end());
        if (mesh::crossing_sides(polygon)) continue;  // three corners about nothing
        const auto filled = mesh::fill_polygon(polygon, random.real(0.05, 1));
        REQUIRE(filled);
        REQUIRE(is_delaunay(*filled));
        double twice_area = 0;
        for (const auto& [a, b, c] : filled->triangles) {
            const Vec3d &p = filled->positions[a], &q = filled->positions[b], &r = filled->positions[c];
            REQUIRE(mesh::turn(p, q, r) > 0);
            twice_area += cross(q - p, r - p).z;
        }
        CHECK(relative_error(twice_area / 2, area_of(outline)) < 1e-9);
    }
}

TEST_CASE("sharp corners become vertices; the points of a curve need not") {
    const SewnPanels made = sewn({0.2f, {panel("a", {{0, 0}, {1, 0}, {1, 1}, {0.5f, 1.3f}, {0, 1}})}, {}});
    for (const Vec3& corner :
         {Vec3{0, 0, 0}, Vec3{1, 0, 0}, Vec3{1, 1, 0}, Vec3{0.5f, 1.3f, 0}, Vec3{0, 1, 0}})
        CHECK(count_at(made.mesh, corner, 0.2) == 1);

    // A circle drawn far finer than the edges wished.
    const SewnPanels disc = sewn({0.1f, {panel("a", circle(1, 4000))}, {}});
    const auto loop = boundary_loops(disc.mesh.triangles);
    REQUIRE(loop.size() == 1);
    CHECK(loop[0].vertices.size() == 63);  // 2π / 0.1
}

TEST_CASE("a seam ties as many points on one side as on the other, in order") {
    Panels panels{
        0.05f, {panel("front", rectangle(1, 0.5f)), panel("back", rectangle(1.4f, 0.5f), {0, 0, 1})}, {}};
    panels.seams = {{{"front", 0, 1, false}, {"back", 0, 1, false}}};  // 1 m and 1.4 m: gathered
    SewnPanels made = sewn(panels);
    REQUIRE(made.seams.size() == 29);  // 1.4 / 0.05 edges
    for (std::size_t i = 0; i < made.seams.size(); ++i) {
        const auto& [a, b] = made.seams[i];
        const Vec3 p = made.mesh.positions[a], q = made.mesh.positions[b];
        CHECK(std::abs(p.z) < 1e-4f);
        CHECK(std::abs(q.z - 1) < 1e-4f);
        CHECK(std::abs(p.x * 1.4 - q.x) < 1e-6);
        CHECK(p.y == 0);
    }

    // Against the order of corners: the right side of the one to the left side of the other, bottom to
    // bottom.
    panels.seams = {{{"front", 1, 2, false}, {"back", 0, 3, true}}};
    made = sewn(panels);
    REQUIRE(made.seams.size() == 11);
    for (const auto& [a, b] : made.seams) {
        CHECK(made.mesh.positions[a].x == 1);
        CHECK(made.mesh.positions[b].x == 0);
        CHECK(std::abs(made.mesh.positions[a].y - made.mesh.positions[b].y) < 1e-6f);
    }
}

TEST_CASE("a panel can be sewn to itself, and once round to another") {
    // A tube.
    Panels panels{
        0.05f, {panel("", rectangle(1, 0.5f))}, {{{"piece0", 1, 2, false}, {"piece0", 0, 3, true}}}};
    SewnPanels made = sewn(panels);
    CHECK(made.seams.size() == 11);
    for (const auto& [a, b] : made.seams)
        CHECK(made.mesh.positions[a].y == doctest::Approx(made.mesh.positions[b].y));

    // A cone: both sides start at the tip, which is not tied to itself.
    panels = {
        0.05f, {panel("", {{0, 0}, {1, 0}, {0, 1}})}, {{{"piece0", 0, 1, false}, {"piece0", 0, 2, true}}}};
    made = sewn(panels);
    CHECK(made.seams.size() == 20);
    for (const auto& [a, b] : made.seams) {
        const Vec3 p = made.mesh.positions[a], q = made.mesh.positions[b];
        CHECK(std::abs(p.x - q.y) + std::abs(p.y - q.x) < 1e-6f);
    }

    // A cushion: two discs, one of them drawn the other way round, from another corner on.
    std::vector<Vec2> mirrored = circle(0.5, 40);
    for (Vec2& p : mirrored) p.x = -p.x;
    panels = {0.05f,
              {panel("top", circle(0.5, 40)), panel("bottom", mirrored, {0, 0, 0.1f})},
              {{{"top", 0, 0, false}, {"bottom", 20, 20, true}}}};
    made = sewn(panels);
    CHECK(made.seams.size() == 63);
    std::set<std::uint32_t> ends;
    for (const auto& [a, b] : made.seams) {
        ends.insert({a, b});
        const Vec3 p = made.mesh.positions[a], q = made.mesh.positions[b];
        CHECK(std::hypot(p.x - q.x, p.y - q.y) < 1e-5f);
    }
    CHECK(ends.size() == 126);
}

TEST_CASE("sharp corners along a seam meet their like, or a point of the other side") {
    // One side has a corner at 0.5 of its length, the other at 0.51: one pair. A third corner at 0.8 is
    // alone.
    Panels panels{
        0.1f,
        {panel("a", {{0, 0}, {1, 0}, {1, 1}, {0, 1}}),
         panel("b", {{0, 0}, {1.02f, 0}, {1.02f, 0.6f}, {1.42f, 0.6f}, {1.42f, 2}, {0, 2}}, {0, 0, 1})},
        {{{"a", 0, 2, false}, {"b", 0, 3, false}}}};
    const SewnPanels made = sewn(panels);
    const auto partner = [&](const Vec3& p) {
        for (const auto& [a, b] : made.seams) {
            if (distance(made.mesh.positions[a], p) < 1e-3) return made.mesh.positions[b];
            if (distance(made.mesh.positions[b], p) < 1e-3) return made.mesh.positions[a];
        }
        return Vec3{99, 99, 99};
    };
    CHECK(distance(partner({1, 0, 0}), {1.02f, 0, 1}) < 1e-3);
    CHECK(distance(partner({1, 1, 0}), {1.42f, 0.6f, 1}) < 1e-3);
    const Vec3 alone = partner({1.02f, 0.6f, 1});
    CHECK(alone.x == 1);
    CHECK(alone.y == doctest::Approx(0.6));  // 0.6 of the way from the shared corner to the end
}

TEST_CASE("whatever is sewn, the result is whole or an error says why not") {
    RandomSource random(11);
    int whole = 0;
    for (int i = 0; i < 600; ++i) {
        Panels panels;
        panels.edge_length = static_cast<float>(random.magnitude(0.02, 3));
        const std::size_t pieces = 1 + random.below(3);
        for (std::size_t k = 0; k < pieces; ++k) {
            panels.pieces.push_back(panel("", star(random, 3 + random.below(30), random.real(0, 1))));
            if (random.chance(0.1))
                panels.pieces.back().outline[random.below(3)] = {random.real_float(-9, 9), 0};
        }
        for (std::size_t k = random.below(4); k > 0; --k) {
            const auto side = [&] {
                const std::size_t piece = random.below(pieces);
                const std::size_t corners = panels.pieces[piece].outline.size();
                return SeamSide{fmt::format("piece{}", piece), random.index(corners), random.index(corners),
                                random.chance(0.5)};
            };
            panels.seams.push_back({side(), side()});
        }
        const auto made = sew(panels);
        if (!made) {
            REQUIRE(!made.error().message.empty());
            continue;
        }
        ++whole;
        const std::size_t points = made->mesh.positions.size();
        bool good = true;
        for (const Triangle& t : made->mesh.triangles) {
            const Vec3d a = to_double(made->mesh.positions[t[0]]);
            const Vec3d b = to_double(made->mesh.positions[t[1]]), c = to_double(made->mesh.positions[t[2]]);
            good = good && cross(b - a, c - a).z > 0;
        }
        for (const auto& [a, b] : made->seams) good = good && a < b && b < points;
        REQUIRE(good);
    }
    CHECK(whole > 150);
}

TEST_CASE("panels are turned and placed") {
    Panel turned = panel("", rectangle(1, 1), {1, 2, 3});
    turned.rotation = {0, 1, 0, 0};  // half a turn about y
    const SewnPanels made = sewn({1, {turned}, {}});
    for (const Vec3& corner : {Vec3{1, 2, 3}, Vec3{0, 2, 3}, Vec3{0, 3, 3}, Vec3{1, 3, 3}})
        CHECK(count_at(made.mesh, corner, 1) == 1);
}

TEST_CASE("panels that make no sense are told") {
    const std::vector<Vec2> square = rectangle(1, 1);
    CHECK(error_of({0.1f, {}, {}}) == "pieces: must not be empty");
    CHECK(error_of({0, {panel("", square)}, {}}) == "edge_length: must be above 0 and at most 1e6, got 0");
    CHECK(error_of({std::nanf(""), {panel("", square)}, {}}) ==
          "edge_length: must be above 0 and at most 1e6, got nan");
    CHECK(error_of({0.1f, {panel("", {{0, 0}, {1, 0}})}, {}}) ==
          "pieces/0/outline: needs at least 3 corners, got 2");
    CHECK(error_of({0.1f, {panel("", {{0, 0}, {1, 0}, {1, 1}, {0, 0}})}, {}}) ==
          "pieces/0/outline/3: is the same point as corner 0; corners must differ, and the last is joined to "
          "the "
          "first by itself");
    CHECK(error_of({0.1f, {panel("", {{0, 0}, {1, 1}, {1, 0}, {0, 1}})}, {}}) ==
          "pieces/0/outline: crosses itself: the side from corner 0 to 1 meets the one from 2 to 3");
    CHECK(error_of({0.1f, {panel("", {{0, 0}, {1, 0}, {2, 0}})}, {}}).find("crosses itself") !=
          std::string::npos);
    CHECK(error_of({0.1f, {panel("", {{0, 0}, {1, 0}, {std::nanf(""), 1}})}, {}})
              .find("pieces/0/outline/2: must be") == 0);
    CHECK(
        error_of({1e-4f, {panel("", square)}, {}}) ==
        "pieces/0/outline: would have 40000 points with an edge_length of 0.0001, at most 4096 are allowed");
    CHECK(error_of({0.1f, {panel("a", square), panel("a", square)}, {}}) ==
          "pieces/1/name: \"a\" is the name of piece 0 already");
    Panel lost = panel("", square);
    lost.rotation = {0, 0, 0, 0};
    CHECK(error_of({0.1f, {lost}, {}}) == "pieces/0/rotation: must not have length 0");

    const std::vector<Panel> pieces{panel("front", square), panel("back", square)};
    CHECK(error_of({0.1f, pieces, {{{"frnt", 0, 1, false}, {"back", 0, 1, false}}}}) ==
          "seams/0/a/panel: there is no piece \"frnt\"; did you mean \"front\"?");
    CHECK(error_of({0.1f, pieces, {{{"front", 0, 1, false}, {"back", 0, 4, false}}}}) ==
          "seams/0/b/to: must be a corner below 4, got 4");
    CHECK(error_of({0.1f, pieces, {{{"front", 0, 2, false}, {"front", 1, 2, false}}}}) ==
          "seams/0/b: the side between corners 1 and 2 of \"front\" is sewn already");

    // A lens, of which coarse edges leave but a line.
    std::vector<Vec2> lens;
    for (int i = -10; i < 10; ++i)
        lens.push_back({0.1f * static_cast<float>(i), 0.001f * static_cast<float>(i * i - 100)});
    for (int i = 10; i > -10; --i)
        lens.push_back({0.1f * static_cast<float>(i), 0.001f * static_cast<float>(100 - i * i)});
    CHECK(error_of({0.1f, {panel("", lens)}, {}}).empty());
    CHECK(error_of({3, {panel("", lens)}, {}}) ==
          "pieces/0/outline: is too small or too narrow for an edge_length of 3; make that shorter");
}
