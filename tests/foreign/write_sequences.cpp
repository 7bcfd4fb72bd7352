// Writes scenes in every format of sequences, and the same numbers as JSON, for other programs to compare.
// Usage: pliant_write_sequences DIRECTORY
#include <pliant/output/sequence.h>
#include <pliant/pliant.h>

#include "base/format.h"
#include "scenes/scenes.h"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

using namespace pliant;
namespace fs = std::filesystem;

namespace {

constexpr std::string_view formats[] = {"obj", "ply", "usda", "vtu", "pc2", "glb"};
constexpr int frames = 6, steps_between = 5;

bool report(const Error& error) {
    fmt::print(stderr, "{}\n", error.text());
    return false;
}

std::string text(const Vec3& v) { return fmt::format("[{},{},{}]", v.x, v.y, v.z); }
template <std::size_t N>
std::string text(const std::array<std::uint32_t, N>& element) {
    return fmt::format("[{}]", joined(element, ","));
}
std::string text(const std::array<Vec2, 3>& uv) {
    return fmt::format("[[{},{}],[{},{}],[{},{}]]", uv[0].x, uv[0].y, uv[1].x, uv[1].y, uv[2].x, uv[2].y);
}

template <class T>
std::string list(const T& values) {
    std::string out;
    for (const auto& value : values) out += (out.empty() ? "" : ",") + text(value);
    return "[" + out + "]";
}

std::string json(const output::SequenceMesh& mesh) {
    return fmt::format(
        R"({{"positions":{},"velocities":{},"normals":{},"triangles":{},"lines":{},"tetrahedra":{},"uv":{}}})",
        list(mesh.positions), list(mesh.velocities), list(mesh.normals), list(mesh.triangles),
        list(mesh.lines), list(mesh.tetrahedra), list(mesh.texture_coordinates));
}

// One sequence in all formats, and NAME.json.
class Recording {
public:
    Recording(fs::path directory, std::string_view name) : directory_(std::move(directory)), name_(name) {}

    bool open() {
        for (const std::string_view format : formats) {
            auto writer = output::SequenceWriter::create(directory_, name_, *output::sequence_format(format));
            if (!writer) return report(writer.error());
            writers_.push_back(std::move(*writer));
        }
        return true;
    }

    // what(writer) adds the frame to one of them.
    template <class Function>
    bool add(double time, const std::vector<output::SequenceMesh>& meshes, Function&& what) {
        for (auto& writer : writers_) {
            if (const Status written = what(writer); !written) return report(written.error());
        }
        std::string list;
        for (const output::SequenceMesh& mesh : meshes) list += (list.empty() ? "" : ",") + json(mesh);
        truth_ += fmt::format("{}{{\"time\":{},\"meshes\":[{}]}}", truth_.empty() ? "" : ",\n", time, list);
        return true;
    }

    bool finish() {
        for (auto& writer : writers_) {
            if (const auto files = writer.finish(); !files) return report(files.error());
        }
        std::ofstream out(directory_ / (name_ + ".json"));
        out << "[" << truth_ << "]\n";
        return !out.fail();
    }

private:
    fs::path directory_;
    std::string name_, truth_;
    std::vector<output::SequenceWriter> writers_;
};

bool write_scene(const fs::path& directory, std::string_view name) {
    const auto description = scenes::make(name);
    auto simulation = Simulation::create(*description);
    if (!simulation) return report(simulation.error());
    Recording recording(directory, name);
    if (!recording.open()) return false;
    for (int frame = 0; frame < frames; ++frame) {
        // Each of the scenes is one body, so that particles and triangles count alike.
        const View view = simulation->view();
        output::SequenceMesh mesh;
        mesh.positions = view.positions;
        mesh.velocities = view.velocities;
        mesh.triangles = view.triangles;
        mesh.lines = view.lines;
        mesh.tetrahedra = view.tetrahedra;
        if (!recording.add(view.time, {mesh}, [&](auto& writer) { return writer.frame(view); })) return false;
        for (int i = 0; i < steps_between; ++i) simulation->step();
    }
    return recording.finish();
}

// What no scene has: a visible mesh with normals and a seam in its texture, lines that branch with a particle
// that none joins, free particles, names that files cannot have, and arrays.
bool write_mixture(const fs::path& directory) {
    const std::vector<Triangle> triangles{{0, 1, 2}, {0, 2, 3}};
    const std::vector<std::array<Vec2, 3>> uv{{{{0, 0}, {1, 0}, {1, 1}}}, {{{0.5f, 0}, {1, 1}, {0, 1}}}};
    const std::vector<Edge> lines{{0, 1}, {1, 2}, {1, 3}};
    const float heat[] = {1, 2, 3, 4};
    Recording recording(directory, "mixture");
    if (!recording.open()) return false;
    for (int frame = 0; frame < frames; ++frame) {
        const float f = static_cast<float>(frame);
        const std::vector<Vec3> flag{{0, 0, 0}, {1, 0, 0.1f * f}, {1, 1, 0}, {0, 1, -f / 3}};
        const std::vector<Vec3> normals{
            {0, 0, 1}, {0.6f, 0, 0.8f}, {0, 0, 1}, {f == 0 ? 1.0f : 0, f == 0 ? 0 : 1.0f, 0}};
        const std::vector<Vec3> net{{2, f, 0}, {2, f, 1}, {2, f, 2}, {3, f, 1}, {4, 1e-7f * f, 1e6f}};
        const std::vector<Vec3> dust{{-1, 0.1f, f}, {-2, 0.2f, f}};
        std::vector<output::SequenceMesh> meshes(3);
        meshes[0].name = "a/b c";
        meshes[0].positions = flag;
        meshes[0].normals = normals;
        meshes[0].triangles = triangles;
        meshes[0].texture_coordinates = uv;
        meshes[0].arrays = {{"heat", heat, 1, false}, {"pair", heat, 2, true}};
        meshes[1].name = "A_B_C";
        meshes[1].positions = net;
        meshes[1].lines = lines;
        meshes[2].name = "été";
        meshes[2].positions = meshes[2].velocities = dust;
        const double time = frame / 60.0;
        if (!recording.add(time, meshes, [&](auto& writer) { return writer.frame(time, meshes); }))
            return false;
    }
    return recording.finish();
}

}  // namespace

int main(int count, char** values) {
    if (count != 2) {
        fmt::print(stderr, "Usage: pliant_write_sequences DIRECTORY\n");
        return 2;
    }
    const fs::path directory = values[1];
    for (const std::string_view scene : {"jelly", "drape", "rope"}) {
        if (!write_scene(directory, scene)) return 1;
    }
    return write_mixture(directory) ? 0 : 1;
}
