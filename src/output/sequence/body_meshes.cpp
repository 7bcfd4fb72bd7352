#include "output/sequence/body_meshes.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/format.h"

namespace pliant::output {
namespace {

const SkinView* skin_of(const View& view, std::uint32_t body) {
    const auto found = std::find_if(view.skins.begin(), view.skins.end(),
                                    [&](const SkinView& skin) { return skin.body == body; });
    return found == view.skins.end() ? nullptr : &*found;
}

// Elements that count the particles of the body.
template <class Element>
std::vector<Element> within_body(std::span<const Element> elements, std::uint32_t first_particle) {
    std::vector<Element> result(elements.begin(), elements.end());
    for (Element& element : result) {
        for (std::uint32_t& particle : element) particle -= first_particle;
    }
    return result;
}

template <class T>
std::vector<T> copied(std::span<const T> values) {
    return {values.begin(), values.end()};
}

}  // namespace

BodyMeshes::BodyMeshes(const View& first, bool inner_particles)
    : particles_(first.positions.size()), topology_version_(first.topology_version) {
    for (std::uint32_t b = 0; b < first.bodies.size(); ++b) {
        if (first.bodies[b].particle_count > 0) bodies_.push_back(make_body(first, b, inner_particles));
    }
    for (const Body& body : bodies_) {
        const BodyView& view = first.bodies[body.index];
        SequenceMesh mesh;
        mesh.name = view.name;
        for (const float r : first.radii.subspan(view.first_particle, view.particle_count)) {
            mesh.radius = std::max(mesh.radius, r);
        }
        mesh.triangles = body.triangles;
        mesh.lines = body.lines;
        mesh.tetrahedra = body.tetrahedra;
        mesh.texture_coordinates = body.texture_coordinates;
        meshes_.push_back(std::move(mesh));
    }
}

BodyMeshes::Body BodyMeshes::make_body(const View& view, std::uint32_t index, bool inner_particles) {
    Body body;
    body.index = index;
    const SkinView* skin = skin_of(view, index);
    if (skin != nullptr && !inner_particles) {
        body.has_skin = true;
        body.triangles = copied(skin->triangles);
        body.texture_coordinates = copied(skin->texture_coordinates);
        return body;
    }
    const BodyView& of = view.bodies[index];
    body.choose_vertices(view, inner_particles);
    body.texture_coordinates =
        copied(view.texture_coordinates.subspan(of.first_texture_coordinate, of.texture_coordinate_count));
    // Lines and tetrahedra count all particles.
    if (body.particles.empty()) {
        body.lines = within_body(view.lines.subspan(of.first_line, of.line_count), of.first_particle);
        body.tetrahedra = within_body(view.tetrahedra.subspan(of.first_tetrahedron, of.tetrahedron_count),
                                      of.first_particle);
    }
    return body;
}

void BodyMeshes::Body::choose_vertices(const View& view, bool inner_particles) {
    constexpr std::uint32_t unused = std::numeric_limits<std::uint32_t>::max();
    const BodyView& body = view.bodies[index];
    triangles =
        within_body(view.triangles.subspan(body.first_triangle, body.triangle_count), body.first_particle);
    const bool all = inner_particles || triangles.empty();
    std::vector<std::uint32_t> vertex_of(body.particle_count, all ? 0 : unused);
    for (const Triangle& t : triangles) {
        for (const std::uint32_t particle : t) vertex_of[particle] = 0;
    }
    for (std::uint32_t i = 0; i < body.particle_count; ++i) {
        if (vertex_of[i] == unused) continue;
        vertex_of[i] = static_cast<std::uint32_t>(particles.size());
        particles.push_back(body.first_particle + i);
    }
    for (Triangle& t : triangles) {
        for (std::uint32_t& corner : t) corner = vertex_of[corner];
    }
    if (particles.size() == body.particle_count) particles.clear();
}

Status BodyMeshes::Body::show_skin(const View& view, const SkinView& skin) {
    const BodyView& body = view.bodies[index];
    positions = skin_positions(view, skin);
    velocities.resize(positions.size());
    const auto of_body = view.velocities.subspan(body.first_particle, body.particle_count);
    if (Status applied = skin.embedding->apply(of_body, velocities); !applied) return applied;
    normals.resize(positions.size());
    return vertex_normals(positions, triangles, normals);
}

Status BodyMeshes::Body::show(const View& view, SequenceMesh& mesh) {
    const BodyView& body = view.bodies[index];
    if (has_skin) {
        if (Status shown = show_skin(view, *skin_of(view, index)); !shown) return shown;
    } else if (particles.empty()) {
        mesh.positions = view.positions.subspan(body.first_particle, body.particle_count);
        mesh.velocities = view.velocities.subspan(body.first_particle, body.particle_count);
        return {};
    } else {
        positions.clear();
        velocities.clear();
        for (const std::uint32_t particle : particles) {
            positions.push_back(view.positions[particle]);
            velocities.push_back(view.velocities[particle]);
        }
    }
    mesh.positions = positions;
    mesh.velocities = velocities;
    mesh.normals = normals;
    return {};
}

Result<std::span<const SequenceMesh>> BodyMeshes::of(const View& view) {
    if (view.positions.size() != particles_ || view.velocities.size() != particles_) {
        return Error{"",
                     fmt::format("has {} particles, the first had {}", view.positions.size(), particles_)};
    }
    if (view.topology_version != topology_version_) {
        return Error{"", "has other triangles, lines or tetrahedra than the first"};
    }
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
        if (const Status shown = bodies_[i].show(view, meshes_[i]); !shown) return shown.error();
    }
    return std::span<const SequenceMesh>(meshes_);
}

}  // namespace pliant::output
