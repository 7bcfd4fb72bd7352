// The surfaces of bodies, cut into patches, for contact of bodies with each other and themselves.
//
//   surface     the triangles of cloth and of the skins of solids, their edges, the segments of ropes,
//               particles with a radius
//   patch       up to 16 vertices of a body that follow each other along a curve through space, with the
//   edges
//               and triangles whose first vertex is one of them; its closure is all vertices of those, its
//               star all triangles at its vertices
//   tree        16 patches make a node, 16 nodes the next: the topology is fixed, only boxes change
//
// Two elements that share a particle, or particles that are tied to each other, never touch.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "model/model.h"

namespace pliant::solvers::position_based {

struct Plan;

struct Patch {
    // At most so many, so that two numbers of elements fit into 16 bits.
    static constexpr std::uint32_t most_vertices = 16, most_edges = 64, most_triangles = 48,
                                   most_in_star = 96;

    std::uint32_t body = 0, island = 0;
    std::uint32_t first_vertex = 0, vertices = 0;
    std::uint32_t first_edge = 0, edges = 0;
    std::uint32_t first_triangle = 0, triangles = 0;
    std::uint32_t first_of_closure = 0, closure = 0;
    std::uint32_t first_neighbour = 0, neighbours = 0;
    std::uint32_t first_of_star = 0, star = 0;
    float radius = 0;        // m: half the thickness
    float spacing = 0;       // m: mean length of its body's edges
    bool has_lines = false;  // its edges belong to no triangle
    bool is_closed = false;  // its triangles are the skin of a solid
};

struct ContactPlan {
    static constexpr std::uint32_t none = ~std::uint32_t{0};

    std::vector<Patch> patches;
    // Byte offsets of particles.
    std::vector<std::uint32_t> vertices;
    std::vector<std::array<std::uint32_t, 2>> edges;
    std::vector<std::array<std::uint32_t, 2>> wings;  // of each edge: third corners of its triangles, or none
    std::vector<std::array<std::uint32_t, 3>> triangles;
    std::vector<std::uint32_t> closures;
    std::vector<std::array<std::uint32_t, 3>> stars;  // none where there would be more than most_in_star
    std::vector<std::uint32_t> neighbours;  // patches that share a vertex, itself among them, ascending
    // By slot: the patches whose closure it is in, patches_at[first_patch_at[slot]] and on to the next
    // slot's.
    std::vector<std::uint32_t> first_patch_at, patches_at;
    std::vector<std::uint32_t> tied;      // by slot: particles that are tied to each other have one number
    std::vector<float> rest_positions;    // four floats a slot
    std::vector<std::uint32_t> carriers;  // of each body: the one that it grows from, or none

    bool empty() const { return patches.empty(); }
    // Hair and what it grows from do not touch.
    bool grows(std::uint32_t a, std::uint32_t b) const { return carriers[a] == b || carriers[b] == a; }
};

ContactPlan make_contact_plan(const model::Model& model, const Plan& plan);

}  // namespace pliant::solvers::position_based
