// The direct solve of rods: strands that resist bending and twist (rod_joint.h). Part of the kernels,
// compiled once per instruction set.
//
// An implicit step, all of a rod at once. With the positions x that the substep has come to, and the turns θ
// of segments about themselves, two Newton steps of
//
//   minimize ½·Σ m|dx|² + h²·Σ ½·(EA/L)·(|e| − L)²                                  segments
//                       + h²·Σ ½·(B₁/l)·(κ₁ − κ̄₁)² + ½·(B₂/l)·(κ₂ − κ̄₂)² + ½·(GJ/l)·τ²   joints
//
// Stretch and bending must be solved together. One after the other, the second undoes the first: a coil
// spring of steel that is pulled would be a hundred times too soft.
//
// The matrix is that of Gauss and Newton, and of each segment's tension T the stiffness T/|e| across it
// (strand_kernels.h says why). Unknowns in the order x₀ θ₀ x₁ θ₁ …: a joint has 11 next to each other, so the
// matrix is a band, factored in place as L·D·Lᵀ. Its pivots are never below the masses. θ has no inertia, as
// waves of twist are faster than those of bending by far; a faint resistance makes it unique.
//
// A rigid segment has a hundred thousand times the heaviest mass for its stiffness; it then stretches by
// 10⁻⁵·h²g under its load. Held particles weigh 10¹⁰ times the heaviest.
#pragma once

#include "solvers/position_based/strands/rod_joint.h"
#include "solvers/position_based/strands/strand_kernels.h"

