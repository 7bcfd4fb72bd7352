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
    workspace.joint_materials.clear();
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
        if (group.sort == StrandSort::rod) {
            floats += group.nodes * rod_scratch_bytes / sizeof(float);
        } else if (group.nodes > short_enough) {
            floats += group.nodes * strand_scratch_bytes / sizeof(float);
        }
    }
    workspace.scratch.resize(floats);
    workspace.threaded.clear();
    workspace.threaded.resize(strands.rings.empty() ? 0 : strands.groups.size());
    for (std::size_t g = 0; g < workspace.threaded.size(); ++g) {
        const StrandGroup& group = strands.groups[g];
        if (group.rings > 0) workspace.threaded[g].reserve(group.nodes, group.rings);
    }
    const std::size_t nodes = strands.start_frames.size() / rod_frame_values;  // × 16
    workspace.joints.assign(nodes * rod_joint_values, 0.0f);
    workspace.moved.assign(nodes * 3, 0.0f);
}

// h²B₁/l, h²B₂/l, h²GJ/l and the curvature that the material keeps. 2·tan(φ/2) grows faster than the angle φ
// that it stands for, by 1 + κ̄²/4 where the rod is at rest. Zero where a segment is missing.
struct JointMaterial {
    Softness<float> bending, twisting;
    float curl = 1, ratio = 1;  // B₁/B₂, of ribbons: along their width
};
void prepare_joint(const StrandSet& strands, const JointMaterial& material, std::size_t node,
                   std::size_t lane, bool is_inner, StrandWorkspace& workspace) {
    const auto rest = [&](std::size_t i) { return double(workspace.rests[i * block_size + lane]); };
    const auto stiffness = [](const Softness<float>& of, double length) {
        const double compliance = of.compliance + of.compliance_per_measure * length;
        return compliance < 1e29 ? 1 / std::max(compliance, 1e-30) : 0.0;
    };
    const auto put = [&](std::size_t k, double value) {
        workspace.joints[(node * rod_joint_values + k) * block_size + lane] = static_cast<float>(value);
    };
    const double behind = rest(node);
    put(5, behind > 0 ? std::max(1e-7 * stiffness(material.twisting, behind), 1e-30) : 1.0);
    const double length = is_inner ? (rest(node - 1) + behind) / 2 : 0;  // NaN: a segment is missing
    const bool is_there = is_inner && length > 0;
    double curvature[2];
    for (std::size_t k = 0; k < 2; ++k) {
        curvature[k] =
            is_there ? double(material.curl) * strands.curvatures[(node * 2 + k) * block_size + lane] : 0;
        put(k, curvature[k]);
    }
    const double slope = 1 + (curvature[0] * curvature[0] + curvature[1] * curvature[1]) / 4;
    const double bending = is_there ? stiffness(material.bending, length) / (slope * slope) : 0;
    put(2, bending * double(material.ratio));
    put(3, bending);
    put(4, is_there ? stiffness(material.twisting, length) : 0);
}

// h²B/l³ of a joint of hair, as long as the mean of its segments.
void prepare_hair_joint(const Softness<float>& bending, std::size_t node, std::size_t lane, bool is_inner,
                        StrandWorkspace& workspace) {
    double stiffness = 0;
    if (is_inner) {
        const double length = (double(workspace.rests[(node - 1) * block_size + lane]) +
                               double(workspace.rests[node * block_size + lane])) /
                              2;  // NaN: none
        const double compliance =
            (bending.compliance + bending.compliance_per_measure * length) * length * length;
        if (compliance < 1e29) stiffness = 1 / std::max(compliance, 1e-30);
    }
    workspace.joints[node * rod_joint_values * block_size + lane] = static_cast<float>(stiffness);
}

// True if what joints are made from is still the same.
bool is_prepared(const model::Model& model, std::span<const Softness<float>> softness,
                 std::span<const model::MaterialValues> materials, StrandWorkspace& workspace) {
    constexpr std::size_t values = 6;
    auto& known = workspace.joint_materials;
    bool same = known.size() == model.rods.size() * values;
    known.resize(model.rods.size() * values);
    for (std::size_t i = 0; i < model.rods.size(); ++i) {
        const Softness<float>&b = softness[model.rods[i].bending], &t = softness[model.rods[i].twisting];
        const float now[values] = {b.compliance,
                                   b.compliance_per_measure,
                                   t.compliance,
                                   t.compliance_per_measure,
                                   materials[model.rods[i].bending].constants[0],
                                   materials[model.rods[i].bending].constants[1]};
        same = same && std::equal(now, now + values, known.begin() + static_cast<std::ptrdiff_t>(i * values));
        std::copy_n(now, values, known.begin() + static_cast<std::ptrdiff_t>(i * values));
    }
    return same;
}

