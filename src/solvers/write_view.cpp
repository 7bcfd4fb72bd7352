#include "solvers/write_view.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace pliant::solvers {
namespace {

using model::Model;
using model::State;
using position_based::IslandSlots;
using position_based::ParticleChunk;
using position_based::Plan;

bool in_range(const float* p) {
    for (int c = 0; c < 3; ++c) {
        if (!(abs(p[c]) <= position_based::number_limit)) return false;
    }
    return true;
}

double snap(double a, double grid) { return std::round(a / grid) * grid; }

// Keeps an island within about half its size of its origin, so that float positions stay fine however far it
// flies; the median, because a single particle may fly off on its own. The shift is a multiple of the
// grid: subtracting it is exact where it matters.
void rebase(const model::Island& island, const IslandSlots& slots, AlignedVector<float>& position,
            Vec3d& origin) {
    const auto shift_along = [&](std::size_t axis) {
        std::array<float, 5> x;
        for (std::size_t k = 0; k < 5; ++k) x[k] = position[slots.samples[k] * floats_per_particle + axis];
        std::sort(x.begin(), x.end());
        return abs(x[2]) > 0.5 * island.size ? snap(x[2], island.grid()) : 0.0;
    };
    const Vec3d shift{shift_along(0), shift_along(1), shift_along(2)};
    if (shift == Vec3d{}) return;
    origin = origin + shift;
    for (std::size_t i = slots.first; i < slots.first + slots.count; ++i) {
        float* x = position.data() + i * floats_per_particle;
        x[0] = static_cast<float>(x[0] - shift.x);
        x[1] = static_cast<float>(x[1] - shift.y);
        x[2] = static_cast<float>(x[2] - shift.z);
    }
}

void write_normals(const position_based::StrandSet& strands, State& state) {
    const AlignedVector<float>& now = state.position_based.frames;
    const AlignedVector<float>& frames = now.empty() ? strands.start_frames : now;
    constexpr std::size_t lanes = block_size, normal = 3 * lanes;
    for (const position_based::RodLine& line : strands.rod_lines) {
        const float* m = frames.data() + line.frame + normal;
        state.visible_normals[line.line] = {m[0], m[lanes], m[2 * lanes]};
    }
}

}  // namespace

std::uint64_t repair_particles(const Model& model, const Plan& plan, State& state,
                               const ParticleChunk& chunk) {
    std::uint64_t repaired = 0;
    for (std::size_t i = chunk.first; i < chunk.first + chunk.count; ++i) {
        float* x = state.position_based.position.data() + i * floats_per_particle;
        float* u = state.position_based.displacement.data() + i * floats_per_particle;
        if (in_range(x) && in_range(u)) continue;
        ++repaired;
        const Vec3d& origin = state.origins[chunk.island];
        const std::uint32_t particle = plan.particle_at[i];
        Vec3d seen = origin;
        if (particle < model.visible) {
            const Vec3& last = state.visible_positions[particle];
            seen = {last.x, last.y, last.z};
        }
        x[0] = static_cast<float>(seen.x - origin.x);
        x[1] = static_cast<float>(seen.y - origin.y);
        x[2] = static_cast<float>(seen.z - origin.z);
        u[0] = u[1] = u[2] = 0;
    }
    return repaired;
}

void write_view(const Model& model, const Plan& plan, State& state, const StepContext& context) {
    const model::PositionBasedState& particles = state.position_based;
    for (std::size_t i = 0; i < plan.islands.size(); ++i)
        rebase(model.islands[i], plan.islands[i], state.position_based.position, state.origins[i]);
    write_normals(plan.strands, state);

    context.executor.for_each(plan.view_chunks.size(), [&](std::size_t i) {
        const ParticleChunk& chunk = plan.view_chunks[i];
        const Vec3d& origin = state.origins[chunk.island];
        position_based::OutputRange range;
        range.position = particles.position.data();
        range.displacement = particles.displacement.data();
        range.slot_of = plan.slot_of.data();
        range.first = chunk.first;
        range.count = chunk.count;
        range.origin[0] = static_cast<float>(origin.x);
        range.origin[1] = static_cast<float>(origin.y);
        range.origin[2] = static_cast<float>(origin.z);
        range.velocity_scale = 1 / particles.substep;
        range.positions = &state.visible_positions.data()->x;
        range.velocities = &state.visible_velocities.data()->x;
        context.kernels.output(range);
    });
}

}  // namespace pliant::solvers
