#include "scene/skeleton_file.h"

#include "mesh/io/gltf_skin.h"

namespace pliant {
namespace {

using mesh::GltfSkin;
using mesh::Similarity;

UnitQuaternion inverse(const UnitQuaternion& q) { return {q.v * -1.0, q.w}; }

// The joint of a file turns about its own place in its parent; in a scene, about the same place in the world,
// as things are at the start. With the parent's transform G at the start and the joint's own, L(t), that is
// G·L(t)·L(0)⁻¹·G⁻¹.
scene::Joint to_scene(const GltfSkin::Joint& joint, const Similarity& parent, const Vec3d& position) {
    scene::Joint made;
    made.name = joint.name;
    const Similarity& start = joint.locals.front();
    made.position = position + parent(start.offset);
    for (std::size_t i = 1; i < joint.locals.size(); ++i) {
        const Similarity& now = joint.locals[i];
        const UnitQuaternion turn = product(now.rotation, inverse(start.rotation));
        made.motion.push_back(
            {static_cast<double>(i) / GltfSkin::samples_per_second, parent(now.offset) - parent(start.offset),
             to_quaternion(product(product(parent.rotation, turn), inverse(parent.rotation)))});
    }
    return made;
}

}  // namespace

Result<ReadSkeletons> read_skeletons(const std::vector<scene::Skeleton>& skeletons,
                                     const std::filesystem::path& directory, const JsonPath& path) {
    ReadSkeletons result{skeletons, std::vector<std::vector<SkinVertex>>(skeletons.size())};
    for (std::size_t i = 0; i < skeletons.size(); ++i) {
        scene::Skeleton& skeleton = result.skeletons[i];
        const JsonPath item = path / i;
        if (skeleton.file.empty()) {
            if (!skeleton.animation.empty())
                return (item / "animation").error("is of a file; this skeleton has joints");
            continue;
        }
        if (!skeleton.joints.empty()) return (item / "joints").error("cannot be beside \"file\"");
        auto skin = mesh::read_gltf_skin(directory / skeleton.file, skeleton.animation);
        if (!skin) return (item / "file").error(skin.error().text());
        std::vector<Similarity> starts;
        for (const GltfSkin::Joint& joint : skin->joints) {
            const bool hangs = joint.parent == GltfSkin::no_parent;
            const Similarity parent = hangs ? Similarity{} : starts[joint.parent];
            starts.push_back(product(parent, joint.locals.front()));
            skeleton.joints.push_back(to_scene(joint, parent, skeleton.position));
            if (!hangs) skeleton.joints.back().parent = skin->joints[joint.parent].name;
        }
        for (const GltfSkin::Vertex& vertex : skin->vertices)
            result.vertices[i].push_back(
                {vertex.position + skeleton.position, vertex.joints, vertex.weights});
    }
    return result;
}

Problem place_on_skeleton(const ReadSkeletons& read, const scene::ToSkeleton& to,
                          const std::vector<scene::Keyframe>& motion, std::span<MovingAttachment> moving,
                          const JsonPath& path) {
    const auto found = find_skeleton(read.skeletons, to.skeleton, path / "to_skeleton" / "skeleton");
    if (!found) return found.error();
    if (!motion.empty()) return (path / "motion").error("is that of the skeleton");
    for (MovingAttachment& one : moving) {
        one.skeleton = static_cast<std::uint32_t>(*found);
        if (read.vertices[*found].empty() || to.blend > 0) {
            place_on(read.skeletons[*found], to.blend, one);
        } else {
            place_on(read.vertices[*found], one);
        }
    }
    return {};
}

}  // namespace pliant
