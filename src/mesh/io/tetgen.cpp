// TetGen's pair of files: points in .node, tetrahedra in .ele (TetGen manual, "File formats").
#include <utility>

#include "mesh/io/formats.h"
#include "mesh/io/text.h"

namespace pliant::mesh {
namespace {

constexpr TextStyle style{.comments = true};

bool row(TextCursor& cursor, std::uint64_t done, std::uint64_t count, std::string_view what) {
    return cursor.to_word() ||
           cursor.fail(fmt::format("expected {} {}, got {} and then the end of the file", count, what, done));
}

// A row is numbered and has three numbers or more, so it takes eight bytes at least.
bool read_count(TextCursor& cursor, std::uint64_t& count, std::string_view what) {
    if (!cursor.to_word()) return cursor.expected(fmt::format("the number of {}", what));
    if (!cursor.count(count)) return false;
    if (count == 0) return cursor.fail(fmt::format("there are no {}", what));
    return count <= (cursor.remaining() + 1) / 8 ||
           cursor.fail(
               fmt::format("{} {} cannot be in the {} bytes that follow", count, what, cursor.remaining()));
}

// base: the number of the first point
bool read_nodes(TextCursor& cursor, TetrahedraRead& read, std::int64_t& base) {
    std::uint64_t count = 0;
    std::int64_t dimensions = 3;
    if (!read_count(cursor, count, "points")) return false;
    if (cursor.has_word() && !cursor.integer(dimensions)) return false;
    if (dimensions != 3) return cursor.fail(fmt::format("points must have 3 dimensions, got {}", dimensions));
    if (count > most_vertices) return cursor.fail("there are more than 4294967295 points");
    cursor.next_line();
    for (std::uint64_t i = 0; i < count; ++i) {
        std::int64_t number = 0;
        Vec3 p;
        if (!row(cursor, i, count, "points") || !cursor.integer(number)) return false;
        if (i == 0) base = number;
        if (base != 0 && base != 1) {
            return cursor.fail(fmt::format("the first point must be 0 or 1, got {}", number));
        }
        if (number != base + static_cast<std::int64_t>(i)) {
            return cursor.fail(fmt::format("points must be numbered one by one: expected {}, got {}",
                                           base + static_cast<std::int64_t>(i), number));
        }
        if (!cursor.number(p.x) || !cursor.number(p.y) || !cursor.number(p.z)) return false;
        read.positions.push_back(p);
        cursor.next_line();
    }
    return true;
}

bool read_elements(TextCursor& cursor, TetrahedraRead& read, std::int64_t base) {
    std::uint64_t count = 0;
    std::int64_t corners = 4;
    if (!read_count(cursor, count, "tetrahedra")) return false;
    if (cursor.has_word() && !cursor.integer(corners)) return false;
    if (corners != 4 && corners != 10) {
        return cursor.fail(fmt::format("tetrahedra must have 4 or 10 points, got {}", corners));
    }
    read.second_order = corners == 10;
    cursor.next_line();
    const auto points = static_cast<std::int64_t>(read.positions.size());
    for (std::uint64_t i = 0; i < count; ++i) {
        std::int64_t number = 0;
        if (!row(cursor, i, count, "tetrahedra") || !cursor.integer(number)) return false;
        Tetrahedron tetrahedron{};
        for (std::uint32_t& vertex : tetrahedron) {
            if (!cursor.integer(number)) return false;
            if (number < base || number - base >= points) {
                return cursor.fail(fmt::format("point {} does not exist: there are {}, {} … {}", number,
                                               points, base, base + points - 1));
            }
            vertex = static_cast<std::uint32_t>(number - base);
        }
        read.tetrahedra.push_back(tetrahedron);
        cursor.next_line();
    }
    return true;
}

}  // namespace

TetrahedralFile parse_tetgen(std::string_view nodes, std::string_view nodes_name, std::string_view elements,
                             std::string_view elements_name) {
    TetrahedraRead read;
    std::int64_t base = 0;
    TextCursor node_cursor(nodes, nodes_name, style), element_cursor(elements, elements_name, style);
    if (!read_nodes(node_cursor, read, base)) return node_cursor.error();
    if (!read_elements(element_cursor, read, base)) return element_cursor.error();
    return finished(std::move(read), elements_name);
}

void write_tetgen_nodes(OutputFile& out, const TetrahedralMesh& mesh) {
    out.print("{} 3 0 0\n", mesh.positions.size());
    for (std::size_t i = 0; i < mesh.positions.size(); ++i) {
        const Vec3& p = mesh.positions[i];
        out.print("{} {} {} {}\n", i, p.x, p.y, p.z);
    }
}

void write_tetgen_elements(OutputFile& out, const TetrahedralMesh& mesh) {
    out.print("{} 4 0\n", mesh.tetrahedra.size());
    for (std::size_t i = 0; i < mesh.tetrahedra.size(); ++i) {
        const Tetrahedron& t = mesh.tetrahedra[i];
        out.print("{} {} {} {} {}\n", i, t[0], t[1], t[2], t[3]);
    }
}

}  // namespace pliant::mesh
