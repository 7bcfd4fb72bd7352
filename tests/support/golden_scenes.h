// The scenes whose states are hashed. Together they use every kind, method, collider and form of the
// projection, few and many subdomains, wind, colliders that move, and events. No C-library trigonometry: it
// differs between platforms.
#pragma once

#include <pliant/pliant.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scenes/scenes.h"
#include "support/golden_colliders.h"
#include "support/golden_fabrics.h"
#include "support/golden_strands.h"
#include "support/simulations.h"

namespace pliant::test {

struct GoldenScene {
    std::string name;
    int frames = 60;
};

inline std::vector<GoldenScene> golden_scenes() {
    // The last three are large enough to be cut into subdomains, and so to run on several threads.
    return {{"jelly"},        {"rope"},       {"drape"},      {"bars"},        {"c30"},      {"j6"},
            {"mixed"},        {"mixed_pbd"},  {"wind"},       {"moving"},      {"shapes"},   {"events", 150},
            {"elements", 30}, {"rescue", 40}, {"strands"},    {"skeleton"},    {"hair"},     {"dress", 40},
            {"contact", 50},  {"safe", 30},   {"grains", 40}, {"fabrics", 40}, {"c100", 12}, {"j20", 4}};
}

// A soft block and a cloth that are tied together, a rope on a moving point, and loose particles, among
// all shapes of colliders; compliant, damped, iterated.
inline Description mixed_scene(Method method) {
    Description scene;
    SoftBody block;
    block.material.energy = Energy::springs;
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

// A cloth on a line and a block, in wind.
inline Description wind_scene() {
    Description scene;
    Cloth flag;
    flag.mesh = *make_sheet(0.9f, 0.6f, 18, 12);
    flag.material.bending = {.compliance = 1e-2f};
    SoftBody block;
    block.material.energy = Energy::springs;
    block.mesh = *make_box({0.3f, 0.3f, 0.3f}, {3, 3, 3});
    block.material.density = 20;
    scene.bodies.push_back({"flag", std::move(flag), {0, 1.5, 0}, {}, {0, 19, 38, 228}, 0});
    scene.bodies.push_back({"block", std::move(block), {0.2, 1, 1}, {}, {}, 0});
    scene.colliders.push_back({Plane{}, 0.3f, 0});
    scene.settings.wind = {4, 0.5f, -2};
    scene.settings.air_density = 1.2f;
    scene.settings.drag = 0.01f;
    return scene;
}

// A block of every energy, stiff enough for the coarse level; one hangs.
inline Description elements_scene() {
    Description scene;
    double x = 0;
    for (const Energy energy :
         {Energy::arap, Energy::neo_hookean, Energy::stvk, Energy::dirichlet, Energy::springs}) {
        SoftBody block;
        block.mesh = *make_box({0.4f, 0.5f, 0.4f}, {8, 10, 8});
        block.material.energy = energy;
        block.material.young_modulus = 2e6f;
        block.material.poisson_ratio = energy == Energy::neo_hookean ? 0.45f : 0.3f;
        block.material.damping = energy == Energy::stvk ? 0.001f : 0.0f;
        if (energy == Energy::springs) block.material.edges.compliance = 5e-7f;
        Body body{"", std::move(block), {x, 0.6, 0}, {0, -2, 0.5f}, {}, 0};
        body.name = "block" + std::to_string(scene.bodies.size());
        if (energy == Energy::dirichlet) body.pinned = {0, 8, 9};
        scene.bodies.push_back(std::move(body));
        x += 0.7;
    }
    scene.colliders.push_back({Plane{{0, 0, 0}, {0.2f, 1, 0}}, 0.4f, 0.1f});
    scene.colliders.push_back({Sphere{{0.1, 0.2, 0}, 0.2f}, 0.5f, 0});
    return scene;
}

// A cloth and a block among colliders of every shape, which the user moves.
inline Description moving_scene() {
    Description scene;
    Cloth cloth;
    cloth.mesh = *make_sheet(1, 1, 16, 16);
    SoftBody block;
    block.material.energy = Energy::springs;
    block.mesh = *make_box({0.3f, 0.2f, 0.3f}, {4, 3, 4});
    scene.bodies.push_back({"cloth", std::move(cloth), {0, 0.8, 0}, {}, {}, 0.005f});
    scene.bodies.push_back({"block", std::move(block), {1, 0.2, 0}, {}, {}, 0.01f});
    scene.colliders.push_back({Plane{}, 0.5f, 0.2f});
    scene.colliders.push_back({Sphere{{0, 0.4, 0}, 0.25f}, 0.6f, 0});
    scene.colliders.push_back({Box{{0.5, 0.1, 0.1}, {0.1f, 0.15f, 0.4f}, {}}, 0.4f, 0});
    scene.colliders.push_back({Capsule{{-0.6, 0.3, -0.5}, {-0.6, 0.3, 0.5}, 0.08f}, 0.5f, 0});
    return scene;
}

// What a Player does by itself: events of every sort, motions of a collider and of an attachment.
inline constexpr std::string_view events_scene = R"json({
  "solver": {"substeps": 6, "iterations": 2, "damping": 0.02},
  "bodies": [
    {"name": "block", "soft": {"box": {"size": [0.4, 0.4, 0.4], "cells": [4, 4, 4]}, "edges": {"damping": 0.01}}, "position": [0, 0.4, 0]},
    {"name": "sheet", "cloth": {"sheet": {"width": 0.8, "depth": 0.6, "columns": 12, "rows": 9}}, "position": [0, 1.2, 0], "pins": [{"indices": [0, 12]}]},
    {"name": "rope", "rope": {"line": {"from": [0, 0, 0], "to": [0.8, 0, 0], "links": 16}}, "position": [1, 1.5, 0]}
  ],
  "attachments": [{"body": "rope", "indices": [0], "to_place": {}, "motion": [{"time": 1, "offset": [0.2, 0.3, 0]}]}],
  "colliders": [
    {"plane": {}, "restitution": 0.2},
    {"box": {"center": [-0.6, 0.2, 0], "half_extents": [0.1, 0.2, 0.5]}, "motion": [{"time": 1, "offset": [0.5, 0, 0], "rotation": [0, 30, 0]}, {"time": 2}]}
  ],
  "events": [
    {"time": 0.1, "grab": {"hand": "h", "point": [0.4, 1.2, 0.3]}},
    {"time": 0.1, "drag": {"hand": "h", "to": [0.7, 1.6, 0.2], "seconds": 0.5}},
    {"time": 0.3, "elasticity": {"body": "block", "part": "edges", "compliance": 0.001, "seconds": 0.4}},
    {"time": 0.4, "pin": {"body": "rope", "indices": [16]}},
    {"time": 0.6, "unpin": {"body": "sheet", "indices": [0]}},
    {"time": 0.8, "release": {"hand": "h"}},
    {"time": 0.9, "squash": {"body": "block", "height": 0.01, "seconds": 0.1}},
    {"time": 1.1, "solver": {"wind": [3, 0, 1], "air_density": 1.2, "gravity": [0, -5, 0], "seconds": 0.5}},
    {"time": 1.4, "translate": {"body": "sheet", "offset": [0, 0.3, 0.1]}},
    {"time": 1.5, "unpin": {"body": "rope", "indices": [16]}},
    {"time": 1.8, "solver": {"method": "pbd", "substeps": 3}}
  ]
})json";

