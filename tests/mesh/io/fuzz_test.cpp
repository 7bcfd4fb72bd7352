// Damaged files: whatever is done to them, an error or a valid mesh comes out.
#include <doctest/doctest.h>
#include <pliant/mesh_io.h>
#include <pliant/shapes.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "support/mesh_files.h"

using namespace pliant;
using namespace pliant::test;

namespace {

constexpr int rounds = 2000;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// A number in the text, or four bytes of anything, becomes something that nobody expects.
void replace_number(std::string& file, RandomSource& random) {
    std::size_t from = random.below(file.size());
    while (from < file.size() && !is_digit(file[from])) ++from;
    std::size_t to = from;
    while (to < file.size() && is_digit(file[to])) ++to;
    static const std::string surprises[] = {
        "nan",        "-1",  "0",  "99999999999999999999", "1e999", "4294967295",
        "2147483648", "inf", "-0", "10000000000",          "x",     "",
        "1.5",        "7"};
    file.replace(from, to - from, surprises[random.below(std::size(surprises))]);
}

std::string damaged(std::string file, RandomSource& random) {
    for (std::size_t wounds = 1 + random.below(4); wounds > 0 && !file.empty(); --wounds) {
        const std::size_t at = random.below(file.size()), length = random.below(file.size() - at) % 200;
        switch (random.below(7)) {
            case 0:
                file[at] = static_cast<char>(file[at] ^ 1 << random.below(8));
                break;
            case 1:
                file[at] = static_cast<char>(random.bits());
                break;
            case 2:
                file.resize(at);
                break;
            case 3:
                file.erase(at, length);
                break;
            case 4:
                file.insert(random.below(file.size()), file.substr(at, length));
                break;
            case 5:
                for (std::size_t i = at; i < std::min(at + 4, file.size()); ++i) {
                    file[i] = random.chance(0.5) ? '\xff' : '\x7f';
                }
                break;
            default:
                replace_number(file, random);
        }
    }
    return file;
}

bool all_finite(std::span<const Vec3> list) {
    return std::all_of(list.begin(), list.end(), [](const Vec3& p) {
        return std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z);
    });
}

bool is_valid(const TriangleMesh& mesh) {
    for (const Triangle& t : mesh.triangles) {
        if (*std::max_element(t.begin(), t.end()) >= mesh.positions.size()) return false;
    }
    for (const auto& normals : mesh.normals) {
        if (!all_finite(normals)) return false;
    }
    return all_finite(mesh.positions) && !mesh.triangles.empty() &&
           (mesh.normals.empty() || mesh.normals.size() == mesh.triangles.size()) &&
           (mesh.texture_coordinates.empty() || mesh.texture_coordinates.size() == mesh.triangles.size());
}

bool is_valid(const TetrahedralMesh& mesh) {
    for (const Tetrahedron& t : mesh.tetrahedra) {
        if (*std::max_element(t.begin(), t.end()) >= mesh.positions.size()) return false;
    }
    return all_finite(mesh.positions) && !mesh.tetrahedra.empty();
}

template <class Mesh>
void check_outcome(const Result<MeshFile<Mesh>>& result, int& errors) {
    if (result) {
        if (!is_valid(result->mesh)) FAIL("the mesh is not valid");
    } else {
        ++errors;
        if (result.error().path.empty() || result.error().message.empty()) FAIL("the error says nothing");
        if (result.error().text().size() > 400) FAIL(result.error().text());
    }
}

void fuzz_surface(const std::string& file, std::string_view extension, std::uint64_t seed) {
    REQUIRE(parse_surface(file, extension, "whole"));
    RandomSource random(seed);
    int errors = 0;
    for (int i = 0; i < rounds; ++i) {
        check_outcome(parse_surface(damaged(file, random), extension, "damaged"), errors);
    }
    CHECK(errors > rounds / 10);  // the damage is real
    CHECK(errors < rounds);
}

