// What the membranes of a triangle share.
//
//   dₖ = xₖ − x₀,  F = Σ dₖ ⊗ bₖ,  k = 1, 2     two columns: F_u along the warp, F_v along the weft
//   bₖ = ∇Nₖ: the gradients of the shape functions in the plane of the triangle at rest, b₀ = −b₁ − b₂
//
// Energies are per area at rest, in units of the stiffness Y along the warp (N/m). The compliances of rows
// are ρ/(Y·A): 1/Y is that of the material part, 1/A the measure.
//
// An energy of the form that tetrahedra have (elements/tetrahedron.h), Ψ = C₁²/2ρ₁ + C₂²/2ρ₂, has a row of
// strain, C₁ = q with S = q·∂q/∂F, and one of area, C₂ = J − 1 with ∂J/∂F = cof F:
//
//   n = F_u × F_v/J,  J = |F_u × F_v|,  cof F = (F_v × n, n × F_u)
#pragma once

#include "base/convert.h"
#include "base/scalar.h"
#include "constraints/block.h"

namespace pliant::constraints {

// Two columns of three numbers.
template <class T>
struct Columns2 {
    Vector3<T> u, v;

    [[gnu::always_inline]] friend inline Columns2 operator+(const Columns2& a, const Columns2& b) {
        return {a.u + b.u, a.v + b.v};
    }
    [[gnu::always_inline]] friend inline Columns2 operator-(const Columns2& a, const Columns2& b) {
        return {a.u - b.u, a.v - b.v};
    }
    [[gnu::always_inline]] friend inline Columns2 operator*(const Columns2& a, const T& s) {
        return {a.u * s, a.v * s};
    }
};

template <class T>
[[gnu::always_inline]] inline T contract(const Columns2<T>& a, const Columns2<T>& b) {
    return dot(a.u, b.u) + dot(a.v, b.v);
}

template <class T>
struct MembraneDeformation {
    Columns2<T> gradient;  // F
    Columns2<T> cof;       // ∂J/∂F; 0 where the triangle has no area
    T j;                   // the area, relative to the rest's
};

template <class T>
[[gnu::always_inline]] inline MembraneDeformation<T> deformation_of(const Columns2<T>& f) {
    const Vector3<T> across = cross(f.u, f.v);
    const T j = sqrt(dot(across, across));
    const Vector3<T> n = across * divide_or_zero(T(1.0f), j);
    return {f, {cross(f.v, n), cross(n, f.u)}, j};
}

// What an energy makes of a deformation.
template <class T>
struct MembraneStrain {
    Columns2<T> s;  // S = q·∂q/∂F
    T square;       // q²
    T area;         // C₂
};

struct TriangleMembrane {
    static constexpr int arity = 3;
    static constexpr bool central_pair = false;
    static constexpr bool runs_in_pbd = false;  // PBD has no stiffness per metre
    static constexpr bool is_compensated = true;

    template <class T>
    struct Rest {
        T b1_u, b1_v, b2_u, b2_v;  // 1/m
        T inverse_area;            // 1/m²
    };
    template <class R, class F>
    [[gnu::always_inline]] static constexpr void rest_fields(R& rest, F&& f) {
        f(rest.b1_u, FieldInfo{"b1_u", "1/m", "∇N₁ at rest, along the warp."});
        f(rest.b1_v, FieldInfo{"b1_v", "1/m", "∇N₁ at rest, along the weft."});
        f(rest.b2_u, FieldInfo{"b2_u", "1/m", "∇N₂ at rest, along the warp."});
        f(rest.b2_v, FieldInfo{"b2_v", "1/m", "∇N₂ at rest, along the weft."});
        f(rest.inverse_area, FieldInfo{"inverse_area", "1/m²", "One over the rest area."});
    }

    // warp: any vector that is not normal to the triangle; what lies in its plane counts.
    static Rest<float> rest_of(const Vec3d* x, const Vec3d& warp) {
        const Vec3d d1 = x[1] - x[0], d2 = x[2] - x[0], normal = cross(d1, d2);
        const double twice = length(normal);
        const Vec3d n = normal * (1 / twice), along = warp - n * dot(n, warp);
        const Vec3d u = along * (1 / length(along)), v = cross(n, u);
        // Rows of the inverse of (d₁, d₂) in the frame (u, v).
        const double d1u = dot(d1, u), d1v = dot(d1, v), d2u = dot(d2, u), d2v = dot(d2, v);
        return {static_cast<float>(d2v / twice), static_cast<float>(-d2u / twice),
                static_cast<float>(-d1v / twice), static_cast<float>(d1u / twice),
                static_cast<float>(2 / twice)};
    }
    static Rest<float> rest_of(const Vec3d* x) { return rest_of(x, x[1] - x[0]); }

