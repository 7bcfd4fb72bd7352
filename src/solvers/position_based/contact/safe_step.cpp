#include "solvers/position_based/contact/safe_step.h"

#include <algorithm>
#include <limits>

#include "base/convert.h"
#include "base/particle_layout.h"
#include "solvers/position_based/contact/pair_finder.h"
#include "solvers/position_based/contact/patch_motion.h"
#include "solvers/position_based/plan.h"

namespace pliant::solvers::position_based {
namespace {

constexpr int parting_rounds = 3;
constexpr double least_share = 0.1;     // of the distance at which elements touch
constexpr double safe_rounding = 3e-7;  // of the size of islands: what a translation may cost
constexpr double weight_of_held = 1e6;  // in a zone
constexpr std::uint32_t none = ~std::uint32_t{0};

class SafePass {
public:
    explicit SafePass(const ContactContext& context)
        : c_(context),
          contact_(context.plan.contact),
          finder_(context),
          workspace_(context.workspace),
          safe_(context.workspace.safe) {}

    void run() {
        prepare();
        if (!measure_patches(c_)) find_again();
        test([](const PatchPair&) { return true; });
        for (int round = 0; !safe_.unsafe.empty(); ++round) {
            if (round < parting_rounds) {
                for (const UnsafePair& pair : safe_.unsafe) part(pair);
            } else if (!move_zones()) {
                break;
            }
            look_again();
        }
        finish();
    }

private:
    void prepare() {
        const std::size_t slots = c_.plan.slots();
        if (safe_.is_moved.size() == slots && safe_.is_dirty.size() == contact_.patches.size()) return;
        safe_.is_moved.assign(slots, 0);
        safe_.zone_of.assign(slots, none);
        safe_.is_dirty.assign(contact_.patches.size(), 0);
        safe_.moved.reserve(slots);
        safe_.members.reserve(slots);
        safe_.dirty.reserve(contact_.patches.size());
        safe_.unsafe.reserve(4096);
    }

    void find_again() {
        const PairReach reach{least_share, false, true};
        c_.executor.for_each(workspace_.chunks.size(), [&](std::size_t g) { finder_.find(g, reach); });
    }

    // What is bad among the pairs that `takes` names.
    template <class F>
    void test(const F& takes) {
        c_.executor.for_each(workspace_.chunks.size(), [&](std::size_t g) {
            PatchChunk& chunk = workspace_.chunks[g];
            chunk.unsafe.clear();
            for (const PatchPair& pair : chunk.pairs) {
                if (takes(pair)) test_pair(pair, chunk);
            }
        });
        safe_.unsafe.clear();
        for (const PatchChunk& chunk : workspace_.chunks)
            safe_.unsafe.insert(safe_.unsafe.end(), chunk.unsafe.begin(), chunk.unsafe.end());
    }

    void test_pair(const PatchPair& pair, PatchChunk& chunk) const {
        const std::size_t count = pair.counts[0] + pair.counts[1] + pair.counts[2];
        if (count == 0) return;
        const Patch &a = contact_.patches[pair.first], &b = contact_.patches[pair.second];
        if (overlap(workspace_.tangles, a.body, b.body)) return;
        const double least = least_share * finder_.distance_between(a, b);
        if (!(pair.used + finder_.move_between(pair.first, pair.second) + least +
                  finder_.rounding_between(a, b, rounding) >
              pair.nearest))
            return;
        UnsafeSearch run;
        run.position = c_.particles.position;
        run.start = workspace_.start.data();
        if (a.body == b.body) run.rest = contact_.rest_positions.data();
        run.first = finder_.elements_of(pair.first);
        run.second = finder_.elements_of(pair.second);
        const Vec3 shift = finder_.shift_between(a, b);
        run.shift[0] = shift.x, run.shift[1] = shift.y, run.shift[2] = shift.z;
        run.pairs = chunk.lists.data() + pair.list;
        std::copy_n(pair.counts, pair_sorts, run.counts);
        run.least = static_cast<float>(least);
        run.rounding = static_cast<float>(finder_.rounding_between(a, b, safe_rounding));
        run.is_tangled = workspace_.tangled();
        const std::size_t before = chunk.unsafe.size();
        chunk.unsafe.resize(before + count);
        run.found = chunk.unsafe.data() + before;
        c_.kernels.find_unsafe(run);
        chunk.unsafe.resize(before + run.count);
    }

