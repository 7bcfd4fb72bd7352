#include <doctest/doctest.h>
#include <pliant/mesh_io.h>
#include <pliant/shapes.h>

#include <cstring>
#include <string>

#include "base/format.h"
#include "support/mesh_files.h"

using namespace pliant;
using namespace pliant::test;

namespace {

const std::vector<Triangle> first_triangle{{0, 1, 2}};

template <class T>
std::string bytes_of(T number, bool big_endian = false) {
    std::string bytes(sizeof(T), '\0');
    std::memcpy(bytes.data(), &number, sizeof(T));
    if (big_endian) bytes = {bytes.rbegin(), bytes.rend()};
    return bytes;
}

std::string binary_stl(std::string header, std::uint32_t claimed, const std::vector<float>& corners) {
    header.resize(80, ' ');
    std::string out = header + bytes_of(claimed);
    for (std::size_t i = 0; i < corners.size(); i += 9) {
        out += std::string(12, '\0');
        for (std::size_t k = 0; k < 9; ++k) out += bytes_of(corners[i + k]);
        out += std::string(2, '\0');
    }
    return out;
}

}  // namespace

TEST_CASE("OBJ: all forms of corners, continued lines, comments and other statements") {
    const auto file = surface_of(
        "# comment\r\nmtllib x.mtl\r\no thing\r\nv 0 0 0\r\nv 1 0 0 1 0.5 0.5 0.5\r\nv 1 1 \\\r\n 0 # "
        "here\r\n"
        "v 0 1 0\r\nvt 0 0\r\nvt 1\r\nvt 1 1 0\r\nvn 0 0 1\r\ns off\r\ng a b\r\nusemtl m\r\n"
        "f 1/1/1 2/2/1 3/3/1\r\nf -4/-3/-1 -2/-1/-1 \\\r\n-1/-1/-1\r\nl 1 2\r\ncurv 1 2 \\\r\nf 9 9 9\r\n",
        ".obj");
    CHECK(file.warnings.empty());
    CHECK(file.mesh.positions == std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}});
    CHECK(file.mesh.triangles == std::vector<Triangle>{{0, 1, 2}, {0, 2, 3}});
    REQUIRE(file.mesh.normals.size() == 2);
    CHECK(file.mesh.normals[1][2] == Vec3{0, 0, 1});
    REQUIRE(file.mesh.texture_coordinates.size() == 2);
    CHECK(file.mesh.texture_coordinates[0] == std::array<Vec2, 3>{{{0, 0}, {1, 0}, {1, 1}}});

    const std::string vertices = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvn 0 0 1\nvt 0 0\n";
    CHECK(surface_of(vertices + "f 1 2 3", ".obj").mesh.triangles == first_triangle);
    CHECK(surface_of(vertices + "f 1// 2// 3//", ".obj").mesh.normals.empty());
    CHECK(surface_of(vertices + "f 1//1 2//1 3//1", ".obj").mesh.normals.size() == 1);
    CHECK(surface_of(vertices + "f 1/1 2/1 3/1", ".obj").mesh.texture_coordinates.size() == 1);
    CHECK(surface_of("f 1 2 3\n" + vertices, ".obj").mesh.triangles == first_triangle);  // vertices later
    CHECK(surface_of(vertices + "f 1 2 3 4", ".obj").mesh.triangles.size() == 2);
    CHECK(surface_of("v 0 0 0\nv 4 0 0\nv 1 1 0\nv 0 4 0\nf 1 2 3 4", ".obj").mesh.triangles ==
          std::vector<Triangle>{{0, 1, 2}, {2, 3, 0}});  // concave at the third corner
}

TEST_CASE("OBJ: normals that only some faces have are dropped, and said so") {
    const auto file = surface_of("v 0 0 0\nv 1 0 0\nv 1 1 0\nvn 0 0 1\nf 1//1 2//1 3//1\nf 1 2 3\n", ".obj");
    CHECK(file.mesh.normals.empty());
    REQUIRE(file.warnings.size() == 1);
    CHECK(file.warnings[0] == "test: 1 of 2 faces have no normals: none are kept");
}

