// Tetrahedra with an energy each, or with a distance per edge and a volume each.
#pragma once

#include "scene/bodies/body_kind.h"

namespace pliant {

template <>
struct Choices<Energy> {
    static constexpr std::array names{"arap", "neo_hookean", "stvk", "dirichlet", "springs"};
};

namespace ranges {
inline constexpr Range young_modulus{1e-6, 1e18};
inline constexpr Range poisson_ratio{-1, 0.499, true};
}  // namespace ranges

template <>
struct FieldTable<SoftMaterial> {
    static constexpr const char* name = "SoftMaterial";
    static constexpr const char* summary = "The material of a soft body.";
    static constexpr auto fields = std::tuple{
        Field{"energy", &SoftMaterial::energy, "", ranges::any,
              "How a tetrahedron resists deformation. Giving edges or volumes implies springs."},
        Field{"density", &SoftMaterial::density, "kg/m³", ranges::positive, "Mass per volume."},
        Field{"young_modulus", &SoftMaterial::young_modulus, "Pa", ranges::young_modulus,
              "Stress over strain when stretched, at any resolution."},
        Field{"poisson_ratio", &SoftMaterial::poisson_ratio, "", ranges::poisson_ratio,
              "Share of the stretching by which it thins; near 0.5 it keeps its volume."},
        Field{"damping", &SoftMaterial::damping, "s", ranges::not_negative,
              "Retardation time: viscosity over stiffness; 0 is none."},
        Field{"edges", &SoftMaterial::edges, "1/Pa", ranges::any,
              "Of springs: of the edges; about the inverse of Young's modulus, at any resolution."},
        Field{"volumes", &SoftMaterial::volumes, "1/Pa", ranges::any,
              "Of springs: of the volumes; the inverse of the bulk modulus, at any resolution."},
    };
};

template <>
struct FieldTable<scene::SoftMaterial> {
    static constexpr const char* name = "SoftMaterial";
    static constexpr const char* summary = FieldTable<SoftMaterial>::summary;
    static constexpr auto fields = std::tuple_cat(
        std::tuple{Field{"preset", &scene::SoftMaterial::preset, "", ranges::any,
                         "A material by name: jelly, muscle, gelatine, foam, gum, rubber, tyre, cork or "
                         "steel."}},
        FieldTable<SoftMaterial>::fields);
};

template <>
struct FieldTable<scene::Soft> {
    static constexpr const char* name = "Soft";
    static constexpr const char* summary = "A body of tetrahedra that keeps its volume.";
    static constexpr auto fields = std::tuple{
        OneOf{"shape", &scene::Soft::shape,
              std::array{"box", "ball", "cylinder", "capsule", "torus", "file", "mesh"}},
        Field{"tetrahedralize", &scene::Soft::tetrahedralize, "", ranges::any,
              "How a file's surface is filled."},
        Include{&scene::Soft::material},
    };
};

}  // namespace pliant

namespace pliant::bodies {

struct SoftBodyKind {
    using Shape = SoftBody;
    using Material = SoftMaterial;
    using Form = scene::Soft;
    static constexpr const char* name = "soft";
    static constexpr auto in_material = &scene::Material::soft;
    static constexpr const char* in_material_summary = "For soft bodies.";

    static std::vector<Vec3>& positions(SoftBody& body) { return body.mesh.positions; }
    static const std::vector<Vec3>& positions(const SoftBody& body) { return body.mesh.positions; }

    static std::optional<Error> check(const SoftBody& body, const std::string& path) {
        const auto& [points, tetrahedra] = body.mesh;
        const std::string list = path + "/mesh/tetrahedra", positions = path + "/mesh/positions";
        if (auto error = check_energy(body.material, path)) return error;
        if (auto error = check_points(positions, points, 4)) return error;
        if (tetrahedra.empty()) return Error{list, "must not be empty"};
        if (auto error = check_elements<4>(list, tetrahedra, points.size())) return error;
        if (auto error = check_all_used<4>(positions, tetrahedra, points.size(), "tetrahedron")) return error;
        for (std::size_t i = 0; i < tetrahedra.size(); ++i) {
            const double volume = volume_of(points, tetrahedra[i]);
            const double longest = longest_edge(points, tetrahedra[i]);
            const double least = degenerate * longest * longest * longest;
            if (volume > least) {
                if (auto error = check_size(item(list, i), longest, body.material.density * volume / 4))
                    return error;
                continue;
            }
            if (volume < -least) {
                return Error{item(list, i),
                             fmt::format("is inverted: volume {:g} m³; must be positive (swap two of its "
                                         "particles)",
                                         volume)};
            }
            return Error{item(list, i),
                         fmt::format("is flat: volume {:g} m³ with a longest edge of {:g} m; remove it or "
                                     "move its particles apart",
                                     volume, longest)};
        }
        return {};
    }

