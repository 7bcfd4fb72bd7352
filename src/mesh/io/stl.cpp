// STL: triangles that share nothing. Corners with the same coordinates become one vertex again.
#include <array>
#include <utility>

#include "base/convert.h"
#include "mesh/geometry/finite.h"
#include "mesh/io/bytes.h"
#include "mesh/io/formats.h"
#include "mesh/io/text.h"
#include "mesh/topology/first_appearance.h"

namespace pliant::mesh {
namespace {

constexpr std::size_t header_bytes = 80, start_bytes = header_bytes + 4, triangle_bytes = 50;

class CornerList {
public:
    std::uint32_t vertex(Vec3 p) {
        p = {p.x + 0.0f, p.y + 0.0f, p.z + 0.0f};  // −0 becomes 0
        const std::uint32_t number = vertices_.number({bits_of(p.x), bits_of(p.y), bits_of(p.z)});
        if (number == mesh.positions.size()) mesh.positions.push_back(p);
        return number;
    }

    TriangleMesh mesh;

private:
    FirstAppearance<3> vertices_;
};

bool same_word(std::string_view word, std::string_view lower_case) {
    if (word.size() != lower_case.size()) return false;
    for (std::size_t i = 0; i < word.size(); ++i) {
        if ((word[i] | 0x20) != lower_case[i]) return false;
    }
    return true;
}

class TextReader {
public:
    TextReader(std::string_view content, std::string_view name) : name_(name), cursor_(content, name) {}

    SurfaceFile read() {
        while (cursor_.to_word()) {
            const std::string_view word = cursor_.word();
            // A name may follow on the line.
            if (same_word(word, "solid") || same_word(word, "endsolid")) {
                cursor_.next_line();
            } else if (!same_word(word, "facet")) {
                cursor_.fail("expected \"solid\", \"facet\" or \"endsolid\", got " + quoted(word));
                return cursor_.error();
            } else if (!facet()) {
                return cursor_.error();
            }
        }
        if (corners_.mesh.triangles.empty()) return Error{std::string(name_), "has no triangles"};
        return MeshFile<TriangleMesh>{std::move(corners_.mesh), {}};
    }

private:
    bool keyword(std::string_view wanted) {
        if (!cursor_.to_word()) return cursor_.expected(fmt::format("\"{}\"", wanted));
        const std::string_view word = cursor_.word();
        return same_word(word, wanted) ||
               cursor_.fail(fmt::format("expected \"{}\", got {}", wanted, quoted(word)));
    }

    // The normal, which follows from the corners, is not even looked at.
    bool facet() {
        cursor_.next_line();
        if (!keyword("outer") || !keyword("loop")) return false;
        Triangle triangle{};
        for (std::uint32_t& vertex : triangle) {
            Vec3 p;
            if (!keyword("vertex") || !cursor_.number(p.x) || !cursor_.number(p.y) || !cursor_.number(p.z)) {
                return false;
            }
            vertex = corners_.vertex(p);
        }
        corners_.mesh.triangles.push_back(triangle);
        return keyword("endloop") && keyword("endfacet");
    }

    std::string_view name_;
    TextCursor cursor_;
    CornerList corners_;
};

SurfaceFile parse_binary(std::string_view content, std::string_view name) {
    ByteCursor cursor(content, name, 0, false);
    std::uint32_t count = 0;
    if (!cursor.skip(header_bytes) || !cursor.read(count)) return cursor.error();
    const std::uint64_t needed = std::uint64_t{triangle_bytes} * count;
    if (cursor.remaining() < needed) {
        cursor.fail(fmt::format("{} triangles need {} bytes, got {}", count, needed, cursor.remaining()));
        return cursor.error();
    }
    MeshFile<TriangleMesh> result;
    if (cursor.remaining() > needed) {
        result.warnings.push_back(fmt::format("{}: {} bytes after the last triangle are ignored", name,
                                              cursor.remaining() - needed));
    }
    if (count == 0) return Error{std::string(name), "has no triangles"};

    CornerList corners;
    corners.mesh.triangles.reserve(count);
    for (std::uint32_t t = 0; t < count; ++t) {
        Triangle triangle{};
        if (!cursor.skip(12)) return cursor.error();
        for (std::uint32_t& vertex : triangle) {
            Vec3 p;
            if (!cursor.read(p.x) || !cursor.read(p.y) || !cursor.read(p.z)) return cursor.error();
            if (!is_finite(p)) {
                cursor.fail(fmt::format("coordinates must be finite, got {} {} {}", p.x, p.y, p.z));
                return cursor.error();
            }
            vertex = corners.vertex(p);
        }
        corners.mesh.triangles.push_back(triangle);
        if (!cursor.skip(2)) return cursor.error();
    }
    result.mesh = std::move(corners.mesh);
    return result;
}

// A binary file may begin with "solid" too: then its size tells, or bytes that no text has.
bool is_text(std::string_view content, std::string_view name) {
    if (!same_word(TextCursor(content, name).word(), "solid")) return false;
    if (content.size() < start_bytes) return true;
    const auto count = number_from_bytes<std::uint32_t>(content.data() + header_bytes, false);
    if (content.size() == start_bytes + std::uint64_t{triangle_bytes} * count) return false;
    return content.substr(0, 1024).find('\0') == std::string_view::npos;
}

}  // namespace

SurfaceFile parse_stl(std::string_view content, std::string_view name) {
    return is_text(content, name) ? TextReader(content, name).read() : parse_binary(content, name);
}

void write_stl(OutputFile& out, const TriangleMesh& mesh) {
    std::string header = "Binary STL by Pliant";
    header.resize(header_bytes, ' ');
    out.write(header);
    out.write(bytes_of(static_cast<std::uint32_t>(mesh.triangles.size())));
    for (const Triangle& t : mesh.triangles) {
        const Vec3d a = to_double(mesh.positions[t[0]]);
        Vec3d normal = cross(to_double(mesh.positions[t[1]]) - a, to_double(mesh.positions[t[2]]) - a);
        const double size = length(normal);
        if (size > 0) normal = normal * (1 / size);
        const Vec3 n = to_float(normal);
        for (const Vec3& v : {n, mesh.positions[t[0]], mesh.positions[t[1]], mesh.positions[t[2]]}) {
            for (const float x : {v.x, v.y, v.z}) out.write(bytes_of(x));
        }
        out.write(bytes_of(std::uint16_t{0}));
    }
}

}  // namespace pliant::mesh
