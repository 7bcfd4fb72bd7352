// What is wrong with points and elements.
#pragma once

#include <pliant/error.h>
#include <pliant/mesh.h>

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/convert.h"
#include "base/field_checks.h"

namespace pliant::bodies {

// A rest element this thin against its longest edge (cubed, squared) counts as degenerate.
inline constexpr double degenerate = 1e-6;

inline std::string item(const std::string& path, std::size_t i) { return fmt::format("{}/{}", path, i); }

inline std::optional<Error> check_points(const std::string& path, std::span<const Vec3> points,
                                         std::size_t at_least) {
    if (points.size() < at_least) {
        return Error{path, fmt::format("needs at least {} points, got {}", at_least, points.size())};
    }
    for (std::size_t i = 0; i < points.size(); ++i) {
        const Vec3& p = points[i];
        if (abs(p.x) <= 1e9f && abs(p.y) <= 1e9f && abs(p.z) <= 1e9f) continue;  // false for NaN
        return check_field(item(path, i), p, ranges::any);
    }
    return {};
}

// m, of a thread as dense as water.
inline double thread_radius(double linear_density) { return sqrt(linear_density / 3141.592653589793); }

inline std::optional<Error> check_index(const std::string& path, std::size_t index, std::size_t count) {
    if (index < count) return {};
    return Error{path, fmt::format("must be an index below {}, got {}", count, index)};
}

// Every index in range, and none twice in an element.
template <std::size_t N>
std::optional<Error> check_elements(const std::string& path,
                                    std::span<const std::array<std::uint32_t, N>> elements,
                                    std::size_t points) {
    for (std::size_t i = 0; i < elements.size(); ++i) {
        for (std::size_t k = 0; k < N; ++k) {
            if (auto error = check_index(item(item(path, i), k), elements[i][k], points)) return error;
            for (std::size_t j = 0; j < k; ++j) {
                if (elements[i][j] != elements[i][k]) continue;
                return Error{item(path, i),
                             fmt::format("joins particle {} with itself; its {} particles must differ",
                                         elements[i][k], N)};
            }
        }
    }
    return {};
}

template <std::size_t N>
std::optional<Error> check_all_used(const std::string& path,
                                    std::span<const std::array<std::uint32_t, N>> elements,
                                    std::size_t points, const char* element) {
    std::vector<bool> used(points, false);
    for (const auto& e : elements) {
        for (std::uint32_t p : e) used[p] = true;
    }
    for (std::size_t i = 0; i < points; ++i) {
        if (used[i]) continue;
        return Error{item(path, i), fmt::format("belongs to no {} and so has no mass; remove it", element)};
    }
    return {};
}

inline double longest_edge(std::span<const Vec3> points, std::span<const std::uint32_t> element) {
    double longest = 0;
    for (std::uint32_t a : element) {
        for (std::uint32_t b : element) {
            const Vec3d d = to_double(points[a]) - to_double(points[b]);
            longest = max(longest, dot(d, d));
        }
    }
    return sqrt(longest);
}

inline double volume_of(std::span<const Vec3> points, const Tetrahedron& t) {
    const Vec3d a = to_double(points[t[0]]);
    const Vec3d b = to_double(points[t[1]]) - a, c = to_double(points[t[2]]) - a;
    return dot(cross(b, c), to_double(points[t[3]]) - a) / 6;
}

inline double area_of(std::span<const Vec3> points, const Triangle& t) {
    const Vec3d a = to_double(points[t[0]]);
    return length(cross(to_double(points[t[1]]) - a, to_double(points[t[2]]) - a)) / 2;
}

inline std::optional<Error> check_texture(const std::string& path, const TriangleMesh& mesh) {
    if (mesh.texture_coordinates.empty() || mesh.texture_coordinates.size() == mesh.triangles.size())
        return {};
    return Error{path + "/texture_coordinates",
                 fmt::format("must be empty or one for each of {} triangles, got {}", mesh.triangles.size(),
                             mesh.texture_coordinates.size())};
}

}  // namespace pliant::bodies
