// What most tests of running simulations need: a few bodies, and calls that must succeed.
#pragma once

#include <doctest/doctest.h>
#include <pliant/pliant.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/convert.h"

namespace pliant::test {

using pliant::length;
using pliant::to_double;
inline double length(const Vec3& a) { return length(to_double(a)); }
inline double distance(const Vec3& a, const Vec3& b) { return length(to_double(a) - to_double(b)); }
// |value/expected − 1|: doctest's Approx adds an absolute tolerance that hides errors of small values.
inline double relative_error(double value, double expected) { return std::abs(value / expected - 1); }
inline bool is_finite(const Vec3& a) {
    return std::isfinite(a.x) && std::isfinite(a.y) && std::isfinite(a.z);
}
inline bool all_finite(const View& view) {
    for (const Vec3& p : view.positions) {
        if (!is_finite(p)) return false;
    }
    for (const Vec3& v : view.velocities) {
        if (!is_finite(v)) return false;
    }
    return true;
}

inline Execution on_threads(int threads) {
    Execution execution;
    execution.threads = threads;
    return execution;
}

inline Simulation start(const Description& description, const Execution& execution = on_threads(1)) {
    Result<Simulation> simulation = Simulation::create(description, execution);
    if (!simulation) FAIL(simulation.error().text());
    return std::move(*simulation);
}

inline void succeed(const Status& status) { REQUIRE_MESSAGE(bool(status), status.error().text()); }

inline void run(Simulation& simulation, int frames) {
    for (int i = 0; i < frames; ++i) simulation.step();
}

inline Elasticity compliant(float compliance, float damping = 0) {
    Elasticity elasticity;
    elasticity.compliance = compliance;
    elasticity.damping = damping;
    return elasticity;
}

inline Body body_of(decltype(Body::shape) shape, Vec3d position = {},
                    std::vector<std::uint32_t> pinned = {}) {
    Body body;
    body.shape = std::move(shape);
    body.position = position;
    body.pinned = std::move(pinned);
    return body;
}

inline Description scene_of(Body body, const Settings& settings = {}) {
    Description description;
    description.bodies.push_back(std::move(body));
    description.settings = settings;
    return description;
}

inline Settings with_substeps(int substeps, int iterations = 1) {
    Settings settings;
    settings.substeps = substeps;
    settings.iterations = iterations;
    return settings;
}

inline Body soft_box(float size, int cells, Vec3d position, float young_modulus = 1e5f) {
    SoftBody soft;
    soft.mesh = *make_box({size, size, size}, {cells, cells, cells});
    soft.material.young_modulus = young_modulus;
    return body_of(std::move(soft), position);
}

inline Body square_cloth(float size, int cells, Vec3d position) {
    Cloth cloth;
    cloth.mesh = *make_sheet(size, size, cells, cells);
    return body_of(std::move(cloth), position);
}

// One particle of 1 kg at `position`.
inline Body lone_particle(Vec3d position, Vec3 velocity = {}) {
    Particles particles;
    particles.positions = {{0, 0, 0}};
    Body body = body_of(std::move(particles), position);
    body.velocity = velocity;
    return body;
}

// Particle 0 is pinned at the origin, particle 1 hangs at `offset` on a link.
inline Body tethered_particle(Vec3 offset, float rest_length, const Elasticity& link = {}, float mass = 1) {
    Particles particles;
    particles.positions = {{0, 0, 0}, offset};
    Link joint;
    joint.a = 0;
    joint.b = 1;
    joint.rest_length = rest_length;
    particles.links = {joint};
    particles.material.link = link;
    particles.material.mass = mass;
    return body_of(std::move(particles), {}, {0});
}

// The substep that the engine uses: the frame is a float.
inline double substep_of(const Settings& settings) { return double(settings.time_step) / settings.substeps; }

}  // namespace pliant::test
