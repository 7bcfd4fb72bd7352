#include "output/body_parts.h"

#include <limits>
#include <utility>
#include <variant>

#include "base/format.h"

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

std::vector<BodyShape> body_shapes(const Description& description, std::span<const TriangleMesh> surfaces) {
    std::vector<BodyShape> shapes;
    std::vector<Skin> skins = make_skins(description, surfaces);
    for (std::size_t b = 0; b < description.bodies.size(); ++b) {
        const Body& body = description.bodies[b];
        BodyShape shape;
        shape.skin = std::move(skins[b]);
        shape.lines = std::visit([](const auto& s) { return lines_of(s); }, body.shape);
        if (const auto* soft = std::get_if<SoftBody>(&body.shape)) shape.tetrahedra = soft->mesh.tetrahedra;
        if (const auto* cloth = std::get_if<Cloth>(&body.shape))
            shape.texture_coordinates = cloth->mesh.texture_coordinates;
        shape.radius = body.radius;
        shapes.push_back(std::move(shape));
    }
    return shapes;
}

BodyParts::BodyParts(const View& first, std::span<const BodyShape> shapes, bool inner_particles)
    : particles_(first.positions.size()) {
    static const BodyShape plain;
    for (std::size_t b = 0; b < first.bodies.size(); ++b) {
        if (first.bodies[b].particle_count == 0) continue;
        add(first, first.bodies[b], b < shapes.size() ? shapes[b] : plain, inner_particles);
    }
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
        const Skin& skin = bodies_[i].skin;
        parts_[i].triangles = skin ? skin.surface->triangles : bodies_[i].triangles;
        parts_[i].texture_coordinates =
            skin ? skin.surface->texture_coordinates : bodies_[i].texture_coordinates;
    }
}

void BodyParts::add(const View& view, const BodyView& body, const BodyShape& shape, bool inner_particles) {
    Part part;
    part.name = body.name;
    part.radius = shape.radius;
    if (shape.skin && !inner_particles) {
        bodies_.push_back({body, {}, {}, {}, shape.skin, {}, {}, {}});
    } else {
        bodies_.push_back(choose_vertices(view, body, inner_particles));
        bodies_.back().texture_coordinates = shape.texture_coordinates;
        // Lines and tetrahedra count all particles.
        if (bodies_.back().particles.empty()) {
            part.lines = shape.lines;
            part.tetrahedra = shape.tetrahedra;
        }
    }
    parts_.push_back(std::move(part));
}

BodyParts::Body BodyParts::choose_vertices(const View& view, const BodyView& body, bool inner_particles) {
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

void BodyParts::Body::show(const View& now, Part& part) {
    const auto all_positions = now.positions.subspan(view.first_particle, view.particle_count);
    const auto all_velocities = now.velocities.subspan(view.first_particle, view.particle_count);
    if (skin) {
        positions = skin.spread(all_positions);
        velocities = skin.spread(all_velocities);
        normals.resize(positions.size());
        vertex_normals(positions, skin.surface->triangles, normals);
    } else if (particles.empty()) {
        part.positions = all_positions;
        part.velocities = all_velocities;
        return;
    } else {
        positions.clear();
        velocities.clear();
        for (const std::uint32_t particle : particles) {
            positions.push_back(now.positions[particle]);
            velocities.push_back(now.velocities[particle]);
        }
    }
    part.positions = positions;
    part.velocities = velocities;
    part.normals = normals;
}

Result<std::span<const Part>> BodyParts::of(const View& view) {
    if (view.positions.size() != particles_ || view.velocities.size() != particles_) {
        return Error{"",
                     fmt::format("has {} particles, the first had {}", view.positions.size(), particles_)};
    }
    for (std::size_t i = 0; i < bodies_.size(); ++i) bodies_[i].show(view, parts_[i]);
    return std::span<const Part>(parts_);
}

}  // namespace pliant::output