    template <class T>
    [[gnu::always_inline]] static inline T measure(const Rest<T>& rest) {
        return rest.inverse_area;
    }
    template <class T>
    [[gnu::always_inline]] static inline T gradient_square(const Rest<T>& rest) {
        const T u = rest.b1_u + rest.b2_u, v = rest.b1_v + rest.b2_v;
        return rest.b1_u * rest.b1_u + rest.b1_v * rest.b1_v + rest.b2_u * rest.b2_u + rest.b2_v * rest.b2_v +
               u * u + v * v;
    }

    // F.
    template <class T>
    [[gnu::always_inline]] static inline Columns2<T> gradient_of(const Vector3<T>* x, const Rest<T>& rest) {
        const Vector3<T> d1 = x[1] - x[0], d2 = x[2] - x[0];
        return {d1 * rest.b1_u + d2 * rest.b2_u, d1 * rest.b1_v + d2 * rest.b2_v};
    }
    // How far F is from a rotation.
    template <class T>
    static T strain(const Vector3<T>* x, const Rest<T>& rest) {
        const MembraneDeformation<T> d = deformation_of(gradient_of(x, rest));
        const Columns2<T> s = d.gradient - rotation_of(d);
        return sqrt(contract(s, s));
    }

    // The rotation next to F, R = (F + cof F)/√(|F|² + 2J): in its plane, where a quarter turn of both
    // columns gives cof F. A triangle without area has none: then F over its length.
    template <class T>
    [[gnu::always_inline]] static inline Columns2<T> rotation_of(const MembraneDeformation<T>& d) {
        const T square = contract(d.gradient, d.gradient) + d.j + d.j;
        return (d.gradient + d.cof) * divide_or_zero(T(1.0f), sqrt(square));
    }

protected:
    // A·b₀ … A·b₂: what a row ∂C/∂F = A is for each particle.
    template <class T>
    [[gnu::always_inline]] static inline std::array<Vector3<T>, 3> row(const Columns2<T>& a,
                                                                       const Rest<T>& rest) {
        const Vector3<T> a1 = a.u * rest.b1_u + a.v * rest.b1_v, a2 = a.u * rest.b2_u + a.v * rest.b2_v;
        return {-(a1 + a2), a1, a2};
    }
};

// An energy with a row for strain and one for area. Kind has name, summary and strain_of.
//
// In a plane without stress across it Hooke's law has 2μ = Y/(1 + ν) and λ = Y·ν/(1 − ν²): ρ₁ = 1 + ν,
// ρ₂ = (1 − ν²)/ν. Below ν = 0 there is no row of area, and q counts less of an even dilation, as of
// tetrahedra: μ·|ε|² + ½·λ·τ² = μ·(|ε|² − k·τ²), k = −λ/2μ.
template <class Kind>
struct MembraneEnergy : TriangleMembrane {
    static constexpr int rows = 2;

    template <class T>
    struct Material {
        T poisson_ratio;
    };
    template <class M, class F>
    [[gnu::always_inline]] static constexpr void material_fields(M& material, F&& f) {
        f(material.poisson_ratio, FieldInfo{"poisson_ratio", "", "How much it narrows when stretched."});
    }

    template <class T>
    [[gnu::always_inline]] static inline std::array<T, 2> ratios(const Material<T>& material) {
        const T one(1.0f), nu = max(material.poisson_ratio, T(1e-6f));
        return {one + material.poisson_ratio, (one - nu * nu) / nu};
    }
    // k for ν < 0, else 0.
    template <class T>
    [[gnu::always_inline]] static inline T less_dilation(const Material<T>& material) {
        const T nu = min(material.poisson_ratio, T(0.0f));
        return -nu / (T(1.0f) - nu);
    }

    template <class T>
    [[gnu::always_inline]] static inline BlockEvaluation<T, 3, 2> evaluate(const Vector3<T>* x,
                                                                           const Rest<T>& rest,
                                                                           const Material<T>& material) {
        const MembraneDeformation<T> d = deformation_of(gradient_of(x, rest));
        const MembraneStrain<T> strain = Kind::strain_of(d, material);
        return {
            {strain.square, strain.area}, {strain.square, T(1.0f)}, {row(strain.s, rest), row(d.cof, rest)}};
    }
    // Ψ/Y times the area.
    template <class T>
    static T energy(const Vector3<T>* x, const Rest<T>& rest, const Material<T>& material) {
        const MembraneStrain<T> strain = Kind::strain_of(deformation_of(gradient_of(x, rest)), material);
        const std::array<T, 2> r = ratios(material);
        return (strain.square / (T(2) * r[0]) + strain.area * strain.area / (T(2) * r[1])) /
               rest.inverse_area;
    }
};

}  // namespace pliant::constraints
