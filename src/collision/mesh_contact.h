// Contact of one particle with a mesh collider, in double precision and in the mesh's own frame. Compiled
// once: kernels of all instruction sets call it, particle by particle, and get the same bits.
#pragma once

#include "collision/collider_kind.h"
#include "collision/collider_mesh.h"

namespace pliant::collision {

struct MeshQuery {
    const ColliderMesh* mesh = nullptr;
    double pose = 0, pose_before = 0;  // at the end and at the start of the substep
    bool inverted = false;
};

// Of a particle that moved by `step` to x. A step of 0 asks for the signed distance, however far.
MovingContact<double> mesh_contact(const MeshQuery& query, const Vec3d& x, const Vec3d& step, double radius);

}  // namespace pliant::collision
