#include "scene/file/mesh_sources.h"

#include <pliant/mesh_io.h>
#include <pliant/mesh_report.h>
#include <pliant/panels.h>
#include <pliant/shapes.h>
#include <pliant/tetrahedralize.h>

#include <algorithm>

#include "base/format.h"

namespace pliant {

using namespace scene;

namespace {

template <class... Ts>
double times(Ts... counts) {
    return (1.0 * ... * static_cast<double>(counts));
}

std::filesystem::path path_of(const FileShape& file, const MeshSource& source) {
    return source.directory / file.path;
}

template <class Mesh>
Result<Mesh> noted(Result<MeshFile<Mesh>> read, MeshSource& source) {
    if (!read) return read.error();
    for (const std::string& warning : read->warnings) source.warnings.push_back(warning);  // names the file
    if (const Status fits = take_cells(source, cells_of(read->mesh)); !fits) return fits.error();
    return std::move(read->mesh);
}

// An Error of reading has a place of its own, the file's; here it belongs into the message.
Error inside(const Error& error) { return {"", error.text()}; }

}  // namespace

double cells_of(const BoxShape& s) { return times(s.cells[0], s.cells[1], s.cells[2]); }
double cells_of(const BallShape& s) { return 4 * times(s.layers, s.layers, s.layers); }
double cells_of(const CylinderShape& s) { return 3 * times(s.rings, s.rings, s.rows); }
double cells_of(const CapsuleShape& s) { return 3 * times(s.rings, s.rings, s.rows + s.rings); }
double cells_of(const TorusShape& s) { return 3 * times(s.rings, s.rings, s.segments); }
double cells_of(const SheetShape& s) { return times(s.columns, s.rows); }
double cells_of(const TubeShape& s) { return times(s.segments, s.rows); }
double cells_of(const SphereShape& s) { return 10 * times(s.frequency, s.frequency); }
double cells_of(const LineShape& s) { return s.links; }
double cells_of(const HelixShape& s) { return s.links; }
double cells_of(const GrainsShape& s) {
    return (s.size.x / s.spacing + 1.0) * (s.size.y / s.spacing + 1.0) * (s.size.z / s.spacing + 1.0);
}
double cells_of(const TetrahedralMesh& s) { return static_cast<double>(s.tetrahedra.size()) / 6; }
double cells_of(const TriangleMesh& s) { return static_cast<double>(s.triangles.size()) / 2; }
double cells_of(const PointsShape& s) { return static_cast<double>(s.points.size()); }
double cells_of(const Panels& s) {
    double cells = 0;
    for (const Panel& piece : s.pieces) {
        Vec2 low{1e6f, 1e6f}, high{-1e6f, -1e6f};
        for (const Vec2& p : piece.outline) {
            low = {std::min(low.x, p.x), std::min(low.y, p.y)};
            high = {std::max(high.x, p.x), std::max(high.y, p.y)};
        }
        if (piece.outline.size() < 3) continue;  // told later
        cells += times(high.x - low.x, high.y - low.y) / times(s.edge_length, s.edge_length);
    }
    return cells;
}

Status take_cells(MeshSource& source, double cells) {
    source.cells += cells;
    if (source.cells <= most_cells) return {};
    return Error{"", fmt::format("too large: the scene would have {:.0f} cells and points of strands, at "
                                 "most {:.0f} are allowed",
                                 source.cells, most_cells)};
}

Result<TriangleMesh> read_repaired(const FileShape& file, MeshSource& source) {
    auto surface = noted(read_surface(path_of(file, source)), source);
    if (!surface) return inside(surface.error());
    Repaired repaired = repair(*surface);
    for (const std::string& change : repaired.changes) source.warnings.push_back(file.path + ": " + change);
    return std::move(repaired.mesh);
}

Result<TetrahedralMesh> read_solid(const FileShape& file, const TetrahedralizeOptions& options,
                                   MeshSource& source) {
    if (mesh_kind(path_of(file, source)) == MeshKind::tetrahedra) {
        auto mesh = noted(read_tetrahedra(path_of(file, source)), source);
        if (!mesh) return inside(mesh.error());
        return mesh;
    }
    auto surface = read_repaired(file, source);
    if (!surface) return surface.error();
    TetrahedralizeOptions watched = options;
    watched.progress = source.progress;
    auto filled = tetrahedralize(*surface, watched);
    if (!filled) return inside(filled.error());
    for (const std::string& warning : filled->warnings) source.warnings.push_back(file.path + ": " + warning);
    if (const Status fits = take_cells(source, cells_of(filled->mesh)); !fits) return fits.error();
    source.skin = std::move(*surface);
    return std::move(filled->mesh);
}

Result<TetrahedralMesh> make(const BoxShape& s, MeshSource&) { return make_box(s.size, s.cells); }
Result<TetrahedralMesh> make(const BallShape& s, MeshSource&) { return make_ball(s.radius, s.layers); }
Result<TetrahedralMesh> make(const CylinderShape& s, MeshSource&) {
    return make_cylinder(s.radius, s.height, s.rings, s.rows);
}
Result<TetrahedralMesh> make(const CapsuleShape& s, MeshSource&) {
    return make_capsule(s.radius, s.height, s.rings, s.rows);
}
Result<TetrahedralMesh> make(const TorusShape& s, MeshSource&) {
    return make_torus(s.major_radius, s.minor_radius, s.rings, s.segments);
}
Result<TriangleMesh> make(const SheetShape& s, MeshSource&) {
    return make_sheet(s.width, s.depth, s.columns, s.rows);
}
Result<TriangleMesh> make(const TubeShape& s, MeshSource&) {
    return make_tube(s.radius, s.height, s.segments, s.rows);
}
Result<TriangleMesh> make(const SphereShape& s, MeshSource&) { return make_icosphere(s.radius, s.frequency); }
Result<TriangleMesh> make(const Panels& s, MeshSource& source) {
    auto sewn = sew(s);
    if (!sewn) return sewn.error();
    source.seams = std::move(sewn->seams);
    source.warp_directions = std::move(sewn->warp_directions);
    return std::move(sewn->mesh);
}
Result<std::vector<Vec3>> make(const GrainsShape& s, MeshSource&) {
    return make_grains(s.size, s.spacing, s.jitter, s.seed);
}
Result<std::vector<Vec3>> make(const LineShape& s, MeshSource&) { return make_line(s.from, s.to, s.links); }
Result<std::vector<Vec3>> make(const HelixShape& s, MeshSource&) {
    return make_helix(s.radius, s.height, s.turns, s.links);
}
Result<std::vector<Vec3>> make(const PointsShape& s, MeshSource&) { return s.points; }
Result<TetrahedralMesh> make(const TetrahedralMesh& s, MeshSource&) { return s; }
Result<TriangleMesh> make(const TriangleMesh& s, MeshSource&) { return s; }

}  // namespace pliant
