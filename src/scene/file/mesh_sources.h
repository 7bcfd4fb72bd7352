// The points and elements from which the bodies of a scene file are made.
#pragma once

#include <pliant/error.h>
#include <pliant/scene_file.h>

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

namespace pliant {

// What a scene may ask for, so that a mistyped number does not eat all memory.
inline constexpr double most_cells = 1e6;

struct MeshSource {
    std::filesystem::path directory{};
    std::function<bool(double share, std::string_view stage)> progress{};  // of filling
    double cells = 0;                                                      // of all that was made so far
    std::vector<std::string> warnings{};                                   // about files
    TriangleMesh skin{};        // of the last soft body: the surface that was filled
    std::vector<Edge> seams{};  // of the last cloth
    std::vector<Vec3> warp_directions{};
    // The surface of a body that was resolved before, by its name; triangles that strands of the last hair
    // grow from.
    std::function<Result<TriangleMesh>(std::string_view body)> surface_of{};
    std::vector<Triangle> root_triangles{};
};

// About how many cells a shape has: half a dozen tetrahedra, two triangles, a link.
double cells_of(const scene::BoxShape& shape);
double cells_of(const scene::BallShape& shape);
double cells_of(const scene::CylinderShape& shape);
double cells_of(const scene::CapsuleShape& shape);
double cells_of(const scene::TorusShape& shape);
double cells_of(const scene::SheetShape& shape);
double cells_of(const scene::TubeShape& shape);
double cells_of(const scene::SphereShape& shape);
double cells_of(const scene::LineShape& shape);
double cells_of(const scene::HelixShape& shape);
double cells_of(const scene::GrainsShape& shape);
double cells_of(const scene::PointsShape& shape);
double cells_of(const Panels& panels);
double cells_of(const TetrahedralMesh& mesh);
double cells_of(const TriangleMesh& mesh);

// An Error's path is "" or the path to the field within the shape.
Result<TetrahedralMesh> make(const scene::BoxShape& shape, MeshSource& source);
Result<TetrahedralMesh> make(const scene::BallShape& shape, MeshSource& source);
Result<TetrahedralMesh> make(const scene::CylinderShape& shape, MeshSource& source);
Result<TetrahedralMesh> make(const scene::CapsuleShape& shape, MeshSource& source);
Result<TetrahedralMesh> make(const scene::TorusShape& shape, MeshSource& source);
Result<TetrahedralMesh> make(const TetrahedralMesh& mesh, MeshSource& source);
Result<TriangleMesh> make(const scene::SheetShape& shape, MeshSource& source);
Result<TriangleMesh> make(const scene::TubeShape& shape, MeshSource& source);
Result<TriangleMesh> make(const scene::SphereShape& shape, MeshSource& source);
Result<TriangleMesh> make(const Panels& panels, MeshSource& source);
Result<TriangleMesh> make(const TriangleMesh& mesh, MeshSource& source);
Result<std::vector<Vec3>> make(const scene::LineShape& shape, MeshSource& source);
Result<std::vector<Vec3>> make(const scene::HelixShape& shape, MeshSource& source);
Result<std::vector<Vec3>> make(const scene::GrainsShape& shape, MeshSource& source);
Result<std::vector<Vec3>> make(const scene::PointsShape& shape, MeshSource& source);

Result<TriangleMesh> read_repaired(const scene::FileShape& file, MeshSource& source);
// Tetrahedra, or a surface that is filled with them.
Result<TetrahedralMesh> read_solid(const scene::FileShape& file, const TetrahedralizeOptions& options,
                                   MeshSource& source);

Status take_cells(MeshSource& source, double cells);

// Of whichever shape is there; read is for a file.
template <class Made, class Variant, class Read>
Result<Made> make_any(const Variant& shapes, MeshSource& source, Read&& read) {
    const auto make_one = [&]<class Shape>(const Shape& shape) -> Result<Made> {
        if constexpr (std::is_same_v<Shape, scene::FileShape>) {
            return read(shape);
        } else {
            if (const Status fits = take_cells(source, cells_of(shape)); !fits) return fits.error();
            return make(shape, source);
        }
    };
    return std::visit(make_one, shapes);
}
template <class Made, class Variant>
Result<Made> make_any(const Variant& shapes, MeshSource& source) {
    return make_any<Made>(shapes, source, [] {});
}

}  // namespace pliant
