// Before a frame: what strands are made of, and memory for them.
#include <algorithm>
#include <limits>

#include "constraints/roles.h"
#include "solvers/position_based/strands/strand_step.h"

namespace pliant::solvers::position_based {
namespace {

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
        } else if (group.sort == StrandSort::pieces) {
            floats += std::max(group.nodes * long_rope_scratch_bytes,
                               strands.chains[group.first_chain].nodes * strand_scratch_bytes) /
                      sizeof(float);
        } else if (group.nodes > short_enough) {
            floats += group.nodes * strand_scratch_bytes / sizeof(float);
        }
    }
    workspace.scratch.resize(floats);
    const bool has_nets = std::any_of(strands.groups.begin(), strands.groups.end(),
                                      [](const StrandGroup& group) { return group.sort == StrandSort::net; });
    workspace.nets.clear();
    workspace.nets.resize(has_nets ? strands.groups.size() : 0);
    workspace.chain_softness.resize(strands.chains.size() * softness_values);
    const std::size_t nodes = strands.start_frames.size() / rod_frame_values;  // × 16
    workspace.joints.assign(nodes * rod_joint_values, 0.0f);
    workspace.moved.assign(nodes * 3, 0.0f);
}

// A chain of N + 1 segments, the first of which is clamped, is the midpoint rule for the sag of a beam. What
// that rule misses is at the clamp (Euler and Maclaurin): ∫s³ds − Σj³ = N²/8 + … of N⁴/4 under its own
// weight, s: from the free end, in segments. It comes back if the joint at the clamp stands for 1 + 1/8N of
// a segment. At a free end, where next to nothing bends, this changes nothing; so both ends have it.
double softer_at_ends(const StrandWorkspace& workspace, std::size_t node, std::size_t lane, bool is_second,
                      std::size_t segments) {
    const bool is_last = !(workspace.rests[(node + 1) * block_size + lane] > 0);  // NaN: no segment
    return segments > 1 && (is_second || is_last) ? 1 + 1 / (8.0 * double(segments - 1)) : 1.0;
}
std::size_t segments_of(const StrandGroup& group, std::size_t lane, const StrandWorkspace& workspace) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < group.nodes; ++i)
        count += workspace.rests[(group.first_node + i) * block_size + lane] > 0;
    return count;
}

// h²B₁/l, h²B₂/l, h²GJ/l and the curvature that the material keeps. 2·tan(φ/2) grows faster than the angle φ
// that it stands for, by 1 + κ̄²/4 where the rod is at rest. Zero where a segment is missing.
struct JointMaterial {
    Softness<float> bending, twisting;
    float curl = 1, ratio = 1;  // B₁/B₂, of ribbons: along their width
    double softer = 1;          // softer_at_ends
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
    const double bending =
        is_there ? stiffness(material.bending, length) / (slope * slope * material.softer) : 0;
    put(2, bending * double(material.ratio));
    put(3, bending);
    put(4, is_there ? stiffness(material.twisting, length) : 0);
}

// h²B/l³ of a joint of hair, as long as the mean of its segments.
void prepare_hair_joint(const JointMaterial& material, std::size_t node, std::size_t lane, bool is_inner,
                        StrandWorkspace& workspace) {
    double stiffness = 0;
    if (is_inner) {
        const double length = (double(workspace.rests[(node - 1) * block_size + lane]) +
                               double(workspace.rests[node * block_size + lane])) /
                              2;  // NaN: none
        const double compliance =
            (material.bending.compliance + material.bending.compliance_per_measure * length) * length *
            length * material.softer;
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
        if (group.sort != StrandSort::rod && group.sort != StrandSort::hair) continue;
        for (std::size_t lane = 0; lane < block_size; ++lane) {
            const model::Rod& rod = model.rods[strands.rods[g * block_size + lane]];
            JointMaterial material{softness[rod.bending], softness[rod.twisting],
                                   materials[rod.bending].constants[0],
                                   rod.is_flat ? materials[rod.bending].constants[1] : 1.0f};
            const std::size_t segments = segments_of(group, lane, workspace);
            for (std::size_t i = 0; i < group.nodes; ++i) {
                const bool is_inner = i > 0 && i + 1 < group.nodes;
                material.softer =
                    is_inner ? softer_at_ends(workspace, group.first_node + i, lane, i == 1, segments) : 1.0;
                if (group.sort == StrandSort::hair) {
                    prepare_hair_joint(material, group.first_node + i, lane, is_inner, workspace);
                } else {
                    prepare_joint(strands, material, group.first_node + i, lane, is_inner, workspace);
                }
            }
        }
    }
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
    if (auto& tensions = state.position_based.tensions;
        !strands.chains.empty() && tensions.size() != strands.links.size())
        tensions.assign(strands.links.size(), 0.0f);
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
    for (std::size_t i = 0; i < strands.chains.size(); ++i) {
        const Softness<float>& of = softness[strands.chain_parts[i]];
        const float values[softness_values] = {of.compliance, of.compliance_per_measure, of.damping};
        std::copy_n(values, softness_values, workspace.chain_softness.data() + i * softness_values);
    }
    for (std::size_t i = 0; i < strands.ties.size(); ++i)
        workspace.is_rigid[i] = form_of(softness[strands.ties[i].part], 1) == ProjectionForm::rigid;
}

}  // namespace pliant::solvers::position_based
