// Where the lattice's edges pass through a surface.
#pragma once

#include <pliant/vector.h>

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "mesh/tetrahedralize/lattice.h"
#include "mesh/tetrahedralize/progress.h"
#include "mesh/tetrahedralize/solid.h"

namespace pliant::mesh {

// A cut nearer to a point than this share of its edge moves the point (the paper's Table 1).
constexpr double long_share = 0.24999, short_share = 0.41189;

struct Cut {
    std::uint32_t edge = 0;
    double share = 0;  // of the edge's length, from its inner end
    Vec3d position{};
};

// Edges by number: a site owns 14, those from its points to points of higher sites and the red one's
// eight short ones.
class LatticeEdges {
public:
    static constexpr std::uint32_t per_site = 14;

    explicit LatticeEdges(const Lattice& lattice);

    // The 14 edges at a point that is not in the outermost layer. Long ones stand first.
    static constexpr std::size_t long_edges = 6;
    std::array<std::uint32_t, per_site> around(LatticePoint point) const;
    std::array<LatticePoint, 2> ends(std::uint32_t edge) const;
    std::uint32_t between(LatticePoint a, LatticePoint b) const;
    static bool is_long(LatticePoint a, LatticePoint b) { return a % 2 == b % 2; }

private:
    std::array<std::uint32_t, 3> strides_;
    std::array<std::uint32_t, 8> corners_;  // from a site to those of its cube's corners
};

// All cuts between points inside and points outside, by edge in ascending order.
std::vector<Cut> find_cuts(const Lattice& lattice, const LatticeEdges& edges, const Solid& solid,
                           std::span<const std::uint8_t> inside, Progress& progress);

// Takes points inside, with so much of each edge at them that no cut moves them. The angles that stuffing
// promises do not depend on where the cuts are.
void keep_inside(const Lattice& lattice, const LatticeEdges& edges, std::span<const std::uint8_t> kept,
                 std::vector<std::uint8_t>& inside, std::vector<Cut>& cuts);

}  // namespace pliant::mesh
