// Wavefront OBJ. Faces may name vertices that come after them, so they are kept aside until the end.
#include <array>
#include <span>
#include <utility>

#include "base/format.h"
#include "mesh/geometry/polygon.h"
#include "mesh/io/formats.h"
#include "mesh/io/text.h"
#include "mesh/topology/first_appearance.h"

namespace pliant::mesh {
namespace {

constexpr std::int64_t none = -1;

// Indices from 0; none where the file gives none.
struct Corner {
    std::int64_t vertex = none, texture = none, normal = none;
};

struct Face {
    std::size_t first = 0;  // of its corners
    std::size_t line = 0;
};

class ObjReader {
public:
    ObjReader(std::string_view content, std::string_view name)
        : name_(name), cursor_(content, name, {.comments = true, .continued_lines = true}) {}

    SurfaceFile read() {
        do {
            if (!statement()) return cursor_.error();
        } while (cursor_.next_line());
        if (faces_.empty()) {
            return Error{std::string(name_),
                         fmt::format("has no faces (and {} vertices)", positions_.size())};
        }
        faces_.push_back({corners_.size(), 0});
        for (std::size_t i = 0; i + 1 < faces_.size(); ++i) {
            if (!add_face(i)) return cursor_.error();
        }
        result_.mesh.positions = std::move(positions_);
        drop_if_incomplete(result_.mesh.normals, without_normal_, "normals");
        drop_if_incomplete(result_.mesh.texture_coordinates, without_texture_, "texture coordinates");
        return std::move(result_);
    }

private:
    bool statement() {
        const std::string_view word = cursor_.word();
        if (word == "v") return vector(positions_);
        if (word == "f") return face();
        if (word == "vn") return vector(normals_);
        if (word == "vt") return texture_coordinates();
        return true;
    }

    // What follows, a weight or a colour, is not kept.
    bool vector(std::vector<Vec3>& list) {
        Vec3 p;
        if (!cursor_.number(p.x) || !cursor_.number(p.y) || !cursor_.number(p.z)) return false;
        list.push_back(p);
        return list.size() <= most_vertices || cursor_.fail("there are more than 4294967295 vertices");
    }

    bool texture_coordinates() {
        Vec2 uv;
        if (!cursor_.number(uv.x) || (cursor_.has_word() && !cursor_.number(uv.y))) return false;
        textures_.push_back(uv);
        return true;
    }

    bool face() {
        faces_.push_back({corners_.size(), cursor_.line()});
        while (cursor_.has_word()) {
            Corner corner;
            if (!index(corner.vertex, positions_.size(), "vertex")) return false;
            if (cursor_.take('/')) {
                // 1//2 and 1/ have no texture coordinate.
                const bool textured = !cursor_.word_ended() && cursor_.rest().front() != '/';
                if (textured && !index(corner.texture, textures_.size(), "texture coordinate")) return false;
                if (cursor_.take('/') && !cursor_.word_ended() &&
                    !index(corner.normal, normals_.size(), "normal")) {
                    return false;
                }
            }
            if (!cursor_.word_ended()) return cursor_.expected("a blank after vertex/texture/normal");
            corners_.push_back(corner);
        }
        const std::size_t count = corners_.size() - faces_.back().first;
        return count >= 3 || cursor_.fail(fmt::format("a face needs at least 3 corners, got {}", count));
    }

    // From 1, or from −1 backwards over those read so far.
    bool index(std::int64_t& result, std::size_t so_far, std::string_view what) {
        std::int64_t number = 0;
        if (!cursor_.integer_part(number)) return cursor_.expected(fmt::format("the number of a {}", what));
        result = number > 0 ? number - 1 : static_cast<std::int64_t>(so_far) + number;
        if (number != 0 && result >= 0) return true;
        return cursor_.fail(
            fmt::format("{} {} does not exist: they count from 1, or from -1 backwards over the {} so far",
                        what, number, so_far));
    }

    bool exists(std::int64_t index, std::size_t count, std::size_t line, std::string_view what) {
        return index < static_cast<std::int64_t>(count) ||
               cursor_.fail_at(line,
                               fmt::format("{} {} does not exist: there are {}", what, index + 1, count));
    }

