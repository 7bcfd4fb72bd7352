#include "output/body_parts.h"

#include <fmt/format.h>

#include <limits>
#include <utility>
#include <variant>

namespace pliant::output {
namespace {

std::vector<Edge> lines_of(const SoftBody&) { return {}; }
std::vector<Edge> lines_of(const Cloth&) { return {}; }
std::vector<Edge> lines_of(const Rope& rope) {
    std::vector<Edge> lines;
    for (std::uint32_t i = 1; i < rope.positions.size(); ++i) lines.push_back({i - 1, i});
    return lines;
}
std::vector<Edge> lines_of(const Particles& particles) {
    std::vector<Edge> lines;
    for (const Link& link : particles.links) lines.push_back({link.a, link.b});
    return lines;
}

}  // namespace

std::vector<BodyShape> body_shapes(const Description& description) {
    std::vector<BodyShape> shapes;
    for (const Body& body : description.bodies) {
        BodyShape shape;
        shape.lines = std::visit([](const auto& s) { return lines_of(s); }, body.shape);
        if (const auto* soft = std::get_if<SoftBody>(&body.shape)) shape.tetrahedra = soft->mesh.tetrahedra;
        shape.radius = body.radius;
        shapes.push_back(std::move(shape));
    }
    return shapes;
}

BodyParts::BodyParts(const View& first, std::span<const BodyShape> shapes, bool inner_particles)
    : particles_(first.positions.size()) {
    for (const BodyView& body : first.bodies) {
        if (body.particle_count != 0) bodies_.push_back(choose_vertices(first, body, inner_particles));
    }
    parts_.resize(bodies_.size());
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
        parts_[i].name = bodies_[i].view.name;
        parts_[i].triangles = bodies_[i].triangles;
    }
    for (std::size_t b = 0, i = 0; b < shapes.size(); ++b) {
        if (first.bodies[b].particle_count == 0) continue;
        // Lines and tetrahedra count all particles.
        if (bodies_[i].particles.empty()) {
            parts_[i].lines = shapes[b].lines;
            parts_[i].tetrahedra = shapes[b].tetrahedra;
        }
        parts_[i].radius = shapes[b].radius;
        ++i;
    }
}

BodyParts::Body BodyParts::choose_vertices(const View& view, const BodyView& body,
                                           bool inner_particles) const {
    constexpr std::uint32_t unused = std::numeric_limits<std::uint32_t>::max();
    const auto surface = view.triangles.subspan(body.first_triangle, body.triangle_count);
    const bool all = inner_particles || surface.empty();
    std::vector<std::uint32_t> vertex_of(body.particle_count, all ? 0 : unused);
    for (const Triangle& t : surface) {
        for (const std::uint32_t particle : t) vertex_of[particle - body.first_particle] = 0;
    }
    Body result;
    result.view = body;
    for (std::uint32_t i = 0; i < body.particle_count; ++i) {
        if (vertex_of[i] == unused) continue;
        vertex_of[i] = static_cast<std::uint32_t>(result.particles.size());
        result.particles.push_back(body.first_particle + i);
    }
    for (const Triangle& t : surface) {
        Triangle corners;
        for (std::size_t k = 0; k < 3; ++k) corners[k] = vertex_of[t[k] - body.first_particle];
        result.triangles.push_back(corners);
    }
    if (result.particles.size() == body.particle_count) result.particles.clear();
    return result;
}

Result<std::span<const Part>> BodyParts::of(const View& view) {
    if (view.positions.size() != particles_ || view.velocities.size() != particles_) {
        return Error{"",
                     fmt::format("has {} particles, the first had {}", view.positions.size(), particles_)};
    }
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
        Body& body = bodies_[i];
        if (body.particles.empty()) {
            parts_[i].positions = view.positions.subspan(body.view.first_particle, body.view.particle_count);
            parts_[i].velocities =
                view.velocities.subspan(body.view.first_particle, body.view.particle_count);
            continue;
        }
        body.positions.clear();
        body.velocities.clear();
        for (const std::uint32_t particle : body.particles) {
            body.positions.push_back(view.positions[particle]);
            body.velocities.push_back(view.velocities[particle]);
        }
        parts_[i].positions = body.positions;
        parts_[i].velocities = body.velocities;
    }
    return std::span<const Part>(parts_);
}

}  // namespace pliant::output
