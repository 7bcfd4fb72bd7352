// What moves. A value: copying it saves the simulation, assigning it restores it.
#pragma once

#include <pliant/description.h>
#include <pliant/vector.h>

#include <array>
#include <cstdint>
#include <tuple>
#include <vector>

#include "base/aligned.h"
#include "model/model.h"

namespace pliant::model {

// A particle that goes where it is told: grabbed, or the anchor of an attachment.
struct DrivenParticle {
    std::uint32_t particle = 0;
    Vec3d target;  // m, in the world, to be reached at the end of the next step
};

// A collider on its way.
struct MovedCollider {
    std::uint32_t collider = 0;
    ColliderShape target;  // where it is to be at the end of the next step
};

// Rest values that differ from the model's: nothing, or a copy of all of a kind's, made at the first write.
template <class Kind>
struct ChangedRests {
    std::vector<constraints::RestOf<Kind>> values;
};

// What the watch over tetrahedra that are inside out remembers.
struct RescueState {
    struct Timer {
        double need = 0;   // s: how long the body has been in need
        int rescues = 0;   // that it has had of late
        double drawn = 0;  // s: how long the one that goes on has lasted
        double last = 0;   // s: when it was in need, or forgot a rescue
    };
    std::vector<Timer> timers;  // of each body
    double next_scan = 0;       // s
};

// How far an island is on its way to rest.
struct RestingIsland {
    double calm = 0;                   // s: for how long it has touched something and been slow
    std::uint32_t frames = 0;          // of the period
    std::uint32_t periods = 0;         // that are over
    std::uint32_t frames_at_rest = 0;  // 0: it moves
    bool is_still = false;             // in the last period it was where it was in the one before
    Vec3d origin{};                    // m, in the period
};

// How far the air has gone (solvers/air_motion.h).
struct AirPath {
    Vec3d drift{};      // m, with the wind
    double eddies = 0;  // m, by the speed of the eddies
    double gusts = 0;   // in turns of the slowest wave of gusts
};

// Two grains that touched in the last substep, by their numbers among grains.
struct GrainContact {
    std::uint32_t a = 0, b = 0;
    Vec3 push{};  // m: by how much both were moved from each other, friction included
};

// What the list of pairs of grains was made of: from it, it is made again.
struct GrainList {
    std::vector<Vec3> points;    // of each grain, m from the origin of the first one's island
    std::vector<float> extents;  // of each grain, m: radius and how far it may move before a new list is due
    std::vector<Vec3d> origins;  // of each island, m
};

// What only position-based solvers have: arrays with four floats per slot (solvers/position_based/plan.h).
struct PositionBasedState {
    // With float32, v = (x − p)/h of absolute positions is wrong by several per cent at 80 substeps: h²·g
    // falls below the rounding of a position. So the displacement per substep is kept instead of the
    // velocity, and what is added to it is the difference of the solved and the predicted position, which is
    // exact (they are near each other).
    AlignedVector<float> position;      // x, y, z relative to the island's origin; inverse mass, 0 if held
    AlignedVector<float> predicted;     // where the particle would have gone without constraints
    AlignedVector<float> displacement;  // u = h·v
    AlignedVector<float> forces;        // N; empty while there are none
    // Of particles that touched a collider at the end of the last substep; empty where no level wants them.
    AlignedVector<float> contacts;  // normal, 0 without contact; how far the coarse level pushes it out,
                                    // which loads friction
    AlignedVector<float> surfaces;  // how far the surface moved in the substep; coefficient of friction
    // Material frames of rods' segments, as the plan has its strands: [node][6][16]; empty before the first
    // step.
    AlignedVector<float> frames;
    // Tension of long ropes, as the plan has its strands: [node][16], h²·N; empty before the first step.
    AlignedVector<float> tensions;
    // Of what may come to rest (solvers/settle.h); empty where nothing can.
    AlignedVector<float> mean_velocities;  // m/s; of what is at rest: the velocity it would have
    AlignedVector<float> places;           // m, sums over the frames of a period; of what is at rest: where
    AlignedVector<float> last_places;      // m, mean over the period before
    std::vector<std::uint32_t> ring_segments;  // of each ring; empty before the first step
    std::vector<GrainContact> grain_contacts;
    GrainList grain_list;
    bool is_tangled = false;  // surfaces were through each other when last looked at
    float substep = 0;        // s, the h that displacements refer to
};

struct State {
    std::vector<Vec3d> origins;  // of each island, m, multiples of its grid
    std::vector<DrivenParticle> driven;
    std::vector<Collider> colliders;  // where they are now
    std::vector<MovedCollider> moved_colliders;
    constraints::AllKinds::Each<ChangedRests> rests;
    std::uint64_t rest_changes = 0;  // how often rests were written
    std::uint64_t frame = 0;
    double time = 0;                    // s
    std::uint64_t repaired = 0;         // particles that had left the range of numbers
    std::vector<double> recent_speeds;  // of each island, m/s: how fast something in it was a moment ago
    std::vector<RestingIsland> resting;
    Vec3 last_gravity{};           // m/s², of the last frame
    std::vector<double> came_out;  // of each island, s: when some of it was inside a collider
    std::uint64_t rescues = 0;     // bodies × frames in which one was drawn to its rest shape
    RescueState rescue;
    AirPath air;
    PositionBasedState position_based;
    std::vector<ContactReport> contacts;  // of the last frame, if they are reported

    // For the user: the scene's order, in the world.
    std::vector<Vec3> visible_positions, visible_velocities;
    std::vector<Vec3> visible_normals;  // of each line; empty without rods
};

// The rests in force, by kind: the state's where they changed, else the model's.
class Rests {
public:
    Rests(const Model& model, const State& state) : model_(model), state_(state) {}

    template <class Kind>
    const std::vector<constraints::RestOf<Kind>>& of() const {
        const auto& changed = std::get<ChangedRests<Kind>>(state_.rests).values;
        return changed.empty() ? constraints::list_of<Kind>(model_.constraints).rests : changed;
    }

private:
    const Model& model_;
    const State& state_;
};

template <class Kind>
void set_rest(const Model& model, State& state, std::size_t constraint,
              const constraints::RestOf<Kind>& rest) {
    auto& changed = std::get<ChangedRests<Kind>>(state.rests).values;
    if (changed.empty()) changed = constraints::list_of<Kind>(model.constraints).rests;
    changed[constraint] = rest;
    ++state.rest_changes;
}

}  // namespace pliant::model
