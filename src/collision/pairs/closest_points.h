// The closest points of a vertex and a triangle, and of two edges, without branches: for floats, doubles and
// lanes alike.
//
// Both are four particles with weights β: d = Σ βᵢxᵢ is the way from the closest point of the second part to
// that of the first. (1, −b₀, −b₁, −b₂) for a vertex and a triangle, (1 − s, s, t − 1, −t) for two edges.
// Everything after this is the same for both.
#pragma once

#include <pliant/vector.h>

#include "base/scalar.h"

namespace pliant::collision {

template <class T>
struct ClosestPoints {
    T weights[4];
    Vector3<T> apart;  // d
    T squared;         // |d|²
    T within;          // > 0: the closest points are inside the triangle, or inside both edges
};

// A divisor that is no longer 0. Squares of lengths below 1e-15 m count as nothing.
template <class T>
[[gnu::always_inline]] inline T not_zero(T a) {
    return max(a, T(1e-30f));
}
template <class T>
[[gnu::always_inline]] inline T clamp_share(T a) {
    return min(max(a, T(0.0f)), T(1.0f));
}

// Inside the triangle by barycentric coordinates, else on the nearest of its three sides (Ericson 2005,
// Real-Time Collision Detection, §5.1.5, without its branches).
template <class T>
[[gnu::always_inline]] inline ClosestPoints<T> closest_of_vertex_and_triangle(const Vector3<T>& p,
                                                                              const Vector3<T>& a,
                                                                              const Vector3<T>& b,
                                                                              const Vector3<T>& c) {
    const T zero(0.0f), one(1.0f);
    const Vector3<T> ab = b - a, ac = c - a, bc = c - b, ap = p - a, bp = p - b;
    const T ab_ab = dot(ab, ab), ab_ac = dot(ab, ac), ac_ac = dot(ac, ac), bc_bc = dot(bc, bc);
    const T ap_ab = dot(ap, ab), ap_ac = dot(ap, ac);
    const T area = ab_ab * ac_ac - ab_ac * ab_ac;
    const T v = ac_ac * ap_ab - ab_ac * ap_ac, w = ab_ab * ap_ac - ab_ac * ap_ab;
    const T smallest = min(min(v, w), area - v - w);
    const auto inside = (smallest > zero) & (area > T(1e-10f) * (ab_ab * ac_ac));

    const T on_ab = clamp_share(ap_ab / not_zero(ab_ab)), on_ac = clamp_share(ap_ac / not_zero(ac_ac));
    const T on_bc = clamp_share(dot(bp, bc) / not_zero(bc_bc));
    const Vector3<T> from_ab = ap - ab * on_ab, from_ac = ap - ac * on_ac, from_bc = bp - bc * on_bc;
    T nearest = dot(from_ab, from_ab);
    T share_b = on_ab, share_c = zero;
    const T squared_ac = dot(from_ac, from_ac);
    const auto at_ac = squared_ac < nearest;
    nearest = select(at_ac, squared_ac, nearest);
    share_b = select(at_ac, zero, share_b);
    share_c = select(at_ac, on_ac, share_c);
    const auto at_bc = dot(from_bc, from_bc) < nearest;
    share_b = select(at_bc, one - on_bc, share_b);
    share_c = select(at_bc, on_bc, share_c);

    const T per_area = one / not_zero(area);
    share_b = select(inside, v * per_area, share_b);
    share_c = select(inside, w * per_area, share_c);
    const Vector3<T> apart = ap - ab * share_b - ac * share_c;
    return {{one, share_b + share_c - one, -share_b, -share_c},
            apart,
            dot(apart, apart),
            select(inside, one, zero)};
}

// Parallel edges meet in the middle of where they lie side by side.
template <class T>
[[gnu::always_inline]] inline ClosestPoints<T> closest_of_edges(const Vector3<T>& p0, const Vector3<T>& p1,
                                                                const Vector3<T>& q0, const Vector3<T>& q1) {
    const T zero(0.0f), one(1.0f);
    const Vector3<T> p = p1 - p0, q = q1 - q0, between = p0 - q0;
    const T pp = not_zero(dot(p, p)), qq = not_zero(dot(q, q)), pq = dot(p, q);
    const T p_between = dot(p, between), q_between = dot(q, between);
    const T crossed = pp * qq - pq * pq;
    const auto parallel = crossed < T(1e-6f) * (pp * qq);
    const T of_q0 = -p_between / pp, of_q1 = (pq - p_between) / pp;
    const T middle = T(0.5f) * (clamp_share(of_q0) + clamp_share(of_q1));
    const T skew = clamp_share((pq * q_between - p_between * qq) / select(parallel, one, crossed));
    T s = select(parallel, middle, skew);
    const T t = clamp_share((pq * s + q_between) / qq);
    s = clamp_share((pq * t - p_between) / pp);
    const Vector3<T> apart = between + p * s - q * t;
    const auto inside = (s > zero) & (s < one) & (t > zero) & (t < one);
    return {{one - s, s, t - one, -t}, apart, dot(apart, apart), select(inside, one, zero)};
}

}  // namespace pliant::collision
