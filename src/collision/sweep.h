// The entry of a long step into a shape whose distance is known everywhere, found along the way.
//
// φ falls by at most |d| while a particle moves by d. So with φ > 0 at p + t·d the next φ/|d| of the way are
// free (sphere tracing). Of a convex shape φ is convex along the way: by Newton's method, φ/(−n·d), it never
// goes too far either, and arrives sooner.
#pragma once

#include "collision/collider_kind.h"

namespace pliant::collision {

enum class Form { convex, any };

// distance_at(x) gives the contact of a particle at x that does not move; `nearest` is the one at x.
template <Form form, class T, class Mask, class F>
[[gnu::always_inline]] inline Contact<T> sweep(const F& distance_at, const Vector3<T>& x,
                                               const Vector3<T>& step, const Contact<T>& nearest,
                                               const Mask& is_long) {
    constexpr int rounds = form == Form::convex ? 12 : 80;
    const T zero(0.0f), one(1.0f), length = sqrt(dot(step, step));
    // Where even the whole step could not have led from the shape to x, nothing was met.
    auto active = is_long & (length > zero) & (nearest.distance < length);
    if (!any(active)) return nearest;
    const T inverse = one / select(length > zero, length, one), near = T(2e-7f) * length;
    const Vector3<T> p = x - step;
    Contact<T> met = distance_at(p);
    active = active & (met.distance >= T(-entry_tolerance) * length);
    const auto starts_outside = active;
    T t(0.0f);
    for (int i = 0; i < rounds; ++i) {
        const T fall = -dot(met.normal, step);
        const auto falls = fall > T(1e-6f) * length;
        const T way = form == Form::convex ? select(falls, met.distance / select(falls, fall, one), T(2.0f))
                                           : met.distance * inverse;
        active = active & (met.distance > near) & (t < one);
        if (!any(active)) break;
        t = select(active, min(t + way, T(2.0f)), t);
        const Contact<T> next = distance_at(p + step * min(t, one));
        met.distance = select(active, next.distance, met.distance);
        met.normal = select(active, next.normal, met.normal);
    }
    const auto hit = starts_outside & (t <= one);
    const T depth = met.distance + dot(met.normal, step) * (one - t);
    return {select(hit, depth, nearest.distance), select(hit, met.normal, nearest.normal)};
}

}  // namespace pliant::collision
