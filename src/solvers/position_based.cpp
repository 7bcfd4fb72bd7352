// One frame of Δt = n substeps of h. State per particle: position x, predicted x*, displacement u = h·v.
//
//   for each substep
//       u += the air's push;  u += h²·(g + w·f);  x* = x + u;  x = x*           (held particles keep their u)
//       for each iteration
//           project every constraint on x: slabs, and each seam once both its slabs are done
//           push x out of colliders, with friction
//       x = x* + c;  u += c,  c = x − x*, limited where gradients can vanish;  restitution
//       damping
//
// The end of a substep and the beginning of the next are one pass over the particles, and a slab's particles
// go through it just before its constraints: an iteration is one parallel phase, over pieces that the
// topology fixes. Nothing depends on the number of threads.
#include "solvers/position_based.h"

#include <algorithm>
#include <atomic>
#include <vector>

#include "base/convert.h"
#include "base/roots.h"
#include "collision/local_colliders.h"
#include "solvers/damping.h"
#include "solvers/publish.h"
#include "solvers/recovery.h"

namespace pliant {
namespace {

// A gap that is to be closed in T − t seconds shrinks with the retardation time τ = (T − t)/2, and so like
// (1 − t/T)²: it arrives gently.
Law<float> make_law(const Elasticity& elasticity, const ElasticityUse& use, double time,
                    const Settings& settings, double h) {
    const double retardation = max(0.0, use.closing_time - time) / 2;
    if (settings.method == Method::pbd) {
        if (retardation > 0) return {0, 0, static_cast<float>(retardation / h), -1.0f, -1.0f};
        const double relaxation = share_per_part(elasticity.stiffness, settings.iterations);
        return {0, 0, 0, static_cast<float>(-relaxation), static_cast<float>(-1 / relaxation)};
    }
    const double compliance = elasticity.compliance / (h * h);
    return {static_cast<float>(compliance * use.uniform), static_cast<float>(compliance * use.per_measure),
            static_cast<float>(max(double(elasticity.damping), retardation) / h), -1.0f, -1.0f};
}

// λ of every constraint of a sort of visits, as its batch is laid out; empty where a single iteration needs
// none.
template <class Visit>
struct Multipliers {
    AlignedVector<float> blocks;
    std::vector<float> singles;
};

class Frame {
public:
    Frame(const Model& model, State& state, const StepContext& context)
        : model_(model),
          state_(state),
          context_(context),
          h_(double(context.settings.time_step) / context.settings.substeps),
          arrays_{state.position.data(), state.predicted.data(), state.displacement.data()},
          seam_arrivals_(model.slabs) {
        release_yielding();
        look_at_crushed(model, state, context.executor);
        for (std::size_t i = 0; i < context.elasticities.size(); ++i) {
            // Soft or viscous edges would leave a crushed body in creases.
            const std::uint32_t group = model.soft_groups[i];
            const bool is_crushed = group != no_group && state.crushed[group] > 0;
            laws_.push_back(make_law(is_crushed ? Elasticity{} : context.elasticities[i], model.uses[i],
                                     state.time, context.settings, h_));
        }
        place_colliders(state.colliders, state.colliders);
        AllVisits::for_each([&]<class Visit>() { prepare_multipliers<Visit>(); });
    }

    // Volumes that yield restore gently by themselves: such a body is never held back.
    void release_yielding() {
        for (std::size_t i = 0; i < context_.elasticities.size(); ++i) {
            const Elasticity& e = context_.elasticities[i];
            const std::uint32_t group = model_.volume_groups[i];
            const bool yields = context_.settings.method == Method::pbd ? e.stiffness < 1 : e.compliance > 0;
            if (group != no_group && yields) state_.crushed[group] = 0;
        }
    }

