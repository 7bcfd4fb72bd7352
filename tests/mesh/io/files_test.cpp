#include <doctest/doctest.h>
#include <pliant/mesh_io.h>
#include <pliant/shapes.h>

#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include "support/mesh_files.h"

using namespace pliant;
using namespace pliant::test;

namespace {

constexpr std::string_view triangle = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";

std::string read_error(const std::filesystem::path& file) {
    const auto result = read_surface(file);
    return result ? "no error" : result.error().text();
}

}  // namespace

TEST_CASE("files that cannot be read are errors that say why") {
    const TemporaryDirectory directory("unreadable");
    std::filesystem::create_directory(directory / "folder.obj");
    write_text(directory / "empty.obj", "");
    write_text(directory / "right.OBJ", triangle);
    const auto text = [&](std::string_view name, std::string_view message) {
        return (directory / name).string() + std::string(message);
    };
    CHECK(read_error(directory / "none.obj") ==
          text("none.obj", ": cannot be read: No such file or directory"));
    CHECK(read_error(directory / "folder.obj") == text("folder.obj", ": cannot be read: it is a directory"));
    CHECK(read_error(directory / "empty.obj") == text("empty.obj", ": has no faces (and 0 vertices)"));
    CHECK(read_error(directory / "right.OBJ") == "no error");
    CHECK(read_error("a.xyz") ==
          "a.xyz: the extension must be .obj, .ply or .stl for a surface, .msh, .node, .ele "
          "or .vtu for tetrahedra, got .xyz");
    CHECK(read_error("a").ends_with("got none"));
    CHECK(read_error("a.vtu").ends_with("got .vtu"));
    write_text(directory / "lonely.node", "1 3 0 0\n");
    const auto lonely = read_tetrahedra(directory / "lonely.node");
    REQUIRE_FALSE(lonely);
    CHECK(lonely.error().text() == text("lonely.ele", ": cannot be read: No such file or directory"));
}

TEST_CASE("the kind of a mesh follows from the extension") {
    CHECK(mesh_kind("a.b/c.PLY") == MeshKind::surface);
    CHECK(mesh_kind("x.ele") == MeshKind::tetrahedra);
    CHECK(mesh_kind("x.obj.gz") == MeshKind::unknown);
    CHECK(mesh_kind(".obj") == MeshKind::unknown);
}

TEST_CASE("a file that exists stays whole when writing fails, and nothing is left behind") {
    const TemporaryDirectory directory("whole");
    write_text(directory / "a.obj", triangle);
    TriangleMesh mesh = *make_sheet(1, 1, 2, 2);
    const auto write_error = [&](std::string_view name) {
        const Status status = write_surface(directory / name, mesh);
        return status ? "no error" : status.error().message;
    };
    mesh.triangles[3][1] = 9;
    CHECK(write_error("a.obj") == "element 3 of the triangles has vertex 9, but there are 9");
    mesh = *make_sheet(1, 1, 2, 2);
    mesh.positions[4].y = std::numeric_limits<float>::quiet_NaN();
    CHECK(write_error("a.obj") == "vertex 4 must be finite, got 0 nan 0");
    mesh = *make_sheet(1, 1, 2, 2);
    mesh.normals.resize(3);
    CHECK(write_error("a.obj") == "there must be normals for none or all of the 8 triangles, got 3");
    mesh.normals.clear();
    CHECK(write_error("no/such/folder/a.obj") == "cannot be written: No such file or directory");
    CHECK(write_error("a.msh").starts_with("the extension must be"));
    CHECK(read_text(directory / "a.obj") == triangle);

    std::filesystem::create_directory(directory / "folder.obj");
    CHECK(write_error("folder.obj") == "cannot be written: it exists and is not a regular file");
    CHECK(directory.files() == 2);
    CHECK(write_error("a.obj") == "no error");
    CHECK(read_text(directory / "a.obj") != triangle);
    CHECK(directory.files() == 2);

    // The second of two files cannot be written: the first does not change.
    const TetrahedralMesh box = *make_box({1, 1, 1}, {1, 1, 1});
    write_text(directory / "t.node", "old");
    std::filesystem::create_directory(directory / "t.ele");
    CHECK_FALSE(write_tetrahedra(directory / "t.node", box));
    CHECK(read_text(directory / "t.node") == "old");
    CHECK(directory.files() == 4);
    CHECK_FALSE(write_tetrahedra(directory / "empty.vtu", {}));
}

TEST_CASE("extensions are read without regard to case, and pairs of files stay together") {
    const std::string text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    for (const char* extension : {".obj", ".OBJ", ".Obj"}) {
        CHECK(parse_surface(text, extension, "test"));
        CHECK(mesh_kind(std::string("x") + extension) == MeshKind::surface);
    }
    CHECK(mesh_kind("X.VTU") == MeshKind::tetrahedra);
    CHECK(mesh_kind("x.txt") == MeshKind::unknown);
    using Files = std::vector<std::filesystem::path>;
    CHECK(mesh_files("a/x.msh") == Files{"a/x.msh"});
    CHECK(mesh_files("a/x.ele") == Files{"a/x.node", "a/x.ele"});
    CHECK(mesh_files("a/x.node") == Files{"a/x.node", "a/x.ele"});
    CHECK(mesh_files("X.ELE") == Files{"X.NODE", "X.ELE"});
    CHECK(mesh_files("x.Node") == Files{"x.Node", "x.ele"});
}

#ifdef __linux__
TEST_CASE("a full disk leaves the old file") {
    if (!std::filesystem::exists("/dev/full")) return;
    const TemporaryDirectory directory("full");
    write_text(directory / "a.ply", "old");
    // What is written beside goes to a device that is always full.
    std::filesystem::create_symlink("/dev/full", directory / "a.ply.partial");
    for (const int size : {2, 300}) {
        const Status status = write_surface(directory / "a.ply", *make_sheet(1, 1, size, size));
        REQUIRE_FALSE(status);
        CHECK(status.error().message == "cannot be written: No space left on device");
        CHECK(read_text(directory / "a.ply") == "old");
        CHECK(directory.files() == 1);
        std::filesystem::create_symlink("/dev/full", directory / "a.ply.partial");
    }
}
#endif
