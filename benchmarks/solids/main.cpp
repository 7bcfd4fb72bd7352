// What energies and the coarse level of solids cost: each case beside its base, in turns, on one thread, in
// processor time; the ratio of the least of several runs. Other programs on the machine disturb both alike.
#include <pliant/pliant.h>
#include <pliant/shapes.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <string_view>
#include <vector>

using namespace pliant;

namespace {

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

Description solid(Vec3 size, std::array<int, 3> cells, Energy energy) {
    SoftBody body;
    body.mesh = *make_box(size, cells);
    body.material.energy = energy;
    body.material.poisson_ratio = 0.3f;
    Description scene;
    scene.bodies.resize(1);
    scene.bodies[0].shape = std::move(body);
    return scene;
}

// A cube of n³ cells in free fall, without a level.
Description cube(int n, Energy energy) {
    Description scene = solid({1, 1, 1}, {n, n, n}, energy);
    scene.settings.levels = Levels::off;
    return scene;
}

// Stiff enough for its level, on the floor.
Description standing(std::array<int, 3> cells) {
    const float cell = 1.0f / static_cast<float>(*std::max_element(cells.begin(), cells.end()));
    const auto side = [&](std::size_t k) { return cell * static_cast<float>(cells[k]); };
    Description scene = solid({side(0), side(1), side(2)}, cells, Energy::arap);
    std::get<SoftBody>(scene.bodies[0].shape).material.young_modulus = 3e6f;
    scene.bodies[0].position = {0, 0.5 * double(side(1)) + 0.01, 0};
    scene.colliders.push_back({Plane{}});
    return scene;
}

struct Case {
    std::string name;
    Description base, other;
    double allowed = 0;  // ratio
};

template <class F>
Description changed(Description scene, F&& change) {
    change(scene);
    return scene;
}

void measure(const Case& c, int runs) {
    Simulation simulations[2] = {start(c.base), start(c.other)};
    double least[2] = {1e9, 1e9};
    for (Simulation& s : simulations) {
        for (int frame = 0; frame < 3; ++frame) s.step();
    }
    for (int run = 0; run < runs; ++run) {
        for (int k = 0; k < 2; ++k) {
            const double begin = processor_seconds();
            simulations[k].step();
            simulations[k].step();
            least[k] = std::min(least[k], (processor_seconds() - begin) / 2);
        }
    }
    const double ratio = least[1] / least[0];
    std::printf("%-52s %9.3f ms  %9.3f ms  %6.3f  allowed %.2f  %s\n", c.name.c_str(), 1e3 * least[0],
                1e3 * least[1], ratio, c.allowed, ratio <= c.allowed ? "pass" : "MISS");
    std::fflush(stdout);
}

void measure_set_velocity() {
    for (const int n : {10, 20, 40}) {
        Simulation simulation = start(cube(n, Energy::springs));
        const auto particles = static_cast<std::uint32_t>(simulation.view().positions.size());
        const double begin = processor_seconds();
        for (std::uint32_t i = 0; i < particles; ++i) (void)simulation.set_velocity(i, {0, 1, 0});
        const double each = (processor_seconds() - begin) / particles;
        std::printf("set_velocity of %6u particles: %.0f ns each\n", particles, 1e9 * each);
    }
}

std::vector<Case> cases() {
    const Description springs = cube(20, Energy::springs);
    std::vector<Case> all{
        {"neo_hookean against springs, 20³ cells", springs, cube(20, Energy::neo_hookean), 1.4},
        {"arap against springs, 20³ cells", springs, cube(20, Energy::arap), 2.4}};
    constexpr std::array<int, 3> bodies[] = {{10, 10, 10}, {16, 16, 16}, {20, 20, 20}, {32, 32, 32},
                                             {16, 4, 16},  {4, 32, 4},   {2, 16, 2}};
    for (const std::array<int, 3>& cells : bodies) {
        const std::string size =
            std::to_string(cells[0]) + " × " + std::to_string(cells[1]) + " × " + std::to_string(cells[2]);
        const auto off = [](Description& scene) { scene.settings.levels = Levels::off; };
        all.push_back({"coarse level, " + size + " cells on the floor", changed(standing(cells), off),
                       standing(cells), 1.3});
    }
    return all;
}

}  // namespace

// pliant_bench_solids [RUNS] [WORD]: cases whose name has the word.
int main(int argc, char** argv) {
    const int runs = argc > 1 ? std::atoi(argv[1]) : 15;
    const std::string_view word = argc > 2 ? argv[2] : "";
    std::printf("%-52s %12s  %12s  %6s\n", "case", "base", "with it", "ratio");
    for (const Case& c : cases()) {
        if (c.name.find(word) != std::string::npos) measure(c, runs);
    }
    if (word.empty()) measure_set_velocity();
}
