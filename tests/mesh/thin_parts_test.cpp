#include <doctest/doctest.h>
#include <pliant/tetrahedralize.h>

#include <initializer_list>
#include <string>
#include <utility>

#include "support/surfaces.h"
#include "support/tetrahedra.h"

using namespace pliant;
using namespace pliant::test;

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
    CHECK(farthest_vertex(refined(surface, edge / 4), result.mesh) <= edge);
    for (const std::string& warning : result.warnings) {
        CHECK(warning.find("away from the tetrahedra") == std::string::npos);
    }
}

}  // namespace

TEST_CASE("a needle is thickened, as far as it goes") {
    for (const TetrahedralizeMethod method : both) {
        for (const double edge : {0.4, 0.29, 0.2, 0.11}) check_thin(ball_with_needle(3), edge, method);
    }
}

TEST_CASE("a thin plate is thickened all over") {
    for (const TetrahedralizeMethod method : both) {
        for (const double edge : {0.5, 0.35, 0.2}) {
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
