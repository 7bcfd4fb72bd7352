#include <pliant/output/picture.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "base/convert.h"
#include "base/floating_point.h"
#include "output/picture/collider_surfaces.h"

namespace pliant::output {
namespace {

void add_points(Bounds& bounds, std::span<const Vec3> points, double margin) {
    Bounds inner;
    for (const Vec3& p : points) inner.add(to_double(p));
    if (inner.empty()) return;
    const Vec3d m{margin, margin, margin};
    bounds.add(inner.low - m);
    bounds.add(inner.high + m);
}

}  // namespace

Bounds bounds_of(const Picture& picture) {
    const StandardFloatingPoint floating_point;
    Bounds bounds;
    for (const Surface& s : picture.surfaces) add_points(bounds, s.positions, 0);
    for (const Tubes& t : picture.tubes) add_points(bounds, t.positions, t.radius);
    for (const Beads& b : picture.beads) add_points(bounds, b.positions, b.radius);
    for (const Collider& collider : picture.colliders) bounds.add(bounds_of(collider.shape));
    return bounds;
}

}  // namespace pliant::output
