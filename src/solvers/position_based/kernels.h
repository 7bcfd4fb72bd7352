// The inner loops of a step, compiled once per instruction set (kernels/) and called through a
// table. Plain pointers and numbers only: nothing here may instantiate code that the sets would share.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/particle_layout.h"
#include "collision/all.h"
#include "constraints/clusters.h"
#include "solvers/position_based/coarse/box_forces.h"
#include "solvers/position_based/coarse/skyline_factor.h"
#include "solvers/position_based/contact/contact_runs.h"
#include "solvers/position_based/faces/face_runs.h"
#include "solvers/position_based/grains/grain_runs.h"
#include "solvers/position_based/projection.h"

namespace pliant::solvers::position_based {

// Four floats per particle each; see step.cpp for what they mean.
struct ParticleArrays {
    float* position = nullptr;      // x, w
    float* predicted = nullptr;     // x* : where inertia alone would have gone
    float* displacement = nullptr;  // u = h·v
    float* start = nullptr;         // x at the start of the substep, kept where damping needs it; or null
};

// Contacts and surfaces of the state, or null.
struct ContactArrays {
    float* contacts = nullptr;
    const float* surfaces = nullptr;
};

// A run of clusters of one sort with the same material parts: full blocks, of which, of pairs, neighbours
// share no dynamic particle either, then a remainder, one by one.
struct ProjectionRun {
    ParticleArrays particles;
    const std::uint32_t* block_offsets = nullptr;  // [block][arity][16] byte offsets of particles
    const float* block_rests = nullptr;            // [block][rest values][16]
    float* block_multipliers = nullptr;            // [block][rows][16]
    std::size_t blocks = 0;
    const std::uint32_t* remainder_offsets = nullptr;  // [cluster][arity]
    const float* remainder_rests = nullptr;            // [cluster][rest values]
    float* remainder_multipliers = nullptr;            // [cluster][rows]
    std::size_t remainder = 0;
    Softness<float> softness[constraints::most_parts] = {};
    const float* constants[constraints::most_parts] = {};  // of the materials
    unsigned parts = ~0u;  // bit by bit, which are projected; rigid forms do not look at it
};

// What the air knows of a particle: xx, yy, zz of its matrix in m²; xy, yz, zx; the air's velocity in m/s.
// The fourth floats of the three are what held air adds to u, in m.
inline constexpr std::size_t floats_per_air_load = 12;

// A range of particles, a multiple of 16, all of one origin.
struct ParticleRange {
    ParticleArrays particles;
    const float* forces = nullptr;           // N, four floats per particle, or null
    const float* radii = nullptr;            // m
    const float* friction_shares = nullptr;  // of the collider's friction, or null: all of it
    const float* restitutions = nullptr;     // of the bodies, beside friction_shares
    std::size_t first = 0, count = 0;
    float gravity_step[3] = {};        // h²·g
    const float* air_loads = nullptr;  // floats_per_air_load of each particle (solvers/wind.h), or null
    float substep = 0;                 // s
    float half_air_density = 0;        // kg/m³
    float h2 = 0;                      // h²
    float max_correction = 0;          // m per substep: constraints make no particle faster than this
    float* contacts = nullptr;         // as in the state, or null
    float* surfaces = nullptr;         // as in the state, beside contacts
    float body_size = 0;               // m, of the island at the start
    float ease_most = 0, ease_least = 0, ease_share = 0;  // what starts in a collider comes out of it by at
                                                          // most m, least m + share of its depth
    float resting_step = 0;  // a normal approach slower than this (m per substep) does not bounce
    collision::ColliderSet colliders;
    PushSum* pushes = nullptr;                    // row by row, two of each collider; or null
    const std::uint32_t* push_rows = nullptr;     // by slot: where the row of its body begins
    std::uint32_t* partners = nullptr;            // beside it, by slot: the collider that it touched last
    float reference[3] = {};                      // m per substep: moments are of u without it
    float keep = 1, shift[3] = {}, spin[3] = {};  // of add_motion; m and rad per substep
};

// What `moments` sums up over the particles that move, with m = 1/w: m, m·x (3), m·u (3), x×m·u (3),
// m·x·xᵀ (xx, yy, zz, xy, xz, yz), and how many they are.
inline constexpr int moment_count = 17;

// Positions and displacements per substep beyond this (m) are accidents: a particle has left the scene.
inline constexpr float number_limit = 1e9f;

// Passes over the coarse level (coarse/coarse_level.h).
struct GroupRun {  // of particles in the same box, 16 at a time
    std::uint32_t first = 0, count = 0;
    float masses[8] = {};  // of each corner: Σ m·φ, kg
    float weight = 1;      // of its sums
};
// Σ m·φ·(x − x₀) of a run for each corner, and x₀.
inline constexpr std::size_t floats_per_run_sum = 3 * 8 + 4;
struct RestrictRun {
    const float* position = nullptr;
    const GroupRun* runs = nullptr;
    const std::uint32_t* group_offsets = nullptr;
    const float* group_coordinates = nullptr;
    const float* group_masses = nullptr;
    std::size_t first = 0, count = 0;  // runs
    float* sums = nullptr;             // [run][floats_per_run_sum]
};
struct ProlongRun {
    const std::array<std::uint32_t, 8>* group_nodes = nullptr;
    const std::uint32_t* group_offsets = nullptr;
    const float* group_coordinates = nullptr;
    const std::uint32_t* group_sizes = nullptr;
    std::size_t first = 0, count = 0;  // groups
    const float* nodes = nullptr;      // [node][4]
    float* position = nullptr;
};

// Passes over the levels of cloth (cloth/cloth_levels.h).
inline constexpr std::size_t nodes_per_target = 4, most_tethers = 4;
struct LinkRun {
    float* nodes = nullptr;                  // [node][4]: position, inverse mass
    const std::uint32_t* offsets = nullptr;  // [block][2][16], in bytes
    const float* lengths = nullptr;          // [block][16], m
    float* multipliers = nullptr;            // [block][16]
    float compliance = 0;                    // α̃
    float allowed = 1;                       // of its length, before a link acts
    std::size_t first = 0, count = 0;        // blocks
};
struct SheetRun {
    float* position = nullptr;
    const std::uint32_t* offsets = nullptr;  // [target], in bytes
    const float* moves = nullptr;            // [node][4], m; how far nodes are pushed out of a surface
    const std::uint32_t* nodes = nullptr;    // [block][4][16], in bytes
    const float* weights = nullptr;          // [block][4][16]
    float* contacts = nullptr;               // as in the state, or null
    std::size_t tethers = 0;
    const float* holder_positions[most_tethers] = {};  // [holder][4]
    const std::uint32_t* holders[most_tethers] = {};   // [target], in bytes
    const float* lengths[most_tethers] = {};           // [target], m
    bool has_one_holder[most_tethers] = {};            // the same for all targets
    float allowed = 1;                                 // of its length, before a tether acts
    std::size_t first = 0, count = 0;                  // targets; the first is a multiple of 16
};

// Up to 16 strands side by side (strands/strand_set.h).
struct StrandRun {
    ParticleArrays particles;
    const std::uint32_t* offsets = nullptr;  // [node][16], in bytes
    const float* rests = nullptr;            // [link][16], m; NaN: no link
    float* multipliers = nullptr;            // [link][16], tension so far; of long ropes: of the last substep
    std::size_t nodes = 0, strands = 0;
    // Of each strand: α̃, α̃ per m of rest length, γ.
    const float *compliance = nullptr, *compliance_per_measure = nullptr, *damping = nullptr;
    bool is_damped = false;
    void* scratch = nullptr;  // strand_scratch_bytes for each node, if they are too many for the stack
    // Of rods, which have rod_scratch_bytes for each node.
    float* joints = nullptr;  // [node][6][16]: κ̄₁, κ̄₂, h²B₁/l, h²B₂/l, h²GJ/l, resistance to turning
    float* frames = nullptr;  // [node][6][16]: tangent, first normal of the segment
    float* moved = nullptr;   // [node][3][16], m: by this solve in this substep
    // Of straight hair, whose first value of a joint is h²B/l³; the others are scratch that lasts for a
    // frame.
    bool is_repeat = false;         // not the first iteration of a substep
    bool is_first_substep = false;  // of a frame
};
inline constexpr std::size_t strand_scratch_bytes = 19 * 8 * sizeof(double), strand_nodes_on_stack = 48;
// A long rope: rows of joints behind those of its pieces; bytes for each row; how often it is tried.
inline constexpr std::size_t long_rope_joint_rows = 3, long_rope_scratch_bytes = 10 * 16 * sizeof(float);
inline constexpr int most_long_rope_tries = 8;
inline constexpr std::size_t rod_scratch_bytes = 92 * 8 * sizeof(double);
inline constexpr std::size_t rod_joint_values = 6, rod_frame_values = 6;

enum ContactBits : unsigned {
    no_contact = 0,
    touched = 1,   // some particle touched a collider
    came_out = 2,  // some particle had been inside one, by more than a hundredth of its body's size
    slippery = 4,  // some particle touched one without friction
};

struct OutputRange {
    const float* position = nullptr;
    const float* displacement = nullptr;
    const std::uint32_t* slot_of = nullptr;  // user's index → slot
    std::size_t first = 0, count = 0;        // of user's indices
    float origin[4] = {};
    float velocity_scale = 0;    // 1/h
    float* positions = nullptr;  // three floats per particle, the user's order, in the world
    float* velocities = nullptr;
};

// Tetrahedra in blocks of 16, the last one perhaps not full.
struct TetrahedronRange {
    const float* position = nullptr;
    const std::uint32_t* offsets = nullptr;  // [block][4][16], byte offsets of particles
    std::size_t count = 0;
};

struct Kernels {
    const char* name;
    // [sort of cluster][form]
    void (*project[constraints::AllClusters::size][projection_forms])(const ProjectionRun&);
    void (*apply_wind)(const ParticleRange&);    // u += what the air adds
    void (*begin)(const ParticleRange&);         // u += h²·(g + w·f); x* = x + u; x = x*
    void (*finish)(const ParticleRange&);        // x = x* + c, u += c, c = x − x*, limited
    void (*finish_begin)(const ParticleRange&);  // both, in one pass
    // Push x out of colliders, with friction; says by bits of ContactBits what was met.
    unsigned (*collide)(const ParticleRange&);
    unsigned (*collide_finish)(const ParticleRange&);  // the same, then as finish, with restitution
    bool (*in_range)(const ParticleRange&);            // no NaN, nothing beyond number_limit
    float (*fastest)(const ParticleRange&);            // largest |u| along any axis
    void (*moments)(const ParticleRange&, double* sums);
    void (*moments_in_double)(const ParticleRange&, double* sums);
    void (*add_motion)(const ParticleRange&);  // u = keep·u + shift + spin×x
    // Lowest and highest coordinates, four floats each, before and after the substep so far.
    void (*bounds)(const ParticleRange&, float* low_high);
    bool (*is_within)(const ParticleRange&, const float* low_high);  // x and x*, of all particles
    void (*output)(const OutputRange&);
    void (*restrict_groups)(const RestrictRun&);
    void (*factorize)(const FactorRun&);
    void (*solve_factor)(const SolveRun&);
    void (*strain_boxes)(const BoxRun&);
    void (*prolong)(const ProlongRun&);
    void (*pull_links)(const LinkRun&);
    void (*tether_sheet)(const SheetRun&);
    void (*carry_sheet)(const SheetRun&);
    std::uint32_t (*count_inverted)(const TetrahedronRange&);  // J ≤ 0
    void (*solve_strands)(const StrandRun&);
    void (*find_starts)(const StartRun&);
    void (*move_patch)(const PatchMotionRun&);
    void (*shape_patch)(const PatchShapeRun&);
    unsigned (*meet_boxes)(const BoxGroup&, const Box3&);
    void (*search_pairs)(PairSearch&);
    void (*find_contacts)(ContactSearch&);
    void (*solve_contacts)(const ContactRun&);
    void (*find_unsafe)(UnsafeSearch&);
    void (*find_crossings)(CrossingSearch&);
    void (*bound_faces)(const FaceBoundsRun&);
    void (*find_face_contacts)(FaceSearch&);
    void (*solve_rods)(const StrandRun&);
    void (*solve_hair)(const StrandRun&);
    void (*push_grains)(const GrainRun&);
    void (*sweep_grains)(const GrainRun&);
    bool (*solve_long_rope)(const StrandRun&);  // false: nothing was found, and nothing moved
};

}  // namespace pliant::solvers::position_based