void fuzz_tetrahedra(const std::string& file, std::string_view extension, std::uint64_t seed,
                     const std::string& elements = {}) {
    REQUIRE(parse_tetrahedra(file, extension, "whole", elements));
    RandomSource random(seed);
    int errors = 0;
    for (int i = 0; i < rounds; ++i) {
        const bool first = elements.empty() || random.chance(0.5);
        check_outcome(parse_tetrahedra(first ? damaged(file, random) : file, extension, "damaged",
                                       first ? elements : damaged(elements, random)),
                      errors);
    }
    CHECK(errors > rounds / 10);
    CHECK(errors < rounds);
}

TriangleMesh small_surface() {
    RandomSource random(8);
    return random_surface(random, 20, 25, true);
}

}  // namespace

TEST_CASE("damaged surfaces give an error or a valid mesh") {
    const TemporaryDirectory directory("damaged_surfaces");
    for (const char* name : {"a.obj", "a.ply", "a.stl"}) {
        CAPTURE(name);
        const std::filesystem::path file = directory / name;
        REQUIRE(write_surface(file, small_surface()));
        fuzz_surface(read_text(file), file.extension().string(), 100);
    }
}

TEST_CASE("damaged text of surfaces gives an error or a valid mesh") {
    fuzz_surface(
        "v 0 0 0\nv 1 0 0 1\nv 1 1 0 .5 .5 .5\nv 0 1 0\nv 0.5 0.5 1\nvt 0 1\nvn 0 0 1\nf 1/1/1 2/1/1 3/1/1 "
        "4/1/1\n"
        "f -1//1 2//1 \\\n3//1\nf 1 2 5 3 4\n",
        ".obj", 101);
    fuzz_surface(
        "ply\nformat ascii 1.0\nelement extra 2\nproperty list uchar float a\nelement vertex 4\nproperty "
        "double x\n"
        "property float y\nproperty float z\nproperty float s\nproperty float t\nelement face 2\n"
        "property list uchar uint vertex_indices\nproperty list uchar float texcoord\nend_header\n"
        "1 5\n0\n0 0 0 0 0\n1 0 0 1 0\n1 1 0 1 1\n0 1 0 0 1\n4 0 1 2 3 8 0 0 1 0 1 1 0 1\n3 0 1 2 6 0 0 1 0 "
        "1 1\n",
        ".ply", 102);
    fuzz_surface(
        "solid x\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 1 1 "
        "0\nendloop\nendfacet\n"
        "facet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 1 0\nvertex 0 1 "
        "0\nendloop\nendfacet\nendsolid x\n",
        ".stl", 103);
}

TEST_CASE("damaged tetrahedra give an error or a valid mesh") {
    const TemporaryDirectory directory("damaged_tetrahedra");
    const TetrahedralMesh box = *make_box({1, 1, 1}, {2, 1, 1});
    for (const char* name : {"a.msh", "a.vtu", "a.node"}) {
        CAPTURE(name);
        REQUIRE(write_tetrahedra(directory / name, box));
    }
    fuzz_tetrahedra(read_text(directory / "a.msh"), ".msh", 104);
    fuzz_tetrahedra(read_text(directory / "a.vtu"), ".vtu", 105);
    fuzz_tetrahedra(read_text(directory / "a.node"), ".node", 106, read_text(directory / "a.ele"));
}

TEST_CASE("damaged files by other programs give an error or a valid mesh") {
    const std::string data = PLIANT_SOURCE_DIR "/tests/data/";
    fuzz_tetrahedra(read_text(data + "cube_gmsh22.msh"), ".msh", 107);
    fuzz_tetrahedra(read_text(data + "cube_second_order.msh"), ".msh", 108);
    fuzz_tetrahedra(read_text(data + "cube_vtk_ascii.vtu"), ".vtu", 109);
    fuzz_tetrahedra(read_text(data + "cube_vtk_zlib.vtu"), ".vtu", 110);
    fuzz_tetrahedra(read_text(data + "cube_vtk_base64.vtu"), ".vtu", 111);
}
