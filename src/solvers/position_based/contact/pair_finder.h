// The pairs of patches whose elements may touch, and the lists of their element pairs: the search of
// contact_step.h.
#pragma once

#include "solvers/position_based/contact/contact_step.h"

namespace pliant::solvers::position_based {

// How near elements must have been at the start of a substep to matter, beyond what they move.
struct PairReach {
    double share = 0;            // of the distance at which they touch
    bool counts_pushes = false;  // others may push them as far as they have moved
    bool flat_at_start = false;  // neighbours are left out by their shape at the start, and their motion
};

class PairFinder {
public:
    explicit PairFinder(const ContactContext& context);

    // The pairs of chunk g, with lists that have all elements in reach of covered motions.
    void find(std::size_t g, const PairReach& reach);

    // How far elements of both have moved towards each other at most, in this substep.
    double move_between(std::size_t p, std::size_t q) const;
    Vec3 shift_between(const Patch& a, const Patch& b) const;
    // What rounding may hide between two patches, m.
    double rounding_between(const Patch& a, const Patch& b, double share) const;
    double distance_between(const Patch& a, const Patch& b) const { return double(a.radius) + b.radius; }
    PatchElements elements_of(std::size_t p) const;

private:
    template <class F>
    void visit(std::size_t level, std::size_t group, std::size_t p, const Box3& box, F&& f) const;
    bool are_neighbours(std::size_t p, std::size_t q) const;
    bool are_flat(std::size_t p, std::size_t q, double distance, double covered,
                  const PairReach& reach) const;
    void meet(PatchChunk& chunk, std::size_t p, std::size_t q, std::size_t& old, const PairReach& reach);
    void search(PatchPair& pair, const Vec3& shift, std::vector<std::uint16_t>& lists) const;

    const ContactContext& c_;
    const ContactPlan& contact_;
};

}  // namespace pliant::solvers::position_based
