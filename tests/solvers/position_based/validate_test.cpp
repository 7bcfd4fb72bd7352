// What is broken on purpose trips an assertion, where assertions are compiled in.
#include "solvers/position_based/validate.h"

#include <pliant/assertions.h>
#include <pliant/error.h>

#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "scene/assemble/assemble.h"
#include "support/graphs.h"
#include "support/simulations.h"

using namespace pliant;
using namespace pliant::test;
using namespace pliant::solvers::position_based;

namespace {

#ifdef PLIANT_ASSERTIONS

struct AssertionFailed {
    std::string condition;
};

// While it lives, assertions throw.
class ThrowingAssertions {
public:
    ThrowingAssertions()
        : before_(set_assertion_handler(
              [](const char* condition, const char*, int) { throw AssertionFailed{condition}; })) {}
    ~ThrowingAssertions() { set_assertion_handler(before_); }
    ThrowingAssertions(const ThrowingAssertions&) = delete;
    ThrowingAssertions& operator=(const ThrowingAssertions&) = delete;

private:
    AssertionHandler before_;
};

// The condition that did not hold, or "".
template <class F>
std::string failure_of(F&& f) {
    const ThrowingAssertions throwing;
    try {
        f();
    } catch (const AssertionFailed& failed) {
        return failed.condition;
    }
    return "";
}

bool contains(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

Plan cloth_plan() { return graph_of_scene("c100").plan(); }

// The first sort of clusters that has blocks in a work item of that number or later.
template <class F>
void with_blocks(Plan& plan, std::uint32_t first_item, F&& f) {
    bool found = false;
    AllClusters::for_each([&]<class Cluster>() {
        auto& blocks = std::get<ClusterBlocks<Cluster>>(plan.clusters);
        for (std::size_t r = blocks.item_runs[first_item]; r < blocks.runs.size() && !found; ++r) {
            if (blocks.runs[r].blocks == 0) continue;
            found = true;
            f(blocks.block_offsets.data() + blocks.runs[r].first_block * Cluster::arity * block_size);
        }
    });
    REQUIRE(found);
}

std::uint32_t dynamic_slot_from(const Plan& plan, std::uint32_t slot) {
    while (!plan.is_dynamic[slot]) ++slot;
    return slot;
}

#else

void say_skipped() { MESSAGE("skipped: assertions are not compiled in"); }

#endif

}  // namespace

#ifdef PLIANT_ASSERTIONS

TEST_CASE("plans, models and states as they are made hold what is asserted") {
    CHECK(failure_of([] { validate(cloth_plan()); }) == "");
    model::Model model = graph_of_scene("j6").model;
    CHECK(failure_of([&] { model::validate(model); }) == "");
    model.tetrahedra.push_back({0, 1, 2, 3});  // without a rest volume
    CHECK(contains(failure_of([&] { model::validate(model); }), "rest_volumes"));
    const Result<Assembly> made = assemble(scene_of(tethered_particle({1, 0, 0}, 1)));
    REQUIRE(bool(made));
    CHECK(failure_of([&] { validate(made->model, made->plan, made->state); }) == "");
}

TEST_CASE("two lanes of a block that share a dynamic slot trip an assertion") {
    Plan plan = cloth_plan();
    with_blocks(plan, 0, [](std::uint32_t* offsets) { offsets[1] = offsets[0]; });
    CHECK(contains(failure_of([&] { validate(plan); }), "last_block"));
}

TEST_CASE("a cluster of another subdomain in a work item trips an assertion") {
    Plan plan = cloth_plan();
    REQUIRE(plan.subdomains > 3);
    // A particle of the last subdomain comes into the first interface.
    const std::uint32_t chunk = plan.subdomain_chunks[plan.subdomains - 1];
    const std::uint32_t slot = dynamic_slot_from(plan, plan.chunks[chunk].first);
    with_blocks(plan, plan.subdomains,
                [&](std::uint32_t* offsets) { offsets[0] = slot * std::uint32_t(bytes_per_particle); });
    CHECK(failure_of([&] { validate(plan); }) != "");
}

TEST_CASE("an offset out of range trips an assertion") {
    for (const std::size_t beyond : {std::size_t(0), std::size_t(1000)}) {
        Plan plan = cloth_plan();
        const auto offset = static_cast<std::uint32_t>(plan.floats() * sizeof(float) + beyond * 16);
        with_blocks(plan, 0, [&](std::uint32_t* offsets) { offsets[3] = offset; });
        CHECK(contains(failure_of([&] { validate(plan); }), "plan.floats()"));
    }
    Plan plan = cloth_plan();
    with_blocks(plan, 0, [](std::uint32_t* offsets) { offsets[3] += 4; });
    CHECK(contains(failure_of([&] { validate(plan); }), "bytes_per_particle"));
}

TEST_CASE("a constraint that joins two islands trips an assertion") {
    Graph graph = many_pairs(4);
    CHECK(failure_of([&] { model::validate(graph.model); }) == "");
    graph.add<kinds::Distance>({1, 2});
    CHECK(contains(failure_of([&] { model::validate(graph.model); }), "island_of"));
    graph = many_pairs(4);
    graph.add<kinds::Distance>({1, 9});
    CHECK(failure_of([&] { model::validate(graph.model); }) != "");
}

TEST_CASE("a state that does not fit its plan trips an assertion") {
    const Result<Assembly> made = assemble(scene_of(tethered_particle({1, 0, 0}, 1)));
    REQUIRE(bool(made));
    const auto failure = [&](auto&& change) {
        model::State state = made->state;
        change(state);
        return failure_of([&] { validate(made->model, made->plan, state); });
    };
    CHECK(
        contains(failure([](model::State& s) { s.position_based.displacement.pop_back(); }), "displacement"));
    CHECK(contains(failure([](model::State& s) { s.position_based.forces.resize(3); }), "forces"));
    CHECK(contains(failure([](model::State& s) { s.origins.clear(); }), "origins"));
    CHECK(contains(failure([](model::State& s) { s.position_based.position[0] = NAN; }), "finite"));
    CHECK(contains(failure([](model::State& s) { s.driven.push_back({77, {}}); }), "driven"));
}

TEST_CASE("reading a Result that is an error, or the error of one that is not, trips an assertion") {
    const Result<int> bad = Error{"here", "is wrong"}, good = 3;
    CHECK(failure_of([&] { (void)*bad; }) != "");
    CHECK(failure_of([&] { (void)good.error(); }) != "");
    CHECK(failure_of([&] { (void)*good; }) == "");
}

#else

TEST_CASE("what is broken on purpose trips an assertion") { say_skipped(); }

#endif
