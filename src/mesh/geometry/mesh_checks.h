// What every function asks of the meshes that it is given.
#pragma once

#include <pliant/error.h>
#include <pliant/vector.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "base/format.h"
#include "mesh/geometry/finite.h"

namespace pliant::mesh {

// Errors have the name and a number as their path, such as "positions/3".
template <class T>
Status check_positions(std::span<const Vector3<T>> positions, std::string_view name) {
    for (std::size_t i = 0; i < positions.size(); ++i) {
        const Vector3<T>& p = positions[i];
        if (is_finite(p)) continue;
        return Error{fmt::format("{}/{}", name, i),
                     fmt::format("must be finite, got ({}, {}, {})", p.x, p.y, p.z)};
    }
    return {};
}

template <std::size_t Corners>
Status check_elements(std::span<const std::array<std::uint32_t, Corners>> elements, std::size_t vertices,
                      std::string_view name) {
    for (std::size_t i = 0; i < elements.size(); ++i) {
        for (const std::uint32_t corner : elements[i]) {
            if (corner < vertices) continue;
            return Error{fmt::format("{}/{}", name, i),
                         fmt::format("vertex {} does not exist: there are {}", corner, vertices)};
        }
    }
    return {};
}

}  // namespace pliant::mesh
