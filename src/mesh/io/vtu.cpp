// VTK's unstructured grids as XML (VTK user's guide, "VTK file formats"): of their cells the tetrahedra.
#include "mesh/io/vtu.h"

#include <span>
#include <utility>

#include "mesh/io/formats.h"
#include "mesh/io/numbers.h"
#include "mesh/io/text.h"

namespace pliant::mesh {
namespace {

constexpr std::int64_t tetrahedron_type = 10, second_order_type = 24;

struct Piece {
    std::uint64_t points = 0, cells = 0;
    std::size_t line = 0;
    vtu::DataArray positions{}, connectivity{}, offsets{}, types{};
};

class VtuReader {
public:
    VtuReader(std::string_view content, std::string_view name) : name_(name), tags_(content) {}

    TetrahedralFile read() {
        if (!read_root() || !read_tags()) return error_;
        vtu::ArrayReader arrays(name_, encoding_, appended_);
        for (const Piece& piece : pieces_) {
            if (!read_piece(piece, arrays)) return arrays.error();
        }
        return finished(std::move(read_), name_);
    }

private:
    bool fail(std::size_t line, std::string message) {
        if (error_.message.empty()) error_ = {fmt::format("{}:{}", name_, line), std::move(message)};
        return false;
    }

    bool read_root() {
        const vtu::Tag root = tags_.next();
        if (root.name != "VTKFile") {
            return fail(
                tags_.line(),
                "expected <VTKFile type=\"UnstructuredGrid\">" +
                    (root.name.empty() ? "" : ", got <" + std::string(root.name.substr(0, 40)) + ">"));
        }
        if (root.attribute("type") != "UnstructuredGrid") {
            return fail(root.line,
                        "the type must be UnstructuredGrid, got " + quoted(root.attribute("type")));
        }
        const std::string_view compressor = root.attribute("compressor");
        if (!compressor.empty() && compressor != "vtkZLibDataCompressor") {
            return fail(root.line, "only vtkZLibDataCompressor is supported, got " + quoted(compressor) +
                                       ": save it with zlib or without compression");
        }
        encoding_ = {root.attribute("byte_order") == "BigEndian", root.attribute("header_type") == "UInt64",
                     !compressor.empty()};
        return true;
    }

    // Up to the appended data, which need not be XML.
    bool read_tags() {
        std::string_view section;
        for (vtu::Tag tag = tags_.next(); !tag.name.empty(); tag = tags_.next()) {
            if (tag.name == "Piece") {
                Piece& piece = pieces_.emplace_back();
                piece.line = tag.line;
                if (!count(tag, "NumberOfPoints", piece.points) ||
                    !count(tag, "NumberOfCells", piece.cells)) {
                    return false;
                }
            } else if (tag.name == "Points" || tag.name == "Cells") {
                section = tag.name;
            } else if (tag.name == "/Points" || tag.name == "/Cells") {
                section = {};
            } else if (tag.name == "DataArray" && !section.empty() && !pieces_.empty()) {
                if (!read_array(tag, section)) return false;
            } else if (tag.name == "AppendedData") {
                const std::string_view rest = tags_.rest();
                const std::size_t mark = rest.find('_');
                if (mark == std::string_view::npos)
                    return fail(tag.line, "expected _ before the appended data");
                appended_ = {rest.substr(mark + 1), tag.attribute("encoding") != "raw"};
                if (appended_.base64) appended_.data = appended_.data.substr(0, appended_.data.find('<'));
                return true;
            }
        }
        return true;
    }

    bool count(const vtu::Tag& tag, std::string_view attribute, std::uint64_t& value) {
        const std::string_view text = tag.attribute(attribute);
        std::int64_t number = 0;
        const char* end = text.data() + text.size();
        if (text.empty() || parse_integer(text.data(), end, number) != end || number < 0) {
            return fail(tag.line,
                        fmt::format("{} must be a whole number ≥ 0, got {}", attribute, quoted(text)));
        }
        value = static_cast<std::uint64_t>(number);
        return true;
    }

    bool read_array(const vtu::Tag& tag, std::string_view section) {
        vtu::DataArray array{tag.attribute("type"), tag.attribute("format"), {}, 0, tag.line, 0};
        if (array.format == "appended" && !count(tag, "offset", array.offset)) return false;
        if (!tag.closed) read_text(array);
        Piece& piece = pieces_.back();
        const std::string_view name = tag.attribute("Name");
        if (section == "Points") piece.positions = array;
        if (section == "Cells" && name == "connectivity") piece.connectivity = array;
        if (section == "Cells" && name == "offsets") piece.offsets = array;
        if (section == "Cells" && name == "types") piece.types = array;
        return true;
    }

    // Other elements may stand before and after the numbers.
    void read_text(vtu::DataArray& array) {
        for (int depth = 1; depth > 0;) {
            const std::string_view text = tags_.text();
            if (depth == 1 && array.text.empty() &&
                text.find_first_not_of(" \t\r\n") != std::string_view::npos) {
                array.text = text;
                array.text_line = tags_.line();
            }
            const vtu::Tag tag = tags_.next();
            if (tag.name.empty()) return;
            if (tag.name.starts_with('/')) {
                --depth;
            } else if (!tag.closed) {
                ++depth;
            }
        }
    }

