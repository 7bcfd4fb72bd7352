// glTF 2.0, binary (Khronos, glTF 2.0 Specification).
// The mesh is the first frame; each later frame is a morph target, that is its offsets from the first. An
// animation fades from each weight to the next, linearly, so that between frames vertices move straight.
#include "output/sequence/encoder.h"

#include <limits>

namespace pliant::output {
namespace {

constexpr std::uint64_t most_bytes = std::numeric_limits<std::int32_t>::max();
constexpr std::uint64_t accessor_text = 256;  // bytes, at most, of JSON for a morph target's attribute

enum Component { float32 = 5126, uint32 = 5125 };
enum Target { vertex_buffer = 34962, index_buffer = 34963 };

// The lists of a glTF document while it is made.
struct Document {
    std::string accessors, views, meshes, nodes, scene, channels;
    std::size_t accessor_count = 0, view_count = 0;
    std::uint64_t offset = 0;  // bytes of the buffer so far

    static void append(std::string& list, std::string_view item) {
        if (!list.empty()) list += ',';
        list += item;
    }

    std::size_t view(std::uint64_t size, std::string_view more) {
        append(views, fmt::format(R"({{"buffer":0,"byteOffset":{},"byteLength":{}{}}})", offset, size, more));
        offset += size;
        return view_count++;
    }

    std::size_t accessor(std::size_t in_view, std::uint64_t at, Component component, std::size_t count,
                         std::string_view type, std::string_view more = "") {
        append(
            accessors,
            fmt::format(R"({{"bufferView":{},"byteOffset":{},"componentType":{},"count":{},"type":"{}"{}}})",
                        in_view, at, static_cast<int>(component), count, type, more));
        return accessor_count++;
    }
};

std::string json_list(const Vec3& v) { return fmt::format("[{},{},{}]", v.x, v.y, v.z); }

class GlbEncoder final : public SpooledFrames {
public:
    GlbEncoder(SequencePlace place, double frames_per_second)
        : SpooledFrames(std::move(place), frames_per_second, false, true) {}

private:
    Status allow_frame() const override;
    Status assemble(std::vector<std::filesystem::path>& files) override;

    std::vector<Attribute> attributes(std::size_t index) const;
    // The first frame's values, then the other frames' offsets from them, at the vertices of the file.
    template <class Function>
    Status each_target(std::size_t index, Attribute attribute, Function&& use);
    Status describe_mesh(Document& document, std::size_t index);
    void describe_primitives(Document& document, std::size_t index, std::string_view base,
                             std::string_view targets) const;
    void describe_animation(Document& document) const;
    std::string json(Document& document);
    Status write_mesh(OutputFile& out, std::size_t index);
    void write_animation(OutputFile& out) const;

