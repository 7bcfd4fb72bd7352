#include "scene/file/motions.h"

#include "base/convert.h"
#include "base/format.h"
#include "base/rotation.h"
#include "collision/all.h"
#include "collision/collider_mesh.h"

namespace pliant {

std::optional<Error> check_motion(const std::vector<scene::Keyframe>& motion, const JsonPath& owner) {
    const JsonPath path = owner / "motion";
    for (std::size_t i = 1; i < motion.size(); ++i) {
        if (motion[i].time > motion[i - 1].time) continue;
        const JsonPath item = path / i;
        return (item / "time")
            .error(fmt::format("must be above {:g}, that of the keyframe before, got {:g}",
                               motion[i - 1].time, motion[i].time));
    }
    return {};
}

std::optional<Error> check_carrier(const scene::ToCollider& on, const scene::Attachment& attachment,
                                   std::size_t colliders, const JsonPath& path) {
    if (on.collider >= colliders) {
        return (path / "to_collider")
            .error(fmt::format("must be an index below {}, the number of colliders, got {}", colliders,
                               on.collider));
    }
    if (!attachment.motion.empty()) return (path / "motion").error("is that of the collider");
    return {};
}

void place_on(const ColliderShape& carrier, MovingAttachment& moving) {
    moving.center = collision::visit_shape(
        carrier, []<class Kind>(const typename Kind::Shape& s) -> Vec3d { return Kind::point(s); });
    const auto* mesh = std::get_if<SolidMesh>(&carrier);
    if (!mesh || !mesh->surface->is_moving()) return;
    const UnitQuaternion q = unit(mesh->rotation), back{q.v * -1.0, q.w};
    const Vec3d own = rotate(back, moving.start - mesh->position);
    const ColliderMesh::Ride ride = mesh->surface->ride_at(own);
    moving.triangle = ride.place;
    moving.on_triangle = ride.on_triangle;
}

Vec3d carried_start(const ColliderShape& carrier, const MovingAttachment& moving) {
    const auto* mesh = std::get_if<SolidMesh>(&carrier);
    if (!mesh || moving.triangle == MovingAttachment::none) return moving.start;
    const ColliderMesh& surface = *mesh->surface;
    const Vec3d own = surface.point_of({moving.triangle, moving.on_triangle}, surface.moment(mesh->pose));
    return mesh->position + rotate(unit(mesh->rotation), own);
}

}  // namespace pliant