TEST_CASE("OBJ: errors name the line, what was found and what is right") {
    const std::string vertices = "v 0 0 0\nv 1 0 0\nv 1 1 0\n";
    CHECK(surface_error("", ".obj") == "test: has no faces (and 0 vertices)");
    CHECK(surface_error(vertices, ".obj") == "test: has no faces (and 3 vertices)");
    CHECK(surface_error(vertices + "f 1 2 4", ".obj") == "test:4: vertex 4 does not exist: there are 3");
    CHECK(surface_error(vertices + "\nf 1 2 0", ".obj") ==
          "test:5: vertex 0 does not exist: they count from 1, or from -1 backwards over the 3 so far");
    CHECK(surface_error(vertices + "f 1 2 -4", ".obj").starts_with("test:4: vertex -4 does not exist"));
    CHECK(surface_error(vertices + "f 1/1 2/1 3/1", ".obj") ==
          "test:4: texture coordinate 1 does not exist: there are 0");
    CHECK(surface_error(vertices + "f 1 2 99999999999999999999", ".obj").starts_with("test:4: vertex 92233"));
    CHECK(surface_error(vertices + "f 1 2", ".obj") == "test:4: a face needs at least 3 corners, got 2");
    CHECK(surface_error(vertices + "f 1 2 x", ".obj") ==
          "test:4: expected the number of a vertex, got \"x\"");
    CHECK(surface_error(vertices + "f 1 2 3/1/1/1", ".obj").starts_with("test:4: expected a blank after"));
    CHECK(surface_error("v 0 0", ".obj") == "test:1: expected a number, got the end of the file");
    CHECK(surface_error("v 0 0\n", ".obj") == "test:1: expected a number, got the end of the line");
    CHECK(surface_error("v 0 0 nan", ".obj") == "test:1: expected a finite number, got \"nan\"");
    CHECK(surface_error("v 0 1e39 0", ".obj") == "test:1: expected a finite number, got \"1e39\"");
    CHECK(surface_error("v 0 \x1b[31m 0", ".obj") == "test:1: expected a number, got \"?[31m\"");
    const std::string line(10'000'000, 'x');
    CHECK(surface_error("v " + line, ".obj") ==
          "test:1: expected a number, got \"" + std::string(40, 'x') + "…\"");
    CHECK(surface_error(line + '\n' + line + "\nf 1 2 3", ".obj") ==
          "test:3: vertex 1 does not exist: there are 0");
}

TEST_CASE("PLY: text and both byte orders, any types and order of properties") {
    const std::string header =
        "comment made by hand\nobj_info x\nelement sensor 1\nproperty list uchar double spam\nproperty short "
        "id\n"
        "element vertex 4\nproperty uchar red\nproperty double z\nproperty float x\nproperty short y\n"
        "property float nx\nproperty float ny\nproperty float nz\nproperty float s\nproperty float t\n"
        "element face 2\nproperty uchar flag\nproperty list uint short vertex_index\nproperty list uchar int "
        "other\n"
        "element edge 1\nproperty int vertex1\nend_header\n";
    const auto check = [](const MeshFile<TriangleMesh>& file) {
        CHECK(file.warnings.empty());
        CHECK(file.mesh.positions ==
              std::vector<Vec3>{{0, 0, 0.5f}, {1, 0, 0.5f}, {1, 1, 0.5f}, {0, 1, 0.5f}});
        CHECK(file.mesh.triangles == std::vector<Triangle>{{0, 1, 2}, {0, 2, 3}, {1, 2, 3}});
        REQUIRE(file.mesh.normals.size() == 3);
        CHECK(file.mesh.normals[2][0] == Vec3{0, 0, 1});
        REQUIRE(file.mesh.texture_coordinates.size() == 3);
        CHECK(file.mesh.texture_coordinates[0][1] == Vec2{0.25f, 1});
    };
    check(
        surface_of("ply\r\nformat ascii 1.0\r\n" + header +
                       "2 1.5 2.5 7\n255 0.5 0 0 0 0 1 0.25 0\n0 0.5 1 0 0 0 1 0.25 1\n"
                       "0 5e-1 1 1 0 0 1 0.25 2\n0 .5 0 1 0 0 1 0.25 3\n1 4 0 1 2 3 0\n1 3 1 2 3 2 8 9\n77\n",
                   ".ply"));
    for (const bool big : {false, true}) {
        std::string body = bytes_of<std::uint8_t>(2) + bytes_of(1.5, big) + bytes_of(2.5, big) +
                           bytes_of<std::int16_t>(7, big);
        const std::int16_t ys[] = {0, 0, 1, 1};
        const float xs[] = {0, 1, 1, 0};
        for (std::size_t i = 0; i < 4; ++i) {
            body += bytes_of<std::uint8_t>(255) + bytes_of(0.5, big) + bytes_of(xs[i], big) +
                    bytes_of(ys[i], big);
            for (const float a : {0.0f, 0.0f, 1.0f, 0.25f, static_cast<float>(i)}) body += bytes_of(a, big);
        }
        const auto indices = [&](std::vector<std::int16_t> list) {
            body += bytes_of(static_cast<std::uint32_t>(list.size()), big);
            for (const std::int16_t index : list) body += bytes_of(index, big);
        };
        body += bytes_of<std::uint8_t>(1);
        indices({0, 1, 2, 3});
        body += bytes_of<std::uint8_t>(0) + bytes_of<std::uint8_t>(1);
        indices({1, 2, 3});
        body += bytes_of<std::uint8_t>(1) + bytes_of(-5, big) + bytes_of(77, big);
        const std::string whole =
            fmt::format("ply\nformat binary_{}_endian 1.0\n", big ? "big" : "little") + header + body;
        check(surface_of(whole, ".ply"));
        // Whatever is missing at the end is missed.
        for (std::size_t size = 0; size < whole.size(); ++size) {
            CHECK(surface_error(whole.substr(0, size), ".ply") != "no error");
        }
    }
}

