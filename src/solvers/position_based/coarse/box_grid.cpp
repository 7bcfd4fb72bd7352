#include "solvers/position_based/coarse/box_grid.h"

#include <pliant/bounds.h>

#include <algorithm>
#include <cmath>

#include "base/convert.h"
#include "base/scalar.h"

namespace pliant::solvers::position_based {
namespace {

constexpr double multiplications_per_element = 8;  // that take about a third of the time of a projection

// Of a Cholesky factorization, with nodes numbered along the longest side.
double cost(const BoxGrid& grid) {
    const auto axes = grid.axes();
    const double n0 = grid.counts[axes[0]] + 1, n1 = grid.counts[axes[1]] + 1, n2 = grid.counts[axes[2]] + 1;
    const double band = 3 * (n1 * n2 + n2 + 2);
    return 0.5 * 3 * n0 * n1 * n2 * band * band;
}

std::uint32_t count_along(double length, double size) {
    return std::max(1u, static_cast<std::uint32_t>(std::ceil(length / size - 0.25)));
}

}  // namespace

GridPlace BoxGrid::place(const Vec3d& x) const {
    const auto along = [](double at, std::uint32_t count) {
        return std::min(static_cast<std::uint32_t>(std::max(at, 0.0)), count - 1);
    };
    const Vec3d at{(x.x - low.x) / size.x, (x.y - low.y) / size.y, (x.z - low.z) / size.z};
    const std::array<std::uint32_t, 3> box{along(at.x, counts[0]), along(at.y, counts[1]),
                                           along(at.z, counts[2])};
    return {box, at - Vec3d{double(box[0]), double(box[1]), double(box[2])}};
}

std::array<std::size_t, 3> BoxGrid::axes() const {
    std::array<std::size_t, 3> axes{1, 0, 2};
    std::stable_sort(axes.begin(), axes.end(),
                     [&](std::size_t a, std::size_t b) { return counts[a] > counts[b]; });
    return axes;
}

std::optional<BoxGrid> make_box_grid(const model::Model& model, const BodyView& body) {
    BoundsOf<double> bounds;
    for (std::uint32_t i = 0; i < body.particle_count; ++i)
        bounds.add(to_double(model.rest_positions[body.first_particle + i]));
    double volume = 0;
    for (std::uint32_t t = 0; t < body.tetrahedron_count; ++t)
        volume += model.rest_volumes[body.first_tetrahedron + t];
    // A cube of six tetrahedra has this edge.
    const double edge = std::cbrt(6 * volume / body.tetrahedron_count);
    const Vec3d extent = bounds.extent();
    const double thickness = min(extent.x, min(extent.y, extent.z)) / edge;
    if (!(thickness > 1.5)) return std::nullopt;
    BoxGrid grid;
    for (double size = (thickness < 3.5 ? 2 : thickness < 6 ? 4 : 8) * edge;; size *= 1.25) {
        grid.counts = {count_along(extent.x, size), count_along(extent.y, size), count_along(extent.z, size)};
        if (cost(grid) <= multiplications_per_element * body.tetrahedron_count + 2e4) break;
    }
    grid.low = bounds.low;
    grid.size = {extent.x / grid.counts[0], extent.y / grid.counts[1], extent.z / grid.counts[2]};
    return grid;
}

}  // namespace pliant::solvers::position_based
