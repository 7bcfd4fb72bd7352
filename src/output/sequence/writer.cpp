#include <pliant/output/sequence.h>

#include "base/floating_point.h"
#include "output/sequence/body_meshes.h"
#include "output/sequence/encoder.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <system_error>

namespace pliant::output {
namespace {

struct Format {
    std::string_view name;
    SequenceFormat format;
    std::unique_ptr<Encoder> (*make)(SequencePlace, double);
};
constexpr Format formats[] = {
    {"obj", SequenceFormat::obj, make_obj_encoder},    {"ply", SequenceFormat::ply, make_ply_encoder},
    {"usda", SequenceFormat::usda, make_usda_encoder}, {"vtu", SequenceFormat::vtu, make_vtu_encoder},
    {"pc2", SequenceFormat::pc2, make_pc2_encoder},    {"glb", SequenceFormat::glb, make_glb_encoder},
};

bool is_finite(const Vec3& v) { return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z); }

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// A name that every format and file system takes, unlike those already taken whatever the case.
std::string unique_name(std::string_view name, std::set<std::string>& taken) {
    constexpr std::size_t longest = 64;
    std::string plain;
    for (const char c : name.substr(0, longest)) {
        const bool good = (lower(c) >= 'a' && lower(c) <= 'z') || (c >= '0' && c <= '9') || c == '_';
        if (good || plain.empty() || plain.back() != '_') plain += good ? c : '_';
    }
    if (plain.empty() || plain == "_") plain = "body";
    if (plain[0] >= '0' && plain[0] <= '9') plain.insert(0, "_");
    std::string result = plain;
    const auto lowered = [&] {
        std::string text = result;
        std::transform(text.begin(), text.end(), text.begin(), lower);
        return text;
    };
    for (int copy = 2; !taken.insert(lowered()).second; ++copy) result = fmt::format("{}_{}", plain, copy);
    return result;
}

std::vector<std::uint32_t> loose_vertices(std::span<const Edge> lines, std::size_t vertices) {
    std::vector<bool> joined(vertices, false);
    for (const Edge& line : lines) joined[line[0]] = joined[line[1]] = true;
    std::vector<std::uint32_t> loose;
    for (std::uint32_t i = 0; i < vertices; ++i) {
        if (!joined[i]) loose.push_back(i);
    }
    return loose;
}

std::vector<Shape> shapes_of(std::span<const SequenceMesh> meshes) {
    std::vector<Shape> shapes;
    std::set<std::string> taken;
    for (const SequenceMesh& mesh : meshes) {
        Shape shape;
        shape.name = unique_name(mesh.name, taken);
        shape.vertices = mesh.positions.size();
        shape.has_velocities = !mesh.velocities.empty();
        shape.has_normals = !mesh.normals.empty();
        shape.triangles.assign(mesh.triangles.begin(), mesh.triangles.end());
        shape.texture_coordinates.assign(mesh.texture_coordinates.begin(), mesh.texture_coordinates.end());
        if (mesh.triangles.empty()) {
            shape.lines.assign(mesh.lines.begin(), mesh.lines.end());
            shape.loose = loose_vertices(mesh.lines, mesh.positions.size());
        }
        shape.tetrahedra.assign(mesh.tetrahedra.begin(), mesh.tetrahedra.end());
        const auto [low, high] = bounds(mesh.positions);
        const Vec3 size = high - low;
        shape.radius = mesh.radius > 0 ? mesh.radius : 0.0025f * std::sqrt(dot(size, size));
        if (!(shape.radius > 0)) shape.radius = 0.01f;
        shapes.push_back(std::move(shape));
    }
    return shapes;
}

// In words what is wrong with the corners of an element, if anything.
template <std::size_t N>
std::string wrong_corner(std::string_view kind, std::span<const std::array<std::uint32_t, N>> elements,
                         std::size_t positions) {
    for (std::size_t i = 0; i < elements.size(); ++i) {
        for (const std::uint32_t corner : elements[i]) {
            if (corner >= positions) {
                return fmt::format("{} {}: position {} does not exist: there are {}", kind, i, corner,
                                   positions);
            }
        }
    }
    return {};
}

std::string wrong_value(std::string_view kind, std::span<const Vec3> values) {
    const auto found = std::find_if_not(values.begin(), values.end(), is_finite);
    if (found == values.end()) return {};
    return fmt::format("{} {} is not finite: ({}, {}, {})", kind, found - values.begin(), found->x, found->y,
                       found->z);
}

std::string wrong_count(std::string_view kind, std::size_t count, std::size_t right,
                        std::string_view things) {
    if (count == 0 || count == right) return {};
    return fmt::format("has {} {} for {} {}", count, kind, right, things);
}

std::string wrong_array(const SequenceMesh& mesh) {
    std::size_t cells = mesh.tetrahedra.size();
    if (cells == 0) cells = mesh.triangles.size();
    if (cells == 0) cells = mesh.lines.size() + loose_vertices(mesh.lines, mesh.positions.size()).size();
    for (const SequenceArray& array : mesh.arrays) {
        const std::size_t count = array.on_cells ? cells : mesh.positions.size();
        if (array.components == 0 || array.values.size() != count * array.components) {
            return fmt::format("array \"{}\" has {} values, needs {} × {}", array.name, array.values.size(),
                               count, array.components);
        }
    }
    return {};
}

std::string wrong_sizes(const SequenceMesh& mesh) {
    const std::size_t count = mesh.positions.size();
    if (count == 0) return "has no positions";
    for (std::string wrong :
         {wrong_count("velocities", mesh.velocities.size(), count, "positions"),
          wrong_count("normals", mesh.normals.size(), count, "positions"),
          wrong_count("texture coordinates", mesh.texture_coordinates.size(), mesh.triangles.size(),
                      "triangles"),
          wrong_corner("triangle", mesh.triangles, count), wrong_corner("line", mesh.lines, count),
          wrong_corner("tetrahedron", mesh.tetrahedra, count)}) {
        if (!wrong.empty()) return wrong;
    }
    return {};
}

}  // namespace

