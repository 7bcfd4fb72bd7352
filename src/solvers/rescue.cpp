#include "solvers/rescue.h"

#include <algorithm>

#include "base/convert.h"
#include "collision/local_colliders.h"
#include "solvers/step_context.h"

namespace pliant::solvers {
namespace {

using model::Model;
using model::RescueState;
using model::State;
using position_based::Plan;

using Timer = RescueState::Timer;

constexpr double patience = 0.8;          // s: in need for longer, a body is drawn to its shape
constexpr double longest = 1.6;           // s: more than that beyond its patience no timer counts
constexpr double scan_period = 0.125;     // s, while nothing is inside out
constexpr double seconds_to_forget = 10;  // s
constexpr int most_rescues = 6;
constexpr double longest_rescue = 2.5;  // s: what has not helped by then does not help
constexpr double most_stretch = 4;      // extents: longer than that, a body that nothing holds is torn

// A body that cannot stay whole, because it is too weak for its substeps, must not be drawn for ever: each
// time it waits twice as long.
double patience_of(const Timer& timer) { return patience * double(1 << timer.rescues); }
bool is_drawn(const Timer& timer) { return timer.need > patience_of(timer); }

// Seconds that a timer gains in a second while the share f of a body is inside out. What is half inside out
// does not come back by itself.
double pace(double f) { return 1 + 60 * min(max(20 * (f - 0.1), 0.0), 1.0); }

// How fast distances to the rest shape shrink, 1/s: gently at first.
double rate(const Timer& timer) {
    const double since = timer.need - patience_of(timer);
    return 60 * min(since / 0.4, 1.0) + 540 * max((since - 0.8) / 0.8, 0.0);
}

// time: now. Frames without a scan need no call: nothing is in need then.
void advance(Timer& timer, double share, double seconds, double time) {
    const bool was_drawn = is_drawn(timer);
    if (share > 0) {
        timer.need = min(timer.need + seconds * pace(share), patience_of(timer) + longest);
    } else {
        timer.need = max(timer.need - 3 * seconds, 0.0);
    }
    if (was_drawn) timer.drawn += seconds;
    if (was_drawn && (!is_drawn(timer) || timer.drawn > longest_rescue)) {
        timer.rescues += timer.rescues < most_rescues;
        timer.need = timer.drawn = 0;
    }
    if (timer.need > 0) timer.last = time;
    if (time - timer.last > seconds_to_forget) {
        timer.rescues -= timer.rescues > 0;
        timer.last = time;
    }
}

constexpr double damping = 40;  // 1/s, of motion within the body

constexpr std::uint32_t chunk_particles = 1024;

Vec3d vector_at(const AlignedVector<float>& array, std::size_t slot) {
    const float* p = array.data() + slot * floats_per_particle;
    return {p[0], p[1], p[2]};
}

void set_vector(AlignedVector<float>& array, std::size_t slot, const Vec3d& v) {
    float* p = array.data() + slot * floats_per_particle;
    p[0] = static_cast<float>(v.x);
    p[1] = static_cast<float>(v.y);
    p[2] = static_cast<float>(v.z);
}

// Draws one body for h seconds.
class BodyRescue {
public:
    BodyRescue(const Model& model, const Plan& plan, State& state, const StepContext& context,
               const BodyView& body, double h)
        : model_(model),
          plan_(plan),
          state_(state),
          context_(context),
          body_(body),
          h_(h),
          sums_(context.workspace.rescue.sums) {}

