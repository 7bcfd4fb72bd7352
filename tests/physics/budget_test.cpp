// Substeps against iterations: the same number of sweeps per frame, spent in either way.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "scenes/scenes.h"
#include "support/simulations.h"

using namespace pliant;
using namespace pliant::test;

namespace {

// Of all constraints, over their rest length or volume, over all frames.
double mean_error(const std::string& name, int substeps, int iterations) {
    Description scene = *scenes::make(name);
    scene.settings.substeps = substeps;
    scene.settings.iterations = iterations;
    Simulation simulation = start(scene);
    double sum = 0;
    constexpr int frames = 120;
    for (int frame = 0; frame < frames; ++frame) {
        simulation.step();
        sum += simulation.diagnostics().mean_constraint_error;
    }
    return sum / frames;
}

}  // namespace

TEST_CASE("of 40 sweeps per frame, the error falls with every iteration that becomes a substep") {
    // At 40 × 1 the error is less than at 1 × 40 by the factor: measured 11.4, 35.0 and 18.8.
    struct Case {
        std::string name;
        double factor;
    };
    for (const Case& one : {Case{"c30", 10}, Case{"j8", 30}, Case{"budget", 16}}) {
        CAPTURE(one.name);
        std::vector<double> errors;
        for (const int substeps : {40, 20, 10, 4, 2, 1})
            errors.push_back(mean_error(one.name, substeps, 40 / substeps));
        for (std::size_t i = 1; i < errors.size(); ++i) CHECK(errors[i] > errors[i - 1]);
        CHECK(errors.back() > one.factor * errors.front());
    }
}

TEST_CASE("the error falls with the square of substeps, but only in proportion to iterations") {
    const double few_substeps = mean_error("j8", 10, 1), more_substeps = mean_error("j8", 40, 1);
    CHECK(few_substeps / more_substeps > 13);
    CHECK(few_substeps / more_substeps < 18);
    const double few_iterations = mean_error("j8", 1, 10), more_iterations = mean_error("j8", 1, 40);
    CHECK(few_iterations / more_iterations > 3);
    CHECK(few_iterations / more_iterations < 5);
}
