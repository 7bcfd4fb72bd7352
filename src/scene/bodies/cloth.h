// Triangles with a distance per edge and across every inner edge; seams.
#pragma once

#include "scene/bodies/body_kind.h"

namespace pliant {

template <>
struct FieldTable<ClothMaterial> {
    static constexpr const char* name = "ClothMaterial";
    static constexpr const char* summary = "The material of a cloth.";
    static constexpr auto fields = std::tuple{
        Field{"area_density", &ClothMaterial::area_density, "kg/m²", ranges::positive, "Mass per area."},
        Field{"stretch", &ClothMaterial::stretch, "m/N", ranges::any, "Of each edge."},
        Field{"bending", &ClothMaterial::bending, "m/N", ranges::any, "Of each pair of opposite vertices."},
        Field{"seam", &ClothMaterial::seam, "m/N", ranges::any,
              "Of each pair of points that a seam holds together."},
        Field{"sewing_seconds", &ClothMaterial::sewing_seconds, "s", Range{0, 1e6},
              "From the start, until seams are closed."},
    };
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
        return check_elements<2>(path + "/seams", cloth.seams, points.size());
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
        const std::uint32_t stretch = builder.add_part(material.stretch, "stretch");
        builder.add_distances(points, unique_edges(triangles), stretch);
        builder.add_distances(points, opposite_vertices(triangles),
                              builder.add_part(material.bending, "bending"));
        const std::uint32_t seam =
            builder.add_part(material.seam, "seam", {.closing_time = material.sewing_seconds});
        builder.add_ties(cloth.seams, seam);
        builder.add_triangles(triangles);
        builder.add_cloth(stretch);
        builder.add_texture_coordinates(cloth.mesh.texture_coordinates);
    }

    static Result<Cloth> resolve(const scene::ClothBody& form, MeshSource& source) {
        source.seams.clear();
        auto mesh = make_any<TriangleMesh>(
            form.shape, source, [&](const scene::FileShape& file) { return read_repaired(file, source); });
        if (!mesh) return mesh.error();
        return Cloth{std::move(*mesh), form.material, std::move(source.seams)};
    }
};

}  // namespace pliant::bodies