TEST_CASE("PLY: errors name line or byte") {
    const std::string vertex = "element vertex 3\nproperty float x\nproperty float y\nproperty float z\n";
    const std::string face = "element face 1\nproperty list uchar int vertex_indices\nend_header\n";
    const std::string text = "ply\nformat ascii 1.0\n" + vertex + face + "0 0 0\n1 0 0\n1 1 0\n";
    CHECK(surface_of(text + "3 0 1 2", ".ply").mesh.triangles == first_triangle);
    CHECK(surface_error("", ".ply") == "test:1: expected \"ply\" at the start of a PLY file");
    CHECK(surface_error(text + "3 0 1 3\n", ".ply") ==
          "test:13: vertex 3 of face 0 does not exist: there are 3, from 0");
    CHECK(surface_error(text + "3 0 1 -1\n", ".ply").starts_with("test:13: vertex -1 of face 0"));
    CHECK(surface_error(text + "2 0 1  \n", ".ply") == "test:13: face 0 needs at least 3 corners, got 2");
    CHECK(surface_error(text + "9999999999 0 1\n", ".ply").find("the length of a list must be") !=
          std::string::npos);
    CHECK(surface_error(
              "ply\nformat ascii 1.0\nelement vertex 10000000000\nproperty float x\nend_header\n0 0 0\n",
              ".ply") ==
          "test:6: 10000000000 rows of element \"vertex\" need at least 2 bytes each, but only 7 follow");
    CHECK(surface_error("ply\nformat binary_little_endian 1.0\n" + vertex + face + std::string(12, '\0'),
                        ".ply") ==
          "test: byte 169: 3 rows of element \"vertex\" need at least 12 bytes each, but only 12 follow");
    const std::string nan = bytes_of(std::numeric_limits<float>::quiet_NaN());
    CHECK(
        surface_error("ply\nformat binary_little_endian 1.0\n" + vertex + face + nan + std::string(40, '\0'),
                      ".ply") == "test: byte 173: expected a finite number, got nan");
    CHECK(surface_error("ply\nformat ascii 1.0\nelement vertex 1\nproperty quad x\n", ".ply")
              .starts_with("test:4: expected a type"));
    CHECK(surface_error("ply\nformat ascii 1.0\nelement vertex x\n", ".ply") ==
          "test:3: expected a whole number, got \"x\"");
    CHECK(surface_error("ply\nproperty float x\n", ".ply") ==
          "test:2: a property stands before the first element");
    CHECK(surface_error("ply\nelement a 1\nend_header\n", ".ply").find("names no format") !=
          std::string::npos);
    CHECK(surface_error("ply\nformat bytes 1.0\n", ".ply").starts_with("test:2: the format must be ascii"));
    CHECK(surface_error("ply\nformat ascii 1.0\n" + vertex + "end_header\n0 0 0 1 1 1 2 2 2", ".ply") ==
          "test: has no faces (and 3 vertices)");
}

