// One frame of Δt = n substeps of h. State per particle: position x, predicted x*, displacement u = h·v.
//
//   for each substep
//       u += the air's push;  u += h²·(g + w·f);  x* = x + u;  x = x*           (held particles keep their u)
//       move x by what the levels of cloth and of stiff solids find (coarse/levels.h)
//       for each iteration
//           project every constraint on x: subdomains, and each interface once both its sides are done;
//           solve strands directly (strands/strand_set.h)
//           keep bodies apart from each other and themselves (contact/contact_step.h)
//           push x out of colliders, with friction
//       x = x* + c;  u += c,  c = x − x*, limited where gradients can vanish;  restitution
//       damping, drag
//
// The end of a substep and the beginning of the next are one pass over the particles, and a subdomain's
// particles go through it just before its constraints: an iteration is one parallel phase, over pieces that
// the topology fixes. Nothing depends on the number of threads.
#include "solvers/position_based/step.h"

#include <pliant/assertions.h>

#include <algorithm>

#include "base/convert.h"
#include "collision/local_colliders.h"
#include "solvers/damping.h"
#include "solvers/momentum.h"
#include "solvers/position_based/changed_rests.h"
#include "solvers/position_based/coarse/levels.h"
#include "solvers/position_based/correction_limits.h"
#include "solvers/position_based/driven_particles.h"
#include "solvers/position_based/near_colliders.h"
#include "solvers/position_based/softness.h"
#include "solvers/position_based/validate.h"
#include "solvers/rescue.h"
#include "solvers/write_view.h"

namespace pliant::solvers::position_based {
namespace {

using constraints::most_parts;
using model::Model;
using model::MovedCollider;
using model::State;

class PositionBasedStep {
public:
    PositionBasedStep(const Model& model, const Plan& plan, State& state, const StepContext& context)
        : model_(model),
          plan_(plan),
          state_(state),
          particles_(state.position_based),
          context_(context),
          workspace_(context.workspace),
          h_(double(context.settings.time_step) / context.settings.substeps),
          damping_(context.settings),
          momentum_(plan, state.position_based, context),
          arrays_{particles_.position.data(), particles_.predicted.data(), particles_.displacement.data()} {}

    void run() {
        prepare();
        const Settings& settings = context_.settings;
        int substep = 0;
        for (bool is_last = false; !is_last; ++substep) {
            const bool finishes_last = substep > 0 && !damping_.needs_sums();
            is_damped_ = substep > 0 && damping_.acts();
            for (int iteration = 0; iteration < settings.iterations; ++iteration) {
                project_all(iteration, finishes_last);
                keep_bodies_apart();
                // Until here the last substep's were needed, to finish it.
                if (iteration == 0) move_colliders(substep);
                if (iteration == 0) slow_what_came_out(model_, plan_, state_, context_, h_);
                is_last = substep + 1 == settings.substeps || is_interrupted();
                if (is_interrupted()) break;
                if (iteration + 1 < settings.iterations) collide();
            }
            if (is_last) {
                finish_frame();
            } else if (damping_.needs_sums()) {
                finish_substep();
            }
        }
        momentum_.end(substep, gravity_step(), damping_.drag());
        if (substep == settings.substeps) arrive_driven_particles(model_, plan_, state_);
        state_.moved_colliders.clear();
        ++state_.frame;
        const double seconds = substep == settings.substeps ? double(settings.time_step) : substep * h_;
        state_.time += seconds;
        rescue(model_, plan_, state_, context_, seconds);
    }

private:
    void prepare() {
        rescale_displacements(particles_, h_);
        workspace_.softness.clear();
        for (std::size_t i = 0; i < model_.parts.size(); ++i) {
            workspace_.softness.push_back(make_softness(
                context_.materials[i].elasticity, model_.parts[i].scale, state_.time, context_.settings, h_));
        }
        if (workspace_.interface_arrivals.size() != plan_.subdomains)
            workspace_.interface_arrivals = std::vector<std::atomic<std::uint32_t>>(plan_.subdomains);
        place_colliders(state_.colliders, state_, plan_.subdomains, workspace_);
        prepare_levels(model_, plan_, state_, context_, h_);
        prepare_strands(model_, plan_.strands, state_, context_.settings, workspace_.softness,
                        context_.materials, workspace_.strands);
        AllClusters::for_each([&]<class Cluster>() { prepare_multipliers<Cluster>(); });
        pack_changed_rests(model_, plan_, state_, workspace_);
        if (has_wind()) {
            find_area_vectors(plan_, workspace_.vertex_triangles, particles_.position,
                              workspace_.area_vectors, context_.executor);
        }
        aim_driven_particles(model_, plan_, state_, context_.settings.substeps);
        limit_corrections(model_, plan_, state_, context_, h_);
        momentum_.begin();
        workspace_.touched.assign(model_.islands.size(), 0);
    }

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

