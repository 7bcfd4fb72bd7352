// PLIANT_TARGET chooses the instruction set where the program does not.
#include <doctest/doctest.h>
#include <pliant/pliant.h>

#include <cstdlib>
#include <optional>
#include <string>

#include "scenes/scenes.h"

using namespace pliant;

namespace {

constexpr const char* variable = "PLIANT_TARGET";

// Sets the variable, and puts back what was there.
class Environment {
public:
    explicit Environment(const std::string& value) {
        if (const char* before = std::getenv(variable)) before_ = before;
        setenv(variable, value.c_str(), 1);
    }
    ~Environment() {
        if (before_) {
            setenv(variable, before_->c_str(), 1);
        } else {
            unsetenv(variable);
        }
    }
    Environment(const Environment&) = delete;
    Environment& operator=(const Environment&) = delete;

private:
    std::optional<std::string> before_;
};

Result<Simulation> create(const std::string& target = "") {
    return Simulation::create(*scenes::make("rope"), {.threads = 1, .target = target, .runner = {}});
}

}  // namespace

TEST_CASE("the environment variable PLIANT_TARGET chooses any available instruction set") {
    for (const std::string_view target : available_targets()) {
        CAPTURE(std::string(target));
        const Environment environment{std::string(target)};
        const auto simulation = create();
        REQUIRE(simulation);
        CHECK(simulation->target() == target);
    }
}

TEST_CASE("an empty PLIANT_TARGET means the widest instruction set") {
    const Environment environment("");
    const auto simulation = create();
    REQUIRE(simulation);
    CHECK(simulation->target() == available_targets().back());
}

TEST_CASE("what the program asks for goes before PLIANT_TARGET") {
    const Environment environment("nonsense");
    const auto simulation = create("scalar");
    REQUIRE(simulation);
    CHECK(simulation->target() == "scalar");
}

TEST_CASE("an unknown PLIANT_TARGET is an error that names the variable and what there is") {
    for (const char* value : {"nonsense", "AVX2", "sse4 ", "neon"}) {
        CAPTURE(value);
        const Environment environment(value);
        const auto simulation = create();
        REQUIRE(!simulation);
        CHECK(simulation.error().path == variable);
        CHECK(simulation.error().message.find(value) != std::string::npos);
        CHECK(simulation.error().message.find("scalar") != std::string::npos);
    }
}

TEST_CASE("an unknown target asked for by the program is an error that names its place") {
    const auto simulation = create("nonsense");
    REQUIRE(!simulation);
    CHECK(simulation.error().path == "/execution/target");
}

TEST_CASE("every machine has the scalar target first") {
    REQUIRE(!available_targets().empty());
    CHECK(available_targets().front() == "scalar");
}
