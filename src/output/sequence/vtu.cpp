// VTK unstructured grids, data appended raw, and a ParaView collection of them with their times:
// https://docs.vtk.org/en/latest/design_documents/VTKFileFormats.html
#include "output/sequence/encoder.h"

#include <algorithm>
#include <limits>

namespace pliant::output {
namespace {

enum CellType : std::uint8_t { vertex_cell = 1, line_cell = 3, triangle_cell = 5, tetrahedron_cell = 10 };

struct Cells {
    std::vector<std::int64_t> connectivity, offsets;
    std::vector<std::uint8_t> types;
    std::vector<std::int32_t> bodies;

    template <class Element>
    void add(const Element& element, std::size_t first_vertex, CellType type, std::size_t body) {
        for (const std::uint32_t corner : element) {
            connectivity.push_back(static_cast<std::int64_t>(first_vertex + corner));
        }
        offsets.push_back(static_cast<std::int64_t>(connectivity.size()));
        types.push_back(type);
        bodies.push_back(static_cast<std::int32_t>(body));
    }
};

Cells cells_of(std::span<const Shape> shapes) {
    Cells cells;
    std::size_t first = 0;
    for (std::size_t body = 0; body < shapes.size(); ++body) {
        const Shape& shape = shapes[body];
        if (!shape.tetrahedra.empty()) {
            for (const Tetrahedron& t : shape.tetrahedra) cells.add(t, first, tetrahedron_cell, body);
        } else if (!shape.triangles.empty()) {
            for (const Triangle& t : shape.triangles) cells.add(t, first, triangle_cell, body);
        } else {
            for (const Edge& e : shape.lines) cells.add(e, first, line_cell, body);
            for (const std::uint32_t i : shape.loose) cells.add(std::array{i}, first, vertex_cell, body);
        }
        first += shape.vertices;
    }
    return cells;
}

// Inside double quotes.
std::string xml_text(std::string_view text) {
    std::string out;
    for (const char c : text) {
        const bool plain = static_cast<unsigned char>(c) >= 0x20 && c != '&' && c != '<' && c != '"';
        out += plain ? std::string(1, c) : fmt::format("&#{};", static_cast<int>(c));
    }
    return out;
}

// A list of arrays: first all their tags are written, with offsets, then all their bytes.
class Appended {
public:
    template <class T>
    std::string tag(std::string_view type, std::string_view name, std::size_t components,
                    std::span<const T> values) {
        const std::string_view bytes{reinterpret_cast<const char*>(values.data()), values.size_bytes()};
        const std::string width =
            components == 1 ? "" : fmt::format(" NumberOfComponents=\"{}\"", components);
        const std::string text =
            fmt::format(R"(<DataArray type="{}" Name="{}"{} format="appended" offset="{}"/>)", type,
                        xml_text(name), width, offset_);
        offset_ += sizeof(std::uint64_t) + bytes.size();
        arrays_.push_back(bytes);
        return text + "\n";
    }

    void write(OutputFile& out) const {
        for (const std::string_view bytes : arrays_) {
            out.write(bytes_of(static_cast<std::uint64_t>(bytes.size())));
            out.write(bytes);
        }
    }

private:
    std::uint64_t offset_ = 0;
    std::vector<std::string_view> arrays_;
};

// Of all meshes, one after the other; NaN where a mesh has none.
struct JoinedArray {
    std::string name;
    std::size_t components = 1;
    bool on_cells = false;
    std::vector<float> values;
};

std::size_t cell_count(const Shape& shape) {
    if (!shape.tetrahedra.empty()) return shape.tetrahedra.size();
    if (!shape.triangles.empty()) return shape.triangles.size();
    return shape.lines.size() + shape.loose.size();
}

void fill(JoinedArray& array, std::span<const Shape> shapes, std::span<const SequenceMesh> meshes) {
    for (std::size_t i = 0; i < meshes.size(); ++i) {
        const std::size_t before = array.values.size();
        for (const SequenceArray& given : meshes[i].arrays) {
            if (given.name == array.name && given.on_cells == array.on_cells &&
                given.components == array.components && array.values.size() == before) {
                array.values.insert(array.values.end(), given.values.begin(), given.values.end());
            }
        }
        const std::size_t count = array.on_cells ? cell_count(shapes[i]) : shapes[i].vertices;
        array.values.resize(before + count * array.components, std::numeric_limits<float>::quiet_NaN());
    }
}

std::vector<JoinedArray> joined_arrays(std::span<const Shape> shapes, std::span<const SequenceMesh> meshes) {
    std::vector<JoinedArray> joined;
    for (const SequenceMesh& mesh : meshes) {
        for (const SequenceArray& array : mesh.arrays) {
            const bool known = std::any_of(joined.begin(), joined.end(), [&](const JoinedArray& j) {
                return j.name == array.name && j.on_cells == array.on_cells;
            });
            if (!known) joined.push_back({array.name, array.components, array.on_cells, {}});
        }
    }
    for (JoinedArray& array : joined) fill(array, shapes, meshes);
    return joined;
}

std::vector<Vec3> joined_vectors(std::span<const SequenceMesh> meshes,
                                 std::span<const Vec3> SequenceMesh::*attribute) {
    std::vector<Vec3> joined;
    for (const SequenceMesh& mesh : meshes) {
        const auto& values = mesh.*attribute;
        joined.insert(joined.end(), values.begin(), values.end());
        if (values.empty()) joined.resize(joined.size() + mesh.positions.size());
    }
    return joined;
}

class VtuEncoder final : public FrameFiles {
public:
    using FrameFiles::FrameFiles;
    bool wants_inner_particles() const override { return true; }

