#include "scene/skeleton.h"

#include <algorithm>
#include <set>
#include <string_view>

#include "base/format.h"
#include "base/scalar.h"
#include "scene/file/motions.h"
#include "scene/motion.h"

namespace pliant {
namespace {

constexpr std::size_t no_parent = static_cast<std::size_t>(-1);

std::size_t parent_of(const scene::Skeleton& skeleton, std::size_t joint) {
    const std::string& name = skeleton.joints[joint].parent;
    if (name.empty()) return no_parent;
    std::size_t i = 0;
    while (skeleton.joints[i].name != name) ++i;
    return i;
}

struct Bone {
    std::size_t joint = 0;
    Vec3d from{}, to{};
};

std::vector<Bone> bones_of(const scene::Skeleton& skeleton) {
    std::vector<Bone> bones;
    std::vector<bool> has_child(skeleton.joints.size(), false);
    for (std::size_t i = 0; i < skeleton.joints.size(); ++i) {
        const std::size_t parent = parent_of(skeleton, i);
        if (parent == no_parent) continue;
        has_child[parent] = true;
        bones.push_back({parent, skeleton.joints[parent].position, skeleton.joints[i].position});
    }
    for (std::size_t i = 0; i < skeleton.joints.size(); ++i) {
        if (has_child[i]) continue;
        const Vec3d end = skeleton.joints[i].position;
        const std::size_t parent = parent_of(skeleton, i);
        const Vec3d from = parent == no_parent ? end : skeleton.joints[parent].position;
        bones.push_back({i, end, end + (end - from)});
    }
    return bones;
}

double distance_to(const Bone& bone, const Vec3d& x) {
    const Vec3d along = bone.to - bone.from;
    const double size = dot(along, along);
    const double at = size > 0 ? min(max(dot(x - bone.from, along) / size, 0.0), 1.0) : 0;
    return length(x - (bone.from + along * at));
}

double default_blend(const std::vector<Bone>& bones) {
    double sum = 0;
    for (const Bone& bone : bones) sum += length(bone.to - bone.from);
    return sum / (4 * static_cast<double>(bones.size()));
}

std::optional<Error> check_joint(const scene::Skeleton& skeleton, std::size_t index, const JsonPath& path) {
    const scene::Joint& joint = skeleton.joints[index];
    std::vector<std::string_view> before;
    for (std::size_t i = 0; i < index; ++i) before.push_back(skeleton.joints[i].name);
    if (joint.name.empty()) return (path / "name").error("must not be empty");
    if (std::find(before.begin(), before.end(), joint.name) != before.end())
        return (path / "name").error(fmt::format("there is a joint \"{}\" already", joint.name));
    if (auto error = check_motion(joint.motion, path)) return error;
    if (joint.parent.empty()) return {};
    const auto parent = std::find(before.begin(), before.end(), joint.parent);
    if (parent == before.end()) {
        return (path / "parent")
            .error(fmt::format("there is no joint \"{}\" before this one; {}", joint.parent,
                               suggestion(joint.parent, before)));
    }
    if (skeleton.file.empty() &&
        joint.position == skeleton.joints[static_cast<std::size_t>(parent - before.begin())].position)
        return (path / "position").error("is that of its parent; a bone needs a length");
    return {};
}

}  // namespace

std::vector<JointTransform> transforms_at(const scene::Skeleton& skeleton, double time) {
    std::vector<JointTransform> transforms;
    for (std::size_t i = 0; i < skeleton.joints.size(); ++i) {
        const scene::Joint& joint = skeleton.joints[i];
        const Pose pose = pose_at(joint.motion, time);
        const UnitQuaternion turn = unit(pose.rotation);
        JointTransform own{turn, joint.position - rotate(turn, joint.position) + pose.offset};
        if (const std::size_t parent = parent_of(skeleton, i); parent != no_parent) {
            const JointTransform& by = transforms[parent];
            own = {product(by.rotation, own.rotation), by(own.offset)};
        }
        transforms.push_back(own);
    }
    return transforms;
}

Vec3d carried(const MovingAttachment& moving, const std::vector<JointTransform>& joints) {
    Vec3d sum{};
    for (std::size_t k = 0; k < moving.joints.size(); ++k) {
        if (moving.weights[k] > 0) sum = sum + joints[moving.joints[k]](moving.start) * moving.weights[k];
    }
    return sum;
}

std::optional<Error> check_skeletons(const std::vector<scene::Skeleton>& skeletons, const JsonPath& path) {
    std::set<std::string> names;
    for (std::size_t i = 0; i < skeletons.size(); ++i) {
        const scene::Skeleton& skeleton = skeletons[i];
        const JsonPath item = path / i, list = item / "joints";
        if (!names.insert(skeleton.name).second)
            return (item / "name").error(fmt::format("there is a skeleton \"{}\" already", skeleton.name));
        if (skeleton.joints.empty()) return list.error("must have at least one joint");
        for (std::size_t k = 0; k < skeleton.joints.size(); ++k) {
            if (auto error = check_joint(skeleton, k, list / k)) return error;
        }
    }
    return {};
}

Result<std::size_t> find_skeleton(const Skeletons& skeletons, const std::string& name, const JsonPath& path) {
    std::vector<std::string_view> known;
    for (std::size_t i = 0; i < skeletons.size(); ++i) {
        if (skeletons[i].name == name) return i;
        known.push_back(skeletons[i].name);
    }
    return path.error(fmt::format("there is no skeleton \"{}\"; {}", name, suggestion(name, known)));
}

Result<FoundJoint> find_joint(const Skeletons& skeletons, const scene::OnJoint& on, const JsonPath& path) {
    const auto skeleton = find_skeleton(skeletons, on.skeleton, path / "skeleton");
    if (!skeleton) return skeleton.error();
    const auto& joints = skeletons[*skeleton].joints;
    std::vector<std::string_view> known;
    for (std::size_t i = 0; i < joints.size(); ++i) {
        if (joints[i].name == on.joint) return FoundJoint{*skeleton, i};
        known.push_back(joints[i].name);
    }
    return (path / "joint")
        .error(fmt::format("there is no joint \"{}\"; {}", on.joint, suggestion(on.joint, known)));
}

std::optional<Error> check_on_joint(const Skeletons& skeletons, const scene::Collider& collider,
                                    const JsonPath& path) {
    const auto& [shape, motion, on] = collider;
    if (!on) return {};
    if (!motion.empty()) return (path / "motion").error("is that of the joint");
    const auto found = find_joint(skeletons, *on, path / "on_joint");
    return found ? std::nullopt : std::optional(found.error());
}

void place_on(const scene::Skeleton& skeleton, double blend, MovingAttachment& moving) {
    const std::vector<Bone> bones = bones_of(skeleton);
    if (!(blend > 0)) blend = default_blend(bones);
    std::vector<double> distances(skeleton.joints.size(), 1e300);
    for (const Bone& bone : bones)
        distances[bone.joint] = min(distances[bone.joint], distance_to(bone, moving.start));
    const double least = *std::min_element(distances.begin(), distances.end());
    std::vector<std::uint32_t> order(skeleton.joints.size());
    for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return distances[a] < distances[b]; });
    double sum = 0;
    for (std::size_t k = 0; k < moving.joints.size() && k < order.size(); ++k) {
        const double apart = distances[order[k]] - least;
        const double share = blend > 0 ? max(1 - apart / blend, 0.0) : (k == 0 ? 1.0 : 0.0);
        moving.joints[k] = order[k];
        moving.weights[k] = share * share;
        sum += share * share;
    }
    for (double& weight : moving.weights) weight = weight / sum;
}

void place_on(const std::vector<SkinVertex>& vertices, MovingAttachment& moving) {
    const auto apart = [&](const SkinVertex& vertex) {
        return dot(vertex.position - moving.start, vertex.position - moving.start);
    };
    const auto nearer = [&](const SkinVertex& a, const SkinVertex& b) { return apart(a) < apart(b); };
    const SkinVertex& nearest = *std::min_element(vertices.begin(), vertices.end(), nearer);
    moving.joints = nearest.joints;
    moving.weights = nearest.weights;
}

}  // namespace pliant