// Straight hair, limp and stiff, curls, a coil with a weight, a twisted cord whose ends are held.
inline Description hair_scene() {
    Description scene;
    const auto add_hair = [&](float bending, int strands, std::uint32_t points, double x) {
        Hair hair;
        hair.points = points;
        hair.material.bending = bending;
        const auto made = *make_strands_on_disc(0.1f, 0.25f, strands, static_cast<int>(points) - 1);
        for (const auto& strand : made)
            hair.positions.insert(hair.positions.end(), strand.begin(), strand.end());
        Body body{"hair" + std::to_string(scene.bodies.size()),
                  std::move(hair),
                  {x, 0.5, 0},
                  {0.5f, 0, 0},
                  {},
                  0.001f};
        for (std::uint32_t i = 0; i < std::uint32_t(strands); ++i)
            body.pinned.insert(body.pinned.end(), {i * points, i * points + 1});
        scene.bodies.push_back(std::move(body));
    };
    add_hair(0, 37, 12, 0);
    add_hair(1e-7f, 150, 20, 0.5);
    add_hair(1e-4f, 5, 60, 1);
    Hair curls;
    curls.points = 31;
    curls.material.bending = 1e-6f;
    for (int i = 0; i < 7; ++i) {
        const auto curl = *make_helix(0.01f + 0.001f * static_cast<float>(i), 0.1f, 3, 30);
        curls.positions.insert(curls.positions.end(), curl.begin(), curl.end());
    }
    scene.bodies.push_back({"curls", std::move(curls), {1.5, 0.5, 0}, {}, {0, 1, 31, 32}, 0});
    Rope coil;
    coil.positions = *make_helix(0.05f, 0.1f, 5, 80);
    coil.material.bending = 0.01f;
    coil.material.stretch = {.compliance = 1e-6f, .damping = 0.005f};
    scene.bodies.push_back({"coil", std::move(coil), {2, 0.5, 0}, {}, {79, 80}, 0});
    Rope cord;
    cord.positions = *make_line({0, 0, 0}, {0.5f, 0, 0}, 40);
    cord.material.bending = 0.01f;
    cord.material.twist = 6;
    scene.bodies.push_back({"cord", std::move(cord), {2.5, 0.5, 0}, {}, {0, 1, 39, 40}, 0});
    Particles weight;
    weight.positions = {{0.05f, 0, 0}};
    scene.bodies.push_back({"weight", std::move(weight), {2, 0.5, 0}, {}, {}, 0});
    scene.attachments.push_back({{4, 0}, ParticleReference{6, 0}, {}});
    scene.colliders.push_back({Plane{{0, 0.4, 0}, {0, 1, 0}}, 0.4f, 0});
    return scene;
}

