// Woven cloth: Saint Venant–Kirchhoff with stiffnesses of its own along warp and weft and for shear.
//
//   C₁ = E_uu = ½(F_u·F_u − 1),  C₂ = E_vv = ½(F_v·F_v − 1),  C₃ = 2·E_uv = F_u·F_v
//
// The energy per area is ½ Cᵀ·K·C with the inverse of K, the compliance, by rows
//
//   ( 1/Y_u   −ν/Y_u   0 )
//   (−ν/Y_u    1/Y_v   0 )       Y_u, Y_v: along warp and weft, G: shear (N/m)
//   ( 0        0     1/G )       ν: how much it narrows along the weft, pulled along the warp
//
// in units of 1/Y_u. A strain limit l makes it unyielding beyond: a row whose projection would leave more
// than l of strain gets just the compliance with which it leaves l (block_projection.h).
#pragma once

#include "constraints/membranes/triangle.h"

namespace pliant::constraints::kinds {

struct OrthotropicMembrane : TriangleMembrane {
    static constexpr const char* name = "orthotropic_membrane";
    static constexpr const char* summary = "Keeps a triangle of woven cloth.";
    static constexpr int rows = 3;

    template <class T>
    struct Material {
        T weft_ratio;     // Y_u/Y_v
        T shear_ratio;    // Y_u/G
        T poisson_ratio;  // ν
        T strain_limit;   // 0: none
    };
    template <class M, class F>
    [[gnu::always_inline]] static constexpr void material_fields(M& material, F&& f) {
        f(material.weft_ratio, FieldInfo{"weft_ratio", "", "Stiffness of the warp over the weft's."});
        f(material.shear_ratio, FieldInfo{"shear_ratio", "", "Stiffness of the warp over that of shear."});
        f(material.poisson_ratio, FieldInfo{"poisson_ratio", "", "How much it narrows when stretched."});
        f(material.strain_limit, FieldInfo{"strain_limit", "", "No more strain than this; 0: no limit."});
    }

    template <class T>
    [[gnu::always_inline]] static inline std::array<T, 3> rows_of(const Columns2<T>& f) {
        const T half(0.5f), one(1.0f);
        return {half * (dot(f.u, f.u) - one), half * (dot(f.v, f.v) - one), dot(f.u, f.v)};
    }
    template <class T>
    [[gnu::always_inline]] static inline BlockEvaluation<T, 3, 3> evaluate(const Vector3<T>* x,
                                                                           const Rest<T>& rest,
                                                                           const Material<T>&) {
        const T zero(0.0f), one(1.0f);
        const Vector3<T> none{zero, zero, zero};
        const Columns2<T> f = gradient_of(x, rest);
        return {rows_of(f),
                {one, one, one},
                {row<T>({f.u, none}, rest), row<T>({none, f.v}, rest), row<T>({f.v, f.u}, rest)}};
    }
    template <class T>
    [[gnu::always_inline]] static inline std::array<T, 3> ratios(const Material<T>& material) {
        return {T(1.0f), material.weft_ratio, material.shear_ratio};
    }
    // Of the first two rows together, in the same units.
    template <class T>
    [[gnu::always_inline]] static inline T mixed_ratio(const Material<T>& material) {
        return -material.poisson_ratio;
    }
    // The Green strain beyond which the first two rows do not give way; 0: none.
    template <class T>
    [[gnu::always_inline]] static inline T limit(const Material<T>& material) {
        return material.strain_limit * (T(1.0f) + T(0.5f) * material.strain_limit);
    }

    template <class T>
    static T energy(const Vector3<T>* x, const Rest<T>& rest, const Material<T>& material) {
        const std::array<T, 3> c = rows_of(gradient_of(x, rest));
        const T nu = material.poisson_ratio, determinant = material.weft_ratio - nu * nu;
        const T uu =
            (c[0] * c[0] * material.weft_ratio + T(2) * nu * c[0] * c[1] + c[1] * c[1]) / determinant;
        return (uu + c[2] * c[2] / material.shear_ratio) / (T(2) * rest.inverse_area);
    }
};

}  // namespace pliant::constraints::kinds
