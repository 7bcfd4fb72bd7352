// Scratch memory of a simulation, so that a step allocates nothing. What is in it follows from the model, the
// plan and the state: it is not saved with them.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "base/aligned.h"
#include "collision/local_colliders.h"
#include "solvers/motion_sums.h"
#include "solvers/position_based/cloth/cloth_step.h"
#include "solvers/position_based/clusters/split_runs.h"
#include "solvers/position_based/coarse/coarse_step.h"
#include "solvers/position_based/contact/contact_step.h"
#include "solvers/position_based/faces/face_step.h"
#include "solvers/position_based/grains/grain_step.h"
#include "solvers/position_based/plan.h"
#include "solvers/position_based/projection.h"
#include "solvers/position_based/strands/pressed_strands.h"
#include "solvers/position_based/strands/strand_step.h"
#include "solvers/rescue.h"
#include "solvers/wind.h"

namespace pliant::solvers::position_based {

// λ of every constraint of a sort of clusters, as they are laid out; empty where a single iteration needs
// none.
template <class Cluster>
struct Multipliers {
    AlignedVector<float> blocks;   // [block][rows][16]
    std::vector<float> remainder;  // [cluster][rows]
};

// Rest values as they are now; empty while they are the plan's own.
template <class Cluster>
struct ChangedRestBlocks {
    PackedRests packed;
};

// A box in which particles of a chunk touch no collider, seen from its island: low and high corner, four
// floats each. Empty where nothing is known.
struct ClearBox {
    float low_high[8] = {1, 1, 1, 0, -1, -1, -1, 0};
};

// What an island must have at the end of a frame if nothing but gravity acts on it.
struct KeptMomentum {
    bool is_free = false;
    Vec3d linear;   // per mass, m per substep
    Vec3d angular;  // about the centre of mass
};

// What the settling of a frame finds (solvers/settle.h).
struct SquareSum {
    double count = 0, sum = 0, most = 0;  // of squares
};
struct SettlingIsland {
    enum class Task { none, settle, hold, stop } task = Task::none;
    bool acts = false, is_carried = false, is_first = false, begins_period = false, ends_period = false;
    SquareSum squares{};
    float share = 0;
};
struct SettlingWorkspace {
    std::vector<SquareSum> sums;  // of each chunk
    std::vector<SettlingIsland> islands;
    std::vector<std::uint32_t> group_of;  // of each island: another that it touches, in the end one of all
    std::vector<std::uint8_t> is_awake;   // of each group's first
};

struct Workspace {
    std::vector<Softness<float>> softness;  // of each material part
    std::vector<float> max_corrections;     // of each island, m per substep
    std::vector<std::uint8_t> contacts;     // of each chunk in this frame: ContactBits
    std::vector<std::uint8_t> is_clear;     // of each chunk: none of its particles touches a collider
    std::vector<ClearBox> clear_boxes;      // of each chunk
    AlignedVector<float> starts;            // by slot: ParticleArrays::start
    std::vector<collision::LocalColliders> colliders;  // of each island
    std::vector<collision::LocalColliders> near;       // of each subdomain: what a chunk may touch
    std::vector<Collider> colliders_before;            // as they were at the start of the substep
    AllClusters::Each<Multipliers> multipliers;
    AllClusters::Each<SplitRuns> split_runs;
    std::vector<std::atomic<std::uint32_t>> interface_arrivals;

    AllClusters::Each<ChangedRestBlocks> rests;
    std::uint64_t packed_changes = 0;  // State::rest_changes that `rests` has

    VertexTriangles vertex_triangles;   // made when there is air
    AlignedVector<float> air_loads;     // floats_per_air_load by slot
    AlignedVector<float> line_vectors;  // m², by slot; empty where no lines are in the air
    MotionSums motion;
    std::vector<KeptMomentum> kept_momenta;  // of each island
    CoarseWorkspace coarse;
    ClothWorkspace cloth;
    StrandWorkspace strands;
    PressWorkspace pressed;
    ContactWorkspace contact;
    FaceWorkspace faces;
    GrainWorkspace grains;
    std::vector<std::uint8_t> touched;  // islands that touched another one in this frame
    SettlingWorkspace settling;
    RescueMemory rescue;

    // The plan or the state were replaced: what was derived from them is made anew.
    void forget() {
        packed_changes = 0;
        split_runs = {};
        coarse.prepared_substep = 0;
        cloth = {};
        strands.packed_changes = 0;
        pressed.is_prepared = false;
        contact.is_valid = false;
        contact.reports.body_at.clear();
        grains.is_listed = false;
    }
};

}  // namespace pliant::solvers::position_based
