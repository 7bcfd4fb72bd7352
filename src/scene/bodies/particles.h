// Particles, free or joined by links.
#pragma once

#include <algorithm>
#include <cmath>

#include "scene/bodies/body_kind.h"

namespace pliant {

template <>
struct FieldTable<ParticleMaterial> {
    static constexpr const char* name = "ParticleMaterial";
    static constexpr const char* summary = "The material of particles and their links.";
    static constexpr auto fields = std::tuple{
        Field{"mass", &ParticleMaterial::mass, "kg", ranges::positive,
              "Of each particle, unless masses are given."},
        Field{"link", &ParticleMaterial::link, "m/N", ranges::any, "Of each link."},
    };
};

template <>
struct FieldTable<Link> {
    static constexpr const char* name = "Link";
    static constexpr const char* summary = "Keeps two particles at a distance.";
    static constexpr auto fields = std::tuple{
        Field{"a", &Link::a, "", ranges::index, "Index of one particle.", Presence::required},
        Field{"b", &Link::b, "", ranges::index, "Index of the other.", Presence::required},
        Field{"rest_length", &Link::rest_length, "m", Range{0, 1e30, true, true},
              "If not given, as far as they are apart."},
    };
};

template <>
struct FieldTable<scene::ParticleBody> {
    static constexpr const char* name = "ParticleBody";
    static constexpr const char* summary = "Particles, free or joined by links.";
    static constexpr auto fields = std::tuple{
        OneOf{"shape", &scene::ParticleBody::shape, std::array{"points", "line", "grains"}},
        Include{&scene::ParticleBody::material},
        Field{"masses", &scene::ParticleBody::masses, "kg", ranges::positive, "One for each, or none."},
        Field{"links", &scene::ParticleBody::links, "", ranges::any, "Links between them."},
        Field{"triangles", &scene::ParticleBody::triangles, "", ranges::index, "Triangles to show, if any."},
        Field{"radii", &scene::ParticleBody::radii, "m", ranges::positive,
              "One for each, or none: all have the radius of the body."},
    };
};

}  // namespace pliant

namespace pliant::bodies {

struct ParticlesKind {
    using Shape = Particles;
    using Material = ParticleMaterial;
    using Form = scene::ParticleBody;
    static constexpr const char* name = "particles";
    static constexpr auto in_material = &scene::Material::particles;
    static constexpr const char* in_material_summary = "For particles.";

    static std::vector<Vec3>& positions(Particles& particles) { return particles.positions; }
    static const std::vector<Vec3>& positions(const Particles& particles) { return particles.positions; }

    static std::optional<Error> check(const Particles& particles, const std::string& path) {
        const auto& [points, material, masses, links, triangles, radii] = particles;
        if (auto error = check_points(path + "/positions", points, 1)) return error;
        if (auto error = check_values(path + "/masses", masses, points.size())) return error;
        if (auto error = check_values(path + "/radii", radii, points.size())) return error;
        for (std::size_t i = 0; i < links.size(); ++i) {
            if (auto error = check_link(links[i], points, item(path + "/links", i))) return error;
        }
        return check_elements<3>(path + "/triangles", triangles, points.size());
    }

    static void build(const Body& body, const Particles& particles, ModelBuilder& builder) {
        const auto& points = particles.positions;
        std::vector<double> masses(points.size(), particles.material.mass);
        std::copy(particles.masses.begin(), particles.masses.end(), masses.begin());
        builder.add_particles(body, points, masses, particles.radii);
        const std::uint32_t part = builder.add_part(particles.material.link, "link");
        std::vector<Edge> lines;
        for (const Link& link : particles.links) {
            const double apart = length(to_double(points[link.a]) - to_double(points[link.b]));
            const float rest = std::isnan(link.rest_length) ? static_cast<float>(apart) : link.rest_length;
            builder.add_distance({link.a, link.b}, rest, part);
            lines.push_back({link.a, link.b});
        }
        builder.add_triangles(particles.triangles);
        builder.add_lines(lines);
    }

    static Result<Particles> resolve(const scene::ParticleBody& form, MeshSource& source) {
        auto points = make_any<std::vector<Vec3>>(form.shape, source);
        if (!points) return points.error();
        return Particles{std::move(*points), form.material,  form.masses,
                         form.links,         form.triangles, form.radii};
    }

private:
    // Positive numbers, one for each particle or none.
    static std::optional<Error> check_values(const std::string& path, const std::vector<float>& values,
                                             std::size_t particles) {
        if (!values.empty() && values.size() != particles) {
            return Error{path, fmt::format("must be empty or one for each of {} particles, got {}", particles,
                                           values.size())};
        }
        for (std::size_t i = 0; i < values.size(); ++i) {
            if (auto error = check_number(item(path, i), values[i], ranges::positive)) return error;
        }
        return {};
    }

    static std::optional<Error> check_link(const Link& link, std::span<const Vec3> points,
                                           const std::string& path) {
        if (auto error = check_index(path + "/a", link.a, points.size())) return error;
        if (auto error = check_index(path + "/b", link.b, points.size())) return error;
        if (link.a == link.b) {
            return Error{path,
                         fmt::format("joins particle {} with itself; its 2 particles must differ", link.a)};
        }
        if (!std::isnan(link.rest_length)) {
            return check_number(path + "/rest_length", link.rest_length, ranges::positive);
        }
        if (!(points[link.a] == points[link.b])) return {};
        return Error{path,
                     "has no length: its particles are at the same point; give a rest_length above 0, or "
                     "attach them to each other"};
    }
};

}  // namespace pliant::bodies
