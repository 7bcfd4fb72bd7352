#include "solvers/position_based/strands/strand_step.h"

#include <algorithm>
#include <utility>

namespace pliant::solvers::position_based {
namespace {

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
        const float* other = particle_at(particles, ties[i].other_offset);
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
        float* other = particle_at(particles, ties[i].other_offset);
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

// The rings of a net move on in the state, so that a restore finds them where they were.
void solve_net_group(const StrandContext& context, std::size_t g, const StrandPass& pass) {
    const StrandSet& strands = context.strands;
    const StrandGroup& group = strands.groups[g];
    NetWorkspace& net = context.workspace.nets[g];
    const std::span<const StrandGroup> chains(strands.chains.data() + group.first_chain, group.chains);
    const StrandRing* rings = strands.rings.data() + chains[0].first_ring;
    net.ring_offsets.clear();
    net.ring_segments.clear();
    for (const StrandGroup& chain : chains) {
        for (std::size_t i = 0; i < chain.rings; ++i) {
            const StrandRing& ring = strands.rings[chain.first_ring + i];
            net.ring_offsets.push_back(ring.offset);
            net.ring_segments.push_back(context.state.ring_segments[ring.number]);
        }
    }
    net.ropes.clear();
    std::size_t first = 0;
    for (std::size_t i = 0; i < chains.size(); ++i) {
        const std::size_t begin = chains[i].first_node * block_size, count = chains[i].nodes * block_size;
        const float* softness =
            context.workspace.chain_softness.data() + (group.first_chain + i) * softness_values;
        net.ropes.push_back({{strands.offsets.data() + begin, count},
                             {context.workspace.rests.data() + begin, count},
                             {context.state.tensions.data() + begin, count},
                             std::span(net.ring_offsets).subspan(first, chains[i].rings),
                             std::span(net.ring_segments).subspan(first, chains[i].rings),
                             double(softness[0]),
                             double(softness[1]),
                             double(softness[2])});
        first += chains[i].rings;
    }
    const RopeNet run{
        {context.state.position.data(), context.state.predicted.data(), context.state.displacement.data()},
        net.ropes,
        std::span(strands.ties).subspan(group.first_tie, group.ties),
        std::span(context.workspace.is_rigid).subspan(group.first_tie, group.ties),
        !pass.is_first_iteration};
    solve_net(run, net);
    for (std::size_t i = 0; i < first; ++i)
        context.state.ring_segments[rings[i].number] = net.ring_segments[i];
}

// In pieces, if that finds the lengths, else as one chain.
void solve_long_rope(const StrandContext& context, const StrandGroup& group, StrandRun run,
                     const StrandPass& pass) {
    float* tensions = context.state.tensions.data() + group.first_node * block_size;
    run.is_repeat = !pass.is_first_iteration;
    std::swap(tensions, run.multipliers);
    if (!run.is_damped && context.kernels.solve_long_rope(run)) return;
    std::swap(tensions, run.multipliers);
    const StrandSet& strands = context.strands;
    const StrandGroup& whole = strands.chains[group.first_chain];
    const std::size_t begin = whole.first_node * block_size;
    run.offsets = strands.offsets.data() + begin;
    run.rests = context.workspace.rests.data() + begin;
    run.multipliers = context.workspace.multipliers.data() + begin;
    run.nodes = whole.nodes;
    run.strands = whole.strands;
    if (pass.is_first_iteration) std::fill_n(run.multipliers, whole.nodes * block_size, 0.0f);
    context.kernels.solve_strands(run);
    std::size_t link = 0;
    for (std::size_t piece = 0; piece < block_size; ++piece) {
        for (std::size_t slot = piece; slot < group.nodes * block_size; slot += block_size) {
            if (strands.links[group.first_node * block_size + slot] == no_link) continue;
            tensions[slot] = run.multipliers[link++ * block_size];
        }
    }
}

void solve_group(const StrandContext& context, std::size_t g, const StrandPass& pass) {
    const StrandSet& strands = context.strands;
    const Kernels& kernels = context.kernels;
    model::PositionBasedState& state = context.state;
    StrandWorkspace& workspace = context.workspace;
    const ParticleArrays particles{state.position.data(), state.predicted.data(), state.displacement.data()};
    const StrandGroup& group = strands.groups[g];
    if (group.sort == StrandSort::net) {
        solve_net_group(context, g, pass);
        return;
    }
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
    const bool is_rod = group.sort == StrandSort::rod;  // which only tell what they find
    if (is_rod ||
        (pass.is_first_iteration && group.sort != StrandSort::hair && group.sort != StrandSort::pieces))
        std::fill_n(run.multipliers, group.nodes * block_size, 0.0f);
    if (is_rod && pass.is_first_iteration) {
        std::fill_n(workspace.moved.data() + group.first_node * 3 * block_size, group.nodes * 3 * block_size,
                    0.0f);
    }
    if (group.sort == StrandSort::chain) {
        kernels.solve_strands(run);
    } else if (group.sort == StrandSort::pieces) {
        solve_long_rope(context, group, run, pass);
    } else {
        run.joints = workspace.joints.data() + group.first_node * rod_joint_values * block_size;
        run.frames = state.frames.data() + group.first_node * rod_frame_values * block_size;
        run.moved = workspace.moved.data() + group.first_node * 3 * block_size;
        run.is_repeat = !pass.is_first_iteration;
        run.is_first_substep = pass.is_first_substep;
        (group.sort == StrandSort::rod ? kernels.solve_rods : kernels.solve_hair)(run);
    }
    for_each_tied(strands, group, [&](std::span<const StrandTie> ties, std::size_t first) {
        part(ties, workspace.is_rigid.data() + first, particles, workspace.inverse_masses[first]);
    });
}

}  // namespace

void solve_bundles(const StrandContext& context, std::size_t subdomain, const StrandPass& pass) {
    const StrandSet& strands = context.strands;
    if (!context.workspace.is_active || strands.bundles == 0) return;
    for (std::size_t i = strands.subdomain_first[subdomain]; i < strands.subdomain_first[subdomain + 1]; ++i)
        solve_group(context, strands.subdomain_bundles[i], pass);
}

void solve_strands(const StrandContext& context, const StrandPass& pass, Executor& executor) {
    const StrandSet& strands = context.strands;
    if (!context.workspace.is_active || strands.is_bundled()) return;
    const std::size_t colours = strands.colours.size() - 1;
    const auto solve_colour = [&](std::size_t colour, const StrandPass& own) {
        const std::size_t first = strands.colours[colour];
        executor.for_each(strands.colours[colour + 1] - first,
                          [&](std::size_t i) { solve_group(context, first + i, own); });
    };
    // A sweep in one direction can pump energy; there and back cannot.
    for (std::size_t colour = 0; colour < colours; ++colour) solve_colour(colour, pass);
    for (std::size_t colour = colours - 1; colour-- > 0;) solve_colour(colour, {false, false});
}

}  // namespace pliant::solvers::position_based
