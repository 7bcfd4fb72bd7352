#include <doctest/doctest.h>
#include <pliant/mesh_io.h>
#include <pliant/shapes.h>

#include <algorithm>
#include <cstring>
#include <string>

#include "base/format.h"
#include "support/mesh_files.h"

using namespace pliant;
using namespace pliant::test;

namespace {

const std::vector<Vec3> corner{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
const std::vector<Tetrahedron> one{{0, 1, 2, 3}};

void check_one(const MeshFile<TetrahedralMesh>& file) {
    CHECK(file.mesh.positions == corner);
    CHECK(file.mesh.tetrahedra == one);
}

// The mesh that all files in tests/data hold: a cube of side 1, cut by other programs.
void check_cube(const Result<MeshFile<TetrahedralMesh>>& file) {
    if (!file) FAIL(file.error().text());
    double volume = 0;
    for (const Tetrahedron& t : file->mesh.tetrahedra) {
        Vec3d p[4];
        for (std::size_t i = 0; i < 4; ++i) {
            const Vec3 q = file->mesh.positions[t[i]];
            p[i] = {q.x, q.y, q.z};
        }
        const double six = dot(cross(p[1] - p[0], p[2] - p[0]), p[3] - p[0]);
        CHECK(six > 0);
        volume += six / 6;
    }
    CHECK(volume == doctest::Approx(1).epsilon(1e-6));
    const std::vector<Triangle> surface = surface_triangles(file->mesh.tetrahedra);
    CHECK(opposite_vertices(surface).size() == unique_edges(surface).size());
}

}  // namespace

TEST_CASE("Gmsh 2.2: tags with gaps in any order, other elements left out") {
    const std::string start =
        "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n1\n3 1 \"body\"\n"
        "$EndPhysicalNames\n$Nodes\n4\n70 0 0 1\n3 1 0 0\n1000000007 0 1 0\n5 0 0 0\n$EndNodes\n";
    const auto file = tetrahedra_of(start +
                                        "$Elements\n3\n1 15 2 0 1 5\n2 2 2 0 1 5 3 70\n"
                                        "3 4 3 9 9 9 5 3 1000000007 70\n$EndElements\n",
                                    ".msh");
    CHECK(file.mesh.positions == std::vector<Vec3>{{0, 0, 1}, {1, 0, 0}, {0, 1, 0}, {0, 0, 0}});
    CHECK(file.mesh.tetrahedra == std::vector<Tetrahedron>{{3, 1, 2, 0}});
    REQUIRE(file.warnings.size() == 1);
    CHECK(file.warnings[0] ==
          "test: 2 elements that are not tetrahedra are left out (1 of type 2, 1 of type 15)");
    CHECK(tetrahedra_error(start + "$Elements\n1\n1 4 0 5 3 7 70\n$EndElements\n", ".msh") ==
          "test:17: node 7 does not exist: there are 4, 3 … 1000000007");
    CHECK(tetrahedra_error(start + "$Elements\n1\n1 2 0 5 3 70\n$EndElements\n", ".msh") ==
          "test: has no tetrahedra, but 1 of type 2");
    CHECK(tetrahedra_error(start + "$Elements\n2\n1 4 0 5 3 1000000007 70\n$EndElements\n", ".msh") ==
          "test:18: expected a whole number, got \"$EndElements\"");
    CHECK(tetrahedra_error(start + "$Elements\n10000000000\n1 4 0 5 3 1000000007 70\n", ".msh")
              .find("10000000000 elements cannot be in the") != std::string::npos);
}

TEST_CASE("Gmsh 4.1: blocks of nodes and elements, parametric nodes") {
    const std::string start =
        "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n3 4 1 9\n0 1 0 1\n9\n0 0 0\n"
        "2 1 1 2\n2\n4\n1 0 0 0.5 0.5\n0 1 0 0.5 0.25\n3 1 0 1\n1\n0 0 1\n$EndNodes\n";
    const auto file = tetrahedra_of(
        start + "$Elements\n2 2 1 2\n2 1 2 1\n1 9 2 4\n3 1 4 1\n2 9 2 4 1\n$EndElements\n", ".msh");
    check_one(file);
    CHECK(file.warnings.size() == 1);
    CHECK(tetrahedra_error(start + "$Elements\n1 2 1 2\n3 1 4 1\n2 9 2 4 1\n$EndElements\n", ".msh") ==
          "test:22: expected 2 elements, got 1");
    CHECK(tetrahedra_error("$MeshFormat\n4.1 1 8\n", ".msh").find("save it as text") != std::string::npos);
    CHECK(tetrahedra_error("$MeshFormat\n4 0 8\n", ".msh")
              .starts_with("test:2: the version must be 2.2 or 4.1"));
    CHECK(tetrahedra_error("", ".msh") == "test:1: expected \"$MeshFormat\" at the start of a Gmsh file");
    CHECK(tetrahedra_error("$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n1 10000000000 1 1\n", ".msh")
              .find("more than 4294967295") != std::string::npos);
    CHECK(tetrahedra_error("$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Foo\n1\n", ".msh") ==
          "test:5: section \"$Foo\" does not end");
    CHECK(tetrahedra_error("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n2\n1 0 0 0\n1 0 0 0\n$EndNodes\n",
                           ".msh") == "test:8: node 1 is there twice");
}

TEST_CASE("TetGen: from 0 or 1, comments, attributes and markers") {
    for (const int base : {0, 1}) {
        const std::string nodes = fmt::format(
            "# points\n\n4 3 1 1\n{} 0 0 0 7.5 1\n{} 1 0 0 7.5 1 # second\n{} 0 1 0 7 0\n{} 0 0 1 7 0\n# "
            "end\n",
            base, base + 1, base + 2, base + 3);
        const std::string elements =
            fmt::format("1 4 1\n # one\n {}  {} {} {} {}  -3\n", base, base, base + 1, base + 2, base + 3);
        check_one(tetrahedra_of(nodes, ".node", elements));
        CHECK(tetrahedra_error(nodes, ".node", fmt::format("1 4 0\n{0} {0} 1 2 9\n", base)) ==
              fmt::format("test (.ele):2: point 9 does not exist: there are 4, {} … {}", base, base + 3));
    }
    const std::string nodes = "4 3 0 0\n0 0 0 0\n1 1 0 0\n2 0 1 0\n3 0 0 1\n",
                      elements = "1 4 0\n0 0 1 2 3\n";
    CHECK(tetrahedra_error("4 2 0 0\n0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n", ".node", elements) ==
          "test:1: points must have 3 dimensions, got 2");
    CHECK(tetrahedra_error("4 3 0 0\n0 0 0 0\n1 1 0 0\n2 0 1 0\n", ".node", elements) ==
          "test:5: expected 4 points, got 3 and then the end of the file");
    CHECK(tetrahedra_error("4 3 0 0\n5 0 0 0\n1 1 0 0\n2 0 1 0\n3 0 0 1\n", ".node", elements) ==
          "test:2: the first point must be 0 or 1, got 5");
    CHECK(tetrahedra_error("4 3 0 0\n0 0 0 0\n2 1 0 0\n2 0 1 0\n3 0 0 1\n", ".node", elements) ==
          "test:3: points must be numbered one by one: expected 1, got 2");
    CHECK(tetrahedra_error("1000000000 3 0 0\n0 0 0 0\n", ".node", elements) ==
          "test:1: 1000000000 points cannot be in the 15 bytes that follow");
    CHECK(
        tetrahedra_error(nodes, ".node", "").starts_with("test (.ele):1: expected the number of tetrahedra"));
    CHECK(tetrahedra_error(nodes, ".node", "1 5 0\n0 0 1 2 3 4\n") ==
          "test (.ele):1: tetrahedra must have 4 or 10 points, got 5");
}

TEST_CASE("VTU: text, several pieces, comments, and elements inside arrays") {
    const std::string piece =
        "<Piece NumberOfPoints='4' NumberOfCells='1'><PointData><DataArray Name='p' type='Float32' "
        "format='ascii'>"
        "1 2 3 4</DataArray></PointData>\n<Points>\n<DataArray type=\"Float64\" NumberOfComponents=\"3\" "
        "format=\"ascii\"><InformationKey name='a > b'><Value>1</Value></InformationKey>\n"
        "0 0 0 1 0 0\n0 1 0 0 0 1\n</DataArray></Points><!-- < > -->\n<Cells>"
        "<DataArray type=\"Int32\" Name=\"connectivity\" format=\"ascii\">0 1 2 3</DataArray>"
        "<DataArray type=\"Int32\" Name=\"offsets\" format=\"ascii\">4</DataArray>\n"
        "<DataArray type=\"UInt8\" Name=\"types\" format=\"ascii\">10</DataArray></Cells></Piece>\n";
    const std::string head =
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"0.1\">\n"
        "<UnstructuredGrid>\n";
    const std::string tail = "</UnstructuredGrid>\n</VTKFile>\n";
    check_one(tetrahedra_of(head + piece + tail, ".vtu"));
    const auto two = tetrahedra_of(head + piece + piece + tail, ".vtu");
    CHECK(two.mesh.positions.size() == 8);
    CHECK(two.mesh.tetrahedra == std::vector<Tetrahedron>{{0, 1, 2, 3}, {4, 5, 6, 7}});

    const auto changed = [&](std::string_view from, std::string_view to) {
        std::string text = head + piece + tail;
        const std::size_t at = text.find(from);
        REQUIRE(at != std::string::npos);
        return tetrahedra_error(text.replace(at, from.size(), to), ".vtu");
    };
    CHECK(changed("0 1 2 3</", "0 1 2 4</") ==
          "test:10: point 4 of cell 0 does not exist: there are 4, from 0");
    CHECK(changed("0 0 0 1 0 0\n", "0 0 0 1 0\n") == "test:6: 4 points need 12 numbers, got 11");
    CHECK(changed("0 0 0 1 0 0\n", "0 0 0 1 x 0\n") == "test:7: expected a number, got \"x\"");
    CHECK(changed(">10<", ">12<") == "test: has no tetrahedra, but 1 of type 12");
    CHECK(changed(">4<", ">5<").starts_with("test:10: offset 0 must be within 0 … 4, got 5"));
    CHECK(changed("UnstructuredGrid", "PolyData") ==
          "test:2: the type must be UnstructuredGrid, got \"PolyData\"");
    CHECK(changed("version=\"0.1\"", "compressor=\"vtkLZ4DataCompressor\"").find("save it with zlib") !=
          std::string::npos);
    CHECK(changed("NumberOfPoints='4'", "NumberOfPoints='x'").find("NumberOfPoints must be") !=
          std::string::npos);
    CHECK(changed("\"connectivity\"", "\"other\"").find("has no array connectivity") != std::string::npos);
    CHECK(tetrahedra_error("", ".vtu").starts_with("test:1: expected <VTKFile"));
    CHECK(tetrahedra_error("<html>", ".vtu").ends_with("got <html>"));
}

TEST_CASE("inverted tetrahedra are turned, degenerate ones and lonely vertices are told of") {
    const auto file = tetrahedra_of("6 3 0 0\n0 0 0 0\n1 1 0 0\n2 0 1 0\n3 0 0 1\n4 1 1 0\n5 9 9 9\n",
                                    ".node", "3 4 0\n0 0 1 2 3\n1 0 2 1 3\n2 0 1 2 4\n");
    CHECK(file.mesh.tetrahedra == std::vector<Tetrahedron>{{0, 1, 2, 3}, {0, 2, 3, 1}, {0, 1, 2, 4}});
    CHECK(file.warnings ==
          std::vector<std::string>{"test (.ele): 1 of 3 tetrahedra were inverted and are turned",
                                   "test (.ele): 1 of 3 tetrahedra have no volume",
                                   "test (.ele): 1 vertices belong to no tetrahedron"});
}

TEST_CASE("files that Gmsh, TetGen, VTK and meshio made are read") {
    const std::filesystem::path data = PLIANT_SOURCE_DIR "/tests/data";
    for (const char* name :
         {"cube_gmsh22.msh", "cube_gmsh41.msh", "cube_tetgen.ele", "cube_tetgen.node", "cube_vtk_raw.vtu",
          "cube_vtk_base64.vtu", "cube_vtk_zlib.vtu", "cube_vtk_ascii.vtu", "cube_vtk_inline.vtu",
          "cube_vtk_big_endian.vtu", "cube_meshio_zlib.vtu"}) {
        CAPTURE(name);
        check_cube(read_tetrahedra(data / name));
    }
    const auto first = read_tetrahedra(data / "cube_gmsh41.msh"),
               second = read_tetrahedra(data / "cube_second_order.msh");
    check_cube(second);
    REQUIRE(first);
    CHECK(second->mesh.positions.size() == first->mesh.positions.size());
    CHECK(second->warnings.back().find("only the corners are kept") != std::string::npos);
}

TEST_CASE("tetrahedra come back from every format with the same bits") {
    const TemporaryDirectory directory("tetrahedra");
    RandomSource random(7);
    TetrahedralMesh mesh = *make_box({1, 2, 3}, {5, 4, 6});
    for (Vec3& p : mesh.positions) p = p + random.point_float(0.02);
    mesh.positions[0].x = -0.5f;
    mesh.positions.push_back({1e-42f, -0.0f, 3e38f});  // no tetrahedron uses it
    for (const char* name : {"a.msh", "b.node", "c.ele", "d.vtu"}) {
        CAPTURE(name);
        REQUIRE(write_tetrahedra(directory / name, mesh));
        const auto file = read_tetrahedra(directory / name);
        if (!file) FAIL(file.error().text());
        CHECK(same_bits(file->mesh.positions, mesh.positions));
        CHECK(file->mesh.tetrahedra == mesh.tetrahedra);
        CHECK(file->warnings.size() == 1);
    }
    CHECK(directory.files() == 6);
}
