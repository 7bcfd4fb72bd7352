// Strands: chains of distances, which are solved directly, all links of a strand at once. One sweep per
// substep carries load one link far; a direct solve carries it to the end, whatever hangs there.
//
//   o──o──o──o──o──o       Distances of a material part whose particles have at most two each, and that make
//   0  1  2  3  4  5       no ring, are strands from end to end.
//
//   group    up to 16 strands side by side, the longest first, that share no particle:
//
//            node 0   [strand 0 … 15]     a lane each, from the first particle to the last; shorter ones
//            node 1   [strand 0 … 15]     repeat their last particle
//
//   ties     A strand's particle that is attached rigidly to others moves as one with them: their masses are
//            joined for the solve. So a weight at the end of a rope is part of the rope.
//
//   colours  Strands that are tied to the same particle have different colours. Colours are solved one after
//            the other, there and back; groups of one colour side by side.
//
//   pieces   A chain of 256 links or more is a group by itself: sixteen pieces of it, a lane each, and behind
//            them three rows of joints between pieces, of which the last may repeat the one before
//            (long_rope_kernels.h). It is listed as one chain too, in `chains`.
//
//   nets     Chains that are tied to each other, to the same particle, or to themselves, and those that run
//            through rings, are a group: all of it is solved at once (rope_net.h).
//
//   sorts    Chains of lengths alone, or pieces of one; nets of them; rods, which resist bending and twist
//            (model::Rod); straight hair. Each has a kernel of its own, and groups of its own.
//
//   bundles  Groups of hair, and long ropes, that are tied to no other particle but points of the world, and
//            ride on none. The particles of a bundle lie in one subdomain, as the lanes need them, and are
//            solved in the job of that subdomain, while they are in its cache.
//
// Distances of strands, and angles of rods, are left out of the sweep, except in PBD, which knows nothing but
// the sweep.
#pragma once

#include <cstdint>
#include <vector>

#include "base/aligned.h"
#include "model/model.h"
#include "solvers/position_based/subdomains.h"

namespace pliant::solvers::position_based {

inline constexpr std::uint32_t no_link = 0xffffffff;

// A strand's particle and one that it is attached to.
struct StrandTie {
    std::uint32_t own = 0, other = 0;            // particles
    std::uint32_t offset = 0, other_offset = 0;  // bytes
    std::uint32_t part = 0;                      // of the attachment
};

// A particle that slides along a strand.
struct StrandRing {
    std::uint32_t number = 0;                 // in Model::rings
    std::uint32_t particle = 0, segment = 0;  // where it is at the start
    std::uint32_t offset = 0;                 // bytes
};

enum class StrandSort : std::uint8_t { chain, rod, hair, net, pieces };

struct StrandGroup {
    std::uint32_t first_node = 0, nodes = 0;  // of the longest strand; links begin at first_node too
    std::uint32_t strands = 0;
    std::uint32_t first_tie = 0, ties = 0;      // of one particle next to each other
    std::uint32_t first_ring = 0, rings = 0;    // in the order of the strand
    std::uint32_t first_chain = 0, chains = 0;  // of pieces and nets: their strands in StrandSet::chains
    StrandSort sort = StrandSort::chain;
};

// A line of the View that is a segment of a rod, and where the first number of its frame is.
struct RodLine {
    std::uint32_t line = 0;
    std::size_t frame = 0;
};

struct StrandSet {
    std::vector<std::uint8_t> is_direct;  // of each material part: its distances are strands, its angles rods
    std::vector<StrandGroup> groups;      // bundles, then colour after colour
    std::vector<StrandGroup> chains;      // one by one: what pieces are of, and nets are made of
    std::vector<std::uint32_t> chain_parts;
    std::size_t bundles = 0;
    std::vector<std::uint32_t> subdomain_bundles;  // bundles, those of a subdomain next to each other
    std::vector<std::uint32_t> subdomain_first;    // of subdomain s: from subdomain_first[s] to [s + 1] − 1
    std::vector<std::uint32_t> colours;  // of colour c: groups colours[c] … colours[c + 1] − 1; may be empty
    std::vector<std::uint32_t> particles;  // [node][16]
    AlignedVector<std::uint32_t> offsets;  // [node][16], bytes
    std::vector<std::uint32_t> links;      // [node][16]: the distance to the next node, or no_link
    std::vector<std::uint32_t> parts;      // [group][16]
    std::vector<StrandTie> ties;
    std::vector<StrandRing> rings;
    // Where there are rods:
    std::vector<std::uint32_t> rods;    // [group][16]: index into Model::rods, or no_link
    AlignedVector<float> curvatures;    // [node][2][16], of joints at rest
    AlignedVector<float> start_frames;  // [node][6][16], of the segments behind nodes
    std::vector<RodLine> rod_lines;

    bool empty() const { return groups.empty(); }
    bool is_bundled() const { return bundles == groups.size(); }  // all of it
};

// Without offsets.
StrandSet find_strands(const model::Model& model);
// The particles of each bundle in the order in which they are to be stored.
std::vector<std::vector<std::uint32_t>> bundles_of(const StrandSet& strands);
// Finds offsets, and the subdomain of each bundle.
void place_strands(const Subdomains& subdomains, StrandSet& strands);

}  // namespace pliant::solvers::position_based
