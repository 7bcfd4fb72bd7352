#include "mesh/delaunay/delaunay_triangulation.h"
#include "mesh/delaunay/insertion_order.h"
#include "support/delaunay_checks.h"
#include "support/random_source.h"

#include <doctest/doctest.h>
#include <pliant/tetrahedralize.h>

#include <functional>
#include <limits>
#include <numeric>
#include <string_view>

using namespace pliant;
using mesh::DelaunayTriangulation;
using test::RandomSource;

namespace {

using Points = std::vector<Vec3d>;

Points repeat(std::size_t count, const std::function<Vec3d()>& draw) {
    Points points(count);
    std::generate(points.begin(), points.end(), draw);
    return points;
}

Points random_points(std::size_t count, RandomSource& random) {
    return repeat(count, [&] { return random.point(); });
}

// About as many, on a cubic grid.
Points grid_points(std::size_t count, double spacing) {
    const auto side = static_cast<std::size_t>(std::lround(std::cbrt(static_cast<double>(count))));
    Points points;
    for (std::size_t i = 0; i < side * side * side; ++i) {
        points.push_back(Vec3d{static_cast<double>(i % side), static_cast<double>(i / side % side),
                               static_cast<double>(i / side / side)} *
                         spacing);
    }
    return points;
}

Points planar_but_one(std::size_t count, RandomSource& random) {
    Points points = repeat(count - 1, [&] { return Vec3d{random.real(-1, 1), random.real(-1, 1), 0.25}; });
    points.insert(points.begin() + static_cast<std::ptrdiff_t>(count / 2), {0.1, 0.2, 0.7});
    return points;
}

// On the line through (1, 2, 3), exactly.
Points collinear_but_two(std::size_t count, RandomSource& random) {
    Points points = repeat(count - 2, [&] {
        return Vec3d{1, 2, 3} * static_cast<double>(random.bits() >> 24);
    });
    points.push_back({0x1p41, 0, 0});
    points.push_back({0, 0x1p41, 0});
    return points;
}

Points with_duplicates(std::size_t count, RandomSource& random) {
    Points points = random_points(std::max<std::size_t>(count / 3, 4), random);
    while (points.size() < count) points.push_back(points[random.below(points.size())]);
    return points;
}

Points clustered(std::size_t count, RandomSource& random) {
    const Points centres = random_points(5, random);
    return repeat(count, [&] { return centres[random.below(5)] + random.point(1e-7); });
}

struct PointSet {
    const char* name;
    Points points;
};

bool is_grid(const PointSet& set) { return std::string_view(set.name).starts_with("grid"); }

std::vector<PointSet> point_sets(std::size_t count) {
    RandomSource random(count);
    return {{"random", random_points(count, random)},
            {"grid", grid_points(count, 1)},
            {"grid that floating point distorts", grid_points(count, 0.1)},
            {"planar but one", planar_but_one(count, random)},
            {"collinear but two", collinear_but_two(count, random)},
            {"duplicates", with_duplicates(count, random)},
            {"clustered", clustered(count, random)}};
}

// Random coordinates have up to 53 + 13 bits in a difference; five of them and a few make 12 words.
constexpr std::size_t words = 12;

void check_delaunay(const PointSet& set) {
    CAPTURE(set.name);
    CAPTURE(set.points.size());
    const std::vector<Tetrahedron> tetrahedra = *delaunay(set.points);
    test::DelaunayChecks<words> checks(set.points, tetrahedra);
    CHECK(checks.failure() == "");
    if (set.points.size() <= 100) CHECK(checks.failure_by_force() == "");
}

// Tetrahedra as sets of points, in an order of their own.
std::vector<Tetrahedron> sorted(std::vector<Tetrahedron> tetrahedra) {
    for (Tetrahedron& t : tetrahedra) std::sort(t.begin(), t.end());
    std::sort(tetrahedra.begin(), tetrahedra.end());
    return tetrahedra;
}

template <class T>
void shuffle(std::vector<T>& list, RandomSource& random) {
    for (std::size_t i = list.size(); i > 1; --i) std::swap(list[i - 1], list[random.below(i)]);
}

}  // namespace

