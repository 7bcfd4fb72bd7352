// Where keyframes take something at a time.
#pragma once

#include <pliant/scene_file.h>

#include <span>

#include "base/rotation.h"

namespace pliant {

struct Pose {
    Vec3d offset{};
    Quaternion rotation{};
};

// Evenly from keyframe to keyframe; before the first from offset 0 at time 0; the last holds.
// Rotations go the shorter way, by the straight line between quaternions.
inline Pose pose_at(std::span<const scene::Keyframe> motion, double time) {
    scene::Keyframe before{}, after{};
    for (const scene::Keyframe& key : motion) {
        after = key;
        if (key.time >= time) break;
        before = key;
    }
    if (after.time <= time || after.time <= before.time) return {after.offset, after.rotation};
    const double share = (time - before.time) / (after.time - before.time);
    const Quaternion &p = before.rotation, &q = after.rotation;
    const double lengths = sqrt(squared_length(p)) * sqrt(squared_length(q));
    const double cosine = double(p.x) * q.x + double(p.y) * q.y + double(p.z) * q.z + double(p.w) * q.w;
    const double a = (1 - share) / sqrt(squared_length(p));
    const double b = (cosine < 0 && lengths > 0 ? -share : share) / sqrt(squared_length(q));
    const auto mix = [&](float s, float t) { return static_cast<float>(a * s + b * t); };
    return {before.offset + (after.offset - before.offset) * share,
            {mix(p.x, q.x), mix(p.y, q.y), mix(p.z, q.z), mix(p.w, q.w)}};
}

}  // namespace pliant
