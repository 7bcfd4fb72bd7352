#include "solvers/settle.h"

#include <algorithm>

#include "base/convert.h"
#include "base/particle_layout.h"
#include "solvers/step_context.h"

namespace pliant::solvers {
namespace {

using model::RestingIsland;
using position_based::ParticleChunk;
using position_based::SettlingIsland;
using position_based::SquareSum;
using Task = SettlingIsland::Task;

constexpr double most_speed = 0.07;  // of √(g·size)
constexpr double patience = 0.5,
                 ramp = 0.5;  // s: calm for so long, before anything happens, and until all does
constexpr double most_patience = 1.5,
                 most_share = 10;      // s: who trembles even then loses so many times as much
constexpr double mean_seconds = 0.2;   // τ
constexpr double period = 0.5;         // s
constexpr double most_drift = 3e-4;    // of the size, from period to period (RMS)
constexpr double most_calm = 3;        // s: that grows with the square of the time it has been calm
constexpr double most_of_one = 30;     // times that, of any particle
constexpr std::uint32_t learning = 3;  // frames: until contacts of the last substep repeat too
// What wakes: by how much the velocity that it would have may change, of g·Δt, RMS and of any particle.
constexpr double waking_change = 0.03, waking_change_of_one = 0.3;

class Settler {
public:
    Settler(const model::Model& model, const position_based::Plan& plan, model::State& state,
            const StepContext& context, double seconds)
        : model_(model),
          plan_(plan),
          state_(state),
          particles_(state.position_based),
          context_(context),
          islands_(context.workspace.settling.islands),
          sums_(context.workspace.settling.sums),
          seconds_(seconds),
          gravity_(length(to_double(context.settings.gravity))),
          follow_(static_cast<float>(seconds / (seconds + mean_seconds))) {}

    void run() {
        find_what_touches();
        sum([&](std::size_t c) { return look_at(plan_.chunks[c]); });
        for (std::size_t i = 0; i < islands_.size(); ++i) choose_task(i);
        sum([&](std::size_t c) { return work_on(plan_.chunks[c]); });
        for (std::size_t i = 0; i < islands_.size(); ++i) end_period(i);
        rest_together();
        context_.executor.for_each(plan_.chunks.size(), [&](std::size_t c) { stop(plan_.chunks[c]); });
    }

private:
    // Of islands with triangles or tetrahedra alone: what a rope does is not small because it is light. And
    // of those with friction on all that they touch: on ice, nothing stops what turns slowly.
    void find_what_touches() {
        islands_.assign(plan_.islands.size(), {});
        const std::vector<std::uint8_t>& contacts = context_.workspace.contacts;
        for (std::size_t c = 0; c < plan_.chunks.size(); ++c)
            islands_[plan_.chunks[c].island].acts |= contacts[c] != position_based::no_contact;
        for (std::size_t i = 0; i < islands_.size(); ++i) {
            islands_[i].acts |= context_.workspace.touched[i] != 0;
            islands_[i].acts &= !plan_.islands[i].is_thin;
            // Where a collider moves, it must not take along by steps what it touches.
            islands_[i].is_carried = islands_[i].acts && !state_.moved_colliders.empty();
        }
        for (std::size_t c = 0; c < plan_.chunks.size(); ++c)
            islands_[plan_.chunks[c].island].acts &= !(contacts[c] & position_based::slippery);
        for (std::size_t b = 0; b < model_.bodies.size(); ++b) {
            const BodyView& body = model_.bodies[b];
            islands_[body.island].acts &= body.line_count == 0 && model_.contacts[b].friction > 0;
        }
    }

    // Over chunks, in order.
    template <class F>
    void sum(const F& of_chunk) {
        sums_.assign(plan_.chunks.size(), {});
        context_.executor.for_each(plan_.chunks.size(), [&](std::size_t c) {
            if (islands_[plan_.chunks[c].island].acts) sums_[c] = of_chunk(c);
        });
        for (SettlingIsland& island : islands_) island.squares = {};
        for (std::size_t c = 0; c < plan_.chunks.size(); ++c) {
            SquareSum& total = islands_[plan_.chunks[c].island].squares;
            total.count += sums_[c].count;
            total.sum += sums_[c].sum;
            total.most = max(total.most, sums_[c].most);
        }
    }

    template <class F>
    SquareSum sum_particles(const ParticleChunk& chunk, const F& f) {
        SquareSum sum;
        for (std::size_t s = chunk.first; s < chunk.first + chunk.count; ++s) {
            const std::size_t at = s * floats_per_particle;
            if (!(particles_.position[at + 3] > 0)) continue;
            const Vec3 way = f(at);
            const double squared = dot(to_double(way), to_double(way));
            sum.count += 1;
            sum.sum += squared;
            sum.most = max(sum.most, squared);
        }
        return sum;
    }