    void run(const Timer& timer) {
        const std::size_t chunks = (body_.particle_count + chunk_particles - 1) / chunk_particles;
        sums_.assign(chunks, {});
        context_.executor.for_each(chunks, [&](std::size_t c) { add_chunk(c); });
        RescueSums total;
        for (const RescueSums& part : sums_) {
            total.dynamic.add(part.dynamic, 1);
            total.held.add(part.held, 1);
            total.motion.add(part.motion);
        }
        if (!(total.dynamic.mass > 0)) return;
        // What is held says where the body belongs: together it counts as much as all the rest.
        if (total.held.mass > 0) total.dynamic.add(total.held, total.dynamic.mass / total.held.mass);
        const RigidFit fit = best_fit(total.dynamic);
        const double share = min(rate(timer) * h_, 1.0);
        context_.executor.for_each(chunks, [&](std::size_t c) { move_chunk(c, fit, share); });
        const RigidMotion motion = rigid_motion(total.motion);
        Vec3d shift{};
        for (const RescueSums& part : sums_) shift = shift + part.shift;
        const Vec3d lost = surplus(motion.linear, shift * (1 / total.motion.mass));
        context_.executor.for_each(chunks, [&](std::size_t c) { calm_chunk(c, fit, motion, lost); });
    }

private:
    // f(particle, slot, inverse mass)
    template <class F>
    void for_each_particle(std::size_t chunk, F&& f) const {
        const auto begin = static_cast<std::uint32_t>(chunk * chunk_particles);
        const std::uint32_t end = std::min(begin + chunk_particles, body_.particle_count);
        for (std::uint32_t i = body_.first_particle + begin; i < body_.first_particle + end; ++i) {
            const std::size_t slot = plan_.slot_of[i];
            f(i, slot, state_.position_based.position[slot * floats_per_particle + 3]);
        }
    }

    void add_chunk(std::size_t chunk) {
        const model::PositionBasedState& particles = state_.position_based;
        RescueSums& sums = sums_[chunk];
        for_each_particle(chunk, [&](std::uint32_t i, std::size_t slot, float w) {
            const Vec3d x = vector_at(particles.position, slot), rest = to_double(model_.rest_positions[i]);
            const double mass = 1 / double(model_.inverse_masses[i]);
            (w > 0 ? sums.dynamic : sums.held).add(x, rest, mass);
            if (w > 0) sums.motion.add(x, vector_at(particles.displacement, slot), mass);
        });
    }

    // Colliders and what is held may shift the centre of mass: a body that unfolds on the ground is lifted
    // off it. What it rises by itself meanwhile, because its elements push it off the ground, would make it
    // hop and is taken away, up to ten times the speed of the shift: rounding shifts it too, but takes
    // nothing.
    Vec3d surplus(const Vec3d& linear, const Vec3d& shift) const {
        const double way = length(shift);
        if (!(way > 0)) return {};
        const Vec3d along = shift * (1 / way);
        const double most = 10 * way * state_.position_based.substep / h_;
        return along * min(max(dot(linear, along), 0.0), most);
    }

    // Positions move and displacements stay: no velocity comes of it.
    void move_chunk(std::size_t chunk, const RigidFit& fit, double share) {
        AlignedVector<float>& position = state_.position_based.position;
        const collision::ColliderSet colliders = context_.workspace.colliders[body_.island].set();
        for_each_particle(chunk, [&](std::uint32_t i, std::size_t slot, float w) {
            if (!(w > 0)) return;
            const Vec3d x = vector_at(position, slot);
            const Vec3d target = collision::pushed_out(
                colliders, fit.place(to_double(model_.rest_positions[i])), plan_.radii[slot]);
            // The way there may lead through a collider.
            const Vec3d drawn = collision::pushed_out(colliders, x + (target - x) * share, plan_.radii[slot]);
            set_vector(position, slot, drawn);
            sums_[chunk].shift = sums_[chunk].shift + (drawn - x) * (1 / double(w));
        });
    }

    // What the particles move against each other fades, and is no faster than constraints may make it. The
    // rigid motion is that of a particle's place in the body: it may still be far from it.
    void calm_chunk(std::size_t chunk, const RigidFit& fit, const RigidMotion& motion, const Vec3d& lost) {
        AlignedVector<float>& displacement = state_.position_based.displacement;
        const double most = context_.settings.correction_speed * model_.islands[body_.island].extent *
                            state_.position_based.substep;
        for_each_particle(chunk, [&](std::uint32_t i, std::size_t slot, float w) {
            if (!(w > 0)) return;
            const Vec3d rigid = motion.at(fit.place(to_double(model_.rest_positions[i])));
            Vec3d inner = (vector_at(displacement, slot) - rigid) * (1 / (1 + damping * h_));
            const double speed = length(inner);
            if (speed > most) inner = inner * (most / speed);
            set_vector(displacement, slot, rigid + inner - lost);
        });
    }

