// A jelly cube falls on the ground: everything a program needs.
#include <pliant/pliant.h>

#include <cstdio>

int main() {
    pliant::Description scene;
    scene.bodies.push_back({.name = "jelly",
                            .shape = pliant::SoftBody{.mesh = *pliant::make_box({1, 1, 1}, {20, 20, 20})},
                            .position = {0, 2, 0}});
    scene.colliders.push_back({.shape = pliant::Plane{}});

    auto simulation = pliant::Simulation::create(scene);
    if (!simulation) return std::fprintf(stderr, "%s\n", simulation.error().text().c_str()), 1;
    for (int frame = 0; frame < 60; ++frame) simulation->step();  // one second

    std::printf("vertex 0 is at height %.3f m\n", double(simulation->view().positions[0].y));
}
