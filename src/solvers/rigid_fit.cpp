#include "solvers/rigid_fit.h"

#include "solvers/nearest_rotation.h"

namespace pliant::solvers {

void FitSums::add(const Vec3d& x, const Vec3d& X, double m) {
    const Vec3d mx = x * m;
    mass += m;
    now = now + mx;
    rest = rest + X * m;
    columns[0] = columns[0] + mx * X.x;
    columns[1] = columns[1] + mx * X.y;
    columns[2] = columns[2] + mx * X.z;
}

void FitSums::add(const FitSums& other, double scale) {
    mass += other.mass * scale;
    now = now + other.now * scale;
    rest = rest + other.rest * scale;
    for (std::size_t k = 0; k < 3; ++k) columns[k] = columns[k] + other.columns[k] * scale;
}

RigidFit best_fit(const FitSums& sums) {
    RigidFit fit;
    fit.center = sums.now * (1 / sums.mass);
    fit.rest_center = sums.rest * (1 / sums.mass);
    const Vec3d columns[3] = {sums.columns[0] - sums.now * fit.rest_center.x,
                              sums.columns[1] - sums.now * fit.rest_center.y,
                              sums.columns[2] - sums.now * fit.rest_center.z};
    fit.turn = nearest_rotation(columns);
    return fit;
}

}  // namespace pliant::solvers
