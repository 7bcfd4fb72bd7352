// Contact of colliders with the edges and faces of bodies, between their corners: a thin post does not go
// through a jelly, nor the edge of a table through its cloth.
//
// After the particles of a substep have left the colliders, the deepest point of each triangle near one is
// found (face_kernels.h). Where it is inside, its tangent plane there gives a row for the three corners, with
// the weights β of the point:
//
//     depth = level − n·Σβx,  W = Σwβ²,  q = Σβu − (motion of the surface),  slip = q − n(n·q)
//     push = (n·depth − slip·min(1, μ·depth/|slip|))/W,   xₖ += wₖβₖ·push,  uₖ += wₖβₖ·push
//
// solved one after the other, there and back, three times with the deepest points found anew. What was inside
// at the start of the substep comes out without speed, and where it is deep, slowly, as particles do
// (particle_kernels.h). Nothing bounces here.
#pragma once

#include <pliant/bounds.h>

#include <cstdint>
#include <vector>

#include "model/state.h"
#include "solvers/position_based/faces/face_plan.h"
#include "solvers/position_based/faces/face_runs.h"
#include "solvers/position_based/kernels.h"

namespace pliant::solvers {
struct StepContext;
}

namespace pliant::solvers::position_based {

struct FaceWorkspace {
    std::vector<std::vector<FaceContact>> found;  // of each group
    std::vector<Bounds3d> clear;  // of each group: no collider is in there, in this frame; empty: unknown
    std::vector<FaceContact> contacts;  // of all
    std::vector<float> pushed;          // m·kg along the normal, of each contact
};

struct FaceContext {
    const model::Model& model;
    const Plan& plan;
    model::PositionBasedState& state;
    const StepContext& step;
    const ParticleArrays particles;
    double substep = 0;  // s
};

// At the start of a frame, and where colliders have moved.
void forget_clear_faces(FaceWorkspace& workspace);

// Whether anything in a scene can meet colliders so.
bool meets_faces(const Plan& plan, const std::vector<Collider>& colliders);

void keep_faces_out(const FaceContext& context);

}  // namespace pliant::solvers::position_based