    float* position(std::uint32_t offset) const { return c_.particles.position + offset / sizeof(float); }

    void move_to(std::uint32_t offset, const Vec3& to) {
        float* x = position(offset);
        if (vector(x) == to) return;
        const std::uint32_t slot = offset / bytes_per_particle;
        mark(slot);
        if (!safe_.is_moved[slot]) {
            safe_.is_moved[slot] = 1;
            safe_.moved.push_back({offset, vector(x)});
        }
        x[0] = to.x, x[1] = to.y, x[2] = to.z;
    }

    // Both sides go to a common level, as far as nothing in the way is held. What they lack is shared by the
    // masses of what is too low in one and too high in the other.
    void part(const UnsafePair& pair) {
        constexpr double infinite = std::numeric_limits<double>::infinity();
        const Vec3d n = to_double(vector(pair.normal));
        double height[4], lowest = infinite, highest = -infinite, held_low = infinite, held_high = -infinite;
        for (std::uint32_t k = 0; k < 4; ++k) {
            const float* x = position(pair.offsets[k]);
            height[k] = dot(n, to_double(vector(x)));
            const bool is_held = !(x[3] > 0);
            if (k < pair.first_part) {
                lowest = min(height[k], lowest);
                if (is_held) held_low = min(height[k], held_low);
            } else {
                highest = max(height[k], highest);
                if (is_held) held_high = max(height[k], held_high);
            }
        }
        const double extent = length(to_double(vector(position(pair.offsets[0]))));
        const double target = double(pair.least) + safe_rounding * extent;
        const double depth = target - (lowest - highest);
        if (!(depth > 0)) return;
        const double middle = 0.5 * (lowest + highest - target);  // of the upper level of the second part
        double masses[2] = {0, 0};
        for (std::uint32_t k = 0; k < 4; ++k) {
            const bool is_first = k < pair.first_part;
            const bool moves = is_first ? height[k] < middle + target : height[k] > middle;
            const double w = position(pair.offsets[k])[3];
            if (moves && w > 0) masses[is_first ? 0 : 1] += 1 / w;
        }
        const double sum = masses[0] + masses[1];
        double below = highest - depth * (sum > 0 ? masses[0] / sum : 0.5);
        below = max(below, held_high);
        double above = min(below + target, held_low);
        below = max(above - target, held_high);
        for (std::uint32_t k = 0; k < 4; ++k) {
            const float* x = position(pair.offsets[k]);
            const double wished =
                k < pair.first_part ? max(above - height[k], 0.0) : min(below - height[k], 0.0);
            if (wished != 0 && x[3] > 0)
                move_to(pair.offsets[k], to_float(to_double(vector(x)) + n * wished));
        }
    }

    std::uint32_t zone(std::uint32_t slot) {
        while (safe_.zone_of[slot] != slot) {
            safe_.zone_of[slot] = safe_.zone_of[safe_.zone_of[slot]];
            slot = safe_.zone_of[slot];
        }
        return slot;
    }

