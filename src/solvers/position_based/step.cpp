// One frame of Δt = n substeps of h. State per particle: position x, predicted x*, displacement u = h·v.
//
//   for each substep
//       u += the air's push;  u += h²·(g + w·f);  x* = x + u;  x = x*           (held particles keep their u)
//       move x by what the levels of cloth and of stiff solids find (coarse/levels.h)
//       for each iteration
//           project every constraint on x: subdomains, and each interface once both its sides are done;
//           solve strands directly (strands/strand_set.h)
//           keep bodies apart, from themselves too (contact/contact_step.h), and grains (grains/grain_step.h)
//           push x out of colliders, with friction
//       x = x* + c;  u += c,  c = x − x*, limited where gradients can vanish;  restitution
//       push faces out of colliders (faces/face_step.h);  damping, drag
//
// The end of a substep and the beginning of the next are one pass over the particles, and a subdomain's
// particles go through it just before its constraints: an iteration is one parallel phase, over pieces that
// the topology fixes. Nothing depends on the number of threads.
#include "solvers/position_based/step.h"

#include <pliant/assertions.h>

#include <algorithm>

#include "base/convert.h"
#include "solvers/air_motion.h"
#include "solvers/damping.h"
#include "solvers/momentum.h"
#include "solvers/position_based/changed_rests.h"
#include "solvers/position_based/clusters/cluster_pass.h"
#include "solvers/position_based/coarse/levels.h"
#include "solvers/position_based/contact/contact_reports.h"
#include "solvers/position_based/contact/level_reports.h"
#include "solvers/position_based/contact/safe_step.h"
#include "solvers/position_based/correction_limits.h"
#include "solvers/position_based/driven_particles.h"
#include "solvers/position_based/faces/face_step.h"
#include "solvers/position_based/particle_ranges.h"
#include "solvers/position_based/softness.h"
#include "solvers/position_based/strands/pressed_strands.h"
#include "solvers/position_based/validate.h"
#include "solvers/rescue.h"
#include "solvers/settle.h"
#include "solvers/write_view.h"

namespace pliant::solvers::position_based {
namespace {

using model::Model, model::State;

// What a pass over particles does: ends the last substep, begins the next, damps what the last one left.
struct SubstepPass {
    bool finish = false, begin = false, damps = false;
};

class PositionBasedStep {
public:
    PositionBasedStep(const Model& model, const Plan& plan, State& state, const StepContext& context)
        : model_(model),
          plan_(plan),
          state_(state),
          particles_(state.position_based),
          context_(context),
          workspace_(context.workspace),
          h_(substep_of(context.settings)),
          damping_(context.settings),
          momentum_(plan, state.position_based, context),
          clusters_(model, plan, state, context, arrays_),
          grains_(model, plan, state, context.settings, h_, context.kernels, context.workspace.grains,
                  context.executor),
          arrays_{particles_.position.data(), particles_.predicted.data(), particles_.displacement.data()},
          has_faces_(meets_faces(plan, state.colliders)) {}

    void run() {
        prepare();
        const Settings& settings = context_.settings;
        const int substeps = subdomains_are_apart() ? run_apart() : run_together();
        if (has_grains()) grains_.end_frame();
        particles_.is_tangled = has_contact() && workspace_.contact.tangles.any;
        momentum_.end(substeps, gravity_step(context_.settings), damping_.drag());
        const double seconds = substeps == settings.substeps ? double(settings.time_step) : substeps * h_;
        end_reports(state_, context_.settings, h_, workspace_.contact.reports);
        settle(model_, plan_, state_, context_, seconds);
        if (substeps == settings.substeps) arrive_driven_particles(model_, plan_, state_);
        state_.moved_colliders.clear();
        if (has_wind()) state_.air = AirMotion::after(context_.settings, state_.air, seconds);
        ++state_.frame;
        state_.time += seconds;
        rescue(model_, plan_, state_, context_, seconds);
    }

private:
    // Substep after substep. Gives how many.
    int run_together() {
        const Settings& settings = context_.settings;
        int substep = 0;
        for (bool is_last = false; !is_last; ++substep) {
            const SubstepPass pass{substep > 0 && !ends_apart(), true, substep > 0 && damps()};
            for (int iteration = 0; iteration < settings.iterations; ++iteration) {
                project_all(substep, iteration, pass);
                // Until here the last substep's were needed, to finish it.
                if (iteration == 0)
                    move_colliders(state_, context_.settings.substeps - substep, plan_.subdomains,
                                   workspace_);
                const ContactMoment moment{iteration == 0, substep == 0};
                if (has_contact()) find_contacts(contact_context(), moment);
                solve_pressed_strands(model_, plan_, state_, context_, h_);
                if (has_contact()) solve_contacts(contact_context(), moment, workspace_.touched);
                keep_grains_apart();
                if (iteration == 0) slow_what_came_out(model_, plan_, state_, context_, h_);
                is_last = substep + 1 == settings.substeps || is_interrupted();
                if (is_interrupted()) break;
                if (iteration + 1 < settings.iterations) collide();
            }
            sums_motion_ = damping_.is_due(substep, is_last);
            if (is_last) {
                finish_frame();
            } else if (ends_apart()) {
                finish_substep();
            }
        }
        return substep;
    }

