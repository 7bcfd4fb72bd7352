// From a shape's own coordinates to where a scene file places it.
#pragma once

#include <pliant/scene_file.h>

#include "base/convert.h"
#include "base/rotation.h"
#include "scene/bodies/all.h"

namespace pliant {

// Scales and rotates; what is not wished changes no bit.
inline void place_body(const scene::Body& body, Body& made) {
    const Quaternion& q = body.rotation;
    const bool scaled = !(body.scale == Vec3{1, 1, 1}), turned = q.x != 0 || q.y != 0 || q.z != 0;
    const auto move = [&](Vec3& p) {
        if (scaled) p = {p.x * body.scale.x, p.y * body.scale.y, p.z * body.scale.z};
        if (turned) p = to_float(rotate(q, to_double(p)));
    };
    for (Vec3& p : bodies::positions_of(made)) move(p);
    if (Cloth* cloth = std::get_if<Cloth>(&made.shape)) {
        move(cloth->material.warp_direction);
        for (Vec3& direction : cloth->warp_directions) move(direction);
    }
    if (Rope* rope = std::get_if<Rope>(&made.shape)) move(rope->material.side);
    for (Vec3& p : made.skin.positions) move(p);
    if (scaled || turned) made.skin.normals.clear();  // they are made anew
}

}  // namespace pliant