    // False: no zone has grown.
    bool move_zones() {
        bool any = false;
        for (const UnsafePair& pair : safe_.unsafe) {
            for (const std::uint32_t offset : pair.offsets) {
                const std::uint32_t slot = offset / bytes_per_particle;
                if (safe_.zone_of[slot] != none) continue;
                safe_.zone_of[slot] = slot;
                safe_.members.push_back(slot);
            }
            std::uint32_t root = zone(pair.offsets[0] / bytes_per_particle);
            for (const std::uint32_t offset : pair.offsets) {
                const std::uint32_t other = zone(offset / bytes_per_particle);
                if (other == root) continue;
                any = true;
                safe_.zone_of[std::max(root, other)] = std::min(root, other);
                root = std::min(root, other);
            }
        }
        if (!any) return false;
        for (const std::uint32_t slot : safe_.members) safe_.zone_of[slot] = zone(slot);
        std::sort(safe_.members.begin(), safe_.members.end(), [&](std::uint32_t a, std::uint32_t b) {
            return std::pair(safe_.zone_of[a], a) < std::pair(safe_.zone_of[b], b);
        });
        for (std::size_t first = 0, end = 0; first < safe_.members.size(); first = end) {
            while (end < safe_.members.size() &&
                   safe_.zone_of[safe_.members[end]] == safe_.zone_of[safe_.members[first]])
                ++end;
            move_zone(first, end);
        }
        return true;
    }

    void move_zone(std::size_t first, std::size_t end) {
        const auto at = [&](std::size_t i) { return std::size_t{safe_.members[i]} * floats_per_particle; };
        double heaviest = 0;
        for (std::size_t i = first; i < end; ++i) {
            const double w = c_.particles.position[at(i) + 3];
            if (w > 0) heaviest = max(heaviest, 1 / w);
        }
        if (!(heaviest > 0)) return;
        Vec3d sum{};
        double masses = 0;
        for (std::size_t i = first; i < end; ++i) {
            const float* x = c_.particles.position + at(i);
            const double mass = x[3] > 0 ? 1 / double(x[3]) : weight_of_held * heaviest;
            sum = sum + (to_double(vector(x)) - to_double(vector(workspace_.start.data() + at(i)))) * mass;
            masses += mass;
        }
        const Vec3d way = sum * (1 / masses);
        for (std::size_t i = first; i < end; ++i) {
            if (!(c_.particles.position[at(i) + 3] > 0)) continue;
            move_to(static_cast<std::uint32_t>(at(i) * sizeof(float)),
                    to_float(to_double(vector(workspace_.start.data() + at(i))) + way));
        }
    }

    void mark(std::uint32_t slot) {
        for (std::uint32_t i = contact_.first_patch_at[slot]; i < contact_.first_patch_at[slot + 1]; ++i) {
            const std::uint32_t patch = contact_.patches_at[i];
            if (safe_.is_dirty[patch]) continue;
            safe_.is_dirty[patch] = 1;
            safe_.dirty.push_back(patch);
        }
    }

    // At the pairs of patches that have a particle that was moved, and at all that was bad.
    void look_again() {
        for (const UnsafePair& pair : safe_.unsafe) {
            for (const std::uint32_t offset : pair.offsets) mark(offset / bytes_per_particle);
        }
        std::sort(safe_.dirty.begin(), safe_.dirty.end());
        if (!measure_patches(c_, safe_.dirty)) find_again();
        test([&](const PatchPair& pair) {
            return safe_.is_dirty[pair.first] != 0 || safe_.is_dirty[pair.second] != 0;
        });
        for (const std::uint32_t patch : safe_.dirty) safe_.is_dirty[patch] = 0;
        safe_.dirty.clear();
    }

    void finish() {
        for (const MovedParticle& moved : safe_.moved) {
            const float* x = position(moved.offset);
            float* u = c_.particles.displacement + moved.offset / sizeof(float);
            u[0] += x[0] - moved.from.x, u[1] += x[1] - moved.from.y, u[2] += x[2] - moved.from.z;
            safe_.is_moved[moved.offset / bytes_per_particle] = 0;
        }
        safe_.moved.clear();
        for (const std::uint32_t slot : safe_.members) safe_.zone_of[slot] = none;
        safe_.members.clear();
    }

    const ContactContext& c_;
    const ContactPlan& contact_;
    PairFinder finder_;
    ContactWorkspace& workspace_;
    SafeWorkspace& safe_;
};

}  // namespace

void keep_from_crossing(const ContactContext& context) { SafePass(context).run(); }

}  // namespace pliant::solvers::position_based
