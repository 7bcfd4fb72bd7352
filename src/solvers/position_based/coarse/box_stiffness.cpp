#include "solvers/position_based/coarse/box_stiffness.h"

#include "base/scalar.h"

namespace pliant::solvers::position_based {
namespace {

constexpr double share_of_torsion = 0.918;  // √(0.1406·6): of a square's, with and without warping
using Row = std::array<double, box_values>;
using Sum = std::array<double, box_values * box_values>;

// sum += scale·row·rowᵀ
void add_square(const Row& row, double scale, Sum& sum) {
    for (std::size_t i = 0; i < box_values; ++i) {
        const double scaled = scale * row[i];
        if (scaled == 0) continue;
        for (std::size_t j = 0; j < box_values; ++j) sum[i * box_values + j] += scaled * row[j];
    }
}

double component(const Vec3d& v, std::size_t axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }

// γ of two axes, taken from the middle along both.
Row shear_row(const Vec3d& point, const Vec3d& middle, const Vec3d& size, std::size_t a, std::size_t b) {
    Vec3d at = middle;
    const std::size_t along = 3 - a - b;
    double* const coordinates[3] = {&at.x, &at.y, &at.z};
    *coordinates[along] += share_of_torsion * (component(point, along) - component(middle, along));
    const auto gradients = corner_gradients(at, size);
    Row row{};
    for (std::size_t c = 0; c < box_corners; ++c) {
        row[3 * c + a] = component(gradients[c], b);
        row[3 * c + b] = component(gradients[c], a);
    }
    return row;
}

BoxMatrix to_floats(const Sum& sum) {
    BoxMatrix result;
    for (std::size_t i = 0; i < sum.size(); ++i) result[i] = static_cast<float>(sum[i]);
    return result;
}

}  // namespace

std::array<double, box_corners> corner_weights(const Vec3d& at) {
    std::array<double, box_corners> weights{};
    for (std::size_t c = 0; c < box_corners; ++c)
        weights[c] = (c & 1 ? at.x : 1 - at.x) * (c & 2 ? at.y : 1 - at.y) * (c & 4 ? at.z : 1 - at.z);
    return weights;
}

std::array<Vec3d, box_corners> corner_gradients(const Vec3d& at, const Vec3d& size) {
    std::array<Vec3d, box_corners> gradients;
    for (std::size_t c = 0; c < box_corners; ++c) {
        const double x = c & 1 ? at.x : 1 - at.x, y = c & 2 ? at.y : 1 - at.y, z = c & 4 ? at.z : 1 - at.z;
        gradients[c] = {(c & 1 ? 1 : -1) * y * z / size.x, (c & 2 ? 1 : -1) * x * z / size.y,
                        (c & 4 ? 1 : -1) * x * y / size.z};
    }
    return gradients;
}

BoxStiffness box_stiffness(std::span<const PointInBox> points, const Vec3d& size) {
    Vec3d middle{};
    double volume = 0;
    for (const PointInBox& point : points) {
        middle = middle + point.coordinates * point.volume;
        volume += point.volume;
    }
    middle = middle * (1 / volume);
    Sum shear{}, dilation{}, mean{};
    Row mean_row{};
    for (const PointInBox& point : points) {
        const auto gradients = corner_gradients(point.coordinates, size);
        Row divergence{};
        for (std::size_t axis = 0; axis < 3; ++axis) {
            Row strain{};
            for (std::size_t c = 0; c < box_corners; ++c)
                strain[3 * c + axis] = divergence[3 * c + axis] = component(gradients[c], axis);
            add_square(strain, 2 * point.volume, shear);
        }
        add_square(shear_row(point.coordinates, middle, size, 0, 1), point.volume, shear);
        add_square(shear_row(point.coordinates, middle, size, 0, 2), point.volume, shear);
        add_square(shear_row(point.coordinates, middle, size, 1, 2), point.volume, shear);
        add_square(divergence, point.volume, dilation);
        for (std::size_t i = 0; i < box_values; ++i) mean_row[i] += divergence[i] * point.volume;
    }
    add_square(mean_row, 1 / volume, mean);
    return {to_floats(shear), to_floats(dilation), to_floats(mean)};
}

void combine(const BoxStiffness& stiffness, double poisson_ratio, double scale, std::span<double> result) {
    const double mu = 0.5 / (1 + poisson_ratio);
    const double lambda = poisson_ratio / ((1 + poisson_ratio) * (1 - 2 * poisson_ratio));
    const double on_mean = 2 * max(poisson_ratio, 0.0);
    for (std::size_t i = 0; i < result.size(); ++i) {
        result[i] = scale * (mu * stiffness.shear[i] + lambda * ((1 - on_mean) * stiffness.dilation[i] +
                                                                 on_mean * stiffness.mean_dilation[i]));
    }
}

}  // namespace pliant::solvers::position_based
