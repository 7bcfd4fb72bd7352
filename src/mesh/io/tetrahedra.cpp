// What all readers of tetrahedra do at the end.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/convert.h"
#include "mesh/io/formats.h"

namespace pliant::mesh {
namespace {

// The sign of (b−a)×(c−a)·(d−a), or 0 if rounding in double could have made it.
int orientation(const std::vector<Vec3>& positions, const Tetrahedron& t) {
    const Vec3d a = to_double(positions[t[0]]);
    const Vec3d b = to_double(positions[t[1]]) - a, c = to_double(positions[t[2]]) - a,
                d = to_double(positions[t[3]]) - a;
    const double volume = dot(cross(b, c), d);
    const auto magnitude = [](const Vec3d& v) { return Vec3d{std::abs(v.x), std::abs(v.y), std::abs(v.z)}; };
    const Vec3d p = magnitude(b), q = magnitude(c), r = magnitude(d);
    const double permanent =
        (p.y * q.z + p.z * q.y) * r.x + (p.z * q.x + p.x * q.z) * r.y + (p.x * q.y + p.y * q.x) * r.z;
    const double error = 16 * std::numeric_limits<double>::epsilon() * permanent;
    return volume > error ? 1 : volume < -error ? -1 : 0;
}

std::vector<bool> used_vertices(const TetrahedraRead& read) {
    std::vector<bool> used(read.positions.size());
    for (const Tetrahedron& t : read.tetrahedra) {
        for (const std::uint32_t vertex : t) used[vertex] = true;
    }
    return used;
}

void drop_unused(TetrahedraRead& read, const std::vector<bool>& used) {
    std::vector<std::uint32_t> number(used.size());
    std::uint32_t next = 0;
    for (std::size_t i = 0; i < used.size(); ++i) {
        number[i] = next;
        if (used[i]) read.positions[next++] = read.positions[i];
    }
    read.positions.resize(next);
    for (Tetrahedron& t : read.tetrahedra) {
        for (std::uint32_t& vertex : t) vertex = number[vertex];
    }
}

}  // namespace

TetrahedralFile finished(TetrahedraRead&& read, std::string_view name) {
    std::uint64_t others = 0;
    std::string types;
    for (const auto& [type, count] : read.skipped) {
        others += count;
        types += fmt::format("{}{} of type {}", types.empty() ? "" : ", ", count, type);
    }
    if (read.tetrahedra.empty()) {
        return Error{std::string(name),
                     others == 0 ? "has no tetrahedra" : fmt::format("has no tetrahedra, but {}", types)};
    }
    std::vector<std::string> warnings;
    const auto warn = [&](std::string text) { warnings.push_back(fmt::format("{}: {}", name, text)); };
    if (others > 0) {
        warn(fmt::format("{} elements that are not tetrahedra are left out ({})", others, types));
    }

    std::uint64_t inverted = 0, flat = 0;
    for (Tetrahedron& t : read.tetrahedra) {
        const int sign = orientation(read.positions, t);
        inverted += sign < 0;
        flat += sign == 0;
        if (sign < 0) std::swap(t[2], t[3]);
    }
    const std::size_t count = read.tetrahedra.size();
    if (inverted > 0) warn(fmt::format("{} of {} tetrahedra were inverted and are turned", inverted, count));
    if (flat > 0) warn(fmt::format("{} of {} tetrahedra are flat", flat, count));

    const std::vector<bool> used = used_vertices(read);
    const auto unused = std::count(used.begin(), used.end(), false);
    if (read.second_order) {
        warn(fmt::format("of second-order tetrahedra only the corners are kept: {} vertices less", unused));
        drop_unused(read, used);
    } else if (unused > 0) {
        warn(fmt::format("{} vertices belong to no tetrahedron", unused));
    }
    return MeshFile<TetrahedralMesh>{{std::move(read.positions), std::move(read.tetrahedra)},
                                     std::move(warnings)};
}

}  // namespace pliant::mesh
