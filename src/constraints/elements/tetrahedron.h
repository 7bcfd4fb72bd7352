// What the energies of a tetrahedron share.
//
//   dₖ = xₖ − x₀,  F = Σ dₖ ⊗ bₖ,  k = 1…3      bₖ = ∇Nₖ: the gradients of the shape functions at rest, b₀ =
//   −Σ bₖ
//
// An energy in units of Young's modulus E is Ψ = C₁²/2ρ₁ + C₂²/2ρ₂ (+ a constant), per volume at rest:
//
//   C₁ = q,  ∂C₁/∂F = S/q         a measure of strain, with S = q·∂q/∂F
//   C₂,      ∂C₂/∂F = cof F       a measure of volume, J plus a constant
//   P = ∂Ψ/∂F = S/ρ₁ + C₂·cof F/ρ₂
//
// A kind says what S, q² and C₂ are, and the ratios ρ. The gradients with respect to xₖ are S·bₖ/q and
// cof F·bₖ, the compliances ρ/(E·V): 1/E is that of the material part, 1/V the measure.
#pragma once

#include "base/convert.h"
#include "base/geometry/matrix3.h"
#include "base/geometry/polar_rotation.h"
#include "constraints/block.h"

namespace pliant::constraints {

template <class T>
struct Deformation {
    Matrix3<T> gradient;  // F
    Matrix3<T> cof;       // ∂J/∂F
    T j;                  // det F: the volume, relative to the rest's
};

template <class T>
[[gnu::always_inline]] inline Deformation<T> deformation_of(const Matrix3<T>& f) {
    const Matrix3<T> cof = cofactor(f);
    return {f, cof, dot(f.x, cof.x)};
}

// What an energy makes of a deformation.
template <class T>
struct Strain {
    Matrix3<T> s;  // S = q·∂q/∂F
    T square;      // q²
    T volume;      // C₂
};

struct TetrahedronElement {
    static constexpr int arity = 4;
    static constexpr bool central_pair = false;
    static constexpr bool runs_in_pbd = false;  // PBD has no modulus

    template <class T>
    struct Rest {
        Vector3<T> b1, b2, b3;  // 1/m
        T inverse_volume;       // 1/m³
        T gradient_square;      // 1/m²
    };
    template <class R, class F>
    [[gnu::always_inline]] static constexpr void rest_fields(R& rest, F&& f) {
        f(rest.b1.x, FieldInfo{"b1_x", "1/m", "∇N₁ at rest, along x."});
        f(rest.b1.y, FieldInfo{"b1_y", "1/m", "∇N₁ at rest, along y."});
        f(rest.b1.z, FieldInfo{"b1_z", "1/m", "∇N₁ at rest, along z."});
        f(rest.b2.x, FieldInfo{"b2_x", "1/m", "∇N₂ at rest, along x."});
        f(rest.b2.y, FieldInfo{"b2_y", "1/m", "∇N₂ at rest, along y."});
        f(rest.b2.z, FieldInfo{"b2_z", "1/m", "∇N₂ at rest, along z."});
        f(rest.b3.x, FieldInfo{"b3_x", "1/m", "∇N₃ at rest, along x."});
        f(rest.b3.y, FieldInfo{"b3_y", "1/m", "∇N₃ at rest, along y."});
        f(rest.b3.z, FieldInfo{"b3_z", "1/m", "∇N₃ at rest, along z."});
        f(rest.inverse_volume, FieldInfo{"inverse_volume", "1/m³", "One over the rest volume."});
        f(rest.gradient_square, FieldInfo{"gradient_square", "1/m²", "Σ|∇N|² of the four particles."});
    }

    template <class T>
    struct Material {
        T poisson_ratio;
    };
    template <class M, class F>
    [[gnu::always_inline]] static constexpr void material_fields(M& material, F&& f) {
        f(material.poisson_ratio, FieldInfo{"poisson_ratio", "", "How much it thins when stretched."});
    }

    static Rest<float> rest_of(const Vec3d* x) {
        const Matrix3<double> edges{x[1] - x[0], x[2] - x[0], x[3] - x[0]}, cof = cofactor(edges);
        const double volume6 = dot(edges.x, cof.x);
        const Matrix3<double> b = cof * (1 / volume6);
        const Vec3d b0 = b.x + b.y + b.z;
        return {to_float(b.x), to_float(b.y), to_float(b.z), static_cast<float>(6 / volume6),
                static_cast<float>(contract(b, b) + dot(b0, b0))};
    }
    template <class T>
    [[gnu::always_inline]] static inline T measure(const Rest<T>& rest) {
        return rest.inverse_volume;
    }
    template <class T>
    [[gnu::always_inline]] static inline T gradient_square(const Rest<T>& rest) {
        return rest.gradient_square;
    }

