// Skeletons that are in .gltf and .glb files.
#pragma once

#include <pliant/scene.h>

#include <filesystem>
#include <span>
#include <vector>

#include "scene/file/read_fields.h"
#include "scene/skeleton.h"

namespace pliant {

// The skeletons of a scene, those in files with their joints; the vertices that carry what is tied to those.
struct ReadSkeletons {
    std::vector<scene::Skeleton> skeletons{};
    std::vector<std::vector<SkinVertex>> vertices{};  // of each
};
Result<ReadSkeletons> read_skeletons(const std::vector<scene::Skeleton>& skeletons,
                                     const std::filesystem::path& directory, const JsonPath& path);

// Finds what carries these particles, which have no motion of their own.
Problem place_on_skeleton(const ReadSkeletons& read, const scene::ToSkeleton& to,
                          const std::vector<scene::Keyframe>& motion, std::span<MovingAttachment> moving,
                          const JsonPath& path);

}  // namespace pliant
