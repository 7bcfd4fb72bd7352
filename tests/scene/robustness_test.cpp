// Whatever a user gives and does: an Error, or finite numbers on the screen. Never a crash.
#include <doctest/doctest.h>
#include <pliant/pliant.h>

#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "support/random_scenes.h"

using namespace pliant;
using namespace pliant::test;

namespace {

bool is_finite(const Vec3& a) { return std::isfinite(a.x) && std::isfinite(a.y) && std::isfinite(a.z); }

std::size_t bad_numbers(const View& view) {
    std::size_t bad = 0;
    for (const Vec3& p : view.positions) bad += !is_finite(p);
    for (const Vec3& v : view.velocities) bad += !is_finite(v);
    return bad;
}

// A user who does anything at any time, and remembers what is grabbed and saved.
class RestlessUser {
public:
    RestlessUser(RandomScenes& scenes, Simulation& simulation)
        : scenes_(scenes), random_(scenes.random()), simulation_(simulation) {}

    // Returns what was done.
    const char* act() {
        const std::uint32_t particle = random_.index(simulation_.view().positions.size());
        const std::string body =
            simulation_.view().bodies[random_.below(simulation_.view().bodies.size())].name;
        switch (random_.below(16)) {
            case 0:
                return allow_refusal(simulation_.squash(body, random_.real(-2, 2))), "squash";
            case 1:
                return allow_refusal(simulation_.translate(body, random_.point(far()))), "translate";
            case 2:
                return grab(), "grab";
            case 3:
                return drag(), "drag";
            case 4:
                return release(), "release";
            case 5:
                return allow_refusal(simulation_.pin(particle)), "pin";
            case 6:
                return allow_refusal(simulation_.unpin(particle)), "unpin";
            case 7:
                return simulation_.reset(), grabbed_.reset(), "reset";
            case 8:
                return allow_refusal(simulation_.set_velocity(particle, random_.point_float(1000))),
                       "velocity";
            case 9:
                return allow_refusal(simulation_.set_force(particle, random_.point_float(1e6))), "force";
            case 10:
                return simulation_.clear_forces(), "clear forces";
            case 11:
                return allow_refusal(simulation_.move_attachment(random_.index(4), random_.point(far()))),
                       "move";
            case 12:
                return allow_refusal(simulation_.configure(scenes_.settings())), "configure";
            case 13:
                return allow_refusal(
                           simulation_.set_attachment_elasticity(random_.index(4), scenes_.elasticity())),
                       "attachment elasticity";
            case 14:
                return set_elasticity(body), "elasticity";
            default:
                return save_or_restore(), "save or restore";
        }
    }

private:
    // A call may be refused, but then it says why.
    void allow_refusal(const Status& status) { CHECK((status || !status.error().message.empty())); }
    double far() { return random_.chance(0.2) ? 1e8 : random_.chance(0.5) ? 1e3 : 1; }

    void grab() {
        const auto grabbed = random_.chance(0.5)
                                 ? simulation_.grab(random_.point(far()))
                                 : simulation_.grab_ray(random_.point(3), random_.point_float(1));
        if (grabbed) grabbed_ = *grabbed;
    }
    void drag() {
        if (grabbed_) allow_refusal(simulation_.drag(*grabbed_, random_.point(far())));
    }
    void release() {
        if (grabbed_) allow_refusal(simulation_.release(*grabbed_));
        grabbed_.reset();
    }
    void set_elasticity(const std::string& body) {
        for (const char* part : {"edges", "volumes", "stretch", "bending", "seam", "link"})
            allow_refusal(simulation_.set_elasticity(body, part, scenes_.elasticity()));
    }
    void save_or_restore() {
        if (saved_ && random_.chance(0.5)) {
            CHECK(simulation_.restore(saved_));
        } else {
            saved_ = simulation_.save();
        }
    }

    RandomScenes& scenes_;
    RandomSource& random_;
    Simulation& simulation_;
    std::optional<std::uint32_t> grabbed_;
    std::shared_ptr<const Simulation::Snapshot> saved_;
};

}  // namespace

TEST_CASE("300 random scenes with nasty numbers, handled roughly, never show NaN or infinity") {
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        CAPTURE(seed);
        RandomScenes scenes(seed * 1000 + 1);
        const Description description = scenes.valid();
        auto simulation = Simulation::create(
            description, {.threads = 1 + static_cast<int>(seed % 3), .target = {}, .runner = {}});
        REQUIRE_MESSAGE(simulation, simulation.error().text());
        RestlessUser user(scenes, *simulation);
        for (int frame = 0; frame < 12; ++frame) {
            std::string done;
            for (std::size_t i = scenes.random().below(3); i > 0; --i) done += std::string(user.act()) + " ";
            CAPTURE(frame);
            CAPTURE(done);
            REQUIRE(bad_numbers(simulation->view()) == 0);
            simulation->step();
            REQUIRE(bad_numbers(simulation->view()) == 0);
            const Diagnostics diagnostics = simulation->diagnostics();
            CHECK(!std::isnan(diagnostics.total_energy));
            CHECK(!std::isnan(diagnostics.worst_constraint_error));
        }
    }
}

