// What touched in a frame, for those who want to know: bodies with bodies and with colliders, how hard,
// where.
//
// Colliders sum up what they push as they do it, chunk by chunk; contacts between bodies keep the sum of
// their pushes over the sweeps. A push of the mass m by Δx in a substep of h seconds is the impulse m·Δx/h.
#pragma once

#include <cstdint>
#include <vector>

#include "model/state.h"
#include "solvers/position_based/contact/contact_runs.h"

namespace pliant::solvers::position_based {

struct Plan;
struct ParticleRange;
struct ParticleArrays;

struct ReportWorkspace {
    struct Pair {
        std::uint32_t body = 0, other = 0;
        bool is_collider = false;
        PushSum sum{};  // of normals and points in the world
    };
    // What a particle touched last in this frame: a collider, or a body.
    static constexpr std::uint32_t no_partner = ~std::uint32_t{0}, body_flag = std::uint32_t{1} << 31;

    bool is_on = false;
    std::vector<std::uint32_t> partners;         // by slot
    std::vector<std::uint32_t> body_at, row_at;  // by slot; row_at: where its body's pushes begin
    std::vector<std::uint32_t> row_bodies;       // of each row
    std::vector<std::uint32_t> islands;          // of each body
    std::vector<PushSum> rows;                   // [row][collider][depths, bounces]
    std::vector<Pair> bodies, pairs;             // in the order of bodies; all of the frame
};

void begin_reports(const model::Model& model, const Plan& plan, const model::State& state,
                   const Settings& settings, ReportWorkspace& reports);
void give_reports(ReportWorkspace& reports, ParticleRange& range);
// After the contacts of a substep were solved. pushes: four floats each.
void report_contacts(const std::vector<Contact>& contacts, const std::vector<float>& pushes,
                     const ParticleArrays& particles, const model::State& state, ReportWorkspace& reports);
// What a level has pushed a particle out of what it touches, kg·m.
void add_push_of_level(std::size_t slot, const Vec3d& push, const Vec3d& normal,
                       const ParticleArrays& particles, const model::State& state, ReportWorkspace& reports);
void end_reports(model::State& state, const Settings& settings, double h, ReportWorkspace& reports);

}  // namespace pliant::solvers::position_based