    void run() {
        rescale_displacements();
        if (blows()) find_sails(model_, state_, context_.fans, context_.executor);
        aim_driven_particles();
        const float damping =
            static_cast<float>(share_per_part(context_.settings.damping, context_.settings.substeps));
        Restraint restraint(model_, state_);
        const bool changes_velocities = damping > 0 || restraint.is_needed();
        for (int substep = 0; substep < context_.settings.substeps; ++substep) {
            const bool finishes_last = substep > 0 && !changes_velocities;
            for (int iteration = 0; iteration < context_.settings.iterations; ++iteration) {
                context_.executor.for_each(model_.slabs, [&](std::size_t slab) {
                    if (iteration == 0) pass_over_slab(slab, finishes_last, true);
                    project_item(slab, iteration);
                    if (slab > 0) project_seam(slab - 1, iteration);
                    if (slab + 1 < model_.slabs) project_seam(slab, iteration);
                });
                // Until here the last substep's were needed, to finish it.
                if (iteration == 0) move_colliders(substep);
                if (iteration + 1 < context_.settings.iterations) collide();
            }
            const bool is_last = substep + 1 == context_.settings.substeps;
            if (is_last) {
                finish_frame();
            } else if (changes_velocities) {
                finish_substep();
            }
            if (damping > 0) damp_velocities(model_, state_, damping, context_.executor);
            restraint.apply(to_double(context_.settings.gravity) * (h_ * h_));
        }
        arrive_driven_particles();
        state_.moved_colliders.clear();
        ++state_.frame;
        if (look_is_due(state_)) recover(model_, state_, context_.executor);
        state_.time += context_.settings.time_step;
    }

private:
    // λ is needed where a constraint is projected more than once per substep, or damped.
    template <class Visit>
    void prepare_multipliers() {
        const Batch<Visit>& batch = std::get<Batch<Visit>>(model_.batches);
        const bool needed = std::any_of(batch.runs.begin(), batch.runs.end(), [&](const Run& run) {
            return keeps_multipliers(form_of<Visit>(run));
        });
        auto& multipliers = std::get<Multipliers<Visit>>(multipliers_);
        multipliers.blocks.resize(needed ? batch.blocks() * Visit::stages * block_size : 0);
        multipliers.singles.resize(needed ? batch.singles() * Visit::stages : 0);
    }

    // A visit takes the fullest form that one of its constraints needs: with zeros for what they lack, forms
    // agree.
    template <class Visit>
    ProjectionForm form_of(const Run& run) const {
        ProjectionForm form = ProjectionForm::rigid;
        for (int slot = 0; slot < Visit::slots; ++slot)
            form = std::max(form, form_of(laws_[run.elasticities[static_cast<std::size_t>(slot)]]));
        return form;
    }
    ProjectionForm form_of(const Law<float>& law) const {
        if (law.damping > 0) return ProjectionForm::damped;
        const bool compliant = law.compliance > 0 || law.compliance_per_measure > 0;
        if (compliant && context_.settings.iterations > 1) return ProjectionForm::iterated;
        return compliant || law.scale != -1 ? ProjectionForm::single : ProjectionForm::rigid;
    }

    // The seam between a slab and the next: done by the one of the two that comes second, while their
    // particles are in its cache. Seams share no particle, so which comes second changes nothing.
    void project_seam(std::size_t seam, int iteration) {
        const std::uint32_t earlier = seam_arrivals_[seam].fetch_add(1, std::memory_order_acq_rel);
        if (earlier % 2 == 1) project_item(model_.slabs + seam, iteration);
    }

    void project_item(std::size_t item, int iteration) {
        std::size_t visit = 0;
        AllVisits::for_each([&]<class Visit>() { project_runs<Visit>(item, visit++, iteration, true); });
        // Damping of edges resists what volumes did before it, all the more the shorter the substep is. So a
        // damped visit projects its volume in a second round, after all edges.
        visit = 0;
        AllVisits::for_each([&]<class Visit>() {
            if constexpr (Visit::is_mixed) project_runs<Visit>(item, visit, iteration, false);
            ++visit;
        });
    }

