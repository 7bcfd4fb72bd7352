#include "solvers/position_based/coarse/coarse_step.h"

#include <algorithm>
#include <tuple>

#include "base/convert.h"
#include "solvers/position_based/coarse/coarse_solve.h"

namespace pliant::solvers::position_based {
namespace {

constexpr std::size_t runs_per_job = 8, groups_per_job = 64;

// The matrix of a body at rest.
void prepare_rest(const CoarseLevel& level, const CoarseBody& body, const CoarseWorkspace& workspace,
                  double viscosity, CoarseMatrix& rest) {
    const std::span<const double> stiffnesses = stiffnesses_of(body, workspace);
    for (std::uint32_t box = 0; box < body.boxes; ++box) {
        const bool has_a_say = stiffnesses[box * box_values * box_values] > 0;
        rest.rotations[box] = diagonal(has_a_say ? 1.0 : 0.0);
    }
    rest.viscosity = viscosity;
    assemble_matrix(level, body, stiffnesses, rest);
    rest.factor = rest.values;
    factorize(body.values, rest.factor);
}

// The stiffnesses of a body's boxes.
void prepare_body(const CoarseLevel& level, std::size_t b, double young_modulus, double poisson_ratio,
                  double substep, CoarseWorkspace& workspace) {
    const CoarseBody& body = level.bodies[b];
    share_stiffness(level, body, young_modulus, substep, workspace.shares);
    workspace.bodies[b].is_active = workspace.shares.needs_boxes;
    // Nodes of a body that is not active stay where they are.
    std::fill_n(workspace.nodes.begin() + body.first_node * floats_per_particle,
                body.nodes * floats_per_particle, 0.0f);
    for (std::uint32_t box = 0; box < body.boxes; ++box) {
        const std::size_t size = box_values * box_values, at = (body.first_box + box) * size;
        combine(level.box_stiffnesses[body.first_box + box], poisson_ratio,
                workspace.shares.of_boxes[box] * substep * substep,
                std::span(workspace.stiffnesses).subspan(at, size));
    }
    if (!workspace.bodies[b].is_active) return;
    prepare_rest(level, body, workspace, 0, workspace.bodies[b].rest[0]);
    prepare_rest(level, body, workspace, body.viscosity, workspace.bodies[b].rest[1]);
}

void make_room(const CoarseLevel& level, CoarseWorkspace& workspace) {
    workspace.bodies.resize(level.bodies.size());
    workspace.prepared_materials.resize(2 * level.bodies.size(), -1.0f);
    workspace.run_sums.resize(level.runs.size() * floats_per_run_sum);
    workspace.motion_sums.resize(level.runs.size() * floats_per_run_sum);
    workspace.stiffnesses.resize(level.boxes() * box_values * box_values);
    workspace.nodes.resize(floats_per_particle * level.nodes());
    for (std::size_t b = 0; b < level.bodies.size(); ++b) {
        const CoarseBody& body = level.bodies[b];
        CoarseBodyWorkspace& own = workspace.bodies[b];
        for (auto* values : {&own.sums, &own.places, &own.motions, &own.forces, &own.moves})
            values->resize(3 * body.nodes);
        for (CoarseMatrix* matrix : {&own.rest[0], &own.rest[1], &own.turned}) {
            matrix->values.resize(body.values.entries());
            matrix->factor.resize(body.values.entries());
            matrix->rotations.resize(body.boxes);
        }
        own.rotations.resize(body.boxes);
        for (HeldFactor& held : own.held) {
            held.values.resize(body.values.entries());
            held.nodes.reserve(body.nodes);
        }
        own.contacts.particles.reserve(block_size * body.groups);
        own.contacts.nodes.reserve(body.nodes);
        own.contacts.sums.resize(values_per_node_sum * body.nodes);
    }
}

void prepare_bodies(const CoarseLevel& level, std::span<const model::MaterialValues> materials,
                    double substep, CoarseWorkspace& workspace) {
    make_room(level, workspace);
    for (std::size_t b = 0; b < level.bodies.size(); ++b) {
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
        workspace.bodies[b].has_turned = false;  // what a frame does depends on nothing before it
        workspace.any_active = workspace.any_active || workspace.bodies[b].is_active;
    }
    workspace.prepared_substep = substep;
}

// The first of a job's, and how many.
std::pair<std::size_t, std::size_t> range_of(std::size_t job, std::size_t per_job, std::size_t all) {
    const std::size_t first = job * per_job;
    return {first, std::min(per_job, all - first)};
}
std::size_t jobs_of(std::size_t per_job, std::size_t all) { return (all + per_job - 1) / per_job; }

}  // namespace

std::span<const double> stiffnesses_of(const CoarseBody& body, const CoarseWorkspace& workspace) {
    const std::size_t size = box_values * box_values;
    return std::span(workspace.stiffnesses).subspan(body.first_box * size, body.boxes * size);
}

void prepare_coarse(const CoarseLevel& level, const Settings& settings,
                    std::span<const model::MaterialValues> materials, double substep,
                    std::span<Softness<float>> softness, CoarseWorkspace& workspace) {
    workspace.any_active = false;
    if (settings.levels == Levels::off || settings.method == Method::pbd) return;
    prepare_bodies(level, materials, substep, workspace);
    for (std::size_t b = 0; b < level.bodies.size(); ++b) {
        if (workspace.bodies[b].is_active)
            softness[level.bodies[b].part].least_compliance = least_element_compliance;
    }
}

void solve_coarse(const CoarseLevel& level, const Kernels& kernels, const ParticleArrays& particles,
                  const ContactArrays& contacts, CoarseWorkspace& workspace, Executor& executor) {
    // Restrict.
    RestrictRun restrict_run;
    restrict_run.position = particles.position;
    restrict_run.runs = level.runs.data();
    restrict_run.group_offsets = level.group_offsets.data();
    restrict_run.group_coordinates = level.group_coordinates.data();
    restrict_run.group_masses = level.group_masses.data();
    restrict_run.sums = workspace.run_sums.data();
    executor.for_each(jobs_of(runs_per_job, level.runs.size()), [&](std::size_t job) {
        RestrictRun run = restrict_run;
        std::tie(run.first, run.count) = range_of(job, runs_per_job, level.runs.size());
        kernels.restrict_groups(run);
        if (!contacts.contacts) return;
        run.position = particles.displacement;
        run.sums = workspace.motion_sums.data();
        kernels.restrict_groups(run);
    });
    // Solve.
    executor.for_each(level.bodies.size(), [&](std::size_t b) {
        if (workspace.bodies[b].is_active)
            CoarseSolve(level, level.bodies[b], kernels, workspace, workspace.bodies[b]).run(contacts);
    });
    // Prolong.
    ProlongRun prolong_run;
    prolong_run.group_nodes = level.group_nodes.data();
    prolong_run.group_offsets = level.group_offsets.data();
    prolong_run.group_coordinates = level.group_coordinates.data();
    prolong_run.group_sizes = level.group_sizes.data();
    prolong_run.nodes = workspace.nodes.data();
    prolong_run.position = particles.position;
    executor.for_each(jobs_of(groups_per_job, level.group_nodes.size()), [&](std::size_t job) {
        ProlongRun run = prolong_run;
        std::tie(run.first, run.count) = range_of(job, groups_per_job, level.group_nodes.size());
        kernels.prolong(run);
    });
}

}  // namespace pliant::solvers::position_based
