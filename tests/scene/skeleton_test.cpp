// Joints that carry each other, colliders and what is attached to them.
#include <doctest/doctest.h>
#include <pliant/scene.h>

#include <cmath>
#include <string>

#include "support/simulations.h"

using namespace pliant;
using namespace pliant::test;

namespace {

Result<Scene> parsed(const std::string& text) { return parse_scene(text, {"s.json", PLIANT_SOURCE_DIR, {}}); }

Player player_of(const std::string& text) {
    auto scene = parsed(text);
    if (!scene) FAIL(scene.error().text());
    auto player = Player::create(std::move(*scene), on_threads(1));
    if (!player) FAIL(player.error().text());
    return std::move(*player);
}

// An arm along x: the upper bone from 0 to 1, the lower from 1 to 2. Within a second the upper one rises by
// 90°, and the lower one bends by 90° more.
const std::string arm = R"("skeletons": [{"name": "arm", "joints": [
    {"name": "shoulder", "position": [0, 0, 0], "motion": [{"time": 1, "rotation": [0, 0, 90]}]},
    {"name": "elbow", "parent": "shoulder", "position": [1, 0, 0], "motion": [{"time": 1, "rotation": [0, 0, 90]}]}
]}])";

std::string scene_with(const std::string& bodies, const std::string& rest) {
    return R"({"solver": {"time_step": 0.1, "gravity": [0, 0, 0]}, "bodies": [)" + bodies + "], " + arm +
           ", " + rest + "}";
}

// Points at x on the arm, 10 cm above it.
std::string points_at(std::initializer_list<double> along) {
    std::string list;
    for (const double x : along) list += (list.empty() ? "[" : ", [") + std::to_string(x) + ", 0.1, 0]";
    return R"({"name": "p", "particles": {"points": [)" + list + "]}, \"contact\": {\"bodies\": false}}";
}

bool is_near(const Vec3& p, const Vec3d& expected, double within = 1e-5) {
    return length(to_double(p) - expected) < within;
}

std::string error_of(const std::string& text) {
    const auto scene = parsed(text);
    return scene ? "" : scene.error().text();
}

}  // namespace

TEST_CASE("points ride on the bone that is nearest, which its parents carry") {
    Player player = player_of(scene_with(
        points_at({0.5, 1.5, 2.5}),
        R"("attachments": [{"body": "p", "indices": [0, 1, 2], "to_skeleton": {"skeleton": "arm"}}])"));
    for (int i = 0; i < 10; ++i) succeed(player.step());
    const auto p = player.view().positions;
    CHECK(is_near(p[0], {-0.1, 0.5, 0}));
    CHECK(is_near(p[1], {-0.5, 0.9, 0}));
    CHECK(is_near(p[2], {-1.5, 0.9, 0}));
    for (int i = 0; i < 5; ++i) succeed(player.step());
    CHECK(is_near(player.view().positions[1], {-0.5, 0.9, 0}));  // the last keyframe holds
}

TEST_CASE("a point between two bones moves in between, by their distances and the blend") {
    // At the elbow both bones are as near: half of where each takes it.
    Player player = player_of(scene_with(
        points_at({1, 1.2, 1.2}),
        R"("attachments": [{"body": "p", "indices": [0, 1], "to_skeleton": {"skeleton": "arm", "blend": 0.5}},
                           {"body": "p", "indices": [2], "to_skeleton": {"skeleton": "arm", "blend": 0.01}}])"));
    for (int i = 0; i < 10; ++i) succeed(player.step());
    const auto p = player.view().positions;
    CHECK(is_near(p[0], {-0.05, 0.95, 0}));
    // 10 cm above the lower bone, and √(0.2² + 0.1²) m from the end of the upper one.
    const double apart = std::sqrt(0.05) - 0.1, share = (1 - apart / 0.5) * (1 - apart / 0.5);
    const Vec3d by_upper{-0.1, 1.2, 0}, by_lower{-0.2, 0.9, 0};
    CHECK(is_near(p[1], (by_lower + by_upper * share) * (1 / (1 + share))));
    CHECK(is_near(p[2], by_lower));
}

