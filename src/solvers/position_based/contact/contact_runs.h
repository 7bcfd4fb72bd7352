// What the kernels of contact work on: plain pointers and numbers. contact_step.h explains the passes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace pliant::solvers::position_based {

// Of a patch: where it and its motion are. Four floats each; the last of each is not used.
struct PatchMotion {
    float low[4], high[4];  // m: where it started the substep
    float move_low[4],
        move_high[4];  // m: how its particles moved in the substep, from start to where they are
    float drift_low[4], drift_high[4];  // m: how they moved since the start of the last one
};

struct PatchMotionRun {
    const float* position = nullptr;
    const float* start = nullptr;   // of this substep
    const float* before = nullptr;  // start of the last substep
    const std::uint32_t* closure = nullptr;
    std::size_t count = 0;
    PatchMotion* motion = nullptr;
};

// start = x* − u, of a range of slots.
struct StartRun {
    const float* predicted = nullptr;
    const float* displacement = nullptr;
    float* start = nullptr;
    std::size_t first = 0, count = 0;  // slots, multiples of 16
};

// How far the triangles of a patch are from a plane.
struct PatchShape {
    float axis[3];   // mean of their normals
    float cosine;    // of the largest angle between a normal and the axis
    float altitude;  // m, the smallest of a triangle
};
struct PatchShapeRun {
    const float* position = nullptr;
    const std::array<std::uint32_t, 3>* triangles = nullptr;
    std::size_t count = 0;
    PatchShape* shape = nullptr;
};

// Sixteen boxes apart by coordinate, against one: bit i says that box i meets it.
struct BoxGroup {
    alignas(64) float low[3][16], high[3][16];
};
struct Box3 {
    float low[3], high[3];
};

// The elements of a patch.
struct PatchElements {
    const std::uint32_t* vertices = nullptr;
    const std::array<std::uint32_t, 2>* edges = nullptr;
    const std::array<std::uint32_t, 3>* triangles = nullptr;
    std::uint32_t vertex_count = 0, edge_count = 0, triangle_count = 0;
    Box3 box{};  // of all of them, at the start of the substep
};

// Sorts of pairs of elements: vertex of the first patch and triangle of the second, the reverse, two edges.
inline constexpr std::size_t pair_sorts = 3;

// Element pairs of two patches that are nearer than `within` at the start of the substep.
struct PairSearch {
    const float* start = nullptr;
    const std::uint32_t* tied = nullptr;  // by slot
    PatchElements first, second;
    bool is_same = false;  // both are one patch
    float shift[3] = {};   // from the origin of the first's island to that of the second's
    float within = 0;
    // Found: number of the first element in the low byte, of the second in the high one.
    std::uint16_t* pairs = nullptr;
    std::uint32_t counts[pair_sorts] = {};
    float nearest = 0;  // the smallest distance found, or `within`
};
inline constexpr std::size_t most_pairs = 16 * 48 * 2 + 64 * 64;

// Four particles and what keeps them apart: Σβx·n ≥ level.
struct alignas(64) Contact {
    std::uint32_t offsets[4];
    float weights[4];  // β
    float normal[3];
    float level;     // m, with the difference of origins in it
    float opening;   // m: how much of it the start of the substep lacked; no velocity comes of that
    float friction;  // coefficient
    float restitution;
    float support;  // m: nearer than this to the level, one solid lies on the other; −1: they are not two
                    // solids
};

// What a collider, or another body, does to the particles of a chunk, for those who want to know.
struct PushSum {
    double push[3] = {};    // Σ m·Δx, kg·m
    double normal[3] = {};  // the same without friction
    double point[3] = {};   // Σ weight·x
    double weight = 0;      // Σ m·|Δx|
};

// Those of the pairs that touch.
struct ContactSearch {
    const float* position = nullptr;
    const float* start = nullptr;
    const float* rest = nullptr;  // null: the patches are of two bodies
    PatchElements first, second;
    float shift[3] = {};
    const std::uint16_t* pairs = nullptr;
    std::uint32_t counts[pair_sorts] = {};
    float distance = 0;  // r
    float watched = 0;   // m: pairs this far beyond it are contacts too, if others may push them
    bool first_is_closed = false, second_is_closed = false;  // and the bodies differ
    bool has_lines = false;                                  // edges without triangles: their ends touch too
    float friction = 0, restitution = 0;
    bool is_sheet = false;                     // both are of one cloth
    const std::uint8_t* is_tangled = nullptr;  // by slot; null: nothing is
    Contact* contacts = nullptr;               // room for one of each pair
    std::size_t found = 0;
};

// Two elements that a plane of the start no longer separates at the end: n·x of the first part less that of
// the second must be `least`.
struct UnsafePair {
    std::uint32_t offsets[4];
    float normal[3];
    float least;               // m, with the difference of origins in it
    std::uint32_t first_part;  // how many of the four are of it
};

// Those of the pairs that came too near. Pairs without a gap at the start take no part.
struct UnsafeSearch {
    const float* position = nullptr;
    const float* start = nullptr;
    const float* rest = nullptr;  // null: the patches are of two bodies
    PatchElements first, second;
    float shift[3] = {};
    const std::uint16_t* pairs = nullptr;
    std::uint32_t counts[pair_sorts] = {};
    float least = 0;                           // m: all may come so near
    float rounding = 0;                        // m: what is nearer may lose so much
    const std::uint8_t* is_tangled = nullptr;  // by slot; null: nothing is
    UnsafePair* found = nullptr;               // room for one of each pair
    std::size_t count = 0;
};

// Edges of one patch that go through triangles of another, or of the same one, at the start of a substep.
struct CrossingSearch {
    const float* start = nullptr;
    const std::uint32_t* tied = nullptr;  // by slot
    PatchElements first, second;          // edges of the first, triangles of the second
    float shift[3] = {};
    // Found: number of the edge in the low byte, of the triangle in the high one.
    std::uint16_t* pairs = nullptr;
    std::uint32_t count = 0;
};

struct ContactRun {
    float* position = nullptr;
    float* predicted = nullptr;
    float* start = nullptr;
    const Contact* contacts = nullptr;
    std::size_t count = 0;
    bool backward = false;
    float resting_step = 0;   // m per substep: what approaches more slowly does not bounce
    float* pushes = nullptr;  // of each contact, four floats: what has been pushed so far, kg·m; or null
};

}  // namespace pliant::solvers::position_based
