// Triangle meshes and height fields. Both have their triangles in a ColliderMesh, which never changes; a
// shape says where it is.
#pragma once

#include <cstring>
#include <type_traits>

#include "base/convert.h"
#include "collision/collider_kind.h"

namespace pliant {

template <>
struct FieldTable<SolidMeshSource> {
    static constexpr const char* name = "SolidMeshSource";
    static constexpr const char* summary =
        "Where a mesh comes from: a file, files of its poses, or the mesh itself.";
    static constexpr auto fields = std::tuple{
        Field{"file", &SolidMeshSource::file, "", ranges::any,
              "OBJ, PLY or STL, relative to the scene's directory."},
        Field{"poses", &SolidMeshSource::poses, "", ranges::any,
              "Files with the same triangles, one for each pose: the mesh moves from one to the next."},
        Field{"poses_per_second", &SolidMeshSource::poses_per_second, "1/s", Range{0, 1e6, true},
              "How many of them pass in a second."},
        Field{"positions", &SolidMeshSource::positions, "m", ranges::any, "The mesh itself, without a file."},
        Field{"triangles", &SolidMeshSource::triangles, "", ranges::index, "Three positions each."},
        Field{"scale", &SolidMeshSource::scale, "", ranges::positive, "Of all positions."},
        Field{"thickness", &SolidMeshSource::thickness, "m", Range{0, 1e9},
              "Of the shell that an open mesh is; 0: 1/200 of its extent."},
    };
};

template <>
struct FieldTable<SolidMesh> {
    static constexpr const char* name = "SolidMesh";
    static constexpr const char* summary =
        "A triangle mesh that nothing enters: solid inside if it is closed, a thick shell if it is open.";
    static constexpr auto fields = std::tuple{
        Include{&SolidMesh::source},
        Field{"position", &SolidMesh::position, "m", ranges::any, "Where the mesh's own origin is."},
        Field{"rotation", &SolidMesh::rotation, "", ranges::any, "Quaternion; any length but 0."},
    };
};

template <>
struct FieldTable<HeightField> {
    static constexpr const char* name = "HeightField";
    static constexpr const char* summary = "Ground by its heights over a rectangle; solid below.";
    static constexpr auto fields = std::tuple{
        Field{"columns", &HeightField::columns, "", Range{1, 4096}, "Squares along x."},
        Field{"rows", &HeightField::rows, "", Range{1, 4096}, "Squares along z."},
        Field{"spacing", &HeightField::spacing, "m", Range{0, 1e6, true}, "From point to point."},
        Field{"heights", &HeightField::heights, "m", Range{-1e6, 1e6},
              "(columns + 1)·(rows + 1) of them, x running fastest."},
        Field{"position", &HeightField::position, "m", ranges::any, "Of the middle, at height 0."},
        Field{"rotation", &HeightField::rotation, "", ranges::any, "Quaternion; any length but 0."},
    };
};

}  // namespace pliant

namespace pliant::collision {

struct LocalMesh : ContactSurface {
    Vec3 center;      // m, where the mesh's origin is
    Vec3 axes[3];     // unit, in world directions
    Vec3 low, high;   // m, bounds in its own axes
    float reach = 0;  // m, by which those grow: skin, and how far points move in this substep
    const ColliderMesh* mesh = nullptr;
    double pose = 0, pose_before = 0;
};

// What both kinds share.
struct MeshBase {
    using Local = LocalMesh;
    static constexpr bool inverts_itself = true;
    static constexpr bool meets_faces(bool) { return true; }

    template <class Shape>
    static Local localize(const Shape& shape, const Vec3d& origin) {
        return localize(*shape.surface, shape.position - origin, shape.rotation, pose_of(shape));
    }
    static double pose_of(const SolidMesh& mesh) { return mesh.pose; }
    static double pose_of(const HeightField&) { return 0; }
    template <class Shape>
    static double deformation(const Shape& from, const Shape& to) {
        return deformation(*to.surface, pose_of(from), pose_of(to));
    }

