// A project of its own that uses the installed library: a jelly cube falls for a second.
#include <pliant/pliant.h>

#include <cstdio>

int main() {
    pliant::Description description;
    description.bodies.push_back(
        {.name = "jelly", .shape = pliant::SoftBody{.mesh = *pliant::make_box({1, 1, 1}, {4, 4, 4})}});
    auto simulation = pliant::Simulation::create(description);
    if (!simulation) return 1;
    for (int frame = 0; frame < 60; ++frame) simulation->step();
    const auto y = static_cast<double>(simulation->view().positions[0].y);
    std::printf("after %.2f s it is at %.3f m\n", simulation->view().time, y);
    return y < -4 ? 0 : 1;
}
