// Where keyframes take something at a time.
#pragma once

#include <pliant/scene_file.h>

#include <span>

#include "base/rotation.h"

namespace pliant {

// Evenly from keyframe to keyframe; before the first from offset 0 at time 0; the last holds.
inline Pose pose_at(std::span<const scene::Keyframe> motion, double time) {
    scene::Keyframe before{}, after{};
    for (const scene::Keyframe& key : motion) {
        after = key;
        if (key.time >= time) break;
        before = key;
    }
    if (after.time <= time || after.time <= before.time) return {after.offset, after.rotation};
    const double share = (time - before.time) / (after.time - before.time);
    return {before.offset + (after.offset - before.offset) * share,
            mix(before.rotation, after.rotation, share)};
}

}  // namespace pliant
