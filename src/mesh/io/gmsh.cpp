// Gmsh's .msh as text, versions 2 and 4.1 (Gmsh reference manual, "File formats"). Sections lie between
// $Name and $EndName; nodes have tags, in any order and with gaps.
#include <algorithm>
#include <array>
#include <limits>
#include <span>
#include <utility>

#include "mesh/io/formats.h"
#include "mesh/io/text.h"

namespace pliant::mesh {
namespace {

constexpr std::int64_t tetrahedron_type = 4, second_order_type = 11;

class GmshReader {
public:
    GmshReader(std::string_view content, std::string_view name) : name_(name), cursor_(content, name) {}

    TetrahedralFile read() {
        if (!cursor_.to_word() || cursor_.word() != "$MeshFormat") {
            cursor_.fail("expected \"$MeshFormat\" at the start of a Gmsh file");
            return cursor_.error();
        }
        if (!format()) return cursor_.error();
        while (cursor_.to_word()) {
            const std::string_view section = cursor_.word();
            if (!section.starts_with('$')) {
                cursor_.fail("expected a section such as \"$Nodes\", got " + quoted(section));
                return cursor_.error();
            }
            cursor_.next_line();
            const bool read = section == "$Nodes"      ? nodes() && end("$EndNodes")
                              : section == "$Elements" ? elements() && end("$EndElements")
                                                       : skip_section(section);
            if (!read) return cursor_.error();
        }
        return finished(std::move(read_), name_);
    }

private:
    bool format() {
        cursor_.next_line();
        if (!cursor_.to_word()) return cursor_.expected("a version");
        const std::string_view version = cursor_.word();
        std::int64_t file_type = 0;
        if (!cursor_.integer(file_type)) return false;
        if (file_type != 0) {
            return cursor_.fail("binary .msh files are not supported: save it as text (gmsh -format msh41)");
        }
        blocks_ = version == "4.1";
        if (!blocks_ && !version.starts_with("2")) {
            return cursor_.fail("the version must be 2.2 or 4.1, got " + quoted(version) +
                                ": save it as one of these (gmsh -format msh41)");
        }
        return skip_section("$MeshFormat");
    }

    bool end(std::string_view wanted) {
        if (!cursor_.to_word()) return cursor_.expected(quoted(wanted));
        const std::string_view word = cursor_.word();
        return word == wanted || cursor_.fail(fmt::format("expected \"{}\", got {}", wanted, quoted(word)));
    }

    bool skip_section(std::string_view name) {
        const std::size_t line = cursor_.line();
        do {
            const std::string_view word = cursor_.word();
            if (word.starts_with("$End") && word.substr(4) == name.substr(1)) return true;
        } while (cursor_.next_line());
        return cursor_.fail_at(line, fmt::format("section {} does not end", quoted(name)));
    }

    // Each row takes at least so many bytes.
    bool plausible(std::uint64_t rows, std::uint64_t least, std::string_view what) {
        return rows <= (cursor_.remaining() + 1) / least ||
               cursor_.fail(fmt::format("{} {} cannot be in the {} bytes that follow", rows, what,
                                        cursor_.remaining()));
    }

    bool row() { return cursor_.to_word() || cursor_.expected("another row"); }

    bool nodes() {
        if (!nodes_.empty()) return cursor_.fail("there is a second section \"$Nodes\"");
        std::uint64_t blocks = 1, count = 0;
        if (!row() || (blocks_ && !cursor_.count(blocks)) || !cursor_.count(count)) return false;
        cursor_.next_line();
        if (count > most_vertices) return cursor_.fail("there are more than 4294967295 nodes");
        if (!plausible(count, 8, "nodes")) return false;
        if (!blocks_) {
            for (std::uint64_t i = 0; i < count; ++i) {
                if (!row() || !tag() || !position()) return false;
            }
        }
        for (std::uint64_t i = 0; blocks_ && i < blocks; ++i) {
            if (!node_block()) return false;
        }
        if (nodes_.size() != count) {
            return cursor_.fail(fmt::format("expected {} nodes, got {}", count, nodes_.size()));
        }
        std::sort(nodes_.begin(), nodes_.end());
        const auto twice = std::adjacent_find(
            nodes_.begin(), nodes_.end(), [](const Node& a, const Node& b) { return a.first == b.first; });
        return twice == nodes_.end() || cursor_.fail(fmt::format("node {} is there twice", twice->first));
    }

    bool node_block() {
        std::int64_t dimension = 0, entity = 0, parametric = 0;
        std::uint64_t count = 0;
        if (!row() || !cursor_.integers(dimension, entity, parametric) || !cursor_.count(count)) return false;
        cursor_.next_line();
        if (!plausible(count, 8, "nodes")) return false;
        for (std::uint64_t i = 0; i < count; ++i) {
            if (!row() || !tag()) return false;
        }
        for (std::uint64_t i = 0; i < count; ++i) {
            if (!row() || !position()) return false;
        }
        return true;
    }

    bool tag() {
        std::int64_t number = 0;
        if (!cursor_.integer(number)) return false;
        nodes_.emplace_back(number, static_cast<std::uint32_t>(nodes_.size()));
        return true;
    }

