// The field tables of scene files. Reading, writing, ranges, the JSON Schema and the reference all come
// from the tables of this folder, of scene/bodies and of collision.
#pragma once

#include <pliant/scene_file.h>

#include "base/fields.h"
#include "scene/bodies/all.h"
#include "scene/tables/description.h"
#include "scene/tables/shapes.h"

namespace pliant {

template <>
struct Choices<scene::When> {
    static constexpr std::array names{"end", "always"};
};

namespace ranges {
inline constexpr Range seconds{0, 1e6};
}  // namespace ranges

// ---- Bodies ----

template <>
struct FieldTable<scene::Body> {
    static constexpr const char* name = "SceneBody";
    static constexpr const char* summary = "Something that moves by itself.";
    static constexpr auto fields = std::tuple{
        Field{"name", &scene::Body::name, "", ranges::any,
              "By which others refer to it; body0, body1 … if not given."},
        Field{"material", &scene::Body::material, "", ranges::any,
              "One of the materials; values that the body itself gives come first."},
        OneOf{"kind", &scene::Body::kind, bodies::AllBodies::names},
        Include{&scene::Body::placement},
        Field{"rotation", &scene::Body::rotation, "", ranges::any,
              "Degrees about x, then y, then z; or a quaternion (x, y, z, w) of any length but 0."},
        Field{"scale", &scene::Body::scale, "", Range{0, 1e6, true},
              "Along x, y and z, before it is rotated and placed."},
        Field{"color", &scene::Body::color, "", ranges::share, "Red, green, blue (sRGB)."},
        Field{"pins", &scene::Body::pins, "", ranges::any, "Particles that do not move."},
    };
};

template <>
struct FieldTable<scene::Material> {
    static constexpr const char* name = "Material";
    static constexpr const char* summary = "Values that several bodies share.";
    static constexpr auto fields =
        std::tuple_cat(std::tuple{Field{"name", &scene::Material::name, "", ranges::any,
                                        "By which bodies refer to it.", Presence::required}},
                       bodies::AllBodies::material_fields);
};

// ---- Which particles ----

template <>
struct FieldTable<scene::Indices> {
    static constexpr const char* name = "Indices";
    static constexpr const char* summary = "Particles by their numbers within the body.";
    static constexpr bool bare = true;
    static constexpr auto fields = std::tuple{
        Field{"indices", &scene::Indices::indices, "", ranges::index, "From 0.", Presence::required},
    };
};

template <>
struct FieldTable<scene::Region> {
    static constexpr const char* name = "Region";
    static constexpr const char* summary = "All particles in a box of the world at the start.";
    static constexpr auto fields = std::tuple{
        Field{"low", &scene::Region::low, "m", ranges::any, "Its lowest corner.", Presence::required},
        Field{"high", &scene::Region::high, "m", ranges::any, "Its highest corner.", Presence::required},
    };
};

template <>
struct FieldTable<scene::Corner> {
    static constexpr const char* name = "Corner";
    static constexpr const char* summary = "The one particle that lies furthest in a direction.";
    static constexpr bool bare = true;
    static constexpr auto fields = std::tuple{
        Field{"direction", &scene::Corner::direction, "", ranges::any, "Any length but 0.",
              Presence::required},
    };
};

template <>
struct FieldTable<scene::Nearest> {
    static constexpr const char* name = "Nearest";
    static constexpr const char* summary = "The one particle nearest to a point of the world at the start.";
    static constexpr bool bare = true;
    static constexpr auto fields = std::tuple{
        Field{"point", &scene::Nearest::point, "m", ranges::any, "The point.", Presence::required},
    };
};

template <>
struct FieldTable<scene::Roots> {
    static constexpr const char* name = "Roots";
    static constexpr const char* summary = "Of hair, the first two points of each strand: a clamped end.";
    static constexpr auto fields = std::tuple{};
};

template <>
struct FieldTable<scene::Selection> {
    static constexpr const char* name = "Selection";
    static constexpr const char* summary = "Some particles of a body.";
    static constexpr auto fields = std::tuple{
        OneOf{"which", &scene::Selection::which,
              std::array{"indices", "region", "corner", "nearest", "roots"}},
    };
};

template <>
struct FieldTable<scene::BodySelection> {
    static constexpr const char* name = "BodySelection";
    static constexpr const char* summary = "Some particles of a body that is named.";
    static constexpr auto fields = std::tuple{
        Field{"body", &scene::BodySelection::body, "", ranges::any, "Its name.", Presence::required},
        Include{&scene::BodySelection::particles},
    };
};

// ---- Motions ----

template <>
struct FieldTable<scene::Keyframe> {
    static constexpr const char* name = "Keyframe";
    static constexpr const char* summary = "Where something is at a time; in between it moves evenly.";
    static constexpr auto fields = std::tuple{
        Field{"time", &scene::Keyframe::time, "s", ranges::seconds, "After the one before.",
              Presence::required},
        Field{"offset", &scene::Keyframe::offset, "m", ranges::any, "From where it starts."},
        Field{"rotation", &scene::Keyframe::rotation, "", ranges::any,
              "About a collider's centre or point, or the middle of an attachment's points: degrees about x, "
              "y, z, or a quaternion."},
    };
};

template <>
struct FieldTable<scene::Joint> {
    static constexpr const char* name = "Joint";
    static constexpr const char* summary =
        "Carries joints, colliders and what is attached to it. Its bones lead to the joints it carries; "
        "where "
        "there are none, straight on, as far as from its parent.";
    static constexpr auto fields = std::tuple{
        Field{"name", &scene::Joint::name, "", ranges::any, "Within the skeleton.", Presence::required},
        Field{"parent", &scene::Joint::parent, "", ranges::any,
              "A joint that comes before; none: it hangs in the world."},
        Field{"position", &scene::Joint::position, "m", ranges::any, "In the world, at the start.",
              Presence::required},
        Field{"motion", &scene::Joint::motion, "", ranges::any,
              "Offset, and rotation about its position, as seen from its parent, whose motion comes on top."},
    };
};

template <>
struct FieldTable<scene::Skeleton> {
    static constexpr const char* name = "Skeleton";
    static constexpr const char* summary = "Joints that carry each other, colliders and attachments.";
    static constexpr auto fields = std::tuple{
        Field{"name", &scene::Skeleton::name, "", ranges::any, "To refer to it.", Presence::required},
        Field{"joints", &scene::Skeleton::joints, "", ranges::any, "Parents first."},
        Field{"file", &scene::Skeleton::file, "", ranges::any,
              "In place of joints: a .gltf or .glb, whose first skin it is."},
        Field{"animation", &scene::Skeleton::animation, "", ranges::any,
              "Of the file, by its name; empty: the first. It plays once."},
        Field{"position", &scene::Skeleton::position, "m", ranges::any, "Where the file's origin is."},
    };
};

template <>
struct FieldTable<scene::OnJoint> {
    static constexpr const char* name = "OnJoint";
    static constexpr const char* summary = "A joint of a skeleton.";
    static constexpr auto fields = std::tuple{
        Field{"skeleton", &scene::OnJoint::skeleton, "", ranges::any, "Its name.", Presence::required},
        Field{"joint", &scene::OnJoint::joint, "", ranges::any, "Its name.", Presence::required},
    };
};

template <>
struct FieldTable<scene::Collider> {
    static constexpr const char* name = "SceneCollider";
    static constexpr const char* summary = "A shape that nothing enters.";
    static constexpr auto fields = std::tuple{
        Include{&scene::Collider::collider},
        Field{"motion", &scene::Collider::motion, "", ranges::any, "Where it goes; it starts at offset 0."},
        Field{"on_joint", &scene::Collider::on_joint, "", ranges::any,
              "The joint of a skeleton that carries it, in place of a motion."},
    };
};

template <>
struct FieldTable<scene::ToPoint> {
    static constexpr const char* name = "ToPoint";
    static constexpr const char* summary = "A point of the world.";
    static constexpr bool bare = true;
    static constexpr auto fields = std::tuple{
        Field{"point", &scene::ToPoint::point, "m", ranges::any, "The point.", Presence::required},
    };
};

template <>
struct FieldTable<scene::ToPlace> {
    static constexpr const char* name = "ToPlace";
    static constexpr const char* summary = "Each particle to where it is at the start.";
    static constexpr auto fields = std::tuple{};
};

template <>
struct FieldTable<scene::ToParticles> {
    static constexpr const char* name = "ToParticles";
    static constexpr const char* summary = "One by one to as many other particles.";
    static constexpr auto fields = std::tuple{Include{&scene::ToParticles::particles}};
};

template <>
struct FieldTable<scene::ToCollider> {
    static constexpr const char* name = "ToCollider";
    static constexpr const char* summary =
        "Each particle to where it is at the start, seen from a collider that moves.";
    static constexpr bool bare = true;
    static constexpr auto fields = std::tuple{
        Field{"collider", &scene::ToCollider::collider, "", ranges::index, "Which of the scene's, from 0 on.",
              Presence::required},
    };
};

template <>
struct FieldTable<scene::ToSkeleton> {
    static constexpr const char* name = "ToSkeleton";
    static constexpr const char* summary =
        "Each particle to where it is at the start, seen from the joints of a skeleton whose bones are "
        "nearest; where its file has a mesh with weights, as the nearest of its vertices.";
    static constexpr auto fields = std::tuple{
        Field{"skeleton", &scene::ToSkeleton::skeleton, "", ranges::any, "Its name.", Presence::required},
        Field{"blend", &scene::ToSkeleton::blend, "m", ranges::not_negative,
              "A bone that is farther than the nearest by less than this has a share too; 0: as the mesh of "
              "the "
              "file has it, else a quarter of the mean length of bones."},
    };
};

template <>
struct FieldTable<scene::Attachment> {
    static constexpr const char* name = "SceneAttachment";
    static constexpr const char* summary =
        "Ties particles to points of the world, to other particles, to a collider or to a skeleton.";
    static constexpr auto fields = std::tuple{
        Include{&scene::Attachment::particles},
        OneOf{"to", &scene::Attachment::to,
              std::array{"to_point", "to_place", "to_particles", "to_collider", "to_skeleton"}},
        Field{"elasticity", &scene::Attachment::elasticity, "m/N", ranges::any, "Of each tie."},
        Field{"rest_length", &scene::Attachment::rest_length, "m", ranges::not_negative,
              "How far from its target each particle is held, to all sides."},
        Field{"clamp", &scene::Attachment::clamp, "", ranges::any,
              "Of ends of ropes and hair at points of the world: holds their direction too, by the next "
              "particle."},
        Field{"motion", &scene::Attachment::motion, "", ranges::any,
              "Where the points of the world go; they start at offset 0."},
    };
};

template <>
struct FieldTable<scene::Ring> {
    static constexpr const char* name = "Ring";
    static constexpr const char* summary =
        "Particles that slide along a rope without friction: beads, or, if they are pinned, pulleys.";
    static constexpr auto fields = std::tuple{
        Include{&scene::Ring::particles},
        Field{"on", &scene::Ring::on, "", ranges::any,
              "Name of a rope without bending. It runs through each ring where it is nearest at the start.",
              Presence::required},
    };
};

}  // namespace pliant
