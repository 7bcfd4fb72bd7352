// Keeps the angle between two triangles with a common edge.
//
//   e = x₁ − x₀: the edge;  a = x₂ − x₀, b = x₃ − x₀: the wings;  n₁ = e × a,  n₂ = b × e
//   φ = atan2(|e|·(n₁·b), n₁·n₂): 0 is flat, positive where the wings rise to the side of n₁
//   C = φ − φ₀
//   ∇₂C = |e|·n₁/|n₁|²,  ∇₃C = |e|·n₂/|n₂|²,  ∇₁C = −s_a·∇₂C − s_b·∇₃C,  s = (wing·e)/|e|²,  ∇₀C: the rest
//
// The angle has a sign and goes to ±π, where the triangles lie on each other: no acos, whose derivative is
// infinite at flat. A wing on the line of the edge makes no angle, and triangles that lie on each other have
// no direction to open: q = 0.
//
// A sheet of bending stiffness B (N·m) that is bent across its edges by the curvature κ has the angle κ·l at
// each, l: the distance of edges, and the energy ½·B·κ² per area: ½·B·|e|²φ²/(A₁ + A₂) for each edge. So the
// compliance is (A₁ + A₂)/(B·|e|²). It is exact on regular meshes that are bent along their lines.
#pragma once

#include "base/arctangent.h"
#include "base/convert.h"
#include "constraints/kind.h"

namespace pliant::constraints::kinds {

struct Dihedral : NoMaterial {
    static constexpr const char* name = "dihedral";
    static constexpr const char* summary = "Keeps the angle between two triangles.";
    static constexpr int arity = 4;
    static constexpr bool unit_gradients = false;
    static constexpr bool central_pair = false;
    static constexpr bool inequality = false;
    static constexpr bool runs_in_pbd = true;
    static constexpr bool is_compensated = true;
    static constexpr float most_change = 0.1f;  // rad, in one projection: more would stretch the triangles

    template <class T>
    struct Rest {
        T angle;    // rad
        T measure;  // (A₁ + A₂)/|e|²
    };
    template <class R, class F>
    [[gnu::always_inline]] static constexpr void rest_fields(R& rest, F&& f) {
        f(rest.angle, FieldInfo{"rest_angle", "rad", "Between the triangles; 0 is flat."});
        f(rest.measure, FieldInfo{"measure", "", "Both areas over the square of the edge."});
    }

    static double angle_of(const Vec3d* x) {
        const Vec3d e = x[1] - x[0], a = x[2] - x[0], b = x[3] - x[0], n1 = cross(e, a), n2 = cross(b, e);
        return arctangent(pliant::length(e) * dot(n1, b), dot(n1, n2));
    }
    static Rest<float> rest_of(const Vec3d* x) {
        const Vec3d e = x[1] - x[0];
        const double areas =
            (pliant::length(cross(e, x[2] - x[0])) + pliant::length(cross(e, x[3] - x[0]))) / 2;
        return {static_cast<float>(angle_of(x)), static_cast<float>(areas / dot(e, e))};
    }
    template <class T>
    [[gnu::always_inline]] static inline T measure(const Rest<T>& rest) {
        return rest.measure;
    }
    template <class T>
    static T error_scale(const Rest<T>&, T) {
        return T(1);  // rad
    }

    template <class T>
    [[gnu::always_inline]] static inline Evaluation<T, arity> evaluate(const Vector3<T>* x,
                                                                       const Rest<T>& rest,
                                                                       const Material<T>&) {
        const T zero(0.0f), one(1.0f), least(1e-10f);
        const Vector3<T> e = x[1] - x[0], a = x[2] - x[0], b = x[3] - x[0];
        const Vector3<T> n1 = cross(e, a), n2 = cross(b, e);
        const T ee = dot(e, e), length = sqrt(ee), square1 = dot(n1, n1), square2 = dot(n2, n2);
        const T across = length * dot(n1, b), along = dot(n1, n2), angle = arctangent(across, along);
        const T inverse = divide_or_zero(one, ee);
        const T along_a = dot(a, e) * inverse, along_b = dot(b, e) * inverse;
        // No angle: wings on the line of the edge. No direction: triangles on each other.
        const T room1 = square1 - least * ee * dot(a, a), room2 = square2 - least * ee * dot(b, b);
        const T open = max(along, abs(across) + T(1e-4f) * along);
        const auto exists = (min(room1, room2) > zero) & (open > zero);
        const Vector3<T> g2 = n1 * select(exists, divide_or_zero(length, square1), zero),
                         g3 = n2 * select(exists, divide_or_zero(length, square2), zero);
        const Vector3<T> g1 = -(g2 * along_a + g3 * along_b);
        const T divisor = select(exists, one, zero);
        return {angle - rest.angle, {-(g1 + g2 + g3), g1, g2, g3}, divisor};
    }
};

}  // namespace pliant::constraints::kinds