    // Whether nothing passes from one subdomain to another within a frame.
    bool subdomains_are_apart() const {
        const auto is_soft = [](const model::Island& island) { return island.is_soft; };
        return plan_.is_separable && !any_level(workspace_) && !has_contact() && !has_grains() &&
               !damping_.needs_sums() && !is_safe() && state_.moved_colliders.empty() &&
               !context_.interrupt &&
               (state_.colliders.empty() ||
                (!workspace_.pressed.any &&
                 std::none_of(model_.islands.begin(), model_.islands.end(), is_soft)));
    }
    // Then each goes through all substeps at once, while it is in the cache.
    int run_apart() {
        const Settings& settings = context_.settings;
        context_.executor.for_each(plan_.subdomains, [&](std::size_t subdomain) {
            for (int substep = 0; substep < settings.substeps; ++substep) {
                for (int iteration = 0; iteration < settings.iterations; ++iteration) {
                    if (iteration == 0) {
                        pass_over_subdomain(subdomain, {substep > 0, true, substep > 0 && damps()});
                    } else if (!state_.colliders.empty()) {
                        collide_subdomain(subdomain, [](const ParticleChunk&) { return true; });
                    }
                    clusters_.project_item(subdomain, iteration);
                    solve_bundles(strand_context(), subdomain, {iteration == 0, substep == 0});
                }
            }
        });
        finish_frame();
        return settings.substeps;
    }

    void prepare() {
        rescale_displacements(particles_, h_);
        workspace_.softness.clear();
        for (std::size_t i = 0; i < model_.parts.size(); ++i) {
            workspace_.softness.push_back(make_softness(
                context_.materials[i].elasticity, model_.parts[i].scale, state_.time, context_.settings, h_));
        }
        arrays_.start = keep_starts(plan_.floats(), workspace_);
        if (workspace_.interface_arrivals.size() != plan_.subdomains)
            workspace_.interface_arrivals = std::vector<std::atomic<std::uint32_t>>(plan_.subdomains);
        place_colliders(state_.colliders, state_, plan_.subdomains, workspace_);
        prepare_levels(model_, plan_, state_, context_, h_);
        prepare_strands(model_, plan_.strands, state_, context_.settings, workspace_.softness,
                        context_.materials, workspace_.strands);
        prepare_pressed_strands(model_, plan_, workspace_.strands, workspace_.pressed);
        clusters_.prepare();
        pack_changed_rests(model_, plan_, state_, workspace_);
        if (has_wind()) {
            find_air_loads(model_, plan_, state_, context_);
            find_line_vectors(model_, plan_, particles_.position, workspace_.line_vectors);
        }
        aim_driven_particles(model_, plan_, state_, context_.settings.substeps);
        limit_corrections(model_, plan_, state_, context_, h_);
        wake_what_was_changed(plan_, state_, context_.settings);
        momentum_.begin();
        begin_reports(model_, plan_, state_, context_.settings, workspace_.contact.reports);
        if (has_grains()) grains_.begin_frame();
        workspace_.touched.assign(model_.islands.size(), 0);
        workspace_.is_clear.assign(plan_.chunks.size(), 0);
        workspace_.clear_boxes.assign(plan_.chunks.size(), {});
        forget_clear_faces(workspace_.faces);
    }

