// PLY: a header that says what elements there are, then their values. Normals and texture coordinates stand
// at vertices, or at the corners of faces: "texcoord" as MeshLab has it, and "corner_normals", which is ours.
#include "mesh/io/ply.h"

#include <array>
#include <cfloat>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <utility>

#include "mesh/geometry/polygon.h"
#include "mesh/io/formats.h"
#include "mesh/topology/first_appearance.h"

namespace pliant::mesh {
namespace {

using ply::Element;
using ply::Property;

enum Role : std::size_t { x, y, z, nx, ny, nz, u, v, role_count };

std::optional<Role> role_of(const Property& property) {
    constexpr std::pair<std::string_view, Role> names[] = {
        {"x", x}, {"y", y}, {"z", z},         {"nx", nx}, {"ny", ny}, {"nz", nz},
        {"s", u}, {"t", v}, {"texture_u", u}, {"u", u},   {"v", v},   {"texture_v", v}};
    for (const auto& [name, role] : names) {
        if (name == property.name && !property.is_list) return role;
    }
    return {};
}

// Values is ply::TextValues or ply::ByteValues.
template <class Values>
class BodyReader {
public:
    BodyReader(const ply::Header& header, std::string_view content, std::string_view name)
        : header_(header), values_(content, name, header), name_(name) {}

    SurfaceFile read() {
        for (const Element& element : header_.elements) {
            if (!read_element(element)) return values_.error();
        }
        TriangleMesh& mesh = result_.mesh;
        if (mesh.triangles.empty()) {
            return Error{std::string(name_),
                         fmt::format("has no faces (and {} vertices)", mesh.positions.size())};
        }
        drop_if_incomplete(mesh.texture_coordinates, "texture coordinates");
        drop_if_incomplete(mesh.normals, "normals");
        return std::move(result_);
    }

private:
    bool read_element(const Element& element) {
        std::uint64_t least = 0;
        for (const Property& p : element.properties) {
            least += Values::least_bytes(p.is_list ? p.count_type : p.type);
        }
        if (least == 0) return true;
        if (element.count > values_.remaining() / least) {
            return values_.fail(
                fmt::format("{} rows of element {} need at least {} bytes each, but only {} follow",
                            element.count, quoted(element.name), least, values_.remaining()));
        }
        if (element.name == "vertex") return read_vertices(element);
        if (element.name == "face") return read_faces(element);
        for (std::uint64_t i = 0; i < element.count; ++i) {
            for (const Property& property : element.properties) {
                if (!skip(property)) return false;
            }
        }
        return true;
    }

    bool skip(const Property& property) {
        std::uint64_t count = 1;
        return (!property.is_list || list_size(property, count)) && values_.skip(property.type, count);
    }

    bool list_size(const Property& property, std::uint64_t& count) {
        double number = 0;
        if (!values_.number(property.count_type, number)) return false;
        const std::uint64_t room = values_.remaining() / Values::least_bytes(property.type);
        if (!(number >= 0 && number <= static_cast<double>(room) && number == std::floor(number))) {
            return values_.fail(fmt::format("the length of a list must be 0 … {}, as {} bytes follow, got {}",
                                            room, values_.remaining(), number));
        }
        count = static_cast<std::uint64_t>(number);
        return true;
    }

    bool read_list(const Property& property, std::vector<double>& list) {
        std::uint64_t count = 0;
        if (!list_size(property, count)) return false;
        for (; count > 0; --count) {
            if (!values_.number(property.type, list.emplace_back())) return false;
        }
        return true;
    }

    bool to_float(double number, float& value) {
        if (!(std::abs(number) <= FLT_MAX)) {
            return values_.fail(fmt::format("numbers must be within ±{:g}, got {:g}", FLT_MAX, number));
        }
        value = static_cast<float>(number);
        return true;
    }

