// The geometry of a rod's joint: how much it bends and twists there, and how that changes as it moves.
//
// Discrete elastic rods (Bergou et al. 2008, 2010). A segment has a tangent t and a material frame m₁, m₂ =
// t×m₁ beside it. Of the two segments − and + that meet in a joint:
//
//   κb = 2·t⁻×t⁺/χ,  χ = 1 + t⁻·t⁺;   |κb| = 2·tan(φ/2), φ: the angle between them
//   κ₁ = ½(m₂⁻ + m₂⁺)·κb,   κ₂ = −½(m₁⁻ + m₁⁺)·κb          curvature × length, in the material frame
//   τ  = 2·tan(ψ/2),  ψ: angle from P·m₁⁻ to m₁⁺ about t⁺, P: the smallest turn from t⁻ to t⁺
//
// All three are infinite where a joint folds back, or twists by half a turn: it never gets there. When a
// segment moves, its frame goes along by the smallest turn from its old tangent to the new one, and turns by
// θ about it. With t̃ = (t⁻ + t⁺)/χ, m̃ = (m⁻ + m⁺)/χ and segments e of length |e|:
//
//   ∂κ₁/∂e⁻ = (−κ₁·t̃ + t⁺×m̃₂)/|e⁻|,  ∂κ₁/∂e⁺ = (−κ₁·t̃ − t⁻×m̃₂)/|e⁺|,  ∂κ₁/∂θ± = −½·m₁±·κb
//   ∂κ₂/∂e⁻ = (−κ₂·t̃ − t⁺×m̃₁)/|e⁻|,  ∂κ₂/∂e⁺ = (−κ₂·t̃ + t⁻×m̃₁)/|e⁺|,  ∂κ₂/∂θ± = −½·m₂±·κb
//   ∂ψ/∂e± = κb/(2|e±|),  ∂ψ/∂θ± = ±1,   ∂τ = (1 + τ²/4)·∂ψ
//
// Only +, −, ×, ÷: the same bits everywhere.
#pragma once

#include "base/scalar.h"

namespace pliant::solvers::position_based {

template <class T>
struct RodSegment {
    Vector3<T> tangent;  // t, of length 1
    Vector3<T> normal;   // m₁
    T inverse_length;    // 1/|e|
};

// What one number of a joint is, and its gradient with respect to the two segments and their turns.
template <class T>
struct RodMeasure {
    T value;
    Vector3<T> before, after;   // ∂/∂e⁻, ∂/∂e⁺
    T turn_before, turn_after;  // ∂/∂θ⁻, ∂/∂θ⁺
};

template <class T>
struct RodJoint {
    RodMeasure<T> first, second, twist;  // κ₁, κ₂, τ
};

// v, turned as the smallest turn takes the direction a to b: v + c×v + c×(c×v)/(1 + a·b), c = a×b.
template <class T>
[[gnu::always_inline]] inline Vector3<T> transport(const Vector3<T>& v, const Vector3<T>& a,
                                                   const Vector3<T>& b) {
    const Vector3<T> c = cross(a, b), cv = cross(c, v);
    const T inverse = T(1.0f) / max(T(1.0f) + dot(a, b), T(1e-6f));
    return v + cv + cross(c, cv) * inverse;
}

// What of v is across t, of length 1.
template <class T>
[[gnu::always_inline]] inline Vector3<T> across(const Vector3<T>& v, const Vector3<T>& t) {
    const Vector3<T> w = v - t * dot(v, t);
    return w * (T(1.0f) / sqrt(max(dot(w, w), T(1e-30f))));
}

// Folded back further than this, a joint counts as if it were so far; 2·tan(φ/2) is 28 then.
inline constexpr float least_fold = 0.01f;

template <class T>
[[gnu::always_inline]] inline RodJoint<T> joint_of(const RodSegment<T>& a, const RodSegment<T>& b) {
    const T half(0.5f), one(1.0f);
    const Vector3<T>&t1 = a.tangent, &t2 = b.tangent;
    const T inverse = one / max(one + dot(t1, t2), T(least_fold));
    const Vector3<T> kb = cross(t1, t2) * (inverse + inverse), t = (t1 + t2) * inverse;
    const Vector3<T> a2 = cross(t1, a.normal), b2 = cross(t2, b.normal);
    const Vector3<T> sum1 = a.normal + b.normal, sum2 = a2 + b2;
    const T k1 = half * dot(sum2, kb), k2 = -(half * dot(sum1, kb));
    const Vector3<T> m1 = sum1 * inverse, m2 = sum2 * inverse;
    const T la = a.inverse_length, lb = b.inverse_length;

    RodJoint<T> joint;
    joint.first = {k1, (cross(t2, m2) - t * k1) * la, -(cross(t1, m2) + t * k1) * lb,
                   -(half * dot(a.normal, kb)), -(half * dot(b.normal, kb))};
    joint.second = {k2, -(cross(t2, m1) + t * k2) * la, (cross(t1, m1) - t * k2) * lb, -(half * dot(a2, kb)),
                    -(half * dot(b2, kb))};
    const Vector3<T> carried = transport(a.normal, t1, t2);
    const T sine = dot(cross(carried, b.normal), t2), cosine = dot(carried, b.normal);
    const T twist = (sine + sine) / max(one + cosine, T(least_fold));
    const T slope = one + half * half * twist * twist;
    joint.twist = {twist, kb * (half * slope * la), kb * (half * slope * lb), -slope, slope};
    return joint;
}

}  // namespace pliant::solvers::position_based