    template <class Visit>
    void project_runs(std::size_t item, std::size_t visit, int iteration, bool is_first_round) {
        const Batch<Visit>& batch = std::get<Batch<Visit>>(model_.batches);
        auto& multipliers = std::get<Multipliers<Visit>>(multipliers_);
        if (batch.runs.empty()) return;
        for (std::size_t r = batch.item_runs[item]; r < batch.item_runs[item + 1]; ++r) {
            const Run& run = batch.runs[r];
            const ProjectionForm form = form_of<Visit>(run);
            const bool has_rounds = Visit::is_mixed && form == ProjectionForm::damped;
            if (!is_first_round && !has_rounds) continue;
            ProjectionRun job;
            if (has_rounds) job.slots = is_first_round ? 1 : 2;
            job.particles = arrays_;
            job.block_offsets = batch.block_offsets.data() + run.first_block * Visit::arity * block_size;
            job.blocks = run.blocks;
            job.single_offsets = batch.single_offsets.data() + run.first_single * Visit::arity;
            job.singles = run.singles;
            for (std::size_t slot = 0; slot < Visit::slots; ++slot)
                job.laws[slot] = laws_[run.elasticities[slot]];
            if (Visit::parameters > 0) {
                job.block_parameters =
                    batch.block_parameters.data() + run.first_block * Visit::parameters * block_size;
                job.single_parameters = batch.single_parameters.data() + run.first_single * Visit::parameters;
            }
            if (keeps_multipliers(form)) {
                job.block_multipliers =
                    multipliers.blocks.data() + run.first_block * Visit::stages * block_size;
                job.single_multipliers = multipliers.singles.data() + run.first_single * Visit::stages;
                if (iteration == 0 && is_first_round) {
                    std::fill_n(job.block_multipliers, run.blocks * Visit::stages * block_size, 0.0f);
                    std::fill_n(job.single_multipliers, run.singles * Visit::stages, 0.0f);
                }
            }
            context_.kernels.project[visit][static_cast<std::size_t>(form)](job);
        }
    }

    ParticleRange range_of(const ParticleChunk& chunk) const {
        const Vec3& g = context_.settings.gravity;
        const double h2 = h_ * h_;
        ParticleRange range;
        range.particles = arrays_;
        range.forces = state_.forces.empty() ? nullptr : state_.forces.data();
        range.radii = model_.radii.data();
        range.first = chunk.first;
        range.count = chunk.count;
        range.gravity_step[0] = static_cast<float>(h2 * g.x);
        range.gravity_step[1] = static_cast<float>(h2 * g.y);
        range.gravity_step[2] = static_cast<float>(h2 * g.z);
        range.h2 = static_cast<float>(h2);
        if (blows()) {
            const Vec3& wind = context_.settings.wind;
            range.sails = state_.sails.data();
            range.wind_step[0] = static_cast<float>(h_ * wind.x);
            range.wind_step[1] = static_cast<float>(h_ * wind.y);
            range.wind_step[2] = static_cast<float>(h_ * wind.z);
            range.half_air_density = context_.settings.air_density / 2;
        }
        range.reach = model_.groups[chunk.group].reach;
        // What gravity adds in two substeps is resting, not falling.
        range.resting_step = static_cast<float>(2 * h2 * sqrt(double(dot(g, g))));
        range.colliders = colliders_[chunk.group].set();
        return range;
    }

    bool blows() const { return context_.settings.air_density > 0; }

    // The end of a substep, the beginning of the next, or both.
    void pass_over_slab(std::size_t slab, bool finish, bool begin) {
        const Kernels& kernels = context_.kernels;
        for (std::size_t i = model_.slab_chunks[slab]; i < model_.slab_chunks[slab + 1]; ++i) {
            const ParticleRange range = range_of(model_.chunks[i]);
            const bool collides = !state_.colliders.empty();
            if (finish && begin && !collides && !blows()) {
                kernels.finish_begin(range);
                continue;
            }
            if (finish) (collides ? kernels.collide_finish : kernels.finish)(range);
            if (begin && blows()) kernels.blow(range);
            if (begin) kernels.begin(range);
        }
    }

