// Random descriptions: valid but nasty, and corrupt.
#pragma once

#include <pliant/pliant.h>

#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "support/random_source.h"

namespace pliant::test {

class RandomScenes {
public:
    explicit RandomScenes(std::uint64_t seed) : random_(seed) {}
    RandomSource& random() { return random_; }

    Description valid() {
        Description scene;
        const std::size_t bodies = 1 + random_.below(4);
        for (std::size_t i = 0; i < bodies; ++i) scene.bodies.push_back(body(i));
        for (std::size_t i = random_.below(4); i > 0; --i) {
            Attachment attachment{reference(scene), {}, elasticity()};
            if (random_.chance(0.5)) {
                attachment.target = random_.point(random_.chance(0.2) ? 1e6 : 3);
            } else {
                const ParticleReference other = reference(scene);
                if (other.body == attachment.particle.body && other.particle == attachment.particle.particle)
                    continue;
                attachment.target = other;
            }
            scene.attachments.push_back(std::move(attachment));
        }
        for (std::size_t i = random_.below(5); i > 0; --i) scene.colliders.push_back(collider());
        scene.settings = settings();
        if (scene.settings.method == Method::pbd) use_springs(scene);
        return scene;
    }

    // PBD runs nothing else.
    static void use_springs(Description& scene) {
        for (Body& body : scene.bodies) {
            if (auto* soft = std::get_if<SoftBody>(&body.shape)) soft->material.energy = Energy::springs;
        }
    }

    // A valid one with something, or a few things, broken. May by chance still be valid.
    Description corrupt() {
        Description scene = valid();
        for (std::size_t i = 1 + random_.below(3); i > 0; --i) corrupt_once(scene);
        return scene;
    }

    Settings settings() {
        Settings s;
        s.method = random_.chance(0.3) ? Method::pbd : Method::xpbd;
        s.time_step = static_cast<float>(random_.magnitude(1e-6, 1));
        s.substeps = 1 + static_cast<int>(random_.below(random_.chance(0.1) ? 40 : 8));
        s.iterations = 1 + static_cast<int>(random_.below(random_.chance(0.1) ? 20 : 3));
        s.gravity = random_.point_float(random_.chance(0.1) ? 1e4 : 20);
        s.damping = random_.chance(0.5) ? 0.0f : random_.chance(0.2) ? 1.0f : random_.real_float(0, 1);
        return s;
    }

    Elasticity elasticity() {
        Elasticity e;
        e.compliance = random_.chance(0.3) ? 0.0f : static_cast<float>(random_.magnitude(1e-12, 1e3));
        e.damping = random_.chance(0.6) ? 0.0f : static_cast<float>(random_.magnitude(1e-6, 100));
        e.stiffness = random_.chance(0.2) ? 0.0f : random_.chance(0.3) ? 1.0f : random_.real_float(0, 1);
        return e;
    }

    float bad_number() {
        using Limits = std::numeric_limits<float>;
        const float numbers[] = {Limits::quiet_NaN(),
                                 Limits::infinity(),
                                 -Limits::infinity(),
                                 Limits::max(),
                                 -1,
                                 0,
                                 -0.0f,
                                 1e10f,
                                 -1e-30f,
                                 Limits::denorm_min()};
        return numbers[random_.below(std::size(numbers))];
    }
    Vec3 bad_vector() {
        Vec3 v = random_.point_float(2);
        (random_.chance(0.5) ? v.x : v.z) = bad_number();
        return v;
    }

    static std::uint32_t particle_count(const Body& body) {
        std::size_t count = 0;
        if (const auto* soft = std::get_if<SoftBody>(&body.shape)) count = soft->mesh.positions.size();
        if (const auto* cloth = std::get_if<Cloth>(&body.shape)) count = cloth->mesh.positions.size();
        if (const auto* rope = std::get_if<Rope>(&body.shape)) count = rope->positions.size();
        if (const auto* loose = std::get_if<Particles>(&body.shape)) count = loose->positions.size();
        if (const auto* hair = std::get_if<Hair>(&body.shape)) count = hair->positions.size();
        return static_cast<std::uint32_t>(count);
    }

private:
    ParticleReference reference(const Description& scene) {
        const std::uint32_t b = random_.index(scene.bodies.size());
        return {b, random_.index(particle_count(scene.bodies[b]))};
    }

    int cells() { return 1 + static_cast<int>(random_.below(3)); }

