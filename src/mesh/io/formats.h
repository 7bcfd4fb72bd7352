// The formats, one file each: a parser from memory and a writer to text or bytes.
#pragma once

#include <pliant/error.h>
#include <pliant/mesh.h>
#include <pliant/mesh_io.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/files/output_file.h"

namespace pliant::mesh {

using SurfaceFile = Result<MeshFile<TriangleMesh>>;
using TetrahedralFile = Result<MeshFile<TetrahedralMesh>>;

// name: what errors call the source
SurfaceFile parse_obj(std::string_view content, std::string_view name);
SurfaceFile parse_ply(std::string_view content, std::string_view name);
SurfaceFile parse_stl(std::string_view content, std::string_view name);
TetrahedralFile parse_gmsh(std::string_view content, std::string_view name);
TetrahedralFile parse_tetgen(std::string_view nodes, std::string_view nodes_name, std::string_view elements,
                             std::string_view elements_name);
TetrahedralFile parse_vtu(std::string_view content, std::string_view name);

// The mesh is valid: finite numbers, indices in range.
void write_obj(OutputFile& out, const TriangleMesh& mesh);
void write_ply(OutputFile& out, const TriangleMesh& mesh);
void write_stl(OutputFile& out, const TriangleMesh& mesh);
void write_gmsh(OutputFile& out, const TetrahedralMesh& mesh);
void write_tetgen_nodes(OutputFile& out, const TetrahedralMesh& mesh);
void write_tetgen_elements(OutputFile& out, const TetrahedralMesh& mesh);
void write_vtu(OutputFile& out, const TetrahedralMesh& mesh);

// What a reader of tetrahedra gathers before finished() looks it over.
struct TetrahedraRead {
    std::vector<Vec3> positions{};
    std::vector<Tetrahedron> tetrahedra{};
    std::map<std::int64_t, std::uint64_t> skipped{};  // elements of other types: how many of each
    bool second_order = false;                        // there are nodes in the middle of edges, not kept
};

// Turns inverted tetrahedra, drops the middle nodes of second-order elements, and warns.
TetrahedralFile finished(TetrahedraRead&& read, std::string_view name);

// Indices must fit.
inline constexpr std::uint64_t most_vertices = 0xffffffff;

}  // namespace pliant::mesh