    bool read_vertices(const Element& element) {
        if (element.count > most_vertices) return values_.fail("there are more than 4294967295 vertices");
        std::array<bool, role_count> given{};
        std::vector<std::optional<Role>> roles;
        for (const Property& property : element.properties) {
            roles.push_back(role_of(property));
            if (roles.back()) given[*roles.back()] = true;
        }
        if (!given[x] || !given[y] || !given[z]) {
            return values_.fail("element \"vertex\" must have the properties x, y and z");
        }
        for (std::uint64_t i = 0; i < element.count; ++i) {
            std::array<float, role_count> value{};
            for (std::size_t p = 0; p < roles.size(); ++p) {
                const Property& property = element.properties[p];
                double number = 0;
                if (roles[p] ? !values_.number(property.type, number) || !to_float(number, value[*roles[p]])
                             : !skip(property)) {
                    return false;
                }
            }
            result_.mesh.positions.push_back({value[x], value[y], value[z]});
            if (given[nx] && given[ny] && given[nz]) normals_.push_back({value[nx], value[ny], value[nz]});
            if (given[u] && given[v]) textures_.push_back({value[u], value[v]});
        }
        return true;
    }

    bool read_faces(const Element& element) {
        const Property *corners = nullptr, *textures = nullptr, *normals = nullptr;
        for (const Property& p : element.properties) {
            if (!p.is_list) continue;
            if (p.name == "vertex_indices" || p.name == "vertex_index") corners = &p;
            if (p.name == "texcoord") textures = &p;
            if (p.name == "corner_normals") normals = &p;
        }
        if (corners == nullptr) return values_.fail("element \"face\" must have the list vertex_indices");
        for (std::uint64_t face = 0; face < element.count; ++face) {
            corners_.clear();
            corner_textures_.clear();
            corner_normals_.clear();
            for (const Property& p : element.properties) {
                std::vector<double>* list = &p == corners    ? &corners_
                                            : &p == textures ? &corner_textures_
                                            : &p == normals  ? &corner_normals_
                                                             : nullptr;
                if (list != nullptr ? !read_list(p, *list) : !skip(p)) return false;
            }
            if (!add_face(face)) return false;
        }
        return true;
    }

    bool add_face(std::uint64_t face) {
        const std::size_t vertices = result_.mesh.positions.size();
        if (corners_.size() < 3) {
            return values_.fail(
                fmt::format("face {} needs at least 3 corners, got {}", face, corners_.size()));
        }
        places_.clear();
        for (const double corner : corners_) {
            if (!(corner >= 0 && corner < static_cast<double>(vertices) && corner == std::floor(corner))) {
                return values_.fail(fmt::format("vertex {} of face {} does not exist: there are {}, from 0",
                                                corner, face, vertices));
            }
            places_.push_back(result_.mesh.positions[static_cast<std::size_t>(corner)]);
        }
        pieces_.clear();
        if (!triangulate_polygon(places_, pieces_)) {
            return values_.fail(fmt::format("face {} is concave with {} corners, at most {} are supported",
                                            face, corners_.size(), most_corners_of_concave_polygon));
        }
        for (const Triangle& t : pieces_) {
            if (!add_triangle(t)) return false;
        }
        return true;
    }

    // t: of the corners of the face. What a face says itself comes before what its vertices say.
    bool add_triangle(const Triangle& t) {
        TriangleMesh& mesh = result_.mesh;
        Triangle vertex{};
        for (std::size_t i = 0; i < 3; ++i) vertex[i] = static_cast<std::uint32_t>(corners_[t[i]]);
        mesh.triangles.push_back(vertex);
        if (corner_textures_.size() == 2 * corners_.size()) {
            auto& uv = mesh.texture_coordinates.emplace_back();
            for (std::size_t i = 0; i < 3; ++i) {
                const double* from = corner_textures_.data() + 2 * t[i];
                if (!to_float(from[0], uv[i].x) || !to_float(from[1], uv[i].y)) return false;
            }
        } else if (!textures_.empty()) {
            mesh.texture_coordinates.push_back(
                {textures_[vertex[0]], textures_[vertex[1]], textures_[vertex[2]]});
        }
        if (corner_normals_.size() == 3 * corners_.size()) {
            auto& n = mesh.normals.emplace_back();
            for (std::size_t i = 0; i < 3; ++i) {
                const double* from = corner_normals_.data() + 3 * t[i];
                if (!to_float(from[0], n[i].x) || !to_float(from[1], n[i].y) || !to_float(from[2], n[i].z)) {
                    return false;
                }
            }
        } else if (!normals_.empty()) {
            mesh.normals.push_back({normals_[vertex[0]], normals_[vertex[1]], normals_[vertex[2]]});
        }
        return true;
    }

