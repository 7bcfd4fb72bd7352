#include "scene/validate.h"

#include <set>

#include "base/convert.h"
#include "base/field_checks.h"
#include "collision/all.h"
#include "scene/bodies/all.h"
#include "scene/tables/description.h"
#include "solvers/position_based/strands/rope_net.h"

namespace pliant {
namespace {

using bodies::check_index;
using bodies::item;
using Problem = std::optional<Error>;

Problem check_skin(const std::string& path, const Body& body) {
    const TriangleMesh& skin = body.skin;
    if (skin.positions.empty() && skin.triangles.empty()) return {};
    if (!std::holds_alternative<SoftBody>(body.shape)) {
        return Error{path, "needs tetrahedra to ride on: only a SoftBody can have a skin"};
    }
    if (skin.triangles.empty()) return Error{path + "/triangles", "must not be empty"};
    if (auto error = bodies::check_points(path + "/positions", skin.positions, 3)) return error;
    for (std::size_t i = 0; i < skin.triangles.size(); ++i) {
        for (std::size_t k = 0; k < 3; ++k) {
            const std::string corner = item(item(path + "/triangles", i), k);
            if (auto error = check_index(corner, skin.triangles[i][k], skin.positions.size())) return error;
        }
    }
    return bodies::check_texture(path, skin);
}

Problem check_body(const std::string& place, const Body& body) {
    if (auto error = check_fields(place, body)) return error;
    const auto check = [&]<class Kind>(const typename Kind::Shape& shape) -> Problem {
        if (auto error = check_fields(place + "/shape/material", shape.material)) return error;
        return Kind::check(shape, place + "/shape");
    };
    if (auto error = bodies::visit_kind(body.shape, check)) return error;
    for (std::size_t i = 0; i < body.pinned.size(); ++i) {
        if (auto error =
                check_index(item(place + "/pinned", i), body.pinned[i], bodies::positions_of(body).size()))
            return error;
    }
    return check_skin(place + "/skin", body);
}

Problem check_reference(const std::string& place, const ParticleReference& reference,
                        const Description& description) {
    if (auto error = check_index(place + "/body", reference.body, description.bodies.size())) return error;
    return check_index(place + "/particle", reference.particle,
                       bodies::positions_of(description.bodies[reference.body]).size());
}

Problem check_attachment(const std::string& place, const Attachment& attachment,
                         const Description& description) {
    if (auto error = check_fields(place, attachment)) return error;
    if (auto error = check_reference(place + "/particle", attachment.particle, description)) return error;
    if (const auto* point = std::get_if<Vec3d>(&attachment.target)) {
        return check_field(place + "/target", *point, ranges::any);
    }
    const auto& other = std::get<ParticleReference>(attachment.target);
    if (auto error = check_reference(place + "/target", other, description)) return error;
    if (other.body != attachment.particle.body || other.particle != attachment.particle.particle) return {};
    return Error{place, fmt::format("joins particle {} of body {} with itself", other.particle, other.body)};
}

Problem check_ring(const std::string& place, const Ring& ring, const Description& description) {
    if (auto error = check_reference(place + "/particle", ring.particle, description)) return error;
    if (auto error = check_index(place + "/rope", ring.rope, description.bodies.size())) return error;
    const auto* rope = std::get_if<Rope>(&description.bodies[ring.rope].shape);
    if (!rope) return Error{place + "/rope", fmt::format("must be a rope, body {} is none", ring.rope)};
    if (rope->material.bending > 0 || rope->material.young_modulus > 0)
        return Error{place + "/rope",
                     "must be a rope without bending: what bends does not run through rings"};
    if (rope->positions.size() < 3)
        return Error{place + "/rope",
                     fmt::format("must have at least 2 links, got {}", rope->positions.size() - 1)};
    if (ring.particle.body == ring.rope)
        return Error{place + "/particle", "must not be one of the rope's own"};
    return {};
}

Problem check_rings(const Description& description) {
    constexpr std::size_t most = solvers::position_based::most_rings;
    std::vector<std::size_t> counts(description.bodies.size(), 0);
    for (std::size_t i = 0; i < description.rings.size(); ++i) {
        const std::string place = item("/rings", i);
        if (auto error = check_ring(place, description.rings[i], description)) return error;
        if (++counts[description.rings[i].rope] > most)
            return Error{place + "/rope", fmt::format("must have at most {} rings", most)};
    }
    return {};
}

Problem check_rider(const std::string& place, const Rider& rider, const Description& description) {
    if (auto error = check_reference(place + "/particle", rider.particle, description)) return error;
    if (rider.body == rider.particle.body)
        return Error{place + "/body", fmt::format("must be another body, got {} again", rider.body)};
    Vec3d x[3];
    for (std::size_t k = 0; k < 3; ++k) {
        const ParticleReference corner{rider.body, rider.triangle[k]};
        if (auto error = check_reference(item(place + "/triangle", k), corner, description)) return error;
        x[k] = to_double(bodies::positions_of(description.bodies[rider.body])[rider.triangle[k]]);
    }
    const Vec3d normal = cross(x[1] - x[0], x[2] - x[0]);
    if (!(dot(normal, normal) > 0)) return Error{place + "/triangle", "must have an area"};
    return {};
}

}  // namespace

// What gravity adds to a displacement in a substep, h²·g, must be nothing, or a number that a float can hold.
std::optional<Error> check_settings(const std::string& place, const Settings& settings) {
    if (auto error = check_fields(place, settings)) return error;
    const double h = double(settings.time_step) / settings.substeps;
    const auto check = [&](const char* axis, float g) -> Problem {
        const double step = h * h * abs(double(g));
        if (step == 0 || step >= 1e-30) return {};
        return Error{place + "/gravity/" + axis,
                     fmt::format("must be 0, or at least {:g} at substeps of {:g} s, got {:g}",
                                 1e-30 / (h * h), h, g)};
    };
    if (auto error = check("x", settings.gravity.x)) return error;
    if (auto error = check("y", settings.gravity.y)) return error;
    return check("z", settings.gravity.z);
}

std::optional<Error> check_collider(const std::string& place, const Collider& collider) {
    if (auto error = check_fields(place, collider)) return error;
    return collision::visit_shape(collider.shape, [&]<class Kind>(const typename Kind::Shape& shape) {
        if (auto error = Kind::check(shape, place + "/shape")) return error;
        if constexpr (requires { Kind::has_inside(shape); }) {
            if (collider.inverted && !Kind::has_inside(shape))
                return std::optional(Error{place + "/inverted", "an open mesh has no inside"});
        }
        return std::optional<Error>();
    });
}

std::string name_of(const Body& body, std::size_t index) {
    return body.name.empty() ? fmt::format("body{}", index) : body.name;
}

std::optional<Error> validate(const Description& description) {
    if (description.bodies.empty())
        return Error{"/bodies", "must not be empty: there is nothing to simulate"};
    if (auto error = check_settings("/settings", description.settings)) return error;
    std::set<std::string> names;
    for (std::size_t i = 0; i < description.bodies.size(); ++i) {
        const Body& body = description.bodies[i];
        if (auto error = check_body(item("/bodies", i), body)) return error;
        const std::string name = name_of(body, i);
        if (names.insert(name).second) continue;
        return Error{item("/bodies", i) + "/name", fmt::format("must be unique, got \"{}\" again", name)};
    }
    for (std::size_t i = 0; i < description.attachments.size(); ++i) {
        if (auto error = check_attachment(item("/attachments", i), description.attachments[i], description))
            return error;
    }
    if (auto error = check_rings(description)) return error;
    for (std::size_t i = 0; i < description.riders.size(); ++i) {
        if (auto error = check_rider(item("/riders", i), description.riders[i], description)) return error;
    }
    for (std::size_t i = 0; i < description.colliders.size(); ++i) {
        if (auto error = check_collider(item("/colliders", i), description.colliders[i])) return error;
    }
    return {};
}

}  // namespace pliant