    void project_all(int iteration, bool finishes_last) {
        const bool has_levels = iteration == 0 && any_level(workspace_);
        if (has_levels) {
            context_.executor.for_each(plan_.subdomains, [&](std::size_t subdomain) {
                pass_over_subdomain(subdomain, finishes_last, true);
            });
            if (finishes_last) give_supports();
            solve_levels(plan_, arrays_, particles_, context_);
        }
        context_.executor.for_each(plan_.subdomains, [&](std::size_t subdomain) {
            if (iteration == 0 && !has_levels) pass_over_subdomain(subdomain, finishes_last, true);
            project_item(subdomain, iteration);
            if (subdomain > 0) project_interface(subdomain - 1, iteration);
            if (subdomain + 1 < plan_.subdomains) project_interface(subdomain, iteration);
        });
        solve_strands(plan_.strands, context_.kernels, particles_, iteration == 0, workspace_.strands,
                      context_.executor);
    }

    void keep_bodies_apart() {
        if (!has_contact()) return;
        solve_contacts(model_, plan_, state_, context_.settings, context_.kernels, arrays_, h_,
                       workspace_.contact, workspace_.touched, context_.executor);
    }

    void give_supports() {
        if (has_contact()) add_supports(workspace_.contact, !state_.colliders.empty(), particles_);
    }

    // The interface between a subdomain and the next: done by the one of the two that comes second, while
    // their particles are in its cache. Interfaces share no particle, so which comes second changes nothing.
    void project_interface(std::size_t interface, int iteration) {
        const std::uint32_t earlier =
            workspace_.interface_arrivals[interface].fetch_add(1, std::memory_order_acq_rel);
        if (earlier % 2 == 1) project_item(plan_.subdomains + interface, iteration);
    }

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

    ParticleRange range_of(const ParticleChunk& chunk) const {
        const Vec3& g = context_.settings.gravity;
        const double h2 = h_ * h_;
        const Vec3d gravity = gravity_step();
        ParticleRange range;
        range.particles = arrays_;
        range.forces = particles_.forces.empty() ? nullptr : particles_.forces.data();
        range.radii = plan_.radii.data();
        range.first = chunk.first;
        range.count = chunk.count;
        range.gravity_step[0] = static_cast<float>(gravity.x);
        range.gravity_step[1] = static_cast<float>(gravity.y);
        range.gravity_step[2] = static_cast<float>(gravity.z);
        range.h2 = static_cast<float>(h2);
        if (has_wind()) {
            const Vec3& wind = context_.settings.wind;
            range.area_vectors = workspace_.area_vectors.data();
            range.wind_step[0] = static_cast<float>(h_ * wind.x);
            range.wind_step[1] = static_cast<float>(h_ * wind.y);
            range.wind_step[2] = static_cast<float>(h_ * wind.z);
            range.half_air_density = context_.settings.air_density / 2;
        }
        range.contacts = any_level(workspace_) ? particles_.contacts.data() : nullptr;
        range.surfaces = particles_.surfaces.data();
        range.max_correction = workspace_.max_corrections[chunk.island];
        range.body_size = static_cast<float>(model_.islands[chunk.island].extent);
        // What gravity adds in two substeps is resting, not falling.
        range.resting_step = static_cast<float>(2 * h2 * sqrt(double(dot(g, g))));
        return range;
    }

    Vec3d gravity_step() const { return round_to_float(to_double(context_.settings.gravity) * (h_ * h_)); }
    bool has_contact() const {
        return !plan_.contact.empty() && context_.settings.contact_quality != ContactQuality::off;
    }
    bool has_wind() const { return context_.settings.air_density > 0; }
    bool is_interrupted() const {
        return context_.interrupt && context_.interrupt->load(std::memory_order_relaxed);
    }
    // The colliders that the particles of a chunk may touch.
    void find_near_colliders(std::size_t subdomain, const ParticleChunk& chunk, ParticleRange& range) {
        if (state_.colliders.empty()) return;
        collision::LocalColliders& near = workspace_.near[subdomain];
        near.keep_near(workspace_.colliders[chunk.island], bounds_of(context_.kernels, range),
                       plan_.islands[chunk.island].radius);
        range.colliders = near.set();
    }

