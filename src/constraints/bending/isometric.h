// Keeps two triangles with a common edge in a plane, for cloth that does not stretch.
//
//   C⃗ = Σ kᵢ·xᵢ,  C = |C⃗|,  ∇ᵢC = kᵢ·C⃗/|C⃗|
//
// The numbers k come from the cotangents of the rest shape, in a plane: of each triangle, the part of C⃗ is
// the direction from the edge into it, in its plane and normal to the edge. So |C⃗| = 2·sin(φ/2) with the
// angle φ of dihedral.h as long as the triangles keep their shape, and the compliance is the same, (A₁ +
// A₂)/(B·|e|²). C⃗ is linear in positions: no angle, no normal, one root. (Bergou, Wardetzky, Harmon, Zorin,
// Grinspun 2006; here divided by |e|.) It knows no rest angle but 0.
#pragma once

#include "base/convert.h"
#include "constraints/kind.h"

namespace pliant::constraints::kinds {

struct Isometric : NoMaterial {
    static constexpr const char* name = "isometric";
    static constexpr const char* summary = "Keeps two triangles in a plane.";
    static constexpr int arity = 4;
    static constexpr bool unit_gradients = false;
    static constexpr bool central_pair = false;
    static constexpr bool inequality = false;
    static constexpr bool runs_in_pbd = true;
    static constexpr bool is_compensated = true;

    template <class T>
    struct Rest {
        T k1, k2, k3;  // 1/m; k₀ = −(k₁ + k₂ + k₃)
        T measure;     // (A₁ + A₂)/|e|²
    };
    template <class R, class F>
    [[gnu::always_inline]] static constexpr void rest_fields(R& rest, F&& f) {
        f(rest.k1, FieldInfo{"k1", "1/m", "Of the end of the edge."});
        f(rest.k2, FieldInfo{"k2", "1/m", "Of the first wing."});
        f(rest.k3, FieldInfo{"k3", "1/m", "Of the second wing."});
        f(rest.measure, FieldInfo{"measure", "", "Both areas over the square of the edge."});
    }

    // A wing whose foot on the edge is at x₀ + s·e and whose height is η adds (wing − x₀ − s·e)/η.
    static Rest<float> rest_of(const Vec3d* x) {
        const Vec3d e = x[1] - x[0];
        const double ee = dot(e, e);
        double k1 = 0, k[2] = {}, areas = 0;
        for (std::size_t i = 0; i < 2; ++i) {
            const Vec3d wing = x[2 + i] - x[0];
            const double twice = pliant::length(cross(e, wing)), height = twice / sqrt(ee);
            k[i] = 1 / height;
            k1 -= dot(wing, e) / ee / height;
            areas += twice / 2;
        }
        return {static_cast<float>(k1), static_cast<float>(k[0]), static_cast<float>(k[1]),
                static_cast<float>(areas / ee)};
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
        // A rest of NaN is no constraint: gradients must be numbers then too.
        const auto exists = abs(rest.k1 + rest.k2 + rest.k3) < T(1e30f);
        const T zero(0.0f), k1 = select(exists, rest.k1, zero), k2 = select(exists, rest.k2, zero),
                            k3 = select(exists, rest.k3, zero);
        const Vector3<T> c = (x[1] - x[0]) * k1 + (x[2] - x[0]) * k2 + (x[3] - x[0]) * k3;
        const T length = sqrt(dot(c, c));
        const Vector3<T> g1 = c * k1, g2 = c * k2, g3 = c * k3;
        return {length, {-(g1 + g2 + g3), g1, g2, g3}, length};
    }
};

}  // namespace pliant::constraints::kinds
