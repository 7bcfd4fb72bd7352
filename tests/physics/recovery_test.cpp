// Bodies that were squashed, scattered, mirrored, folded, thrown, torn or pressed come back whole, in their
// shape, and without leaping.
#include <doctest/doctest.h>

#include <cstdio>
#include <limits>

#include "support/recovery.h"

using namespace pliant;
using namespace pliant::test;

namespace {

// What a table of runs came to.
struct Tally {
    int runs = 0, inverted = 0, misshapen = 0;
    double leap = 0, speed = 0;

    void add(const RecoveryCase& which, const Recovery& r) {
        ++runs;
        inverted += r.inverted > 0;
        misshapen += !(r.rms < 0.05);
        if (which.gravity) leap = std::max(leap, r.leap);  // without, nothing ends one
        speed = std::max(speed, r.speed);
        if (r.inverted == 0 && r.rms < 0.05) return;
        std::printf("%s, %s, gravity %d, seed %d: %d inverted, %.3f m from its shape\n",
                    body_names[int(which.body)], illness_names[int(which.illness)], which.gravity, which.seed,
                    int(r.inverted), r.rms);
    }
    void print(const char* energy) const {
        std::printf(
            "%s, %d runs: %d with inverted tetrahedra, %d not in shape, leap %.2f m, speed %.1f m/s\n",
            energy, runs, inverted, misshapen, leap, speed);
    }
};

Tally run_table(const SoftMaterial& material, int first_seed, int seeds) {
    Tally tally;
    for (int b = 0; b < test_bodies; ++b) {
        const TetrahedralMesh mesh = unit_mesh(TestBody(b));
        for (int i = 0; i < illnesses; ++i) {
            for (const bool gravity : {true, false}) {
                for (int seed = first_seed; seed < first_seed + seeds; ++seed) {
                    const RecoveryCase which{TestBody(b), Illness(i), gravity, seed};
                    tally.add(which, RecoveryRun(mesh, material, which).run());
                }
            }
        }
    }
    return tally;
}

double mean_edge(const TetrahedralMesh& mesh) {
    double sum = 0, count = 0;
    for (const Tetrahedron& t : mesh.tetrahedra) {
        for (std::size_t k = 1; k < 4; ++k, ++count)
            sum += distance(mesh.positions[t[0]], mesh.positions[t[k]]);
    }
    return sum / count;
}

double fastest(const View& view) {
    double speed = 0;
    for (const Vec3& v : view.velocities) speed = std::max(speed, length(v));
    return speed;
}

// How much farther than the fastest particle goes a particle went in a frame.
double step_and_measure_jump(Simulation& simulation) {
    const std::vector<Vec3> before(simulation.view().positions.begin(), simulation.view().positions.end());
    const double speed = fastest(simulation.view());
    simulation.step();
    double way = 0;
    for (std::size_t i = 0; i < before.size(); ++i)
        way = std::max(way, distance(simulation.view().positions[i], before[i]));
    return way - std::max(speed, fastest(simulation.view())) * double(simulation.settings().time_step);
}

}  // namespace

TEST_CASE("bodies come back from seven ways to break them") {
    const Tally tally = run_table({}, 0, 1);
    CHECK(tally.runs >= 60);
    CHECK(tally.inverted == 0);
    CHECK(tally.misshapen <= 1);
    CHECK(tally.leap < 2);
    CHECK(tally.speed < 20);
}

TEST_CASE("run by name: bodies come back from seven ways to break them, 1,050 times" * doctest::skip()) {
    const Tally tally = run_table({}, 1, 15);
    tally.print("arap");
    CHECK(tally.runs >= 1000);
    CHECK(tally.inverted == 0);
    CHECK(tally.misshapen * 100 <= tally.runs);
    CHECK(tally.leap < 2);
    CHECK(tally.speed < 20);
}

TEST_CASE("run by name: so do most bodies of springs" * doctest::skip()) {
    SoftMaterial springs;
    springs.energy = Energy::springs;
    const Tally tally = run_table(springs, 1, 3);
    tally.print("springs");
    // Not all that is asked of arap: docs/limits.md.
    CHECK(tally.inverted * 100 <= tally.runs);
    CHECK(tally.misshapen * 20 <= tally.runs);
    CHECK(tally.leap < 2);
    CHECK(tally.speed < 30);
}

TEST_CASE("in a drop of 5 m nothing is rescued, no bit changes and nothing jumps") {
    for (int b = 0; b < test_bodies; ++b) {
        const TetrahedralMesh mesh = unit_mesh(TestBody(b));
        const double edge = mean_edge(mesh);
        for (const float young : {1e5f, 1e6f, 1e7f}) {
            CAPTURE(b);
            CAPTURE(young);
            SoftMaterial material;
            material.young_modulus = young;
            const RecoveryCase which{TestBody(b), Illness::squashed, true, 0};
            RecoveryRun watched(mesh, material, which), unwatched(mesh, material, which);
            unwatched.change([](model::State& state) {
                state.rescue.next_scan = std::numeric_limits<double>::infinity();
            });
            double jump = 0;
            for (RecoveryRun* run : {&watched, &unwatched}) {
                succeed(run->simulation().translate("body", {0, 5, 0}));
                for (int frame = 0; frame < 120; ++frame)
                    jump = std::max(jump, step_and_measure_jump(run->simulation()));
            }
            CHECK(watched.simulation().diagnostics().rescues == 0);
            CHECK(watched.simulation().state_hash() == unwatched.simulation().state_hash());
            CHECK(jump < edge);
        }
    }
}
