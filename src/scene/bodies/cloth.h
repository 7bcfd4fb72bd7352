// Triangles with a membrane each and a hinge across every inner edge, or with distances; seams.
#pragma once

#include "scene/bodies/body_kind.h"
#include "scene/bodies/cloth_elements.h"

namespace pliant {

template <>
struct Choices<MembraneModel> {
    static constexpr std::array names{"links", "orthotropic", "stvk", "arap", "dirichlet"};
};
template <>
struct Choices<BendingModel> {
    static constexpr std::array names{"links", "isometric", "dihedral"};
};

template <>
struct Choices<Weave> {
    static constexpr std::array names{"none", "plain", "twill", "satin", "herringbone"};
};

namespace ranges {
inline constexpr Range membrane{0, 1e12, true};
inline constexpr Range membrane_or_none{0, 1e12};
inline constexpr Range hinge{0, 1e12};
inline constexpr Range narrowing{-0.99, 0.99};
inline constexpr Range rest_angle{-3.1415927, 3.1415927, false, true};
}  // namespace ranges

template <>
struct FieldTable<ClothMembrane> {
    static constexpr const char* name = "ClothMembrane";
    static constexpr const char* summary = "How cloth resists stretching.";
    static constexpr auto fields = std::tuple{
        Field{"model", &ClothMembrane::model, "", ranges::any,
              "links: a distance per edge, with the compliance `stretch`. Giving a stiffness implies "
              "orthotropic."},
        Field{"warp", &ClothMembrane::warp, "N/m", ranges::membrane,
              "Force over width and strain, pulled along the warp; of the models without warp and weft, "
              "along any direction."},
        Field{"weft", &ClothMembrane::weft, "N/m", ranges::membrane_or_none,
              "Along the weft; 0: as the warp. Of orthotropic."},
        Field{"shear", &ClothMembrane::shear, "N/m", ranges::membrane_or_none,
              "Of orthotropic; 0: warp/2(1 + poisson_ratio)."},
        Field{"poisson_ratio", &ClothMembrane::poisson_ratio, "", ranges::narrowing,
              "How much it narrows along the weft, pulled along the warp."},
        Field{"damping", &ClothMembrane::damping, "s", ranges::not_negative,
              "Retardation time: viscosity over stiffness; 0 is none."},
    };
};

template <>
struct FieldTable<ClothBending> {
    static constexpr const char* name = "ClothBending";
    static constexpr const char* summary = "How cloth resists bending.";
    static constexpr auto fields = std::tuple{
        Field{"model", &ClothBending::model, "", ranges::any,
              "links: a distance across each inner edge. Giving a stiffness implies isometric."},
        Field{"warp", &ClothBending::warp, "N·m", ranges::hinge,
              "Moment per width over curvature, bent along the warp; 0: limp."},
        Field{"weft", &ClothBending::weft, "N·m", ranges::hinge, "Along the weft; 0: as the warp."},
        Field{"rest_angle", &ClothBending::rest_angle, "rad", ranges::rest_angle,
              "Of every edge; if not given, as in the rest shape."},
        Field{"compliance", &ClothBending::compliance, "m/N", ranges::not_negative,
              "Of links: of each pair of opposite vertices; 0 is rigid. XPBD."},
        Field{"damping", &ClothBending::damping, "s", ranges::not_negative,
              "Retardation time: viscosity over stiffness; 0 is none. XPBD."},
        Field{"stiffness", &ClothBending::stiffness, "", ranges::share,
              "Share of an error that the iterations of a substep remove. PBD."},
    };
};

template <>
struct FieldTable<ClothMaterial> {
    static constexpr const char* name = "ClothMaterial";
    static constexpr const char* summary = "The material of a cloth.";
    static constexpr auto fields = std::tuple{
        Field{"area_density", &ClothMaterial::area_density, "kg/m²", ranges::positive, "Mass per area."},
        Field{"stretch", &ClothMaterial::stretch, "m/N", ranges::any, "Of links: of each edge."},
        Field{"bending", &ClothMaterial::bending, "", ranges::any, "How it resists bending."},
        Field{"seam", &ClothMaterial::seam, "m/N", ranges::any,
              "Of each pair of points that a seam holds together."},
        Field{"sewing_seconds", &ClothMaterial::sewing_seconds, "s", Range{0, 1e6},
              "From the start, until seams are closed."},
        Field{"membrane", &ClothMaterial::membrane, "", ranges::any, "How it resists stretching."},
        Field{"weave", &ClothMaterial::weave, "", ranges::any,
              "How yarns cross, as they are drawn. Multiplies stiffnesses given as those of a plain weave."},
        Field{"strain_limit", &ClothMaterial::strain_limit, "", Range{0, 10},
              "Of orthotropic membranes: it stretches no further along warp and weft; 0: no limit."},
        Field{"warp_direction", &ClothMaterial::warp_direction, "", Range{-1e6, 1e6},
              "Of the warp, as the shape lies before it is placed. 0: that of the panel, else v of the "
              "texture, else y."},
    };
};

template <>
struct FieldTable<scene::ClothMaterial> {
    static constexpr const char* name = "ClothMaterial";
    static constexpr const char* summary = FieldTable<ClothMaterial>::summary;
    static constexpr auto fields = std::tuple_cat(
        std::tuple{
            Field{"fabric", &scene::ClothMaterial::fabric, "", ranges::any,
                  "A fabric by name: silk, cotton, wool, denim, jersey, leather, paper or rubber_sheet."}},
        FieldTable<ClothMaterial>::fields);
};

template <>
struct FieldTable<scene::ClothBody> {
    static constexpr const char* name = "ClothBody";
    static constexpr const char* summary = "A body of triangles.";
    static constexpr auto fields = std::tuple{
        OneOf{"shape", &scene::ClothBody::shape,
              std::array{"sheet", "tube", "sphere", "file", "panels", "mesh"}},
        Include{&scene::ClothBody::material},
    };
};

}  // namespace pliant

