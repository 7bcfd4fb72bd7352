// A small scene with one body of every sort, attachments and colliders.
#pragma once

#include <pliant/shapes.h>

#include "support/simulations.h"

namespace pliant::test {

inline Description mixed_scene() {
    Description scene;
    SoftBody jelly;
    jelly.material.energy = Energy::springs;
    jelly.mesh = *make_box({0.5f, 0.5f, 0.5f}, {2, 2, 2});
    scene.bodies.push_back(body_of(std::move(jelly), {0, 1, 0}));
    scene.bodies[0].name = "jelly";
    scene.bodies[0].velocity = {1, 0, 0};

    Cloth sheet;
    sheet.mesh = *make_sheet(1, 1, 4, 4);
    scene.bodies.push_back(body_of(std::move(sheet), {2, 1, 0}, {0, 4}));
    scene.bodies[1].name = "sheet";

    Rope rope;
    rope.positions = *make_line({0, 0, 0}, {1, 0, 0}, 12);
    scene.bodies.push_back(body_of(std::move(rope), {-2, 2, 0}, {0}));  // without a name

    Particles grains;
    grains.positions = {{0, 0, 0}, {0.3f, 0.1f, 0}, {0.6f, 0, 0.2f}};
    grains.material.mass = 0.5f;
    grains.links = {{0, 1}, {1, 2}};
    grains.material.link.compliance = 1e-3f;
    scene.bodies.push_back(body_of(std::move(grains), {0, 3, 1}));
    scene.bodies[3].name = "grains";
    scene.bodies[3].radius = 0.05f;

    Attachment tie;
    tie.particle = {2, 12};
    tie.target = ParticleReference{3, 0};
    tie.elasticity.compliance = 1e-3f;
    Attachment anchor;
    anchor.particle = {0, 0};
    anchor.target = Vec3d{-0.25, 0.8, -0.25};
    anchor.elasticity.compliance = 1e-4f;
    scene.attachments = {tie, anchor};

    scene.colliders.resize(4);
    Sphere ball;
    ball.center = {2, 0.3, 0};
    ball.radius = 0.3f;
    scene.colliders[1].shape = ball;
    Box step;
    step.center = {-1, 0.2, 0.5};
    step.rotation = {0, 0.2f, 0, 1};
    scene.colliders[2].shape = step;
    scene.colliders[3].shape = Capsule{{-2, 0.5, -1}, {-2, 0.5, 1}, 0.2f};
    return scene;
}

inline const std::vector<Vec3>& points_of(const Body& body) {
    struct Points {
        const std::vector<Vec3>& operator()(const SoftBody& s) const { return s.mesh.positions; }
        const std::vector<Vec3>& operator()(const Cloth& s) const { return s.mesh.positions; }
        const std::vector<Vec3>& operator()(const Rope& s) const { return s.positions; }
        const std::vector<Vec3>& operator()(const Particles& s) const { return s.positions; }
        const std::vector<Vec3>& operator()(const Hair& s) const { return s.positions; }
    };
    return std::visit(Points{}, body.shape);
}

}  // namespace pliant::test
