#include "scene/bodies/bending_calibration.h"

#include <algorithm>
#include <vector>

#include "solvers/position_based/coarse/skyline.h"

namespace pliant::bodies {
namespace {

namespace position_based = solvers::position_based;

constexpr std::size_t most_particles = 600;  // of the piece that is bent: larger ones say the same
constexpr int rounds = 3;
constexpr double least_scale = 0.5, most_scale = 2;
constexpr double regularization = 1e-9;  // a piece that floats has no other hold
constexpr std::uint32_t outside = 0xffffffff;

class Piece {
public:
    Piece(std::span<const CalibrationHinge> hinges, std::span<const std::array<std::uint32_t, 3>> triangles,
          std::span<const double> triangle_areas, std::size_t particles)
        : row_of_(particles, outside) {
        find_particles(hinges);
        std::vector<std::uint32_t> first(rows_);
        for (std::uint32_t row = 0; row < rows_; ++row) first[row] = row;
        for (const CalibrationHinge& hinge : hinges) {
            CalibrationHinge own = hinge;
            for (std::uint32_t& particle : own.particles) particle = row_of_[particle];
            const auto [low, high] = std::minmax_element(own.particles.begin(), own.particles.end());
            if (*high == outside) continue;
            for (const std::uint32_t row : own.particles) first[row] = std::min(first[row], *low);
            hinges_.push_back(own);
        }
        layout_ = position_based::SkylineLayout(std::move(first));
        for (std::size_t t = 0; t < triangles.size(); ++t) {
            const bool is_inside = std::all_of(triangles[t].begin(), triangles[t].end(),
                                               [&](std::uint32_t p) { return row_of_[p] != outside; });
            if (is_inside) area_ += triangle_areas[t];
        }
    }

    // B' along warp and weft.
    std::array<double, 2> stiffnesses(double of_warp, double of_weft) const {
        std::vector<double> matrix(layout_.entries(), 0.0);
        for (const CalibrationHinge& hinge : hinges_) {
            const double weight = bending_across(hinge.along_weft, of_warp, of_weft) * hinge.length *
                                  hinge.length / hinge.areas;
            for (std::size_t i = 0; i < 4; ++i) {
                for (std::size_t j = 0; j < 4; ++j) {
                    const std::uint32_t a = hinge.particles[i], b = hinge.particles[j];
                    if (b <= a) layout_.row(matrix.data(), a)[b] += weight * hinge.k[i] * hinge.k[j];
                }
            }
        }
        for (std::size_t row = 0; row < rows_; ++row)
            layout_.row(matrix.data(), row)[row] *= 1 + regularization;
        factorize(layout_, matrix);
        std::array<double, 2> result{};
        for (std::size_t direction = 0; direction < 2; ++direction) {
            std::vector<double> f(rows_, 0.0);
            for (const CalibrationHinge& hinge : hinges_) {
                const double share = direction == 0 ? 1 - hinge.along_weft : hinge.along_weft;
                for (std::size_t i = 0; i < 4; ++i)
                    f[hinge.particles[i]] += share * hinge.length * hinge.k[i];
            }
            std::vector<double> x = f;
            solve(layout_, matrix, x);
            double work = 0;
            for (std::size_t row = 0; row < rows_; ++row) work += f[row] * x[row];
            result[direction] = area_ / work;
        }
        return result;
    }

private:
    // Breadth first from the middle of the list.
    void find_particles(std::span<const CalibrationHinge> hinges) {
        std::vector<std::vector<std::uint32_t>> at(row_of_.size());
        for (std::uint32_t h = 0; h < hinges.size(); ++h) {
            for (const std::uint32_t particle : hinges[h].particles) at[particle].push_back(h);
        }
        std::vector<std::uint32_t> found{hinges[hinges.size() / 2].particles[0]};
        row_of_[found[0]] = 0;
        for (std::size_t i = 0; i < found.size(); ++i) {
            for (const std::uint32_t h : at[found[i]]) {
                for (const std::uint32_t other : hinges[h].particles) {
                    if (row_of_[other] != outside || found.size() == most_particles) continue;
                    row_of_[other] = static_cast<std::uint32_t>(found.size());
                    found.push_back(other);
                }
            }
        }
        rows_ = found.size();
    }

    std::vector<std::uint32_t> row_of_;  // [particle]
    std::size_t rows_ = 0;
    std::vector<CalibrationHinge> hinges_;
    position_based::SkylineLayout layout_;
    double area_ = 0;
};

double times(double scale, double asked, double found) {
    const double next = scale * asked / found;
    return next > least_scale ? std::min(next, most_scale) : least_scale;
}

}  // namespace

double bending_across(double along_weft, double of_warp, double of_weft) {
    const double root = sqrt(of_warp) * (1 - along_weft) + sqrt(of_weft) * along_weft;
    return root * root;
}

BendingScales calibrate_bending(std::span<const CalibrationHinge> hinges,
                                std::span<const std::array<std::uint32_t, 3>> triangles,
                                std::span<const double> triangle_areas, std::size_t particles, double of_warp,
                                double of_weft) {
    BendingScales scales;
    if (hinges.empty() || !(of_warp > 0) || !(of_weft > 0)) return scales;
    const Piece piece(hinges, triangles, triangle_areas, particles);
    for (int round = 0; round < rounds; ++round) {
        const auto [warp, weft] = piece.stiffnesses(scales.warp * of_warp, scales.weft * of_weft);
        if (!(warp > 0 && weft > 0)) return {};
        scales.warp = times(scales.warp, of_warp, warp);
        scales.weft = times(scales.weft, of_weft, weft);
    }
    return scales;
}

}  // namespace pliant::bodies