namespace pliant::bodies {

struct ClothKind {
    using Shape = Cloth;
    using Material = ClothMaterial;
    using Form = scene::ClothBody;
    static constexpr const char* name = "cloth";
    static constexpr auto in_material = &scene::Material::cloth;
    static constexpr const char* in_material_summary = "For cloth.";

    static std::vector<Vec3>& positions(Cloth& cloth) { return cloth.mesh.positions; }
    static const std::vector<Vec3>& positions(const Cloth& cloth) { return cloth.mesh.positions; }

    static std::optional<Error> check(const Cloth& cloth, const std::string& path) {
        const auto& points = cloth.mesh.positions;
        const auto& triangles = cloth.mesh.triangles;
        const std::string list = path + "/mesh/triangles", positions = path + "/mesh/positions";
        if (auto error = check_points(positions, points, 3)) return error;
        if (triangles.empty()) return Error{list, "must not be empty"};
        if (auto error = check_elements<3>(list, triangles, points.size())) return error;
        if (auto error = check_all_used<3>(positions, triangles, points.size(), "triangle")) return error;
        for (std::size_t i = 0; i < triangles.size(); ++i) {
            const double area = area_of(points, triangles[i]), longest = longest_edge(points, triangles[i]);
            if (area > degenerate * longest * longest) continue;
            return Error{item(list, i),
                         fmt::format("is degenerate: area {:g} m² with a longest edge of {:g} m; remove it "
                                     "or move its particles apart",
                                     area, longest)};
        }
        if (auto error = check_texture(path + "/mesh", cloth.mesh)) return error;
        if (auto error = check_models(cloth.material, path + "/material")) return error;
        if (has_threads(cloth.material)) {
            if (auto directions = warp_directions(cloth, path); !directions) return directions.error();
        }
        return check_elements<2>(path + "/seams", cloth.seams, points.size());
    }

    static bool has_threads(const ClothMaterial& material) {
        return material.membrane.model != MembraneModel::links ||
               material.bending.model != BendingModel::links;
    }

    static void build(const Body& body, const Cloth& cloth, ModelBuilder& builder) {
        const auto& points = cloth.mesh.positions;
        const auto& triangles = cloth.mesh.triangles;
        const ClothMaterial& material = cloth.material;
        std::vector<double> masses(points.size(), 0.0);
        for (const Triangle& t : triangles) {
            const double area = area_of(points, t);
            for (std::uint32_t p : t) masses[p] += material.area_density * area / 3;
        }
        builder.add_particles(body, points, masses);
        const bool has_membrane = material.membrane.model != MembraneModel::links;
        std::uint32_t stretch = 0;
        if (has_membrane) {
            stretch = add_membranes(cloth, builder);
        } else {
            stretch = builder.add_part(material.stretch, "stretch");
            builder.add_distances(points, unique_edges(triangles), stretch);
        }
        if (material.bending.model != BendingModel::links) {
            add_hinges(cloth, builder);
        } else {
            builder.add_distances(points, opposite_vertices(triangles),
                                  builder.add_part(material.bending.elasticity(), "bending"));
        }
        const std::uint32_t seam =
            builder.add_part(material.seam, "seam", {.closing_time = material.sewing_seconds});
        builder.add_ties(cloth.seams, seam);
        builder.add_triangles(triangles);
        builder.add_cloth(stretch, material.membrane.model);
        builder.set_weave(material.weave);
        builder.add_texture_coordinates(cloth.mesh.texture_coordinates);
    }

    static Result<Cloth> resolve(const scene::ClothBody& form, MeshSource& source) {
        source.seams.clear();
        source.warp_directions.clear();
        auto mesh = make_any<TriangleMesh>(
            form.shape, source, [&](const scene::FileShape& file) { return read_repaired(file, source); });
        if (!mesh) return mesh.error();
        return Cloth{std::move(*mesh), form.material, std::move(source.seams),
                     std::move(source.warp_directions)};
    }
};

}  // namespace pliant::bodies
