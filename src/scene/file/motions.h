// Motions of colliders and attachments, and attachments that ride on a collider.
#pragma once

#include <pliant/scene.h>

#include <optional>
#include <vector>

#include "base/json.h"
#include "scene/file/read_fields.h"

namespace pliant {

// Keyframes in the order of time. owner: whose motion it is.
std::optional<Error> check_motion(const std::vector<scene::Keyframe>& motion, const JsonPath& owner);

// That the collider exists; path: of the attachment.
std::optional<Error> check_carrier(const scene::ToCollider& on, const scene::Attachment& attachment,
                                   std::size_t colliders, const JsonPath& path);

// Where on a collider a point rides that is at moving.start.
void place_on(const ColliderShape& carrier, MovingAttachment& moving);

// Where moving.start is once a mesh has another pose; of other shapes it stays. The motion of the collider
// comes on top.
Vec3d carried_start(const ColliderShape& carrier, const MovingAttachment& moving);

}  // namespace pliant
