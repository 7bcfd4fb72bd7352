// Passes over the coarse level. Part of the kernels, compiled once per instruction set.
#pragma once

#include "solvers/position_based/kernel_basics.h"

namespace pliant::PLIANT_TARGET {

namespace detail {

// Always in this order, whatever the width: halves, quarters, pairs.
PLIANT_INLINE float sum_of_lanes(float* lanes) {
    for (std::size_t half = block_size / 2; half > 0; half /= 2) {
        for (std::size_t i = 0; i < half; ++i) lanes[i] += lanes[i + half];
    }
    return lanes[0];
}

}  // namespace detail

// Σ m·φₙ·(x − x₀) over the particles of a run, x₀ the first: lane by lane, then over the lanes.
PLIANT_ENTRY void restrict_groups(const RestrictRun& r) {
    for (std::size_t k = r.first; k < r.first + r.count; ++k) {
        const GroupRun& run = r.runs[k];
        alignas(64) float sums[24][block_size];
        const std::uint32_t* first = r.group_offsets + run.first * block_size;
        const ParticleLanes<1> start = load_particles<1>(r.position, [=](int) { return *first; });
        for (std::size_t i = 0; i < block_size; i += wide) {
            Lane<wide> lanes[24];
            unroll<24>([&](auto v) { lanes[v] = Lane<wide>(0.0f); });
            for (std::size_t group = run.first; group < run.first + run.count; ++group) {
                const std::uint32_t* offsets = r.group_offsets + group * block_size + i;
                const float* at = r.group_coordinates + group * 3 * block_size + i;
                const ParticleLanes<wide> p =
                    load_particles<wide>(r.position, [=](int j) { return offsets[j]; });
                const Lane<wide> x = p.x - Lane<wide>(start.x.v), y = p.y - Lane<wide>(start.y.v),
                                 z = p.z - Lane<wide>(start.z.v);
                const Lane<wide> one(1.0f), mass = load<wide>(r.group_masses + group * block_size + i),
                                            a = load<wide>(at), b = load<wide>(at + block_size),
                                            c = load<wide>(at + 2 * block_size);
                const Lane<wide> along_x[2] = {one - a, a}, along_y[2] = {one - b, b},
                                 along_z[2] = {mass * (one - c), mass * c};
                unroll<8>([&](auto n) {
                    const Lane<wide> weight = along_x[n & 1] * along_y[n >> 1 & 1] * along_z[n >> 2];
                    lanes[3 * n] = lanes[3 * n] + weight * x;
                    lanes[3 * n + 1] = lanes[3 * n + 1] + weight * y;
                    lanes[3 * n + 2] = lanes[3 * n + 2] + weight * z;
                });
            }
            unroll<24>([&](auto v) { store<wide>(sums[v] + i, lanes[v]); });
        }
        float* result = r.sums + k * floats_per_run_sum;
        for (std::size_t v = 0; v < 24; ++v) result[v] = detail::sum_of_lanes(sums[v]);
        result[24] = start.x.v, result[25] = start.y.v, result[26] = start.z.v;
    }
}

PLIANT_ENTRY void factorize(const FactorRun& r) { solvers::position_based::detail::factorize_rows(r); }
PLIANT_ENTRY void solve_factor(const SolveRun& r) { solvers::position_based::detail::solve_rows(r); }
PLIANT_ENTRY void strain_boxes(const BoxRun& r) { solvers::position_based::detail::strain_all(r); }

// x += Σ φₙ·qₙ for N particles of a group, from number i on, that move.
template <int N>
PLIANT_INLINE void prolong_lanes(const ProlongRun& r, std::size_t group, std::size_t i) {
    const Lane<N> one(1.0f), zero(0.0f);
    const auto& nodes = r.group_nodes[group];
    const float* coordinates = r.group_coordinates + group * 3 * block_size + i;
    const Lane<N> a = load<N>(coordinates), b = load<N>(coordinates + block_size),
                  c = load<N>(coordinates + 2 * block_size);
    const Lane<N> along_x[2] = {one - a, a}, along_y[2] = {one - b, b}, along_z[2] = {one - c, c};
    Vector<N> move{zero, zero, zero};
    unroll<8>([&](auto k) {
        const Lane<N> weight = along_x[k & 1] * along_y[k >> 1 & 1] * along_z[k >> 2];
        const float* q = r.nodes + nodes[k] * floats_per_particle;
        move = move + Vector<N>{weight * Lane<N>(q[0]), weight * Lane<N>(q[1]), weight * Lane<N>(q[2])};
    });
    const std::uint32_t* offsets = r.group_offsets + group * block_size + i;
    const auto at = [=](int k) { return offsets[k]; };
    const ParticleLanes<N> p = load_particles<N>(r.position, at);
    const Vector<N> x = pliant::select(p.w > zero, xyz(p) + move, xyz(p));
    store_particles<N>(r.position, at, {x.x, x.y, x.z, p.w});
}

PLIANT_ENTRY void prolong(const ProlongRun& r) {
    for (std::size_t group = r.first; group < r.first + r.count; ++group) {
        const std::size_t size = r.group_sizes[group];
        if (size == block_size) {
            for (std::size_t i = 0; i < block_size; i += wide) prolong_lanes<wide>(r, group, i);
        } else {
            for (std::size_t i = 0; i < size; ++i) prolong_lanes<1>(r, group, i);
        }
    }
}

}  // namespace pliant::PLIANT_TARGET
