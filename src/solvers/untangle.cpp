#include "solvers/untangle.h"

#include <pliant/assertions.h>

#include <algorithm>
#include <utility>

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

void prepare(const Model& model, UntanglingMemory& memory) {
    const std::size_t count = model.tetrahedra.size();
    memory.inverted.resize(count);
    memory.found.resize((count + chunk_size - 1) / chunk_size);
    memory.tried.resize(model.islands.size());
}

void find_inverted(const Model& model, const Plan& plan, const State& state, UntanglingMemory& memory,
                   Executor& executor) {
    const std::size_t count = model.tetrahedra.size();
    executor.for_each(memory.found.size(), [&](std::size_t chunk) {
        const std::size_t first = chunk * chunk_size, end = std::min(count, first + chunk_size);
        std::uint32_t found = 0;
        for (auto t = static_cast<std::uint32_t>(first); t < end; ++t) {
            if (volume_of(state.position_based.position, corners_of(model, plan, t)) <= 0)
                memory.inverted[first + found++] = t;
        }
        memory.found[chunk] = found;
    });
}

// Those that were inside out at the last scan too, where there are tries left.
void find_stuck(const Model& model, const Plan& plan, UntanglingState& untangling, UntanglingMemory& memory) {
    memory.now.clear();
    memory.stuck.clear();
    std::fill(memory.tried.begin(), memory.tried.end(), std::uint8_t(0));
    const auto add = [&](std::uint32_t t) {
        const auto last = std::lower_bound(
            untangling.inverted.begin(), untangling.inverted.end(), t,
            [](const UntanglingState::Inverted& a, std::uint32_t b) { return a.tetrahedron < b; });
        const bool again = last != untangling.inverted.end() && last->tetrahedron == t;
        const int scans = again ? (last->scans + 1) % scans_between_tries : 0;
        memory.now.push_back({t, scans});
        const std::uint32_t island = model.island_of[model.tetrahedra[t][0]];
        if (scans == 0 || scans > most_rings || untangling.tries[island] == 0) return;
        memory.stuck.push_back({corners_of(model, plan, t), scans});
        memory.tried[island] = 1;
    };
    for (std::size_t chunk = 0; chunk < memory.found.size(); ++chunk) {
        for (std::size_t i = 0; i < memory.found[chunk]; ++i) add(memory.inverted[chunk * chunk_size + i]);
    }
    std::swap(untangling.inverted, memory.now);
    for (std::size_t i = 0; i < memory.tried.size(); ++i)
        untangling.tries[i] -= memory.tried[i];  // one for each island
}

}  // namespace

void untangle(const Model& model, const Plan& plan, State& state, UntanglingMemory& memory,
              Executor& executor) {
    UntanglingState& untangling = state.untangling;
    PLIANT_ASSERT(untangling.tries.size() == model.islands.size());
    prepare(model, memory);
    if (model.tetrahedra.empty() || state.time < untangling.next_scan) return;
    if (state.time >= untangling.next_try) {
        for (std::uint8_t& tries : untangling.tries) tries = std::max<std::uint8_t>(tries, 1);
        untangling.next_try = state.time + seconds_for_a_try;
    }
    find_inverted(model, plan, state, memory, executor);
    find_stuck(model, plan, untangling, memory);
    untangling.next_scan =
        state.time + (untangling.inverted.empty() ? seconds_between_scans : seconds_between_close_scans);
    if (!memory.stuck.empty()) Untangler(model, plan, state, memory.stuck).rebuild();
}

}  // namespace pliant::solvers
