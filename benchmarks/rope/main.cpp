// One rope of 10,000 links that swings from its end: nanoseconds of processor time per link and substep, on
// one thread, at default settings; beside it a hundred ropes of a hundred links. In turns, the least of
// several: other programs on the machine disturb each alike.
#include <pliant/pliant.h>
#include <pliant/shapes.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <vector>

using namespace pliant;

namespace {

constexpr int links = 10000;

// Ropes of 10 m in all.
Simulation make(int ropes) {
    Description scene;
    for (int i = 0; i < ropes; ++i) {
        Rope rope;
        rope.positions = *make_line({0, 0, 0}, {10.0f / float(ropes), 0, 0}, links / ropes);
        Body& body = scene.bodies.emplace_back();
        body.shape = std::move(rope);
        body.position = {0, 0, 0.1 * i};
        body.pinned = {0};
        body.contact.bodies = ropes == 1;
    }
    Execution execution;
    execution.threads = 1;
    auto simulation = Simulation::create(scene, execution);
    if (!simulation) {
        std::fprintf(stderr, "%s\n", simulation.error().text().c_str());
        std::exit(1);
    }
    return std::move(*simulation);
}

double nanoseconds(Simulation& simulation) {
    const std::clock_t begin = std::clock();
    simulation.step();
    return double(std::clock() - begin) * (1e9 / CLOCKS_PER_SEC) / (links * 10.0);
}

double worst_stretch(const View& view) {
    double worst = 0;
    for (std::size_t i = 1; i < view.positions.size(); ++i) {
        const Vec3 e = view.positions[i] - view.positions[i - 1];
        worst = std::max(worst, std::abs(std::sqrt(double(dot(e, e))) * links / 10 - 1));
    }
    return worst;
}

}  // namespace

int main() {
    Simulation one = make(1), many = make(100);
    double least[2] = {1e9, 1e9}, sum = 0, worst = 0;
    constexpr int frames = 200;
    for (int i = 0; i < frames; ++i) {
        const double now = nanoseconds(one);
        least[0] = std::min(least[0], now);
        sum += now;
        least[1] = std::min(least[1], nanoseconds(many));
        worst = std::max(worst, worst_stretch(one.view()));
    }
    std::printf("%s, ns of processor time per link and substep, one thread\n",
                std::string(one.target()).c_str());
    std::printf("one rope of %d links %.1f (mean of %d frames %.1f), worst link %.3f %% off\n", links,
                least[0], frames, sum / frames, 100 * worst);
    std::printf("100 ropes of %d links %.1f\n", links / 100, least[1]);
}
