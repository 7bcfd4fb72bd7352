// Where triangles go into colliders between their corners. Part of the kernels, compiled once per instruction
// set.
//
// For a convex shape the signed distance φ is convex, so on a triangle x = A + v((B − A) + u(C − B)) its
// smallest value is found by two nested searches, over u and over the lowest of each v, by cutting planes
// (Kelley 1960): from both ends of what is left, the tangents of φ meet where the next value is taken. That
// is exact after one step at the edge of a box, and fast where a surface is round. (With lines through A
// instead, the outer function would not be convex.)
#pragma once

#include "solvers/position_based/kernel_basics.h"

namespace pliant::PLIANT_TARGET {

inline constexpr int inner_cuts = 3, outer_cuts = 3;
// What is less deep than that share of the triangle's size is left: a fine cloth on a ball costs no more.
inline constexpr float face_tolerance = 0.02f;

// φ on a line, at t.
template <int N>
struct Cut {
    Lane<N> t, value, slope;
    Lane<N> u, across;  // of the inner search: where it ended, and ∂φ/∂v there
};

template <int N>
PLIANT_INLINE Cut<N> select_cut(Mask<N> mask, const Cut<N>& a, const Cut<N>& b) {
    return {select(mask, a.t, b.t), select(mask, a.value, b.value), select(mask, a.slope, b.slope),
            select(mask, a.u, b.u), select(mask, a.across, b.across)};
}

// The lowest point between t = 0 and 1. What is known at 0 is not asked for. (One place where f is called:
// it is inlined.)
template <int N, class F>
PLIANT_INLINE Cut<N> lowest_between(const Cut<N>* known, int cuts, F&& at) {
    const Lane<N> zero(0.0f), one(1.0f);
    Cut<N> low{zero, zero, zero, zero, zero}, high = low;
    if (known) low = *known;
    for (int i = known ? 1 : 0; i < cuts + 2; ++i) {
        Lane<N> t = i == 0 ? zero : one;
        if (i > 1) {
            const Lane<N> meet = divide_or_zero(
                (low.value - high.value) + (high.slope * high.t - low.slope * low.t), high.slope - low.slope);
            t = select(low.slope >= zero, low.t,
                       select(high.slope <= zero, high.t, min(max(meet, low.t), high.t)));
        }
        const Cut<N> cut = at(t);
        const Mask<N> goes_on = cut.slope < zero;
        if (i == 0) low = cut;
        if (i == 1) high = cut;
        if (i <= 1) continue;
        low = select_cut<N>(goes_on, cut, low);
        high = select_cut<N>(goes_on, high, cut);
    }
    // Where φ has a kink, its smallest value changes with v by that mean of both sides that is level in u.
    Cut<N> lowest = select_cut<N>(low.value < high.value, low, high);
    const Lane<N> mean =
        divide_or_zero(high.slope * low.across - low.slope * high.across, high.slope - low.slope);
    lowest.across = select((low.slope < zero) & (high.slope > zero), mean, lowest.across);
    return lowest;
}

// 16 triangles and one collider.
template <class Kind, int N>
struct FaceLanes {
    const typename Kind::Local& shape;
    Vector<N> x[3], step[3];  // m: corners, and how they moved in the substep
    Lane<N> radius;

    struct Point {
        Lane<N> distance;
        Vector<N> normal, surface;
    };

    PLIANT_INLINE Point at(const Vector<N>& y, Vector<N> moved) const {
        const Lane<N> zero(0.0f);
        Vector<N> surface{zero, zero, zero};
        if (shape.moves) surface = collision::motion_at(shape, y);
        const auto c = collision::contact_with<Kind>(shape, y, moved - surface, radius);
        if constexpr (requires { c.motion; }) surface = surface + c.motion;
        return {c.distance, c.normal, surface};
    }
    PLIANT_INLINE Point at(const Lane<N> (&b)[3]) const {
        return at(x[0] * b[0] + x[1] * b[1] + x[2] * b[2], step[0] * b[0] + step[1] * b[1] + step[2] * b[2]);
    }

    // Whether the tangent of φ at y leaves room for a point of the triangle that is so deep.
    PLIANT_INLINE Mask<N> may_be_inside(const Point& p, const Vector<N>& y, Lane<N> depth) const {
        const Lane<N> a = dot(p.normal, x[0] - y), b = dot(p.normal, x[1] - y), c = dot(p.normal, x[2] - y);
        return p.distance + min(a, min(b, c)) < -depth;
    }