    void project_all(int substep, int iteration, const SubstepPass& pass) {
        const bool has_levels = iteration == 0 && any_level(workspace_);
        if (has_levels) {
            context_.executor.for_each(plan_.subdomains,
                                       [&](std::size_t subdomain) { pass_over_subdomain(subdomain, pass); });
            if (pass.finish) give_supports();
            solve_levels(plan_, arrays_, particles_, context_);
        }
        const StrandPass strands{iteration == 0, substep == 0};
        context_.executor.for_each(plan_.subdomains, [&](std::size_t subdomain) {
            if (iteration == 0 && !has_levels) pass_over_subdomain(subdomain, pass);
            clusters_.project_item(subdomain, iteration);
            solve_bundles(strand_context(), subdomain, strands);
            if (subdomain > 0) project_interface(subdomain - 1, iteration);
            if (subdomain + 1 < plan_.subdomains) project_interface(subdomain, iteration);
        });
        if (!plan_.riders.empty()) carry_riders(plan_.riders, arrays_, context_.executor);
        solve_strands(strand_context(), strands, context_.executor);
    }

    StrandContext strand_context() {
        return {plan_.strands, context_.kernels, particles_, workspace_.strands};
    }

    ContactContext contact_context() {
        return {model_,           plan_,   state_, context_.settings,
                context_.kernels, arrays_, h_,     workspace_.contact,
                context_.executor};
    }

    void keep_grains_apart() {
        if (!has_grains()) return;
        grains_.begin();
        collide([&](const ParticleChunk& chunk) { return plan_.grains.in_island[chunk.island] != 0; });
        grains_.solve(workspace_.touched);
    }

    void give_supports() {
        if (has_contact()) add_supports(workspace_.contact, !state_.colliders.empty(), particles_);
        report_levels(plan_, state_, workspace_.coarse, arrays_, workspace_.contact);
    }

    // The interface between a subdomain and the next: done by the one of the two that comes second, while
    // their particles are in its cache. Interfaces share no particle, so which comes second changes nothing.
    void project_interface(std::size_t interface, int iteration) {
        const std::uint32_t earlier =
            workspace_.interface_arrivals[interface].fetch_add(1, std::memory_order_acq_rel);
        if (earlier % 2 == 1) clusters_.project_item(plan_.subdomains + interface, iteration);
    }

    ParticleRange range_of(const ParticleChunk& chunk) const {
        return particle_range(model_, plan_, state_.position_based, context_, arrays_, chunk);
    }

    bool has_contact() const {
        return !plan_.contact.empty() && context_.settings.contact_quality != ContactQuality::off;
    }
    bool is_safe() const {
        return has_contact() && context_.settings.contact_quality == ContactQuality::safe;
    }
    // Whether a substep must end before the next begins.
    bool moves_at_end() const { return is_safe() || has_faces_; }
    bool ends_apart() const { return sums_motion_ || moves_at_end(); }
    bool damps() const { return sums_motion_ || damping_.drag() > 0; }
    bool has_grains() const {
        return !plan_.grains.empty() && context_.settings.contact_quality != ContactQuality::off;
    }
    // Whether particles come to where they are at the ends of substeps alone, and colliders stay.
    bool keeps_clear_boxes() const {
        return !has_contact() && !has_grains() && state_.moved_colliders.empty();
    }
    bool has_wind() const { return context_.settings.air_density > 0; }
    bool is_interrupted() const {
        return context_.interrupt && context_.interrupt->load(std::memory_order_relaxed);
    }
    // The end of a substep, the beginning of the next, or both.
    void pass_over_subdomain(std::size_t subdomain, const SubstepPass& pass) {
        const Kernels& kernels = context_.kernels;
        const auto& [finish, begin, damps] = pass;
        for (std::size_t i = plan_.subdomain_chunks[subdomain]; i < plan_.subdomain_chunks[subdomain + 1];
             ++i) {
            const ParticleChunk& chunk = plan_.chunks[i];
            ParticleRange range = range_of(chunk);
            if (finish)
                find_near_colliders(kernels, plan_, state_, subdomain, i, keeps_clear_boxes(), workspace_,
                                    range);
            // Contacts of the last substep are cleared in the same pass, if there are any.
            const bool is_near = collision::count_of(range.colliders) > 0;
            const bool collides =
                is_near || (range.contacts && !state_.colliders.empty() && !workspace_.is_clear[i]);
            if (finish) workspace_.is_clear[i] = !is_near && !has_contact();
            if (finish && begin && !collides && !has_wind() && !damps) {
                kernels.finish_begin(range);
                continue;
            }
            if (finish && collides) workspace_.contacts[i] |= kernels.collide_finish(range);
            if (finish && !collides) kernels.finish(range);
            if (finish && sums_motion_ && !moves_at_end())
                workspace_.motion.add(kernels, range, i, chunk.island);
            if (begin && damps) damp(range, chunk);
            if (begin && has_wind()) kernels.apply_wind(range);
            if (begin && has_wind()) apply_line_wind(workspace_.line_vectors, range);
            if (begin) kernels.begin(range);
        }
    }

