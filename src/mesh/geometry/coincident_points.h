// Points at the same place become one.
#pragma once

#include <pliant/mesh.h>
#include <pliant/vector.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace pliant::mesh {

// For each point the first one at the very same place (0 and −0 are the same).
std::vector<std::uint32_t> first_at_place(std::span<const Vec3> points);

// For each point the first one of those that hang together with it by steps no longer than distance.
std::vector<std::uint32_t> first_within(std::span<const Vec3> points, float distance);

// Keeps one of the points at each place, in the order in which they come.
template <std::size_t Corners>
void join_equal_points(std::vector<Vec3>& points, std::vector<std::array<std::uint32_t, Corners>>& elements) {
    const std::vector<std::uint32_t> first = first_at_place(points);
    std::vector<std::uint32_t> number(points.size());
    std::uint32_t count = 0;
    for (std::uint32_t i = 0; i < points.size(); ++i) {
        if (first[i] == i) points[count] = points[i];
        number[i] = first[i] == i ? count++ : number[first[i]];
    }
    points.resize(count);
    for (auto& element : elements) {
        for (std::uint32_t& corner : element) corner = number[corner];
    }
}

}  // namespace pliant::mesh