// Solids and a cloth that touch each other and themselves.
inline Description contact_scene() {
    Description scene;
    const auto add_box = [&](const char* name, float size, int cells, const Vec3d& position) {
        SoftBody soft;
        soft.mesh = *make_box({size, size, size}, {cells, cells, cells});
        soft.material.young_modulus = 1e5f;
        scene.bodies.push_back({name, std::move(soft), position, {}, {}, 0});
    };
    add_box("low", 0.5f, 5, {0, 0.25, 0});
    add_box("high", 0.3f, 3, {0.1, 1.2, 0.05});
    Cloth cloth;
    cloth.mesh = *make_sheet(1, 1, 30, 30);
    scene.bodies.push_back({"cloth", std::move(cloth), {0, 0.6, 0}, {}, {}, 0});
    scene.bodies.back().contact.self = true;
    scene.colliders.push_back({Plane{}, 0.4f, 0});
    scene.settings.contact_quality = ContactQuality::surfaces;
    return scene;
}

// The same, and nothing crosses.
inline Description safe_contact_scene() {
    Description scene = contact_scene();
    scene.settings.contact_quality = ContactQuality::safe;
    return scene;
}

// Grains of two sizes that bounce on each other, on a soft box and on the floor.
inline Description grains_scene() {
    Description scene = contact_scene();
    scene.bodies.resize(1);
    const auto add_grains = [&](const char* name, float radius, const Vec3d& position) {
        Particles grains;
        grains.positions = *make_grains({0.28f, 0.28f, 0.28f}, 3 * radius, 0.2f, 3);
        grains.material.mass = 0.01f;
        scene.bodies.push_back({name, std::move(grains), position, {0, -2, 0}, {}, radius});
        scene.bodies.back().contact.restitution = 0.3f;
    };
    add_grains("fine", 0.01f, {0, 0.7, 0});
    add_grains("coarse", 0.02f, {0.05, 1.05, 0.02});
    return scene;
}