Result<SequenceFormat> sequence_format(std::string_view name) {
    std::string names;
    for (const Format& known : formats) {
        if (known.name == name) return known.format;
        names += fmt::format("{}{}", names.empty() ? "" : ", ", known.name);
    }
    return Error{"format", fmt::format("must be one of {}, got \"{}\"", names, name)};
}

struct SequenceWriter::Implementation {
    std::filesystem::path place;  // what errors name
    std::unique_ptr<Encoder> encoder;
    std::unique_ptr<BodyMeshes> body_meshes{};        // of the first view, if views are written
    std::vector<std::array<std::size_t, 3>> sizes{};  // positions, velocities, normals of each mesh
    std::size_t frames = 0;
    double last_time = 0;

    Status check(double time, std::span<const SequenceMesh> meshes) const;
    Status check_sizes(std::span<const SequenceMesh> meshes) const;
    Error in_frame(const Error& error) const {
        return {place.string(), fmt::format("frame {}: {}", frames, error.text())};
    }
};

SequenceWriter::SequenceWriter(std::unique_ptr<Implementation> implementation)
    : implementation_(std::move(implementation)) {}
SequenceWriter::SequenceWriter(SequenceWriter&&) noexcept = default;
SequenceWriter& SequenceWriter::operator=(SequenceWriter&&) noexcept = default;
SequenceWriter::~SequenceWriter() = default;

Result<SequenceWriter> SequenceWriter::create(const std::filesystem::path& directory, std::string_view stem,
                                              SequenceFormat format, const SequenceOptions& options) {
    const StandardFloatingPoint floating_point;
    const SequencePlace place{directory, std::string(stem)};
    if (stem.empty() || stem.find('/') != std::string_view::npos) {
        return Error{directory.string(), fmt::format("\"{}\" cannot begin the name of a file", stem)};
    }
    const double rate = options.frames_per_second;
    if (!(rate > 0 && std::isfinite(rate))) {
        return Error{place.file("").string(), fmt::format("frames per second must be > 0, got {}", rate)};
    }
    std::error_code failed;
    std::filesystem::create_directories(directory, failed);
    if (failed) return Error{directory.string(), "cannot be made: " + failed.message()};
    const auto found = std::find_if(std::begin(formats), std::end(formats),
                                    [&](const Format& f) { return f.format == format; });
    auto made = std::make_unique<Implementation>();
    made->place = place.file("");
    made->encoder = found->make(place, rate);
    return SequenceWriter(std::move(made));
}

