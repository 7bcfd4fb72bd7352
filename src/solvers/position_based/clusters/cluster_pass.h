// Clusters of constraints, projected run by run: the part of a substep that solves what the topology fixes.
#pragma once

#include <algorithm>

#include "model/model.h"
#include "model/state.h"
#include "solvers/position_based/plan.h"
#include "solvers/position_based/softness.h"
#include "solvers/position_based/workspace.h"
#include "solvers/step_context.h"

namespace pliant::solvers::position_based {

class ClusterPass {
public:
    ClusterPass(const Plan& plan, model::State& state, const StepContext& context)
        : plan_(plan),
          state_(state),
          context_(context),
          workspace_(context.workspace),
          arrays_{state.position_based.position.data(), state.position_based.predicted.data(),
                  state.position_based.displacement.data()} {}

    // Once per frame.
    void prepare() {
        AllClusters::for_each([&]<class Cluster>() { prepare_multipliers<Cluster>(); });
    }

    // The constraints of a subdomain or of an interface.
    void project_item(std::size_t item, int iteration) {
        std::size_t sort = 0;
        AllClusters::for_each([&]<class Cluster>() { project_runs<Cluster>(item, sort++, iteration, true); });
        // Damping of edges resists what volumes did before it, all the more the shorter the substep is. So a
        // damped cluster projects its volume in a second round, after all edges.
        sort = 0;
        AllClusters::for_each([&]<class Cluster>() {
            if constexpr (Cluster::is_mixed) project_runs<Cluster>(item, sort, iteration, false);
            ++sort;
        });
    }

private:
    // λ is needed where a constraint is projected more than once per substep, or damped.
    template <class Cluster>
    void prepare_multipliers() {
        const auto& blocks = std::get<ClusterBlocks<Cluster>>(plan_.clusters);
        const bool needed = std::any_of(blocks.runs.begin(), blocks.runs.end(), [&](const Run& run) {
            return keeps_multipliers(form_of<Cluster>(run));
        });
        auto& multipliers = std::get<Multipliers<Cluster>>(workspace_.multipliers);
        multipliers.blocks.resize(needed ? blocks.blocks() * Cluster::rows * block_size : 0);
        multipliers.remainder.resize(needed ? blocks.remainder() * Cluster::rows : 0);
    }

    // A cluster takes the fullest form that one of its constraints needs: with zeros for what they lack,
    // forms agree.
    template <class Cluster>
    ProjectionForm form_of(const Run& run) const {
        ProjectionForm form = ProjectionForm::rigid;
        for (std::size_t part = 0; part < Cluster::parts; ++part)
            form = std::max(form, position_based::form_of(workspace_.softness[run.parts[part]],
                                                          context_.settings.iterations));
        return form;
    }

    template <class Cluster>
    void project_runs(std::size_t item, std::size_t sort, int iteration, bool is_first_round) {
        const auto& blocks = std::get<ClusterBlocks<Cluster>>(plan_.clusters);
        if (blocks.runs.empty()) return;
        for (std::size_t r = blocks.item_runs[item]; r < blocks.item_runs[item + 1]; ++r) {
            const Run& run = blocks.runs[r];
            if (workspace_.strands.is_active && plan_.strands.is_direct[run.parts[0]]) continue;
            const ProjectionForm form = form_of<Cluster>(run);
            const bool has_rounds = Cluster::is_mixed && is_damped(form);
            if (!is_first_round && !has_rounds) continue;
            ProjectionRun job = job_of<Cluster>(run);
            if (has_rounds) job.parts = is_first_round ? 1 : 2;
            if (keeps_multipliers(form))
                give_multipliers<Cluster>(run, iteration == 0 && is_first_round, job);
            context_.kernels.project[sort][static_cast<std::size_t>(form)](job);
        }
    }

    template <class Cluster>
    ProjectionRun job_of(const Run& run) const {
        const auto& blocks = std::get<ClusterBlocks<Cluster>>(plan_.clusters);
        ProjectionRun job;
        job.particles = arrays_;
        job.block_offsets = blocks.block_offsets.data() + run.first_block * Cluster::arity * block_size;
        job.blocks = run.blocks;
        job.remainder_offsets = blocks.remainder_offsets.data() + run.first_of_remainder * Cluster::arity;
        job.remainder = run.remainder;
        for (std::size_t part = 0; part < Cluster::parts; ++part) {
            job.softness[part] = workspace_.softness[run.parts[part]];
            job.constants[part] = context_.materials[run.parts[part]].constants.data();
        }
        if (Cluster::rest_values > 0) {
            const PackedRests& rests = state_.rest_changes > 0
                                           ? std::get<ChangedRestBlocks<Cluster>>(workspace_.rests).packed
                                           : blocks.rests;
            job.block_rests = rests.blocks.data() + run.first_block * Cluster::rest_values * block_size;
            job.remainder_rests = rests.remainder.data() + run.first_of_remainder * Cluster::rest_values;
        }
        return job;
    }

    template <class Cluster>
    void give_multipliers(const Run& run, bool at_start, ProjectionRun& job) {
        auto& multipliers = std::get<Multipliers<Cluster>>(workspace_.multipliers);
        job.block_multipliers = multipliers.blocks.data() + run.first_block * Cluster::rows * block_size;
        job.remainder_multipliers = multipliers.remainder.data() + run.first_of_remainder * Cluster::rows;
        if (!at_start) return;
        std::fill_n(job.block_multipliers, run.blocks * Cluster::rows * block_size, 0.0f);
        std::fill_n(job.remainder_multipliers, run.remainder * Cluster::rows, 0.0f);
    }

    const Plan& plan_;
    model::State& state_;
    const StepContext& context_;
    Workspace& workspace_;
    const ParticleArrays arrays_;
};

}  // namespace pliant::solvers::position_based
