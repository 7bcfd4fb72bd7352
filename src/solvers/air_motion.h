// How the air itself moves: the wind, stronger and weaker in gusts, and eddies that the wind carries along.
//
//   V(x, t) = W·(1 + gusts·g(t)) + Σ aₘ·f(kₘ·(x − ∫W dt) + ωₘ∫σ dt + φₘ),   aₘ·kₘ = 0
//
// Eddies are plane waves across their direction (Kraichnan 1970; Fung, Hunt, Malik and Perkins 1992,
// kinematic simulation), so the field is free of divergence for any wave form f: here two parabolas, which
// need no sine. Wave lengths go from the size of the eddies to an eighth of it, with Kolmogorov's amplitudes,
// |aₘ| ∝ λₘ^⅓. Small ones turn over faster: ωₘ = ±1/λₘ. Directions and phases φₘ follow from the seed alone.
#pragma once

#include <pliant/description.h>
#include <pliant/vector.h>

#include <array>
#include <cstddef>

#include "base/scalar.h"
#include "model/state.h"

namespace pliant::solvers {

// f: period 1, peaks of ±1, mean square 8/15. Beyond a million periods it stays as it is there.
inline float parabolic_wave(float turns) {
    const float t = min(max(turns, -1e6f), 1e6f);
    const float x = t - static_cast<float>(static_cast<int>(t + (t < 0 ? -0.5f : 0.5f)));
    return 16 * x * (0.5f - (x < 0 ? -x : x));
}

class AirMotion {
public:
    AirMotion() = default;
    AirMotion(const Settings& settings, const model::AirPath& path);

    bool has_eddies() const { return speed_ > 0; }
    const Vec3& wind() const { return wind_; }  // m/s, with gusts
    // Of the eddies alone, m/s, at a place that is x from the origin that was moved_to.
    void move_to(const Vec3d& origin);
    Vec3 eddies_at(const Vec3& x) const;

    // Where it will be after a time in s.
    static model::AirPath after(const Settings& settings, const model::AirPath& path, double seconds);

private:
    static constexpr std::size_t waves = 32;
    struct Wave {
        Vec3d number;      // 1/m: turns per m
        double phase = 0;  // turns, at the world's origin
    };
    Vec3 wind_{};
    float speed_ = 0;  // m/s, of eddies
    std::array<Wave, waves> waves_{};
    // The same in floats, relative to the origin.
    std::array<float, waves> kx_{}, ky_{}, kz_{}, phase_{}, ax_{}, ay_{}, az_{};
};

}  // namespace pliant::solvers
