// Writes scenes in every format of sequences, and the same numbers as JSON, for other programs to compare.
// Usage: pliant_write_sequences DIRECTORY
#include "base/format.h"
#include "output/sequence.h"
#include "scenes/scenes.h"

#include <pliant/pliant.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
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

std::string json(const output::Part& part) {
    return fmt::format(
        R"({{"positions":{},"velocities":{},"normals":{},"triangles":{},"lines":{},"tetrahedra":{},"uv":{}}})",
        list(part.positions), list(part.velocities), list(part.normals), list(part.triangles),
        list(part.lines), list(part.tetrahedra), list(part.texture_coordinates));
}

// One sequence in all formats, and NAME.json.
class Recording {
public:
    Recording(fs::path directory, std::string_view name) : directory_(std::move(directory)), name_(name) {}

    bool open(const output::SequenceInfo& info = {}) {
        for (const std::string_view format : formats) {
            auto writer = output::open_sequence(directory_, name_, *output::sequence_format(format), info);
            if (!writer) return report(writer.error());
            writers_.push_back(std::move(*writer));
        }
        return true;
    }

    // what(writer) adds the frame to one of them.
    template <class Function>
    bool add(double time, const std::vector<output::Part>& parts, Function&& what) {
        for (auto& writer : writers_) {
            if (const Status written = what(*writer); !written) return report(written.error());
        }
        std::string list;
        for (const output::Part& part : parts) list += (list.empty() ? "" : ",") + json(part);
        truth_ += fmt::format("{}{{\"time\":{},\"parts\":[{}]}}", truth_.empty() ? "" : ",\n", time, list);
        return true;
    }

    bool finish() {
        for (auto& writer : writers_) {
            if (const auto files = writer->finish(); !files) return report(files.error());
        }
        std::ofstream out(directory_ / (name_ + ".json"));
        out << "[" << truth_ << "]\n";
        return !out.fail();
    }

private:
    fs::path directory_;
    std::string name_, truth_;
    std::vector<std::unique_ptr<output::SequenceWriter>> writers_;
};

bool write_scene(const fs::path& directory, std::string_view name) {
    const auto description = scenes::make(name);
    auto simulation = Simulation::create(*description);
    if (!simulation) return report(simulation.error());
    output::SequenceInfo info;
    info.bodies = output::body_shapes(*description);
    Recording recording(directory, name);
    if (!recording.open(info)) return false;
    for (int frame = 0; frame < frames; ++frame) {
        // Each of the scenes is one body, so that particles and triangles count alike.
        const View view = simulation->view();
        output::Part part;
        part.positions = view.positions;
        part.velocities = view.velocities;
        part.triangles = view.triangles;
        part.lines = info.bodies[0].lines;
        part.tetrahedra = info.bodies[0].tetrahedra;
        if (!recording.add(view.time, {part}, [&](auto& writer) { return writer.frame(view); })) return false;
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
        std::vector<output::Part> parts(3);
        parts[0].name = "a/b c";
        parts[0].positions = flag;
        parts[0].normals = normals;
        parts[0].triangles = triangles;
        parts[0].texture_coordinates = uv;
        parts[0].arrays = {{"heat", heat, 1, false}, {"pair", heat, 2, true}};
        parts[1].name = "A_B_C";
        parts[1].positions = net;
        parts[1].lines = lines;
        parts[2].name = "été";
        parts[2].positions = parts[2].velocities = dust;
        const double time = frame / 60.0;
        if (!recording.add(time, parts, [&](auto& writer) { return writer.frame(time, parts); }))
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
