// Colliders of every shape at random places, and what tests ask of them.
#pragma once

#include <pliant/collider_mesh.h>
#include <pliant/shapes.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <type_traits>
#include <vector>

#include "base/rotation.h"
#include "collision/collider_mesh.h"
#include "collision/local_colliders.h"
#include "support/random_source.h"

namespace pliant::test {

using namespace collision;

inline Quaternion random_rotation(RandomSource& random) {
    return {random.real_float(-1, 1), random.real_float(-1, 1), random.real_float(-1, 1), 0.5f};
}

inline void randomize(Plane& plane, RandomSource& random) { plane = {random.point(), random.point_float()}; }
inline void randomize(Sphere& sphere, RandomSource& random) {
    sphere = {random.point(), random.real_float(0.1, 1)};
}
inline void randomize(Box& box, RandomSource& random) {
    box = {random.point(),
           {random.real_float(0.1, 1), random.real_float(0.1, 1), random.real_float(0.1, 1)},
           random_rotation(random)};
}
inline void randomize(Capsule& capsule, RandomSource& random) {
    capsule = {random.point(), random.point(), random.real_float(0.1, 1)};
    if (random.chance(0.1)) capsule.b = capsule.a;
}

inline void randomize(Cylinder& cylinder, RandomSource& random) {
    cylinder = {random.point(), random.point(), random.real_float(0.1, 1)};
}
inline void randomize(Cone& cone, RandomSource& random) {
    cone = {random.point(), random.point(), random.real_float(0.1, 1), random.real_float(0, 1)};
    if (random.chance(0.5)) cone.tip_radius = 0;
}
inline void randomize(Torus& torus, RandomSource& random) {
    torus = {random.point(), random.point_float(), random.real_float(0.4, 1), random.real_float(0.1, 0.35)};
}

// Making a mesh ready takes long: a few serve all.
inline const std::vector<ColliderMeshPointer>& some_meshes() {
    static const std::vector<ColliderMeshPointer> meshes = [] {
        RandomSource random(23);
        std::vector<ColliderMeshPointer> made;
        for (int i = 0; i < 6; ++i) {
            TriangleMesh mesh =
                i % 2 == 0 ? *make_icosphere(random.real_float(0.3, 1), 3)
                           : *make_box_surface({random.real_float(0.3, 1), random.real_float(0.3, 1), 0.5f},
                                               {2, 1, 3});
            if (i % 3 == 2) {
                for (Triangle& t : mesh.triangles) std::swap(t[0], t[1]);
            }
            made.push_back(*make_collider_mesh(mesh));
        }
        return made;
    }();
    return meshes;
}
inline const std::vector<ColliderMeshPointer>& some_height_fields() {
    static const std::vector<ColliderMeshPointer> fields = [] {
        RandomSource random(29);
        std::vector<ColliderMeshPointer> made;
        for (int k = 0; k < 3; ++k) {
            Heights h{3, 4, 0.7f, {}};
            for (int i = 0; i < 20; ++i) h.heights.push_back(random.real_float(0, 0.4));
            made.push_back(*make_height_field(h));
        }
        return made;
    }();
    return fields;
}
inline const ColliderMeshPointer& any_of(const std::vector<ColliderMeshPointer>& all, RandomSource& random) {
    return all[std::min(static_cast<std::size_t>(random.real(0, double(all.size()))), all.size() - 1)];
}

inline void randomize(SolidMesh& solid, RandomSource& random) {
    solid = {{}, any_of(some_meshes(), random), random.point(), random_rotation(random), 0};
}
inline void randomize(HeightField& field, RandomSource& random) {
    field.surface = any_of(some_height_fields(), random);
    field.position = random.point();
    field.rotation = random_rotation(random);
}

// Somewhere inside.
template <class Kind>
Vec3d middle_of(const typename Kind::Shape& shape) {
    return Kind::point(shape);
}
template <>
inline Vec3d middle_of<TorusCollider>(const Torus& torus) {
    const Vec3d a{torus.axis.x, torus.axis.y, torus.axis.z};
    const Vec3d side = perpendicular(unit(a));
    return torus.center + side * double(torus.major_radius);
}

template <>
inline Vec3d middle_of<HeightFieldCollider>(const HeightField& field) {
    return field.position - rotate(unit(field.rotation), Vec3d{0, 0.2, 0});
}

// How far from the surface that is drawn particles stop.
template <class Kind>
double skin_of(const typename Kind::Shape& shape) {
    if constexpr (std::is_base_of_v<MeshBase, Kind>) {
        return shape.surface->skin();
    } else {
        return 0;
    }
}

// Calls f<Kind>(shape, random) for many shapes of every kind.
template <class F>
void for_many_shapes(F&& f) {
    AllColliders::for_each([&]<class Kind>() {
        RandomSource random(7);
        const int count = std::is_base_of_v<MeshBase, Kind> ? 4 : 100;  // every question takes longer
        for (int i = 0; i < count; ++i) {
            CAPTURE(std::string(Kind::name));
            CAPTURE(i);
            typename Kind::Shape shape;
            randomize(shape, random);
            f.template operator()<Kind>(shape, random);
        }
    });
}

template <class Kind>
Contact<double> contact_at(const typename Kind::Shape& shape, const Vec3d& x, const Vec3d& step = {},
                           double r = 0) {
    return Kind::template contact<double>(Kind::localize(shape, {}), x, step, r);
}
template <class Kind>
double distance_at(const typename Kind::Shape& shape, const Vec3d& x) {
    return contact_at<Kind>(shape, x).distance;
}

inline double size_of(const Vec3d& a) { return std::sqrt(dot(a, a)); }
inline Vec3d in_double(const Vec3& a) { return {a.x, a.y, a.z}; }

}  // namespace pliant::test
