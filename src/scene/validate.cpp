#include "scene/validate.h"

#include <set>
#include <span>

#include "base/convert.h"
#include "base/field_checks.h"
#include "collision/all.h"
#include "scene/tables.h"

namespace pliant {
namespace {

using Problem = std::optional<Error>;

// A rest element this thin against its longest edge (cubed, squared) counts as flat.
constexpr double flatness = 1e-6;

std::string at(const std::string& place, std::size_t i) { return fmt::format("{}/{}", place, i); }

Problem check_points(const std::string& place, std::span<const Vec3> points, std::size_t at_least) {
    if (points.size() < at_least) {
        return Error{place, fmt::format("needs at least {} points, got {}", at_least, points.size())};
    }
    for (std::size_t i = 0; i < points.size(); ++i) {
        const Vec3& p = points[i];
        if (abs(p.x) <= 1e9f && abs(p.y) <= 1e9f && abs(p.z) <= 1e9f) continue;  // false for NaN
        return check_field(at(place, i), p, ranges::any);
    }
    return {};
}

Problem check_index(const std::string& place, std::size_t index, std::size_t count) {
    if (index < count) return {};
    return Error{place, fmt::format("must be an index below {}, got {}", count, index)};
}

// Every index in range, and none twice in an element.
template <std::size_t N>
Problem check_elements(const std::string& place, std::span<const std::array<std::uint32_t, N>> elements,
                       std::size_t points) {
    for (std::size_t i = 0; i < elements.size(); ++i) {
        for (std::size_t k = 0; k < N; ++k) {
            if (auto error = check_index(at(at(place, i), k), elements[i][k], points)) return error;
            for (std::size_t j = 0; j < k; ++j) {
                if (elements[i][j] != elements[i][k]) continue;
                return Error{at(place, i),
                             fmt::format("joins particle {} with itself; its {} particles must differ",
                                         elements[i][k], N)};
            }
        }
    }
    return {};
}

template <std::size_t N>
Problem check_all_used(const std::string& place, std::span<const std::array<std::uint32_t, N>> elements,
                       std::size_t points, const char* element) {
    std::vector<bool> used(points, false);
    for (const auto& e : elements) {
        for (std::uint32_t p : e) used[p] = true;
    }
    for (std::size_t i = 0; i < points; ++i) {
        if (used[i]) continue;
        return Error{at(place, i), fmt::format("belongs to no {} and so has no mass; remove it", element)};
    }
    return {};
}

double longest_edge(std::span<const Vec3> points, std::span<const std::uint32_t> element) {
    double longest = 0;
    for (std::uint32_t a : element) {
        for (std::uint32_t b : element) {
            const Vec3d d = to_double(points[a]) - to_double(points[b]);
            longest = max(longest, dot(d, d));
        }
    }
    return sqrt(longest);
}

Problem check_shape(const std::string& place, const SoftBody& body) {
    const auto& [points, tetrahedra] = body.mesh;
    const std::string list = place + "/mesh/tetrahedra";
    if (auto error = check_points(place + "/mesh/positions", points, 4)) return error;
    if (tetrahedra.empty()) return Error{list, "must not be empty"};
    if (auto error = check_elements<4>(list, tetrahedra, points.size())) return error;
    if (auto error = check_all_used<4>(place + "/mesh/positions", tetrahedra, points.size(), "tetrahedron"))
        return error;
    for (std::size_t i = 0; i < tetrahedra.size(); ++i) {
        const Tetrahedron& t = tetrahedra[i];
        const Vec3d a = to_double(points[t[0]]);
        const double volume = dot(cross(to_double(points[t[1]]) - a, to_double(points[t[2]]) - a),
                                  to_double(points[t[3]]) - a) /
                              6;
        const double longest = longest_edge(points, t);
        if (volume > flatness * longest * longest * longest) continue;
        if (volume < -flatness * longest * longest * longest) {
            return Error{at(list, i),
                         fmt::format("is inverted: volume {:g} m³; must be positive (swap two of its "
                                     "particles)",
                                     volume)};
        }
        return Error{at(list, i),
                     fmt::format("is flat: volume {:g} m³ with a longest edge of {:g} m; remove it or "
                                 "move its particles apart",
                                 volume, longest)};
    }
    return {};
}

Problem check_shape(const std::string& place, const Cloth& cloth) {
    const auto& points = cloth.mesh.positions;
    const auto& triangles = cloth.mesh.triangles;
    const std::string list = place + "/mesh/triangles";
    if (auto error = check_points(place + "/mesh/positions", points, 3)) return error;
    if (triangles.empty()) return Error{list, "must not be empty"};
    if (auto error = check_elements<3>(list, triangles, points.size())) return error;
    if (auto error = check_all_used<3>(place + "/mesh/positions", triangles, points.size(), "triangle"))
        return error;
    for (std::size_t i = 0; i < triangles.size(); ++i) {
        const Triangle& t = triangles[i];
        const Vec3d a = to_double(points[t[0]]);
        const Vec3d normal = cross(to_double(points[t[1]]) - a, to_double(points[t[2]]) - a);
        const double area = sqrt(dot(normal, normal)) / 2, longest = longest_edge(points, t);
        if (area > flatness * longest * longest) continue;
        return Error{at(list, i),
                     fmt::format("is degenerate: area {:g} m² with a longest edge of {:g} m; remove it "
                                 "or move its particles apart",
                                 area, longest)};
    }
    return check_elements<2>(place + "/seams", cloth.seams, points.size());
}

Problem check_shape(const std::string& place, const Rope& rope) {
    if (auto error = check_points(place + "/positions", rope.positions, 2)) return error;
    for (std::size_t i = 1; i < rope.positions.size(); ++i) {
        if (!(rope.positions[i] == rope.positions[i - 1])) continue;
        return Error{at(place + "/positions", i),
                     fmt::format("is the same point as {}; a link needs a length", i - 1)};
    }
    return {};
}

Problem check_shape(const std::string& place, const Particles& particles) {
    const auto& points = particles.positions;
    if (auto error = check_points(place + "/positions", points, 1)) return error;
    if (!particles.masses.empty() && particles.masses.size() != points.size()) {
        return Error{place + "/masses", fmt::format("must be empty or one for each of {} particles, got {}",
                                                    points.size(), particles.masses.size())};
    }
    for (std::size_t i = 0; i < particles.masses.size(); ++i) {
        if (auto error = check_number(at(place + "/masses", i), particles.masses[i], ranges::positive))
            return error;
    }
    for (std::size_t i = 0; i < particles.links.size(); ++i) {
        const Link& link = particles.links[i];
        const std::string where = at(place + "/links", i);
        const std::array<std::uint32_t, 2> ends{link.a, link.b};
        if (auto error = check_index(where + "/a", link.a, points.size())) return error;
        if (auto error = check_index(where + "/b", link.b, points.size())) return error;
        if (ends[0] == ends[1]) {
            return Error{where,
                         fmt::format("joins particle {} with itself; its 2 particles must differ", link.a)};
        }
        if (!std::isnan(link.rest_length)) {
            if (auto error = check_number(where + "/rest_length", link.rest_length, ranges::positive))
                return error;
        } else if (points[link.a] == points[link.b]) {
            return Error{where,
                         "has no length: its particles are at the same point; give a rest_length above 0, or "
                         "attach them to each other"};
        }
    }
    return check_elements<3>(place + "/triangles", particles.triangles, points.size());
}

std::size_t particle_count(const Body& body) {
    struct Count {
        std::size_t operator()(const SoftBody& s) const { return s.mesh.positions.size(); }
        std::size_t operator()(const Cloth& s) const { return s.mesh.positions.size(); }
        std::size_t operator()(const Rope& s) const { return s.positions.size(); }
        std::size_t operator()(const Particles& s) const { return s.positions.size(); }
    };
    return std::visit(Count{}, body.shape);
}

Problem check_body(const std::string& place, const Body& body) {
    if (auto error = check_fields(place, body)) return error;
    const auto check = [&](const auto& shape) -> Problem {
        if (auto error = check_fields(place + "/shape", shape)) return error;
        return check_shape(place + "/shape", shape);
    };
    if (auto error = std::visit(check, body.shape)) return error;
    for (std::size_t i = 0; i < body.pinned.size(); ++i) {
        if (auto error = check_index(at(place + "/pinned", i), body.pinned[i], particle_count(body)))
            return error;
    }
    return {};
}

Problem check_reference(const std::string& place, const ParticleReference& reference,
                        const Description& description) {
    if (auto error = check_index(place + "/body", reference.body, description.bodies.size())) return error;
    return check_index(place + "/particle", reference.particle,
                       particle_count(description.bodies[reference.body]));
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

}  // namespace

std::optional<Error> check_collider(const std::string& place, const Collider& collider) {
    if (auto error = check_fields(place, collider)) return error;
    return collision::visit_shape(collider.shape, [&]<class Kind>(const typename Kind::Shape& shape) {
        return Kind::check(shape, place + "/shape");
    });
}

std::string name_of(const Body& body, std::size_t index) {
    return body.name.empty() ? fmt::format("body{}", index) : body.name;
}

std::optional<Error> validate(const Description& description) {
    if (description.bodies.empty())
        return Error{"/bodies", "must not be empty: there is nothing to simulate"};
    if (auto error = check_fields("/settings", description.settings)) return error;
    std::set<std::string> names;
    for (std::size_t i = 0; i < description.bodies.size(); ++i) {
        const Body& body = description.bodies[i];
        if (auto error = check_body(at("/bodies", i), body)) return error;
        const std::string name = name_of(body, i);
        if (names.insert(name).second) continue;
        return Error{at("/bodies", i) + "/name", fmt::format("must be unique, got \"{}\" again", name)};
    }
    for (std::size_t i = 0; i < description.attachments.size(); ++i) {
        if (auto error = check_attachment(at("/attachments", i), description.attachments[i], description))
            return error;
    }
    for (std::size_t i = 0; i < description.colliders.size(); ++i) {
        if (auto error = check_collider(at("/colliders", i), description.colliders[i])) return error;
    }
    return {};
}

}  // namespace pliant
