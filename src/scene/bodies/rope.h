// A chain of distances through its points.
#pragma once

#include <cmath>
#include <numbers>

#include "scene/bodies/body_kind.h"

namespace pliant {

template <>
struct Choices<RopeBending> {
    static constexpr std::array names{"rod", "angles", "links"};
};

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
        Field{"bending_model", &RopeMaterial::bending_model, "", ranges::any,
              "How it resists bending: as a rod with twist, by a spring at each joint, which bends to any "
              "side, or by links to second neighbours."},
        Field{"second_neighbours", &RopeMaterial::second_neighbours, "1/N", ranges::any,
              "Of bending_model links, in place of bending: strain per newton, at any number of links."},
        Field{"twisting", &RopeMaterial::twisting, "N·m²", ranges::not_negative,
              "Twisting stiffness, if it has bending; 0: three quarters of bending, as a round section has."},
        Field{"curl", &RopeMaterial::curl, "", Range{0, 100},
              "Share of the curvature of its first shape that it keeps, if it has bending; 0: straight."},
        Field{"rest_curvature", &RopeMaterial::rest_curvature, "1/m", Range{-1e6, 1e6},
              "On top of that, about `side`: a straight rope is an arc of the radius 1/rest_curvature at "
              "rest."},
        Field{"twist", &RopeMaterial::twist, "turns", Range{-1000, 1000},
              "Twist from end to end that it starts with; at rest it has none."},
        Field{"radius", &RopeMaterial::radius, "m", ranges::not_negative,
              "Of a round rod: with young_modulus in place of bending, twisting and the compliance of "
              "stretch."},
        Field{"young_modulus", &RopeMaterial::young_modulus, "Pa", ranges::not_negative,
              "Of a round rod: bending is E·π·r⁴/4, the compliance of stretch 1/(E·π·r²)."},
        Field{"shear_modulus", &RopeMaterial::shear_modulus, "Pa", ranges::not_negative,
              "Of a round rod: twisting is G·π·r⁴/2; 0: three eighths of young_modulus."},
        Field{"edge_bending", &RopeMaterial::edge_bending, "N·m²", ranges::not_negative,
              "Of a ribbon: bending stiffness along its width, where `bending` is that over its flat side; "
              "0: round."},
        Field{"width", &RopeMaterial::width, "m", ranges::not_negative,
              "Of a ribbon: with thickness and young_modulus, in place of radius."},
        Field{"thickness", &RopeMaterial::thickness, "m", ranges::not_negative,
              "Of a ribbon, at most its width: bending is E·w·t³/12, edge_bending E·w³·t/12."},
        Field{
            "side", &RopeMaterial::side, "", Range{-1e6, 1e6},
            "Of a ribbon, the direction of its width at its first segment, and what rest_curvature bends it "
            "about; 0: horizontal."},
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
        if (auto error = check_section(rope.material, path + "/material")) return error;
        if (auto error = check_model(rope.material, path + "/material")) return error;
        if (auto error = check_curvature(rope, path + "/material/rest_curvature")) return error;
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
        const Stiffness stiffness = stiffness_of(rope.material);
        const std::uint32_t stretch =
            builder.add_part(stiffness.stretch, "stretch", {.uniform = 0, .per_measure = 1});
        builder.add_distances(rope.positions, links, stretch);
        if (rope.material.bending_model == RopeBending::links) add_braces(rope, builder);
        if (stiffness.bending > 0) add_bending(rope, stiffness, stretch, builder);
        builder.add_lines(links);
        const RopeMaterial& m = rope.material;
        builder.give_lines_radius(m.radius > 0  ? double(m.radius)
                                  : m.width > 0 ? double(m.width) / 2
                                                : thread_radius(m.linear_density));
        builder.draw_lines_smoothly();
        if (stiffness.ratio != 1) draw_flat(m, stiffness.ratio, double(body.radius), builder);
    }

    static Result<Rope> resolve(const scene::RopeBody& form, MeshSource& source) {
        auto points = make_any<std::vector<Vec3>>(form.shape, source);
        if (!points) return points.error();
        return Rope{std::move(*points), form.material};
    }