    void damp(ParticleRange range, const ParticleChunk& chunk) {
        damping_.give(range, sums_motion_ ? &workspace_.motion.of(chunk.island) : nullptr);
        context_.kernels.add_motion(range);
    }

    void finish_substep() {
        workspace_.motion.begin(plan_, particles_);
        context_.executor.for_each(plan_.subdomains, [&](std::size_t subdomain) {
            pass_over_subdomain(subdomain, {.finish = true});
        });
        end_motion();
        give_supports();
        slow_what_came_out(model_, plan_, state_, context_, h_);
    }

    // When all has moved: faces leave colliders, what crossed goes back, and what came of it is summed up.
    void end_motion() {
        if (has_faces_) keep_faces_out({model_, plan_, particles_, context_, arrays_, h_});
        if (is_safe()) keep_from_crossing(contact_context());
        if (!sums_motion_) return;
        for (std::size_t i = 0; moves_at_end() && i < plan_.chunks.size(); ++i)
            workspace_.motion.add(context_.kernels, range_of(plan_.chunks[i]), i, plan_.chunks[i].island);
        workspace_.motion.total(plan_);
    }

    // The last look at the particles while they are in the cache.
    void finish_frame() {
        std::atomic<std::uint64_t> repaired{0};
        workspace_.motion.begin(plan_, particles_);
        context_.executor.for_each(plan_.subdomains, [&](std::size_t subdomain) {
            pass_over_subdomain(subdomain, {.finish = true});
            for (std::size_t i = plan_.subdomain_chunks[subdomain]; i < plan_.subdomain_chunks[subdomain + 1];
                 ++i) {
                if (context_.kernels.in_range(range_of(plan_.chunks[i]))) continue;
                repaired += repair_particles(model_, plan_, state_, plan_.chunks[i]);
            }
        });
        give_supports();
        state_.repaired += repaired;
        end_motion();
        if (damps()) {
            context_.executor.for_each(plan_.chunks.size(), [&](std::size_t i) {
                damp(range_of(plan_.chunks[i]), plan_.chunks[i]);
            });
        }
        slow_what_came_out(model_, plan_, state_, context_, h_);
    }

    void collide() {
        collide([](const ParticleChunk&) { return true; });
        if (!state_.colliders.empty()) slow_what_came_out(model_, plan_, state_, context_, h_);
    }

    template <class Takes>
    void collide(const Takes& takes) {
        if (state_.colliders.empty()) return;
        context_.executor.for_each(plan_.subdomains,
                                   [&](std::size_t subdomain) { collide_subdomain(subdomain, takes); });
    }
    template <class Takes>
    void collide_subdomain(std::size_t subdomain, const Takes& takes) {
        for (std::size_t i = plan_.subdomain_chunks[subdomain]; i < plan_.subdomain_chunks[subdomain + 1];
             ++i) {
            if (!takes(plan_.chunks[i])) continue;
            ParticleRange range = range_of(plan_.chunks[i]);
            find_near_colliders(context_.kernels, plan_, state_, subdomain, i, false, workspace_, range);
            if (collision::count_of(range.colliders) > 0)
                workspace_.contacts[i] |= context_.kernels.collide(range);
        }
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
    ClusterPass clusters_;
    GrainPass grains_;
    ParticleArrays arrays_;
    const bool has_faces_;
    bool sums_motion_ = false;  // of islands, at the end of the substep that is or was the last
};

}  // namespace

void step(const Model& model, const Plan& plan, State& state, const StepContext& context) {
    PLIANT_VALIDATE(validate(model, plan, state));
    PLIANT_ASSERT(context.materials.size() == model.parts.size());
    PositionBasedStep(model, plan, state, context).run();
    write_view(model, plan, state, context);
}

}  // namespace pliant::solvers::position_based