namespace pliant::PLIANT_TARGET {
namespace detail {

inline constexpr int unknowns = 4;  // of a node: x, θ
inline constexpr int band = 11;     // rows that a column reaches, with the diagonal

// A particle and the segment behind it.
template <class T>
struct RodNode {
    Vector3<T> x, moved;  // where it is, how far this solve has moved it in this substep
    T mass, turned;       // half of how far the segment turns in this Newton step
    T is_held;            // 1 or 0
    RodSegment<T> segment;
    T length, rest, stiffness, tension, straight;
    Vector3<T> rate;  // how far it moves in the substep, where stretch is damped
    T column[unknowns][band];
    T right[unknowns];
};

using RodNodes = RodNode<StrandReal>;
static_assert(sizeof(RodNodes) + sizeof(StrandNodes) <= rod_scratch_bytes);

PLIANT_INLINE StrandReal component(const Vector3<StrandReal>& v, int k) {
    return k == 0 ? v.x : k == 1 ? v.y : v.z;
}

// Direction and length of the segment behind node i; its frame goes along.
PLIANT_INLINE void place_segment(RodNodes& node, const RodNodes& next) {
    using T = StrandReal;
    const Vector3<T> e = next.x - node.x, old = node.segment.tangent;
    node.length = sqrt(dot(e, e));
    const auto there = node.length > T(0.0);
    node.segment.inverse_length = select(there, T(1.0) / node.length, T(0.0));
    const Vector3<T> t = e * node.segment.inverse_length;
    node.segment.tangent = {select(there, t.x, old.x), select(there, t.y, old.y), select(there, t.z, old.z)};
    node.segment.normal =
        across(transport(node.segment.normal, old, node.segment.tangent), node.segment.tangent);
}

PLIANT_INLINE const float* joint_values(const StrandRun& r, std::size_t node, std::size_t first, int value) {
    return r.joints + (node * rod_joint_values + static_cast<std::size_t>(value)) * block_size + first;
}
PLIANT_INLINE float* frame_values(const StrandRun& r, std::size_t node, std::size_t first, int value) {
    return r.frames + (node * rod_frame_values + static_cast<std::size_t>(value)) * block_size + first;
}

// Positions, masses, stiffness of segments and frames as they were.
PLIANT_INLINE void read_rods(const StrandRun& r, std::size_t first, const StrandReal& least,
                             const StrandNodes* links, RodNodes* nodes) {
    using T = StrandReal;
    const T heaviest = T(1.0) / least, most = T(1e5) * heaviest;
    for (std::size_t i = 0; i < r.nodes; ++i) {
        RodNodes& node = nodes[i];
        const auto at = offsets_of(r, i, first);
        const ParticleLanes<strand_lanes> p = load_particles<strand_lanes>(r.particles.position, at);
        node.x = to_real(p);
        const auto moves = T(p.w) > T(0.0);
        node.mass = select(moves, T(1.0) / T(p.w), T(1e10) * heaviest);
        node.is_held = select(moves, T(0.0), T(1.0));
        const float* moved = r.moved + i * 3 * block_size + first;
        node.moved = {load_real(moved), load_real(moved + block_size), load_real(moved + 2 * block_size)};
        node.turned = T(0.0);
        node.segment.tangent = {load_real(frame_values(r, i, first, 0)),
                                load_real(frame_values(r, i, first, 1)),
                                load_real(frame_values(r, i, first, 2))};
        node.segment.normal = {load_real(frame_values(r, i, first, 3)),
                               load_real(frame_values(r, i, first, 4)),
                               load_real(frame_values(r, i, first, 5))};
        node.segment.inverse_length = node.length = T(0.0);
        if (r.is_damped) {
            node.rate = to_real(load_particles<strand_lanes>(r.particles.displacement, at)) +
                        (node.x - to_real(load_particles<strand_lanes>(r.particles.predicted, at)));
        }
        if (i + 1 == r.nodes) {
            node.stiffness = node.tension = node.straight = node.rest = T(0.0);
            continue;
        }
        const auto there = is_link(links[i]);
        const T rest = load_real(r.rests + i * block_size + first);
        node.rest = select(there, rest, T(0.0));
        const T compliance =
            load_real(r.compliance + first) + load_real(r.compliance_per_measure + first) * node.rest;
        node.stiffness = select(there, T(1.0) / max(compliance, T(1.0) / most), T(0.0));
        node.tension = select(there, links[i].tension, T(0.0));
        node.straight = select(there, links[i].straight, T(0.0));
    }
}

// ½·k·(|e| − L)², damped, and T/|e| across.
PLIANT_INLINE void add_segment(const StrandRun& r, std::size_t first, RodNodes& a, RodNodes& b) {
    using T = StrandReal;
    const Vector3<T>& t = a.segment.tangent;
    T stiffness = a.stiffness, pull = stiffness * (a.length - a.rest);
    if (r.is_damped) {
        const T damping = load_real(r.damping + first);
        const T rate = dot(t, (b.rate - a.rate));
        pull = pull + stiffness * damping * rate;
        stiffness = stiffness * (T(1.0) + damping);
    }
    const T side = a.tension * a.segment.inverse_length, along = stiffness - side;
    for (int k = 0; k < 3; ++k) {
        const T tk = component(t, k), force = tk * pull;
        a.right[k] = a.right[k] + force;
        b.right[k] = b.right[k] - force;
        for (int j = k; j < 3; ++j) {
            const T value = component(t, j) * tk * along + (j == k ? side : T(0.0));
            a.column[k][j - k] = a.column[k][j - k] + value;
            b.column[k][j - k] = b.column[k][j - k] + value;
            a.column[k][unknowns + j - k] = a.column[k][unknowns + j - k] - value;
            if (j > k) a.column[j][unknowns + k - j] = a.column[j][unknowns + k - j] - value;
        }
    }
}

// As 11 numbers: by x⁻, θ⁻, x, θ⁺, x⁺.
PLIANT_INLINE void spread(const RodMeasure<StrandReal>& m, StrandReal* gradient) {
    for (int k = 0; k < 3; ++k) {
        const StrandReal before = component(m.before, k), after = component(m.after, k);
        gradient[k] = -before;
        gradient[4 + k] = before - after;
        gradient[8 + k] = after;
    }
    gradient[3] = m.turn_before;
    gradient[7] = m.turn_after;
}

// ½·k·C² for the three numbers of the joint in the middle of nodes[0 … 2].
PLIANT_INLINE void add_joint(const StrandRun& r, std::size_t i, std::size_t first, const StrandReal& heaviest,
                             RodNodes* nodes) {
    using T = StrandReal;
    const RodJoint<T> joint = joint_of(nodes[0].segment, nodes[1].segment);
    const auto value = [&](int k) __attribute__((always_inline)) {
        return load_real(joint_values(r, i, first, k));
    };
    T gradients[3][band];
    spread(joint.first, gradients[0]);
    spread(joint.second, gradients[1]);
    spread(joint.twist, gradients[2]);
    // Beyond this, stiffer is no different.
    const T most = T(1e7) * heaviest * nodes[0].rest * nodes[0].rest;
    const T stiffness[3] = {min(value(2), most), min(value(3), most), min(value(4), most)};
    const T pulls[3] = {stiffness[0] * (joint.first.value - value(0)),
                        stiffness[1] * (joint.second.value - value(1)), stiffness[2] * joint.twist.value};
    for (int p = 0; p < band; ++p) {
        const T g0 = gradients[0][p], g1 = gradients[1][p], g2 = gradients[2][p];
        RodNodes& node = nodes[p / unknowns];
        T& right = node.right[p % unknowns];
        right = right - (g0 * pulls[0] + g1 * pulls[1] + g2 * pulls[2]);
        const T s0 = g0 * stiffness[0], s1 = g1 * stiffness[1], s2 = g2 * stiffness[2];
        T* column = node.column[p % unknowns];
        for (int q = p; q < band; ++q) {
            column[q - p] =
                column[q - p] + (s0 * gradients[0][q] + s1 * gradients[1][q] + s2 * gradients[2][q]);
        }
    }
}

PLIANT_INLINE void assemble_rods(const StrandRun& r, std::size_t first, const StrandReal& heaviest,
                                 RodNodes* nodes) {
    using T = StrandReal;
    for (std::size_t i = 0; i < r.nodes; ++i) {
        RodNodes& node = nodes[i];
        for (int k = 0; k < unknowns; ++k) {
            for (int j = 0; j < band; ++j) node.column[k][j] = T(0.0);
            node.column[k][0] = node.mass;
        }
        const T inertia[3] = {node.moved.x * node.mass, node.moved.y * node.mass, node.moved.z * node.mass};
        for (int k = 0; k < 3; ++k) node.right[k] = -inertia[k];
        // A segment between two held particles does not turn.
        const T resistance = load_real(joint_values(r, i, first, 5));
        const T held = i + 1 < r.nodes ? node.is_held * nodes[i + 1].is_held : T(0.0);
        node.column[3][0] = resistance * (T(1.0) + T(1e17) * held);
        node.right[3] = T(0.0);
    }
    for (std::size_t i = 0; i + 1 < r.nodes; ++i) add_segment(r, first, nodes[i], nodes[i + 1]);
    for (std::size_t i = 1; i + 1 < r.nodes; ++i) add_joint(r, i, first, heaviest, nodes + i - 1);
}

// L·D·Lᵀ of the band, in place, and the way forward through it. A column of node i reaches as far as the
// third coordinate of node i + 2.
PLIANT_INLINE void factor_node(std::size_t left, RodNodes* nodes) {
    using T = StrandReal;
    const int last = left > 2 ? band : static_cast<int>(left) * unknowns;
    for (int k = 0; k < unknowns; ++k) {
        T* column = nodes[0].column[k];
        const T inverse = T(1.0) / column[0];
        const T right = nodes[0].right[k];
        for (int row = k + 1; row < last; ++row) {
            const T factor = column[row - k] * inverse;
            RodNodes& node = nodes[row / unknowns];
            T* target = node.column[row % unknowns];
            for (int j = row; j < last; ++j) target[j - row] = target[j - row] - factor * column[j - k];
            T& at = node.right[row % unknowns];
            at = at - factor * right;
        }
        for (int row = k + 1; row < last; ++row) column[row - k] = column[row - k] * inverse;
        nodes[0].right[k] = right * inverse;
    }
}
// The way back: right becomes the solution.
PLIANT_INLINE void substitute_node(std::size_t left, RodNodes* nodes) {
    using T = StrandReal;
    const int last = left > 2 ? band : static_cast<int>(left) * unknowns;
    for (int k = unknowns; k-- > 0;) {
        T sum = nodes[0].right[k];
        for (int row = k + 1; row < last; ++row)
            sum = sum - nodes[0].column[k][row - k] * nodes[row / unknowns].right[row % unknowns];
        nodes[0].right[k] = sum;
    }
}

// One Newton step. Steps beyond the rod's length, or NaN, are accidents.
PLIANT_INLINE void step_rods(const StrandRun& r, std::size_t first, const StrandReal& heaviest,
                             const StrandReal& longest, RodNodes* nodes) {
    using T = StrandReal;
    assemble_rods(r, first, heaviest, nodes);
    for (std::size_t i = 0; i < r.nodes; ++i) factor_node(r.nodes - i, nodes + i);
    for (std::size_t i = r.nodes; i-- > 0;) substitute_node(r.nodes - i, nodes + i);
    for (std::size_t i = 0; i < r.nodes; ++i) {
        RodNodes& node = nodes[i];
        const Vector3<T> dx{node.right[0], node.right[1], node.right[2]};
        if (i + 1 < r.nodes) {
            const T* next = nodes[i + 1].right;
            const Vector3<T> growth{next[0] - dx.x, next[1] - dx.y, next[2] - dx.z};
            node.tension = max(node.stiffness * (node.length - node.rest + dot(node.segment.tangent, growth)),
                               T(0.05) * node.straight);
        }
        const auto is_good = dot(dx, dx) < longest * longest;
        const Vector3<T> good{select(is_good, dx.x, T(0.0)), select(is_good, dx.y, T(0.0)),
                              select(is_good, dx.z, T(0.0))};
        node.x = node.x + good;
        node.moved = node.moved + good;
        if (r.is_damped) node.rate = node.rate + good;
        // tan of half the turn; more than half a turn at once is an accident too.
        const T turn = node.right[3];
        node.turned = select(abs(turn) < T(3.0), T(0.5) * turn, T(0.0));
    }
}

// After a step: segments where they are now, their frames turned by what was found.
PLIANT_INLINE void turn_rods(const StrandRun& r, RodNodes* nodes) {
    using T = StrandReal;
    for (std::size_t i = 0; i + 1 < r.nodes; ++i) {
        RodNodes& node = nodes[i];
        const T q = node.turned, inverse = T(1.0) / (T(1.0) + q * q);
        const Vector3<T> n = node.segment.normal, b = cross(node.segment.tangent, n);
        node.segment.normal = n * ((T(1.0) - q * q) * inverse) + b * ((q + q) * inverse);
        place_segment(node, nodes[i + 1]);
    }
}

PLIANT_INLINE void write_rods(const StrandRun& r, std::size_t first, RodNodes* nodes) {
    using T = StrandReal;
    // The last particle of a strand fills the lanes of longer ones: the last visit counts.
    for (std::size_t i = r.nodes; i-- > 0;) {
        const RodNodes& node = nodes[i];
        const auto at = offsets_of(r, i, first);
        const ParticleLanes<strand_lanes> p = load_particles<strand_lanes>(r.particles.position, at);
        const auto moves = T(p.w) > T(0.0);
        const auto to = [&](const Lane<strand_lanes>& from, const T& x) __attribute__((always_inline)) {
            return to_float(select(moves, x, T(from)));
        };
        store_strands<strand_lanes>(r, at, first,
                                    {to(p.x, node.x.x), to(p.y, node.x.y), to(p.z, node.x.z), p.w});
        for (int k = 0; k < 3; ++k) {
            store<strand_lanes>(r.moved + (i * 3 + static_cast<std::size_t>(k)) * block_size + first,
                                to_float(component(node.moved, k)));
            store<strand_lanes>(frame_values(r, i, first, k), to_float(component(node.segment.tangent, k)));
            store<strand_lanes>(frame_values(r, i, first, 3 + k),
                                to_float(component(node.segment.normal, k)));
        }
        store<strand_lanes>(r.multipliers + i * block_size + first, to_float(node.tension));
    }
}

PLIANT_INLINE void solve_rod_lanes(const StrandRun& r, std::size_t first, StrandNodes* links,
                                   RodNodes* nodes) {
    using T = StrandReal;
    const T least = read_strands(r, first, links);
    estimate_tensions(r, first, least, links);
    read_rods(r, first, least, links, nodes);
    T longest(0.0);
    for (std::size_t i = 0; i + 1 < r.nodes; ++i) {
        place_segment(nodes[i], nodes[i + 1]);
        longest = longest + nodes[i].rest;
    }
    for (int step = 0; step < 2; ++step) {
        step_rods(r, first, T(1.0) / least, longest, nodes);
        turn_rods(r, nodes);
    }
    write_rods(r, first, nodes);
}

}  // namespace detail

PLIANT_ENTRY void solve_rods(const StrandRun& r) {
    StrandNodes* links = static_cast<StrandNodes*>(r.scratch);
    auto* nodes = reinterpret_cast<detail::RodNodes*>(links + r.nodes);
    for (std::size_t first = 0; first < r.strands; first += strand_lanes)
        detail::solve_rod_lanes(r, first, links, nodes);
}

}  // namespace pliant::PLIANT_TARGET
