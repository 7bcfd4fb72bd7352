// Passes over particles that look at their motion as a whole. Part of the kernels, compiled once per
// instruction set.
#pragma once

#include "solvers/position_based/particle_kernels.h"

namespace pliant::PLIANT_TARGET {

// Sums over N of every 16 particles, from `first` on. As 16 sums side by side they are the same at any width.
template <int N>
PLIANT_INLINE void sum_moments(const ParticleRange& r, std::size_t first, std::size_t end,
                               float (&sums)[moment_count][block_size]) {
    const Vector<N> reference{Lane<N>(r.reference[0]), Lane<N>(r.reference[1]), Lane<N>(r.reference[2])};
    const Lane<N> zero(0.0f), one(1.0f);
    for (std::size_t lane = 0; lane < block_size; lane += N) {
        Lane<N> sum[moment_count];
        unroll<moment_count>([&](auto k) { sum[k] = zero; });
        for (std::size_t i = first + lane; i < end; i += block_size) {
            const auto at = [i](int k) {
                return static_cast<std::uint32_t>((i + static_cast<std::size_t>(k)) * bytes_per_particle);
            };
            const ParticleLanes<N> p = load_particles<N>(r.particles.position, at);
            const Vector<N> x = xyz(p);
            const Mask<N> moves = p.w > zero;
            const Lane<N> m = select(moves, one / select(moves, p.w, one), zero);
            const Vector<N> u = xyz(load_particles<N>(r.particles.displacement, at)) - reference;
            const Vector<N> mx = x * m, mu = u * m, l = cross(x, mu);
            const Lane<N> terms[moment_count] = {m,
                                                 mx.x,
                                                 mx.y,
                                                 mx.z,
                                                 mu.x,
                                                 mu.y,
                                                 mu.z,
                                                 l.x,
                                                 l.y,
                                                 l.z,
                                                 mx.x * x.x,
                                                 mx.y * x.y,
                                                 mx.z * x.z,
                                                 mx.x * x.y,
                                                 mx.x * x.z,
                                                 mx.y * x.z,
                                                 select(moves, one, zero)};
            unroll<moment_count>([&](auto k) { sum[k] = sum[k] + terms[k]; });
        }
        unroll<moment_count>([&](auto k) { store<N>(sums[k] + lane, sum[k]); });
    }
}

PLIANT_ENTRY void moments(const ParticleRange& r, double* result) {
    constexpr std::size_t most_at_once = 1024;  // then on in double: floats would lose digits
    for (std::size_t k = 0; k < moment_count; ++k) result[k] = 0;
    for (std::size_t i = r.first; i < r.first + r.count; i += most_at_once) {
        const std::size_t end = i + most_at_once < r.first + r.count ? i + most_at_once : r.first + r.count;
        float sums[moment_count][block_size];
        sum_moments<wide>(r, i, end, sums);
        for (std::size_t k = 0; k < moment_count; ++k) {
            for (std::size_t lane = 0; lane < block_size; ++lane) result[k] += double(sums[k][lane]);
        }
    }
}

// The same in double precision, for what must not drift: 64 terms in float are good to 10⁻⁷, once a frame.
PLIANT_ENTRY void moments_in_double(const ParticleRange& r, double* result) {
    for (std::size_t k = 0; k < moment_count; ++k) result[k] = 0;
    for (std::size_t i = r.first; i < r.first + r.count; ++i) {
        const float* p = r.particles.position + i * floats_per_particle;
        const float* d = r.particles.displacement + i * floats_per_particle;
        if (!(p[3] > 0.0f)) continue;
        const double m = 1 / double(p[3]), x = p[0], y = p[1], z = p[2];
        const double u = m * (double(d[0]) - double(r.reference[0])),
                     v = m * (double(d[1]) - double(r.reference[1])),
                     w = m * (double(d[2]) - double(r.reference[2]));
        const double terms[moment_count] = {m,         m * x,     m * y,         m * z,         u,
                                            v,         w,         y * w - z * v, z * u - x * w, x * v - y * u,
                                            m * x * x, m * y * y, m * z * z,     m * x * y,     m * x * z,
                                            m * y * z, 1};
        for (std::size_t k = 0; k < moment_count; ++k) result[k] += terms[k];
    }
}

// u ← keep·u + shift + spin×x, of what moves.
PLIANT_ENTRY void add_motion(const ParticleRange& r) {
    const std::size_t first = r.first * floats_per_particle;
    const std::size_t last = first + r.count * floats_per_particle;
    const float* s = r.spin;
    if constexpr (wide == 1) {
        for (std::size_t i = first; i < last; i += floats_per_particle) {
            const float* x = r.particles.position + i;
            float* u = r.particles.displacement + i;
            if (!(x[3] > 0.0f)) continue;
            for (std::size_t c = 0; c < 3; ++c) {
                const std::size_t d = (c + 1) % 3, e = (c + 2) % 3;
                u[c] = r.keep * u[c] + (r.shift[c] + (s[d] * x[e] - s[e] * x[d]));
            }
        }
    } else {
        constexpr int n = wide;
        using Int = typename Vec<n>::Int;
        using Float = typename Vec<n>::Float;
        float shifts[n], next[n], after[n];  // of each axis; of the next axis; of the one after it
        for (int i = 0; i < n; ++i) {
            const int c = i % 4;
            shifts[i] = c == 3 ? 0.0f : r.shift[c];
            next[i] = c == 3 ? 0.0f : s[(c + 1) % 3];
            after[i] = c == 3 ? 0.0f : s[(c + 2) % 3];
        }
        const Lane<n> shift = load<n>(shifts), spin1 = load<n>(next), spin2 = load<n>(after), keep(r.keep);
        for (std::size_t i = first; i < last; i += n) {
            const Lane<n> x = load<n>(r.particles.position + i), u = load<n>(r.particles.displacement + i);
            const Int bits = (Int)x.v;
            const Lane<n> x1 = Lane<n>::from((Float)detail::shuffle<n, 1, 2, 0, 3>(bits, bits));
            const Lane<n> x2 = Lane<n>::from((Float)detail::shuffle<n, 2, 0, 1, 3>(bits, bits));
            const Lane<n> moved = keep * u + (shift + (spin1 * x2 - spin2 * x1));
            store<n>(r.particles.displacement + i, select(masses_of(x) > Lane<n>(0.0f), moved, u));
        }
    }
}

// Low and high coordinates (four floats each, of which the last means nothing) of where particles are, and
// of where they were when the substep began.
PLIANT_ENTRY void bounds(const ParticleRange& r, float* low_high) {
    constexpr int n = wide < 4 ? 4 : wide;
    const std::size_t first = r.first * floats_per_particle;
    const std::size_t last = first + r.count * floats_per_particle;
    Lane<n> low(FLT_MAX), high(-FLT_MAX);
    for (std::size_t i = first; i < last; i += n) {
        const Lane<n> x = load<n>(r.particles.position + i);
        const Lane<n> p = load<n>(r.particles.predicted + i) - load<n>(r.particles.displacement + i);
        low = min(x, min(p, low));
        high = max(x, max(p, high));
    }
    float lows[n], highs[n];
    store<n>(lows, low);
    store<n>(highs, high);
    for (int c = 0; c < 4; ++c) {
        low_high[c] = lows[c];
        low_high[4 + c] = highs[c];
        for (int i = c + 4; i < n; i += 4) {
            low_high[c] = lows[i] < low_high[c] ? lows[i] : low_high[c];
            low_high[4 + c] = highs[i] > low_high[4 + c] ? highs[i] : low_high[4 + c];
        }
    }
}

PLIANT_ENTRY bool is_within(const ParticleRange& r, const float* low_high) {
    constexpr int n = wide < 4 ? 4 : wide;
    const std::size_t first = r.first * floats_per_particle;
    const std::size_t last = first + r.count * floats_per_particle;
    float lows[n], highs[n];
    for (int i = 0; i < n; ++i) {  // the fourth float may be anything
        lows[i] = i % 4 == 3 ? -FLT_MAX : low_high[i % 4];
        highs[i] = i % 4 == 3 ? FLT_MAX : low_high[4 + i % 4];
    }
    const Lane<n> low = load<n>(lows), high = load<n>(highs);
    Mask<n> good = low <= high;
    for (std::size_t i = first; i < last; i += n) {
        const Lane<n> x = load<n>(r.particles.position + i), p = load<n>(r.particles.predicted + i);
        good = good & (min(x, p) >= low) & (max(x, p) <= high);
    }
    return !any(!good);
}

}  // namespace pliant::PLIANT_TARGET