    static Vec3 at_of(const AlignedVector<float>& array, std::size_t at) {
        return {array[at], array[at + 1], array[at + 2]};
    }
    static void put(AlignedVector<float>& array, std::size_t at, const Vec3& value) {
        array[at] = value.x, array[at + 1] = value.y, array[at + 2] = value.z;
    }
    Vec3 velocity(std::size_t at) const {
        return at_of(particles_.displacement, at) * (1 / particles_.substep);
    }

    // Speeds; of what rests, by how much its velocity differs from what it was.
    SquareSum look_at(const ParticleChunk& chunk) {
        const RestingIsland& island = state_.resting[chunk.island];
        if (island.frames_at_rest == 0) {
            return sum_particles(chunk, [&](std::size_t at) { return velocity(at); });
        }
        return sum_particles(
            chunk, [&](std::size_t at) { return velocity(at) - at_of(particles_.mean_velocities, at); });
    }

    void choose_task(std::size_t i) {
        SettlingIsland& now = islands_[i];
        RestingIsland& island = state_.resting[i];
        const double count = now.squares.count, extent = model_.islands[i].extent;
        if (!now.acts || !(count > 0)) {
            now.acts = false;
            island = {};
            return;
        }
        if (island.frames_at_rest > 0) {
            const double fall = gravity_ * seconds_, change = waking_change * fall,
                         change_of_one = waking_change_of_one * fall;
            const bool stays =
                island.frames_at_rest <= learning || (now.squares.sum <= change * change * count &&
                                                      now.squares.most <= change_of_one * change_of_one);
            if (stays && !now.is_carried) {
                now.task = Task::hold;
                ++island.frames_at_rest;
                return;
            }
            island = {};
        }
        if (!(now.squares.sum < most_speed * most_speed * gravity_ * extent * count)) {
            now.acts = false;
            island = {};
            return;
        }
        if (now.is_carried) island = {};
        now.is_first = island.calm == 0;
        island.calm += seconds_;
        const auto grown = [&](double from) { return min(max((island.calm - from) / ramp, 0.0), 1.0); };
        const double rate =
            double(context_.settings.settling) * (grown(patience) + (most_share - 1) * grown(most_patience));
        now.share = static_cast<float>(rate * seconds_ / (1 + rate * seconds_));
        now.task = Task::settle;
        if (island.calm < patience) return;
        if (island.frames == 0 || island.origin != state_.origins[i]) {
            island.frames = 0;
            if (island.origin != state_.origins[i]) island.periods = 0;
            island.is_still = island.is_still && island.periods > 0;
            island.origin = state_.origins[i];
            now.begins_period = true;
        }
        ++island.frames;
        now.ends_period = island.frames * seconds_ >= period;
    }

    SquareSum work_on(const ParticleChunk& chunk) {
        const SettlingIsland& now = islands_[chunk.island];
        if (now.task == Task::settle) settle_chunk(chunk, now);
        if (now.task == Task::hold) hold(chunk);
        if (!now.ends_period) return {};
        const float share = 1 / static_cast<float>(state_.resting[chunk.island].frames);
        return sum_particles(chunk, [&](std::size_t at) {
            const Vec3 mean = at_of(particles_.places, at) * share;
            const Vec3 drift = mean - at_of(particles_.last_places, at);
            put(particles_.last_places, at, mean);
            return drift;
        });
    }

    void settle_chunk(const ParticleChunk& chunk, const SettlingIsland& now) {
        const float keep = now.share * (1 - follow_);
        for (std::size_t s = chunk.first; s < chunk.first + chunk.count; ++s) {
            const std::size_t at = s * floats_per_particle;
            if (!(particles_.position[at + 3] > 0)) continue;
            const Vec3 before = now.is_first ? Vec3{} : at_of(particles_.mean_velocities, at);
            const Vec3 apart = velocity(at) - before;
            put(particles_.mean_velocities, at, before + apart * follow_);
            put(particles_.displacement, at,
                at_of(particles_.displacement, at) - apart * (keep * particles_.substep));
            const Vec3 so_far = now.begins_period ? Vec3{} : at_of(particles_.places, at);
            put(particles_.places, at, so_far + at_of(particles_.position, at));
        }
    }

