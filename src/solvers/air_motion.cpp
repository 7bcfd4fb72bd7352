#include "solvers/air_motion.h"

#include "base/convert.h"
#include "base/random.h"
#include "base/scalar.h"

namespace pliant::solvers {
namespace {

// Per wave: λ falls to an eighth over all of them, |a| to a half.
constexpr double shorter = 0.93514, weaker = 0.97789;
constexpr double mean_square = 8.0 / 15;

double reduced(double turns) { return turns - static_cast<double>(static_cast<long long>(turns)); }

Vec3d random_direction(Random& random) {
    for (;;) {
        const double x = 2 * random() - 1, y = 2 * random() - 1, z = 2 * random() - 1;
        const double squared = x * x + y * y + z * z;
        if (squared > 1 || squared < 0.01) continue;
        return Vec3d{x, y, z} * (1 / sqrt(squared));
    }
}

// In −1 … 1: three waves whose periods have no common multiple.
double gust(double turns, Random& random) {
    double sum = 0;
    for (const double faster : {1.0, 1.618, 2.618}) {
        const double phase = random();
        sum += parabolic_wave(static_cast<float>(reduced(turns * faster + phase))) / faster;
    }
    return sum / 2;  // 1 + 0.618 + 0.382
}

}  // namespace

AirMotion::AirMotion(const Settings& settings, const model::AirPath& path) {
    Random random(settings.wind_seed);
    const double strength = 1 + double(settings.gusts) * gust(path.gusts, random);
    wind_ = settings.gusts > 0 ? settings.wind * static_cast<float>(strength) : settings.wind;
    speed_ = settings.turbulence * sqrt(dot(wind_, wind_));
    if (!has_eddies()) return;

    double length = settings.eddy_size, size = 1, squares = 0;
    std::array<Vec3d, waves> amplitudes;
    for (std::size_t i = 0; i < waves; ++i) {
        const Vec3d along = random_direction(random);
        Vec3d across = cross(along, random_direction(random));
        while (dot(across, across) < 0.01) across = cross(along, random_direction(random));
        across = across * (1 / sqrt(dot(across, across)));
        const double turn = path.eddies / length * (random() < 0.5 ? -1 : 1);
        waves_[i].number = along * (1 / length);
        waves_[i].phase = reduced(random() + turn) - reduced(dot(waves_[i].number, path.drift));
        amplitudes[i] = across * size;
        squares += size * size * mean_square;
        length *= shorter;
        size *= weaker;
    }
    // Along each axis a mean square of speed².
    const double scale = speed_ * sqrt(3 / squares);
    for (std::size_t i = 0; i < waves; ++i) {
        const Vec3 a = to_float(amplitudes[i] * scale), k = to_float(waves_[i].number);
        ax_[i] = a.x, ay_[i] = a.y, az_[i] = a.z;
        kx_[i] = k.x, ky_[i] = k.y, kz_[i] = k.z;
    }
    move_to({});
}

void AirMotion::move_to(const Vec3d& origin) {
    for (std::size_t i = 0; i < waves; ++i)
        phase_[i] = static_cast<float>(reduced(waves_[i].phase + dot(waves_[i].number, origin)));
}

Vec3 AirMotion::eddies_at(const Vec3& x) const {
    Vec3 sum{};
    for (std::size_t i = 0; i < waves; ++i) {
        const float f = parabolic_wave(kx_[i] * x.x + ky_[i] * x.y + kz_[i] * x.z + phase_[i]);
        sum = sum + Vec3{ax_[i] * f, ay_[i] * f, az_[i] * f};
    }
    return sum;
}

model::AirPath AirMotion::after(const Settings& settings, const model::AirPath& path, double seconds) {
    const AirMotion now(settings, path);
    return {path.drift + to_double(now.wind_) * seconds, path.eddies + double(now.speed_) * seconds,
            path.gusts + seconds / settings.gust_seconds};
}

}  // namespace pliant::solvers