    Body body(std::size_t index) {
        Body body;
        if (random_.chance(0.5)) body.name = "b" + std::to_string(index);
        const float size = static_cast<float>(random_.chance(0.5) ? 1 : random_.magnitude(1e-3, 1e3));
        const float mass = static_cast<float>(random_.magnitude(1e-6, 1e6));  // of a particle, about
        switch (random_.below(5)) {
            case 0:
                body.shape = soft_body(size, mass);
                break;
            case 1: {
                Cloth cloth;
                cloth.mesh = *make_sheet(size, size, 2 * cells(), 2 * cells());
                cloth.material.area_density = mass * 10 / (size * size);
                cloth.material.stretch = elasticity();
                const Elasticity across = elasticity();
                cloth.material.bending = {across.compliance, across.damping, across.stiffness};
                cloth.material.seam = elasticity();
                cloth.material.sewing_seconds = random_.chance(0.5) ? 0 : random_.real_float(0, 1);
                for (std::size_t i = random_.below(3); i > 0; --i) {
                    const std::uint32_t a = random_.index(cloth.mesh.positions.size());
                    const std::uint32_t b = random_.index(cloth.mesh.positions.size());
                    if (a != b) cloth.seams.push_back({a, b});
                }
                body.shape = std::move(cloth);
                break;
            }
            case 2: {
                Rope rope;
                rope.positions = *make_line({0, 0, 0}, {size, size / 2, 0}, 5 * cells());
                rope.material.linear_density = mass * 10 / size;
                rope.material.stretch = elasticity();
                if (random_.chance(0.5))
                    rope.material.bending = static_cast<float>(random_.magnitude(1e-9, 1e9));
                if (random_.chance(0.2)) rope.material.twist = random_.real_float(-20, 20);
                body.shape = std::move(rope);
                break;
            }
            case 3:
                body.shape = hair(size, mass);
                break;
            default:
                body.shape = particles(size);
                break;
        }
        body.position = random_.point(random_.chance(0.1) ? 1e6 : 3);
        body.velocity = random_.point_float(random_.chance(0.3) ? 1000 : 3);
        body.radius = random_.chance(0.5) ? 0.0f : static_cast<float>(random_.magnitude(1e-4, 1));
        for (std::size_t i = random_.below(4); i > 0; --i)
            body.pinned.push_back(random_.index(particle_count(body)));
        return body;
    }

    SoftBody soft_body(float size, float mass) {
        SoftBody soft;
        soft.mesh = *make_box({size, size * random_.real_float(0.1, 1), size}, {cells(), cells(), cells()});
        soft.material.density = mass * 10 / (size * size * size);
        if (random_.chance(0.4)) {
            soft.material.energy = Energy::springs;
            soft.material.edges = elasticity();
            soft.material.volumes = elasticity();
        } else {
            soft.material.energy = static_cast<Energy>(random_.below(4));
            soft.material.young_modulus = static_cast<float>(random_.magnitude(1e2, 1e9));
            soft.material.poisson_ratio = random_.real_float(-0.5, 0.49);
            soft.material.damping = random_.chance(0.3) ? random_.real_float(0, 0.1) : 0;
        }
        return soft;
    }

    Hair hair(float size, float mass) {
        Hair hair;
        hair.points = 2 + static_cast<std::uint32_t>(random_.below(20));
        hair.material.bending = random_.chance(0.3) ? 0 : static_cast<float>(random_.magnitude(1e-9, 1e9));
        hair.material.linear_density = mass / size;
        const auto strands =
            make_strands_on_sphere(size, size, 1 + cells(), static_cast<int>(hair.points) - 1);
        for (const auto& strand : *strands)
            hair.positions.insert(hair.positions.end(), strand.begin(), strand.end());
        return hair;
    }

    Particles particles(float size) {
        Particles loose;
        const std::size_t count = 2 + random_.below(30);
        for (std::size_t i = 0; i < count; ++i) {
            loose.positions.push_back(random_.point_float(size));
            loose.masses.push_back(static_cast<float>(random_.magnitude(1e-6, 1e6)));
        }
        for (std::size_t i = random_.below(60); i > 0; --i) {
            Link link{random_.index(count), random_.index(count)};
            if (link.a == link.b) continue;
            if (random_.chance(0.5)) link.rest_length = static_cast<float>(random_.magnitude(1e-6, 1e3));
            loose.links.push_back(link);
        }
        if (random_.chance(0.1)) loose.positions[1] = loose.positions[0];
        for (Link& link : loose.links) {
            if (loose.positions[link.a] == loose.positions[link.b]) link.rest_length = 0.1f;
        }
        if (random_.chance(0.5)) loose.masses.clear();
        loose.material.link = elasticity();
        return loose;
    }

    Collider collider() {
        Collider c;
        switch (random_.below(5)) {
            case 0:
                c.shape = Plane{random_.point(1), random_.point_float(1)};
                break;
            case 1:
                c.shape = Sphere{random_.point(1), static_cast<float>(random_.magnitude(1e-3, 1e3))};
                break;
            case 2:
                c.shape = Capsule{random_.point(1), random_.point(1),
                                  static_cast<float>(random_.magnitude(1e-3, 10))};
                break;
            default: {
                Box box{random_.point(1), {1, 1, 1}, {}};
                box.half_extents = {static_cast<float>(random_.magnitude(1e-3, 100)), 0.5f,
                                    static_cast<float>(random_.magnitude(1e-3, 100))};
                box.rotation = {random_.real_float(-1, 1), random_.real_float(-1, 1), 0.5f, 1};
                c.shape = box;
            }
        }
        c.friction = static_cast<float>(random_.magnitude(1e-3, 1e3));
        c.restitution = random_.real_float(0, 1);
        return c;
    }

