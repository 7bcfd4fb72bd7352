// The golden scene of colliders: a cloth, a block and loose particles in a room, on shapes of every other
// kind.
#pragma once

#include <pliant/pliant.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "support/simulations.h"

namespace pliant::test {

// Meshes with two poses: a box that leans over.
inline ColliderMeshPointer golden_mesh() {
    std::vector<TriangleMesh> poses(2, *make_box_surface({0.4f, 0.5f, 0.4f}, {3, 4, 3}));
    for (Vec3& p : poses[1].positions) p.x += 0.5f * (p.y + 0.25f);
    return *make_collider_mesh(poses);
}

inline Description shapes_scene() {
    Description scene;
    Cloth cloth;
    cloth.mesh = *make_sheet(1, 1, 16, 16);
    SoftBody block;
    block.mesh = *make_box({0.3f, 0.2f, 0.3f}, {4, 3, 4});
    Particles loose;
    for (int i = 0; i < 40; ++i)
        loose.positions.push_back({0.25f * static_cast<float>(i % 5), 0.02f * static_cast<float>(i),
                                   0.25f * static_cast<float>(i / 5)});
    scene.bodies.push_back({"cloth", std::move(cloth), {0, 1.1, 0}, {}, {}, 0.005f});
    scene.bodies.push_back({"block", std::move(block), {0.9, 0.9, 0.8}, {0, -1, 0}, {}, 0.01f});
    scene.bodies.push_back({"loose", std::move(loose), {-1, 1.2, -0.9}, {0.5f, -3, 1}, {}, 0.02f});
    scene.bodies[1].contact.friction = 0.8f;
    scene.bodies[2].contact.restitution = 0.3f;
    Heights hills{6, 6, 0.5f, {}};
    for (int i = 0; i < 49; ++i) hills.heights.push_back(0.03125f * static_cast<float>(i * i % 11));
    HeightField ground;
    ground.surface = *make_height_field(hills);
    SolidMesh mesh;
    mesh.surface = golden_mesh();
    mesh.position = {0.9, 0.5, 0.8};
    TriangleMesh square;
    square.positions = {{-0.3f, 0, -0.3f}, {0.3f, 0.1f, -0.3f}, {0.3f, 0, 0.3f}, {-0.3f, 0.1f, 0.3f}};
    square.triangles = {{0, 2, 1}, {0, 3, 2}};
    SolidMesh shell;
    shell.surface = *make_collider_mesh(square, 0.01f);
    shell.position = {-0.9, 0.7, 0.9};
    scene.colliders = {{Cylinder{{-0.4, 0.3, -0.4}, {-0.4, 0.8, -0.4}, 0.1f}, 0.5f, 0},
                       {Cone{{0.3, 0.3, 0}, {0.3, 0.95, 0}, 0.25f, 0.02f}, 0.4f, 0},
                       {Torus{{-0.2, 0.6, 0.3}, {0, 1, 0.25f}, 0.25f, 0.08f}, 0.6f, 0.1f},
                       {mesh, 0.5f, 0},
                       {shell, 0.3f, 0.2f},
                       {ground, 0.5f, 0},
                       {Sphere{{0, 1, 0}, 1.6f}, 0.2f, 0.5f}};
    scene.settings.contact_quality = ContactQuality::surfaces;  // it is about colliders; see docs/limits.md
    scene.colliders[6].inverted = true;
    scene.colliders[5].surface_velocity = {0.5f, 0, 0.25f};
    return scene;
}

inline void move_shapes(Simulation& simulation, int frame) {
    const double way = 0.005 * frame;
    const float part = static_cast<float>(frame) / 64;
    succeed(simulation.move_collider(0, Cylinder{{-0.4 + way, 0.3, -0.4}, {-0.4, 0.8 + way, -0.4}, 0.1f}));
    succeed(simulation.move_collider(1, Cone{{0.3, 0.3, way}, {0.3, 0.95, 0}, 0.25f, 0.02f + 0.1f * part}));
    succeed(simulation.move_collider(2, Torus{{-0.2, 0.6 + way, 0.3}, {part, 1, 0.25f}, 0.25f, 0.08f}));
    auto mesh = std::get<SolidMesh>(simulation.colliders()[3].shape);
    mesh.pose = frame / 64.0;
    mesh.rotation = {0, part, 0, 1};
    succeed(simulation.move_collider(3, mesh));
}

}  // namespace pliant::test
