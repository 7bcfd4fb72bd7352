#include "scene/file/collider_surfaces.h"

#include <pliant/collider_mesh.h>
#include <pliant/mesh_io.h>

#include "base/format.h"

namespace pliant {
namespace {

using Problem = std::optional<Error>;

Result<TriangleMesh> read_pose(const std::string& file, MeshSource& source) {
    auto read = read_surface(source.directory / file);
    if (!read) return Error{"poses", read.error().text()};
    if (const Status fits = take_cells(source, cells_of(read->mesh)); !fits) return fits.error();
    return std::move(read->mesh);
}

Result<std::vector<TriangleMesh>> meshes_of(const SolidMeshSource& from, MeshSource& source) {
    const int given =
        !from.file.empty() + !from.poses.empty() + (!from.positions.empty() || !from.triangles.empty());
    if (given != 1) return Error{"file", "must be given, or poses, or positions and triangles: one of them"};
    std::vector<TriangleMesh> meshes;
    if (!from.file.empty()) {
        auto read = read_repaired({from.file}, source);
        if (!read) return Error{"file", read.error().text()};
        meshes.push_back(std::move(*read));
    } else if (!from.poses.empty()) {
        for (const std::string& file : from.poses) {
            auto read = read_pose(file, source);
            if (!read) return read.error();
            meshes.push_back(std::move(*read));
        }
    } else {
        meshes.push_back({from.positions, from.triangles, {}, {}});
        if (const Status fits = take_cells(source, cells_of(meshes[0])); !fits) return fits.error();
    }
    for (TriangleMesh& mesh : meshes) {
        for (Vec3& p : mesh.positions) p = p * from.scale;
    }
    return meshes;
}

Problem failed(const Error& error, const JsonPath& path) {
    return error.path.empty() ? path.error(error.message) : (path / error.path).error(error.message);
}

Problem make(SolidMesh& solid, MeshSource& source, const JsonPath& path) {
    const auto meshes = meshes_of(solid.source, source);
    if (!meshes) return failed(meshes.error(), path);
    auto made = make_collider_mesh(*meshes, solid.source.thickness);
    if (!made) return failed(made.error(), path);
    solid.surface = *made;
    if (!is_closed(**made) && !(solid.source.thickness > 0)) {
        const std::string name = solid.source.file.empty() ? "a mesh collider" : solid.source.file;
        source.warnings.push_back(
            fmt::format("{}: its surface is open: it is a shell {:.3g} m thick", name, thickness_of(**made)));
    }
    solid.source = {};  // a simulation needs it no more
    return {};
}

Problem make(HeightField& field, MeshSource&, const JsonPath& path) {
    auto made = make_height_field({field.columns, field.rows, field.spacing, field.heights});
    if (!made) return failed(made.error(), path);
    field.surface = *made;
    field.heights.clear();
    return {};
}

template <class Shape>
Problem make(Shape&, MeshSource&, const JsonPath&) {
    return {};
}

}  // namespace

std::optional<Error> make_surface(ColliderShape& shape, MeshSource& source, const JsonPath& path) {
    const bool is_mesh = std::holds_alternative<SolidMesh>(shape);
    return std::visit([&](auto& s) { return make(s, source, path / (is_mesh ? "mesh" : "height_field")); },
                      shape);
}

}  // namespace pliant
