// The scenes whose states are hashed. Together they use every kind, method, collider and form of the
// projection, few and many slabs. No C-library trigonometry: it differs between platforms.
#pragma once

#include <pliant/pliant.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "scenes/scenes.h"

namespace pliant::test {

struct GoldenScene {
    std::string name;
    int frames = 60;
};

inline std::vector<GoldenScene> golden_scenes() {
    // The last three are large enough to be cut into slabs, and so to run on several threads.
    return {{"jelly"}, {"rope"},      {"drape"},     {"bars"},     {"c30"},   {"j6"},
            {"mixed"}, {"mixed_pbd"}, {"dress", 40}, {"c100", 12}, {"j20", 4}};
}

// A soft block and a cloth that are tied together, a rope on a moving point, and loose particles, among
// all shapes of colliders; compliant, damped, iterated.
inline Description mixed_scene(Method method) {
    Description scene;
    SoftBody block;
    block.mesh = *make_box({0.4f, 0.3f, 0.4f}, {4, 3, 4});
    block.material.density = 300;
    block.material.edges = {.compliance = 2e-5f, .damping = 0.01f, .stiffness = 0.6f};
    block.material.volumes = {.compliance = 1e-6f, .damping = 0, .stiffness = 0.9f};
    Cloth cloth;
    cloth.mesh = *make_sheet(1, 0.8f, 12, 10);
    cloth.material.stretch = {.compliance = 1e-6f, .damping = 0, .stiffness = 0.95f};
    cloth.material.bending = {.compliance = 1e-3f, .damping = 0.005f, .stiffness = 0.2f};
    Rope rope;
    rope.positions = *make_line({0, 0, 0}, {0.5f, 0, 0.25f}, 12);
    Particles loose;
    for (int i = 0; i < 20; ++i) {
        const float a = static_cast<float>(i % 5) * 0.125f, b = static_cast<float>(i / 5) * 0.125f;
        loose.positions.push_back({a, b, a * b});
        loose.masses.push_back(0.1f + a);
    }
    loose.links = {{0, 1}, {1, 2, 0.2f}, {5, 6}};
    loose.material.link = {.compliance = 1e-4f, .damping = 0, .stiffness = 0.5f};

    scene.bodies.push_back({"block", std::move(block), {0.02, 1.2, 0.01}, {0.5f, 0, 0}, {}, 0.01f});
    scene.bodies.push_back({"cloth", std::move(cloth), {0, 1.5, 0}, {}, {0}, 0.005f});
    scene.bodies.push_back({"rope", std::move(rope), {0.5, 2, 0}, {}, {}, 0});
    scene.bodies.push_back({"loose", std::move(loose), {1000.25, 1, -0.5}, {0, -3, 1}, {}, 0.02f});
    scene.attachments.push_back(
        {{0, 0}, ParticleReference{1, 7}, {.compliance = 1e-5f, .damping = 0, .stiffness = 0.8f}});
    scene.attachments.push_back({{0, 3}, ParticleReference{1, 40}, {}});
    scene.attachments.push_back(
        {{2, 0}, Vec3d{0.5, 2, 0}, {.compliance = 1e-6f, .damping = 0.01f, .stiffness = 1}});
    scene.attachments.push_back({{2, 12}, Vec3d{1, 2, 0.25}, {}});
    scene.colliders.push_back({Plane{{0, 0, 0}, {0.1f, 1, 0}}, 0.4f, 0.3f});
    scene.colliders.push_back({Sphere{{0.1, 0.5, 0}, 0.3f}, 0.2f, 0});
    scene.colliders.push_back(
        {Box{{-0.3, 0.3, 0.1}, {0.2f, 0.3f, 0.25f}, {0.1f, 0.2f, 0.3f, 0.9f}}, 0.8f, 0.5f});
    scene.settings.method = method;
    scene.settings.substeps = 4;
    scene.settings.iterations = 3;
    scene.settings.damping = 0.1f;
    return scene;
}

inline Description make_golden_scene(const std::string& name) {
    if (name == "mixed") return mixed_scene(Method::xpbd);
    if (name == "mixed_pbd") return mixed_scene(Method::pbd);
    return *scenes::make(name);
}

// What a user does meanwhile: moves the points of attachments, pushes, grabs.
inline void play_frame(Simulation& simulation, const GoldenScene& scene, int frame) {
    if (scene.name == "mixed" || scene.name == "mixed_pbd") {
        (void)simulation.move_attachment(2, {0.5 + 0.01 * frame, 2, 0.005 * frame});
        if (frame == 10) (void)simulation.set_force(3, {2, 5, -1});
        if (frame == 20) simulation.clear_forces();
        if (frame == 25) (void)simulation.pin(20);
        if (frame == 40) (void)simulation.unpin(20);
        if (frame == 45) (void)simulation.unpin(100);  // the cloth's first, which was never coloured
    }
    simulation.step();
}

}  // namespace pliant::test
