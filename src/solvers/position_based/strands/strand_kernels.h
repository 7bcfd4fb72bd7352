// The direct solve of strands (strand_set.h). Part of the kernels, compiled once per instruction set.
//
// One Newton step of
//
//   minimize ½·Σ m|dx|² + Σ λ·(C(x + dx) − ½·α̃·λ),   C = |x_{i+1} − x_i| − L
//
// with the curvature of C, which is what keeps a light rope under a heavy weight from shooting across: link i
// of tension T holds its two particles together across its direction n with the stiffness t = T/l,
//
//   n·(dx_{i+1} − dx_i) = −C + α̃·(λ + Δλ),   and ½·t·|(1 − n·nᵀ)(dx_{i+1} − dx_i)|² is added.
//
// Elimination from the first particle on: what has gone before pulls particle i to a_i with the mobility Q_i
// (inverse stiffness, a symmetric 3×3 matrix). A link adds its own mobility, a particle its mass:
//
//   S = Q_i + (1 − n·nᵀ)/t + α̃·n·nᵀ,  ã = a_i + n·(α̃λ − C);   B = (1 + m·S)⁻¹,  Q_{i+1} = S·B,  a_{i+1} = B·ã
//
// and back: dx_n = a_n,  f_i = f_{i+1} − m·dx_{i+1},  dx_i = a_i + Q_i·f_i,  Δλ = f_i·n. 1 + m·S is at least
// 1: nothing is ever singular, at any ratio of masses.
//
// T is not known before. It is found in two steps: as if the strand were straight (a tridiagonal system),
// which is too much where it is not; and by the solve itself with that.
#pragma once

#include "base/double_lanes.h"
#include "solvers/position_based/kernel_basics.h"