    bool read_piece(const Piece& piece, vtu::ArrayReader& arrays) {
        if (piece.points == 0 && piece.cells == 0) return true;
        std::vector<float> coordinates;
        std::vector<std::int64_t> connectivity, offsets, types;
        for (const auto& [array, what] :
             {std::pair(&piece.positions, "Points"), std::pair(&piece.connectivity, "connectivity"),
              std::pair(&piece.offsets, "offsets"), std::pair(&piece.types, "types")}) {
            if (array->line == 0)
                return arrays.fail(piece.line, fmt::format("this piece has no array {}", what));
        }
        if (!arrays.read(piece.positions, coordinates) || !arrays.read(piece.connectivity, connectivity) ||
            !arrays.read(piece.offsets, offsets) || !arrays.read(piece.types, types)) {
            return false;
        }
        if (coordinates.size() % 3 != 0 || coordinates.size() / 3 != piece.points) {
            return arrays.fail(piece.positions.line,
                               fmt::format("{} points need {} numbers, got {}", piece.points,
                                           3 * piece.points, coordinates.size()));
        }
        if (offsets.size() != piece.cells || types.size() != piece.cells) {
            return arrays.fail(
                piece.line, fmt::format("{} cells need as many offsets and types, got {} and {}", piece.cells,
                                        offsets.size(), types.size()));
        }
        const std::size_t first = read_.positions.size();
        if (first + piece.points > most_vertices) return arrays.fail(piece.line, "there are too many points");
        for (std::size_t i = 0; i < coordinates.size(); i += 3) {
            read_.positions.push_back({coordinates[i], coordinates[i + 1], coordinates[i + 2]});
        }
        return add_cells(piece, arrays, first, connectivity, offsets, types);
    }

    bool add_cells(const Piece& piece, vtu::ArrayReader& arrays, std::size_t first,
                   const std::vector<std::int64_t>& connectivity, const std::vector<std::int64_t>& offsets,
                   const std::vector<std::int64_t>& types) {
        std::int64_t begin = 0;
        for (std::size_t cell = 0; cell < types.size(); ++cell) {
            const std::int64_t end = offsets[cell], type = types[cell];
            if (end < begin || end > static_cast<std::int64_t>(connectivity.size())) {
                return arrays.fail(piece.offsets.line, fmt::format("offset {} must be within {} … {}, got {}",
                                                                   cell, begin, connectivity.size(), end));
            }
            if (type == tetrahedron_type || type == second_order_type) {
                const std::int64_t wanted = type == tetrahedron_type ? 4 : 10;
                if (end - begin != wanted) {
                    return arrays.fail(piece.offsets.line,
                                       fmt::format("cell {} of type {} needs {} points, got {}", cell, type,
                                                   wanted, end - begin));
                }
                Tetrahedron tetrahedron{};
                for (std::size_t i = 0; i < 4; ++i) {
                    const std::int64_t point = connectivity[static_cast<std::size_t>(begin) + i];
                    if (point < 0 || static_cast<std::uint64_t>(point) >= piece.points) {
                        return arrays.fail(
                            piece.connectivity.line,
                            fmt::format("point {} of cell {} does not exist: there are {}, from 0", point,
                                        cell, piece.points));
                    }
                    tetrahedron[i] = static_cast<std::uint32_t>(first + static_cast<std::size_t>(point));
                }
                read_.tetrahedra.push_back(tetrahedron);
                read_.second_order |= type == second_order_type;
            } else {
                ++read_.skipped[type];
            }
            begin = end;
        }
        return true;
    }

    std::string_view name_;
    vtu::TagReader tags_;
    vtu::Encoding encoding_;
    vtu::Appended appended_;
    std::vector<Piece> pieces_;
    TetrahedraRead read_;
    Error error_;
};

}  // namespace

TetrahedralFile parse_vtu(std::string_view content, std::string_view name) {
    return VtuReader(content, name).read();
}

// Arrays as raw bytes after the XML, each behind its size.
void write_vtu(OutputFile& out, const TetrahedralMesh& mesh) {
    const std::uint64_t points = mesh.positions.size(), cells = mesh.tetrahedra.size();
    const std::uint64_t position_bytes = 12 * points, connectivity_bytes = 32 * cells,
                        offset_bytes = 8 * cells;
    std::uint64_t offset = 0;
    const auto array = [&](std::string_view attributes, std::uint64_t bytes) {
        out.print("<DataArray {} format=\"appended\" offset=\"{}\"/>\n", attributes, offset);
        offset += 8 + bytes;
    };
    out.write(
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" "
        "byte_order=\"LittleEndian\" header_type=\"UInt64\">\n<UnstructuredGrid>\n");
    out.print("<Piece NumberOfPoints=\"{}\" NumberOfCells=\"{}\">\n<Points>\n", points, cells);
    array("type=\"Float32\" Name=\"Points\" NumberOfComponents=\"3\"", position_bytes);
    out.write("</Points>\n<Cells>\n");
    array("type=\"Int64\" Name=\"connectivity\"", connectivity_bytes);
    array("type=\"Int64\" Name=\"offsets\"", offset_bytes);
    array("type=\"UInt8\" Name=\"types\"", cells);
    out.write("</Cells>\n</Piece>\n</UnstructuredGrid>\n<AppendedData encoding=\"raw\">\n_");

    out.write(bytes_of(position_bytes));
    out.write_array(std::span<const Vec3>(mesh.positions));
    out.write(bytes_of(connectivity_bytes));
    for (const Tetrahedron& t : mesh.tetrahedra) {
        for (const std::uint32_t vertex : t) out.write(bytes_of(std::uint64_t{vertex}));
    }
    out.write(bytes_of(offset_bytes));
    for (std::uint64_t i = 1; i <= cells; ++i) out.write(bytes_of(4 * i));
    out.write(bytes_of(cells));
    for (std::uint64_t i = 0; i < cells; ++i) out.write(bytes_of(std::uint8_t{tetrahedron_type}));
    out.write("\n</AppendedData>\n</VTKFile>\n");
}

}  // namespace pliant::mesh