    Status finish(std::vector<std::filesystem::path>& files) override {
        if (const Status frames = FrameFiles::finish(files); !frames) return frames;
        OutputFile out(place_.file(".pvd"));
        out.write("<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\">\n<Collection>\n");
        for (std::size_t i = 0; i < times_.size(); ++i) {
            out.print("<DataSet timestep=\"{}\" part=\"0\" file=\"{}\"/>\n", times_[i],
                      xml_text(file_name(i)));
        }
        out.write("</Collection>\n</VTKFile>\n");
        files.push_back(out.path());
        return out.commit();
    }

private:
    std::string_view extension() const override { return ".vtu"; }
    void write(OutputFile& out, double time, std::span<const SequenceMesh> meshes) const override;
};

void VtuEncoder::write(OutputFile& out, double time, std::span<const SequenceMesh> meshes) const {
    const Cells cells = cells_of(shapes_);
    const std::vector<Vec3> positions = joined_vectors(meshes, &SequenceMesh::positions);
    const std::vector<Vec3> velocities = joined_vectors(meshes, &SequenceMesh::velocities);
    const std::vector<Vec3> normals = joined_vectors(meshes, &SequenceMesh::normals);
    const std::vector<JoinedArray> arrays = joined_arrays(shapes_, meshes);
    Appended data;
    std::string point_data, cell_data = data.tag<std::int32_t>("Int32", "body", 1, cells.bodies);
    if (std::any_of(shapes_.begin(), shapes_.end(), [](const Shape& s) { return s.has_velocities; })) {
        point_data += data.tag<Vec3>("Float32", "velocity", 3, velocities);
    }
    if (std::any_of(shapes_.begin(), shapes_.end(), [](const Shape& s) { return s.has_normals; })) {
        point_data += data.tag<Vec3>("Float32", "Normals", 3, normals);
    }
    for (const JoinedArray& array : arrays) {
        (array.on_cells ? cell_data : point_data) +=
            data.tag<float>("Float32", array.name, array.components, array.values);
    }
    out.write(
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" "
        "byte_order=\"LittleEndian\" header_type=\"UInt64\">\n<UnstructuredGrid>\n");
    out.print(
        "<FieldData>\n<DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" "
        "format=\"ascii\">{}</DataArray>\n</FieldData>\n",
        time);
    out.print("<Piece NumberOfPoints=\"{}\" NumberOfCells=\"{}\">\n", positions.size(), cells.types.size());
    out.print("<Points>\n{}</Points>\n", data.tag<Vec3>("Float32", "Points", 3, positions));
    out.print("<Cells>\n{}", data.tag<std::int64_t>("Int64", "connectivity", 1, cells.connectivity));
    out.write(data.tag<std::int64_t>("Int64", "offsets", 1, cells.offsets));
    out.print("{}</Cells>\n", data.tag<std::uint8_t>("UInt8", "types", 1, cells.types));
    out.print("<PointData>\n{}</PointData>\n<CellData>\n{}</CellData>\n</Piece>\n</UnstructuredGrid>\n",
              point_data, cell_data);
    out.write("<AppendedData encoding=\"raw\">\n_");
    data.write(out);
    out.write("\n</AppendedData>\n</VTKFile>\n");
}

}  // namespace

std::unique_ptr<Encoder> make_vtu_encoder(SequencePlace place, double frames_per_second) {
    return std::make_unique<VtuEncoder>(std::move(place), frames_per_second);
}

}  // namespace pliant::output