    std::uint32_t bad_index() {
        return random_.chance(0.3)   ? 0xffffffff
               : random_.chance(0.5) ? random_.index(3)
                                     : random_.index(2000);
    }

    void corrupt_once(Description& scene) {
        Body& body = scene.bodies[random_.below(scene.bodies.size())];
        switch (random_.below(12)) {
            case 0:
                body.velocity = bad_vector();
                break;
            case 1:
                body.radius = bad_number();
                break;
            case 2:
                body.position.y = bad_number();
                break;
            case 3:
                body.pinned.push_back(bad_index());
                break;
            case 4:
                body.name = "b0";
                break;
            case 5:
                scene.attachments.push_back({{bad_index(), bad_index()}, Vec3d{0, 0, 0}, {}});
                break;
            case 6:
                scene.attachments.push_back({reference(scene),
                                             ParticleReference{bad_index(), bad_index()},
                                             {.compliance = bad_number()}});
                break;
            case 7:
                scene.colliders.push_back({Plane{{0, bad_number(), 0}, bad_vector()}, bad_number(), 0});
                break;
            case 8:
                scene.colliders.push_back({Box{{0, 0, 0}, bad_vector(), {0, 0, 0, bad_number()}}});
                break;
            case 9:
                scene.settings.damping = random_.chance(0.3) ? bad_number() : scene.settings.damping;
                scene.settings.time_step = random_.chance(0.3) ? bad_number() : scene.settings.time_step;
                scene.settings.substeps = random_.chance(0.3) ? -1 : scene.settings.substeps;
                scene.settings.iterations = random_.chance(0.3) ? 0 : scene.settings.iterations;
                scene.settings.method = random_.chance(0.3) ? static_cast<Method>(9) : scene.settings.method;
                break;
            default:
                corrupt_shape(body.shape);
                break;
        }
    }

    void corrupt_shape(decltype(Body::shape)& shape) {
        if (auto* soft = std::get_if<SoftBody>(&shape)) {
            auto& [points, tetrahedra] = soft->mesh;
            if (random_.chance(0.3)) points[random_.below(points.size())] = bad_vector();
            if (random_.chance(0.3))
                tetrahedra[random_.below(tetrahedra.size())][random_.below(4)] = bad_index();
            if (random_.chance(0.2) && tetrahedra.size() > 1) tetrahedra.pop_back();
            if (random_.chance(0.2)) points.push_back({1, 2, 3});
            if (random_.chance(0.2)) std::swap(tetrahedra[0][0], tetrahedra[0][1]);
            if (random_.chance(0.2)) soft->material.density = bad_number();
        } else if (auto* cloth = std::get_if<Cloth>(&shape)) {
            auto& points = cloth->mesh.positions;
            auto& triangles = cloth->mesh.triangles;
            if (random_.chance(0.3)) points[random_.below(points.size())] = bad_vector();
            if (random_.chance(0.3))
                triangles[random_.below(triangles.size())][random_.below(3)] = bad_index();
            if (random_.chance(0.2)) triangles.resize(1);
            if (random_.chance(0.3)) points[0] = points[1];
            if (random_.chance(0.2)) cloth->material.stretch.stiffness = bad_number();
            if (random_.chance(0.2)) cloth->material.sewing_seconds = bad_number();
            if (random_.chance(0.2)) cloth->seams.push_back({bad_index(), 0});
        } else if (auto* rope = std::get_if<Rope>(&shape)) {
            if (random_.chance(0.5)) rope->positions[random_.below(rope->positions.size())] = bad_vector();
            if (random_.chance(0.3)) rope->positions.resize(1 + random_.below(2));
            if (random_.chance(0.3)) rope->positions.push_back(Vec3(rope->positions.back()));
            if (random_.chance(0.3)) rope->material.linear_density = bad_number();
        } else if (auto* loose = std::get_if<Particles>(&shape)) {
            if (random_.chance(0.3)) loose->positions[random_.below(loose->positions.size())] = bad_vector();
            if (random_.chance(0.3)) loose->links.push_back({bad_index(), bad_index(), bad_number()});
            if (random_.chance(0.3)) loose->masses.push_back(bad_number());
            if (random_.chance(0.3)) loose->material.mass = bad_number();
            if (random_.chance(0.3)) loose->triangles.push_back({bad_index(), bad_index(), bad_index()});
        }
    }

    RandomSource random_;
};

}  // namespace pliant::test