    // Parameters on a curve or surface may follow.
    bool position() {
        Vec3 p;
        if (!cursor_.number(p.x) || !cursor_.number(p.y) || !cursor_.number(p.z)) return false;
        read_.positions.push_back(p);
        cursor_.next_line();
        return true;
    }

    bool elements() {
        std::uint64_t blocks = 1, count = 0, found = 0;
        if (!row() || (blocks_ && !cursor_.count(blocks)) || !cursor_.count(count)) return false;
        cursor_.next_line();
        if (!plausible(count, 4, "elements")) return false;
        if (!blocks_) {
            for (; found < count; ++found) {
                std::int64_t number = 0, type = 0, ignored = 0;
                std::uint64_t tags = 0;
                if (!row() || !cursor_.integers(number, type) || !cursor_.count(tags)) return false;
                for (; tags > 0; --tags) {
                    if (!cursor_.integer(ignored)) return false;
                }
                if (!element(type)) return false;
            }
        }
        for (std::uint64_t i = 0; blocks_ && i < blocks; ++i) {
            if (!element_block(found)) return false;
        }
        return found == count || cursor_.fail(fmt::format("expected {} elements, got {}", count, found));
    }

    bool element_block(std::uint64_t& found) {
        std::int64_t dimension = 0, entity = 0, type = 0, number = 0;
        std::uint64_t count = 0;
        if (!row() || !cursor_.integers(dimension, entity, type) || !cursor_.count(count)) return false;
        cursor_.next_line();
        if (!plausible(count, 4, "elements")) return false;
        for (std::uint64_t i = 0; i < count; ++i) {
            if (!row() || !cursor_.integer(number) || !element(type)) return false;
        }
        found += count;
        return true;
    }

    // The corners come first among the nodes of an element.
    bool element(std::int64_t type) {
        if (type != tetrahedron_type && type != second_order_type) {
            ++read_.skipped[type];
        } else {
            Tetrahedron tetrahedron{};
            for (std::uint32_t& vertex : tetrahedron) {
                std::int64_t number = 0;
                if (!cursor_.integer(number) || !find(number, vertex)) return false;
            }
            read_.tetrahedra.push_back(tetrahedron);
            read_.second_order |= type == second_order_type;
        }
        cursor_.next_line();
        return true;
    }

    bool find(std::int64_t number, std::uint32_t& vertex) {
        if (nodes_.empty()) return cursor_.fail("\"$Elements\" stands before \"$Nodes\"");
        // Without gaps, and so at once, in most files.
        const std::uint64_t guess =
            static_cast<std::uint64_t>(number) - static_cast<std::uint64_t>(nodes_[0].first);
        auto node = guess < nodes_.size() && nodes_[guess].first == number
                        ? nodes_.begin() + static_cast<std::ptrdiff_t>(guess)
                        : std::lower_bound(nodes_.begin(), nodes_.end(), Node{number, 0});
        if (node == nodes_.end() || node->first != number) {
            return cursor_.fail(fmt::format("node {} does not exist: there are {}, {} … {}", number,
                                            nodes_.size(), nodes_.front().first, nodes_.back().first));
        }
        vertex = node->second;
        return true;
    }

    using Node = std::pair<std::int64_t, std::uint32_t>;  // tag, vertex

    std::string_view name_;
    TextCursor cursor_;
    bool blocks_ = false;  // version 4.1
    std::vector<Node> nodes_;
    TetrahedraRead read_;
};

}  // namespace

TetrahedralFile parse_gmsh(std::string_view content, std::string_view name) {
    return GmshReader(content, name).read();
}

// One volume, number 1, which holds all nodes and tetrahedra.
void write_gmsh(OutputFile& out, const TetrahedralMesh& mesh) {
    constexpr float huge = std::numeric_limits<float>::max();
    Vec3 low{huge, huge, huge}, high{-huge, -huge, -huge};
    for (const Vec3& p : mesh.positions) {
        low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
        high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
    }
    const std::size_t nodes = mesh.positions.size(), elements = mesh.tetrahedra.size();
    out.print(
        "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Entities\n0 0 0 1\n1 {} {} {} {} {} {} 0 0\n$EndEntities\n",
        low.x, low.y, low.z, high.x, high.y, high.z);
    out.print("$Nodes\n1 {0} 1 {0}\n3 1 0 {0}\n", nodes);
    for (std::size_t i = 1; i <= nodes; ++i) out.print("{}\n", i);
    for (const Vec3& p : mesh.positions) out.print("{} {} {}\n", p.x, p.y, p.z);
    out.print("$EndNodes\n$Elements\n1 {0} 1 {0}\n3 1 4 {0}\n", elements);
    for (std::size_t i = 0; i < elements; ++i) {
        out.print("{}", i + 1);
        for (const std::uint32_t vertex : mesh.tetrahedra[i]) out.print(" {}", vertex + std::uint64_t{1});
        out.write("\n");
    }
    out.write("$EndElements\n");
}

}  // namespace pliant::mesh