TEST_CASE("600 corrupt descriptions give an error with a place, or run") {
    std::size_t errors = 0, runs = 0;
    for (std::uint64_t seed = 0; seed < 600; ++seed) {
        CAPTURE(seed);
        RandomScenes scenes(seed * 1000 + 2);
        auto simulation = Simulation::create(scenes.corrupt(), {.threads = 1, .target = {}, .runner = {}});
        if (!simulation) {
            ++errors;
            CHECK(simulation.error().path.substr(0, 1) == "/");
            CHECK(!simulation.error().message.empty());
            continue;
        }
        ++runs;
        for (int frame = 0; frame < 3; ++frame) {
            simulation->step();
            REQUIRE(bad_numbers(simulation->view()) == 0);
        }
    }
    CHECK(errors > 300);
    CHECK(runs > 30);
}

TEST_CASE("bad arguments while running give an error and change nothing") {
    SoftBody box;
    box.mesh = *make_box({1, 1, 1}, {2, 2, 2});
    Description description;
    description.bodies.push_back({"box", std::move(box), {}, {}, {0}, 0});
    description.attachments.push_back({{0, 3}, Vec3d{0, 1, 0}, {}});
    description.attachments.push_back({{0, 4}, ParticleReference{0, 5}, {}});
    auto simulation = Simulation::create(description, {.threads = 1, .target = {}, .runner = {}});
    REQUIRE(simulation);
    simulation->step();
    const std::uint64_t before = simulation->state_hash();
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    constexpr float inf = std::numeric_limits<float>::infinity();
    const std::uint32_t beyond = static_cast<std::uint32_t>(simulation->view().positions.size());

    CHECK(!simulation->pin(beyond));
    CHECK(!simulation->unpin(0xffffffff));
    CHECK(!simulation->set_force(beyond, {}));
    CHECK(!simulation->set_force(1, {inf, 0, 0}));
    CHECK(!simulation->set_velocity(beyond, {}));
    CHECK(!simulation->set_velocity(1, {0, inf, 0}));
    CHECK(!simulation->set_velocity(0, {1, 0, 0}));  // held
    CHECK(!simulation->move_attachment(2, {}));
    CHECK(!simulation->move_attachment(0, {nan, 0, 0}));
    CHECK(!simulation->move_attachment(1, {}));  // to a particle, not to a point
    CHECK(!simulation->translate("nobody", {}));
    CHECK(!simulation->translate("box", {0, 0, nan}));
    CHECK(!simulation->squash("nobody", 0));
    CHECK(!simulation->squash("box", nan));
    CHECK(!simulation->grab({nan, 0, 0}));
    CHECK(!simulation->grab_ray({0, 0, 0}, {0, 0, 0}));
    CHECK(!simulation->grab_ray({0, 0, 0}, {inf, 0, 0}));
    CHECK(!simulation->drag(1, {}));  // not grabbed
    CHECK(!simulation->drag(beyond, {}));
    CHECK(!simulation->release(1));
    CHECK(!simulation->release(beyond));
    CHECK(!simulation->set_elasticity("box", "bending", {}));
    CHECK(!simulation->set_elasticity("box", "edges", {.compliance = -1}));
    CHECK(!simulation->set_attachment_elasticity(9, {}));
    CHECK(!simulation->set_attachment_elasticity(0, {.compliance = 0, .damping = inf}));
    CHECK(!simulation->restore(nullptr));
    Settings settings;
    settings.time_step = 0;
    CHECK(!simulation->configure(settings));
    CHECK(simulation->state_hash() == before);
}

// Velocities are u/h, and a float h below 1e-38 has no reciprocal.
TEST_CASE("the smallest time steps give an error, or finite velocities") {
    for (const float time_step : {1e-6f, 1e-20f, 1e-38f, 1e-39f, std::numeric_limits<float>::denorm_min()}) {
        CAPTURE(time_step);
        Rope rope;
        rope.positions = *make_line({0, 0, 0}, {1, 0, 0}, 4);
        Description description;
        description.bodies.push_back({"rope", std::move(rope), {}, {}, {}, 0});
        description.settings.time_step = time_step;
        auto simulation = Simulation::create(description, {.threads = 1, .target = {}, .runner = {}});
        if (!simulation) continue;
        simulation->step();
        CHECK(bad_numbers(simulation->view()) == 0);
    }
}

TEST_CASE("a state of another simulation is refused, however alike the two are") {
    const auto create = [](std::size_t bodies, int links) {
        Description description;
        for (std::size_t i = 0; i < bodies; ++i) {
            Particles chain;
            chain.positions = *make_line({0, 0, 0}, {1, 0, 0}, links);
            chain.links.push_back({0, 1});
            description.bodies.push_back({"body" + std::to_string(i), std::move(chain), {}, {}, {}, 0});
        }
        auto simulation = Simulation::create(description, {.threads = 1, .target = {}, .runner = {}});
        REQUIRE(simulation);
        return std::move(*simulation);
    };
    // All have 32 places.
    Simulation simulation = create(1, 24);
    const std::uint64_t before = simulation.state_hash();
    CHECK(!simulation.restore(create(1, 19).save()));
    CHECK(!simulation.restore(create(2, 9).save()));
    CHECK(simulation.state_hash() == before);
    CHECK(simulation.restore(simulation.save()));
}