private:
    struct Stiffness {
        Elasticity stretch;
        double bending = 0, twisting = 0;  // N·m²
        double ratio = 1;                  // of the bending stiffness along the width
    };
    // Stiffness alone tells how much wider than thick a ribbon is: B along its width is (w/t)² that over its
    // flat side.
    static void draw_flat(const RopeMaterial& m, double ratio, double radius, ModelBuilder& builder) {
        if (m.width > 0) return builder.draw_lines_flat(m.width, m.thickness);
        const double width = 2 * (radius > 0 ? radius : thread_radius(m.linear_density));
        builder.draw_lines_flat(width, width / std::sqrt(ratio));
    }
    // A round section has A = π·r², I = π·r⁴/4, J = 2·I; a flat one A = w·t, I = w·t³/12 and w³·t/12,
    // J = w·t³/3·(1 − 0.63·t/w), good to 1 % for w ≥ 2t.
    static Stiffness stiffness_of(const RopeMaterial& m) {
        if (!(m.young_modulus > 0)) {
            return {m.stretch, m.bending, m.twisting > 0 ? m.twisting : 0.75 * double(m.bending),
                    m.edge_bending > 0 ? double(m.edge_bending) / double(m.bending) : 1};
        }
        const double shear = m.shear_modulus > 0 ? m.shear_modulus : 0.375 * double(m.young_modulus);
        const double young = m.young_modulus, w = m.width, t = m.thickness;
        Stiffness stiffness{m.stretch};
        double area = w * t;
        if (m.width > 0) {
            stiffness.bending = young * w * t * t * t / 12;
            stiffness.twisting = shear * w * t * t * t / 3 * (1 - 0.63 * t / w);
            stiffness.ratio = w * w / (t * t);
        } else {
            const double r2 = double(m.radius) * double(m.radius);
            area = std::numbers::pi * r2;
            stiffness.bending = young * area * r2 / 4;
            stiffness.twisting = shear * area * r2 / 2;
        }
        stiffness.stretch.compliance = static_cast<float>(1 / (young * area));
        return stiffness;
    }

    static std::optional<Error> check_section(const RopeMaterial& m, const std::string& path) {
        const auto both = [&](const char* name, float value, const char* with) {
            return Error{path + "/" + name,
                         fmt::format("must be 0 where there is {}, which says it too; got {}", with, value)};
        };
        if (m.young_modulus > 0) {
            if (auto error = check_width(m, path)) return error;
            if (!(m.radius > 0) && !(m.width > 0))
                return Error{path + "/radius",
                             fmt::format("must be > 0 where there is young_modulus, got {}", m.radius)};
            if (m.edge_bending > 0) return both("edge_bending", m.edge_bending, "young_modulus");
            if (m.bending > 0) return both("bending", m.bending, "young_modulus");
            if (m.twisting > 0) return both("twisting", m.twisting, "young_modulus");
            if (m.stretch.compliance > 0)
                return both("stretch/compliance", m.stretch.compliance, "young_modulus");
            return {};
        }
        if (m.shear_modulus > 0)
            return Error{path + "/young_modulus", "must be > 0 where there is shear_modulus, got 0"};
        if (m.width > 0 || m.thickness > 0)
            return Error{path + "/young_modulus", "must be > 0 where there are width and thickness, got 0"};
        if (m.edge_bending > 0 && !(m.edge_bending >= m.bending && m.bending > 0))
            return Error{path + "/edge_bending",
                         fmt::format("must be 0, or at least bending, {}, which is > 0; got {}", m.bending,
                                     m.edge_bending)};
        if (m.twisting > 0 && !(m.bending > 0))
            return Error{path + "/bending", "must be > 0 where there is twisting, got 0"};
        return {};
    }

    // Twist, sides and Young's modulus are a rod's.
    static std::optional<Error> check_model(const RopeMaterial& m, const std::string& path) {
        if (m.bending_model == RopeBending::rod) return {};
        const std::string model = Choices<RopeBending>::names[static_cast<std::size_t>(m.bending_model)];
        const auto needs_rod = [&](const char* field, float value) {
            return Error{path + "/" + field,
                         fmt::format("must be 0 where bending_model is \"{}\", got {}", model, value)};
        };
        if (m.twisting > 0) return needs_rod("twisting", m.twisting);
        if (m.twist != 0) return needs_rod("twist", m.twist);
        if (m.edge_bending > 0) return needs_rod("edge_bending", m.edge_bending);
        if (m.young_modulus > 0) return needs_rod("young_modulus", m.young_modulus);
        if (m.bending_model == RopeBending::links && m.bending > 0) return needs_rod("bending", m.bending);
        return {};
    }

    // A joint bends by less than half a turn.
    static std::optional<Error> check_curvature(const Rope& rope, const std::string& path) {
        const double curvature = rope.material.rest_curvature;
        if (curvature == 0) return {};
        if (!(stiffness_of(rope.material).bending > 0))
            return Error{path, fmt::format("must be 0 where there is no bending, got {}", curvature)};
        double longest = 0;
        for (std::size_t i = 1; i < rope.positions.size(); ++i)
            longest = std::max(longest, distance_between(rope, i - 1, i));
        const double most = 2 / longest;
        if (std::abs(curvature) <= most) return {};
        return Error{path, fmt::format("must be at most {:.3g}, which bends links of {:.3g} m by 2 rad each; "
                                       "got {}: give it more links",
                                       most, longest, curvature)};
    }
    static double distance_between(const Rope& rope, std::size_t a, std::size_t b) {
        return length(to_double(rope.positions[a]) - to_double(rope.positions[b]));
    }

    static std::optional<Error> check_width(const RopeMaterial& m, const std::string& path) {
        if (!(m.width > 0) && !(m.thickness > 0)) return {};
        if (m.radius > 0)
            return Error{path + "/radius",
                         fmt::format("must be 0 where there is width: round or flat; got {}", m.radius)};
        if (m.thickness > 0 && m.thickness <= m.width) return {};
        return Error{path + "/thickness",
                     fmt::format("must be > 0 and at most the width, {}, got {}", m.width, m.thickness)};
    }

    static void add_braces(const Rope& rope, ModelBuilder& builder) {
        std::vector<Edge> pairs;
        for (std::uint32_t i = 2; i < rope.positions.size(); ++i) pairs.push_back({i - 2, i});
        builder.add_braces(rope.positions, pairs,
                           builder.add_part(rope.material.second_neighbours, "second_neighbours",
                                            {.uniform = 0, .per_measure = 1}));
    }

    // ½·(B/l)·(θ − θ₀)² at each inner particle: a compliance of l/B.
    static void add_bending(const Rope& rope, const Stiffness& stiffness, std::uint32_t stretch,
                            ModelBuilder& builder) {
        std::vector<std::array<std::uint32_t, 3>> chains;
        for (std::uint32_t i = 2; i < rope.positions.size(); ++i) chains.push_back({i - 2, i - 1, i});
        const auto part = [&](double value, const char* name) {
            return builder.add_part({.compliance = static_cast<float>(1 / value)}, name,
                                    {.uniform = 0, .per_measure = 1},
                                    {rope.material.curl, static_cast<float>(stiffness.ratio)});
        };
        const std::uint32_t bending = part(stiffness.bending, "bending");
        builder.add_angles(rope.positions, chains, std::abs(rope.material.rest_curvature), bending);
        // Frames that turn without effort leave the angle alone: how much a joint bends, to whatever side.
        const bool has_twist = rope.material.bending_model == RopeBending::rod;
        const std::uint32_t twisting =
            part(has_twist ? stiffness.twisting : 1e-6 * stiffness.bending, "twisting");
        double size = 0;  // between the middles of the first and the last segment
        for (std::size_t i = 1; i < rope.positions.size(); ++i) {
            const double segment = length(to_double(rope.positions[i]) - to_double(rope.positions[i - 1]));
            size += i == 1 || i + 1 == rope.positions.size() ? segment / 2 : segment;
        }
        const double twist = size > 0 ? rope.material.twist / size : 0;
        const bool is_flat = stiffness.ratio != 1;
        builder.add_rod({stretch, bending, twisting, static_cast<float>(twist), false, is_flat,
                         rope.material.side, rope.material.rest_curvature});
    }
};

}  // namespace pliant::bodies
