// Inextensible cloth: stable for ever, and float agrees with double.
#include <doctest/doctest.h>

#include "scene/assemble/assemble.h"
#include "scenes/scenes.h"
#include "support/projection_in_double.h"
#include "support/simulations.h"

using namespace pliant;
using namespace pliant::test;
using constraints::kinds::Distance;

namespace {

double mean_height(const View& view) {
    double sum = 0;
    for (const Vec3& p : view.positions) sum += double(p.y);
    return sum / double(view.positions.size());
}

// The same frames in double, with v = (x − p)/h as the textbooks have it, and the engine's own formula
// and order of work. For distance constraints only.
double mean_height_in_double(const Description& description, int frames) {
    const Result<Assembly> assembly = assemble(description);
    REQUIRE(bool(assembly));
    const model::Model& model = assembly->model;
    const double h = substep_of(description.settings), g = description.settings.gravity.y;
    const std::size_t count = model.particles();
    std::vector<Vec3d> x(count), p(count), v(count);
    std::vector<double> w(count);
    for (std::size_t i = 0; i < count; ++i) {
        x[i] = to_double(model.rest_positions[i]);
        w[i] = model.is_dynamic[i] ? double(model.inverse_masses[i]) : 0;
    }
    // In the order in which the engine projects them.
    struct Joint {
        std::uint32_t a, b;
        double rest;
    };
    std::vector<Joint> joints;
    const auto& distances = constraints::list_of<Distance>(model.constraints);
    const auto add_joints = [&]<class Cluster>() {
        const auto& blocks =
            std::get<solvers::position_based::ClusterBlocks<Cluster>>(assembly->plan.clusters);
        for (const auto& run : blocks.runs) {
            blocks.for_each_cluster(run, [&](const auto&, const auto& sources) {
                Cluster::for_each_stage([&]<class Stage, int number, int>() {
                    if constexpr (std::is_same_v<typename Stage::Kind, Distance>) {
                        const auto& ends = distances.particles[sources[number]];
                        joints.push_back({ends[0], ends[1], double(distances.rests[sources[number]].length)});
                    }
                });
            });
        }
    };
    constraints::AllClusters::for_each(add_joints);
    for (int substep = 0; substep < frames * description.settings.substeps; ++substep) {
        for (std::size_t i = 0; i < count; ++i) {
            if (w[i] > 0) v[i].y += h * g;
            p[i] = x[i];
            x[i] = x[i] + v[i] * h;
        }
        for (const Joint& joint : joints) {
            Vec3d ends[2] = {x[joint.a], x[joint.b]};
            const double masses[2] = {w[joint.a], w[joint.b]};
            project<Distance>(ends, masses, {joint.rest});
            x[joint.a] = ends[0];
            x[joint.b] = ends[1];
        }
        for (std::size_t i = 0; i < count; ++i) v[i] = (x[i] - p[i]) * (1 / h);
    }
    double sum = 0;
    for (std::size_t i = 0; i < model.visible; ++i) sum += x[i].y + assembly->state.origins[0].y;
    return sum / double(model.visible);
}

// Returns the largest distance from a pinned corner.
double check_stable(const char* name, int frames) {
    Simulation simulation = start(*scenes::make(name));
    // A sheet of 2 m × 2 m and 0.8 kg, held at two corners.
    const Vec3 corner = simulation.view().positions[0];
    const double highest = simulation.diagnostics().total_energy, weight = 0.8 * 9.81 * 2;
    double most = -1e9, furthest = 0;
    for (int frame = 0; frame < frames; ++frame) {
        simulation.step();
        if (frame % 10 != 9) continue;
        REQUIRE(all_finite(simulation.view()));
        most = std::max(most, simulation.diagnostics().total_energy);
        for (const Vec3& p : simulation.view().positions) furthest = std::max(furthest, distance(p, corner));
    }
    const Diagnostics last = simulation.diagnostics();
    CHECK(most < highest + 0.01 * weight);
    CHECK(last.repaired_particles == 0);
    return furthest;
}

}  // namespace

TEST_CASE("inextensible cloth is stable over 600 frames, and stretches by less than 5 %") {
    CHECK(check_stable("c60", 600) < 1.05 * 2 * std::sqrt(2.0));
}

TEST_CASE("longer run: inextensible cloth of 90,000 particles is stable over 1,800 frames" *
          doctest::skip()) {
    check_stable("c300", 1800);  // finite, and no energy from nowhere; says nothing about stretch
}

TEST_CASE("the mean height of a cloth at 80 and 160 substeps is that of a run in double") {
    for (const int substeps : {80, 160}) {
        CAPTURE(substeps);
        Description scene = *scenes::make("c60");
        scene.settings.substeps = substeps;
        Simulation simulation = start(scene);
        const double before = mean_height(simulation.view());
        run(simulation, 60);
        const double fallen = before - mean_height(simulation.view());
        const double expected = before - mean_height_in_double(scene, 60);
        CHECK(relative_error(fallen, expected) < 0.01);
    }
}
