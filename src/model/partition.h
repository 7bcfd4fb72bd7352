// Where the work is cut for threads, from the topology alone.
//
// Breadth-first levels from one end of each connected piece: a constraint then joins particles of the
// same or of neighbouring levels only. Two or more whole levels make a slab. So a constraint lies
// inside one slab, or across the seam between a slab and the next; and no two seams share a particle,
// since a slab's first and last level differ. All slabs may run at once, and a seam as soon as both its
// slabs are done: there is no serial rest. The cut never depends on the number of threads, so neither
// does a bit of the result.
//
// Not taken: a global colouring (a barrier per colour, and worse locality), and spatial cells with
// coloured seams (more phases, and corners where many cells meet).
#pragma once

#include <pliant/vector.h>

#include <cstdint>
#include <span>
#include <vector>

#include "model/constraint_set.h"

namespace pliant {

struct Partition {
    // order[i]: which of the scene's particles is stored at place i, or `padding`.
    std::vector<std::uint32_t> order;
    std::vector<std::uint32_t> place;  // its inverse: where a scene's particle is stored
    std::vector<std::uint32_t> slab;   // of each of the scene's particles
    std::uint32_t slabs = 0;

    static constexpr std::uint32_t padding = 0xffffffff;
};

// groups: for each particle, the origin group it belongs to, numbers from 0. No constraint joins two
// groups. The places of a group follow each other, and in it those of a slab, which start on a multiple
// of 16 and are padded to one.
Partition make_partition(const ConstraintSet& constraints, std::span<const Vec3> positions,
                         std::span<const std::uint32_t> groups);

}  // namespace pliant