    bool add_face(std::size_t face) {
        const std::span corners(corners_.data() + faces_[face].first,
                                faces_[face + 1].first - faces_[face].first);
        const std::size_t line = faces_[face].line;
        bool textured = true, with_normals = true;
        places_.clear();
        for (const Corner& corner : corners) {
            if (!exists(corner.vertex, positions_.size(), line, "vertex") ||
                !exists(corner.texture, textures_.size(), line, "texture coordinate") ||
                !exists(corner.normal, normals_.size(), line, "normal")) {
                return false;
            }
            textured = textured && corner.texture != none;
            with_normals = with_normals && corner.normal != none;
            places_.push_back(positions_[static_cast<std::size_t>(corner.vertex)]);
        }
        without_texture_ += !textured;
        without_normal_ += !with_normals;

        pieces_.clear();
        if (!triangulate_polygon(places_, pieces_)) {
            return cursor_.fail_at(
                line, fmt::format("a concave face has {} corners, at most {} are supported", corners.size(),
                                  most_corners_of_concave_polygon));
        }
        for (const Triangle& t : pieces_) {
            add_triangle({corners[t[0]], corners[t[1]], corners[t[2]]});
        }
        return true;
    }

    // As long as every face has them.
    void add_triangle(const std::array<Corner, 3>& c) {
        TriangleMesh& mesh = result_.mesh;
        const auto at = [](std::int64_t i) { return static_cast<std::size_t>(i); };
        mesh.triangles.push_back({static_cast<std::uint32_t>(c[0].vertex),
                                  static_cast<std::uint32_t>(c[1].vertex),
                                  static_cast<std::uint32_t>(c[2].vertex)});
        if (without_normal_ == 0) {
            mesh.normals.push_back(
                {normals_[at(c[0].normal)], normals_[at(c[1].normal)], normals_[at(c[2].normal)]});
        }
        if (without_texture_ == 0) {
            mesh.texture_coordinates.push_back(
                {textures_[at(c[0].texture)], textures_[at(c[1].texture)], textures_[at(c[2].texture)]});
        }
    }

    void drop_if_incomplete(auto& list, std::size_t without, std::string_view what) {
        const std::size_t faces = faces_.size() - 1;
        const bool some = without > 0 && without < faces;
        if (some) {
            result_.warnings.push_back(
                fmt::format("{}: {} of {} faces have no {}: none are kept", name_, without, faces, what));
        }
        if (without > 0) list = {};
    }

    std::string_view name_;
    TextCursor cursor_;
    std::vector<Vec3> positions_, normals_;
    std::vector<Vec2> textures_;
    std::vector<Corner> corners_;
    std::vector<Face> faces_;
    std::size_t without_texture_ = 0, without_normal_ = 0;  // faces
    std::vector<Vec3> places_;
    std::vector<Triangle> pieces_;
    MeshFile<TriangleMesh> result_;
};

}  // namespace

SurfaceFile parse_obj(std::string_view content, std::string_view name) {
    return ObjReader(content, name).read();
}

void write_obj(OutputFile& out, const TriangleMesh& mesh) {
    for (const Vec3& p : mesh.positions) out.print("v {} {} {}\n", p.x, p.y, p.z);

    // Texture coordinates and normals once each, numbered as they come.
    FirstAppearance<2> textures;
    FirstAppearance<3> normals;
    std::vector<std::array<std::uint32_t, 3>> texture_of, normal_of;
    for (const auto& corners : mesh.texture_coordinates) {
        auto& numbers = texture_of.emplace_back();
        for (std::size_t i = 0; i < 3; ++i) {
            const Vec2& uv = corners[i];
            const std::size_t known = textures.size();
            numbers[i] = textures.number({bits_of(uv.x), bits_of(uv.y)}) + 1;
            if (textures.size() > known) out.print("vt {} {}\n", uv.x, uv.y);
        }
    }
    for (const auto& corners : mesh.normals) {
        auto& numbers = normal_of.emplace_back();
        for (std::size_t i = 0; i < 3; ++i) {
            const Vec3& n = corners[i];
            const std::size_t known = normals.size();
            numbers[i] = normals.number({bits_of(n.x), bits_of(n.y), bits_of(n.z)}) + 1;
            if (normals.size() > known) out.print("vn {} {} {}\n", n.x, n.y, n.z);
        }
    }
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        out.write("f");
        for (std::size_t i = 0; i < 3; ++i) {
            out.print(" {}", mesh.triangles[t][i] + std::uint64_t{1});
            if (!texture_of.empty()) out.print("/{}", texture_of[t][i]);
            if (!normal_of.empty()) out.print("{}{}", texture_of.empty() ? "//" : "/", normal_of[t][i]);
        }
        out.write("\n");
    }
}

}  // namespace pliant::mesh