void prepare_rods(const model::Model& model, const StrandSet& strands,
                  std::span<const Softness<float>> softness, std::span<const model::MaterialValues> materials,
                  model::PositionBasedState& state, StrandWorkspace& workspace) {
    if (state.frames.size() != strands.start_frames.size()) state.frames = strands.start_frames;
    if (is_prepared(model, softness, materials, workspace)) return;
    for (std::size_t g = 0; g < strands.groups.size(); ++g) {
        const StrandGroup& group = strands.groups[g];
        if (group.sort == StrandSort::chain || group.sort == StrandSort::threaded) continue;
        for (std::size_t lane = 0; lane < block_size; ++lane) {
            const model::Rod& rod = model.rods[strands.rods[g * block_size + lane]];
            const JointMaterial material{softness[rod.bending], softness[rod.twisting],
                                         materials[rod.bending].constants[0],
                                         rod.is_flat ? materials[rod.bending].constants[1] : 1.0f};
            for (std::size_t i = 0; i < group.nodes; ++i) {
                const bool is_inner = i > 0 && i + 1 < group.nodes;
                if (group.sort == StrandSort::hair) {
                    prepare_hair_joint(material.bending, group.first_node + i, lane, is_inner, workspace);
                } else {
                    prepare_joint(strands, material, group.first_node + i, lane, is_inner, workspace);
                }
            }
        }
    }
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

// The rings of a group move on in the state, so that a restore finds them where they were.
void solve_threaded_group(const StrandContext& context, std::size_t g, const StrandRun& run,
                          const StrandPass& pass) {
    const StrandGroup& group = context.strands.groups[g];
    const auto rings = std::span(context.strands.rings).subspan(group.first_ring, group.rings);
    std::uint32_t offsets[most_rings], segments[most_rings];
    for (std::size_t i = 0; i < rings.size(); ++i) {
        offsets[i] = rings[i].offset;
        segments[i] = context.state.ring_segments[rings[i].number];
    }
    const ThreadedRope rope{run.particles,
                            {run.offsets, run.nodes * block_size},
                            {run.rests, run.nodes * block_size},
                            {run.multipliers, run.nodes * block_size},
                            {offsets, rings.size()},
                            {segments, rings.size()},
                            double(run.compliance[0]),
                            double(run.compliance_per_measure[0]),
                            double(run.damping[0]),
                            pass.is_first_iteration};
    solve_threaded(rope, context.workspace.threaded[g]);
    for (std::size_t i = 0; i < rings.size(); ++i) context.state.ring_segments[rings[i].number] = segments[i];
}

void solve_group(const StrandContext& context, std::size_t g, const StrandPass& pass) {
    const StrandSet& strands = context.strands;
    const Kernels& kernels = context.kernels;
    model::PositionBasedState& state = context.state;
    StrandWorkspace& workspace = context.workspace;
    const ParticleArrays particles{state.position.data(), state.predicted.data(), state.displacement.data()};
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
    if (pass.is_first_iteration && group.sort != StrandSort::hair) {
        std::fill_n(run.multipliers, group.nodes * block_size, 0.0f);
        if (group.sort == StrandSort::rod) {
            std::fill_n(workspace.moved.data() + group.first_node * 3 * block_size,
                        group.nodes * 3 * block_size, 0.0f);
        }
    }
    if (group.sort == StrandSort::chain) {
        kernels.solve_strands(run);
    } else if (group.sort == StrandSort::threaded) {
        solve_threaded_group(context, g, run, pass);
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

void prepare_strands(const model::Model& model, const StrandSet& strands, model::State& state,
                     const Settings& settings, std::span<const Softness<float>> softness,
                     std::span<const model::MaterialValues> materials, StrandWorkspace& workspace) {
    workspace.is_active = !strands.empty() && settings.method == Method::xpbd;
    if (!workspace.is_active) return;
    reserve(strands, workspace);
    pack_rests(model, strands, state, workspace);
    prepare_rods(model, strands, softness, materials, state.position_based, workspace);
    if (auto& segments = state.position_based.ring_segments; segments.size() != model.rings.size()) {
        segments.resize(model.rings.size());
        for (const StrandRing& ring : strands.rings) segments[ring.number] = ring.segment;
    }
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
