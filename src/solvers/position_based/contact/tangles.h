// What is through each other: sheets that cross, solids that overlap. Nothing gets there by itself where
// contact is safe, but scenes begin so, and bodies are squashed, moved and rescued.
//
//   look      in every eighth frame, and in each substep as long as something crosses: edges that go through
//             triangles, found among the pairs of patches that contact has anyway; solids wholly inside
//             another
//   solids    that overlap do not touch each other otherwise. Along the mean way n of vertices inside the
//             other to its surface both move apart as they are, at `easing_speed` at most, x* with x: no
//             velocity comes of it; and they approach no further
//   sheets    an edge that goes through a triangle moves, against the triangle, along
//                 G = Σ R − 2·(E·R)/(E·N)·N
//             E along the edge, N normal of the triangle, R along the line on which a triangle of the edge
//             meets it, from the edge: that shortens the line (Volino, Magnenat-Thalmann 2006). By a share of
//             the thickness per substep, means for each particle, x* with x; what is tangled slows down
//
// Pairs of elements with a tangled particle on both sides take no part in contact.
#pragma once

#include <pliant/bounds.h>
#include <pliant/vector.h>

#include <cstdint>
#include <utility>
#include <vector>

namespace pliant::solvers::position_based {

struct Crossing {
    std::uint32_t edge[2], wings[2], triangle[3];  // byte offsets of particles
    std::uint32_t edge_body = 0, triangle_body = 0;
    Vec3 shift{};        // m: from the origin of the edge's island to the triangle's
    float distance = 0;  // m, at which both would touch
};

// Two solids that overlap.
struct SolidsInEachOther {
    std::uint32_t first = 0, second = 0;  // bodies
    Vec3 way{};                           // of unit length: the first moves along it
    float depth = 0;                      // m: how far the deepest vertex is from the other's surface
};

struct TangleWorkspace {
    bool any = false;  // something crosses or overlaps, in this frame
    std::vector<Crossing> crossings;
    std::vector<SolidsInEachOther> overlaps;               // ascending
    std::vector<std::pair<std::uint32_t, Bounds3>> boxes;  // of solids, from the first island's origin
    std::vector<std::uint8_t> is_tangled;                  // by slot
    std::vector<std::uint32_t> tangled;                    // slots
    std::vector<Vec3> moves;                               // by slot
    std::vector<std::uint32_t> counts;                     // by slot: how many moves
};

struct ContactContext;

// Whether to look at the start of a frame.
bool looks_for_tangles(const ContactContext& context);
void forget_tangles(TangleWorkspace& tangles);
// At the start of a substep, when pairs of patches are known.
void find_tangles(const ContactContext& context, bool is_first_of_frame);
// When contacts are solved.
void ease_tangles(const ContactContext& context);
// Whether two solids overlap: contact leaves them alone.
bool overlap(const TangleWorkspace& tangles, std::uint32_t first, std::uint32_t second);

// The solids that overlap at present, by the crossings and by positions; for each the way and the depth.
void find_overlaps(const ContactContext& context);

}  // namespace pliant::solvers::position_based