TEST_CASE("STL: text and binary, corners at one place are one vertex") {
    const std::string text =
        "solid a name\n facet normal 0 0 1\n  outer loop\n   vertex 0 0 0\n   vertex 1 0 0\n   vertex 1 1 0\n"
        "  endloop\n endfacet\nFACET NORMAL nan nan nan\nOUTER LOOP\nVERTEX -0 0 0\nVERTEX 1 1 0\nVERTEX 0 1 "
        "0\n"
        "ENDLOOP\nENDFACET\nendsolid a name\nsolid b\nendsolid\n";
    const auto check = [](const TriangleMesh& mesh) {
        CHECK(mesh.positions == std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}});
        CHECK_FALSE(std::signbit(mesh.positions[0].x));
        CHECK(mesh.triangles == std::vector<Triangle>{{0, 1, 2}, {0, 2, 3}});
    };
    check(surface_of(text, ".stl").mesh);
    const std::vector<float> corners{-0.0f, 0, 0, 1, 0, 0, 1, 1, 0, 0, 0, 0, 1, 1, 0, 0, 1, 0};
    for (const char* header : {"", "solid that is binary"}) {
        const std::string binary = binary_stl(header, 2, corners);
        check(surface_of(binary, ".stl").mesh);
        for (std::size_t size = 0; size < binary.size(); ++size) {
            CHECK(surface_error(binary.substr(0, size), ".stl") != "no error");
        }
        const auto longer = surface_of(binary + std::string(3, '\0'), ".stl");
        check(longer.mesh);
        CHECK(longer.warnings.size() == 1);
    }
    for (std::size_t size = 0; size < text.find("endfacet"); ++size) {
        CHECK(surface_error(text.substr(0, size), ".stl") != "no error");
    }
    CHECK(surface_error(binary_stl("", 200'000'000, corners), ".stl") ==
          "test: byte 84: 200000000 triangles need 10000000000 bytes, got 100");
    CHECK(surface_error(binary_stl("", 1, {0, 0, 0, 1, INFINITY, 0, 0, 1, 0}), ".stl") ==
          "test: byte 120: coordinates must be finite, got 1 inf 0");
    CHECK(surface_error("solid x\nfacet normal 0 0 1\nouter loop\nvertex 0 0 a\n", ".stl") ==
          "test:4: expected a number, got \"a\"");
    CHECK(surface_error("solid x\nfacet normal 0 0 1\ninner loop\n", ".stl") ==
          "test:3: expected \"outer\", got \"inner\"");
    CHECK(surface_error("solid x\nendsolid x\n", ".stl") == "test: has no triangles");
}

TEST_CASE("surfaces come back from OBJ and PLY with the same bits") {
    const TemporaryDirectory directory("surfaces");
    RandomSource random(5);
    for (const char* name : {"a.obj", "a.ply", "A.OBJ"}) {
        for (const bool attributes : {false, true}) {
            const TriangleMesh mesh = random_surface(random, 500, 900, attributes);
            const Status status = write_surface(directory / name, mesh);
            REQUIRE(status);
            const auto file = read_surface(directory / name);
            if (!file) FAIL(file.error().text());
            CHECK(file->warnings.empty());
            CHECK(same_bits(file->mesh.positions, mesh.positions));
            CHECK(file->mesh.triangles == mesh.triangles);
            CHECK(same_bits(file->mesh.normals, mesh.normals));
            CHECK(same_bits(file->mesh.texture_coordinates, mesh.texture_coordinates));
        }
    }
    // Values that agree at each vertex are written there.
    TriangleMesh sheet = *make_sheet(1, 1, 3, 3);
    sheet.normals.assign(sheet.triangles.size(), {{{0, 1, 0}, {0, 1, 0}, {0, 1, 0}}});
    REQUIRE(write_surface(directory / "b.ply", sheet));
    CHECK(read_text(directory / "b.ply").find("property float nx") != std::string::npos);
    CHECK(same_bits(read_surface(directory / "b.ply")->mesh.normals, sheet.normals));
    CHECK(directory.files() == 4);
}

TEST_CASE("an STL file gives back the corners of the triangles, in their order") {
    const TemporaryDirectory directory("stl");
    RandomSource random(6);
    const TriangleMesh mesh = random_surface(random, 300, 500, false);
    REQUIRE(write_surface(directory / "a.stl", mesh));
    const auto file = read_surface(directory / "a.stl");
    REQUIRE(file);
    REQUIRE(file->mesh.triangles.size() == mesh.triangles.size());
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        for (std::size_t i = 0; i < 3; ++i) {
            const Vec3 a = mesh.positions[mesh.triangles[t][i]],
                       b = file->mesh.positions[file->mesh.triangles[t][i]];
            CHECK(a == b);  // −0 equals 0
        }
    }
}
