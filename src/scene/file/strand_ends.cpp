#include "scene/file/strand_ends.h"

#include <pliant/mesh.h>

#include "base/format.h"

namespace pliant {

Result<TriangleMesh> surface_of_body(const Description& description, std::string_view name) {
    for (const Body& body : description.bodies) {
        if (body.name != name) continue;
        if (const auto* cloth = std::get_if<Cloth>(&body.shape)) return cloth->mesh;
        if (const auto* soft = std::get_if<SoftBody>(&body.shape)) {
            TriangleMesh surface;
            surface.positions = soft->mesh.positions;
            surface.triangles = surface_triangles(soft->mesh.tetrahedra);
            return surface;
        }
        return Error{"", fmt::format("\"{}\" has no surface; must be a soft body or cloth", name)};
    }
    return Error{
        "",
        fmt::format(
            "there is no body \"{}\" before this one; must be a soft body or cloth, a mesh file or \"disc\"",
            name)};
}

std::optional<Error> place_on_body(const scene::Body& body, const std::vector<Triangle>& triangles,
                                   const JsonPath& path, Body& hair, Description& description) {
    const Quaternion& q = body.rotation;
    const char* const elsewhere = "is that of the body it is on";
    if (q.x != 0 || q.y != 0 || q.z != 0) return (path / "rotation").error(elsewhere);
    if (!(body.scale == Vec3{1, 1, 1})) return (path / "scale").error(elsewhere);
    if (!(hair.position == Vec3d{})) return (path / "position").error(elsewhere);
    const std::string& name = std::get<scene::BodyScalp>(std::get<scene::HairBody>(body.kind).shape).body;
    std::uint32_t on = 0;
    while (description.bodies[on].name != name) ++on;
    hair.position = description.bodies[on].position;
    const auto own = static_cast<std::uint32_t>(description.bodies.size());
    const std::uint32_t points = std::get<Hair>(hair.shape).points;
    for (std::uint32_t i = 0; i < triangles.size(); ++i) {
        for (const std::uint32_t point : {i * points, i * points + 1}) {
            hair.pinned.push_back(point);
            description.riders.push_back({{own, point}, on, triangles[i]});
        }
    }
    return {};
}

namespace {

// The particle beside the end of a strand.
Result<std::uint32_t> beside(const Body& body, std::uint32_t particle, const JsonPath& path) {
    std::uint32_t points = 0;
    if (const auto* rope = std::get_if<Rope>(&body.shape))
        points = static_cast<std::uint32_t>(rope->positions.size());
    if (const auto* hair = std::get_if<Hair>(&body.shape)) points = hair->points;
    if (points == 0) return path.error("only ropes and hair have ends to clamp");
    if (particle % points == 0) return particle + 1;
    if (particle % points == points - 1) return particle - 1;
    return path.error(fmt::format("particle {} is no end of a strand", particle));
}

}  // namespace

std::optional<Error> add_clamped(const Body& body, const scene::Attachment& attachment, const JsonPath& owner,
                                 std::vector<std::uint32_t>& particles) {
    const JsonPath path = owner / "clamp";
    if (std::holds_alternative<scene::ToParticles>(attachment.to))
        return path.error("only what is tied to the world can be clamped");
    if (attachment.rest_length > 0)
        return path.error("what is held at a length has no direction to be clamped in");
    for (std::size_t k = 0, count = particles.size(); k < count; ++k) {
        const auto other = beside(body, particles[k], path);
        if (!other) return other.error();
        particles.push_back(*other);
    }
    return {};
}

}  // namespace pliant