TEST_CASE("a joint carries colliders, and they carry what is tied to them") {
    Player player =
        player_of(scene_with(points_at({1.5}),
                             R"("colliders": [{"capsule": {"a": [1, 0, 0], "b": [2, 0, 0], "radius": 0.05},
            "on_joint": {"skeleton": "arm", "joint": "elbow"}}],
           "attachments": [{"body": "p", "indices": [0], "to_collider": 0}])"));
    for (int i = 0; i < 10; ++i) succeed(player.step());
    const auto& capsule = std::get<Capsule>(player.view().colliders[0].shape);
    CHECK(length(capsule.a - Vec3d{0, 1, 0}) < 1e-6);
    CHECK(length(capsule.b - Vec3d{-1, 1, 0}) < 1e-6);
    CHECK(is_near(player.view().positions[0], {-0.5, 0.9, 0}));
}

TEST_CASE("hair on a skeleton turns with its joint, roots and directions") {
    Player player = player_of(scene_with(
        R"({"name": "hair", "hair": {"disc": {"radius": 0.02}, "strands": 12, "points": 6, "length": 0.1, "bending": 1},
            "position": [1.8, 0.05, 0]})",
        R"("attachments": [{"body": "hair", "roots": {}, "to_skeleton": {"skeleton": "arm"}}])"));
    for (int i = 0; i < 60; ++i) succeed(player.step());
    // Half a turn about z in all, and the elbow is at (0, 1, 0).
    const auto p = player.view().positions;
    const auto start =
        player_of(R"({"bodies": [{"hair": {"disc": {"radius": 0.02}, "strands": 12, "points": 6,
        "length": 0.1, "bending": 1}, "position": [1.8, 0.05, 0]}]})");
    for (std::size_t i = 0; i < p.size(); ++i) {
        const Vec3d from = to_double(start.view().positions[i]) - Vec3d{1, 0, 0};
        CHECK(is_near(p[i], {-from.x, 1 - from.y, from.z}, 1e-3));
    }
}

TEST_CASE("bad skeletons are errors that name the place") {
    const std::string body = points_at({0.5});
    const auto says = [](const std::string& error, std::string_view part) {
        CAPTURE(error);
        CHECK(error.find(part) != std::string::npos);
    };
    const auto joints = [&](const std::string& list) {
        return error_of(R"({"bodies": [)" + body + R"(], "skeletons": [{"name": "s", "joints": )" + list +
                        "}]}");
    };
    says(joints("[]"), "/skeletons/0/joints: must have at least one joint");
    says(joints(R"([{"name": "", "position": [0, 0, 0]}])"), "/skeletons/0/joints/0/name: must not be empty");
    says(joints(R"([{"name": "a", "position": [0, 0, 0]}, {"name": "a", "position": [1, 0, 0]}])"),
         "/skeletons/0/joints/1/name: there is a joint \"a\" already");
    says(
        joints(
            R"([{"name": "arm", "position": [0, 0, 0]}, {"name": "b", "parent": "amr", "position": [1, 0, 0]}])"),
        "/skeletons/0/joints/1/parent: there is no joint \"amr\" before this one; did you mean \"arm\"?");
    says(
        joints(
            R"([{"name": "a", "position": [0, 0, 0]}, {"name": "b", "parent": "a", "position": [0, 0, 0]}])"),
        "/skeletons/0/joints/1/position: is that of its parent");
    says(joints(R"([{"name": "a", "position": [0, 0, 0], "motion": [{"time": 1}, {"time": 0.5}]}])"),
         "/skeletons/0/joints/0/motion");
    says(error_of(scene_with(
             body, R"("attachments": [{"body": "p", "indices": [0], "to_skeleton": {"skeleton": "arn"}}])")),
         "/attachments/0/to_skeleton/skeleton: there is no skeleton \"arn\"; did you mean \"arm\"?");
    says(error_of(scene_with(
             body, R"("attachments": [{"body": "p", "indices": [0], "to_skeleton": {"skeleton": "arm"},
             "motion": [{"time": 1}]}])")),
         "/attachments/0/motion: is that of the skeleton");
    says(error_of(scene_with(
             body, R"("colliders": [{"plane": {}, "on_joint": {"skeleton": "arm", "joint": "knee"}}])")),
         "/colliders/0/on_joint/joint: there is no joint \"knee\"");
    says(error_of(scene_with(body, R"("colliders": [{"plane": {}, "motion": [{"time": 1}],
             "on_joint": {"skeleton": "arm", "joint": "elbow"}}])")),
         "/colliders/0/motion: is that of the joint");
}