    // The end of a substep, the beginning of the next, or both.
    void pass_over_subdomain(std::size_t subdomain, bool finish, bool begin) {
        const Kernels& kernels = context_.kernels;
        for (std::size_t i = plan_.subdomain_chunks[subdomain]; i < plan_.subdomain_chunks[subdomain + 1];
             ++i) {
            const ParticleChunk& chunk = plan_.chunks[i];
            ParticleRange range = range_of(chunk);
            if (finish) find_near_colliders(subdomain, chunk, range);
            // Contacts of the last substep are cleared in the same pass.
            const bool collides =
                collision::count_of(range.colliders) > 0 || (range.contacts && !state_.colliders.empty());
            if (finish && begin && !collides && !has_wind() && !is_damped_) {
                kernels.finish_begin(range);
                continue;
            }
            if (finish && collides) workspace_.contacts[i] |= kernels.collide_finish(range);
            if (finish && !collides) kernels.finish(range);
            if (finish && damping_.needs_sums()) workspace_.motion.add(kernels, range, i, chunk.island);
            if (begin && is_damped_) damp(range, chunk);
            if (begin && has_wind()) kernels.apply_wind(range);
            if (begin) kernels.begin(range);
        }
    }

    void damp(ParticleRange range, const ParticleChunk& chunk) {
        const IslandMotion none{};  // drag alone needs no sums
        damping_.give(range, damping_.needs_sums() ? workspace_.motion.of(chunk.island) : none);
        context_.kernels.add_motion(range);
    }

    void finish_substep() {
        workspace_.motion.begin(plan_, particles_);
        context_.executor.for_each(
            plan_.subdomains, [&](std::size_t subdomain) { pass_over_subdomain(subdomain, true, false); });
        workspace_.motion.total(plan_);
        give_supports();
        slow_what_came_out(model_, plan_, state_, context_, h_);
    }

    // The last look at the particles while they are in the cache.
    void finish_frame() {
        std::atomic<std::uint64_t> repaired{0};
        workspace_.motion.begin(plan_, particles_);
        context_.executor.for_each(plan_.subdomains, [&](std::size_t subdomain) {
            pass_over_subdomain(subdomain, true, false);
            for (std::size_t i = plan_.subdomain_chunks[subdomain]; i < plan_.subdomain_chunks[subdomain + 1];
                 ++i) {
                if (context_.kernels.in_range(range_of(plan_.chunks[i]))) continue;
                repaired += repair_particles(model_, plan_, state_, plan_.chunks[i]);
            }
        });
        give_supports();
        state_.repaired += repaired;
        if (damping_.needs_sums()) workspace_.motion.total(plan_);
        if (damping_.acts()) {
            context_.executor.for_each(plan_.chunks.size(), [&](std::size_t i) {
                damp(range_of(plan_.chunks[i]), plan_.chunks[i]);
            });
        }
        slow_what_came_out(model_, plan_, state_, context_, h_);
    }

    void collide() {
        if (state_.colliders.empty()) return;
        context_.executor.for_each(plan_.subdomains, [&](std::size_t subdomain) {
            for (std::size_t i = plan_.subdomain_chunks[subdomain]; i < plan_.subdomain_chunks[subdomain + 1];
                 ++i) {
                ParticleRange range = range_of(plan_.chunks[i]);
                find_near_colliders(subdomain, plan_.chunks[i], range);
                if (collision::count_of(range.colliders) > 0)
                    workspace_.contacts[i] |= context_.kernels.collide(range);
            }
        });
        slow_what_came_out(model_, plan_, state_, context_, h_);
    }

    // To where they are at the end of the substep.
    void move_colliders(int substep) {
        if (state_.moved_colliders.empty()) return;
        workspace_.colliders_before = state_.colliders;
        for (const MovedCollider& moved : state_.moved_colliders) {
            // The way that is left is shared by the substeps that are left.
            ColliderShape& shape = state_.colliders[moved.collider].shape;
            shape = collision::between(shape, moved.target, 1.0 / (context_.settings.substeps - substep));
        }
        place_colliders(workspace_.colliders_before, state_, plan_.subdomains, workspace_);
    }

    const Model& model_;
    const Plan& plan_;
    State& state_;
    model::PositionBasedState& particles_;
    const StepContext& context_;
    Workspace& workspace_;
    const double h_;
    const Damping damping_;
    MomentumKeeper momentum_;
    const ParticleArrays arrays_;
    bool is_damped_ = false;  // what the last substep left, before the next begins
};

}  // namespace

void step(const Model& model, const Plan& plan, State& state, const StepContext& context) {
    PLIANT_VALIDATE(validate(model, plan, state));
    PLIANT_ASSERT(context.materials.size() == model.parts.size());
    PositionBasedStep(model, plan, state, context).run();
    write_view(model, plan, state, context);
}

}  // namespace pliant::solvers::position_based
