#include <doctest/doctest.h>
#include <pliant/mesh_io.h>
#include <pliant/scene.h>
#include <pliant/shapes.h>

#include <string>

#include "support/mesh_files.h"

using namespace pliant;
using namespace pliant::test;

TEST_CASE("a mesh file's extension may be in capitals, and either file of a pair be named") {
    const TemporaryDirectory directory("scene_meshes");
    const TetrahedralMesh box = *make_box({1, 1, 1}, {1, 1, 1});
    const TriangleMesh surface = *make_box_surface({1, 1, 1}, {1, 1, 1});
    for (const char* name : {"CUBE.MSH", "a.vtu", "B.Vtu", "c.node", "D.NODE"}) {
        CHECK(write_tetrahedra(directory / name, box));
    }
    for (const char* name : {"S.OBJ", "s.Ply", "S.STL"}) CHECK(write_surface(directory / name, surface));
    for (const std::string name :
         {"CUBE.MSH", "a.vtu", "B.Vtu", "c.node", "c.ele", "D.NODE", "D.ELE", "S.OBJ", "s.Ply", "S.STL"}) {
        CAPTURE(name);
        write_text(directory / "scene.json", R"({"bodies": [{"soft": {"file": ")" + name + R"("}}]})");
        const auto scene = load_scene(directory / "scene.json");
        CHECK_MESSAGE(scene, (scene ? "" : scene.error().text()));
    }
}
