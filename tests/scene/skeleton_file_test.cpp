// Skeletons from glTF files: joints, animations, skinned vertices, and files that are wrong.
#include <doctest/doctest.h>
#include <pliant/scene.h>

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "base/json.h"
#include "mesh/io/gltf_skin.h"
#include "support/files.h"
#include "support/simulations.h"

using namespace pliant;
using namespace pliant::test;
using mesh::GltfSkin;

namespace {

const std::string arm = std::string(PLIANT_SOURCE_DIR) + "/assets/arm.glb";

std::string base64(const std::string& bytes) {
    const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        std::uint32_t bits = 0;
        for (std::size_t k = 0; k < 3; ++k)
            bits = bits << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0u);
        for (std::size_t k = 0; k < 4; ++k)
            text += i + k > bytes.size() ? '=' : digits[bits >> (18 - 6 * k) & 63];
    }
    return text;
}

std::string bytes_of_floats(std::initializer_list<float> values) {
    std::string bytes;
    for (const float value : values) bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
    return bytes;
}

// Two joints along x, 1 m apart, below a node that is scaled by 2 and turned by 90° about z; the second turns
// by 180° about its x in a second.
std::string two_joints() {
    const std::string buffer = bytes_of_floats({0, 1, /* rotations */ 0, 0, 0, 1, 1, 0, 0, 0});
    return R"({"asset": {"version": "2.0"},
 "nodes": [{"name": "root", "children": [1], "scale": [2, 2, 2], "rotation": [0, 0, 0.70710678, 0.70710678]},
           {"name": "upper", "children": [2]}, {"name": "lower", "translation": [1, 0, 0]}],
 "skins": [{"joints": [1, 2]}],
 "animations": [{"name": "turn", "samplers": [{"input": 0, "output": 1}],
                 "channels": [{"sampler": 0, "target": {"node": 2, "path": "rotation"}}]}],
 "accessors": [{"bufferView": 0, "componentType": 5126, "count": 2, "type": "SCALAR"},
               {"bufferView": 0, "byteOffset": 8, "componentType": 5126, "count": 2, "type": "VEC4"}],
 "bufferViews": [{"buffer": 0, "byteLength": 40}],
 "buffers": [{"byteLength": 40, "uri": "data:application/octet-stream;base64,)" +
           base64(buffer) + "\"}]}";
}

void write(const std::filesystem::path& file, const std::string& text) {
    std::ofstream(file, std::ios::binary) << text;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
    const auto at = text.find(from);
    REQUIRE(at != std::string::npos);
    return text.replace(at, from.size(), to);
}

std::string error_of(const std::string& text, std::string_view animation = "") {
    const Directory folder("skins");
    const auto file = folder.path / "skin.gltf";
    write(file, text);
    const auto skin = mesh::read_gltf_skin(file, animation);
    return skin ? "" : skin.error().text();
}

}  // namespace

TEST_CASE("the skin of a .glb: joints with their parents, an animation, vertices where it begins") {
    const auto skin = mesh::read_gltf_skin(arm, "bend");
    REQUIRE_MESSAGE(skin, skin.error().text());
    REQUIRE(skin->joints.size() == 3);
    CHECK(skin->joints[2].name == "wrist");
    CHECK(skin->joints[2].parent == 1);
    CHECK(skin->joints[1].locals.size() > 5 * 60);
    CHECK(skin->vertices.size() == 57 * 24);
    for (const GltfSkin::Vertex& vertex : skin->vertices) {
        REQUIRE(vertex.position.x > -1e-6);
        REQUIRE(vertex.position.x < 0.701);
        REQUIRE(std::hypot(vertex.position.y, vertex.position.z) < 0.06);
        REQUIRE(std::abs(vertex.weights[0] + vertex.weights[1] + vertex.weights[2] + vertex.weights[3] - 1) <
                1e-12);
    }
    // 105° at 1.8 s, of which the half is the angle of the quaternion; halfway there at half of the time.
    CHECK(std::abs(skin->joints[1].locals[108].rotation.w - std::cos(105 * 3.14159265 / 360)) < 1e-6);
    CHECK(std::abs(skin->joints[1].locals[72].rotation.w - std::cos(52.5 * 3.14159265 / 360)) < 1e-6);
}

TEST_CASE("points ride on the joints of a file as its matrices say") {
    const Directory folder("skins");
    write(folder.path / "skin.gltf", two_joints());
    SceneSource source{"s.json", folder.path, {}};
    const std::string scene_text = R"({"solver": {"gravity": [0, 0, 0]},
      "skeletons": [{"name": "s", "file": "skin.gltf", "position": [10, 0, 0]}],
      "bodies": [{"name": "p", "particles": {"points": [[10.1, 1, 0], [10.5, 3, 0]]}, "contact": {"bodies": false}}],
      "attachments": [{"body": "p", "indices": [0, 1], "to_skeleton": {"skeleton": "s"}}]})";
    auto scene = parse_scene(scene_text, source);
    REQUIRE_MESSAGE(scene, scene.error().text());
    // The root is scaled and turned: "lower" is 2 m up.
    CHECK(std::abs(scene->skeletons[0].joints[2].position.y - 2) < 1e-6);
    CHECK(scene->file.skeletons[0].joints.empty());
    auto player = Player::create(std::move(*scene), on_threads(1));
    REQUIRE(player);
    for (int i = 0; i < 30; ++i) succeed(player->step());
    const Vec3 quarter = player->view().positions[1];
    CHECK(std::abs(quarter.x - 10) + std::abs(std::abs(quarter.z) - 0.5f) < 1e-3f);
    for (int i = 0; i < 30; ++i) succeed(player->step());
    const auto p = player->view().positions;
    CHECK(std::abs(p[0].x - 10.1f) + std::abs(p[0].y - 1) < 1e-3f);  // rides on the upper bone
    CHECK(std::abs(p[1].x - 9.5f) + std::abs(p[1].y - 3) + std::abs(p[1].z) < 1e-3f);
}

