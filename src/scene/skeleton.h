// Skeletons: joints that carry each other, colliders and attachments (linear blend skinning).
//
//   Mⱼ(t) = M_parent(t) ∘ (x ↦ pⱼ + Rⱼ(t)·(x − pⱼ) + oⱼ(t)),   x(t) = Σ wⱼ·Mⱼ(t)·x(0)
//
// pⱼ: where the joint is at the start, Rⱼ and oⱼ: its motion. wⱼ falls with the distance dⱼ of x(0) from the
// bones of the joint: in proportion to (1 − (dⱼ − d_least)/blend)², 0 where that is farther than `blend`.
#pragma once

#include <pliant/scene.h>

#include <optional>
#include <vector>

#include "base/rotation.h"
#include "scene/file/read_fields.h"

namespace pliant {

// Where a joint takes points of the world at the start.
struct JointTransform {
    UnitQuaternion rotation{};
    Vec3d offset{};

    Vec3d operator()(const Vec3d& x) const { return rotate(rotation, x) + offset; }
};
std::vector<JointTransform> transforms_at(const scene::Skeleton& skeleton, double time);

// Where they take what rides on a skeleton.
Vec3d carried(const MovingAttachment& moving, const std::vector<JointTransform>& joints);

// Of the mesh of a skeleton's file, at the start.
struct SkinVertex {
    Vec3d position{};
    std::array<std::uint32_t, 4> joints{};
    std::array<double, 4> weights{};
};

// Names, parents, positions and motions.
std::optional<Error> check_skeletons(const std::vector<scene::Skeleton>& skeletons, const JsonPath& path);

// A joint by its name, of the skeleton of that number.
struct FoundJoint {
    std::size_t skeleton = 0, joint = 0;
};
using Skeletons = std::vector<scene::Skeleton>;
Result<FoundJoint> find_joint(const Skeletons& skeletons, const scene::OnJoint& on, const JsonPath& path);
Result<std::size_t> find_skeleton(const Skeletons& skeletons, const std::string& name, const JsonPath& path);

// Of a collider: that the joint exists, and is all that moves it.
std::optional<Error> check_on_joint(const Skeletons& skeletons, const scene::Collider& collider,
                                    const JsonPath& path);

// Finds which joints carry what is at moving.start, and the share of each.
void place_on(const scene::Skeleton& skeleton, double blend, MovingAttachment& moving);
// The same, as the nearest of these vertices.
void place_on(const std::vector<SkinVertex>& vertices, MovingAttachment& moving);

}  // namespace pliant