    void finish_substep() {
        context_.executor.for_each(model_.slabs,
                                   [&](std::size_t slab) { pass_over_slab(slab, true, false); });
    }

    // The last look at the particles while they are in the cache.
    void finish_frame() {
        std::atomic<std::uint64_t> repaired{0};
        context_.executor.for_each(model_.slabs, [&](std::size_t slab) {
            pass_over_slab(slab, true, false);
            for (std::size_t i = model_.slab_chunks[slab]; i < model_.slab_chunks[slab + 1]; ++i) {
                if (context_.kernels.in_range(range_of(model_.chunks[i]))) continue;
                repaired += repair_particles(model_, state_, model_.chunks[i]);
            }
        });
        state_.repaired += repaired;
    }

    void collide() {
        if (state_.colliders.empty()) return;
        context_.executor.for_each(model_.chunks.size(), [&](std::size_t i) {
            context_.kernels.collide(range_of(model_.chunks[i]));
        });
    }

    void place_colliders(const std::vector<Collider>& start, const std::vector<Collider>& end) {
        colliders_.clear();
        for (const Vec3d& origin : state_.origins) colliders_.emplace_back(start, end, origin);
    }

    // To where they are at the end of the substep.
    void move_colliders(int substep) {
        if (state_.moved_colliders.empty()) return;
        const std::vector<Collider> start = state_.colliders;
        for (const MovedCollider& moved : state_.moved_colliders) {
            // The way that is left is shared by the substeps that are left.
            ColliderShape& shape = state_.colliders[moved.collider].shape;
            shape = collision::between(shape, moved.target, 1.0 / (context_.settings.substeps - substep));
        }
        place_colliders(start, state_.colliders);
    }

    // A new substep length leaves velocities as they are.
    void rescale_displacements() {
        const float h = static_cast<float>(h_);
        if (state_.substep != h && state_.substep > 0) {
            const float scale = static_cast<float>(h_ / state_.substep);
            for (float& u : state_.displacement) u *= scale;
        }
        state_.substep = h;
    }

    // Held particles keep their u through a substep: give them the one that leads to the target.
    void aim_driven_particles() {
        for (const DrivenParticle& driven : state_.driven) {
            const Vec3d way = target_of(driven) - position_of(driven.place);
            float* u = state_.displacement.data() + driven.place * floats_per_particle;
            u[0] = static_cast<float>(way.x / context_.settings.substeps);
            u[1] = static_cast<float>(way.y / context_.settings.substeps);
            u[2] = static_cast<float>(way.z / context_.settings.substeps);
        }
    }
    void arrive_driven_particles() {
        for (const DrivenParticle& driven : state_.driven) {
            const Vec3d target = target_of(driven);
            float* x = state_.position.data() + driven.place * floats_per_particle;
            x[0] = static_cast<float>(target.x);
            x[1] = static_cast<float>(target.y);
            x[2] = static_cast<float>(target.z);
        }
    }
    Vec3d position_of(std::uint32_t place) const {
        const float* x = state_.position.data() + place * floats_per_particle;
        return {x[0], x[1], x[2]};
    }
    Vec3d target_of(const DrivenParticle& driven) const {
        return driven.target - state_.origins[model_.group_of(driven.place)];
    }

    const Model& model_;
    State& state_;
    const StepContext& context_;
    const double h_;
    const ParticleArrays arrays_;
    std::vector<Law<float>> laws_;
    std::vector<collision::LocalColliders> colliders_;
    AllVisits::Each<Multipliers> multipliers_;
    std::vector<std::atomic<std::uint32_t>> seam_arrivals_;
};

}  // namespace

void step_position_based(const Model& model, State& state, const StepContext& context) {
    const StandardFloatingPoint floating_point;
    Frame(model, state, context).run();
    publish(model, state, context);
}

}  // namespace pliant
