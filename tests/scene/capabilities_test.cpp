// Which methods can run which kinds of constraints.
#include "scene/capabilities.h"

#include <doctest/doctest.h>

#include "solvers/solver.h"
#include "support/simulations.h"

using namespace pliant;
using namespace pliant::test;

namespace {

// As XPBD alone can run: its compliance means something, a share of it per iteration does not.
struct NotInPbd : constraints::kinds::Distance {
    static constexpr bool runs_in_pbd = false;
};

}  // namespace

TEST_CASE("a kind that PBD cannot run is run by XPBD only") {
    CHECK(solvers::can_run<NotInPbd>(Method::xpbd));
    CHECK_FALSE(solvers::can_run<NotInPbd>(Method::pbd));
    constraints::AllKinds::for_each([]<class Kind>() {
        CHECK(solvers::can_run<Kind>(Method::xpbd));
        CHECK(solvers::can_run<Kind>(Method::pbd) == Kind::runs_in_pbd);
    });
}

TEST_CASE("the kinds of a model are checked against the method") {
    model::Model model;
    constraints::list_of<constraints::kinds::Distance>(model.constraints).add({0, 1}, {1}, 0);
    CHECK_FALSE(check_method(model, Method::xpbd));
    CHECK_FALSE(check_method(model, Method::pbd));
}
