#include <doctest/doctest.h>
#include <pliant/tetrahedralize.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "mesh/geometry/triangle_tree.h"
#include "mesh/tetrahedralize/lattice.h"
#include "mesh/tetrahedralize/progress.h"
#include "mesh/tetrahedralize/solid.h"
#include "support/random_source.h"
#include "support/surfaces.h"
#include "support/tetrahedra.h"

using namespace pliant;
using namespace pliant::test;
using doctest::Approx;

namespace {

constexpr std::initializer_list<TetrahedralizeMethod> both{TetrahedralizeMethod::lattice,
                                                           TetrahedralizeMethod::delaunay};

Tetrahedralized fill(const TriangleMesh& surface, double edge, TetrahedralizeMethod method) {
    TetrahedralizeOptions options;
    options.method = method;
    options.edge_length = static_cast<float>(edge);
    auto result = tetrahedralize(surface, options);
    REQUIRE_MESSAGE(result, result.error().text());
    return std::move(*result);
}

// One piece with good angles that reaches every place of the surface.
void check_thin(const TriangleMesh& surface, double edge, TetrahedralizeMethod method) {
    CAPTURE(edge);
    CAPTURE(static_cast<int>(method));
    const Tetrahedralized result = fill(surface, edge, method);
    const TetrahedralQuality q = check_body(result.mesh);
    const bool lattice = method == TetrahedralizeMethod::lattice;
    CHECK(q.smallest_dihedral > (lattice ? 10.7 : 5));
    CHECK(q.largest_dihedral < (lattice ? 164.8 : 175));
    CHECK(count_pieces(result.mesh) == 1);
    CHECK(farthest_vertex(refined(surface, edge / 2), result.mesh) <= edge);
    for (const std::string& warning : result.warnings) {
        CHECK(warning.find("away from the tetrahedra") == std::string::npos);
    }
}

}  // namespace

TEST_CASE("a needle is thickened, as far as it goes") {
    for (const TetrahedralizeMethod method : both) {
        for (const double edge : {0.4, 0.29, 0.17}) check_thin(ball_with_needle(3), edge, method);
    }
}

TEST_CASE("a thin plate is thickened all over") {
    for (const TetrahedralizeMethod method : both) {
        for (const double edge : {0.5, 0.35}) {
            check_thin(together(sphere(1), box({-2, -2, -0.01}, {2, 2.1, 0.013})), edge, method);
        }
    }
}

TEST_CASE("a wire between two balls is thickened and joins them") {
    TriangleMesh balls = together(sphere(1), sphere(1, 24, {4.1, 0.3, 0.2}));
    balls = together(balls, box({0.5, 0.1, 0.1}, {3.6, 0.12, 0.12}));
    for (const TetrahedralizeMethod method : both) {
        for (const double edge : {0.4, 0.23}) check_thin(balls, edge, method);
    }
}

TEST_CASE("a fin folded flat is thickened, a loose triangle is reported") {
    TriangleMesh fin;
    fin.positions = {{0.5, 0, 0}, {2.5, 0.3f, 0.1f}, {2.2f, 0.9f, 0.4f}};
    fin.triangles = {{0, 1, 2}, {0, 2, 1}};
    TriangleMesh loose = fin;
    loose.triangles.pop_back();
    for (const TetrahedralizeMethod method : both) {
        check_thin(together(sphere(1), fin), 0.3, method);
        const Tetrahedralized result = fill(together(sphere(1), loose), 0.3, method);
        CHECK(std::any_of(result.warnings.begin(), result.warnings.end(), [](const std::string& warning) {
            return warning.find("away from the tetrahedra") != std::string::npos;
        }));
        CHECK(check_body(result.mesh).volume == Approx(enclosed_volume(sphere(1))).epsilon(0.05));
    }
}

TEST_CASE("the nearest lattice point, and those along triangles") {
    const mesh::Lattice lattice({0, 0, 0}, {1, 0.7, 0.5}, 0.2);
    const double spacing = lattice.spacing;
    RandomSource random(5);
    const auto random_place = [&] {
        return Vec3d{random.real(0, 1), random.real(0, 0.7), random.real(0, 0.5)};
    };
    for (int i = 0; i < 300; ++i) {
        const Vec3d p = random_place();
        const double found = length(lattice.position(lattice.nearest(p)) - p);
        CHECK(found < 0.5591 * spacing);
        for (mesh::LatticePoint q = 0; q < 2 * lattice.size(); ++q) {
            if (length(lattice.position(q) - p) < found * (1 - 1e-12)) FAIL_CHECK("there is a nearer one");
        }
    }
    for (int i = 0; i < 100; ++i) {
        TriangleMesh strip;
        for (int k = 0; k < 3; ++k) strip.positions.push_back(to_float(random_place()));
        strip.triangles = {{0, 1, 2}};
        const mesh::TriangleTree tree(strip.positions, strip.triangles);
        const std::vector<std::uint8_t> along = mesh::find_along(lattice, strip);
        std::vector<Vec3d> rest;
        for (mesh::LatticePoint q = 0; q < along.size(); ++q) {
            if (along[q] != 0) rest.push_back(lattice.position(q));
        }
        for (const Vec3d& p : rest) CHECK(tree.any_within(p, std::pow(0.5591 * spacing, 2)));
        // By edges, from the first to all others.
        std::vector<Vec3d> front{rest.back()};
        rest.pop_back();
        while (!front.empty()) {
            const Vec3d p = front.back();
            front.pop_back();
            for (std::size_t k = rest.size(); k-- > 0;) {
                if (length(rest[k] - p) > 1.01 * spacing) continue;
                front.push_back(rest[k]);
                rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(k));
            }
        }
        CHECK(rest.empty());
    }
}

TEST_CASE("clearances of lattice points are distances, and those inside are inside") {
    TriangleMesh open = sphere(1);
    std::erase_if(open.triangles, [&](const Triangle& t) { return open.positions[t[0]].z > 0.8f; });
    for (const TriangleMesh& surface :
         {torus(1, 0.4), together(sphere(1), turned(sphere(0.4))), open, box({0, 0, 0}, {2, 1, 1.3})}) {
        const mesh::Solid solid(surface);
        const mesh::Lattice lattice(solid.low(), solid.high(), 0.1);
        const double least = 0.055, most = 0.08;
        const mesh::Progress::Call nobody;
        mesh::Progress silent(nobody);
        const auto found = mesh::find_clearances(lattice, surface, solid, least, most, silent);
        for (mesh::LatticePoint q = 0; q < 2 * lattice.size(); ++q) {
            const Vec3d p = lattice.position(q);
            const double distance = std::sqrt(solid.tree().nearest(p).squared_distance);
            if (std::abs(found.distance[q] - std::min(distance, most)) > 1e-12)
                FAIL_CHECK("another distance");
            const auto at = lattice.coordinates(q / 2);
            bool in_box = true;
            for (std::size_t d = 0; d < 3; ++d)
                in_box = in_box && at[d] >= 3 && at[d] + 3 <= lattice.sites[d];
            const bool inside = in_box && distance >= least && solid.inside(p);
            if (inside != (found.occupancy.inside[q] != 0)) FAIL_CHECK("the other side");
        }
        CHECK(found.occupancy.simple);
    }
}
