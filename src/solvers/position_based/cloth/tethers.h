// Tethers: no particle is further from what holds its cloth than along the cloth (Kim, Chentanez and Müller
// 2012, Long range attachments).
//
// Particles that are held and hang together are a group; a cloth that is held at more than four places has
// four groups of near ones. Each particle has a tether to the nearest member of each group. What is held may
// change while a simulation runs: then tethers are made anew.
#pragma once

#include <cstdint>
#include <vector>

#include "base/aligned.h"
#include "solvers/position_based/cloth/cloth_levels.h"

namespace pliant::solvers::position_based {

// A particle of a sheet that is held, and where: by itself, or by the target of an attachment.
struct HeldParticle {
    std::uint32_t vertex = 0, holder_slot = 0;
    friend bool operator==(const HeldParticle&, const HeldParticle&) = default;
};

// Of all targets of a sheet to one group.
struct Tethers {
    std::vector<HeldParticle> group;
    // [member][4]: where they are in this substep. A copy: as particles they are written, if not moved.
    AlignedVector<float> positions;
    AlignedVector<std::uint32_t> offsets;  // [target], of its holder's position, in bytes; a multiple of 16
    AlignedVector<float> lengths;          // [target], m; where nothing holds it, more than any distance
    AlignedVector<std::uint32_t> node_offsets;  // [node], of the finest level, the same
    AlignedVector<float> node_lengths;
};

// held: by vertex. Groups that stay as they were keep their tethers.
void make_tethers(const ClothSheet& sheet, const std::vector<HeldParticle>& held,
                  std::vector<Tethers>& tethers);

}  // namespace pliant::solvers::position_based
