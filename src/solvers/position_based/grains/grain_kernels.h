// Pairs of grains. Part of the kernels, compiled once per instruction set.
//
//   d = xₐ − x_b,  n = d/|d|,  W = wₐ + w_b,  q = (xₐ − pₐ) − (x_b − p_b)        p: start of the substep
//   normal    N ← max(0, N + t − |d|),        t = min(rₐ + r_b, |pₐ − p_b|)
//   friction  T ← T − (q − n(n·q)), shortened to |T| ≤ μ·N
//   xₐ += wₐ/W·Δ(nN + T),  x_b −= w_b/W·Δ(nN + T)
//
// Of what came in fast, the share e of its speed goes back: t − |d| is at least −e·n·u − n·q, with u as q
// without pushes. What overlapped at the start moves apart by a share of its overlap, x* and p with x: no
// velocity comes of it.
#pragma once

#include "solvers/position_based/grains/grain_runs.h"
#include "solvers/position_based/kernel_basics.h"

namespace pliant::PLIANT_TARGET {

inline constexpr float grain_opening_share = 0.2f;    // of an overlap, per substep
inline constexpr float most_grain_opening = 0.02f;    // of the distance at which two touch, per substep
inline constexpr float left_grain_overlap = 0.0005f;  // of that distance: so little stays

// The particles of N pairs, as they lie in memory.
template <int N>
struct PairRows {
    typename Vec<N>::Float a[4], b[4];
};
template <>
struct PairRows<1> {
    ParticleLanes<1> a, b;
};

template <int N>
struct GrainOffsets {
    const std::uint32_t* first;
    PLIANT_INLINE std::uint32_t a(int i) const { return first[i]; }
    PLIANT_INLINE std::uint32_t b(int i) const { return first[block_size + static_cast<std::size_t>(i)]; }
};

// xₐ − x_b, and wₐ + w_b.
template <int N>
PLIANT_INLINE ParticleLanes<N> load_difference(const float* base, const GrainOffsets<N>& at,
                                               PairRows<N>& rows) {
    if constexpr (N == 1) {
        rows.a = load_particles<N>(base, [=](int i) { return at.a(i); });
        rows.b = load_particles<N>(base, [=](int i) { return at.b(i); });
        return {rows.a.x - rows.b.x, rows.a.y - rows.b.y, rows.a.z - rows.b.z, rows.a.w + rows.b.w};
    } else {
        using Float = typename Vec<N>::Float;
        typename Vec<N>::Int difference[4];
        unroll<4>([&](auto i) {
            rows.a[i] = (Float)detail::load_row<N>(
                base, [=](int k) { return at.a(k); }, i);
            rows.b[i] = (Float)detail::load_row<N>(
                base, [=](int k) { return at.b(k); }, i);
            difference[i] = (typename Vec<N>::Int)(rows.a[i] - detail::negate_mass<N>(rows.b[i]));
        });
        detail::transpose<N>(difference);
        const auto lane = [&](int i) { return Lane<N>::from((Float)difference[i]); };
        return {lane(0), lane(1), lane(2), lane(3)};
    }
}

// xₐ += wₐ·by, x_b −= w_b·by, from rows whose last floats are the inverse masses.
template <int N>
PLIANT_INLINE void move_pairs(float* base, const GrainOffsets<N>& at, const PairRows<N>& rows,
                              const PairRows<N>& masses, const Vector<N>& by) {
    if constexpr (N == 1) {
        const Vector<N> a = xyz(rows.a) + by * masses.a.w, b = xyz(rows.b) - by * masses.b.w;
        store_particles<N>(base, [=](int i) { return at.a(i); }, {a.x, a.y, a.z, rows.a.w});
        store_particles<N>(base, [=](int i) { return at.b(i); }, {b.x, b.y, b.z, rows.b.w});
    } else {
        using Float = typename Vec<N>::Float;
        using Int = typename Vec<N>::Int;
        Int steps[4] = {(Int)by.x.v, (Int)by.y.v, (Int)by.z.v, Int{}};
        detail::transpose<N>(steps);
        unroll<4>([&](auto i) {
            const Float step = (Float)steps[i];
            const Float a = rows.a[i] + step * detail::spread_mass<N>(masses.a[i]);
            const Float b = rows.b[i] - step * detail::spread_mass<N>(masses.b[i]);
            detail::store_row<N>(
                base, [=](int k) { return at.a(k); }, i, (Int)a);
            detail::store_row<N>(
                base, [=](int k) { return at.b(k); }, i, (Int)b);
        });
    }
}

template <int N>
PLIANT_INLINE Vector<N> load_pushes(const float* pushes) {
    return {load<N>(pushes), load<N>(pushes + block_size), load<N>(pushes + 2 * block_size)};
}

// Grains that overlapped at the start of the substep.
template <int N>
PLIANT_INLINE void open_pairs(const GrainRun& r, const GrainOffsets<N>& at, const Vector<N>& by) {
    PairRows<N> masses, rows;
    load_difference<N>(r.position, at, masses);
    move_pairs<N>(r.position, at, masses, masses, by);
    for (float* base : {r.predicted, r.start}) {
        load_difference<N>(base, at, rows);
        move_pairs<N>(base, at, rows, masses, by);
    }
}

template <int N>
PLIANT_INLINE void sweep_pairs(const GrainRun& r, const GrainOffsets<N>& at, float* pushes,
                               const GrainPairTraits& traits, std::size_t first) {
    const Lane<N> zero(0.0f), one(1.0f), distance = load<N>(traits.distance + first);
    PairRows<N> rows, others;
    const ParticleLanes<N> now = load_difference<N>(r.position, at, rows);
    Vector<N> d = xyz(now), shift{zero, zero, zero};
    if (r.is_shifted) {
        shift = {load<N>(traits.shift[0] + first), load<N>(traits.shift[1] + first),
                 load<N>(traits.shift[2] + first)};
        d = d + shift;
    }
    const Vector<N> push = load_pushes<N>(pushes);
    const Lane<N> squared = dot(d, d);
    const Mask<N> pushed = abs(push.x) + abs(push.y) + abs(push.z) > zero;
    if (!any((squared < distance * distance) | pushed)) return;

    const Vector<N> began = xyz(load_difference<N>(r.start, at, others)) + shift;
    const Lane<N> began_apart = sqrt(dot(began, began)), apart = sqrt(squared);
    Lane<N> depth = min(distance, began_apart) - apart;
    const Mask<N> acts = (depth > zero) | pushed;
    const Lane<N> inverse = divide_or_zero(one, apart);
    const Vector<N> n = pliant::select(apart > zero, d * inverse, Vector<N>{zero, one, zero});
    const Vector<N> q = d - began;
    const Lane<N> along = dot(q, n), before = dot(push, n);
    if (r.bounces) {
        PairRows<N> unused;
        const Vector<N> u = xyz(load_difference<N>(r.predicted, at, unused)) + shift - began;
        const Lane<N> approach = dot(u, n), back = -(load<N>(traits.restitution + first) * approach) - along;
        depth = select(acts & (approach < Lane<N>(-r.resting_step)), max(depth, back), depth);
    }
    const Lane<N> normal = max(before + depth, zero);
    const Vector<N> tangent = push - n * before - (q - n * along);
    const Lane<N> limit = load<N>(traits.friction + first) * normal, slip = sqrt(dot(tangent, tangent));
    const Lane<N> share = select(slip > limit, divide_or_zero(limit, slip), one);
    const Vector<N> next = pliant::select(acts, n * normal + tangent * share, push);
    store<N>(pushes, next.x), store<N>(pushes + block_size, next.y),
        store<N>(pushes + 2 * block_size, next.z);
    const Lane<N> per_mass = divide_or_zero(one, now.w);
    move_pairs<N>(r.position, at, rows, rows, (next - push) * per_mass);
    if (!r.opens) return;
    const Lane<N> overlap = distance * Lane<N>(1 - left_grain_overlap) - began_apart;
    const Mask<N> overlaps = (overlap > zero) & (squared < distance * distance) & (now.w > zero);
    if (!any(overlaps)) return;
    const Lane<N> opening =
        min(overlap * Lane<N>(grain_opening_share), distance * Lane<N>(most_grain_opening)) * per_mass;
    open_pairs<N>(r, at, n * select(overlaps, opening, zero));
}

template <class F>
PLIANT_INLINE void for_each_grain_group(const GrainRun& r, const F& f) {
    constexpr std::size_t N = wide, groups = block_size / N;
    for (std::size_t i = 0; i < r.blocks * groups; ++i) {
        const std::size_t group = r.is_backward ? r.blocks * groups - 1 - i : i;
        const std::size_t block = group / groups, first = group % groups * N;
        f(GrainOffsets<wide>{r.offsets + block * 2 * block_size + first},
          r.pushes + block * 3 * block_size + first, r.traits[block * r.traits_stride], first);
    }
}

PLIANT_ENTRY void sweep_grains(const GrainRun& run) {
    const GrainRun r = run;  // a copy that no store can alias
    for_each_grain_group(
        r, [&](const GrainOffsets<wide>& at, float* pushes, const GrainPairTraits& traits, std::size_t first)
               __attribute__((always_inline)) { sweep_pairs<wide>(r, at, pushes, traits, first); });
}

// What pushed in the last substep goes on.
PLIANT_ENTRY void push_grains(const GrainRun& run) {
    const GrainRun r = run;
    for_each_grain_group(
        r, [&](const GrainOffsets<wide>& at, float* pushes, const GrainPairTraits&,
               std::size_t) __attribute__((always_inline)) {
            const Lane<wide> zero(0.0f);
            const Vector<wide> push = load_pushes<wide>(pushes);
            if (!any(abs(push.x) + abs(push.y) + abs(push.z) > zero)) return;
            PairRows<wide> rows;
            const ParticleLanes<wide> now = load_difference<wide>(r.position, at, rows);
            move_pairs<wide>(r.position, at, rows, rows, push * divide_or_zero(Lane<wide>(1.0f), now.w));
        });
}

}  // namespace pliant::PLIANT_TARGET
