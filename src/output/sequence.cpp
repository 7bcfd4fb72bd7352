#include "output/sequence.h"

#include "output/body_parts.h"
#include "output/encoder.h"

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

std::vector<Shape> shapes_of(std::span<const Part> parts) {
    std::vector<Shape> shapes;
    std::set<std::string> taken;
    for (const Part& part : parts) {
        Shape shape;
        shape.name = unique_name(part.name, taken);
        shape.vertices = part.positions.size();
        shape.has_velocities = !part.velocities.empty();
        shape.has_normals = !part.normals.empty();
        shape.triangles.assign(part.triangles.begin(), part.triangles.end());
        shape.texture_coordinates.assign(part.texture_coordinates.begin(), part.texture_coordinates.end());
        if (part.triangles.empty()) {
            shape.lines.assign(part.lines.begin(), part.lines.end());
            shape.loose = loose_vertices(part.lines, part.positions.size());
        }
        shape.tetrahedra.assign(part.tetrahedra.begin(), part.tetrahedra.end());
        const auto [low, high] = bounds(part.positions);
        const Vec3 size = high - low;
        shape.radius = part.radius > 0 ? part.radius : 0.0025f * std::sqrt(dot(size, size));
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

std::string wrong_array(const Part& part) {
    std::size_t cells = part.tetrahedra.size();
    if (cells == 0) cells = part.triangles.size();
    if (cells == 0) cells = part.lines.size() + loose_vertices(part.lines, part.positions.size()).size();
    for (const PartArray& array : part.arrays) {
        const std::size_t count = array.on_cells ? cells : part.positions.size();
        if (array.components == 0 || array.values.size() != count * array.components) {
            return fmt::format("array \"{}\" has {} values, needs {} × {}", array.name, array.values.size(),
                               count, array.components);
        }
    }
    return {};
}

std::string wrong_sizes(const Part& part) {
    const std::size_t count = part.positions.size();
    if (count == 0) return "has no positions";
    for (std::string wrong :
         {wrong_count("velocities", part.velocities.size(), count, "positions"),
          wrong_count("normals", part.normals.size(), count, "positions"),
          wrong_count("texture coordinates", part.texture_coordinates.size(), part.triangles.size(),
                      "triangles"),
          wrong_corner("triangle", part.triangles, count), wrong_corner("line", part.lines, count),
          wrong_corner("tetrahedron", part.tetrahedra, count)}) {
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

Result<std::unique_ptr<SequenceWriter>> open_sequence(const std::filesystem::path& directory,
                                                      std::string_view stem, SequenceFormat format,
                                                      const SequenceInfo& info) {
    const SequencePlace place{directory, std::string(stem)};
    if (stem.empty() || stem.find('/') != std::string_view::npos) {
        return Error{directory.string(), fmt::format("\"{}\" cannot begin the name of a file", stem)};
    }
    if (!(info.frames_per_second > 0 && std::isfinite(info.frames_per_second))) {
        return Error{place.file("").string(),
                     fmt::format("frames per second must be > 0, got {}", info.frames_per_second)};
    }
    std::error_code failed;
    std::filesystem::create_directories(directory, failed);
    if (failed) return Error{directory.string(), "cannot be made: " + failed.message()};
    const auto found = std::find_if(std::begin(formats), std::end(formats),
                                    [&](const Format& f) { return f.format == format; });
    return std::make_unique<SequenceWriter>(place.file(""), info, found->make(place, info.frames_per_second));
}

SequenceWriter::SequenceWriter(std::filesystem::path place, SequenceInfo info,
                               std::unique_ptr<Encoder> encoder)
    : place_(std::move(place)), info_(std::move(info)), encoder_(std::move(encoder)) {}

SequenceWriter::~SequenceWriter() = default;

Status SequenceWriter::check_sizes(std::span<const Part> parts) const {
    if (frames_ != 0 && parts.size() != sizes_.size()) {
        return Error{"", fmt::format("has {} parts, the first had {}", parts.size(), sizes_.size())};
    }
    constexpr std::size_t most = std::numeric_limits<std::int32_t>::max();
    std::size_t total = 0;
    for (const Part& part : parts) total += part.positions.size();
    if (total > most) return Error{"", fmt::format("has {} positions; files count to {}", total, most)};
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const Part& part = parts[i];
        const std::string place = fmt::format("\"{}\"", part.name);
        if (frames_ == 0) {
            if (std::string wrong = wrong_sizes(part); !wrong.empty()) return Error{place, std::move(wrong)};
        } else if (sizes_[i] !=
                   std::array{part.positions.size(), part.velocities.size(), part.normals.size()}) {
            return Error{place, fmt::format("has {} positions, {} velocities, {} normals; in the first frame "
                                            "{}, {}, {}",
                                            part.positions.size(), part.velocities.size(),
                                            part.normals.size(), sizes_[i][0], sizes_[i][1], sizes_[i][2])};
        }
    }
    return {};
}

Status SequenceWriter::check(double time, std::span<const Part> parts) const {
    if (parts.empty()) return Error{"", "there is nothing to write"};
    if (!std::isfinite(time) || (frames_ != 0 && time <= last_time_)) {
        return Error{"", fmt::format("time {} s must be after {} s", time, last_time_)};
    }
    if (const Status sizes = check_sizes(parts); !sizes) return sizes;
    for (const Part& part : parts) {
        for (std::string wrong :
             {wrong_value("position", part.positions), wrong_value("velocity", part.velocities),
              wrong_value("normal", part.normals), wrong_array(part)}) {
            if (!wrong.empty()) return Error{fmt::format("\"{}\"", part.name), std::move(wrong)};
        }
    }
    return {};
}

Status SequenceWriter::frame(double time, std::span<const Part> parts) {
    if (const Status good = check(time, parts); !good) {
        return Error{place_.string(), fmt::format("frame {}: {}", frames_, good.error().text())};
    }
    if (frames_ == 0) {
        encoder_->begin(shapes_of(parts));
        sizes_.clear();
        for (const Part& part : parts) {
            sizes_.push_back({part.positions.size(), part.velocities.size(), part.normals.size()});
        }
    }
    if (const Status written = encoder_->frame(time, parts); !written) return written;
    last_time_ = time;
    ++frames_;
    return {};
}

Status SequenceWriter::frame(const View& view) {
    if (!info_.bodies.empty() && info_.bodies.size() != view.bodies.size()) {
        return Error{place_.string(), fmt::format("frame {}: has {} bodies, the shapes given are of {}",
                                                  frames_, view.bodies.size(), info_.bodies.size())};
    }
    if (!body_parts_) {
        body_parts_ = std::make_unique<BodyParts>(view, info_.bodies, encoder_->wants_inner_particles());
    }
    const auto parts = body_parts_->of(view);
    if (!parts) return Error{place_.string(), fmt::format("frame {}: {}", frames_, parts.error().text())};
    return frame(view.time, *parts);
}

Result<std::vector<std::filesystem::path>> SequenceWriter::finish() {
    std::vector<std::filesystem::path> files;
    if (frames_ == 0) return files;
    if (const Status finished = encoder_->finish(files); !finished) return finished.error();
    return files;
}

}  // namespace pliant::output
