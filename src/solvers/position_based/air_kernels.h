// The push of the air on particles. Part of the kernels, compiled once per instruction set.
#pragma once

#include "solvers/position_based/kernel_basics.h"

namespace pliant::PLIANT_TARGET {

// Air that moves by a per substep pushes with ½ρ|s|·M·s/h², s = a − u, M: what solvers/wind.h makes of the
// triangles around a particle. That adds K·s to u, K = w·½ρ|s|·M. Taken at the end of the substep (an
// implicit step in u) it is (1 + K)⁻¹K·s: M has no negative eigenvalue, so no direction of s changes its
// sign, however light the particle is and however strong the wind.
PLIANT_ENTRY void apply_wind(const ParticleRange& r) {
    using L = Lane<wide>;
    const L zero(0.0f), one(1.0f), h(r.substep);
    constexpr std::uint32_t stride = floats_per_air_load * sizeof(float);
    for (std::size_t first = r.first; first < r.first + r.count; first += wide) {
        const auto at = [first](int i) {
            return static_cast<std::uint32_t>((first + static_cast<std::size_t>(i)) * bytes_per_particle);
        };
        const auto load_at = [first](int i) {
            return static_cast<std::uint32_t>((first + static_cast<std::size_t>(i)) * stride);
        };
        const ParticleLanes<wide> squares = load_particles<wide>(r.air_loads, load_at);
        const ParticleLanes<wide> mixed = load_particles<wide>(r.air_loads + 4, load_at);
        const ParticleLanes<wide> last = load_particles<wide>(r.air_loads + 8, load_at);
        const L w = load_particles<wide>(r.particles.position, at).w;
        const ParticleLanes<wide> displacement = load_particles<wide>(r.particles.displacement, at);
        const Vector<wide> held{squares.w, mixed.w, last.w};
        const Vector<wide> before =
            xyz(displacement) + pliant::select(w > zero, held, Vector<wide>{zero, zero, zero});
        const Vector<wide> s = xyz(last) * h - before;
        // Beyond a thousand there is nothing left of s, and rounding would be.
        const L trace = squares.x + squares.y + squares.z;
        const L k = min(w * L(r.half_air_density) * sqrt(dot(s, s)), divide_or_zero(L(1e3f), trace));
        const L xy = k * mixed.x, yz = k * mixed.y, zx = k * mixed.z;
        const L xx = k * squares.x, yy = k * squares.y, zz = k * squares.z;
        const Vector<wide> push{xx * s.x + xy * s.y + zx * s.z, xy * s.x + yy * s.y + yz * s.z,
                                zx * s.x + yz * s.y + zz * s.z};
        // (1 + K)⁻¹ by cofactors.
        const L a = one + xx, b = one + yy, c = one + zz;
        const L c_xx = b * c - yz * yz, c_yy = a * c - zx * zx, c_zz = a * b - xy * xy;
        const L c_xy = zx * yz - xy * c, c_yz = xy * zx - a * yz, c_zx = xy * yz - zx * b;
        const L share = select(w > zero, one / (a * c_xx + xy * c_xy + zx * c_zx), zero);
        const Vector<wide> u = before + Vector<wide>{c_xx * push.x + c_xy * push.y + c_zx * push.z,
                                                     c_xy * push.x + c_yy * push.y + c_yz * push.z,
                                                     c_zx * push.x + c_yz * push.y + c_zz * push.z} *
                                            share;
        store_particles<wide>(r.particles.displacement, at, {u.x, u.y, u.z, displacement.w});
    }
}

}  // namespace pliant::PLIANT_TARGET
