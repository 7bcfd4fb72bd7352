// What membranes, hinges and levels of cloth cost: nanoseconds per constraint over those of a distance, and
// frames with levels over frames without. On one thread, in processor time, cases in turns, the least of
// several runs. Other programs on the machine disturb all alike.
#include <pliant/pliant.h>
#include <pliant/shapes.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

using namespace pliant;

namespace {

constexpr int squares = 99;  // to a side

double processor_seconds() {
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
}

Simulation start(const Description& scene) {
    Execution execution;
    execution.threads = 1;
    auto simulation = Simulation::create(scene, execution);
    if (!simulation) {
        std::fprintf(stderr, "%s\n", simulation.error().text().c_str());
        std::exit(1);
    }
    return std::move(*simulation);
}

Description scene_of(decltype(Body::shape) shape) {
    Description scene;
    scene.settings.contact_quality = ContactQuality::off;
    scene.bodies.resize(1);
    scene.bodies[0].shape = std::move(shape);
    return scene;
}

Cloth sheet(int n) {
    Cloth cloth;
    cloth.mesh = *make_sheet(1, 1, n, n);
    return cloth;
}

// In free fall, without levels.
Description falling(MembraneModel membrane, BendingModel bending) {
    Cloth cloth = sheet(squares);
    cloth.material.membrane.model = membrane;
    cloth.material.bending.model = bending;
    Description scene = scene_of(std::move(cloth));
    scene.settings.levels = Levels::off;
    return scene;
}

Description particles() {
    Particles loose;
    loose.positions = make_sheet(1, 1, squares, squares)->positions;
    Description scene = scene_of(std::move(loose));
    scene.settings.levels = Levels::off;
    return scene;
}

Description on_two_nails(int n, Levels levels) {
    Description scene = scene_of(sheet(n));
    scene.bodies[0].pinned = {0, static_cast<std::uint32_t>(n)};
    scene.settings.levels = levels;
    return scene;
}

// Seconds per frame of each, in turns.
std::vector<double> measure(const std::vector<Description>& scenes, int runs) {
    std::vector<Simulation> simulations;
    for (const Description& scene : scenes) {
        simulations.push_back(start(scene));
        for (int frame = 0; frame < 3; ++frame) simulations.back().step();
    }
    std::vector<double> least(scenes.size(), 1e9);
    for (int run = 0; run < runs; ++run) {
        for (std::size_t i = 0; i < scenes.size(); ++i) {
            const double begin = processor_seconds();
            simulations[i].step();
            simulations[i].step();
            least[i] = std::min(least[i], (processor_seconds() - begin) / 2);
        }
    }
    return least;
}

void report(const char* name, double ratio, double allowed) {
    std::printf("%-52s %6.3f  allowed %.2f  %s\n", name, ratio, allowed, ratio <= allowed ? "pass" : "MISS");
}

void measure_constraints(int runs) {
    const std::vector<double> t = measure({particles(), falling(MembraneModel::links, BendingModel::links),
                                           falling(MembraneModel::orthotropic, BendingModel::links),
                                           falling(MembraneModel::links, BendingModel::dihedral),
                                           falling(MembraneModel::links, BendingModel::isometric)},
                                          runs);
    constexpr double triangles = 2.0 * squares * squares, edges = squares * (3.0 * squares + 2),
                     hinges = edges - 4.0 * squares;
    const double distance = (t[1] - t[0]) / (edges + hinges);
    const auto hinge = [&](double seconds) { return (seconds - t[0] - edges * distance) / hinges; };
    std::printf("a distance: %.2f ns per substep\n", 1e9 * distance / 10);
    report("orthotropic membrane over a distance", (t[2] - t[0] - hinges * distance) / triangles / distance,
           3.5);
    report("dihedral hinge over a distance", hinge(t[3]) / distance, 4);
    report("isometric hinge over a distance", hinge(t[4]) / distance, 3);
}

void measure_levels(int runs) {
    for (const int n : {20, 40, 99}) {
        const std::vector<double> t =
            measure({on_two_nails(n, Levels::off), on_two_nails(n, Levels::automatic)}, runs);
        std::printf("%d² squares on two nails: %.3f ms per frame without levels, %.3f with\n", n, 1e3 * t[0],
                    1e3 * t[1]);
        report("levels and tethers, a frame over one without", t[1] / t[0], 1.35);
    }
}

}  // namespace

// pliant_bench_cloth [RUNS]
int main(int argc, char** argv) {
    const int runs = argc > 1 ? std::atoi(argv[1]) : 25;
    measure_constraints(runs);
    measure_levels(runs);
}
