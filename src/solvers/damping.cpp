#include "solvers/damping.h"

#include "base/roots.h"

namespace pliant::solvers {

Damping::Damping(const Settings& settings)
    : damping_(share_per_part(settings.damping, (settings.substeps + 1) / 2)),
      drag_(settings.quasistatic ? 1.0 : share_per_part(settings.drag, settings.substeps)) {}

void Damping::give(position_based::ParticleRange& range, const IslandMotion* motion) const {
    if (!motion) return give_motion(range, static_cast<float>(1 - drag_), {}, {});
    const auto keep = static_cast<float>((1 - damping_) * (1 - drag_));
    const RigidMotion rigid = rigid_motion(motion->moments);
    const Vec3d shift = rigid.linear + motion->reference - cross(rigid.spin, rigid.center);
    const double share = damping_ * (1 - drag_);
    give_motion(range, keep, shift * share, rigid.spin * share);
}

}  // namespace pliant::solvers
