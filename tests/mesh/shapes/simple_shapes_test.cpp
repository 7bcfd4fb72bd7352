#include <doctest/doctest.h>
#include <pliant/mesh.h>
#include <pliant/shapes.h>

#include <algorithm>
#include <cstddef>

#include "support/meshes.h"

using namespace pliant;
using namespace pliant::test;

TEST_CASE("a box of 20³ cells has the known counts") {
    const TetrahedralMesh box = *make_box({1, 1, 1}, {20, 20, 20});
    CHECK(box.positions.size() == 9261);
    CHECK(box.tetrahedra.size() == 48000);
    CHECK(unique_edges(box.tetrahedra).size() == 59660);
    CHECK(surface_triangles(box.tetrahedra).size() == 6 * 20 * 20 * 2);
}

TEST_CASE("boxes are filled by positive tetrahedra and closed by an outward surface") {
    const std::array<int, 3> sizes[] = {{1, 1, 1}, {2, 1, 1}, {1, 3, 2}, {4, 5, 6}, {1, 1, 9}};
    for (const auto& cells : sizes) {
        CAPTURE(cells[0]);
        CAPTURE(cells[1]);
        CAPTURE(cells[2]);
        const TetrahedralMesh box = *make_box({2, 3, 0.5f}, cells);
        double volume = 0, smallest = 1e9, largest = 0;
        for (const Tetrahedron& t : box.tetrahedra) {
            const double v = test::volume(box, t);
            volume += v;
            smallest = std::min(smallest, v);
            largest = std::max(largest, v);
        }
        CHECK(smallest > 0);
        CHECK(largest == doctest::Approx(smallest).epsilon(1e-5));
        CHECK(volume == doctest::Approx(3).epsilon(1e-6));

        const std::vector<Triangle> surface = surface_triangles(box.tetrahedra);
        CHECK(enclosed_volume(box.positions, surface) == doctest::Approx(volume).epsilon(1e-9));
        CHECK(euler_characteristic(surface) == 2);
        // Closed: each edge has a triangle on either side.
        CHECK(opposite_vertices(surface).size() == unique_edges(surface).size());
    }
}

TEST_CASE("neighbouring cells of a box share whole faces") {
    const TetrahedralMesh box = *make_box({1, 1, 1}, {3, 2, 2});
    std::vector<Triangle> faces;
    for (Tetrahedron t : box.tetrahedra) {
        std::sort(t.begin(), t.end());
        faces.insert(faces.end(),
                     {{t[0], t[1], t[2]}, {t[0], t[1], t[3]}, {t[0], t[2], t[3]}, {t[1], t[2], t[3]}});
    }
    std::sort(faces.begin(), faces.end());
    std::size_t single = 0;
    for (std::size_t i = 0; i < faces.size(); ++i) {
        const auto uses = std::count(faces.begin(), faces.end(), faces[i]);
        CHECK(uses <= 2);
        single += uses == 1;
    }
    CHECK(single == 2 * 2 * (3 * 2 + 2 * 2 + 3 * 2));
}

TEST_CASE("points of a box run along x first, and its corners are exact") {
    const TetrahedralMesh box = *make_box({0.3f, 0.7f, 1.1f}, {3, 2, 4});
    CHECK(box.positions.front() == Vec3{-0.15f, -0.35f, -0.55f});
    CHECK(box.positions.back() == Vec3{0.15f, 0.35f, 0.55f});
    CHECK(box.positions[3] == Vec3{0.15f, -0.35f, -0.55f});
    CHECK(box.positions[4] == Vec3{-0.15f, 0, -0.55f});
    CHECK(box.positions[1].x == -box.positions[2].x);
}

TEST_CASE("a sheet is a disc that faces up") {
    const TriangleMesh sheet = *make_sheet(2, 3, 5, 4);
    CHECK(sheet.positions.size() == 30);
    CHECK(sheet.triangles.size() == 40);
    CHECK(euler_characteristic(sheet.triangles) == 1);
    CHECK(sheet.positions[3 * 6 + 5].x == 1);
    CHECK(sheet.positions[3 * 6 + 5].z == 0.75f);
    double area = 0;
    for (const Triangle& t : sheet.triangles) {
        const Vec3d a = to_double(sheet.positions[t[0]]);
        const Vec3d normal =
            cross(to_double(sheet.positions[t[1]]) - a, to_double(sheet.positions[t[2]]) - a);
        CHECK(normal.y > 0);
        area += normal.y / 2;
    }
    CHECK(area == doctest::Approx(6).epsilon(1e-6));
    CHECK(opposite_vertices(sheet.triangles).size() == 5 * 3 + 4 * 4 + 20);  // inner edges
}

TEST_CASE("a line runs evenly from end to end") {
    const std::vector<Vec3> line = *make_line({1, 2, 3}, {2.1f, 2, -1}, 10);
    REQUIRE(line.size() == 11);
    CHECK(line.front() == Vec3{1, 2, 3});
    CHECK(line.back() == Vec3{2.1f, 2, -1});
    CHECK(line[5].z == 1);
}
