// Grains of 1 cm in a heap: milliseconds per frame of 10 substeps, on one thread and on
// two, once they rest and while they fall together.
//
//   pliant_bench_grains [grains]        100,000 unless told otherwise
#include <pliant/pliant.h>
#include <pliant/shapes.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>

using namespace pliant;

namespace {

constexpr float radius = 0.01f;

Simulation make(int count, int threads) {
    const float rows = std::cbrt(static_cast<float>(count)), size = 0.0225f * (rows - 0.5f);
    Particles particles;
    particles.positions = *make_grains({size, size, size}, 0.0225f, 0.1f);
    particles.material.mass = 0.001f;
    Description scene;
    scene.bodies.resize(1);
    scene.bodies[0].shape = std::move(particles);
    scene.bodies[0].position = {0, size / 2.0 + 0.02, 0};
    scene.bodies[0].radius = radius;
    scene.colliders.push_back({.shape = Plane{}});
    Execution execution;
    execution.threads = threads;
    auto simulation = Simulation::create(scene, execution);
    if (!simulation) {
        std::fprintf(stderr, "%s\n", simulation.error().text().c_str());
        std::exit(1);
    }
    return std::move(*simulation);
}

// Processor time of this program: other programs on the machine disturb it least.
double processor_ms() { return 1e3 * double(std::clock()) / CLOCKS_PER_SEC; }
double wall_ms() {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

template <class Clock>
double mean_of(Simulation& simulation, int frames, const Clock& clock) {
    const double before = clock();
    for (int i = 0; i < frames; ++i) simulation.step();
    return (clock() - before) / frames;
}

}  // namespace

int main(int argc, char** argv) {
    const int count = argc > 1 ? std::atoi(argv[1]) : 100000;
    if (count < 1) return std::fprintf(stderr, "grains must be at least 1, got %s\n", argv[1]), 2;
    Simulation one = make(count, 1), two = make(count, 2);
    std::printf("%zu grains; ms per frame of 10 substeps\n", one.view().positions.size());
    constexpr int frames = 20;
    for (int part = 0; part < 9; ++part) {
        const double wall_before = wall_ms(), processor = mean_of(one, frames, processor_ms),
                     wall = (wall_ms() - wall_before) / frames, on_two = mean_of(two, frames, wall_ms);
        double speed = 0;
        for (const Vec3& v : one.view().velocities) speed += std::sqrt(double(dot(v, v)));
        std::printf(
            "frames %3d to %3d, %.4f m/s on average: %6.1f of processor time; wall clock %6.1f, two threads "
            "%6.1f\n",
            frames * part, frames * (part + 1) - 1, speed / double(one.view().velocities.size()), processor,
            wall, on_two);
    }
}