    std::vector<SplitVertices> vertices_;
};

Status GlbEncoder::allow_frame() const {
    const std::size_t frames = times_.size() + 1;
    const std::string file = place_.file(".glb").string();
    constexpr std::string_view instead = "use usda or pc2, which have no such limit, or fewer frames";
    if (frames > most_morph_targets + 1) {
        return Error{
            file, fmt::format("glTF holds each frame after the first as a morph target, here at most {}: {}",
                              most_morph_targets, instead)};
    }
    std::uint64_t bytes = 4 * frames * frames + (1 << 16);
    for (std::size_t index = 0; index < shapes_.size(); ++index) {
        const Shape& shape = shapes_[index];
        const std::uint64_t vertices = shape.vertices + 3 * shape.texture_coordinates.size();  // at most
        bytes += frames * attributes(index).size() * (vertices * sizeof(Vec3) + accessor_text);
        bytes += 12 * shape.triangles.size() + 8 * vertices + 8 * shape.lines.size();
    }
    if (bytes <= most_bytes) return {};
    return Error{file, fmt::format("with {} frames glTF would need up to {} bytes, over the limit of {}: {}",
                                   frames, bytes, most_bytes, instead)};
}

std::vector<SpooledFrames::Attribute> GlbEncoder::attributes(std::size_t index) const {
    return has(index, normals) ? std::vector{positions, normals} : std::vector{positions};
}

template <class Function>
Status GlbEncoder::each_target(std::size_t index, Attribute attribute, Function&& use) {
    const std::vector<std::uint32_t>& source = vertices_[index].source;
    std::vector<Vec3> first, values(source.size());
    for (std::size_t frame = 0; frame < times_.size(); ++frame) {
        const auto now = read(frame, index, attribute);
        if (!now) return now.error();
        if (frame == 0) first.assign(now->begin(), now->end());
        for (std::size_t i = 0; i < source.size(); ++i) {
            values[i] = frame == 0 ? first[source[i]] : (*now)[source[i]] - first[source[i]];
        }
        use(frame, std::span<const Vec3>(values));
    }
    return {};
}

// Vertices lie frame by frame: all positions, then all normals.
Status GlbEncoder::describe_mesh(Document& document, std::size_t index) {
    const std::size_t count = vertices_[index].source.size(), frames = times_.size();
    const std::uint64_t size = count * sizeof(Vec3);
    std::string base;
    std::vector<std::string> targets(frames - 1);
    for (const Attribute attribute : attributes(index)) {
        const std::size_t view = document.view(
            size * frames, fmt::format(R"(,"byteStride":12,"target":{})", static_cast<int>(vertex_buffer)));
        const Status read =
            each_target(index, attribute, [&](std::size_t frame, std::span<const Vec3> values) {
                const auto [low, high] = bounds(values);
                const std::string range =
                    fmt::format(R"(,"min":{},"max":{})", json_list(low), json_list(high));
                const std::size_t accessor = document.accessor(view, frame * size, float32, count, "VEC3",
                                                               attribute == positions ? range : "");
                Document::append(
                    frame == 0 ? base : targets[frame - 1],
                    fmt::format(R"("{}":{})", attribute == positions ? "POSITION" : "NORMAL", accessor));
            });
        if (!read) return read;
    }
    if (!vertices_[index].texture_coordinates.empty()) {
        const std::size_t view = document.view(
            count * sizeof(Vec2), fmt::format(R"(,"target":{})", static_cast<int>(vertex_buffer)));
        Document::append(
            base, fmt::format(R"("TEXCOORD_0":{})", document.accessor(view, 0, float32, count, "VEC2")));
    }
    std::string target_list;
    for (const std::string& target : targets) Document::append(target_list, "{" + target + "}");
    describe_primitives(document, index, base, target_list);
    Document::append(document.scene, std::to_string(index));
    Document::append(document.nodes, fmt::format(R"({{"name":"{}","mesh":{}}})", shapes_[index].name, index));
    Document::append(document.channels,
                     fmt::format(R"({{"sampler":0,"target":{{"node":{},"path":"weights"}}}})", index));
    return {};
}

void GlbEncoder::describe_primitives(Document& document, std::size_t index, std::string_view base,
                                     std::string_view targets) const {
    const Shape& shape = shapes_[index];
    const std::string morph = targets.empty() ? "" : fmt::format(R"(,"targets":[{}])", targets);
    std::string primitives;
    const auto add = [&](int mode, std::size_t indices) {
        if (indices == 0) return;
        const std::size_t view =
            document.view(4 * indices, fmt::format(R"(,"target":{})", static_cast<int>(index_buffer)));
        Document::append(primitives,
                         fmt::format(R"({{"mode":{},"material":0,"attributes":{{{}}},"indices":{}{}}})", mode,
                                     base, document.accessor(view, 0, uint32, indices, "SCALAR"), morph));
    };
    constexpr int as_points = 0, as_lines = 1, as_triangles = 4;
    add(as_triangles, 3 * shape.triangles.size());
    add(as_lines, 2 * shape.lines.size());
    add(as_points, shape.loose.size());
    Document::append(document.meshes,
                     fmt::format(R"({{"name":"{}","primitives":[{}]}})", shape.name, primitives));
}

Status GlbEncoder::write_mesh(OutputFile& out, std::size_t index) {
    for (const Attribute attribute : attributes(index)) {
        const Status read = each_target(
            index, attribute, [&](std::size_t, std::span<const Vec3> values) { out.write_array(values); });
        if (!read) return read;
    }
    out.write_array(std::span<const Vec2>(vertices_[index].texture_coordinates));
    out.write_array(std::span<const Triangle>(vertices_[index].triangles));
    out.write_array(std::span<const Edge>(shapes_[index].lines));
    out.write_array(std::span<const std::uint32_t>(shapes_[index].loose));
    return {};
}

void GlbEncoder::describe_animation(Document& document) const {
    const std::size_t frames = times_.size(), view = document.view(4 * frames * frames, "");
    const float duration = static_cast<float>(times_.back() - times_.front());
    document.accessor(view, 0, float32, frames, "SCALAR", fmt::format(R"(,"min":[0],"max":[{}])", duration));
    document.accessor(view, 4 * frames, float32, frames * (frames - 1), "SCALAR");
}

// Times, from 0; then for each of them the weights of all targets.
void GlbEncoder::write_animation(OutputFile& out) const {
    for (const double time : times_) out.write(bytes_of(static_cast<float>(time - times_.front())));
    std::vector<float> weights(times_.size() - 1, 0.0f);
    for (std::size_t frame = 0; frame < times_.size(); ++frame) {
        if (frame > 0) weights[frame - 1] = 1;
        out.write_array(std::span<const float>(weights));
        if (frame > 0) weights[frame - 1] = 0;
    }
}

std::string GlbEncoder::json(Document& document) {
    std::string animations;
    if (times_.size() > 1) {
        describe_animation(document);
        animations = fmt::format(
            R"("animations":[{{"name":"simulation","samplers":[{{"input":{},"output":{}}}],"channels":[{}]}}],)",
            document.accessor_count - 2, document.accessor_count - 1, document.channels);
    }
    return fmt::format(R"({{"asset":{{"version":"2.0","generator":"Pliant"}},"scene":0,)"
                       R"("scenes":[{{"nodes":[{}]}}],"nodes":[{}],"meshes":[{}],{})"
                       R"("materials":[{{"doubleSided":true,"pbrMetallicRoughness":)"
                       R"({{"baseColorFactor":[0.8,0.8,0.8,1],"metallicFactor":0,"roughnessFactor":0.6}}}}],)"
                       R"("accessors":[{}],"bufferViews":[{}],"buffers":[{{"byteLength":{}}}]}})",
                       document.scene, document.nodes, document.meshes, animations, document.accessors,
                       document.views, document.offset);
}

Status GlbEncoder::assemble(std::vector<std::filesystem::path>& files) {
    vertices_.clear();
    for (const Shape& shape : shapes_) vertices_.push_back(split_vertices(shape));
    Document document;
    for (std::size_t index = 0; index < shapes_.size(); ++index) {
        if (const Status described = describe_mesh(document, index); !described) return described;
    }
    std::string text = json(document);
    text.resize((text.size() + 3) / 4 * 4, ' ');

    OutputFile out(place_.file(".glb"));
    const auto number = [&](std::uint64_t n) { out.write(bytes_of(static_cast<std::uint32_t>(n))); };
    out.write("glTF");
    number(2);
    number(12 + 8 + text.size() + 8 + document.offset);
    number(text.size());
    out.write("JSON");
    out.write(text);
    number(document.offset);
    out.write({"BIN\0", 4});
    for (std::size_t index = 0; index < shapes_.size(); ++index) {
        if (const Status written = write_mesh(out, index); !written) return written;
    }
    if (times_.size() > 1) write_animation(out);
    files.push_back(out.path());
    return out.commit();
}

}  // namespace

std::unique_ptr<Encoder> make_glb_encoder(SequencePlace place, double frames_per_second) {
    return std::make_unique<GlbEncoder>(std::move(place), frames_per_second);
}

}  // namespace pliant::output
