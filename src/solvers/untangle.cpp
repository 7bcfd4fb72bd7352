#include "solvers/untangle.h"

#include <algorithm>

#include "solvers/untangler.h"

namespace pliant::solvers {
namespace {

using model::Model;
using model::State;
using model::UntanglingState;
using position_based::Plan;

// Each time, one more ring around a stuck tetrahedron is rebuilt. Then it is left alone for a while.
constexpr int most_rings = 5, scans_between_tries = 8;

constexpr std::size_t chunk_size = 4096;  // tetrahedra

Corners corners_of(const Model& model, const Plan& plan, std::uint32_t tetrahedron) {
    Corners corners;
    for (std::size_t k = 0; k < 4; ++k) corners[k] = plan.slot_of[model.tetrahedra[tetrahedron][k]];
    return corners;
}

// Ascending.
std::vector<std::uint32_t> find_inverted(const Model& model, const Plan& plan, const State& state,
                                         Executor& executor) {
    const std::size_t count = model.tetrahedra.size();
    std::vector<std::vector<std::uint32_t>> found((count + chunk_size - 1) / chunk_size);
    executor.for_each(found.size(), [&](std::size_t chunk) {
        const std::size_t end = std::min(count, (chunk + 1) * chunk_size);
        for (auto t = static_cast<std::uint32_t>(chunk * chunk_size); t < end; ++t) {
            if (volume_of(state.position_based.position, corners_of(model, plan, t)) <= 0)
                found[chunk].push_back(t);
        }
    });
    std::vector<std::uint32_t> all;
    for (const auto& part : found) all.insert(all.end(), part.begin(), part.end());
    return all;
}

// Those that were inside out at the last scan too, where there are tries left.
std::vector<Untangler::Stuck> find_stuck(const Model& model, const Plan& plan,
                                         const std::vector<std::uint32_t>& inverted,
                                         UntanglingState& untangling) {
    std::vector<UntanglingState::Inverted> now;
    std::vector<Untangler::Stuck> stuck;
    std::vector<bool> tried(untangling.tries.size(), false);
    for (const std::uint32_t t : inverted) {
        const auto last = std::lower_bound(
            untangling.inverted.begin(), untangling.inverted.end(), t,
            [](const UntanglingState::Inverted& a, std::uint32_t b) { return a.tetrahedron < b; });
        const bool again = last != untangling.inverted.end() && last->tetrahedron == t;
        now.push_back({t, again ? (last->scans + 1) % scans_between_tries : 0});
        const std::uint32_t island = model.island_of[model.tetrahedra[t][0]];
        const int scans = now.back().scans;
        if (scans == 0 || scans > most_rings || untangling.tries[island] == 0) continue;
        stuck.push_back({corners_of(model, plan, t), scans});
        tried[island] = true;
    }
    untangling.inverted = std::move(now);
    for (std::size_t i = 0; i < tried.size(); ++i) untangling.tries[i] -= tried[i];  // one for each island
    return stuck;
}

}  // namespace

void untangle(const Model& model, const Plan& plan, State& state, Executor& executor) {
    UntanglingState& untangling = state.untangling;
    if (model.tetrahedra.empty() || state.time < untangling.next_scan) return;
    if (state.time >= untangling.next_try) {
        for (std::uint8_t& tries : untangling.tries) tries = std::max<std::uint8_t>(tries, 1);
        untangling.next_try = state.time + seconds_for_a_try;
    }
    const std::vector<Untangler::Stuck> stuck =
        find_stuck(model, plan, find_inverted(model, plan, state, executor), untangling);
    untangling.next_scan =
        state.time + (untangling.inverted.empty() ? seconds_between_scans : seconds_between_close_scans);
    if (!stuck.empty()) Untangler(model, plan, state, stuck).rebuild();
}

}  // namespace pliant::solvers