    // F.
    template <class T>
    [[gnu::always_inline]] static inline Matrix3<T> gradient_of(const Vector3<T>* x, const Rest<T>& rest) {
        const Vector3<T> d1 = x[1] - x[0], d2 = x[2] - x[0], d3 = x[3] - x[0];
        const Vector3<T>&b1 = rest.b1, &b2 = rest.b2, &b3 = rest.b3;
        return {d1 * b1.x + d2 * b2.x + d3 * b3.x, d1 * b1.y + d2 * b2.y + d3 * b3.y,
                d1 * b1.z + d2 * b2.z + d3 * b3.z};
    }
    // How far F is from a rotation.
    template <class T>
    static T strain(const Vector3<T>* x, const Rest<T>& rest) {
        const Matrix3<T> f = gradient_of(x, rest), s = f - polar_rotation(f);
        return sqrt(contract(s, s));
    }

protected:
    // A·b₀ … A·b₃: what a row ∂C/∂F = A is for each particle.
    template <class T>
    [[gnu::always_inline]] static inline std::array<Vector3<T>, 4> row(const Matrix3<T>& a,
                                                                       const Rest<T>& rest) {
        const Vector3<T> a1 = a * rest.b1, a2 = a * rest.b2, a3 = a * rest.b3;
        return {-(a1 + a2 + a3), a1, a2, a3};
    }
};

// λ/E and 2μ/E as ratios ρ of energies ½·2μ·q² + ½·λ·C₂²: E/2μ and E/λ.
//
// Below ν = 0, λ is negative, and the row of volume would push away from rest. Such materials have no row of
// volume (ρ₂ is as good as infinite); instead q counts less of dilation, see less_dilation.
template <class T>
[[gnu::always_inline]] inline std::array<T, 2> hooke_ratios(const T& poisson_ratio) {
    const T one(1.0f), nu = max(poisson_ratio, T(1e-6f));
    return {one + poisson_ratio, (one + nu) * (one - T(2.0f) * nu) / nu};
}

// k/3 for ν < 0, else 0, with which a strain ε of trace τ has μ·|ε|² + ½·λ·τ² = μ·(|ε|² − ⅓k·τ²): k = −3λ/2μ.
template <class T>
[[gnu::always_inline]] inline T less_dilation(const T& poisson_ratio) {
    const T nu = min(poisson_ratio, T(0.0f));
    return -nu / (T(1.0f) - T(2.0f) * nu);
}

// An energy with a row for strain and one for volume. Kind has name, summary and strain_of. Its ratios are
// those of Hooke's law, and its rest has no energy, unless it says otherwise.
template <class Kind>
struct ElementEnergy : TetrahedronElement {
    static constexpr int rows = 2;

    template <class T>
    [[gnu::always_inline]] static inline std::array<T, 2> ratios(const Material<T>& material) {
        return hooke_ratios(material.poisson_ratio);
    }
    template <class T>
    static T energy_at_rest(const Material<T>&) {
        return T(0);
    }

    template <class T>
    [[gnu::always_inline]] static inline BlockEvaluation<T, 4, 2> evaluate(const Vector3<T>* x,
                                                                           const Rest<T>& rest,
                                                                           const Material<T>& material) {
        const Deformation<T> d = deformation_of(gradient_of(x, rest));
        const Strain<T> strain = Kind::strain_of(d, material);
        return {{strain.square, strain.volume},
                {strain.square, T(1.0f)},
                {row(strain.s, rest), row(d.cof, rest)}};
    }

    // Ψ/E.
    template <class T>
    static T energy_density(const Matrix3<T>& f, const Material<T>& material) {
        const Strain<T> strain = Kind::strain_of(deformation_of(f), material);
        const std::array<T, 2> ratios = Kind::ratios(material);
        return strain.square / (T(2) * ratios[0]) + strain.volume * strain.volume / (T(2) * ratios[1]) -
               Kind::energy_at_rest(material);
    }
    // P/E.
    template <class T>
    static Matrix3<T> stress(const Matrix3<T>& f, const Material<T>& material) {
        const Deformation<T> d = deformation_of(f);
        const Strain<T> strain = Kind::strain_of(d, material);
        const std::array<T, 2> ratios = Kind::ratios(material);
        return strain.s * (T(1) / ratios[0]) + d.cof * (strain.volume / ratios[1]);
    }
    template <class T>
    static T energy(const Vector3<T>* x, const Rest<T>& rest, const Material<T>& material) {
        return energy_density(TetrahedronElement::gradient_of(x, rest), material) / rest.inverse_volume;
    }
};

}  // namespace pliant::constraints
