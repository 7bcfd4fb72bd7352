// Where the work is cut for threads, from the topology alone.
//
// Breadth-first levels from one end of each connected component: a constraint then joins particles of the
// same or of neighbouring levels only. Two or more whole levels make a subdomain. So a constraint lies
// inside one subdomain, or across the interface between a subdomain and the next; and no two interfaces share
// a particle, since a subdomain's first and last level differ. All subdomains may run at once, and an
// interface as soon as both its subdomains are done: there is no serial rest. The cut never depends on the
// number of threads, so neither does a bit of the result.
//
// Not taken: a global colouring (a barrier per colour, and worse locality), and spatial cells with
// coloured interfaces (more phases, and corners where many cells meet).
#pragma once

#include <pliant/vector.h>

#include <cstdint>
#include <span>
#include <vector>

#include "constraints/constraint_list.h"

namespace pliant::solvers::position_based {

struct Subdomains {
    std::vector<std::uint32_t> particle_at;   // slot → the scene's particle, or `padding`
    std::vector<std::uint32_t> slot_of;       // its inverse: where a scene's particle is stored
    std::vector<std::uint32_t> subdomain_of;  // of each of the scene's particles
    std::uint32_t count = 0;

    static constexpr std::uint32_t padding = 0xffffffff;
};

// No constraint joins two islands. The slots of an island follow each other, and in it those of a subdomain,
// which start on a multiple of 16 and are padded to one.
// bundles: particles that stay together in a subdomain, and are stored in it in their order.
using Bundles = std::span<const std::vector<std::uint32_t>>;
Subdomains make_subdomains(const constraints::ConstraintSet& constraints, std::span<const Vec3> positions,
                           std::span<const std::uint32_t> island_of, Bundles bundles = {});

}  // namespace pliant::solvers::position_based
