// A chain of distances through its points.
#pragma once

#include "scene/bodies/body_kind.h"

namespace pliant {

template <>
struct FieldTable<RopeMaterial> {
    static constexpr const char* name = "RopeMaterial";
    static constexpr const char* summary = "The material of a rope.";
    static constexpr auto fields = std::tuple{
        Field{"linear_density", &RopeMaterial::linear_density, "kg/m", ranges::positive, "Mass per length."},
        Field{"stretch", &RopeMaterial::stretch, "1/N", ranges::any,
              "Strain per newton, at any number of links."},
        Field{"bending", &RopeMaterial::bending, "N·m²", ranges::not_negative,
              "Bending stiffness, at any number of links; 0: limp."},
        Field{"curl", &RopeMaterial::curl, "", Range{0, 100},
              "Share of the angles of its first shape that it keeps, if it has bending; 0: straight."},
    };
};

template <>
struct FieldTable<scene::RopeBody> {
    static constexpr const char* name = "RopeBody";
    static constexpr const char* summary = "A chain of links.";
    static constexpr auto fields = std::tuple{
        OneOf{"shape", &scene::RopeBody::shape, std::array{"line", "helix", "points"}},
        Include{&scene::RopeBody::material},
    };
};

}  // namespace pliant

namespace pliant::bodies {

struct RopeKind {
    using Shape = Rope;
    using Material = RopeMaterial;
    using Form = scene::RopeBody;
    static constexpr const char* name = "rope";
    static constexpr auto in_material = &scene::Material::rope;
    static constexpr const char* in_material_summary = "For ropes.";

    static std::vector<Vec3>& positions(Rope& rope) { return rope.positions; }
    static const std::vector<Vec3>& positions(const Rope& rope) { return rope.positions; }

    static std::optional<Error> check(const Rope& rope, const std::string& path) {
        if (auto error = check_points(path + "/positions", rope.positions, 2)) return error;
        for (std::size_t i = 1; i < rope.positions.size(); ++i) {
            if (!(rope.positions[i] == rope.positions[i - 1])) continue;
            return Error{item(path + "/positions", i),
                         fmt::format("is the same point as {}; a link needs a length", i - 1)};
        }
        return {};
    }

    static void build(const Body& body, const Rope& rope, ModelBuilder& builder) {
        std::vector<double> masses(rope.positions.size(), 0.0);
        std::vector<Edge> links;
        for (std::uint32_t i = 0; i + 1 < rope.positions.size(); ++i) {
            const double mass = rope.material.linear_density *
                                length(to_double(rope.positions[i + 1]) - to_double(rope.positions[i]));
            masses[i] += mass / 2;
            masses[i + 1] += mass / 2;
            links.push_back({i, i + 1});
        }
        builder.add_particles(body, rope.positions, masses);
        builder.add_distances(
            rope.positions, links,
            builder.add_part(rope.material.stretch, "stretch", {.uniform = 0, .per_measure = 1}));
        if (rope.material.bending > 0) add_bending(rope, builder);
        builder.add_lines(links);
        builder.draw_lines_smoothly();
    }

    static Result<Rope> resolve(const scene::RopeBody& form, MeshSource& source) {
        auto points = make_any<std::vector<Vec3>>(form.shape, source);
        if (!points) return points.error();
        return Rope{std::move(*points), form.material};
    }

private:
    // ½·(B/l)·(θ − θ₀)² at each inner particle: a compliance of l/B.
    static void add_bending(const Rope& rope, ModelBuilder& builder) {
        std::vector<std::array<std::uint32_t, 3>> chains;
        for (std::uint32_t i = 2; i < rope.positions.size(); ++i) chains.push_back({i - 2, i - 1, i});
        const std::uint32_t part = builder.add_part({.compliance = 1 / rope.material.bending}, "bending",
                                                    {.uniform = 0, .per_measure = 1}, {rope.material.curl});
        builder.add_angles(rope.positions, chains, part);
    }
};

}  // namespace pliant::bodies
