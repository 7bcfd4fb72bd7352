#include "solvers/position_based/cloth/node_weights.h"

#include <algorithm>

#include "base/convert.h"

namespace pliant::solvers::position_based::cloth {
namespace {

constexpr double regularization = 1e-3;

Vec3d unit_or(const Vec3d& a, const Vec3d& otherwise) {
    const double l = length(a);
    return l > 0 ? a * (1 / l) : otherwise;
}

// An axis that is not near the direction n.
Vec3d axis_across(const Vec3d& n) { return abs(n.x) < 0.8 ? Vec3d{1, 0, 0} : Vec3d{0, 1, 0}; }

}  // namespace

void NearNodes::add(const NearNode& found) {
    std::size_t at = count;
    while (at > 0 && found.distance < nodes[at - 1].distance) --at;
    if (at == most) return;
    count = std::min(count + 1, most);
    for (std::size_t i = count - 1; i > at; --i) nodes[i] = nodes[i - 1];
    nodes[at] = found;
}

std::array<double, nodes_per_target> node_weights(const NearNodes& near, std::span<const Vec3d> to_node,
                                                  const Vec3d& normal, double reach) {
    std::array<double, nodes_per_target> weights{};
    const std::size_t count = std::min(near.count, nodes_per_target);
    if (count == 0) return weights;
    const double scale = near.count > nodes_per_target ? near.nodes[nodes_per_target].distance : reach;
    if (!(near.nodes[0].distance > 1e-6 * scale)) {
        weights[0] = 1;
        return weights;
    }
    // Places of the nodes on the tangent plane, in units of the scale, and their kernels.
    const Vec3d n = unit_or(normal, {0, 1, 0}), u = unit_or(cross(n, axis_across(n)), {1, 0, 0}),
                v = cross(n, u);
    double kernel[nodes_per_target], x[nodes_per_target], y[nodes_per_target];
    double total = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const double distance = near.nodes[i].distance / scale;
        const Vec3d direction = unit_or(to_node[i] - n * dot(n, to_node[i]), u);
        x[i] = dot(direction, u) * distance;
        y[i] = dot(direction, v) * distance;
        kernel[i] = (1 / distance - 1) * (1 / distance - 1);
        total += kernel[i];
    }
    if (!(total > 0)) {
        weights[0] = 1;
        return weights;
    }
    double sx = 0, sy = 0, sxx = 0, syy = 0, sxy = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const double k = kernel[i] / total;
        sx += k * x[i];
        sy += k * y[i];
        sxx += k * x[i] * x[i];
        syy += k * y[i] * y[i];
        sxy += k * x[i] * y[i];
    }
    // 1 + a·x + b·y makes the first moments vanish.
    const double extra = regularization * (sxx + syy), xx = sxx + extra, yy = syy + extra;
    const double determinant = xx * yy - sxy * sxy;
    const double a = determinant > 0 ? (sy * sxy - sx * yy) / determinant : 0,
                 b = determinant > 0 ? (sx * sxy - sy * xx) / determinant : 0;
    double sum = 0;
    for (std::size_t i = 0; i < count; ++i) {
        weights[i] = max(kernel[i] / total * (1 + a * x[i] + b * y[i]), 0.0);
        sum += weights[i];
    }
    if (!(sum > 0)) {
        weights = {1};
        return weights;
    }
    for (double& weight : weights) weight /= sum;
    return weights;
}

}  // namespace pliant::solvers::position_based::cloth
