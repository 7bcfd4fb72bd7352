#include "solvers/position_based/contact/patch_motion.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/convert.h"
#include "solvers/position_based/plan.h"

namespace pliant::solvers::position_based {
namespace {

class PatchMover {
public:
    explicit PatchMover(const ContactContext& c)
        : plan_(c.plan),
          contact_(c.plan.contact),
          state_(c.state),
          kernels_(c.kernels),
          particles_(c.particles),
          workspace_(c.workspace),
          executor_(c.executor),
          is_safe_(c.is_safe()) {}

    void run(bool is_first_iteration) {
        if (is_first_iteration) prepare();
        executor_.for_each(plan_.chunks.size(), [&](std::size_t i) {
            StartRun run{particles_.predicted, particles_.displacement, workspace_.reference.data(),
                         plan_.chunks[i].first, plan_.chunks[i].count};
            kernels_.find_starts(run);
            if (!is_first_iteration) return;
            run.start = workspace_.start.data();
            kernels_.find_starts(run);
        });
        if (!workspace_.is_valid) workspace_.before = workspace_.start;
        executor_.for_each(workspace_.chunks.size(), [&](std::size_t g) {
            measure_group(g);
            if (is_first_iteration) add_drifts(g);
        });
        slow_down();
        cover([](std::size_t) { return true; }, false);
    }

    void measure() {
        executor_.for_each(workspace_.chunks.size(), [&](std::size_t g) { measure_group(g); });
    }
    void measure(std::size_t p) { measure_patch(p, contact_.patches[p]); }

    // Makes room for the motions of patches that f names.
    template <class F>
    void cover(const F& takes, bool grows) {
        executor_.for_each(workspace_.chunks.size(), [&](std::size_t g) { bound_group(g, takes, grows); });
        for (std::size_t level = 1; level < workspace_.tree.size(); ++level) join_boxes(level);
    }

private:
    void prepare() {
        const std::size_t patches = contact_.patches.size(), groups = (patches + group_size - 1) / group_size;
        if (workspace_.chunks.size() != groups || workspace_.start.size() != plan_.floats()) {
            ReportWorkspace reports = std::move(workspace_.reports);  // of this frame
            workspace_ = {};
            workspace_.reports = std::move(reports);
            workspace_.start.resize(plan_.floats());
            workspace_.before.resize(plan_.floats());
            workspace_.reference.resize(plan_.floats());
            workspace_.motions.resize(patches);
            workspace_.patches.resize(patches);
            workspace_.shapes.resize(patches);
            workspace_.chunks.resize(groups);
            for (PatchChunk& chunk : workspace_.chunks) {  // for some crowding; the worst may still allocate
                chunk.pairs.reserve(256), chunk.next_pairs.reserve(256);
                chunk.lists.reserve(8192), chunk.next_lists.reserve(8192);
                chunk.contacts.reserve(2048);
                chunk.touching.reserve(512);
            }
            workspace_.supports.reserve(64 * groups);
            BoxGroup none;
            for (std::size_t c = 0; c < 3; ++c) {
                std::fill_n(none.low[c], group_size, std::numeric_limits<float>::infinity());
                std::fill_n(none.high[c], group_size, -std::numeric_limits<float>::infinity());
            }
            for (std::size_t n = groups; workspace_.tree.empty() || n > 1;) {
                if (!workspace_.tree.empty()) n = (n + group_size - 1) / group_size;
                workspace_.tree.emplace_back(n, none);
            }
            workspace_.origins = state_.origins;
            workspace_.shifts.resize(state_.origins.size());
        }
        std::swap(workspace_.start, workspace_.before);
        follow_origins();
    }

    // Origins move between frames, and positions with them.
    void follow_origins() {
        for (std::size_t i = 0; i < state_.origins.size(); ++i) {
            const Vec3d shift = state_.origins[i] - workspace_.origins[i];
            workspace_.shifts[i] = to_float(state_.origins[i] - state_.origins[0]);
            if (shift == Vec3d{}) continue;
            const IslandSlots& slots = plan_.islands[i];
            for (std::size_t s = slots.first; s < slots.first + slots.count; ++s) {
                float* x = workspace_.before.data() + s * floats_per_particle;
                x[0] = static_cast<float>(x[0] - shift.x);
                x[1] = static_cast<float>(x[1] - shift.y);
                x[2] = static_cast<float>(x[2] - shift.z);
            }
            workspace_.origins[i] = state_.origins[i];
        }
    }

    // What flies apart: within a patch, no particle moves by more than an edge in a substep, seen from the
    // middle of the patch's motion.
    void slow_down() {
        bool any = false;
        for (std::size_t p = 0; p < contact_.patches.size(); ++p) {
            const Patch& patch = contact_.patches[p];
            const PatchState& state = workspace_.patches[p];
            if (state.uneven_move <= patch.spacing) continue;
            any = true;
            for (std::uint32_t v = 0; v < patch.vertices; ++v) {
                const std::size_t at = contact_.vertices[patch.first_vertex + v] / sizeof(float);
                float* x = particles_.position + at;
                const Vec3 middle = vector(workspace_.start.data() + at) + state.move;
                const Vec3 apart = vector(x) - middle;
                const float length = sqrt(dot(apart, apart));
                if (!(length > patch.spacing) || !(x[3] > 0)) continue;
                const Vec3 slowed = middle + apart * (patch.spacing / length);
                x[0] = slowed.x, x[1] = slowed.y, x[2] = slowed.z;
            }
        }
        if (!any) return;
        executor_.for_each(workspace_.chunks.size(), [&](std::size_t g) { measure_group(g); });
    }