    const Model& model_;
    const Plan& plan_;
    State& state_;
    const StepContext& context_;
    const BodyView& body_;
    const double h_;
    std::vector<RescueSums>& sums_;
};

// Of each body.
const std::vector<std::uint32_t>& count_inverted(const Model& model, const Plan& plan, const State& state,
                                                 const StepContext& context) {
    const std::vector<position_based::TetrahedronChunk>& chunks = plan.tetrahedra.chunks;
    RescueMemory& memory = context.workspace.rescue;
    memory.inverted.assign(chunks.size(), 0);
    context.executor.for_each(chunks.size(), [&](std::size_t c) {
        memory.inverted[c] = context.kernels.count_inverted(
            {state.position_based.position.data(),
             plan.tetrahedra.offsets.data() + chunks[c].first * std::size_t(4), chunks[c].count});
    });
    memory.sums.reserve(model.particles() / chunk_particles + 1);  // for the first rescue
    memory.of_bodies.assign(model.bodies.size(), 0);
    for (std::size_t c = 0; c < chunks.size(); ++c) memory.of_bodies[chunks[c].body] += memory.inverted[c];
    return memory.of_bodies;
}

// Nothing ties it to the world or to another body.
bool is_free(const Model& model, const BodyView& body) {
    const auto is_in_island = [&](std::uint32_t anchor) {
        return anchor != model::no_anchor && model.island_of[anchor] == body.island;
    };
    return std::count_if(model.bodies.begin(), model.bodies.end(),
                         [&](const BodyView& other) { return other.island == body.island; }) == 1 &&
           std::none_of(model.anchors.begin(), model.anchors.end(), is_in_island);
}

// Far longer than it was, though nothing holds it.
bool is_torn(const Model& model, const Plan& plan, const State& state, const BodyView& body) {
    const AlignedVector<float>& position = state.position_based.position;
    Vec3d low = vector_at(position, plan.slot_of[body.first_particle]), high = low;
    for (std::uint32_t i = body.first_particle; i < body.first_particle + body.particle_count; ++i) {
        const std::size_t slot = plan.slot_of[i];
        if (!(position[slot * floats_per_particle + 3] > 0)) return false;
        const Vec3d x = vector_at(position, slot);
        low = {min(low.x, x.x), min(low.y, x.y), min(low.z, x.z)};
        high = {max(high.x, x.x), max(high.y, x.y), max(high.z, x.z)};
    }
    const Vec3d extent = high - low;
    const double longest_side = max(extent.x, max(extent.y, extent.z));
    return longest_side > most_stretch * model.islands[body.island].extent && is_free(model, body);
}

}  // namespace

void rescue(const Model& model, const Plan& plan, State& state, const StepContext& context, double seconds) {
    RescueState& rescue = state.rescue;
    const bool is_calm = std::all_of(rescue.timers.begin(), rescue.timers.end(),
                                     [](const Timer& timer) { return timer.need == 0; });
    if (plan.tetrahedra.chunks.empty() || (is_calm && state.time < rescue.next_scan)) return;
    rescue.next_scan = state.time + scan_period;

    const std::vector<std::uint32_t>& inverted = count_inverted(model, plan, state, context);
    for (std::size_t b = 0; b < model.bodies.size(); ++b) {
        const BodyView& body = model.bodies[b];
        Timer& timer = rescue.timers[b];
        if (body.tetrahedron_count == 0) continue;
        const double share = double(inverted[b]) / body.tetrahedron_count;
        advance(timer, is_torn(model, plan, state, body) ? 1 : share, seconds, state.time);
        if (!is_drawn(timer)) continue;
        BodyRescue(model, plan, state, context, body, seconds).run(timer);
        state.recent_speeds[body.island] = 0;
        ++state.rescues;
    }
}

double bounce_speed(const Model& model, State& state, std::size_t island, double speed, double h) {
    if (speed * h > model.islands[island].extent / 4) {
        state.rescue.next_scan = state.time;  // it may be crushed in this frame
        return 0;
    }
    for (std::size_t b = 0; b < model.bodies.size(); ++b) {
        if (model.bodies[b].island == island && is_drawn(state.rescue.timers[b])) return 0;
    }
    return speed;
}

}  // namespace pliant::solvers