inline Description make_golden_scene(const std::string& name) {
    if (name == "mixed") return mixed_scene(Method::xpbd);
    if (name == "mixed_pbd") return mixed_scene(Method::pbd);
    if (name == "wind") return wind_scene();
    if (name == "moving") return moving_scene();
    if (name == "shapes") return shapes_scene();
    if (name == "elements" || name == "rescue") return elements_scene();
    if (name == "fabrics") return fabrics_scene();
    if (name == "strands") return strands_scene();
    if (name == "hair") return hair_scene();
    if (name == "contact") return contact_scene();
    if (name == "safe") return safe_contact_scene();
    if (name == "grains") return grains_scene();
    std::optional<Description> scene = scenes::make(name);
    REQUIRE_MESSAGE(scene.has_value(), name);
    return std::move(*scene);
}

// A golden scene as it runs: a simulation and what a user does to it, or a player. Refused calls fail.
class GoldenRun {
public:
    GoldenRun(const GoldenScene& scene, const Execution& execution) : name_(scene.name) {
        if (name_ == "events" || name_ == "skeleton") {
            const std::string_view text = name_ == "events" ? events_scene : skeleton_scene;
            Result<Scene> parsed = parse_scene(text, {.name = name_, .directory = {}, .changes = {}});
            REQUIRE_MESSAGE(parsed, parsed.error().text());
            Result<Player> player = Player::create(std::move(*parsed), execution);
            REQUIRE_MESSAGE(player, player.error().text());
            player_ = std::move(*player);
        } else {
            simulation_ = start(make_golden_scene(name_), execution);
        }
    }

    Simulation& simulation() { return player_ ? player_->simulation() : *simulation_; }
    bool has_player() const { return player_.has_value(); }

    void prepare_frame(int frame) {
        if (name_ == "mixed" || name_ == "mixed_pbd") handle_mixed(frame);
        if (name_ == "moving") move_colliders(frame);
        if (name_ == "shapes") move_shapes(*simulation_, frame);
        if (name_ == "rescue" && frame == 5) squash_all();
    }
    void step() {
        if (player_) {
            succeed(player_->step());
        } else {
            simulation_->step();
        }
    }
    void play(int first, int end) {
        for (int frame = first; frame < end; ++frame) {
            prepare_frame(frame);
            step();
        }
    }
    void reset() {
        if (player_) {
            succeed(player_->reset());
        } else {
            simulation_->reset();
        }
    }

private:
    // Moves the point of an attachment, pushes, pins.
    void handle_mixed(int frame) {
        succeed(simulation_->move_attachment(2, {0.5 + 0.01 * frame, 2, 0.005 * frame}));
        if (frame == 10) succeed(simulation_->set_force(3, {2, 5, -1}));
        if (frame == 20) simulation_->clear_forces();
        if (frame == 25) succeed(simulation_->pin(20));
        if (frame == 40) succeed(simulation_->unpin(20));
        if (frame == 45) succeed(simulation_->unpin(100));  // the cloth's first, which was never coloured
    }

    // Each is flat on the ground: the rescue draws it back into shape.
    void squash_all() {
        for (const BodyView& body : simulation_->view().bodies) succeed(simulation_->squash(body.name, 0.3));
    }

    void move_colliders(int frame) {
        const double way = 0.01 * frame;
        const float part = static_cast<float>(frame) / 64;
        succeed(simulation_->move_collider(0, Plane{{0, 0.2 * way, 0}, {0.1f * part, 1, 0}}));
        succeed(simulation_->move_collider(1, Sphere{{0.2 * way, 0.4 + way, 0}, 0.25f + 0.05f * part}));
        succeed(simulation_->move_collider(
            2, Box{{0.5 + 0.3 * way, 0.1, 0.1}, {0.1f, 0.15f, 0.4f}, {0, part, 0, 1}}));
        succeed(simulation_->move_collider(
            3, Capsule{{-0.6 + way, 0.3, -0.5}, {-0.6 + 0.5 * way, 0.3 + 0.2 * way, 0.5}, 0.08f}));
    }

    std::string name_;
    std::optional<Simulation> simulation_;
    std::optional<Player> player_;
};

}  // namespace pliant::test
