#include "scene/assemble/model_builder.h"

#include <utility>

#include "base/convert.h"
#include "base/geometry/tetrahedron.h"

namespace pliant {
namespace {

using namespace constraints;

// Folds of the rest shape that are flatter than this count as flat (rad).
constexpr float flat_angle = 0.02f;

template <class Element>
void append(std::vector<Element>& list, std::span<const Element> elements, std::uint32_t first) {
    for (Element element : elements) {
        for (std::uint32_t& particle : element) particle += first;
        list.push_back(element);
    }
}

template <class List>
std::uint32_t count_of(const List& list) {
    return static_cast<std::uint32_t>(list.size());
}

}  // namespace

void ModelBuilder::begin_body(const std::string& name) {
    first_ = count_of(particles_.positions);
    body_ = {};
    body_.name = name;
    model_.line_radii.push_back(0);
    body_.first_particle = first_;
    body_.first_triangle = count_of(model_.triangles);
    body_.first_line = count_of(model_.lines);
    body_.first_tetrahedron = count_of(model_.tetrahedra);
    body_.first_texture_coordinate = count_of(model_.texture_coordinates);
}

void ModelBuilder::end_body() {
    body_.particle_count = count_of(particles_.positions) - body_.first_particle;
    body_.triangle_count = count_of(model_.triangles) - body_.first_triangle;
    body_.line_count = count_of(model_.lines) - body_.first_line;
    body_.tetrahedron_count = count_of(model_.tetrahedra) - body_.first_tetrahedron;
    body_.texture_coordinate_count = count_of(model_.texture_coordinates) - body_.first_texture_coordinate;
    model_.bodies.push_back(body_);
}

void ModelBuilder::add_particles(const Body& body, std::span<const Vec3> positions,
                                 std::span<const double> masses, std::span<const float> radii) {
    for (std::size_t i = 0; i < positions.size(); ++i)
        add_particle(body.position + to_double(positions[i]), masses[i], body.velocity, true,
                     radii.empty() ? body.radius : radii[i]);
    for (const std::uint32_t p : body.pinned) {
        model_.is_dynamic[first_ + p] = 0;
        particles_.velocities[first_ + p] = {};
    }
}

std::uint32_t ModelBuilder::add_particle(const Vec3d& position, double mass, const Vec3& velocity,
                                         bool is_dynamic, float radius) {
    particles_.positions.push_back(position);
    particles_.masses.push_back(mass);
    particles_.velocities.push_back(velocity);
    model_.is_dynamic.push_back(is_dynamic);
    model_.radii.push_back(radius);
    return count_of(particles_.positions) - 1;
}

std::uint32_t ModelBuilder::add_part(const Elasticity& elasticity, const char* name,
                                     const model::ComplianceScale& scale,
                                     const MaterialConstants& constants) {
    model_.parts.push_back({body_.name, name, scale, {elasticity, constants}});
    return count_of(model_.parts) - 1;
}

template <class Kind>
void ModelBuilder::add_constraint(std::span<const Vec3> positions,
                                  std::array<std::uint32_t, Kind::arity> members, std::uint32_t part) {
    Vec3d x[Kind::arity];
    for (std::size_t k = 0; k < Kind::arity; ++k) {
        x[k] = to_double(positions[members[k]]);
        members[k] += first_;
    }
    list_of<Kind>(model_.constraints).add(members, Kind::rest_of(x), part);
}

void ModelBuilder::add_distances(std::span<const Vec3> positions, std::span<const Edge> pairs,
                                 std::uint32_t part) {
    for (const Edge& pair : pairs) add_constraint<kinds::Distance>(positions, pair, part);
}
void ModelBuilder::add_braces(std::span<const Vec3> positions, std::span<const Edge> pairs,
                              std::uint32_t part) {
    model_.parts[part].is_beside_chain = true;
    add_distances(positions, pairs, part);
}
void ModelBuilder::add_volumes(std::span<const Vec3> positions, std::span<const Tetrahedron> tetrahedra,
                               std::uint32_t part) {
    for (const Tetrahedron& t : tetrahedra) add_constraint<kinds::Volume>(positions, t, part);
}
void ModelBuilder::add_elements(Energy energy, std::span<const Vec3> positions,
                                std::span<const Tetrahedron> tetrahedra, std::uint32_t part) {
    const auto add = [&]<class Kind>() {
        for (const Tetrahedron& t : tetrahedra) add_constraint<Kind>(positions, t, part);
    };
    switch (energy) {
        case Energy::arap:
            return add.operator()<kinds::Arap>();
        case Energy::neo_hookean:
            return add.operator()<kinds::NeoHookean>();
        case Energy::stvk:
            return add.operator()<kinds::StVK>();
        case Energy::dirichlet:
            return add.operator()<kinds::Dirichlet>();
        case Energy::springs:
            break;  // are distances and volumes
    }
}
void ModelBuilder::add_membranes(MembraneModel model, std::span<const Vec3> positions,
                                 std::span<const Triangle> triangles, std::span<const Vec3d> warp,
                                 std::uint32_t part) {
    const auto add = [&]<class Kind>() {
        for (std::size_t i = 0; i < triangles.size(); ++i) {
            Triangle members = triangles[i];
            Vec3d x[3];
            for (std::size_t k = 0; k < 3; ++k) {
                x[k] = to_double(positions[members[k]]);
                members[k] += first_;
            }
            list_of<Kind>(model_.constraints).add(members, Kind::rest_of(x, warp[i]), part);
        }
    };
    switch (model) {
        case MembraneModel::orthotropic:
            return add.operator()<kinds::OrthotropicMembrane>();
        case MembraneModel::stvk:
            return add.operator()<kinds::StVKMembrane>();
        case MembraneModel::arap:
            return add.operator()<kinds::ArapMembrane>();
        case MembraneModel::dirichlet:
            return add.operator()<kinds::DirichletMembrane>();
        case MembraneModel::links:
            break;  // are distances
    }
}
// Isometric bending knows flat rests alone; folds are kept by their angle.
void ModelBuilder::add_hinge(const Hinge& hinge, BendingModel model, std::uint32_t part) {
    std::array<std::uint32_t, 4> members = hinge.particles;
    for (std::uint32_t& particle : members) particle += first_;
    auto folded = kinds::Dihedral::rest_of(hinge.x.data());
    if (hinge.rest_angle) folded.angle = *hinge.rest_angle;
    if (model == BendingModel::isometric && abs(folded.angle) < flat_angle) {
        auto flat = kinds::Isometric::rest_of(hinge.x.data());
        flat.measure *= hinge.softness;
        list_of<kinds::Isometric>(model_.constraints).add(members, flat, part);
    } else {
        folded.measure *= hinge.softness;
        list_of<kinds::Dihedral>(model_.constraints).add(members, folded, part);
    }
}
void ModelBuilder::add_angles(std::span<const Vec3> positions,
                              std::span<const std::array<std::uint32_t, 3>> chains, float curvature,
                              std::uint32_t part) {
    for (const auto& chain : chains) {
        add_constraint<kinds::Angle>(positions, chain, part);
        auto& rest = list_of<kinds::Angle>(model_.constraints).rests.back();
        rest.angle += curvature * rest.length;
    }
}
void ModelBuilder::add_distance(const Edge& pair, float rest_length, std::uint32_t part) {
    list_of<kinds::Distance>(model_.constraints)
        .add({first_ + pair[0], first_ + pair[1]}, {rest_length}, part);
}
void ModelBuilder::add_ties(std::span<const Edge> pairs, std::uint32_t part) {
    for (const Edge& pair : pairs) {
        list_of<kinds::Attachment>(model_.constraints).add({first_ + pair[0], first_ + pair[1]}, {}, part);
    }
}

void ModelBuilder::add_tetrahedra(std::span<const Vec3> positions, std::span<const Tetrahedron> tetrahedra,
                                  std::uint32_t part) {
    append(model_.tetrahedra, tetrahedra, first_);
    model_.tetrahedron_parts.resize(model_.tetrahedra.size(), part);
    for (const auto& [a, b, c, d] : tetrahedra) {
        model_.rest_volumes.push_back(
            static_cast<float>(tetrahedron_volume(to_double(positions[a]), to_double(positions[b]),
                                                  to_double(positions[c]), to_double(positions[d]))));
    }
}
void ModelBuilder::add_triangles(std::span<const Triangle> triangles) {
    append(model_.triangles, triangles, first_);
}
void ModelBuilder::add_cloth(std::uint32_t part, MembraneModel model) {
    model_.cloths.push_back({first_, count_of(particles_.positions) - first_, body_.first_triangle,
                             count_of(model_.triangles) - body_.first_triangle, part, model});
}
void ModelBuilder::add_texture_coordinates(std::span<const std::array<Vec2, 3>> of_triangles) {
    auto& all = model_.texture_coordinates;
    all.insert(all.end(), of_triangles.begin(), of_triangles.end());
}
void ModelBuilder::add_lines(std::span<const Edge> lines) { append(model_.lines, lines, first_); }
void ModelBuilder::add_rod(const model::Rod& rod) { model_.rods.push_back(rod); }
void ModelBuilder::draw_lines_smoothly() { body_.smooth_lines = true; }
void ModelBuilder::draw_lines_flat(double width, double thickness) {
    body_.line_width = static_cast<float>(width);
    body_.line_thickness = static_cast<float>(thickness);
}
void ModelBuilder::give_lines_radius(double radius) { model_.line_radii.back() = static_cast<float>(radius); }

std::uint32_t ModelBuilder::particle_of(const ParticleReference& reference) const {
    return model_.bodies[reference.body].first_particle + reference.particle;
}

void ModelBuilder::add_attachment(const Attachment& attachment) {
    model_.parts.push_back({{}, {}, {}, {attachment.elasticity, {}}});
    const std::uint32_t part = count_of(model_.parts) - 1, particle = particle_of(attachment.particle);
    std::uint32_t anchor = model::no_anchor, other = 0;
    if (const auto* point = std::get_if<Vec3d>(&attachment.target)) {
        other = anchor = add_particle(*point, 1, {}, false, 0);
    } else {
        other = particle_of(std::get<ParticleReference>(attachment.target));
    }
    if (attachment.rest_length > 0) {
        list_of<kinds::Distance>(model_.constraints).add({particle, other}, {attachment.rest_length}, part);
    } else {
        list_of<kinds::Attachment>(model_.constraints).add({particle, other}, {}, part);
    }
    model_.attachment_parts.push_back(part);
    model_.anchors.push_back(anchor);
}

void ModelBuilder::add_ring(const Ring& ring) {
    model_.rings.push_back({particle_of(ring.particle), ring.rope});
}

void ModelBuilder::add_rider(const Rider& rider) {
    model::Rider made{particle_of(rider.particle), {}, 0, 0, 0};
    Vec3d x[3];
    for (std::size_t k = 0; k < 3; ++k) {
        made.triangle[k] = particle_of({rider.body, rider.triangle[k]});
        x[k] = particles_.positions[made.triangle[k]];
    }
    const Vec3d e = x[1] - x[0], f = x[2] - x[0], d = particles_.positions[made.particle] - x[0];
    const Vec3d normal = cross(e, f);
    const double square = dot(normal, normal);
    made.a = static_cast<float>(dot(cross(d, f), normal) / square);
    made.b = static_cast<float>(dot(cross(e, d), normal) / square);
    made.c = static_cast<float>(dot(d, normal) / sqrt(square));
    model_.is_dynamic[made.particle] = 0;
    model_.riders.push_back(made);
}

}  // namespace pliant
