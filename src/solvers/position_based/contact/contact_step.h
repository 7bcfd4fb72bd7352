// The part of a substep that keeps bodies apart, from each other and from themselves.
//
// When constraints have moved particles from their starts p to x, all of the motion is known. Two elements
// can only touch if at p they were nearer than r plus what they have moved towards each other. So:
//
//   starts   p = x* − u, of every particle
//   patches  where each is, how it moves (e ± o, the box of x − p), how it has drifted since the last
//   substep;
//            boxes of patches and of nodes of the tree over them
//   pairs    the tree gives the pairs of patches whose boxes meet. Each has a list of its pairs of elements
//   that
//            were nearer than L when it was made, and a budget: with C and S the sums of drifts and of what
//            strays from them,
//                used = |(C_A − C_B) − (C_A − C_B)₀| + (S_A + S_B) − (S_A + S_B)₀
//                move = |e_A − e_B| + o_A + o_B
//            Only where used + move + r > L is it searched again; where used + move + r is below the smallest
//            distance in the list, nothing can touch and it sleeps. Neighbours whose triangles at x lie
//            within a cone of normals and are no slivers are a graph over a plane: nothing in them touches
//            either.
//   contacts the plane of each pair at p, if x is through it or near; four particles and their weights
//   solve    one after the other, with friction; patches of even chunks first
//
// What is in a list never shows in the result: contacts follow from p and x alone, in the order of patches
// and elements. So lists are kept over frames and need not be saved.
#pragma once

#include <cstdint>
#include <vector>

#include "base/aligned.h"
#include "base/parallel.h"
#include "model/state.h"
#include "solvers/position_based/contact/contact_plan.h"
#include "solvers/position_based/contact/contact_reports.h"
#include "solvers/position_based/contact/contact_runs.h"
#include "solvers/position_based/contact/tangles.h"
#include "solvers/position_based/kernels.h"

namespace pliant::solvers::position_based {

struct PatchState {
    Vec3d drift{};          // m, C: so far
    double stray = 0;       // m, S
    Vec3 move{};            // m, e: in this substep
    float uneven_move = 0;  // m, o
    // The motion that boxes and lists have room for.
    Vec3 covered_move{};
    float covered_uneven = 0;
};

// Two patches whose boxes meet, or one with itself.
struct PatchPair {
    std::uint32_t first = 0, second = 0;
    Vec3d drift{};           // m, when the list was made
    double stray = 0;        // m
    double within = 0;       // m, L
    double nearest = 0;      // m: the smallest distance in the list
    double used = 0;         // m: by how much distances may be smaller now
    std::uint32_t list = 0;  // its place in the chunk's lists
    std::uint32_t counts[pair_sorts] = {};
};

// The pairs whose first patch is one of 16.
struct PatchChunk {
    std::vector<PatchPair> pairs, next_pairs;
    std::vector<std::uint16_t> lists, next_lists;
    std::vector<Contact> contacts;
    std::vector<float> pushes;            // of each contact, if they are reported
    std::vector<std::uint32_t> touching;  // islands
    std::vector<UnsafePair> unsafe;
    std::vector<Crossing> crossings;
};

// A particle that lies on another body, for the levels: they must not push it through.
struct Support {
    std::uint32_t offset = 0, other = 0;  // other: a particle of what it lies on
    float normal[3], surface[3];          // surface: m, how it moved in the substep
    float friction = 0;
};

// A particle that was moved at the end of a substep, to part elements.
struct MovedParticle {
    std::uint32_t offset = 0;
    Vec3 from{};
};

struct SafeWorkspace {
    std::vector<std::uint8_t> is_moved;  // by slot
    std::vector<MovedParticle> moved;
    std::vector<std::uint8_t> is_dirty;  // by patch: to be looked at again
    std::vector<std::uint32_t> dirty;    // patches
    std::vector<UnsafePair> unsafe;
    std::vector<std::uint32_t> zone_of;  // by slot: another of its zone, in the end the lowest; none: in none
    std::vector<std::uint32_t> members;  // slots in zones
};

struct ContactWorkspace {
    bool is_valid = false;               // lists belong to the positions of the last substep
    AlignedVector<float> start, before;  // p, of this substep and of the last
    AlignedVector<float> reference;      // p with what was opened: friction and velocities count from it
    std::vector<Vec3d> origins;          // of islands, that `before` counts from
    std::vector<Vec3> shifts;            // of islands: from the origin of the first to theirs
    std::vector<PatchMotion> motions;
    std::vector<PatchState> patches;
    std::vector<PatchShape> shapes;
    std::vector<std::vector<BoxGroup>> tree;  // leaves first
    std::vector<PatchChunk> chunks;
    std::vector<Support> supports;  // at the end of the last substep
    SafeWorkspace safe;
    TangleWorkspace tangles;
    ReportWorkspace reports;

    // By slot, for kernels; null: nothing is tangled.
    const std::uint8_t* tangled() const {
        return tangles.crossings.empty() ? nullptr : tangles.is_tangled.data();
    }
};

// What the passes of contact work on.
struct ContactContext {
    const model::Model& model;
    const Plan& plan;
    const model::State& state;
    const Settings& settings;
    const Kernels& kernels;
    const ParticleArrays particles;
    double substep = 0;  // s
    ContactWorkspace& workspace;
    Executor& executor;

    bool is_safe() const { return settings.contact_quality == ContactQuality::safe; }
};

// Which part of a frame it is.
struct ContactMoment {
    bool is_first_iteration = false;  // of its substep
    bool is_first_substep = false;    // of its frame
};

// Which elements touch, and how they are kept apart.
void find_contacts(const ContactContext& context, const ContactMoment& moment);
// Islands that touch another are marked: touched[island] = 1.
void solve_contacts(const ContactContext& context, const ContactMoment& moment,
                    std::vector<std::uint8_t>& touched);

// Gives the levels what lies on other bodies, beside what touches colliders.
void add_supports(const ContactWorkspace& workspace, bool has_colliders,
                  model::PositionBasedState& particles);

}  // namespace pliant::solvers::position_based
