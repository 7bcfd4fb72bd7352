// What all readers of tetrahedra do at the end.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/convert.h"
#include "base/geometry/tetrahedron.h"
#include "mesh/io/formats.h"
#include "mesh/topology/used_vertices.h"

namespace pliant::mesh {
namespace {

// The sign of (b−a)×(c−a)·(d−a), or 0 if rounding in double could have made it.
int orientation(const std::vector<Vec3>& positions, const Tetrahedron& t) {
    const Vec3d a = to_double(positions[t[0]]);
    const Vec3d b = to_double(positions[t[1]]) - a, c = to_double(positions[t[2]]) - a,
                d = to_double(positions[t[3]]) - a;
    const double volume = triple_product(b, c, d);
    const auto magnitude = [](const Vec3d& v) { return Vec3d{std::abs(v.x), std::abs(v.y), std::abs(v.z)}; };
    const Vec3d p = magnitude(b), q = magnitude(c), r = magnitude(d);
    const double permanent =
        (p.y * q.z + p.z * q.y) * r.x + (p.z * q.x + p.x * q.z) * r.y + (p.x * q.y + p.y * q.x) * r.z;
    const double error = 16 * std::numeric_limits<double>::epsilon() * permanent;
    return volume > error ? 1 : volume < -error ? -1 : 0;
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

    std::uint64_t inverted = 0, degenerate = 0;
    for (Tetrahedron& t : read.tetrahedra) {
        const int sign = orientation(read.positions, t);
        inverted += sign < 0;
        degenerate += sign == 0;
        if (sign < 0) std::swap(t[2], t[3]);
    }
    const std::size_t count = read.tetrahedra.size();
    if (inverted > 0) warn(fmt::format("{} of {} tetrahedra were inverted and are turned", inverted, count));
    if (degenerate > 0) warn(fmt::format("{} of {} tetrahedra have no volume", degenerate, count));

    const std::vector<bool> used = used_vertices(read.positions.size(), read.tetrahedra);
    const auto unused = std::count(used.begin(), used.end(), false);
    if (read.second_order) {
        warn(fmt::format("of second-order tetrahedra only the corners are kept: {} vertices less", unused));
        drop_unused_vertices(read.positions, read.tetrahedra);
    } else if (unused > 0) {
        warn(fmt::format("{} vertices belong to no tetrahedron", unused));
    }
    return MeshFile<TetrahedralMesh>{{std::move(read.positions), std::move(read.tetrahedra)},
                                     std::move(warnings)};
}

}  // namespace pliant::mesh
