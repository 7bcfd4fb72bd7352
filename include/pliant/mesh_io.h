// Meshes from and to files. The format follows from the file's extension.
#pragma once

#include <pliant/error.h>
#include <pliant/mesh.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace pliant {

// A mesh that was read, and warnings about its file.
template <class Mesh>
struct MeshFile {
    Mesh mesh{};
    std::vector<std::string> warnings{};
};

enum class MeshKind { unknown, surface, tetrahedra };

// By the extension alone, in small or capital letters.
MeshKind mesh_kind(const std::filesystem::path& file);

// The files that a mesh of this name is read from and written to: mostly the file alone; for a .node or .ele
// both, the .node first.
std::vector<std::filesystem::path> mesh_files(const std::filesystem::path& file);

// .obj, .ply (text or binary), .stl (text or binary). Vertices keep their order; polygons are cut into
// triangles; an STL file's corners become one vertex where their coordinates are the same bits.
Result<MeshFile<TriangleMesh>> read_surface(const std::filesystem::path& file);
// .msh (Gmsh 2.2 or 4.1, text), .node with the .ele beside it (TetGen), .vtu (VTK). Inverted tetrahedra are
// turned; of second-order ones the corners are kept.
Result<MeshFile<TetrahedralMesh>> read_tetrahedra(const std::filesystem::path& file);

// The same from memory. extension: ".obj" and so on, in small or capital letters; name: of the
// source, in errors; elements: the content of the .ele that belongs to a .node.
Result<MeshFile<TriangleMesh>> parse_surface(std::string_view content, std::string_view extension,
                                             std::string_view name);
Result<MeshFile<TetrahedralMesh>> parse_tetrahedra(std::string_view content, std::string_view extension,
                                                   std::string_view name, std::string_view elements = {});

// Writes beside and renames: a file that exists stays whole until the new one is complete.
// Surfaces: .obj, .ply (binary), .stl (binary). Tetrahedra: .msh (4.1), .node and .ele, .vtu.
Status write_surface(const std::filesystem::path& file, const TriangleMesh& mesh);
Status write_tetrahedra(const std::filesystem::path& file, const TetrahedralMesh& mesh);

}  // namespace pliant