    // Back to where it was.
    void hold(const ParticleChunk& chunk) {
        const bool learns = state_.resting[chunk.island].frames_at_rest <= learning + 1;
        for (std::size_t s = chunk.first; s < chunk.first + chunk.count; ++s) {
            const std::size_t at = s * floats_per_particle;
            if (!(particles_.position[at + 3] > 0)) continue;
            if (learns) put(particles_.mean_velocities, at, velocity(at));
            put(particles_.position, at, at_of(particles_.places, at));
            put(particles_.predicted, at, at_of(particles_.places, at));
            put(particles_.displacement, at, {});
            // What levels know of contacts must not differ from frame to frame.
            if (!particles_.contacts.empty()) std::fill_n(particles_.contacts.data() + at, 4, 0.0f);
        }
    }

    void end_period(std::size_t i) {
        if (!islands_[i].ends_period) return;
        RestingIsland& island = state_.resting[i];
        const double longer = min(max(island.calm, 1.0), most_calm);
        const double most = most_drift * longer * longer * model_.islands[i].extent;
        const SquareSum& drift = islands_[i].squares;
        island.is_still = island.periods > 0 && drift.sum < most * most * drift.count &&
                          drift.most < most_of_one * most_of_one * most * most;
        ++island.periods;
        island.frames = 0;
    }

    // What touches each other rests or moves together: one that is put back where it was would carry another
    // along in each frame.
    void rest_together() {
        std::vector<std::uint32_t>& group = context_.workspace.settling.group_of;
        group.resize(islands_.size());
        for (std::uint32_t i = 0; i < group.size(); ++i) group[i] = i;
        const auto find = [&](std::uint32_t i) {
            while (group[i] != i) i = group[i] = group[group[i]];
            return i;
        };
        for (const position_based::PatchChunk& chunk : context_.workspace.contact.chunks) {
            for (std::size_t k = 0; k + 1 < chunk.touching.size(); k += 2) {
                const std::uint32_t a = find(chunk.touching[k]), b = find(chunk.touching[k + 1]);
                group[std::max(a, b)] = std::min(a, b);
            }
        }
        std::vector<std::uint8_t>& is_awake = context_.workspace.settling.is_awake;
        is_awake.assign(islands_.size(), 0);
        for (std::uint32_t i = 0; i < group.size(); ++i) {
            const RestingIsland& island = state_.resting[i];
            if (island.frames_at_rest == 0 && !island.is_still) is_awake[find(i)] = 1;
        }
        for (std::uint32_t i = 0; i < group.size(); ++i) {
            RestingIsland& island = state_.resting[i];
            if (is_awake[find(i)]) {
                if (island.frames_at_rest > 0) island = {.calm = patience};
            } else if (island.frames_at_rest == 0) {
                island.frames_at_rest = 1;
                islands_[i].task = Task::stop;
            }
        }
    }

    void stop(const ParticleChunk& chunk) {
        if (islands_[chunk.island].task != Task::stop) return;
        for (std::size_t i = chunk.first * floats_per_particle;
             i < (chunk.first + chunk.count) * floats_per_particle; i += floats_per_particle) {
            std::copy_n(particles_.position.data() + i, floats_per_particle, particles_.places.data() + i);
            if (particles_.position[i + 3] > 0) put(particles_.displacement, i, {});
        }
    }

    const model::Model& model_;
    const position_based::Plan& plan_;
    model::State& state_;
    model::PositionBasedState& particles_;
    const StepContext& context_;
    std::vector<SettlingIsland>& islands_;
    std::vector<SquareSum>& sums_;
    const double seconds_, gravity_;
    const float follow_;
};

}  // namespace

void wake_what_was_changed(const position_based::Plan& plan, model::State& state, const Settings& settings) {
    const bool all = !(settings.settling > 0) || state.last_gravity != settings.gravity;
    state.last_gravity = settings.gravity;
    const model::PositionBasedState& particles = state.position_based;
    for (std::size_t i = 0; i < state.resting.size(); ++i) {
        if (all) state.resting[i] = {};
        if (state.resting[i].frames_at_rest == 0) continue;
        const std::size_t first = plan.islands[i].first * floats_per_particle,
                          end = first + plan.islands[i].count * floats_per_particle;
        bool same = true;
        for (std::size_t k = first; same && k < end; ++k) {
            same = particles.position[k] == particles.places[k] &&
                   (k % floats_per_particle == 3 || particles.displacement[k] == 0);
        }
        if (!same) state.resting[i] = {};
    }
}

void settle(const model::Model& model, const position_based::Plan& plan, model::State& state,
            const StepContext& context, double seconds) {
    // Without inertia all is slow, on the way to rest too.
    if (!(context.settings.settling > 0) || context.settings.quasistatic ||
        state.position_based.mean_velocities.empty())
        return;
    Settler(model, plan, state, context, seconds).run();
}

}  // namespace pliant::solvers
