// What a simulation says of contacts, against Newton.
#include <doctest/doctest.h>

#include <algorithm>

#include "support/simulations.h"

namespace pliant::test {
namespace {

Body soft_box(float size, Vec3d position, const char* name) {
    SoftBody soft;
    soft.mesh = *make_box({size, size, size}, {3, 3, 3});
    soft.material.young_modulus = 1e6f;
    Body body = body_of(std::move(soft), position);
    body.name = name;
    return body;
}

Description two_boxes_on_the_floor() {
    Description description;
    description.bodies = {soft_box(0.2f, {0, 0.1, 0}, "lower"), soft_box(0.2f, {0, 0.305, 0}, "upper")};
    description.colliders.push_back({Plane{}});
    description.settings.report_contacts = true;
    description.settings.levels = Levels::off;  // what carries a body on another does not press on that
    return description;
}

const ContactReport* find(const Simulation& simulation, std::uint32_t body, std::uint32_t other,
                          bool is_collider) {
    const auto& all = simulation.contacts();
    const auto at = std::find_if(all.begin(), all.end(), [&](const ContactReport& one) {
        return one.body == body && one.other == other && one.is_collider == is_collider;
    });
    return at == all.end() ? nullptr : &*at;
}

}  // namespace

TEST_CASE("contacts carry the weight of what lies on them") {
    const Description description = two_boxes_on_the_floor();
    Simulation simulation = start(description);
    run(simulation, 300);
    const double weight = 1000 * 0.2 * 0.2 * 0.2 * 9.81, frame = description.settings.time_step;
    REQUIRE(simulation.contacts().size() == 2);
    const ContactReport* const between = find(simulation, 0, 1, false);
    const ContactReport* const below = find(simulation, 0, 0, true);
    REQUIRE(between);
    REQUIRE(below);
    CHECK(between->phase == ContactPhase::lasted);
    CAPTURE(between->impulse.y / weight / frame);
    CAPTURE(below->impulse.y / weight / frame);
    CHECK(relative_error(-between->impulse.y, weight * frame) < 0.02);
    CHECK(relative_error(below->impulse.y, 2 * weight * frame) < 0.02);
    CHECK(between->normal.y < -0.999f);
    CHECK(below->normal.y > 0.999f);
    CHECK(length(between->point - Vec3d{0, 0.2, 0}) < 0.02);
    CHECK(length(below->point) < 0.02);
}

TEST_CASE("contacts carry the weight of a box whose level pushes") {
    Description description = two_boxes_on_the_floor();
    description.settings.levels = Levels::automatic;
    description.settings.settling = 0;
    Simulation two = start(description);
    description.bodies.pop_back();
    Simulation one = start(description);
    run(two, 200);
    run(one, 200);
    const double push = 1000 * 0.2 * 0.2 * 0.2 * 9.81 * double(description.settings.time_step);
    const ContactReport* const between = find(two, 0, 1, false);
    const ContactReport* const below = find(one, 0, 0, true);
    REQUIRE(between);
    REQUIRE(below);
    CHECK(relative_error(-between->impulse.y, push) < 1e-3);
    CHECK(relative_error(below->impulse.y, push) < 1e-3);
}

TEST_CASE("a particle that bounces gives a collider twice its momentum") {
    Description description = scene_of(lone_particle({3, 0.5, 0}));
    description.colliders = {{Sphere{{-5, 0, 0}, 1.0f}}, {Plane{}, 0.5f, 1.0f}};
    description.settings.report_contacts = true;
    Simulation simulation = start(description);
    int began = 0, ended = 0;
    Vec3d impulse{};
    double fastest = 0;
    for (int frame = 0; frame < 30; ++frame) {
        fastest = std::max(fastest, -double(simulation.view().velocities[0].y));
        simulation.step();
        for (const ContactReport& one : simulation.contacts()) {
            CHECK(one.is_collider);
            CHECK(one.other == 1);
            began += one.phase == ContactPhase::began;
            ended += one.phase == ContactPhase::ended;
            impulse = impulse + one.impulse;
        }
    }
    CHECK(began == 1);
    CHECK(ended == 1);
    CHECK(relative_error(impulse.y, 2 * fastest) < 0.06);  // it fell on within the frame
    CHECK(std::abs(impulse.x) < 1e-6);
}

TEST_CASE("contacts begin, last and end, and go on after a restore") {
    Description description = two_boxes_on_the_floor();
    description.bodies[1].position.y = 0.5;
    description.bodies[1].velocity = {0.6f, 0, 0};
    Simulation simulation = start(description);
    std::vector<ContactPhase> phases;
    for (int frame = 0; frame < 90; ++frame) {
        simulation.step();
        if (const ContactReport* one = find(simulation, 0, 1, false)) phases.push_back(one->phase);
        if (frame != 40) continue;
        const auto saved = simulation.save();
        simulation.step();
        const std::vector<ContactReport> once = simulation.contacts();
        succeed(simulation.restore(saved));
        simulation.step();
        REQUIRE(simulation.contacts().size() == once.size());
        for (std::size_t i = 0; i < once.size(); ++i) {
            CHECK(simulation.contacts()[i].phase == once[i].phase);
            CHECK(simulation.contacts()[i].impulse == once[i].impulse);
        }
        succeed(simulation.restore(saved));
    }
    REQUIRE(phases.size() > 2);
    CHECK(phases.front() == ContactPhase::began);
    CHECK(phases.back() == ContactPhase::ended);
    for (std::size_t i = 1; i < phases.size(); ++i) {
        const bool follows = phases[i] == ContactPhase::began ? phases[i - 1] == ContactPhase::ended
                                                              : phases[i - 1] != ContactPhase::ended;
        CHECK(follows);
    }
}

TEST_CASE("contacts that are not asked for are not reported, and asking changes no bit") {
    Description description = two_boxes_on_the_floor();
    Simulation asked = start(description);
    description.settings.report_contacts = false;
    Simulation plain = start(description);
    run(asked, 60);
    run(plain, 60);
    CHECK(plain.contacts().empty());
    CHECK_FALSE(asked.contacts().empty());
    CHECK(asked.state_hash() == plain.state_hash());
}

TEST_CASE("contacts are the same bits at any lane width and number of threads") {
    std::vector<ContactReport> first;
    for (const std::string_view target : available_targets()) {
        Execution execution = on_threads(target == "scalar" ? 1 : 3);
        execution.target = std::string(target);
        Simulation simulation = start(two_boxes_on_the_floor(), execution);
        run(simulation, 20);
        if (first.empty()) first = simulation.contacts();
        REQUIRE(simulation.contacts().size() == first.size());
        for (std::size_t i = 0; i < first.size(); ++i) {
            CHECK(simulation.contacts()[i].impulse == first[i].impulse);
            CHECK(simulation.contacts()[i].point == first[i].point);
        }
    }
}

}  // namespace pliant::test
