#include "output/sequence/encoder.h"

#include <algorithm>
#include <cerrno>
#include <limits>
#include <numeric>
#include <system_error>

namespace pliant::output {

SplitVertices split_vertices(const Shape& shape) {
    SplitVertices result;
    result.source.resize(shape.vertices);
    std::iota(result.source.begin(), result.source.end(), 0u);
    result.triangles = shape.triangles;
    if (shape.texture_coordinates.empty()) return result;

    constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
    std::vector<std::uint32_t> copy(shape.vertices, none);  // the next of the same vertex, or none
    std::vector<bool> used(shape.vertices, false);
    result.texture_coordinates.resize(shape.vertices);
    for (std::size_t t = 0; t < shape.triangles.size(); ++t) {
        for (std::size_t k = 0; k < 3; ++k) {
            const Vec2& uv = shape.texture_coordinates[t][k];
            std::uint32_t v = shape.triangles[t][k];
            if (!used[v]) result.texture_coordinates[v] = uv;
            used[v] = true;
            while (!(result.texture_coordinates[v] == uv) && copy[v] != none) v = copy[v];
            if (!(result.texture_coordinates[v] == uv)) {
                const auto added = static_cast<std::uint32_t>(result.source.size());
                copy[v] = added;
                copy.push_back(none);
                result.source.push_back(shape.triangles[t][k]);
                result.texture_coordinates.push_back(uv);
                v = added;
            }
            result.triangles[t][k] = v;
        }
    }
    return result;
}

std::string FrameFiles::file_name(std::size_t frame) const {
    return fmt::format("{}_{:04}{}", place_.stem, frame, extension());
}

Status FrameFiles::frame(double time, std::span<const SequenceMesh> meshes) {
    OutputFile out(place_.directory / file_name(times_.size()));
    write(out, time, meshes);
    const Status written = out.commit();
    if (written) times_.push_back(time);
    return written;
}

Status FrameFiles::finish(std::vector<std::filesystem::path>& files) {
    for (std::size_t i = 0; i < times_.size(); ++i) files.push_back(place_.directory / file_name(i));
    // Programs that open a sequence would go on into the frames of a longer one that was here before.
    std::error_code failed;
    for (std::size_t i = times_.size(); std::filesystem::remove(place_.directory / file_name(i), failed);
         ++i) {
    }
    if (!failed) return {};
    return Error{(place_.directory / file_name(times_.size())).string(),
                 "is of another sequence and cannot be removed: " + failed.message()};
}

SpooledFrames::SpooledFrames(SequencePlace place, double frames_per_second, bool with_velocities,
                             bool with_normals)
    : Encoder(std::move(place), frames_per_second),
      with_velocities_(with_velocities),
      with_normals_(with_normals) {}

SpooledFrames::~SpooledFrames() {
    if (spool_ != nullptr) std::fclose(spool_);
}

Status SpooledFrames::failed(int code) const {
    return Error{place_.file(".frames.partial").string(),
                 "cannot keep frames: " + std::generic_category().message(code != 0 ? code : EIO)};
}

Status SpooledFrames::open() {
    const std::filesystem::path name = place_.file(".frames.partial");
    errno = 0;
    spool_ = std::fopen(name.c_str(), "w+b");
    if (spool_ == nullptr) return failed(errno);
    std::error_code ignored;
    std::filesystem::remove(name, ignored);
    return {};
}

bool SpooledFrames::has(std::size_t index, Attribute attribute) const {
    if (attribute == velocities) return with_velocities_ && shapes_[index].has_velocities;
    if (attribute == normals) return with_normals_ && shapes_[index].has_normals;
    return true;
}

std::uint64_t SpooledFrames::frame_size() const {
    std::uint64_t vectors = 0;
    for (std::size_t index = 0; index < shapes_.size(); ++index) {
        for (const Attribute a : {positions, velocities, normals}) {
            if (has(index, a)) vectors += shapes_[index].vertices;
        }
    }
    return vectors * sizeof(Vec3);
}

Status SpooledFrames::frame(double time, std::span<const SequenceMesh> meshes) {
    if (const Status allowed = allow_frame(); !allowed) return allowed;
    if (spool_ == nullptr) {
        if (const Status opened = open(); !opened) return opened;
    }
    errno = 0;
    if (fseeko(spool_, static_cast<off_t>(times_.size() * frame_size()), SEEK_SET) != 0) return failed(errno);
    for (std::size_t index = 0; index < meshes.size(); ++index) {
        const std::span<const Vec3> values[] = {meshes[index].positions, meshes[index].velocities,
                                                meshes[index].normals};
        for (const Attribute a : {positions, velocities, normals}) {
            if (!has(index, a)) continue;
            if (std::fwrite(values[a].data(), sizeof(Vec3), values[a].size(), spool_) != values[a].size()) {
                return failed(errno);
            }
        }
    }
    if (std::fflush(spool_) != 0) return failed(errno);
    times_.push_back(time);
    return {};
}

Result<std::span<const Vec3>> SpooledFrames::read(std::size_t frame, std::size_t index, Attribute attribute) {
    std::uint64_t vectors = 0;
    for (std::size_t before = 0; before <= index; ++before) {
        for (const Attribute a : {positions, velocities, normals}) {
            if (before == index && a == attribute) break;
            if (has(before, a)) vectors += shapes_[before].vertices;
        }
    }
    read_.resize(shapes_[index].vertices);
    errno = 0;
    if (fseeko(spool_, static_cast<off_t>(frame * frame_size() + vectors * sizeof(Vec3)), SEEK_SET) != 0 ||
        std::fread(read_.data(), sizeof(Vec3), read_.size(), spool_) != read_.size()) {
        return failed(errno).error();
    }
    return std::span<const Vec3>(read_);
}

Status SpooledFrames::finish(std::vector<std::filesystem::path>& files) {
    return times_.empty() ? Status() : assemble(files);
}

std::array<Vec3, 2> bounds(std::span<const Vec3> points) {
    Vec3 low = points.front(), high = low;
    for (const Vec3& p : points) {
        low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
        high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
    }
    return {low, high};
}

}  // namespace pliant::output