TEST_CASE("points that span no volume have no tetrahedra") {
    CHECK(delaunay({})->empty());
    CHECK(delaunay(Points{{1, 2, 3}})->empty());
    CHECK(delaunay(Points(20, Vec3d{1, 2, 3}))->empty());
    CHECK(delaunay(Points{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}})->empty());
    CHECK(delaunay(Points{{0, 0, 0}, {1, 1, 1}, {2, 2, 2}, {3, 3, 3}, {4, 4, 4}})->empty());
    CHECK(delaunay(Points{{0, 0, 1}, {1, 0, 1}, {0, 1, 1}, {1, 1, 1}, {3, 5, 1}, {3, 5, 1}})->empty());
}

TEST_CASE("four points make one positive tetrahedron, in either order") {
    const Points points{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (const PointSet& set :
         {PointSet{"positive", points}, PointSet{"negative", {points[1], points[0], points[2], points[3]}}}) {
        check_delaunay(set);
        CHECK(delaunay(set.points)->size() == 1);
    }
}

TEST_CASE("tetrahedra are Delaunay, fill the hull and use every point") {
    for (const std::size_t count : {5, 8, 13, 27, 64, 100, 1000}) {
        for (const PointSet& set : point_sets(count)) check_delaunay(set);
    }
}

TEST_CASE("longer run: tetrahedra of 100,000 points are Delaunay, fill the hull and use every point" *
          doctest::skip()) {
    for (const PointSet& set : point_sets(100000)) {
        if (!is_grid(set)) check_delaunay(set);
    }
}

TEST_CASE("longer run: tetrahedra of 100,000 points on a grid are Delaunay and fill it" * doctest::skip()) {
    for (const PointSet& set : point_sets(100000)) {
        if (is_grid(set)) check_delaunay(set);
    }
}

TEST_CASE("many small sets with everything degenerate are Delaunay") {
    RandomSource random(7);
    std::size_t filled = 0;
    for (int i = 0; i < 10000; ++i) {
        const std::size_t side = 2 + random.below(3), count = 4 + random.below(14);
        Points points = repeat(count, [&] {
            const auto draw = [&] { return static_cast<double>(1 + random.below(side)); };
            const double x = draw(), y = draw(), z = draw();
            return Vec3d{x, y, z};
        });
        if (random.chance(0.4)) {
            const double share = random.share();
            const auto shake = [&](double x) {
                return random.chance(share) ? std::nextafter(x, random.chance(0.5) ? 0 : 9) : x;
            };
            for (Vec3d& p : points) p = {shake(p.x), shake(p.y), shake(p.z)};
        }
        if (random.chance(0.2)) points.push_back(points[random.below(points.size())]);

        const std::vector<Tetrahedron> tetrahedra = *delaunay(points);
        if (tetrahedra.empty()) {
            // They lie in a plane indeed.
            const auto whole = test::whole_points<words>(points);
            bool flat = true;
            for (std::size_t k = 0; k < 200; ++k) {
                const auto pick = [&]() -> const auto& { return whole[random.below(whole.size())]; };
                flat = flat && test::exact_volume(pick(), pick(), pick(), pick()).sign() == 0;
            }
            CHECK(flat);
            continue;
        }
        ++filled;
        test::DelaunayChecks<words> checks(points, tetrahedra);
        std::string failure = checks.failure();
        if (failure.empty() && i % 10 == 0) failure = checks.failure_by_force();
        if (failure.empty()) continue;
        CAPTURE(i);
        FAIL_CHECK(failure);
    }
    CHECK(filled > 8000);
}

TEST_CASE("the choice among cospherical points does not depend on their order") {
    RandomSource random(8);
    for (const PointSet& set : point_sets(200)) {
        CAPTURE(set.name);
        if (std::string_view(set.name) == "duplicates") continue;
        std::vector<std::uint32_t> order(set.points.size());
        std::iota(order.begin(), order.end(), 0u);
        shuffle(order, random);
        Points shuffled;
        for (const std::uint32_t i : order) shuffled.push_back(set.points[i]);
        std::vector<Tetrahedron> tetrahedra = *delaunay(shuffled);
        for (Tetrahedron& t : tetrahedra) {
            for (std::uint32_t& vertex : t) vertex = order[vertex];
        }
        CHECK(sorted(tetrahedra) == sorted(*delaunay(set.points)));
    }
}

TEST_CASE("the size of the coordinates does not matter") {
    RandomSource random(9);
    const Points points = random_points(100, random);
    const std::vector<Tetrahedron> expected = *delaunay(points);
    for (const int exponent : {-1000, -500, -150, -20, 20, 190, 500, 1020}) {
        Points moved;
        for (const Vec3d& p : points) {
            moved.push_back(
                {std::ldexp(p.x, exponent), std::ldexp(p.y, exponent), std::ldexp(p.z, exponent)});
        }
        CHECK(*delaunay(moved) == expected);
    }
    // Of the farthest apart, the small are taken as 0.
    const double least = std::numeric_limits<double>::denorm_min();
    const Points extreme{{0, 0, 0}, {1e308, 0, 0}, {0, 1e308, 0}, {0, 0, 1e308}, {least, least, least}};
    CHECK(sorted(*delaunay(extreme)) == std::vector<Tetrahedron>{{0, 1, 2, 3}});
}

TEST_CASE("a cube's grid is filled to its known volume") {
    const Points points = grid_points(1000, 1);
    double six_volumes = 0;
    const std::vector<Tetrahedron> tetrahedra = *delaunay(points);
    for (const auto& [a, b, c, d] : tetrahedra) {
        six_volumes += dot(cross(points[b] - points[a], points[c] - points[a]), points[d] - points[a]);
    }
    CHECK(six_volumes == 6 * 9 * 9 * 9);
}

TEST_CASE("a triangulation that grows keeps its cells linked and finds points again") {
    RandomSource random(10);
    const Points points = random_points(500, random);
    // A box that the points leave.
    DelaunayTriangulation triangulation({points[0], points[1], points[2], points[3]}, {});
    for (std::size_t i = 4; i < points.size(); ++i) {
        const std::uint32_t hint = random.index(triangulation.cell_slots());
        const auto expected = static_cast<std::uint32_t>(i + 1);
        CHECK((triangulation.is_free(hint) ? triangulation.insert(points[i])
                                           : triangulation.insert(points[i], hint)) == expected);
    }
    CHECK(triangulation.vertex_count() == points.size() + 1);
    for (std::size_t i = 0; i < points.size(); ++i) {
        CHECK(triangulation.insert(points[i]) == i + 1);
        CHECK(triangulation.position(static_cast<std::uint32_t>(i + 1)) == points[i]);
    }

    std::vector<Tetrahedron> tetrahedra;
    for (std::uint32_t i = 0; i < triangulation.cell_slots(); ++i) {
        if (triangulation.is_free(i)) continue;
        const auto& cell = triangulation.cell(i);
        for (std::uint32_t f = 0; f < 4; ++f) {
            const auto& other = triangulation.cell(cell.neighbours[f] / 4);
            REQUIRE(!triangulation.is_free(cell.neighbours[f] / 4));
            CHECK(other.neighbours[cell.neighbours[f] % 4] == 4 * i + f);
            auto face = cell.vertices, other_face = other.vertices;
            face[f] = other_face[cell.neighbours[f] % 4] = 0xffffffff;
            CHECK(std::is_permutation(face.begin(), face.end(), other_face.begin()));
        }
        if (triangulation.is_ghost(cell)) continue;
        const auto& v = cell.vertices;
        tetrahedra.push_back({v[0] - 1, v[1] - 1, v[2] - 1, v[3] - 1});
        const Vec3d middle = (triangulation.position(v[0]) + triangulation.position(v[1]) +
                              triangulation.position(v[2]) + triangulation.position(v[3])) *
                             0.25;
        CHECK(triangulation.locate(middle, random.index(1)) == i);
    }
    CHECK(sorted(tetrahedra) == sorted(*delaunay(points)));
    CHECK(triangulation.is_ghost(triangulation.cell(triangulation.locate({5, 5, 5}, 0))));
}

TEST_CASE("insertion order has every point once, and neighbours follow each other even in clusters") {
    RandomSource random(11);
    const Points points = clustered(20000, random);
    std::vector<std::uint32_t> order = mesh::insertion_order(points);
    // The last round, of seven points in eight.
    std::size_t far = 0;
    for (std::size_t i = order.size() / 4; i + 1 < order.size(); ++i) {
        const Vec3d step = points[order[i + 1]] - points[order[i]];
        far += dot(step, step) > 1e-8 * 1e-8 * 16;
    }
    CHECK(far < order.size() / 20);
    std::sort(order.begin(), order.end());
    for (std::uint32_t i = 0; i < order.size(); ++i) REQUIRE(order[i] == i);
}
