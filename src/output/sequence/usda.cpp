// Universal Scene Description as text, all frames as time samples in one file:
// https://openusd.org/release/api/usd_geom_page_front.html
#include "output/sequence/encoder.h"

#include <cmath>
#include <numeric>

#include "output/picture/paths.h"

namespace pliant::output {
namespace {

using Indices = std::vector<std::uint32_t>;

// A frame that is meant to be whole is so: times are sums of a rounded time step.
double time_code(double time, double frames_per_second) {
    const double code = time * frames_per_second, whole = std::round(code);
    return std::fabs(code - whole) < 0.01 ? whole : code;
}

class UsdaEncoder final : public SpooledFrames {
public:
    UsdaEncoder(SequencePlace place, double frames_per_second)
        : SpooledFrames(std::move(place), frames_per_second, true, true) {}

private:
    Status assemble(std::vector<std::filesystem::path>& files) override;
    Status write_prim(OutputFile& out, std::size_t index);
    Status write_mesh(OutputFile& out, std::size_t index);
    Status write_curves(OutputFile& out, std::size_t index, std::string_view name);
    Status write_points(OutputFile& out, std::size_t index, std::string_view name);
    void write_width(OutputFile& out, std::size_t index) const;

    // What moves, of these vertices.
    Status write_samples(OutputFile& out, std::size_t index, const Indices& vertices);
    Status write_extent(OutputFile& out, std::size_t index, const Indices& vertices);
    Status write_frames(OutputFile& out, std::size_t index, Attribute attribute, const Indices& vertices);
};

void write_vector(OutputFile& out, const Vec3& v) { out.print("({}, {}, {})", v.x, v.y, v.z); }

// item writes the i-th.
template <class Function>
void write_list(OutputFile& out, std::size_t count, Function&& item) {
    out.write("[");
    for (std::size_t i = 0; i < count; ++i) {
        if (i > 0) out.write(", ");
        item(i);
    }
    out.write("]");
}

void write_vectors(OutputFile& out, std::span<const Vec3> values, const Indices& vertices) {
    write_list(out, vertices.size(), [&](std::size_t i) { write_vector(out, values[vertices[i]]); });
}

Status UsdaEncoder::write_frames(OutputFile& out, std::size_t index, Attribute attribute,
                                 const Indices& vertices) {
    for (std::size_t frame = 0; frame < times_.size(); ++frame) {
        const auto values = read(frame, index, attribute);
        if (!values) return values.error();
        out.print("            {}: ", time_code(times_[frame], frames_per_second_));
        write_vectors(out, *values, vertices);
        out.write(",\n");
    }
    out.write("        }\n");
    return {};
}

// Lines and points are as thick as they are.
Status UsdaEncoder::write_extent(OutputFile& out, std::size_t index, const Indices& vertices) {
    const float r = shapes_[index].triangles.empty() ? shapes_[index].radius : 0;
    const Vec3 margin{r, r, r};
    std::vector<Vec3> points(vertices.size());
    out.write("        float3[] extent.timeSamples = {\n");
    for (std::size_t frame = 0; frame < times_.size(); ++frame) {
        const auto values = read(frame, index, positions);
        if (!values) return values.error();
        for (std::size_t i = 0; i < vertices.size(); ++i) points[i] = (*values)[vertices[i]];
        const auto [low, high] = bounds(points);
        out.print("            {}: [", time_code(times_[frame], frames_per_second_));
        write_vector(out, low - margin);
        out.write(", ");
        write_vector(out, high + margin);
        out.write("],\n");
    }
    out.write("        }\n");
    return {};
}

Status UsdaEncoder::write_samples(OutputFile& out, std::size_t index, const Indices& vertices) {
    if (const Status written = write_extent(out, index, vertices); !written) return written;
    // The first frame also outside of time, for programs that show no animation.
    const auto first = read(0, index, positions);
    if (!first) return first.error();
    out.write("        point3f[] points = ");
    write_vectors(out, *first, vertices);
    out.write("\n        point3f[] points.timeSamples = {\n");
    if (const Status written = write_frames(out, index, positions, vertices); !written) return written;
    if (!has(index, velocities)) return {};
    out.write("        vector3f[] velocities.timeSamples = {\n");
    return write_frames(out, index, velocities, vertices);
}

void UsdaEncoder::write_width(OutputFile& out, std::size_t index) const {
    out.print("        float[] widths = [{}] (\n            interpolation = \"constant\"\n        )\n",
              2 * shapes_[index].radius);
}

Status UsdaEncoder::write_mesh(OutputFile& out, std::size_t index) {
    const Shape& shape = shapes_[index];
    const std::size_t corners = 3 * shape.triangles.size();
    out.print("    def Mesh \"{}\"\n    {{\n", shape.name);
    out.write("        uniform bool doubleSided = 1\n        uniform token subdivisionScheme = \"none\"\n");
    out.write("        int[] faceVertexCounts = ");
    write_list(out, shape.triangles.size(), [&](std::size_t) { out.write("3"); });
    out.write("\n        int[] faceVertexIndices = ");
    write_list(out, corners, [&](std::size_t i) { out.print("{}", shape.triangles[i / 3][i % 3]); });
    out.write("\n");
    if (!shape.texture_coordinates.empty()) {
        out.write("        texCoord2f[] primvars:st = ");
        write_list(out, corners, [&](std::size_t i) {
            const Vec2& uv = shape.texture_coordinates[i / 3][i % 3];
            out.print("({}, {})", uv.x, uv.y);
        });
        out.write(" (\n            interpolation = \"faceVarying\"\n        )\n");
    }
    Indices all(shape.vertices);
    std::iota(all.begin(), all.end(), 0u);
    if (const Status written = write_samples(out, index, all); !written) return written;
    if (has(index, normals)) {
        out.write(
            "        normal3f[] normals (\n            interpolation = \"vertex\"\n        )\n"
            "        normal3f[] normals.timeSamples = {\n");
        if (const Status written = write_frames(out, index, normals, all); !written) return written;
    }
    out.write("    }\n");
    return {};
}

// A curve uses its points in a row: a vertex where strips meet is there several times.
Status UsdaEncoder::write_curves(OutputFile& out, std::size_t index, std::string_view name) {
    const auto curves = join_lines(shapes_[index].lines);
    Indices vertices;
    for (const auto& curve : curves) vertices.insert(vertices.end(), curve.begin(), curve.end());
    out.print("    def BasisCurves \"{}\"\n    {{\n", name);
    out.write("        uniform token type = \"linear\"\n        int[] curveVertexCounts = ");
    write_list(out, curves.size(), [&](std::size_t i) { out.print("{}", curves[i].size()); });
    out.write("\n");
    write_width(out, index);
    const Status written = write_samples(out, index, vertices);
    out.write("    }\n");
    return written;
}

Status UsdaEncoder::write_points(OutputFile& out, std::size_t index, std::string_view name) {
    out.print("    def Points \"{}\"\n    {{\n", name);
    write_width(out, index);
    const Status written = write_samples(out, index, shapes_[index].loose);
    out.write("    }\n");
    return written;
}

Status UsdaEncoder::write_prim(OutputFile& out, std::size_t index) {
    const Shape& shape = shapes_[index];
    if (!shape.triangles.empty()) return write_mesh(out, index);
    if (shape.loose.empty()) return write_curves(out, index, shape.name);
    if (shape.lines.empty()) return write_points(out, index, shape.name);
    out.print("    def Xform \"{}\"\n    {{\n", shape.name);
    if (const Status written = write_curves(out, index, "lines"); !written) return written;
    const Status written = write_points(out, index, "points");
    out.write("    }\n");
    return written;
}

Status UsdaEncoder::assemble(std::vector<std::filesystem::path>& files) {
    OutputFile out(place_.file(".usda"));
    out.write("#usda 1.0\n(\n    defaultPrim = \"pliant\"\n");
    out.print("    startTimeCode = {}\n    endTimeCode = {}\n", time_code(times_.front(), frames_per_second_),
              time_code(times_.back(), frames_per_second_));
    out.print("    timeCodesPerSecond = {0}\n    framesPerSecond = {0}\n", frames_per_second_);
    out.write("    metersPerUnit = 1\n    upAxis = \"Y\"\n)\n\ndef Xform \"pliant\"\n{\n");
    for (std::size_t index = 0; index < shapes_.size(); ++index) {
        if (const Status written = write_prim(out, index); !written) return written;
    }
    out.write("}\n");
    files.push_back(out.path());
    return out.commit();
}

}  // namespace

std::unique_ptr<Encoder> make_usda_encoder(SequencePlace place, double frames_per_second) {
    return std::make_unique<UsdaEncoder>(std::move(place), frames_per_second);
}

}  // namespace pliant::output
