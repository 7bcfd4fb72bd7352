#include "problem.h"

#include <cmath>

namespace pliant::benchmarks {
namespace {

Vec3d widen(const Vec3& a) { return {a.x, a.y, a.z}; }

double length_between(std::span<const Vec3> positions, const Edge& edge) {
    const Vec3d difference = widen(positions[edge[0]]) - widen(positions[edge[1]]);
    return std::sqrt(dot(difference, difference));
}

double signed_volume(std::span<const Vec3> positions, const Tetrahedron& tetrahedron) {
    const Vec3d a = widen(positions[tetrahedron[0]]);
    const Vec3d b = widen(positions[tetrahedron[1]]) - a;
    const Vec3d c = widen(positions[tetrahedron[2]]) - a;
    const Vec3d d = widen(positions[tetrahedron[3]]) - a;
    return dot(cross(b, c), d) / 6;
}

bool is_rigid(const Elasticity& elasticity) { return elasticity.compliance == 0 && elasticity.damping == 0; }

bool is_plain(const Description& description) {
    const Settings& settings = description.settings;
    return description.attachments.empty() && description.colliders.empty() &&
           settings.method == Method::xpbd && settings.iterations == 1 && settings.damping == 0;
}

// Each appends the masses and constraints of a shape whose particles are counted from first. False if it
// has something that the plain loop lacks.
bool append(Problem& problem, std::uint32_t first, const SoftBody& body) {
    // Compliance of a soft body is the material's; what it is for one edge is the engine's own affair.
    if (!is_rigid(body.material.edges) || !is_rigid(body.material.volumes) ||
        problem.distance_compliance != 0)
        return false;
    const std::span<const Vec3> positions = body.mesh.positions;
    for (const Edge& edge : unique_edges(body.mesh.tetrahedra)) {
        const auto rest = static_cast<float>(length_between(positions, edge));
        problem.distances.push_back({{first + edge[0], first + edge[1]}, rest});
    }
    std::vector<double> masses(positions.size());
    for (const Tetrahedron& tetrahedron : body.mesh.tetrahedra) {
        const double volume = signed_volume(positions, tetrahedron);
        for (const std::uint32_t vertex : tetrahedron)
            masses[vertex] += body.material.density * std::abs(volume) / 4;
        problem.volumes.push_back(
            {{first + tetrahedron[0], first + tetrahedron[1], first + tetrahedron[2], first + tetrahedron[3]},
             static_cast<float>(volume)});
    }
    for (const double mass : masses) {
        problem.inverse_masses.push_back(mass > 0 ? static_cast<float>(1 / mass) : 0);
    }
    return true;
}

bool append(Problem& problem, std::uint32_t first, const Particles& particles) {
    if (particles.material.link.damping != 0) return false;
    if (!problem.distances.empty() && particles.material.link.compliance != problem.distance_compliance)
        return false;
    problem.distance_compliance = particles.material.link.compliance;
    for (const Link& link : particles.links) {
        const bool as_is = std::isnan(link.rest_length);
        const auto rest = as_is ? static_cast<float>(length_between(particles.positions, {link.a, link.b}))
                                : link.rest_length;
        problem.distances.push_back({{first + link.a, first + link.b}, rest});
    }
    for (std::size_t i = 0; i < particles.positions.size(); ++i) {
        problem.inverse_masses.push_back(
            1 / (particles.masses.empty() ? particles.material.mass : particles.masses[i]));
    }
    return true;
}

bool append(Problem&, std::uint32_t, const Cloth&) { return false; }
bool append(Problem&, std::uint32_t, const Rope&) { return false; }
bool append(Problem&, std::uint32_t, const Hair&) { return false; }

std::span<const Vec3> points(const SoftBody& body) { return body.mesh.positions; }
std::span<const Vec3> points(const Particles& particles) { return particles.positions; }
std::span<const Vec3> points(const Cloth& cloth) { return cloth.mesh.positions; }
std::span<const Vec3> points(const Rope& rope) { return rope.positions; }
std::span<const Vec3> points(const Hair& hair) { return hair.positions; }
std::span<const Vec3> points(const Body& body) {
    return std::visit([](const auto& shape) { return points(shape); }, body.shape);
}

}  // namespace

std::optional<Problem> make_problem(const Description& description) {
    if (!is_plain(description)) return std::nullopt;
    Problem problem;
    problem.settings = description.settings;
    for (const Body& body : description.bodies) {
        const auto first = static_cast<std::uint32_t>(problem.positions.size());
        if (!std::visit([&](const auto& shape) { return append(problem, first, shape); }, body.shape)) {
            return std::nullopt;
        }
        for (const Vec3& point : points(body)) {
            const Vec3d moved = widen(point) + body.position;
            problem.positions.push_back(
                {static_cast<float>(moved.x), static_cast<float>(moved.y), static_cast<float>(moved.z)});
        }
        problem.velocities.resize(problem.positions.size(), body.velocity);
        for (const std::uint32_t particle : body.pinned) {
            problem.inverse_masses[first + particle] = 0;
            problem.velocities[first + particle] = {};
        }
    }
    return problem;
}

std::size_t particle_count(const Description& description) {
    std::size_t count = 0;
    for (const Body& body : description.bodies) count += points(body).size();
    return count;
}

double residual(std::span<const DistanceConstraint> distances, std::span<const VolumeConstraint> volumes,
                std::span<const Vec3> positions) {
    double sum = 0;
    for (const auto& [particles, rest] : distances) {
        sum += std::abs(length_between(positions, particles) - rest) / rest;
    }
    for (const auto& [particles, rest] : volumes) {
        sum += std::abs(signed_volume(positions, particles) - rest) / std::abs(rest);
    }
    const std::size_t count = distances.size() + volumes.size();
    return count == 0 ? 0 : sum / static_cast<double>(count);
}

}  // namespace pliant::benchmarks