std::size_t SequenceWriter::frames() const { return implementation_->frames; }

Status SequenceWriter::Implementation::check_sizes(std::span<const SequenceMesh> meshes) const {
    if (frames != 0 && meshes.size() != sizes.size()) {
        return Error{"", fmt::format("has {} meshes, the first had {}", meshes.size(), sizes.size())};
    }
    constexpr std::size_t most = std::numeric_limits<std::int32_t>::max();
    std::size_t total = 0;
    for (const SequenceMesh& mesh : meshes) total += mesh.positions.size();
    if (total > most) return Error{"", fmt::format("has {} positions; files count to {}", total, most)};
    for (std::size_t i = 0; i < meshes.size(); ++i) {
        const SequenceMesh& mesh = meshes[i];
        const std::string name = fmt::format("\"{}\"", mesh.name);
        if (frames == 0) {
            if (std::string wrong = wrong_sizes(mesh); !wrong.empty()) return Error{name, std::move(wrong)};
        } else if (sizes[i] !=
                   std::array{mesh.positions.size(), mesh.velocities.size(), mesh.normals.size()}) {
            return Error{name, fmt::format("has {} positions, {} velocities, {} normals; in the first frame "
                                           "{}, {}, {}",
                                           mesh.positions.size(), mesh.velocities.size(), mesh.normals.size(),
                                           sizes[i][0], sizes[i][1], sizes[i][2])};
        }
    }
    return {};
}

Status SequenceWriter::Implementation::check(double time, std::span<const SequenceMesh> meshes) const {
    if (meshes.empty()) return Error{"", "there is nothing to write"};
    if (!std::isfinite(time) || (frames != 0 && time <= last_time)) {
        return Error{"", fmt::format("time {} s must be after {} s", time, last_time)};
    }
    if (const Status fits = check_sizes(meshes); !fits) return fits;
    for (const SequenceMesh& mesh : meshes) {
        for (std::string wrong :
             {wrong_value("position", mesh.positions), wrong_value("velocity", mesh.velocities),
              wrong_value("normal", mesh.normals), wrong_array(mesh)}) {
            if (!wrong.empty()) return Error{fmt::format("\"{}\"", mesh.name), std::move(wrong)};
        }
    }
    return {};
}

Status SequenceWriter::frame(double time, std::span<const SequenceMesh> meshes) {
    const StandardFloatingPoint floating_point;
    Implementation& w = *implementation_;
    if (const Status good = w.check(time, meshes); !good) return w.in_frame(good.error());
    if (w.frames == 0) {
        w.encoder->begin(shapes_of(meshes));
        w.sizes.clear();
        for (const SequenceMesh& mesh : meshes) {
            w.sizes.push_back({mesh.positions.size(), mesh.velocities.size(), mesh.normals.size()});
        }
    }
    if (const Status written = w.encoder->frame(time, meshes); !written) return written;
    w.last_time = time;
    ++w.frames;
    return {};
}

Status SequenceWriter::frame(const View& view) {
    const StandardFloatingPoint floating_point;
    Implementation& w = *implementation_;
    if (!w.body_meshes) {
        w.body_meshes = std::make_unique<BodyMeshes>(view, w.encoder->wants_inner_particles());
    }
    const auto meshes = w.body_meshes->of(view);
    if (!meshes) return w.in_frame(meshes.error());
    return frame(view.time, *meshes);
}

Result<std::vector<std::filesystem::path>> SequenceWriter::finish() {
    const StandardFloatingPoint floating_point;
    std::vector<std::filesystem::path> files;
    if (implementation_->frames == 0) return files;
    if (const Status finished = implementation_->encoder->finish(files); !finished) return finished.error();
    return files;
}

}  // namespace pliant::output
