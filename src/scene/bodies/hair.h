// Many strands that grow from a scalp.
#pragma once

#include <algorithm>

#include "base/arctangent.h"
#include "scene/bodies/body_kind.h"
#include "scene/bodies/groom.h"

namespace pliant {

template <>
struct FieldTable<HairMaterial> {
    static constexpr const char* name = "HairMaterial";
    static constexpr const char* summary = "What hair is made of. It does not stretch.";
    static constexpr auto fields = std::tuple{
        Field{"linear_density", &HairMaterial::linear_density, "kg/m", ranges::positive,
              "Mass per length of a strand."},
        Field{"bending", &HairMaterial::bending, "N·m²", ranges::not_negative,
              "Bending stiffness of a strand, at any number of points; 0: limp."},
        Field{"twisting", &HairMaterial::twisting, "N·m²", ranges::not_negative,
              "Twisting stiffness of curls; 0: three quarters of bending."},
    };
};

template <>
struct FieldTable<scene::DiscScalp> {
    static constexpr const char* name = "DiscScalp";
    static constexpr const char* summary = "Roots on a disc in the xz plane; strands grow upward.";
    static constexpr auto fields = std::tuple{
        Field{"radius", &scene::DiscScalp::radius, "m", ranges::size, "Its radius."},
    };
};

template <>
struct FieldTable<scene::SphereScalp> {
    static constexpr const char* name = "SphereScalp";
    static constexpr const char* summary =
        "Roots on the top of a sphere about the origin; strands grow outward.";
    static constexpr auto fields = std::tuple{
        Field{"radius", &scene::SphereScalp::radius, "m", ranges::size, "Its radius."},
        Field{"coverage", &scene::SphereScalp::coverage, "", Range{0, 1, true},
              "Share of its area that has hair, from the top."},
    };
};

template <>
struct FieldTable<scene::BodyScalp> {
    static constexpr const char* name = "BodyScalp";
    static constexpr const char* summary =
        "Roots on the surface of a body, which they follow, or on that of a mesh file or a disc, which stay.";
    static constexpr bool bare = true;
    static constexpr auto fields = std::tuple{
        Field{"body", &scene::BodyScalp::body, "", ranges::any,
              "Name of a soft body or cloth that comes before, a mesh file, or \"disc\".",
              Presence::required},
    };
};

template <>
struct FieldTable<scene::Curl> {
    static constexpr const char* name = "Curl";
    static constexpr const char* summary = "A screw line that strands follow at rest.";
    static constexpr auto fields = std::tuple{
        Field{"radius", &scene::Curl::radius, "m", ranges::size, "From its axis."},
        Field{"pitch", &scene::Curl::pitch, "m", ranges::size, "How far it goes in one turn."},
    };
};

template <>
struct FieldTable<scene::HairBody> {
    static constexpr const char* name = "HairBody";
    static constexpr const char* summary =
        "Many strands. Pin or attach their roots, which are the first two points of each.";
    static constexpr auto fields = std::tuple{
        OneOf{"shape", &scene::HairBody::shape, std::array{"disc", "sphere", "file", "on"}},
        Field{"strands", &scene::HairBody::strands, "", Range{1, 1e6}, "How many."},
        Field{"points", &scene::HairBody::points, "", Range{2, 10000}, "Of each strand."},
        Field{"length", &scene::HairBody::length, "m", ranges::size, "Of each strand, along it."},
        Field{"curl", &scene::HairBody::curl, "", ranges::any, "Without it, strands are straight."},
        Field{"clump", &scene::HairBody::clump, "", Range{0, 1},
              "How far the tips of about twenty neighbours are drawn together; 1: to one point."},
        Field{"seed", &scene::HairBody::seed, "", ranges::index, "Of all that is random."},
        Include{&scene::HairBody::material},
    };
};

}  // namespace pliant

