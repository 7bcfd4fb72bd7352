#include "solvers/position_based/strands/strand_step.h"

#include <algorithm>
#include <limits>

#include "constraints/roles.h"

namespace pliant::solvers::position_based {
namespace {

constexpr std::size_t softness_values = 3;
constexpr std::size_t short_enough = strand_nodes_on_stack;

void pack_rests(const model::Model& model, const StrandSet& strands, const model::State& state,
                StrandWorkspace& workspace) {
    if (workspace.packed_changes == state.rest_changes + 1) return;
    const auto& rests = model::Rests(model, state).of<constraints::Link>();
    workspace.rests.resize(strands.links.size());
    for (std::size_t i = 0; i < strands.links.size(); ++i) {
        workspace.rests[i] = strands.links[i] == no_link ? std::numeric_limits<float>::quiet_NaN()
                                                         : rests[strands.links[i]].length;
    }
    workspace.packed_changes = state.rest_changes + 1;
}

void reserve(const StrandSet& strands, StrandWorkspace& workspace) {
    if (workspace.multipliers.size() == strands.links.size() &&
        workspace.scratch_begins.size() == strands.groups.size())
        return;
    workspace.multipliers.assign(strands.links.size(), 0.0f);
    workspace.softness.resize(strands.groups.size() * softness_values * block_size);
    workspace.is_damped.resize(strands.groups.size());
    workspace.is_rigid.resize(strands.ties.size());
    workspace.inverse_masses.resize(strands.ties.size());
    workspace.scratch_begins.clear();
    std::size_t floats = 0;
    for (const StrandGroup& group : strands.groups) {
        workspace.scratch_begins.push_back(floats);
        if (group.nodes > short_enough) floats += group.nodes * strand_scratch_bytes / sizeof(float);
    }
    workspace.scratch.resize(floats);
}

float* particle_at(const ParticleArrays& particles, std::uint32_t offset) {
    return particles.position + offset / sizeof(float);
}

// Where a particle and those that it is tied to are together: their centre of mass, or where one is held.
// ties: of one particle.
void join(std::span<const StrandTie> ties, const std::uint8_t* is_rigid, const ParticleArrays& particles,
          float& kept) {
    float* own = particle_at(particles, ties[0].offset);
    kept = own[3];
    if (!(own[3] > 0)) return;
    double mass = 1 / double(own[3]);
    Vec3d sum = Vec3d{own[0], own[1], own[2]} * mass;
    for (std::size_t i = 0; i < ties.size(); ++i) {
        if (!is_rigid[i]) continue;
        const float* other = particle_at(particles, ties[i].other);
        if (!(other[3] > 0)) {
            std::copy_n(other, 4, own);
            return;
        }
        mass += 1 / double(other[3]);
        sum = sum + Vec3d{other[0], other[1], other[2]} * (1 / double(other[3]));
    }
    const Vec3d center = sum * (1 / mass);
    own[0] = static_cast<float>(center.x);
    own[1] = static_cast<float>(center.y);
    own[2] = static_cast<float>(center.z);
    own[3] = static_cast<float>(1 / mass);
}

void part(std::span<const StrandTie> ties, const std::uint8_t* is_rigid, const ParticleArrays& particles,
          float kept) {
    float* own = particle_at(particles, ties[0].offset);
    own[3] = kept;
    if (!(kept > 0)) return;
    for (std::size_t i = 0; i < ties.size(); ++i) {
        float* other = particle_at(particles, ties[i].other);
        if (is_rigid[i] && other[3] > 0) std::copy_n(own, 3, other);
    }
}

// Calls f(ties of one particle, number of the first).
template <class F>
void for_each_tied(const StrandSet& strands, const StrandGroup& group, F&& f) {
    const std::span<const StrandTie> ties(strands.ties.data() + group.first_tie, group.ties);
    for (std::size_t first = 0; first < ties.size();) {
        std::size_t end = first + 1;
        while (end < ties.size() && ties[end].offset == ties[first].offset) ++end;
        f(ties.subspan(first, end - first), group.first_tie + first);
        first = end;
    }
}

void solve_group(const StrandSet& strands, std::size_t g, const Kernels& kernels,
                 const ParticleArrays& particles, StrandWorkspace& workspace) {
    const StrandGroup& group = strands.groups[g];
    for_each_tied(strands, group, [&](std::span<const StrandTie> ties, std::size_t first) {
        join(ties, workspace.is_rigid.data() + first, particles, workspace.inverse_masses[first]);
    });
    StrandRun run;
    run.particles = particles;
    run.offsets = strands.offsets.data() + group.first_node * block_size;
    run.rests = workspace.rests.data() + group.first_node * block_size;
    run.multipliers = workspace.multipliers.data() + group.first_node * block_size;
    run.nodes = group.nodes;
    run.strands = group.strands;
    run.compliance = workspace.softness.data() + g * softness_values * block_size;
    run.compliance_per_measure = run.compliance + block_size;
    run.damping = run.compliance_per_measure + block_size;
    run.is_damped = workspace.is_damped[g];
    run.scratch = workspace.scratch.data() + workspace.scratch_begins[g];
    kernels.solve_strands(run);
    for_each_tied(strands, group, [&](std::span<const StrandTie> ties, std::size_t first) {
        part(ties, workspace.is_rigid.data() + first, particles, workspace.inverse_masses[first]);
    });
}

}  // namespace

void prepare_strands(const model::Model& model, const StrandSet& strands, const model::State& state,
                     const Settings& settings, std::span<const Softness<float>> softness,
                     StrandWorkspace& workspace) {
    workspace.is_active = !strands.empty() && settings.method == Method::xpbd;
    if (!workspace.is_active) return;
    reserve(strands, workspace);
    pack_rests(model, strands, state, workspace);
    for (std::size_t g = 0; g < strands.groups.size(); ++g) {
        float* values = workspace.softness.data() + g * softness_values * block_size;
        workspace.is_damped[g] = 0;
        for (std::size_t lane = 0; lane < block_size; ++lane) {
            const Softness<float>& of = softness[strands.parts[g * block_size + lane]];
            values[lane] = of.compliance;
            values[block_size + lane] = of.compliance_per_measure;
            values[2 * block_size + lane] = of.damping;
            workspace.is_damped[g] |= of.damping > 0;
        }
    }
    for (std::size_t i = 0; i < strands.ties.size(); ++i)
        workspace.is_rigid[i] = form_of(softness[strands.ties[i].part], 1) == ProjectionForm::rigid;
}

void solve_strands(const StrandSet& strands, const Kernels& kernels, const ParticleArrays& particles,
                   bool is_first_iteration, StrandWorkspace& workspace, Executor& executor) {
    if (!workspace.is_active) return;
    if (is_first_iteration) std::fill(workspace.multipliers.begin(), workspace.multipliers.end(), 0.0f);
    const std::size_t colours = strands.colours.size() - 1;
    const auto solve_colour = [&](std::size_t colour) {
        const std::size_t first = strands.colours[colour];
        executor.for_each(strands.colours[colour + 1] - first, [&](std::size_t i) {
            solve_group(strands, first + i, kernels, particles, workspace);
        });
    };
    // A sweep in one direction can pump energy; there and back cannot.
    for (std::size_t colour = 0; colour < colours; ++colour) solve_colour(colour);
    for (std::size_t colour = colours - 1; colour-- > 0;) solve_colour(colour);
}

}  // namespace pliant::solvers::position_based
