// Passes over the levels of cloth. Part of the kernels, compiled once per instruction set.
#pragma once

#include "solvers/position_based/kernel_basics.h"

namespace pliant::PLIANT_TARGET {

// Pulls the ends of N links together where they are further apart than the link is long:
//
//   Δp = (|d| − l − α̃·p)/(w₀ + w₁ + α̃),  p ≥ 0;   x₀ −= w₀·Δp·d/|d|,  x₁ += w₁·Δp·d/|d|,  d = x₀ − x₁
template <int N>
PLIANT_INLINE void pull_lanes(const LinkRun& r, std::size_t block, std::size_t i) {
    const std::uint32_t* offsets = r.offsets + block * 2 * block_size + i;
    const auto at_a = [=](int k) { return offsets[k]; };
    const auto at_b = [=](int k) { return offsets[k + int(block_size)]; };
    const ParticleLanes<N> a = load_particles<N>(r.nodes, at_a), b = load_particles<N>(r.nodes, at_b);
    const Lane<N> compliance(r.compliance);
    float* multipliers = r.multipliers + block * block_size + i;
    const Lane<N> pull = load<N>(multipliers),
                  length = load<N>(r.lengths + block * block_size + i) * Lane<N>(r.allowed);
    const Vector<N> d = xyz(a) - xyz(b);
    const Lane<N> distance = sqrt(dot(d, d));
    const Lane<N> wished =
        pull + divide_or_zero(distance - length - compliance * pull, a.w + b.w + compliance);
    const Lane<N> next = max(wished, Lane<N>(0.0f));
    const Lane<N> share = divide_or_zero(next - pull, distance);
    const Vector<N> xa = xyz(a) - d * (share * a.w), xb = xyz(b) + d * (share * b.w);
    store_particles<N>(r.nodes, at_a, {xa.x, xa.y, xa.z, a.w});
    store_particles<N>(r.nodes, at_b, {xb.x, xb.y, xb.z, b.w});
    store<N>(multipliers, next);
}

PLIANT_ENTRY void pull_links(const LinkRun& r) {
    for (std::size_t block = r.first; block < r.first + r.count; ++block) {
        for (std::size_t i = 0; i < block_size; i += narrow) pull_lanes<narrow>(r, block, i);
    }
}

// Back to where all tethers let N targets be, one tether after the other. Most are slack.
template <int N>
PLIANT_INLINE Vector<N> tethered(const SheetRun& r, std::size_t target, Vector<N> x) {
    for (std::size_t t = 0; t < r.tethers; ++t) {
        const std::uint32_t* holders = r.holders[t] + target;
        Vector<N> holder;
        if (r.has_one_holder[t]) {
            const ParticleLanes<1> one =
                load_particles<1>(r.holder_positions[t], [=](int) { return holders[0]; });
            holder = {Lane<N>(one.x.v), Lane<N>(one.y.v), Lane<N>(one.z.v)};
        } else {
            holder = xyz(load_particles<N>(r.holder_positions[t], [=](int lane) { return holders[lane]; }));
        }
        const Vector<N> d = x - holder;
        const Lane<N> length = load<N>(r.lengths[t] + target) * Lane<N>(r.allowed), square = dot(d, d);
        const Mask<N> is_far = square > length * length;
        if (!any(is_far)) continue;
        x = pliant::select(is_far, holder + d * divide_or_zero(length, sqrt(square)), x);
    }
    return x;
}

// N targets that move: to where tethers let them be, then x += Σ φₙ·qₙ. What pushes nodes out of a surface
// goes the same way.
template <int N>
PLIANT_INLINE void carry_lanes(const SheetRun& r, std::size_t target) {
    const Lane<N> zero(0.0f);
    const std::uint32_t* offsets = r.offsets + target;
    const auto at = [=](int k) { return offsets[k]; };
    const ParticleLanes<N> p = load_particles<N>(r.position, at);
    Vector<N> move{zero, zero, zero};
    Lane<N> pushed = zero;
    const std::size_t first = target / block_size * nodes_per_target * block_size + target % block_size;
    unroll<int(nodes_per_target)>([&](auto k) {
        const std::uint32_t* nodes = r.nodes + first + k * block_size;
        const ParticleLanes<N> q = load_particles<N>(r.moves, [=](int lane) { return nodes[lane]; });
        const Lane<N> weight = load<N>(r.weights + first + k * block_size);
        move = move + xyz(q) * weight;
        pushed = pushed + q.w * weight;
    });
    const Vector<N> x = pliant::select(p.w > zero, tethered<N>(r, target, xyz(p)) + move, xyz(p));
    store_particles<N>(r.position, at, {x.x, x.y, x.z, p.w});
    if (!r.contacts) return;
    const ParticleLanes<N> n = load_particles<N>(r.contacts, at);
    const Mask<N> touches = dot(xyz(n), xyz(n)) > zero;
    store_particles<N>(r.contacts, at, {n.x, n.y, n.z, select(touches, pushed, zero)});
}

template <int N>
PLIANT_INLINE void tether_lanes(const SheetRun& r, std::size_t target) {
    const std::uint32_t* offsets = r.offsets + target;
    const auto at = [=](int k) { return offsets[k]; };
    const ParticleLanes<N> p = load_particles<N>(r.position, at);
    const Vector<N> x = pliant::select(p.w > Lane<N>(0.0f), tethered<N>(r, target, xyz(p)), xyz(p));
    store_particles<N>(r.position, at, {x.x, x.y, x.z, p.w});
}

PLIANT_ENTRY void carry_sheet(const SheetRun& r) {
    std::size_t target = r.first;
    const std::size_t end = r.first + r.count;
    for (; target + block_size <= end; target += block_size) {
        for (std::size_t i = 0; i < block_size; i += narrow) carry_lanes<narrow>(r, target + i);
    }
    for (; target < end; ++target) carry_lanes<1>(r, target);
}

PLIANT_ENTRY void tether_sheet(const SheetRun& r) {
    std::size_t target = r.first;
    const std::size_t end = r.first + r.count;
    for (; target + block_size <= end; target += block_size) {
        for (std::size_t i = 0; i < block_size; i += narrow) tether_lanes<narrow>(r, target + i);
    }
    for (; target < end; ++target) tether_lanes<1>(r, target);
}

}  // namespace pliant::PLIANT_TARGET
