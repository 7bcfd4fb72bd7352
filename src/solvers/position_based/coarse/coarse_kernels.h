// Passes over the coarse level. Part of kernels.cpp, compiled once per instruction set.
#pragma once

#include "base/geometry/polar_rotation.h"
#include "solvers/position_based/kernel_basics.h"

namespace pliant::PLIANT_TARGET {

namespace detail {

// Sums over the eight lanes of four vectors, always in this order: (0 + 4) + (2 + 6), (1 + 5) + (3 + 7).
PLIANT_INLINE Vec<4>::Float sums(const Lane<8>& a, const Lane<8>& b, const Lane<8>& c, const Lane<8>& d) {
    const auto halves = [](const Lane<8>& s) __attribute__((always_inline)) {
        const Vec<4>::Float low = __builtin_shufflevector(s.v, s.v, 0, 1, 2, 3),
                            high = __builtin_shufflevector(s.v, s.v, 4, 5, 6, 7);
        return (Vec<4>::Int)(low + high);
    };
    Vec<4>::Int rows[4] = {halves(a), halves(b), halves(c), halves(d)};
    transpose<4>(rows);
    return ((Vec<4>::Float)rows[0] + (Vec<4>::Float)rows[2]) +
           ((Vec<4>::Float)rows[1] + (Vec<4>::Float)rows[3]);
}

PLIANT_INLINE Matrix3<float> load_matrix(const float* p) {
    return {{p[0], p[1], p[2]}, {p[3], p[4], p[5]}, {p[6], p[7], p[8]}};
}
PLIANT_INLINE void store_matrix(float* p, const Matrix3<float>& m) {
    p[0] = m.x.x, p[1] = m.x.y, p[2] = m.x.z, p[3] = m.y.x, p[4] = m.y.y, p[5] = m.y.z, p[6] = m.z.x,
    p[7] = m.z.y, p[8] = m.z.z;
}

// A·v for the same matrix and eight vectors.
PLIANT_INLINE Vector<8> times(const Matrix3<float>& a, const Vector<8>& v) {
    const auto row = [&](float x, float y, float z) __attribute__((always_inline)) {
        return Lane<8>(x) * v.x + Lane<8>(y) * v.y + Lane<8>(z) * v.z;
    };
    return {row(a.x.x, a.y.x, a.z.x), row(a.x.y, a.y.y, a.z.y), row(a.x.z, a.y.z, a.z.z)};
}

}  // namespace detail

// F_c = Σ (xᵢ − x₀) ⊗ Gᵢ, x₀ any of them (Σ Gᵢ = 0): lane by lane, then over the lanes in order.
PLIANT_ENTRY void restrict_cells(const RestrictRun& r) {
    for (std::size_t cell = r.first; cell < r.first + r.count; ++cell) {
        float sums[9][block_size];
        for (auto& lanes : sums) {
            for (float& lane : lanes) lane = 0;
        }
        const std::uint32_t* first = r.term_offsets + r.cell_terms[cell] * block_size;
        const ParticleLanes<1> start = load_particles<1>(r.position, [=](int) { return *first; });
        for (std::size_t block = r.cell_terms[cell]; block < r.cell_terms[cell + 1]; ++block) {
            for (std::size_t i = 0; i < block_size; i += wide) {
                const std::uint32_t* offsets = r.term_offsets + block * block_size + i;
                const float* gradients = r.term_gradients + block * 3 * block_size + i;
                const ParticleLanes<wide> p =
                    load_particles<wide>(r.position, [=](int k) { return offsets[k]; });
                const Lane<wide> d[3] = {p.x - Lane<wide>(start.x.v), p.y - Lane<wide>(start.y.v),
                                         p.z - Lane<wide>(start.z.v)};
                unroll<3>([&](auto column) {
                    const Lane<wide> g = load<wide>(gradients + column * block_size);
                    unroll<3>([&](auto row) {
                        float* sum = sums[3 * column + row] + i;
                        store<wide>(sum, load<wide>(sum) + d[row] * g);
                    });
                });
            }
        }
        float* f = r.deformations + 9 * cell;
        for (std::size_t k = 0; k < 9; ++k) {
            float total = 0;
            for (const float lane : sums[k]) total += lane;
            f[k] = total;
        }
        detail::store_matrix(r.rotations + 9 * cell, polar_rotation(detail::load_matrix(f)));
    }
}

// One visit of a cell: ARAP with the rotation held, a block of two rows as of an element
// (block_projection.h), on the eight nodes q.
PLIANT_INLINE void project_cell(const CoarseSweep& r, std::size_t cell, Vector<8>& q, const Lane<8>& w) {
    const float compliance = r.compliances[2 * cell], volume_compliance = r.compliances[2 * cell + 1];
    if (!(compliance > 0)) return;
    const float* gradients = r.gradients + cell * 24;
    const Vector<8> g{load<8>(gradients), load<8>(gradients + 8), load<8>(gradients + 16)};

    // F, its cofactor and volume.
    const auto x = detail::sums(q.x * g.x, q.y * g.x, q.z * g.x, q.x * g.y),
               y = detail::sums(q.y * g.y, q.z * g.y, q.x * g.z, q.y * g.z),
               z = detail::sums(q.z * g.z, q.z * g.z, q.z * g.z, q.z * g.z);
    const Matrix3<float> moved{{x[0], x[1], x[2]}, {x[3], y[0], y[1]}, {y[2], y[3], z[0]}};
    const Matrix3<float> f = detail::load_matrix(r.deformations + 9 * cell) + moved, cof = cofactor(f);
    const float j = dot(f.x, cof.x);
    if (!(j > 0.1f)) return;  // crushed: the elements are at work there

    // The strain in the rest frame, with what the multipliers take of it.
    const Matrix3<float> rotation = detail::load_matrix(r.rotations + 9 * cell);
    float* multipliers = r.multipliers + 8 * cell;
    const auto strain = [&](const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
        return 0.5f * (dot(a, b) + dot(c, d));
    };
    const float xx = dot(rotation.x, f.x) - 1 + compliance * multipliers[0],
                yy = dot(rotation.y, f.y) - 1 + compliance * multipliers[1],
                zz = dot(rotation.z, f.z) - 1 + compliance * multipliers[2],
                xy = strain(rotation.x, f.y, rotation.y, f.x) + compliance * multipliers[3],
                xz = strain(rotation.x, f.z, rotation.z, f.x) + compliance * multipliers[4],
                yz = strain(rotation.y, f.z, rotation.z, f.y) + compliance * multipliers[5];
    const Matrix3<float> s = rotation * Matrix3<float>{{xx, xy, xz}, {xy, yy, yz}, {xz, yz, zz}};
    const float square = xx * xx + yy * yy + zz * zz + 2 * (xy * xy + xz * xz + yz * yz);
    const float volume = j - 1 + volume_compliance * multipliers[6];

    // Solve the block, and move the nodes.
    const Vector<8> p = detail::times(s, g), c = detail::times(cof, g);
    const auto masses = detail::sums(w * dot(p, p), w * dot(p, c), w * dot(c, c), w);
    const float a11 = (masses[0] + compliance * square) * 1.00001f, a12 = masses[1],
                a22 = (masses[2] + volume_compliance) * 1.00001f;
    const float inverse = pliant::divide_or_zero(1.0f, a11 * a22 - a12 * a12);
    const float t1 = (a12 * volume - a22 * square) * inverse, t2 = (a12 * square - a11 * volume) * inverse;
    if (!(pliant::abs(t1) < 1e30f && pliant::abs(t2) < 1e30f)) return;
    const Lane<8> t1w = w * Lane<8>(t1), t2w = w * Lane<8>(t2);
    q = q + p * t1w + c * t2w;
    const float strains[6] = {xx, yy, zz, xy, xz, yz};
    for (std::size_t k = 0; k < 6; ++k) multipliers[k] = multipliers[k] + t1 * strains[k];
    multipliers[6] = multipliers[6] + t2;
}

PLIANT_ENTRY void sweep_cells(const CoarseSweep& r) {
    for (std::size_t i = 0; i < r.count; ++i) {
        const std::size_t box = r.first + (r.backward ? r.count - 1 - i : i);
        const auto& nodes = r.box_nodes[box];
        const auto at = [&](int k) {
            return static_cast<std::uint32_t>(nodes[static_cast<std::size_t>(k)] * bytes_per_particle);
        };
        const ParticleLanes<8> loaded = load_particles<8>(r.nodes, at);
        Vector<8> q = xyz(loaded);
        const std::size_t first = r.box_cells[box], last = r.box_cells[box + 1];
        for (std::size_t k = 0; k < last - first; ++k)
            project_cell(r, r.backward ? last - 1 - k : first + k, q, loaded.w);
        store_particles<8>(r.nodes, at, {q.x, q.y, q.z, loaded.w});
    }
}

// x += Σ φₙ·qₙ for N particles of a group, from number i on, that move. The pushes of contacts go the same
// way.
template <int N>
PLIANT_INLINE void prolong_lanes(const ProlongRun& r, std::size_t group, std::size_t i) {
    const Lane<N> one(1.0f), zero(0.0f);
    const auto& nodes = r.group_nodes[group];
    const float* coordinates = r.group_coordinates + group * 3 * block_size + i;
    const Lane<N> a = load<N>(coordinates), b = load<N>(coordinates + block_size),
                  c = load<N>(coordinates + 2 * block_size);
    const Lane<N> along_x[2] = {one - a, a}, along_y[2] = {one - b, b}, along_z[2] = {one - c, c};
    Vector<N> move{zero, zero, zero};
    Lane<N> pushed = zero;
    unroll<8>([&](auto k) {
        const Lane<N> weight = along_x[k & 1] * along_y[k >> 1 & 1] * along_z[k >> 2];
        const float* q = r.nodes + nodes[k] * floats_per_particle;
        move = move + Vector<N>{weight * Lane<N>(q[0]), weight * Lane<N>(q[1]), weight * Lane<N>(q[2])};
        pushed = pushed + weight * Lane<N>(r.pushes[nodes[k]]);
    });
    const std::uint32_t* offsets = r.group_offsets + group * block_size + i;
    const auto at = [=](int k) { return offsets[k]; };
    const ParticleLanes<N> p = load_particles<N>(r.position, at);
    const Vector<N> x = pliant::select(p.w > zero, xyz(p) + move, xyz(p));
    store_particles<N>(r.position, at, {x.x, x.y, x.z, p.w});
    const ParticleLanes<N> n = load_particles<N>(r.contacts, at);
    const Mask<N> touches = dot(xyz(n), xyz(n)) > zero;
    store_particles<N>(r.contacts, at, {n.x, n.y, n.z, select(touches, pushed, zero)});
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
