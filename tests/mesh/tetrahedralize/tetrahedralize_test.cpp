#include <doctest/doctest.h>
#include <pliant/shapes.h>
#include <pliant/tetrahedralize.h>

#include <cmath>
#include <limits>
#include <string>

#include "base/hash.h"
#include "support/surfaces.h"

using namespace pliant;
using namespace pliant::test;
using doctest::Approx;

namespace {

std::string error_of(const TriangleMesh& surface, const TetrahedralizeOptions& options = {}) {
    const auto result = tetrahedralize(surface, options);
    return result ? "" : result.error().text();
}

}  // namespace

TEST_CASE("quality of a regular tetrahedron and of a corner of a cube") {
    TetrahedralMesh mesh;
    mesh.positions = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
    mesh.tetrahedra = {{0, 1, 2, 3}};
    TetrahedralQuality q = *quality(mesh);
    CHECK(q.vertices == 4);
    CHECK(q.tetrahedra == 1);
    CHECK(q.surface_triangles == 4);
    CHECK(q.inverted == 1);
    CHECK(q.volume == Approx(-8.0 / 3));
    std::swap(mesh.tetrahedra[0][0], mesh.tetrahedra[0][1]);
    q = *quality(mesh);
    CHECK(q.inverted == 0);
    CHECK(q.volume == Approx(8.0 / 3));
    CHECK(q.smallest_dihedral == Approx(std::acos(1.0 / 3) * 180 / pi));
    CHECK(q.largest_dihedral == Approx(std::acos(1.0 / 3) * 180 / pi));
    CHECK(q.worst_radius_edge == Approx(std::sqrt(6.0) / 4));
    CHECK(q.mean_edge == Approx(std::sqrt(8.0)));

    mesh.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    mesh.tetrahedra = {{0, 1, 2, 3}};
    q = *quality(mesh);
    CHECK(q.volume == Approx(1.0 / 6));
    CHECK(q.smallest_dihedral == Approx(std::acos(1 / std::sqrt(3.0)) * 180 / pi));
    CHECK(q.largest_dihedral == Approx(90));
    CHECK(q.shortest_edge == Approx(1));
    CHECK(q.longest_edge == Approx(std::sqrt(2.0)));
    CHECK(q.worst_radius_edge == Approx(std::sqrt(3.0) / 2));
}

TEST_CASE("quality of nothing, of a flat tetrahedron, and of a box") {
    CHECK(quality({})->tetrahedra == 0);
    TetrahedralMesh flat;
    flat.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}};
    flat.tetrahedra = {{0, 1, 2, 3}};
    CHECK(quality(flat)->inverted == 1);
    CHECK(std::isinf(quality(flat)->worst_radius_edge));

    const TetrahedralQuality q = *quality(*make_box({4, 4, 4}, {4, 4, 4}));
    CHECK(q.tetrahedra == 384);
    CHECK(q.surface_triangles == 192);
    CHECK(q.volume == Approx(64));
    CHECK(q.smallest_dihedral == Approx(45));
    CHECK(q.smallest_interior_dihedral == Approx(45));
    CHECK(q.largest_dihedral == Approx(90));
}

TEST_CASE("bad surfaces and options are refused with place and value") {
    const TriangleMesh good = box({0, 0, 0}, {1, 1, 1});
    CHECK(error_of({}) == "/triangles: there are none: nothing to fill");
    TriangleMesh bad = good;
    bad.positions[3].y = std::numeric_limits<float>::infinity();
    CHECK(error_of(bad) == "/positions/3: must be finite, got (1, inf, 0)");
    bad = good;
    bad.triangles[7][1] = 8;
    CHECK(error_of(bad) == "/triangles/7: vertex 8 does not exist: there are 8");

    TetrahedralizeOptions options;
    options.edge_length = -0.5f;
    CHECK(error_of(good, options) == "/edge_length: must be > 0, or 0 to follow the resolution, got -0.5");
    options.edge_length = std::numeric_limits<float>::quiet_NaN();
    CHECK(error_of(good, options).find("/edge_length: must be > 0") == 0);
    options.edge_length = 0;
    options.resolution = 0;
    CHECK(error_of(good, options) == "/resolution: must be ≥ 1, got 0");
}

TEST_CASE("what would take too much is refused, and what it says would do does") {
    const TriangleMesh surface = box({0, 0, 0}, {1, 1, 1});
    TetrahedralizeOptions options;
    options.edge_length = 1e-4f;
    CHECK(error_of(surface, options).find("/edge_length: 0.0001 m would take") == 0);
    options.edge_length = 1e-38f;
    CHECK(error_of(surface, options).find("/edge_length: ") == 0);
    options.edge_length = 0;
    options.resolution = 2147483647;
    CHECK(error_of(surface, options).find("/resolution: 2147483647 would take") == 0);

    const TriangleMesh far = sphere(1, 12, {1e6, 0, 0});
    options.resolution = 20;
    CHECK(error_of(far, options).find("too fine for coordinates of 1e+06 m as floats") != std::string::npos);
}

// Also with other compilers and as WebAssembly. A change of the algorithms changes these numbers.
TEST_CASE("the bunny's tetrahedra are the same bits on every machine") {
    const TriangleMesh bunny = read_or_nothing(PLIANT_SOURCE_DIR "/assets/bunny.obj");
    const auto hash = [&](TetrahedralizeMethod method) {
        TetrahedralizeOptions options;
        options.method = method;
        options.resolution = 16;
        const auto result = tetrahedralize(bunny, options);
        REQUIRE(result);
        Hash sum;
        for (const Vec3& p : result->mesh.positions) {
            for (const float x : {p.x, p.y, p.z}) sum.add(x);
        }
        for (const Tetrahedron& t : result->mesh.tetrahedra) {
            for (const std::uint32_t v : t) sum.add(v);
        }
        return sum.value();
    };
    CHECK(hash(TetrahedralizeMethod::lattice) == 1001050174527801567u);
    CHECK(hash(TetrahedralizeMethod::delaunay) == 6681117416003966548u);
}

TEST_CASE("progress rises from 0 to 1, and can stop the work at any call") {
    for (const TetrahedralizeMethod method :
         {TetrahedralizeMethod::lattice, TetrahedralizeMethod::delaunay}) {
        TetrahedralizeOptions options;
        options.method = method;
        options.resolution = 8;
        int calls = 0;
        double last = 0;
        options.progress = [&](double share, std::string_view stage) {
            ++calls;
            CHECK(share >= last);
            CHECK(share <= 1);
            CHECK(!stage.empty());
            last = share;
            return true;
        };
        REQUIRE(tetrahedralize(sphere(1, 12), options));
        CHECK(calls > 4);
        CHECK(last > 0.9);
        for (int stop = 1; stop <= calls; ++stop) {
            int count = 0;
            options.progress = [&](double, std::string_view) { return ++count < stop; };
            CHECK(error_of(sphere(1, 12), options) == "stopped");
            CHECK(count == stop);
        }
    }
}