    // Lanes far from the bounds meet nothing; the others one by one.
    template <class T>
    [[gnu::always_inline]] static MovingContact<T> contact(const Local& local, const Vector3<T>& x,
                                                           const Vector3<T>& step, T r) {
        if constexpr (std::is_same_v<T, double>) {
            return of_one(local, x, step, r);
        } else {
            const T zero(0.0f), one(1.0f);
            MovingContact<T> c{{one, {zero, one, zero}}, {zero, zero, zero}};
            const Vector3<T> y = x - spread<T>(local.center);
            const T reach = sqrt(dot(step, step)) + r + T(local.reach);
            const auto outside = [&](const Vec3& axis, float low, float high) __attribute__((always_inline)) {
                const T at = dot(spread<T>(axis), y);
                return max(T(low) - at, at - T(high));
            };
            const T gap = max(outside(local.axes[0], local.low.x, local.high.x),
                              max(outside(local.axes[1], local.low.y, local.high.y),
                                  outside(local.axes[2], local.low.z, local.high.z)));
            const T is_near = select(gap < reach, one, local.inverted ? one : zero);
            if (!any(is_near > zero)) return c;
            constexpr std::size_t lanes = sizeof(T) / sizeof(float);
            float in[8][lanes], out[7][lanes];
            const T* const given[8] = {&x.x, &x.y, &x.z, &step.x, &step.y, &step.z, &r, &is_near};
            T* const made[7] = {&c.distance, &c.normal.x, &c.normal.y, &c.normal.z,
                                &c.motion.x, &c.motion.y, &c.motion.z};
            for (int k = 0; k < 8; ++k) std::memcpy(in[k], &given[k]->v, sizeof in[k]);
            for (int k = 0; k < 7; ++k) std::memcpy(out[k], &made[k]->v, sizeof out[k]);
            for (std::size_t i = 0; i < lanes; ++i) {
                if (in[7][i] > 0) {
                    const float particle[7] = {in[0][i], in[1][i], in[2][i], in[3][i],
                                               in[4][i], in[5][i], in[6][i]};
                    float found[7];
                    of_floats(local, particle, found);
                    for (int k = 0; k < 7; ++k) out[k][i] = found[k];
                }
            }
            for (int k = 0; k < 7; ++k) std::memcpy(&made[k]->v, out[k], sizeof out[k]);
            return c;
        }
    }

    // In mesh.cpp, compiled once.
    static Local localize(const ColliderMesh& mesh, const Vec3d& position, const Quaternion& rotation,
                          double pose);
    static double deformation(const ColliderMesh& mesh, double from, double to);
    static MovingContact<double> of_one(const Local& local, const Vec3d& x, const Vec3d& step, double r);
    static void of_floats(const Local& local, const float (&particle)[7], float (&found)[7]);
    static Clearance clearance(const Local& local, const LocalBounds& bounds);
    static Bounds bounds_of(const ColliderMesh& mesh, const Vec3d& position, const Quaternion& rotation);
    static TriangleMesh surface_of(const ColliderMesh& mesh, const Vec3d& offset, const Quaternion& rotation,
                                   double pose);
    static std::optional<Error> check_surface(const ColliderMesh* mesh, const Quaternion& rotation,
                                              const char* maker, const std::string& path);

    template <class Shape>
    static Bounds bounds(const Shape& shape) {
        if (!shape.surface) return {shape.position, shape.position};
        return bounds_of(*shape.surface, shape.position, shape.rotation);
    }
    template <class Shape>
    static Vec3d point(const Shape& shape) {
        return shape.position;
    }
    template <class Shape>
    static Vec3d turn(const Shape& from, const Shape& to) {
        return small_rotation(unit(from.rotation), unit(to.rotation));
    }
    template <class Shape>
    static Shape moved(const Shape& shape, const Pose& pose) {
        Shape there = shape;
        there.position = shape.position + pose.offset;
        there.rotation = product(pose.rotation, shape.rotation);
        return there;
    }
    template <class Shape>
    static Shape mix(const Shape& from, const Shape& to, double share) {
        Shape between = to;
        between.position = from.position + (to.position - from.position) * share;
        between.rotation = pliant::mix(from.rotation, to.rotation, share);
        if constexpr (std::is_same_v<Shape, SolidMesh>)
            between.pose = from.pose + (to.pose - from.pose) * share;
        return between;
    }
    template <class Shape>
    static TriangleMesh surface(const Shape& shape, const Vec3d& center, double) {
        if (!shape.surface) return {};
        return surface_of(*shape.surface, shape.position - center, shape.rotation, pose_of(shape));
    }
};

struct MeshCollider : MeshBase {
    using Shape = SolidMesh;
    static constexpr const char* name = "mesh";
    static bool has_inside(const SolidMesh& mesh);
    static SolidMesh without_source(SolidMesh mesh) {
        mesh.source = {};
        return mesh;
    }
    static std::optional<Error> check(const SolidMesh& mesh, const std::string& path) {
        if (auto error = check_surface(mesh.surface.get(), mesh.rotation, "make_collider_mesh()", path))
            return error;
        if (mesh.pose >= 0 && mesh.pose <= 1e9) return {};
        return Error{path + "/pose", "must be in [0, 1e9]"};
    }
};

struct HeightFieldCollider : MeshBase {
    using Shape = HeightField;
    static constexpr const char* name = "height_field";
    static HeightField without_source(HeightField field) {
        field.heights = {};
        return field;
    }
    static std::optional<Error> check(const HeightField& field, const std::string& path) {
        return check_surface(field.surface.get(), field.rotation, "make_height_field()", path);
    }
};

}  // namespace pliant::collision
