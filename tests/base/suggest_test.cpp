#include "base/suggest.h"

#include <doctest/doctest.h>

using namespace pliant;

TEST_CASE("the nearest name is suggested, and none where none is near") {
    const std::vector<std::string_view> known{"gravity", "substeps", "iterations", "damping", "time_step"};
    const auto near = [&](std::string_view name) { return std::string(nearest_name(name, known)); };
    CHECK(near("gravty") == "gravity");
    CHECK(near("garvity") == "gravity");  // two letters swapped
    CHECK(near("gravitation") == "gravity");
    CHECK(near("substep") == "substeps");
    CHECK(near("sub_steps") == "substeps");
    CHECK(near("iter") == "iterations");
    CHECK(near("Damping") == "damping");
    CHECK(near("colour") == "");
    CHECK(near("") == "");
    CHECK(near(std::string(10000, 'g')) == "");
    CHECK(suggestion("dampnig", known) == "did you mean \"damping\"?");
    CHECK(suggestion("zzz", known) == "there are gravity, substeps, iterations, damping, time_step");
    CHECK(suggestion("a", {}) == "there are none");
}
