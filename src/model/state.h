// What moves. A value: copying it saves the simulation, assigning it restores it.
#pragma once

#include <pliant/description.h>
#include <pliant/vector.h>

#include <array>
#include <cstdint>
#include <vector>

#include "base/aligned.h"

namespace pliant {

// A particle that goes where it is told: grabbed, or the anchor of an attachment.
struct DrivenParticle {
    std::uint32_t place = 0;
    Vec3d target;  // m, in the world, to be reached at the end of the next step
};

// A collider on its way.
struct MovedCollider {
    std::uint32_t collider = 0;
    ColliderShape target;  // where it is to be at the end of the next step
};

// A tetrahedron that is inside out.
struct Inverted {
    std::array<std::uint32_t, 4> corners{};  // places
    int looks = 0;                           // how often it was seen so before
};

// Particle arrays have four floats a place. With float32, v = (x − p)/h of absolute positions is wrong
// by several per cent at 80 substeps: h²·g falls below the rounding of a position. So the displacement
// per substep is kept instead of the velocity, and what is added to it is the difference of the solved
// and the predicted position, which is exact (they are near each other).
struct State {
    AlignedVector<float> position;      // x, y, z relative to the group's origin; inverse mass, 0 if held
    AlignedVector<float> predicted;     // where the particle would have gone without constraints
    AlignedVector<float> displacement;  // u = h·v
    AlignedVector<float> forces;        // N; empty while there are none
    AlignedVector<float> sails;         // m², area × normal; empty while there is no air
    std::vector<Vec3d> origins;         // of each group, m, multiples of its grid
    std::vector<DrivenParticle> driven;
    std::vector<Collider> colliders;  // where they are now
    std::vector<MovedCollider> moved_colliders;
    float substep = 0;  // s, the h that displacements refer to
    std::uint64_t frame = 0;
    double time = 0;                    // s
    std::uint64_t repaired = 0;         // particles that had left the range of numbers
    std::vector<std::uint8_t> crushed;  // of each group: for how many more frames it is rigid
    std::vector<std::uint8_t> tries;    // of each group: how often what is stuck may be laid out anew
    std::vector<Inverted> inverted;     // at the last look, ascending

    // For the user: the scene's order, in the world.
    std::vector<Vec3> visible_positions, visible_velocities;
};

}  // namespace pliant