    void drop_if_incomplete(auto& list, std::string_view what) {
        const std::size_t triangles = result_.mesh.triangles.size();
        if (list.empty() || list.size() == triangles) return;
        result_.warnings.push_back(fmt::format("{}: {} of {} triangles have no {}: none are kept", name_,
                                               triangles - list.size(), triangles, what));
        list = {};
    }

    const ply::Header& header_;
    Values values_;
    std::string_view name_;
    std::vector<Vec3> normals_;                                       // of vertices
    std::vector<Vec2> textures_;                                      // of vertices
    std::vector<double> corners_, corner_textures_, corner_normals_;  // of one face
    std::vector<Vec3> places_;
    std::vector<Triangle> pieces_;
    MeshFile<TriangleMesh> result_;
};

std::array<std::uint32_t, 2> bits_of_all(const Vec2& a) { return {bits_of(a.x), bits_of(a.y)}; }
std::array<std::uint32_t, 3> bits_of_all(const Vec3& a) { return {bits_of(a.x), bits_of(a.y), bits_of(a.z)}; }

// The value of each vertex, if all its corners have the same; else nothing.
template <class T>
std::vector<T> at_vertices(const TriangleMesh& mesh, const std::vector<std::array<T, 3>>& at_corners) {
    std::vector<T> values(mesh.positions.size());
    std::vector<bool> known(mesh.positions.size());
    for (std::size_t t = 0; t < at_corners.size(); ++t) {
        for (std::size_t i = 0; i < 3; ++i) {
            const std::uint32_t vertex = mesh.triangles[t][i];
            if (known[vertex] && bits_of_all(values[vertex]) != bits_of_all(at_corners[t][i])) return {};
            known[vertex] = true;
            values[vertex] = at_corners[t][i];
        }
    }
    return at_corners.empty() ? std::vector<T>{} : values;
}

template <class... Numbers>
void put_bytes(OutputFile& out, const Numbers&... numbers) {
    (out.write(bytes_of(numbers)), ...);
}

}  // namespace

SurfaceFile parse_ply(std::string_view content, std::string_view name) {
    const Result<ply::Header> header = ply::parse_header(content, name);
    if (!header) return header.error();
    if (header->format == ply::Format::text)
        return BodyReader<ply::TextValues>(*header, content, name).read();
    return BodyReader<ply::ByteValues>(*header, content, name).read();
}

void write_ply(OutputFile& out, const TriangleMesh& mesh) {
    const std::vector<Vec3> normals = at_vertices(mesh, mesh.normals);
    const std::vector<Vec2> textures = at_vertices(mesh, mesh.texture_coordinates);
    const bool corner_normals = normals.empty() && !mesh.normals.empty();
    const bool corner_textures = textures.empty() && !mesh.texture_coordinates.empty();
    out.print("ply\nformat binary_little_endian 1.0\nelement vertex {}\n", mesh.positions.size());
    out.write("property float x\nproperty float y\nproperty float z\n");
    if (!normals.empty()) out.write("property float nx\nproperty float ny\nproperty float nz\n");
    if (!textures.empty()) out.write("property float s\nproperty float t\n");
    out.print("element face {}\nproperty list uchar uint vertex_indices\n", mesh.triangles.size());
    if (corner_normals) out.write("property list uchar float corner_normals\n");
    if (corner_textures) out.write("property list uchar float texcoord\n");
    out.write("end_header\n");

    for (std::size_t i = 0; i < mesh.positions.size(); ++i) {
        put_bytes(out, mesh.positions[i].x, mesh.positions[i].y, mesh.positions[i].z);
        if (!normals.empty()) put_bytes(out, normals[i].x, normals[i].y, normals[i].z);
        if (!textures.empty()) put_bytes(out, textures[i].x, textures[i].y);
    }
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        put_bytes(out, std::uint8_t{3}, mesh.triangles[t][0], mesh.triangles[t][1], mesh.triangles[t][2]);
        if (corner_normals) {
            put_bytes(out, std::uint8_t{9});
            for (const Vec3& n : mesh.normals[t]) put_bytes(out, n.x, n.y, n.z);
        }
        if (corner_textures) {
            put_bytes(out, std::uint8_t{6});
            for (const Vec2& uv : mesh.texture_coordinates[t]) put_bytes(out, uv.x, uv.y);
        }
    }
}

}  // namespace pliant::mesh