    template <class F>
    void for_each_patch_of(std::size_t g, F&& f) {
        const std::size_t end = std::min((g + 1) * group_size, contact_.patches.size());
        for (std::size_t p = g * group_size; p < end; ++p) f(p, contact_.patches[p]);
    }

    static Vec3 middle_of(const float* low, const float* high) { return (vector(low) + vector(high)) * 0.5f; }
    static double half_of(const float* low, const float* high) {
        return length(to_double(vector(high)) - to_double(vector(low))) * (0.5 * (1 + rounding));
    }

    void measure_patch(std::size_t p, const Patch& patch) {
        PatchMotion& motion = workspace_.motions[p];
        kernels_.move_patch({particles_.position, workspace_.start.data(), workspace_.before.data(),
                             contact_.closures.data() + patch.first_of_closure, patch.closure, &motion});
        PatchState& state = workspace_.patches[p];
        state.move = middle_of(motion.move_low, motion.move_high);
        state.uneven_move = static_cast<float>(half_of(motion.move_low, motion.move_high));
    }

    // 16 patches: how they move.
    void measure_group(std::size_t g) {
        for_each_patch_of(g, [&](std::size_t p, const Patch& patch) { measure_patch(p, patch); });
    }

    void add_drifts(std::size_t g) {
        for_each_patch_of(g, [&](std::size_t p, const Patch&) {
            const PatchMotion& motion = workspace_.motions[p];
            PatchState& state = workspace_.patches[p];
            state.drift = state.drift + to_double(middle_of(motion.drift_low, motion.drift_high));
            state.stray += half_of(motion.drift_low, motion.drift_high);
        });
    }

    // Their shapes, and the boxes that they move through.
    template <class F>
    void bound_group(std::size_t g, const F& takes, bool grows) {
        BoxGroup& group = workspace_.tree[0][g];
        for_each_patch_of(g, [&](std::size_t p, const Patch& patch) {
            if (!takes(p)) return;
            if (patch.star > 0 && !grows) {
                kernels_.shape_patch({is_safe_ ? workspace_.start.data() : particles_.position,
                                      contact_.stars.data() + patch.first_of_star, patch.star,
                                      &workspace_.shapes[p]});
            }
            const PatchMotion& motion = workspace_.motions[p];
            PatchState& state = workspace_.patches[p];
            state.covered_move = state.move;
            state.covered_uneven = grows ? widening * state.uneven_move : state.uneven_move;
            if (is_safe_) state.covered_uneven += static_cast<float>(spare_share * patch.radius);
            const Vec3 shift = workspace_.shifts[patch.island];
            const float shifts[3] = {shift.x, shift.y, shift.z};
            for (std::size_t c = 0; c < 3; ++c) {
                const float low = motion.low[c] + min(motion.move_low[c], 0.0f) + shifts[c];
                const float high = motion.high[c] + max(motion.move_high[c], 0.0f) + shifts[c];
                const double grow = (1 + watched_share) * patch.radius + state.covered_uneven +
                                    rounding * (abs(double(low)) + abs(double(high)));
                float &box_low = group.low[c][p % group_size], &box_high = group.high[c][p % group_size];
                const float new_low = static_cast<float>(low - grow),
                            new_high = static_cast<float>(high + grow);
                box_low = grows ? min(box_low, new_low) : new_low;
                box_high = grows ? max(box_high, new_high) : new_high;
            }
        });
    }

    void join_boxes(std::size_t level) {
        const std::vector<BoxGroup>& below = workspace_.tree[level - 1];
        for (std::size_t n = 0; n < below.size(); ++n) {
            BoxGroup& group = workspace_.tree[level][n / group_size];
            for (std::size_t c = 0; c < 3; ++c) {
                group.low[c][n % group_size] =
                    *std::min_element(below[n].low[c], below[n].low[c] + group_size);
                group.high[c][n % group_size] =
                    *std::max_element(below[n].high[c], below[n].high[c] + group_size);
            }
        }
    }

    const Plan& plan_;
    const ContactPlan& contact_;
    const model::State& state_;
    const Kernels& kernels_;
    const ParticleArrays particles_;
    ContactWorkspace& workspace_;
    Executor& executor_;
    const bool is_safe_;
};

bool is_covered(const PatchState& state) {
    const Vec3d off = to_double(state.move) - to_double(state.covered_move);
    return length(off) + state.uneven_move <= state.covered_uneven;
}

}  // namespace

void move_patches(const ContactContext& context, bool is_first_iteration) {
    PatchMover(context).run(is_first_iteration);
}

bool measure_patches(const ContactContext& context) {
    PatchMover mover(context);
    mover.measure();
    bool all = true;
    for (const PatchState& state : context.workspace.patches) all &= is_covered(state);
    if (!all) {
        mover.cover([&](std::size_t p) { return !is_covered(context.workspace.patches[p]); }, true);
    }
    return all;
}

bool measure_patches(const ContactContext& context, std::span<const std::uint32_t> patches) {
    PatchMover mover(context);
    bool all = true;
    for (const std::uint32_t p : patches) {
        mover.measure(p);
        all &= is_covered(context.workspace.patches[p]);
    }
    if (!all) {
        mover.cover([&](std::size_t p) { return !is_covered(context.workspace.patches[p]); }, true);
    }
    return all;
}

}  // namespace pliant::solvers::position_based