namespace pliant::bodies {

struct HairKind {
    using Shape = Hair;
    using Material = HairMaterial;
    using Form = scene::HairBody;
    static constexpr const char* name = "hair";
    static constexpr auto in_material = &scene::Material::hair;
    static constexpr const char* in_material_summary = "For hair.";

    static std::vector<Vec3>& positions(Hair& hair) { return hair.positions; }
    static const std::vector<Vec3>& positions(const Hair& hair) { return hair.positions; }

    static std::optional<Error> check(const Hair& hair, const std::string& path) {
        if (hair.points < 2)
            return Error{path + "/points",
                         fmt::format("must be at least 2: a strand needs a length; got {}", hair.points)};
        if (auto error = check_points(path + "/positions", hair.positions, hair.points)) return error;
        if (hair.positions.size() % hair.points != 0) {
            return Error{path + "/positions", fmt::format("must be a multiple of {} points, got {}",
                                                          hair.points, hair.positions.size())};
        }
        if (hair.material.twisting > 0 && !(hair.material.bending > 0))
            return Error{path + "/material/bending", "must be > 0 where there is twisting, got 0"};
        for (std::size_t i = 1; i < hair.positions.size(); ++i) {
            if (i % hair.points == 0 || !(hair.positions[i] == hair.positions[i - 1])) continue;
            return Error{item(path + "/positions", i),
                         fmt::format("is the same point as {}; a segment needs a length", i - 1)};
        }
        return {};
    }

    static void build(const Body& body, const Hair& hair, ModelBuilder& builder) {
        const auto& points = hair.positions;
        std::vector<double> masses(points.size(), 0.0);
        std::vector<Edge> segments;
        std::vector<std::array<std::uint32_t, 3>> joints;
        for (std::uint32_t i = 1; i < points.size(); ++i) {
            if (i % hair.points == 0) continue;
            const double mass =
                hair.material.linear_density * length(to_double(points[i]) - to_double(points[i - 1]));
            masses[i - 1] += mass / 2;
            masses[i] += mass / 2;
            segments.push_back({i - 1, i});
            if (i % hair.points > 1) joints.push_back({i - 2, i - 1, i});
        }
        builder.add_particles(body, points, masses);
        const std::uint32_t stretch = builder.add_part({}, "stretch", {.uniform = 0, .per_measure = 1});
        builder.add_distances(points, segments, stretch);
        const double bending = hair.material.bending,
                     twisting = hair.material.twisting > 0 ? hair.material.twisting : 0.75 * bending;
        const auto part = [&](double stiffness, const char* name) {
            const double compliance = stiffness > 0 ? 1 / stiffness : 1e30;
            return builder.add_part({.compliance = static_cast<float>(compliance)}, name,
                                    {.uniform = 0, .per_measure = 1}, {1.0f});
        };
        const std::uint32_t first = part(bending, "bending"), second = part(twisting, "twisting");
        if (bending > 0) builder.add_angles(points, joints, 0, first);
        builder.add_rod({stretch, first, second, 0, is_straight(points, joints) || !(bending > 0)});
        builder.add_lines(segments);
        builder.give_lines_radius(thread_radius(hair.material.linear_density));
        builder.draw_lines_smoothly();
    }

    static Result<Hair> resolve(const scene::HairBody& form, MeshSource& source) {
        auto points = groom(form, source);
        if (!points) return points.error();
        return Hair{std::move(*points), static_cast<std::uint32_t>(form.points), form.material};
    }

private:
    // Within a thousandth of a radian, at every joint.
    static bool is_straight(std::span<const Vec3> x, std::span<const std::array<std::uint32_t, 3>> joints) {
        return std::all_of(joints.begin(), joints.end(), [&](const auto& j) {
            const Vec3d a = to_double(x[j[1]]) - to_double(x[j[0]]),
                        b = to_double(x[j[2]]) - to_double(x[j[1]]);
            return arctangent(length(cross(a, b)), dot(a, b)) < 1e-3;
        });
    }
};

}  // namespace pliant::bodies
