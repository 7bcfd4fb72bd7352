// The golden scenes of ropes.
#pragma once

#include <pliant/pliant.h>
#include <pliant/shapes.h>

#include <string>
#include <string_view>
#include <utility>

namespace pliant::test {

// Ropes of many lengths and materials, with weights, tied to each other, to a block and to points.
inline Description strands_scene() {
    Description scene;
    for (int i = 0; i < 37; ++i) {
        Rope rope;
        const float x = 0.1f * static_cast<float>(i % 7), z = 0.1f * static_cast<float>(i / 7);
        rope.positions =
            *make_line({x, 0, z}, {x + 0.5f, 0.125f * static_cast<float>(i % 3), z}, 3 + i * 5 % 23);
        if (i % 4 == 1) rope.material.stretch.compliance = 1e-4f;
        if (i % 4 == 2) rope.material.stretch = {.compliance = 1e-5f, .damping = 0.01f};
        if (i % 5 == 3) rope.material.bending = 0.01f;
        Body body{"rope" + std::to_string(i), std::move(rope), {0, 1, 0}, {}, {0}, 0.005f};
        if (i % 6 == 5) body.pinned.clear();
        scene.bodies.push_back(std::move(body));
    }
    Rope longest;
    longest.positions = *make_line({0, 0, 0}, {2, 0, 0}, 120);
    scene.bodies.push_back({"longest", std::move(longest), {0, 1.5, 0}, {}, {0, 120}, 0});
    Particles weights;
    weights.positions = {{0.5f, 0, 0}, {0.6f, 0.125f, 0}, {1, 0.5f, 0}};
    weights.masses = {20, 1000, 3};
    scene.bodies.push_back({"weights", std::move(weights), {0, 1, 0}, {}, {}, 0.02f});
    SoftBody block;
    block.mesh = *make_box({0.25f, 0.25f, 0.25f}, {3, 3, 3});
    scene.bodies.push_back({"block", std::move(block), {0.7, 0.8, 0.2}, {}, {}, 0});
    for (const int links : {263, 300}) {  // in pieces: by itself, and with a weight
        Rope rope;
        rope.positions = *make_line({0, 0, 0}, {1.5f, 0.25f, 0}, links);
        scene.bodies.push_back({"long" + std::to_string(links),
                                std::move(rope),
                                {0, 1.5, links == 263 ? 0.5 : 0.8},
                                {},
                                {0},
                                0});
    }
    Particles end;
    end.positions = {{1.5f, 1.75f, 0.8f}};
    scene.bodies.push_back({"end", std::move(end), {}, {}, {}, 0});
    const auto last = [&](std::uint32_t body) {
        const auto& rope = std::get<Rope>(scene.bodies[body].shape);
        return ParticleReference{body, static_cast<std::uint32_t>(rope.positions.size() - 1)};
    };
    scene.attachments.push_back({last(0), ParticleReference{38, 0}, {}});
    scene.attachments.push_back({last(1), ParticleReference{38, 1}, {}});
    scene.attachments.push_back({last(2), ParticleReference{38, 1}, {}});
    scene.attachments.push_back({{37, 60}, ParticleReference{38, 2}, {}});
    scene.attachments.push_back({last(3), ParticleReference{37, 30}, {}});
    scene.attachments.push_back({last(4), ParticleReference{39, 5}, {}});
    scene.attachments.push_back({last(41), ParticleReference{42, 0}, {}});
    scene.attachments.push_back({last(5), Vec3d{1, 1, 0}, {}});
    scene.attachments.push_back({last(6), Vec3d{1, 1.2, 0}, {.compliance = 1e-4f}});
    scene.colliders.push_back({Plane{{0, 0.4, 0}, {0.1f, 1, 0}}, 0.4f, 0});
    return scene;
}

// Every way of bending, and hair, curls, a rope and colliders that a skeleton carries.
inline constexpr std::string_view skeleton_scene = R"json({
  "bodies": [
    {"name": "arc", "rope": {"line": {"links": 17}, "bending": 0.05, "rest_curvature": 4}, "position": [0, 1, 0], "pins": [{"indices": [0, 1]}]},
    {"name": "sprung", "rope": {"line": {"links": 12}, "bending": 0.05, "bending_model": "angles", "rest_curvature": -2}, "position": [0, 1, 0.2], "pins": [{"indices": [0, 1]}]},
    {"name": "braced", "rope": {"line": {"links": 9}, "bending_model": "links", "second_neighbours": {"compliance": 0.001}}, "position": [0, 1, 0.4], "pins": [{"indices": [0, 1]}]},
    {"name": "straight", "hair": {"sphere": {"radius": 0.1, "coverage": 0.4}, "strands": 37, "points": 9, "length": 0.2, "bending": 2e-7}, "position": [-1, 1.2, 0]},
    {"name": "curls", "hair": {"disc": {"radius": 0.05}, "strands": 5, "points": 16, "length": 0.1, "curl": {"radius": 0.01, "pitch": 0.03}, "bending": 2e-7}, "position": [-1, 0.9, 0.1]},
    {"name": "lead", "rope": {"line": {"from": [0, 0, 0], "to": [0.3, 0, 0], "links": 8}}, "position": [-0.9, 1, 0]}
  ],
  "skeletons": [{"name": "neck", "joints": [
    {"name": "base", "position": [-1, 0.8, 0], "motion": [{"time": 0.5, "rotation": [0, 0, 25]}, {"time": 1, "offset": [0.1, 0, 0]}]},
    {"name": "head", "parent": "base", "position": [-1, 1.05, 0], "motion": [{"time": 0.3, "rotation": [40, 10, 0]}, {"time": 0.8, "rotation": [-30, 0, 0]}]}
  ]}],
  "attachments": [
    {"body": "straight", "roots": {}, "to_skeleton": {"skeleton": "neck"}},
    {"body": "curls", "roots": {}, "to_skeleton": {"skeleton": "neck", "blend": 0.2}},
    {"body": "lead", "indices": [0], "to_skeleton": {"skeleton": "neck"}}
  ],
  "colliders": [
    {"sphere": {"center": [-1, 1.2, 0], "radius": 0.098}, "on_joint": {"skeleton": "neck", "joint": "head"}},
    {"capsule": {"a": [-1, 0.8, 0], "b": [-1, 1.05, 0], "radius": 0.04}, "on_joint": {"skeleton": "neck", "joint": "base"}}
  ]
})json";

}  // namespace pliant::test