namespace pliant::PLIANT_TARGET {

#if defined(__AVX512F__)
inline constexpr int strand_lanes = 8;
#else
inline constexpr int strand_lanes = wide == 1 ? 1 : 4;
#endif

namespace detail {

template <class T>
struct Symmetric {
    T xx, yy, zz, xy, xz, yz;
};

template <class T>
PLIANT_INLINE Vector3<T> operator*(const Symmetric<T>& m, const Vector3<T>& v) {
    return {m.xx * v.x + m.xy * v.y + m.xz * v.z, m.xy * v.x + m.yy * v.y + m.yz * v.z,
            m.xz * v.x + m.yz * v.y + m.zz * v.z};
}
// Of two that commute.
template <class T>
PLIANT_INLINE Symmetric<T> operator*(const Symmetric<T>& a, const Symmetric<T>& b) {
    return {a.xx * b.xx + a.xy * b.xy + a.xz * b.xz, a.xy * b.xy + a.yy * b.yy + a.yz * b.yz,
            a.xz * b.xz + a.yz * b.yz + a.zz * b.zz, a.xx * b.xy + a.xy * b.yy + a.xz * b.yz,
            a.xx * b.xz + a.xy * b.yz + a.xz * b.zz, a.xy * b.xz + a.yy * b.yz + a.yz * b.zz};
}
// (1 + m·S)⁻¹
template <class T>
PLIANT_INLINE Symmetric<T> inverse_of_one_plus(const T& m, const Symmetric<T>& s) {
    const T one(1.0f);
    const T xx = one + m * s.xx, yy = one + m * s.yy, zz = one + m * s.zz, xy = m * s.xy, xz = m * s.xz,
            yz = m * s.yz;
    const T cxx = yy * zz - yz * yz, cxy = xz * yz - xy * zz, cxz = xy * yz - xz * yy;
    const T scale = one / (xx * cxx + xy * cxy + xz * cxz);
    return {cxx * scale, (xx * zz - xz * xz) * scale, (xx * yy - xy * xy) * scale, cxy * scale,
            cxz * scale, (xy * xz - xx * yz) * scale};
}

// What is kept of a particle and the link behind it.
template <class T>
struct StrandNode {
    T mass;
    Symmetric<T> mobility;  // Q
    Vector3<T> pull;        // a
    // Of the link to the next one.
    Vector3<T> direction;  // n
    T length;              // |x_{i+1} − x_i|
    T target;              // α̃λ − C: by how much it is to grow
    T compliance;          // α̃; negative: there is no link
    T tension;             // λ + Δλ, not below 0
    T straight;            // T as if the strand were straight, λ aside
    T step;                // Δλ
};

template <class T>
PLIANT_INLINE DoubleMask<strand_lanes> is_link(const StrandNode<T>& node) {
    return node.compliance > T(-0.5);
}

}  // namespace detail

using StrandReal = DoubleLane<strand_lanes>;
using StrandNodes = detail::StrandNode<StrandReal>;
static_assert(sizeof(StrandNodes) <= strand_scratch_bytes);

namespace detail {

PLIANT_INLINE auto offsets_of(const StrandRun& r, std::size_t node, std::size_t first) {
    const std::uint32_t* offsets = r.offsets + node * block_size + first;
    return [=](int lane) { return offsets[lane]; };
}
PLIANT_INLINE StrandReal load_real(const float* p) { return StrandReal(load<strand_lanes>(p)); }
PLIANT_INLINE Vector3<StrandReal> to_real(const ParticleLanes<strand_lanes>& p) {
    return {StrandReal(p.x), StrandReal(p.y), StrandReal(p.z)};
}

// What the link behind a node is, and by how much it is to grow.
PLIANT_INLINE void read_link(const StrandRun& r, std::size_t i, std::size_t first,
                             const Vector3<StrandReal>& x, const Vector3<StrandReal>& next,
                             StrandNodes& node) {
    using T = StrandReal;
    Vector3<T> d = next - x;
    const T rest = load_real(r.rests + i * block_size + first);
    // Both in one point, as where a rope fell upright onto the ground: parted by turns to one side and the
    // other, in a direction that is along no axis.
    const T apart = select((rest > T(0.0)) & (dot(d, d) < T(1e-40)), rest * T(i % 2 ? 1e-3 : -1e-3), T(0.0));
    d = {d.x + apart * T(0.6), d.y, d.z + apart * T(0.8)};
    const T length = sqrt(dot(d, d));
    const auto there = (length > T(0.0)) & (rest > T(-1.0));  // NaN: no link
    const T inverse = select(there, T(1.0) / length, T(0.0));
    node.direction = d * inverse;
    node.length = length;
    const T growth = T(1.0) + load_real(r.damping + first);  // 1 + γ
    const T compliance = load_real(r.compliance + first) + load_real(r.compliance_per_measure + first) * rest;
    T target = compliance * load_real(r.multipliers + i * block_size + first) - (length - rest);
    if (r.is_damped) {
        const auto moved = [&](std::size_t k) __attribute__((always_inline)) {
            const auto at = offsets_of(r, k, first);
            return to_real(load_particles<strand_lanes>(r.particles.displacement, at)) +
                   (to_real(load_particles<strand_lanes>(r.particles.position, at)) -
                    to_real(load_particles<strand_lanes>(r.particles.predicted, at)));
        };
        const T rate = dot(node.direction, moved(i + 1) - moved(i));
        target = (target - (growth - T(1.0)) * rate) / growth;
    }
    node.target = select(there, target, T(0.0));
    node.compliance = select(there, compliance / growth, T(-1.0));
}

// Masses and links; gives the smallest inverse mass. Held particles are a hundred thousand times as heavy as
// the heaviest, so that what pulls at them can be read off their steps.
PLIANT_INLINE StrandReal read_strands(const StrandRun& r, std::size_t first, StrandNodes* nodes) {
    using T = StrandReal;
    T least(1e300);
    Vector3<T> x{};
    for (std::size_t i = 0; i < r.nodes; ++i) {
        const ParticleLanes<strand_lanes> p =
            load_particles<strand_lanes>(r.particles.position, offsets_of(r, i, first));
        const T w(p.w);
        nodes[i].mass = w;
        least = select(w > T(0.0), min(least, w), least);
        const Vector3<T> here = to_real(p);
        if (i > 0) read_link(r, i - 1, first, x, here, nodes[i - 1]);
        x = here;
    }
    least = select(least < T(1e299), least, T(1.0));
    const T held = T(1e-5) * least;
    for (std::size_t i = 0; i < r.nodes; ++i)
        nodes[i].mass = T(1.0) / select(nodes[i].mass > T(0.0), nodes[i].mass, held);
    return least;
}

// The tension of a straight strand: (w_i + w_{i+1} + α̃)·T_i − w_i·T_{i−1} − w_{i+1}·T_{i+1} = −target. Where
// both its ends are held that has no bound; so w is at least a thousandth of the smallest.
PLIANT_INLINE void estimate_tensions(const StrandRun& r, std::size_t first, const StrandReal& least,
                                     StrandNodes* nodes) {
    using T = StrandReal;
    const auto inverse_mass = [&](std::size_t i) __attribute__((always_inline)) {
        return max(T(1.0) / nodes[i].mass, T(1e-3) * least);
    };
    T factor(0.0), value(0.0), w = inverse_mass(0);
    for (std::size_t i = 0; i + 1 < r.nodes; ++i) {
        StrandNodes& node = nodes[i];
        const T next = inverse_mass(i + 1);
        const auto there = is_link(node);
        const T inverse = select(there, T(1.0) / (w + next + node.compliance - w * factor), T(0.0));
        factor = next * inverse;
        value = (w * value - node.target) * inverse;
        node.straight = value;
        node.step = factor;
        w = next;
    }
    value = T(0.0);
    for (std::size_t i = r.nodes - 1; i-- > 0;) {
        StrandNodes& node = nodes[i];
        value = node.straight + node.step * value;
        node.straight = max(value, T(0.0));
        node.tension = max(value + load_real(r.multipliers + i * block_size + first), T(0.0));
    }
}

// One particle further: what has been eliminated so far pulls at the next.
PLIANT_INLINE void eliminate(const StrandNodes& node, StrandNodes& next) {
    using T = StrandReal;
    const T least = T(0.01) * min(node.mass, next.mass);
    const T across = T(1.0) / max(node.tension / node.length, least), along = node.compliance - across;
    const Vector3<T>& n = node.direction;
    const Vector3<T> scaled = n * along;
    const Symmetric<T>& q = node.mobility;
    const Symmetric<T> s{q.xx + (across + scaled.x * n.x),
                         q.yy + (across + scaled.y * n.y),
                         q.zz + (across + scaled.z * n.z),
                         q.xy + scaled.x * n.y,
                         q.xz + scaled.x * n.z,
                         q.yz + scaled.y * n.z};
    const Symmetric<T> b = inverse_of_one_plus(next.mass, s), mobility = s * b;
    const Vector3<T> pull = b * (node.pull + n * node.target);
    const auto there = is_link(node);
    const T free = T(1.0) / next.mass, none(0.0);
    next.mobility = {select(there, mobility.xx, free), select(there, mobility.yy, free),
                     select(there, mobility.zz, free), select(there, mobility.xy, none),
                     select(there, mobility.xz, none), select(there, mobility.yz, none)};
    next.pull = {select(there, pull.x, none), select(there, pull.y, none), select(there, pull.z, none)};
}

// Solves with the tensions at hand. Calls visit(i, dx) from the last particle to the first.
template <class Visit>
PLIANT_INLINE void solve_nodes(std::size_t count, StrandNodes* nodes, Visit visit) {
    using T = StrandReal;
    const T none(0.0), free = T(1.0) / nodes[0].mass;
    nodes[0].mobility = {free, free, free, none, none, none};
    nodes[0].pull = {none, none, none};
    for (std::size_t i = 0; i + 1 < count; ++i) eliminate(nodes[i], nodes[i + 1]);
    Vector3<T> force{none, none, none}, dx = nodes[count - 1].pull;
    for (std::size_t i = count; i-- > 0;) {
        visit(i, dx);
        if (i == 0) break;
        StrandNodes& before = nodes[i - 1];
        force = force - dx * nodes[i].mass;
        const auto there = is_link(before);
        force = {select(there, force.x, none), select(there, force.y, none), select(there, force.z, none)};
        before.step = dot(force, before.direction);
        dx = before.pull + before.mobility * force;
    }
}

// Lanes beyond the last strand are not stored.
template <int N, class Offset>
PLIANT_INLINE void store_strands(const StrandRun& r, Offset offset, std::size_t first,
                                 const ParticleLanes<N>& p) {
    if (first + N <= r.strands) {
        store_particles<N>(r.particles.position, offset, p);
        return;
    }
    float values[3][N];
    store<N>(values[0], p.x);
    store<N>(values[1], p.y);
    store<N>(values[2], p.z);
    for (std::size_t lane = 0; lane < r.strands - first; ++lane) {
        float* to = r.particles.position + offset(static_cast<int>(lane)) / sizeof(float);
        for (std::size_t k = 0; k < 3; ++k) to[k] = values[k][lane];
    }
}

// As many strands of a group as there are lanes, from number `first` on.
PLIANT_INLINE void solve_lanes(const StrandRun& r, std::size_t first, StrandNodes* nodes) {
    using T = StrandReal;
    const T least = read_strands(r, first, nodes);
    estimate_tensions(r, first, least, nodes);
    solve_nodes(r.nodes, nodes, [](std::size_t, const Vector3<T>&) {});
    T longest(0.0);
    for (std::size_t i = 0; i + 1 < r.nodes; ++i) {
        StrandNodes& node = nodes[i];
        const T kept = load_real(r.multipliers + i * block_size + first);
        node.tension = max(kept + node.step, T(0.05) * node.straight);
        longest = longest + select(is_link(node), node.length, T(0.0));
    }
    // The last particle of a strand fills the lanes of longer ones: the first of its visits moves nothing,
    // the last one counts.
    solve_nodes(
        r.nodes, nodes, [&](std::size_t i, const Vector3<T>& dx) __attribute__((always_inline)) {
            const auto at = offsets_of(r, i, first);
            const ParticleLanes<strand_lanes> p = load_particles<strand_lanes>(r.particles.position, at);
            const T w(p.w);
            // A step beyond its own length, or NaN, is an accident.
            const auto moves = (w > T(0.0)) & (dot(dx, dx) < longest * longest);
            const auto moved = [&](const Lane<strand_lanes>& from, const T& by)
                __attribute__((always_inline)) {
                return to_float(StrandReal(from) + select(moves, by, T(0.0)));
            };
            store_strands<strand_lanes>(r, at, first,
                                        {moved(p.x, dx.x), moved(p.y, dx.y), moved(p.z, dx.z), p.w});
        });
    for (std::size_t i = 0; i + 1 < r.nodes; ++i) {
        float* multiplier = r.multipliers + i * block_size + first;
        const T sum = load_real(multiplier) + nodes[i].step;
        const T limit(1e30);
        store<strand_lanes>(multiplier, to_float(select(abs(sum) < limit, sum, T(0.0))));
    }
}

}  // namespace detail

PLIANT_ENTRY void solve_strands(const StrandRun& r) {
    alignas(StrandNodes) unsigned char on_stack[strand_nodes_on_stack * sizeof(StrandNodes)];  // not cleared
    auto* nodes = static_cast<StrandNodes*>(r.nodes <= strand_nodes_on_stack ? on_stack : r.scratch);
    for (std::size_t first = 0; first < r.strands; first += strand_lanes)
        detail::solve_lanes(r, first, nodes);
}

}  // namespace pliant::PLIANT_TARGET
