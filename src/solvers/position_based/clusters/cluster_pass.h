// Clusters of constraints, projected run by run: the part of a substep that solves what the topology fixes.
#pragma once

#include <algorithm>
#include <tuple>

#include "model/model.h"
#include "model/state.h"
#include "solvers/position_based/clusters/split_runs.h"
#include "solvers/position_based/plan.h"
#include "solvers/position_based/softness.h"
#include "solvers/position_based/workspace.h"
#include "solvers/step_context.h"

namespace pliant::solvers::position_based {

// Where damped constraints find where particles began the substep; null if none is damped.
inline float* keep_starts(std::size_t floats, Workspace& workspace) {
    const auto& softness = workspace.softness;
    if (std::none_of(softness.begin(), softness.end(), [](const auto& s) { return s.damping > 0; }))
        return nullptr;
    workspace.starts.resize(floats);
    return workspace.starts.data();
}

class ClusterPass {
public:
    ClusterPass(const model::Model& model, const Plan& plan, model::State& state, const StepContext& context,
                const ParticleArrays& arrays)
        : model_(model),
          plan_(plan),
          state_(state),
          context_(context),
          workspace_(context.workspace),
          arrays_(arrays) {}

    // Once per frame.
    void prepare() {
        AllClusters::for_each([&]<class Cluster>() {
            split_runs<Cluster>();
            prepare_multipliers<Cluster>();
        });
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
    // One call of a kernel: consecutive blocks and clusters of the remainder, of the same parts.
    struct Slice {
        constraints::ClusterParts parts{};
        std::size_t first_block = 0, blocks = 0, first_of_remainder = 0, remainder = 0;
    };
    struct Pass {
        std::size_t sort = 0;
        int iteration = 0;
        bool is_first_round = true;
    };

    // Which runs have parts that are no longer alike.
    template <class Cluster>
    void split_runs() {
        const auto& blocks = std::get<ClusterBlocks<Cluster>>(plan_.clusters);
        auto& split = std::get<SplitRuns<Cluster>>(workspace_.split_runs);
        const auto differs = [&](const Run& run) {
            for (std::uint32_t i = run.first_sharer + 1; i < run.first_sharer + run.sharers; ++i) {
                if (!are_alike<Cluster>(run.parts, blocks.sharers[i])) return true;
            }
            return false;
        };
        split.is_split.clear();
        if (std::none_of(blocks.runs.begin(), blocks.runs.end(), differs)) return;
        for (const Run& run : blocks.runs) split.is_split.push_back(differs(run));
        if (split.first_pieces.empty())
            make_pieces<Cluster>(model_.constraints, blocks, plan_.slots(), split);
    }
    template <class Cluster>
    bool are_alike(const constraints::ClusterParts& a, const constraints::ClusterParts& b) const {
        const auto values = [&](std::uint32_t part) {
            const Softness<float>& s = workspace_.softness[part];
            return std::tie(s.compliance, s.compliance_per_measure, s.least_compliance, s.damping, s.scale,
                            context_.materials[part].constants);
        };
        for (std::size_t part = 0; part < Cluster::parts; ++part) {
            if (values(a[part]) != values(b[part])) return false;
        }
        return true;
    }

    // λ is needed where a constraint is projected more than once per substep, or damped.
    template <class Cluster>
    void prepare_multipliers() {
        const auto& blocks = std::get<ClusterBlocks<Cluster>>(plan_.clusters);
        auto& split = std::get<SplitRuns<Cluster>>(workspace_.split_runs);
        const auto& used = blocks.sharers;
        const bool needed =
            std::any_of(used.begin(), used.end(), [&](const constraints::ClusterParts& parts) {
                return keeps_multipliers(form_of<Cluster>(parts));
            });
        auto& multipliers = std::get<Multipliers<Cluster>>(workspace_.multipliers);
        multipliers.blocks.resize(needed ? blocks.blocks() * Cluster::rows * block_size : 0);
        multipliers.remainder.resize(needed ? blocks.remainder() * Cluster::rows : 0);
        const bool is_split = needed && !split.is_split.empty();
        split.multipliers.resize(is_split ? split.pieces.size() * Cluster::rows * block_size : 0);
    }

    // A cluster takes the fullest form that one of its constraints needs: with zeros for what they lack,
    // forms agree.
    template <class Cluster>
    ProjectionForm form_of(const constraints::ClusterParts& parts) const {
        ProjectionForm form = ProjectionForm::rigid;
        for (std::size_t part = 0; part < Cluster::parts; ++part)
            form = std::max(form, position_based::form_of(workspace_.softness[parts[part]],
                                                          context_.settings.iterations));
        return form;
    }

    template <class Cluster>
    void project_runs(std::size_t item, std::size_t sort, int iteration, bool is_first_round) {
        const auto& blocks = std::get<ClusterBlocks<Cluster>>(plan_.clusters);
        if (blocks.runs.empty()) return;
        const auto& split = std::get<SplitRuns<Cluster>>(workspace_.split_runs);
        const Pass pass{sort, iteration, is_first_round};
        for (std::size_t r = blocks.item_runs[item]; r < blocks.item_runs[item + 1]; ++r) {
            const Run& run = blocks.runs[r];
            if (workspace_.strands.is_active && plan_.strands.is_direct[run.parts[0]]) continue;
            if (!split.is_split.empty() && split.is_split[r]) {
                project_pieces<Cluster>(r, pass);
            } else {
                project<Cluster>(
                    {run.parts, run.first_block, run.blocks, run.first_of_remainder, run.remainder}, nullptr,
                    pass);
            }
        }
    }

    template <class Cluster>
    void project_pieces(std::size_t r, const Pass& pass) {
        const Run& run = std::get<ClusterBlocks<Cluster>>(plan_.clusters).runs[r];
        const auto& split = std::get<SplitRuns<Cluster>>(workspace_.split_runs);
        for (std::size_t first = split.first_pieces[r], end = first; first < split.first_pieces[r + 1];
             first = end) {
            const auto& [block, parts] = split.pieces[first];
            const auto follows = [&](const auto& piece) {
                return piece.parts == split.pieces[first].parts &&
                       piece.block == split.pieces[first].block + (end - first);
            };
            for (end = first + 1; end < split.first_pieces[r + 1] && follows(split.pieces[end]);) ++end;
            project<Cluster>({parts, block, end - first, 0, 0}, &first, pass);
        }
        for (std::size_t i = 0; i < run.remainder; ++i) {
            const std::size_t cluster = run.first_of_remainder + i;
            project<Cluster>({split.remainder[cluster], 0, 0, cluster, 1}, nullptr, pass);
        }
    }

    // piece: of a split run, or null.
    template <class Cluster>
    void project(const Slice& slice, const std::size_t* piece, const Pass& pass) {
        ProjectionForm form = form_of<Cluster>(slice.parts);
        const bool has_rounds = Cluster::is_mixed && is_damped(form);
        if (!pass.is_first_round && !has_rounds) return;
        if (form == ProjectionForm::damped_once && !pass.is_first_round &&
            !(workspace_.softness[slice.parts[1]].damping > 0))
            form = ProjectionForm::single;
        ProjectionRun job = job_of<Cluster>(slice, piece);
        if (has_rounds) job.parts = pass.is_first_round ? 1 : 2;
        if (keeps_multipliers(form)) {
            give_multipliers<Cluster>(slice, piece, job);
            if (pass.iteration == 0 && pass.is_first_round) {
                std::fill_n(job.block_multipliers, slice.blocks * Cluster::rows * block_size, 0.0f);
                std::fill_n(job.remainder_multipliers, slice.remainder * Cluster::rows, 0.0f);
            }
        }
        context_.kernels.project[pass.sort][static_cast<std::size_t>(form)](job);
    }

    template <class Cluster>
    ProjectionRun job_of(const Slice& slice, const std::size_t* piece) const {
        constexpr std::size_t offsets = Cluster::arity * block_size, values = Cluster::rest_values;
        const auto& blocks = std::get<ClusterBlocks<Cluster>>(plan_.clusters);
        const auto& split = std::get<SplitRuns<Cluster>>(workspace_.split_runs);
        ProjectionRun job;
        job.particles = arrays_;
        job.block_offsets = piece ? split.offsets.data() + *piece * offsets
                                  : blocks.block_offsets.data() + slice.first_block * offsets;
        job.blocks = slice.blocks;
        job.remainder_offsets = blocks.remainder_offsets.data() + slice.first_of_remainder * Cluster::arity;
        job.remainder = slice.remainder;
        for (std::size_t part = 0; part < Cluster::parts; ++part) {
            job.softness[part] = workspace_.softness[slice.parts[part]];
            job.constants[part] = context_.materials[slice.parts[part]].constants.data();
        }
        if (values > 0) {
            const PackedRests& rests = state_.rest_changes > 0
                                           ? std::get<ChangedRestBlocks<Cluster>>(workspace_.rests).packed
                                           : blocks.rests;
            job.block_rests = rests.blocks.data() + slice.first_block * values * block_size;
            job.remainder_rests = rests.remainder.data() + slice.first_of_remainder * values;
        }
        return job;
    }

    template <class Cluster>
    void give_multipliers(const Slice& slice, const std::size_t* piece, ProjectionRun& job) {
        auto& multipliers = std::get<Multipliers<Cluster>>(workspace_.multipliers);
        auto& split = std::get<SplitRuns<Cluster>>(workspace_.split_runs);
        job.block_multipliers =
            piece ? split.multipliers.data() + *piece * Cluster::rows * block_size
                  : multipliers.blocks.data() + slice.first_block * Cluster::rows * block_size;
        job.remainder_multipliers = multipliers.remainder.data() + slice.first_of_remainder * Cluster::rows;
    }

    const model::Model& model_;
    const Plan& plan_;
    model::State& state_;
    const StepContext& context_;
    Workspace& workspace_;
    const ParticleArrays& arrays_;
};

}  // namespace pliant::solvers::position_based
