#include "scene/assemble/body_contacts.h"

#include <pliant/bounds.h>

#include <algorithm>
#include <map>

#include "base/convert.h"
#include "base/format.h"
#include "scene/bodies/geometry_checks.h"

namespace pliant {
namespace {

// Of the mean length of a body's edges. Thick enough to be seen and to be safe, thin enough to fold.
constexpr double cloth_thickness = 0.3, rope_thickness = 0.2, solid_thickness = 0.1;
constexpr std::size_t most_groups = 64;  // bits

double mean_edge(const model::Model& model, const BodyView& body, std::span<const Vec3d> positions) {
    double sum = 0;
    std::size_t count = 0;
    const auto add = [&](std::uint32_t a, std::uint32_t b) {
        sum += length(positions[a] - positions[b]);
        ++count;
    };
    for (std::uint32_t t = 0; t < body.triangle_count; ++t) {
        const Triangle& triangle = model.triangles[body.first_triangle + t];
        for (std::size_t k = 0; k < 3; ++k) add(triangle[k], triangle[(k + 1) % 3]);
    }
    if (body.triangle_count == 0) {
        for (std::uint32_t l = 0; l < body.line_count; ++l)
            add(model.lines[body.first_line + l][0], model.lines[body.first_line + l][1]);
    }
    return count > 0 ? sum / static_cast<double>(count) : 0;
}

double default_thickness(const model::Model& model, const Body& body, const BodyView& view, double edge) {
    float radius = 0;  // the largest
    for (std::uint32_t p = view.first_particle; p < view.first_particle + view.particle_count; ++p)
        radius = std::max(radius, model.radii[p]);
    if (radius > 0) return 2 * double(radius);
    if (view.tetrahedron_count > 0) return solid_thickness * edge;
    if (view.triangle_count > 0 && std::holds_alternative<Cloth>(body.shape)) return cloth_thickness * edge;
    if (const Hair* hair = std::get_if<Hair>(&body.shape))
        return 2 * bodies::thread_radius(hair->material.linear_density);
    const Rope* rope = std::get_if<Rope>(&body.shape);
    if (!rope) return 0;
    if (rope->material.radius > 0) return 2 * double(rope->material.radius);
    return rope->material.thickness > 0 ? double(rope->material.thickness) : rope_thickness * edge;
}

class Groups {
public:
    // 0 if there are too many.
    std::uint64_t bit_of(const std::string& name) {
        const auto [found, is_new] = bits_.try_emplace(name, bits_.size());
        return found->second < most_groups ? std::uint64_t(1) << found->second : 0;
    }
    bool has(const std::string& name) const { return bits_.contains(name); }

private:
    std::map<std::string, std::size_t> bits_;
};

}  // namespace

std::optional<Error> add_body_contacts(const Description& description, std::span<const Vec3d> positions,
                                       model::Model& model) {
    Groups groups;
    for (std::size_t b = 0; b < description.bodies.size(); ++b) {
        const Body& body = description.bodies[b];
        const BodyView& view = model.bodies[b];
        const std::string path = fmt::format("/bodies/{}/contact", b);
        model::BodyContact contact;
        const double edge = mean_edge(model, view, positions);
        double thickness = default_thickness(model, body, view, edge);
        if (body.contact.thickness > 0) {
            thickness = body.contact.thickness;
            BoundsOf<double> bounds;
            for (std::uint32_t p = 0; p < view.particle_count; ++p)
                bounds.add(positions[view.first_particle + p]);
            if (const double size = length(bounds.extent()); size > 0 && thickness > size) {
                return Error{
                    path + "/thickness",
                    fmt::format("must be at most the size of the body, {:g} m, got {:g}", size, thickness)};
            }
        }
        contact.radius = static_cast<float>(thickness / 2);
        contact.spacing = static_cast<float>(edge > 0 ? edge : thickness);
        contact.friction = body.contact.friction;
        contact.restitution = body.contact.restitution;
        contact.bodies = body.contact.bodies;
        // Grains that do not touch each other would be none.
        contact.self = body.contact.self || (model::is_loose(view) && body.contact.bodies);
        if (!body.contact.group.empty()) {
            contact.group = groups.bit_of(body.contact.group);
            if (contact.group == 0) {
                return Error{path + "/group", fmt::format("is the {}th name; there may be {} groups",
                                                          most_groups + 1, most_groups)};
            }
        }
        model.contacts.push_back(contact);
    }
    for (std::size_t b = 0; b < description.bodies.size(); ++b) {
        const auto& ignores = description.bodies[b].contact.ignores;
        for (std::size_t i = 0; i < ignores.size(); ++i) {
            if (!groups.has(ignores[i])) {
                return Error{fmt::format("/bodies/{}/contact/ignores/{}", b, i),
                             fmt::format("no body is of the group \"{}\"", ignores[i])};
            }
            model.contacts[b].ignores |= groups.bit_of(ignores[i]);
        }
    }
    return {};
}

}  // namespace pliant
