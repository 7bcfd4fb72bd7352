#include "solvers/position_based/coarse/coarse_step.h"

#include <algorithm>

#include "base/convert.h"
#include "constraints/elements/tetrahedron.h"

namespace pliant::solvers::position_based {
namespace {

constexpr std::size_t corners = CoarseLevel::corners;
constexpr std::size_t floats_per_sum = 8;
constexpr float least_weight = 0.25f;  // of contacts, for a node to feel them
constexpr std::size_t cells_per_job = 32, groups_per_job = 64;

// The compliances of a body's cells.
void prepare_body(const CoarseLevel& level, std::size_t b, double young_modulus, double poisson_ratio,
                  double substep, CoarseWorkspace& workspace) {
    const CoarseBody& body = level.bodies[b];
    StiffnessShares& shares = workspace.shares;
    share_stiffness(level, body, young_modulus, substep, shares);
    workspace.is_active[b] = shares.needs_cells;
    const std::array<double, 2> ratios = constraints::hooke_ratios(poisson_ratio);
    for (std::uint32_t c = 0; c < body.cells; ++c) {
        const std::uint32_t cell = body.first_cell + c;
        const double stiffness = shares.of_cells[c] * level.cell_volumes[cell] * substep * substep;
        const double compliance = stiffness > 0 ? 1 / stiffness : 0;
        workspace.compliances[2 * cell] = static_cast<float>(compliance * ratios[0]);
        workspace.compliances[2 * cell + 1] = static_cast<float>(compliance * ratios[1]);
    }
}

// Adds what a particle that touches has to say, to its eight nodes.
void add_contact(const CoarseLevel& level, std::size_t group, std::size_t i, const Vec3& normal,
                 const Vec3& step, float friction, CoarseWorkspace& workspace) {
    const float* coordinates = level.group_coordinates.data() + group * 3 * block_size + i;
    const float c[3] = {coordinates[0], coordinates[block_size], coordinates[2 * block_size]};
    for (std::size_t k = 0; k < corners; ++k) {
        const float weight =
            (k & 1 ? c[0] : 1 - c[0]) * (k & 2 ? c[1] : 1 - c[1]) * (k & 4 ? c[2] : 1 - c[2]);
        float* sum = workspace.sums.data() + level.group_nodes[group][k] * floats_per_sum;
        const float values[floats_per_sum] = {1,      normal.x, normal.y, normal.z,
                                              step.x, step.y,   step.z,   friction};
        for (std::size_t v = 0; v < floats_per_sum; ++v) sum[v] += weight * values[v];
    }
}

// The contacts of particles that touched at the end of the last substep, as nodes see them.
void find_contacts(const CoarseLevel& level, const CoarseBody& body, const ParticleArrays& particles,
                   const ContactArrays& arrays, CoarseWorkspace& workspace, std::vector<NodeContact>& found) {
    found.clear();
    float* sums = workspace.sums.data() + body.first_node * floats_per_sum;
    std::fill_n(sums, body.nodes * floats_per_sum, 0.0f);
    bool any = false;
    for (std::uint32_t g = body.first_group; g < body.first_group + body.groups; ++g) {
        for (std::uint32_t i = 0; i < level.group_sizes[g]; ++i) {
            const std::size_t at = level.group_offsets[g * block_size + i] / sizeof(float);
            const float *n = arrays.contacts + at, *surface = arrays.surfaces + at,
                        *u = particles.displacement + at;
            if (n[0] == 0 && n[1] == 0 && n[2] == 0) continue;
            any = true;
            add_contact(level, g, i, {n[0], n[1], n[2]},
                        {u[0] - surface[0], u[1] - surface[1], u[2] - surface[2]}, surface[3], workspace);
        }
    }
    if (!any) return;
    for (std::uint32_t n = 0; n < body.nodes; ++n) {
        const float* sum = sums + n * floats_per_sum;
        const Vec3 normal{sum[1], sum[2], sum[3]}, step{sum[4], sum[5], sum[6]};
        const float length = sqrt(dot(normal, normal));
        if (!(sum[0] > least_weight && length > 0)) continue;
        found.push_back({body.first_node + n, normal * (1 / length), step * (1 / sum[0]), sum[7] / sum[0]});
    }
}

// (step + q)·n ≥ 0; along the surface, friction holds against step + q.
void hold_contacts(std::vector<NodeContact>& contacts, float* nodes) {
    for (NodeContact& contact : contacts) {
        float* q = nodes + contact.node * floats_per_particle;
        if (!(q[3] > 0)) continue;
        const Vec3& n = contact.normal;
        const Vec3 way = contact.step + Vec3{q[0], q[1], q[2]};
        const float along = dot(way, n), pushed = max(contact.pushed - along, 0.0f);
        const Vec3 wished = contact.dragged - (way - n * along);
        const float length = sqrt(dot(wished, wished)), limit = contact.friction * pushed;
        const Vec3 dragged = wished * (length > limit ? limit / length : 1.0f);
        const Vec3 move = n * (pushed - contact.pushed) + dragged - contact.dragged;
        contact.pushed = pushed;
        contact.dragged = dragged;
        q[0] += move.x;
        q[1] += move.y;
        q[2] += move.z;
    }
}

void solve_body(const CoarseLevel& level, std::size_t b, const Kernels& kernels,
                const ParticleArrays& particles, const ContactArrays& contacts, CoarseWorkspace& workspace) {
    const CoarseBody& body = level.bodies[b];
    std::vector<NodeContact>& touching = workspace.contacts[b];
    find_contacts(level, body, particles, contacts, workspace, touching);
    for (std::uint32_t n = body.first_node; n < body.first_node + body.nodes; ++n) {
        float* q = workspace.nodes.data() + n * floats_per_particle;
        q[0] = q[1] = q[2] = 0;
        q[3] = level.node_inverse_masses[n];
        workspace.pushes[n] = 0;
    }
    std::fill_n(workspace.multipliers.data() + 8 * body.first_cell, 8 * body.cells, 0.0f);
    CoarseSweep sweep;
    sweep.box_nodes = level.box_nodes.data();
    sweep.box_cells = level.box_cells.data();
    sweep.first = body.first_box;
    sweep.count = body.boxes;
    sweep.gradients = level.cell_gradients.data();
    sweep.deformations = workspace.deformations.data();
    sweep.rotations = workspace.rotations.data();
    sweep.compliances = workspace.compliances.data();
    sweep.multipliers = workspace.multipliers.data();
    sweep.nodes = workspace.nodes.data();
    for (int i = 0; i < body.sweeps; ++i) {
        hold_contacts(touching, workspace.nodes.data());
        sweep.backward = i % 2 == 1;
        kernels.sweep_cells(sweep);
    }
    // What friction has not used up is left for the particles.
    for (const NodeContact& contact : touching) {
        const float used = sqrt(dot(contact.dragged, contact.dragged));
        workspace.pushes[contact.node] =
            contact.friction > 0 ? max(contact.pushed - used / contact.friction, 0.0f) : 0.0f;
    }
}

void prepare_bodies(const CoarseLevel& level, std::span<const model::MaterialValues> materials,
                    double substep, CoarseWorkspace& workspace) {
    const std::size_t bodies = level.bodies.size();
    workspace.is_active.resize(bodies);
    workspace.contacts.resize(bodies);
    workspace.prepared_materials.resize(2 * bodies, -1.0f);
    workspace.deformations.resize(9 * level.cells());
    workspace.rotations.resize(9 * level.cells());
    workspace.multipliers.resize(8 * level.cells());
    workspace.compliances.resize(2 * level.cells());
    workspace.nodes.resize(floats_per_particle * level.nodes());
    workspace.pushes.resize(level.nodes());
    workspace.sums.resize(floats_per_sum * level.nodes());
    workspace.any_active = false;
    for (std::size_t b = 0; b < bodies; ++b) {
        workspace.contacts[b].reserve(level.bodies[b].nodes);
        const model::MaterialValues& material = materials[level.bodies[b].part];
        const float compliance = material.elasticity.compliance, poisson_ratio = material.constants[0];
        float* prepared = workspace.prepared_materials.data() + 2 * b;
        if (workspace.prepared_substep != substep || prepared[0] != compliance ||
            prepared[1] != poisson_ratio) {
            // Rigid springs ask for more than anything can carry.
            const double young_modulus = compliance > 0 ? 1 / double(compliance) : 1e18;
            prepare_body(level, b, young_modulus, poisson_ratio, substep, workspace);
            prepared[0] = compliance;
            prepared[1] = poisson_ratio;
        }
        workspace.any_active = workspace.any_active || workspace.is_active[b];
    }
    workspace.prepared_substep = substep;
}

}  // namespace

void prepare_coarse(const CoarseLevel& level, const Settings& settings,
                    std::span<const model::MaterialValues> materials, double substep,
                    std::span<Softness<float>> softness, CoarseWorkspace& workspace) {
    workspace.any_active = false;
    if (settings.levels == Levels::off || settings.method == Method::pbd) return;
    prepare_bodies(level, materials, substep, workspace);
    for (std::size_t b = 0; b < level.bodies.size(); ++b) {
        if (workspace.is_active[b])
            softness[level.bodies[b].part].least_compliance = least_element_compliance;
    }
}

void solve_coarse(const CoarseLevel& level, const Kernels& kernels, const ParticleArrays& particles,
                  const ContactArrays& contacts, CoarseWorkspace& workspace, Executor& executor) {
    // Restrict.
    RestrictRun restrict_run;
    restrict_run.position = particles.position;
    restrict_run.cell_terms = level.cell_terms.data();
    restrict_run.term_offsets = level.term_offsets.data();
    restrict_run.term_gradients = level.term_gradients.data();
    restrict_run.deformations = workspace.deformations.data();
    restrict_run.rotations = workspace.rotations.data();
    executor.for_each((level.cells() + cells_per_job - 1) / cells_per_job, [&](std::size_t job) {
        RestrictRun run = restrict_run;
        run.first = job * cells_per_job;
        run.count = std::min(cells_per_job, level.cells() - run.first);
        kernels.restrict_cells(run);
    });
    // Sweep.
    executor.for_each(level.bodies.size(), [&](std::size_t b) {
        if (workspace.is_active[b]) solve_body(level, b, kernels, particles, contacts, workspace);
    });
    // Prolong.
    ProlongRun prolong_run;
    prolong_run.group_nodes = level.group_nodes.data();
    prolong_run.group_offsets = level.group_offsets.data();
    prolong_run.group_coordinates = level.group_coordinates.data();
    prolong_run.group_sizes = level.group_sizes.data();
    prolong_run.nodes = workspace.nodes.data();
    prolong_run.pushes = workspace.pushes.data();
    prolong_run.position = particles.position;
    prolong_run.contacts = contacts.contacts;
    executor.for_each((level.group_nodes.size() + groups_per_job - 1) / groups_per_job, [&](std::size_t job) {
        ProlongRun run = prolong_run;
        run.first = job * groups_per_job;
        run.count = std::min(groups_per_job, level.group_nodes.size() - run.first);
        kernels.prolong(run);
    });
}

}  // namespace pliant::solvers::position_based