TEST_CASE("files of skins that are wrong are Errors with their place") {
    const std::string good = two_joints();
    CHECK(error_of(good) == "");
    const auto changed = [&](const std::string& from, const std::string& to) {
        return error_of(replaced(good, from, to));
    };
    CHECK(changed("\"2.0\"", "\"1.0\"") == "skin.gltf: /asset/version: must be 2.0, got \"1.0\"");
    CHECK(changed("\"joints\": [1, 2]", "\"joints\": [1, 7]") ==
          "skin.gltf: /skins/0/joints/1: must be an index below 3, got 7");
    CHECK(changed("\"children\": [2]", "\"children\": [0]").find("/nodes/") != std::string::npos);
    CHECK(changed("[2, 2, 2]", "[2, 1, 2]").find("/nodes/0/scale: must be above 0 and the same") !=
          std::string::npos);
    CHECK(changed("\"count\": 2, \"type\": \"VEC4\"", "\"count\": 3, \"type\": \"VEC4\"")
              .find("/accessors/1/count") != std::string::npos);
    CHECK(changed("\"type\": \"VEC4\"", "\"type\": \"VEC3\"") ==
          "skin.gltf: /accessors/1/type: must be \"VEC4\" here, got \"VEC3\"");
    CHECK(changed("\"path\": \"rotation\"", "\"path\": \"size\"")
              .find("/animations/0/channels/0/target/path") != std::string::npos);
    CHECK(changed("\"byteLength\": 40, \"uri\"", "\"byteLength\": 44, \"uri\"") ==
          "skin.gltf: /buffers/0/byteLength: says 44 bytes, but there are 40");
    CHECK(changed("base64,", "base64,!").find("is no base64") != std::string::npos);
    CHECK(error_of(good, "walk").find("there is no animation \"walk\"") != std::string::npos);
    CHECK(error_of("{\"asset\": {\"version\": \"2.0\"}}") == "skin.gltf: /skins: there is no skin");
    CHECK(error_of("{").find("skin.gltf:1:2") != std::string::npos);
}

TEST_CASE("a .glb that ends anywhere, or has any byte changed, is read or is an Error") {
    const Directory folder("skins");
    const std::string whole = content(arm);
    for (std::size_t i = 0; i < 60; ++i) {
        write(folder.path / "cut.glb", whole.substr(0, i * whole.size() / 60));
        CHECK(!mesh::read_gltf_skin(folder.path / "cut.glb", ""));
        std::string other = whole;
        other[i * 37 % 3000] = static_cast<char>(i * 11);
        write(folder.path / "other.glb", other);
        (void)mesh::read_gltf_skin(folder.path / "other.glb", "");
    }
}

TEST_CASE("a skeleton has joints or a file") {
    const auto error = [](const std::string& skeleton) {
        const auto scene = parse_scene(
            R"({"bodies": [{"particles": {"points": [[0, 0, 0]]}}], "skeletons": [)" + skeleton + "]}",
            {"s.json", PLIANT_SOURCE_DIR, {}});
        return scene ? std::string() : scene.error().text();
    };
    CHECK(error(R"({"name": "a", "file": "assets/arm.glb"})") == "");
    CHECK(error(R"({"name": "a"})").find("/skeletons/0/joints: must have at least one joint") !=
          std::string::npos);
    CHECK(
        error(R"({"name": "a", "file": "assets/arm.glb", "joints": [{"name": "b", "position": [0, 0, 0]}]})")
            .find("/skeletons/0/joints: cannot be beside \"file\"") != std::string::npos);
    CHECK(error(R"({"name": "a", "file": "assets/no.glb"})").find("/skeletons/0/file: ") !=
          std::string::npos);
    CHECK(error(R"({"name": "a", "file": "assets/arm.glb", "animation": "bent"})")
              .find("did you mean \"bend\"?") != std::string::npos);
}
