// Colliders, moved into the frame of one island of particles.
#pragma once

#include <pliant/description.h>

#include <span>
#include <tuple>
#include <vector>

#include "collision/all.h"

namespace pliant::collision {

// Between two shapes of the same kind; share 0 gives the first, 1 the second.
ColliderShape between(const ColliderShape& from, const ColliderShape& to, double share);

// How far a point that is that far from the middle of a shape is carried at most, from one pose to another.
double motion_between(const ColliderShape& from, const ColliderShape& to, double distance);

// What a simulation keeps of a shape: not the numbers that its mesh was made from.
ColliderShape without_source(const ColliderShape& shape);

// Whether two shapes of the same kind have the same mesh, if they have one.
bool has_same_surface(const ColliderShape& a, const ColliderShape& b);

class LocalColliders {
public:
    // As they are at the start and at the end of a substep. The differences are taken in double precision:
    // an origin may be kilometres away.
    void place(std::span<const Collider> start, std::span<const Collider> end, const Vec3d& origin);

    ColliderSet set() const;
    // Those that faces may touch between their corners, which are in the bounds and have that radius at most;
    // perhaps a few more. clear: by how much the bounds may grow, at least, before there are others.
    ColliderSet near_faces(const LocalBounds& bounds, double radius, double& clear) const;

    // Keeps those of `all` that particles may touch which have that radius at most, and are at the start and
    // at the end of a substep within the bounds. Leaving out the others changes no bit of the result.
    void keep_near(const LocalColliders& all, LocalBounds bounds, double radius);
    void reserve_for(const LocalColliders& all);
    void clear();
    std::size_t size() const;

private:
    template <class Kind>
    static bool is_near(const typename Kind::Local& local, const LocalBounds& bounds, double radius,
                        Clearance& clearance, double& motion);
    double collect_near(const LocalColliders& all, const LocalBounds& bounds, double radius);

    template <class Kind>
    struct Locals {
        std::vector<typename Kind::Local> list;
    };
    AllColliders::Each<Locals> locals_;
};

// A point with that radius after it left the shapes by the nearest way, one shape after the other.
Vec3d pushed_out(const ColliderSet& colliders, Vec3d x, double radius);

}  // namespace pliant::collision