    // Of a mesh, whose distances are dear: from the middle halfway to the corner that lies deepest, and
    // again.
    PLIANT_INLINE void search_from(Point p, Lane<N> (&b)[3]) const {
        const Lane<N> half(0.5f), zero(0.0f);
        Lane<N> here[3] = {b[0], b[1], b[2]}, lowest = p.distance;
        for (int i = 0; i < 2; ++i) {
            Lane<N> depths[3];
            for (int k = 0; k < 3; ++k) depths[k] = dot(p.normal, x[k]);
            const Lane<N> deepest = min(depths[0], min(depths[1], depths[2]));
            Mask<N> is_open = deepest <= deepest;
            for (int k = 0; k < 3; ++k) {
                const Mask<N> is_it = is_open & (depths[k] <= deepest);
                is_open = is_open & !is_it;
                here[k] = here[k] * half + select(is_it, half, zero);
            }
            p = at(here);
            const Mask<N> is_lower = p.distance < lowest;
            lowest = select(is_lower, p.distance, lowest);
            for (int k = 0; k < 3; ++k) b[k] = select(is_lower, here[k], b[k]);
        }
    }

    // The weights of the deepest point.
    PLIANT_INLINE void find_deepest(const Point (&corners)[3], Lane<N> (&b)[3]) const {
        const Lane<N> zero(0.0f), one(1.0f);
        const Vector<N> side = x[1] - x[0], across = x[2] - x[1];
        const auto along = [&](Lane<N> v) __attribute__((always_inline)) {
            const Vector<N> y = x[0] + side * v, moved = step[0] + (step[1] - step[0]) * v;
            const Vector<N> way = across * v, change = (step[2] - step[1]) * v;
            const auto cut = [&](Lane<N> u) __attribute__((always_inline)) {
                const Point p = at(y + way * u, moved + change * u);
                return Cut<N>{u, p.distance, dot(p.normal, way), u, dot(p.normal, side + across * u)};
            };
            const Cut<N> lowest = lowest_between<N>(nullptr, inner_cuts, cut);
            return Cut<N>{v, lowest.value, lowest.across, lowest.u, lowest.across};
        };
        const Lane<N> slope = min(dot(corners[0].normal, side), dot(corners[0].normal, x[2] - x[0]));
        const Cut<N> first{zero, corners[0].distance, slope, zero, zero};
        const Cut<N> lowest = lowest_between<N>(&first, outer_cuts, along);
        b[0] = one - lowest.t, b[1] = lowest.t * (one - lowest.u), b[2] = lowest.t * lowest.u;
    }
};

template <class Kind, int N>
PLIANT_INLINE void write_faces(FaceSearch& r, std::size_t first, const typename Kind::Local& shape,
                               const FaceLanes<Kind, N>& face, const Lane<N> (&b)[3],
                               const typename FaceLanes<Kind, N>::Point& p, Lane<N> left, unsigned bits) {
    const Vector<N> y = face.x[0] * b[0] + face.x[1] * b[1] + face.x[2] * b[2];
    Vector<N> surface = p.surface;
    if (shape.drags) {
        const Vector<N> belt = collision::spread<Lane<N>>(shape.belt) * Lane<N>(r.belt_step);
        surface = surface + (belt - p.normal * dot(p.normal, belt));
    }
    float weights[3][N], normal[3][N], surfaces[3][N], levels[N];
    for (int k = 0; k < 3; ++k) store<N>(weights[k], b[k]);
    store<N>(normal[0], p.normal.x), store<N>(normal[1], p.normal.y), store<N>(normal[2], p.normal.z);
    store<N>(surfaces[0], surface.x), store<N>(surfaces[1], surface.y), store<N>(surfaces[2], surface.z);
    store<N>(levels, dot(p.normal, y) - p.distance - left);
    for (; bits; bits &= bits - 1) {
        const int i = __builtin_ctz(bits);
        FaceContact& contact = r.found[r.found_count++];
        for (unsigned k = 0; k < 3; ++k) {
            contact.offsets[k] = r.triangles[first + static_cast<unsigned>(i)][k];
            contact.weights[k] = weights[k][i];
            contact.normal[k] = normal[k][i];
            contact.surface[k] = surfaces[k][i];
        }
        contact.level = levels[i];
        contact.friction = shape.friction;
        contact.other = shape.number;
        contact.group = r.group;
    }
}

template <class Kind>
PLIANT_INLINE void find_faces_in(FaceSearch& r, const typename Kind::Local& shape, std::size_t first) {
    constexpr int N = wide;
    const Lane<N> third(1.0f / 3);
    const std::size_t left = r.count - first;
    float radii[N];
    for (std::size_t i = 0; i < N; ++i) radii[i] = r.radii[first + (i < left ? i : left - 1)];
    FaceLanes<Kind, N> face{shape, {}, {}, load<N>(radii)};
    for (unsigned k = 0; k < 3; ++k) {
        const auto at = [&](int i) {
            const std::size_t t = static_cast<std::size_t>(i);
            return r.triangles[first + (t < left ? t : left - 1)][k];
        };
        face.x[k] = xyz(load_particles<N>(r.position, at));
        face.step[k] = xyz(load_particles<N>(r.displacement, at));
    }
    // φ changes by no more than the way to the middle, and along a step by its length.
    const Vector<N> middle = (face.x[0] + face.x[1] + face.x[2]) * third;
    Lane<N> reach(0.0f), moved(0.0f);
    for (int k = 0; k < 3; ++k) {
        const Vector<N> arm = face.x[k] - middle;
        reach = max(dot(arm, arm), reach), moved = max(dot(face.step[k], face.step[k]), moved);
    }
    reach = sqrt(reach);
    Lane<N> b[3] = {third, third, third};
    const auto center = face.at(b);
    const Lane<N> tolerance = min(reach * Lane<N>(face_tolerance), Lane<N>(r.most_left));
    Mask<N> near = (center.distance < reach + sqrt(moved)) & face.may_be_inside(center, middle, tolerance);
    if (!any(near)) return;
    if constexpr (requires { shape.mesh; }) {
        face.search_from(center, b);
    } else {
        typename FaceLanes<Kind, N>::Point corners[3];
        for (int k = 0; k < 3; ++k) {
            corners[k] = face.at(face.x[k], face.step[k]);
            near = near & face.may_be_inside(corners[k], face.x[k], tolerance);
        }
        if (!any(near)) return;
        face.find_deepest(corners, b);
    }
    const typename FaceLanes<Kind, N>::Point deepest = face.at(b);
    unsigned bits = bits_of(near & (deepest.distance < -tolerance));
    if (left < static_cast<std::size_t>(N)) bits &= (1u << left) - 1;
    if (bits != 0) write_faces<Kind, N>(r, first, shape, face, b, deepest, tolerance, bits);
}

template <class... Kinds>
PLIANT_INLINE void find_faces_in_all(FaceSearch& r,
                                     const collision::LocalSpans<collision::ColliderList<Kinds...>>& set) {
    const auto find = [&]<class Kind>(const collision::LocalSpan<Kind>& span) {
        for (std::size_t i = 0; i < span.count; ++i) {
            if (!Kind::meets_faces(span.first[i].inverted)) continue;
            for (std::size_t first = 0; first < r.count; first += wide)
                find_faces_in<Kind>(r, span.first[i], first);
        }
    };
    (find(static_cast<const collision::LocalSpan<Kinds>&>(set)), ...);
}

PLIANT_ENTRY void find_face_contacts(FaceSearch& r) { find_faces_in_all(r, r.colliders); }

PLIANT_ENTRY void bound_faces(const FaceBoundsRun& r) {
    using Row = Lane<4>;
    const auto load_row = [](const float* base, std::uint32_t offset) {
        return load<4>(reinterpret_cast<const float*>(reinterpret_cast<const char*>(base) + offset));
    };
    Row low(FLT_MAX), high(-FLT_MAX);
    for (std::size_t i = 0; i < r.count; ++i) {
        const Row x = load_row(r.position, r.closure[i]), p = x - load_row(r.displacement, r.closure[i]);
        low = min(x, min(p, low)), high = max(x, max(p, high));
    }
    store<4>(r.low, low), store<4>(r.high, high);
}

}  // namespace pliant::PLIANT_TARGET
