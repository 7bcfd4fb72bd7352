// Reading and writing by extension.
#include <pliant/mesh_io.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "base/files/extension.h"
#include "base/files/input_file.h"
#include "base/files/output_file.h"
#include "base/floating_point.h"
#include "base/format.h"
#include "mesh/geometry/finite.h"
#include "mesh/io/formats.h"

namespace pliant {
namespace {

MeshKind kind_of(std::string_view extension) {
    for (const std::string_view known : {".obj", ".ply", ".stl"}) {
        if (known == extension) return MeshKind::surface;
    }
    for (const std::string_view known : {".msh", ".node", ".ele", ".vtu"}) {
        if (known == extension) return MeshKind::tetrahedra;
    }
    return MeshKind::unknown;
}

Error wrong_extension(std::string_view name, std::string_view extension) {
    return {
        std::string(name),
        fmt::format("the extension must be .obj, .ply or .stl for a surface, .msh, .node, .ele or .vtu for "
                    "tetrahedra, got {}",
                    extension.empty() ? "none" : extension)};
}

// What a reader would not take back is not written.
template <std::size_t Corners>
Status check(const std::string& name, std::span<const Vec3> positions,
             std::span<const std::array<std::uint32_t, Corners>> elements, std::string_view what) {
    if (elements.empty()) return Error{name, fmt::format("there are no {} to write", what)};
    if (elements.size() > mesh::most_vertices) return Error{name, fmt::format("there are too many {}", what)};
    for (std::size_t i = 0; i < positions.size(); ++i) {
        const Vec3& p = positions[i];
        if (!mesh::is_finite(p)) {
            return Error{name, fmt::format("vertex {} must be finite, got {} {} {}", i, p.x, p.y, p.z)};
        }
    }
    for (std::size_t i = 0; i < elements.size(); ++i) {
        for (const std::uint32_t vertex : elements[i]) {
            if (vertex >= positions.size()) {
                return Error{name, fmt::format("element {} of the {} has vertex {}, but there are {}", i,
                                               what, vertex, positions.size())};
            }
        }
    }
    return {};
}

template <class T>
Status check_corners(const std::string& name, const std::vector<std::array<T, 3>>& values,
                     std::size_t triangles, std::string_view what) {
    if (!values.empty() && values.size() != triangles) {
        return Error{name, fmt::format("there must be {} for none or all of the {} triangles, got {}", what,
                                       triangles, values.size())};
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
        for (const T& value : values[i]) {
            if (!mesh::is_finite(value))
                return Error{name, fmt::format("{} of triangle {} must be finite", what, i)};
        }
    }
    return {};
}

Result<MeshFile<TetrahedralMesh>> read_tetgen(const std::filesystem::path& file) {
    const auto files = mesh_files(file);
    const std::filesystem::path &nodes = files[0], &elements = files[1];
    const Result<std::string> node_text = read_file(nodes);
    if (!node_text) return node_text.error();
    const Result<std::string> element_text = read_file(elements);
    if (!element_text) return element_text.error();
    return mesh::parse_tetgen(*node_text, nodes.string(), *element_text, elements.string());
}

Status write_tetgen(const std::filesystem::path& file, const TetrahedralMesh& mesh) {
    const auto files = mesh_files(file);
    OutputFile nodes(files[0]), elements(files[1]);
    mesh::write_tetgen_nodes(nodes, mesh);
    mesh::write_tetgen_elements(elements, mesh);
    if (Status status = nodes.complete(); !status) return status;
    if (Status status = elements.complete(); !status) return status;
    if (Status status = nodes.commit(); !status) return status;
    return elements.commit();
}

}  // namespace

MeshKind mesh_kind(const std::filesystem::path& file) { return kind_of(extension_of(file)); }

std::vector<std::filesystem::path> mesh_files(const std::filesystem::path& file) {
    const std::string extension = extension_of(file);
    if (extension != ".node" && extension != ".ele") return {file};
    const bool capitals = file.extension() == ".NODE" || file.extension() == ".ELE";
    std::filesystem::path other = file;
    if (extension == ".ele") {
        other.replace_extension(capitals ? ".NODE" : ".node");
        return {other, file};
    }
    other.replace_extension(capitals ? ".ELE" : ".ele");
    return {file, other};
}

Result<MeshFile<TriangleMesh>> parse_surface(std::string_view content, std::string_view extension,
                                             std::string_view name) {
    const StandardFloatingPoint floating_point;
    const std::string format = small_letters(extension);
    if (format == ".obj") return mesh::parse_obj(content, name);
    if (format == ".ply") return mesh::parse_ply(content, name);
    if (format == ".stl") return mesh::parse_stl(content, name);
    return wrong_extension(name, extension);
}

Result<MeshFile<TetrahedralMesh>> parse_tetrahedra(std::string_view content, std::string_view extension,
                                                   std::string_view name, std::string_view elements) {
    const StandardFloatingPoint floating_point;
    const std::string format = small_letters(extension);
    if (format == ".msh") return mesh::parse_gmsh(content, name);
    if (format == ".vtu") return mesh::parse_vtu(content, name);
    if (format == ".node") return mesh::parse_tetgen(content, name, elements, fmt::format("{} (.ele)", name));
    return wrong_extension(name, extension);
}

Result<MeshFile<TriangleMesh>> read_surface(const std::filesystem::path& file) {
    const StandardFloatingPoint floating_point;
    const std::string name = file.string(), extension = extension_of(file);
    if (kind_of(extension) != MeshKind::surface) return wrong_extension(name, extension);
    const Result<std::string> content = read_file(file);
    if (!content) return content.error();
    return parse_surface(*content, extension, name);
}

Result<MeshFile<TetrahedralMesh>> read_tetrahedra(const std::filesystem::path& file) {
    const StandardFloatingPoint floating_point;
    const std::string name = file.string(), extension = extension_of(file);
    if (kind_of(extension) != MeshKind::tetrahedra) return wrong_extension(name, extension);
    if (extension == ".node" || extension == ".ele") return read_tetgen(file);
    const Result<std::string> content = read_file(file);
    if (!content) return content.error();
    return parse_tetrahedra(*content, extension, name);
}

Status write_surface(const std::filesystem::path& file, const TriangleMesh& mesh) {
    const StandardFloatingPoint floating_point;
    const std::string name = file.string(), extension = extension_of(file);
    if (kind_of(extension) != MeshKind::surface) return wrong_extension(name, extension);
    const std::size_t triangles = mesh.triangles.size();
    if (Status s = check<3>(name, mesh.positions, mesh.triangles, "triangles"); !s) return s;
    if (Status s = check_corners(name, mesh.normals, triangles, "normals"); !s) return s;
    if (Status s = check_corners(name, mesh.texture_coordinates, triangles, "texture coordinates"); !s)
        return s;

    OutputFile out(file);
    if (extension == ".obj") {
        mesh::write_obj(out, mesh);
    } else if (extension == ".ply") {
        mesh::write_ply(out, mesh);
    } else {
        mesh::write_stl(out, mesh);
    }
    return out.commit();
}

Status write_tetrahedra(const std::filesystem::path& file, const TetrahedralMesh& mesh) {
    const StandardFloatingPoint floating_point;
    const std::string name = file.string(), extension = extension_of(file);
    if (kind_of(extension) != MeshKind::tetrahedra) return wrong_extension(name, extension);
    if (Status s = check<4>(name, mesh.positions, mesh.tetrahedra, "tetrahedra"); !s) return s;
    if (extension == ".node" || extension == ".ele") return write_tetgen(file, mesh);

    OutputFile out(file);
    if (extension == ".msh") {
        mesh::write_gmsh(out, mesh);
    } else {
        mesh::write_vtu(out, mesh);
    }
    return out.commit();
}

}  // namespace pliant
