// The bodies of the cases: boxes of one material, cut into layers along y.
#pragma once

#include <pliant/simulation.h>

#include <array>
#include <functional>
#include <span>
#include <vector>

#include "pliant/validate/case.h"

namespace pliant::app::validation {

inline constexpr double density = 1000;  // kg/m³, of every body

inline bool stopped(const Execution& execution) {
    return execution.interrupt != nullptr && *execution.interrupt;
}

// Springs get the compliances of the same moduli.
SoftMaterial material_of(const Setup& setup);

// A simulation of one box, and what must be known of it to measure.
struct Solid {
    Simulation simulation;
    std::vector<Vec3> rest;     // m, where the particles started
    std::vector<char> is_held;  // of each particle
    // Of a particle in the mean over its layer. Of cubes ¼ at edges, ½ at faces, 1 inside; else the area that
    // it has of an end face, and 1 between them.
    std::vector<double> weight;
    std::vector<int> layer;  // of each particle, or the nearest; layer 0 is the lowest
    int layers = 0;          // one more than cells along y

    Vec3d displacement(std::size_t particle) const;
    // Mean over each layer of a function of the particle.
    std::vector<double> layer_means(const std::function<double(std::size_t)>& f) const;
    double mean_over_layer(int wished, const std::function<double(std::size_t)>& f) const;
};

enum class Held { nothing, lowest_layer };

struct SolidOptions {
    Vec3 size{1, 1, 1};  // m
    std::array<int, 3> cells{1, 1, 1};
    Vec3d position{};  // m, of the centre
    Held held = Held::nothing;
    Settings settings{};    // its substeps are the setup's
    bool on_floor = false;  // a plane at height 0 without friction
};

Result<Solid> make_solid(const Setup& setup, SolidOptions options, const Execution& execution);

// A square bar of 1 m × 1/8 m × 1/8 m, held by its lower end face. Its cells are cubes.
inline constexpr double bar_length = 1, bar_width = 0.125;
Result<Solid> make_bar(const Setup& setup, Vec3 gravity, const Execution& execution);

// The share of the top face that belongs to each particle, m².
std::vector<double> top_areas(const Solid& solid);
Status set_forces(Solid& solid, std::span<const Vec3d> forces);  // N, one for each particle

// Lets the solid come to rest: whenever its kinetic energy has passed a maximum, all velocities become 0
// (Day 1965, dynamic relaxation). It rests when the probe has stayed within 0.1 % of the scale for a second.
Status settle(Solid& solid, const std::function<double()>& probe, double scale, const Execution& execution);

}  // namespace pliant::app::validation