    static std::optional<Error> check_energy(const SoftMaterial& material, const std::string& path) {
        const SoftMaterial standard;
        if (material.energy == Energy::springs) return {};
        for (const auto& [member, key] :
             {std::pair{&SoftMaterial::edges, "edges"}, std::pair{&SoftMaterial::volumes, "volumes"}}) {
            if (material.*member == standard.*member) continue;
            return Error{path + "/" + key, fmt::format("is of the energy springs; the energy is {}",
                                                       Choices<Energy>::names[std::size_t(material.energy)])};
        }
        return {};
    }

    // Gradients of a volume grow with the square of the length l, and what is divided by is their square over
    // the mass, l⁴/m: both must be numbers that a float can hold.
    static std::optional<Error> check_size(const std::string& path, double length, double mass) {
        if (!(length >= 1e-9 && length <= 1e9)) {
            return Error{path, fmt::format("has an edge of {:g} m; must be within 1e-9 … 1e9 m", length)};
        }
        const double quotient = length * length * length * length / mass;
        if (quotient >= 1e-30 && quotient <= 1e30) return {};
        return Error{path, fmt::format("has an edge of {:g} m and {:g} kg at a corner; length⁴/mass must be "
                                       "within 1e-30 … 1e30 m⁴/kg, got {:g}",
                                       length, mass, quotient)};
    }

    static void build(const Body& body, const SoftBody& shape, ModelBuilder& builder) {
        const auto& [points, tetrahedra] = shape.mesh;
        const SoftMaterial& material = shape.material;
        std::vector<double> masses(points.size(), 0.0);
        for (const Tetrahedron& t : tetrahedra) {
            const double volume = volume_of(points, t);
            for (std::uint32_t p : t) masses[p] += material.density * volume / 4;
        }
        builder.add_particles(body, points, masses);
        const std::uint32_t part =
            material.energy == Energy::springs ? add_springs(shape, builder) : add_elements(shape, builder);
        builder.add_tetrahedra(points, tetrahedra, part);
        builder.add_triangles(surface_triangles(tetrahedra));
    }

    // What parts of a material are made of: those of springs, or the one of elements.
    static std::vector<model::MaterialValues> parts_of(const SoftMaterial& material) {
        if (material.energy != Energy::springs) {
            const auto compliance = static_cast<float>(1 / double(material.young_modulus));
            return {{{.compliance = compliance, .damping = material.damping}, {material.poisson_ratio}}};
        }
        // E and the bulk modulus K give ν = ½ − E/6K. Only the coarse level asks for it.
        const double bulk_ratio = material.edges.compliance > 0
                                      ? material.volumes.compliance / double(material.edges.compliance)
                                      : 1.0;
        const auto poisson_ratio = static_cast<float>(min(max(0.5 - bulk_ratio / 6, 0.0), 0.45));
        return {{material.edges, {poisson_ratio}}, {material.volumes, {}}};
    }

private:
    // Both give the part that says how stiff tetrahedra are.
    static std::uint32_t add_elements(const SoftBody& body, ModelBuilder& builder) {
        const model::MaterialValues values = parts_of(body.material)[0];
        const std::uint32_t part = builder.add_part(values.elasticity, "element",
                                                    {.uniform = 0, .per_measure = 1}, values.constants);
        builder.add_elements(body.material.energy, body.mesh.positions, body.mesh.tetrahedra, part);
        return part;
    }
    static std::uint32_t add_springs(const SoftBody& body, ModelBuilder& builder) {
        const auto& [points, tetrahedra] = body.mesh;
        const std::vector<model::MaterialValues> values = parts_of(body.material);
        // A lattice of springs k with spacing l has a modulus of about k/l: α = c/l, with the mean length.
        const std::vector<Edge> edges = unique_edges(tetrahedra);
        double sum = 0;
        for (const Edge& e : edges) sum += length(to_double(points[e[0]]) - to_double(points[e[1]]));
        const float per_length = static_cast<float>(static_cast<double>(edges.size()) / sum);
        const std::uint32_t part =
            builder.add_part(values[0].elasticity, "edges", {.uniform = per_length}, values[0].constants);
        builder.add_distances(points, edges, part);

        // ½·(V − V₀)²/α = ½·K·((V − V₀)/V₀)²·V₀ with α = V₀/K.
        builder.add_volumes(
            points, tetrahedra,
            builder.add_part(values[1].elasticity, "volumes", {.uniform = 0, .per_measure = 1}));
        return part;
    }

public:
    static Result<SoftBody> resolve(const scene::Soft& form, MeshSource& source) {
        auto mesh = make_any<TetrahedralMesh>(form.shape, source, [&](const scene::FileShape& file) {
            return read_solid(file, form.tetrahedralize, source);
        });
        if (!mesh) return mesh.error();
        return SoftBody{std::move(*mesh), form.material};
    }
};

}  // namespace pliant::bodies
