// Bodies that carry their own weight: a hanging bar, a cantilever, a block on the floor.
#include <cmath>

#include "pliant/validate/rows.h"
#include "pliant/validate/solid.h"

namespace pliant::app::validation {
namespace {

constexpr double gravity = 9.81;  // m/s²

// u(s) = ρg(Ls − s²/2)/E at a distance s from the held end, tip ρgL²/2E. Gravity is such that the strain is
// 1/100 at the held end: small, and yet far above the rounding of positions.
Result<Measurement> measure_hanging_bar(const Setup& setup, const Execution& execution) {
    const double E = setup.young_modulus, L = bar_length, g = E / (100 * density * L);  // m/s²
    auto bar = make_bar(setup, {0, static_cast<float>(g), 0}, execution);
    if (!bar) return bar.error();
    const auto theory = [&](double s) { return density * g * (L * s - s * s / 2) / E; };
    const auto along = [&](std::size_t i) { return bar->displacement(i).y; };
    const auto tip = [&] { return bar->mean_over_layer(bar->layers - 1, along); };
    Measurement result;
    result.expected = theory(L);
    if (const Status status = settle(*bar, tip, result.expected, execution); !status) return status.error();
    result.measured = tip();
    finish(result, *bar, L, bar->layer_means(along), theory);
    return result;
}

// Timoshenko's beam under its weight w = ρgA a length, square section of width a: EI = Ea⁴/12, κ = 5/6,
// y(s) = w s²(6L² − 4Ls + s²)/24EI + w(Ls − s²/2)/κGA. Euler and Bernoulli's beam has the first part alone,
// tip wL⁴/8EI; the second adds 1.6 %. Gravity is such that the tip sinks by L/10: small,
// and yet far above the rounding of positions.
Result<Measurement> measure_cantilever(const Setup& setup, const Execution& execution) {
    const double E = setup.young_modulus, L = bar_length, a = bar_width,
                 G = E / (2 * (1 + setup.poisson_ratio));
    const double g = L / 10 * E * a * a / (1.5 * density * L * L * L * L);  // m/s²
    auto bar = make_bar(setup, {static_cast<float>(g), 0, 0}, execution);
    if (!bar) return bar.error();
    const auto theory = [&](double s) {
        const double bending = s * s * (6 * L * L - 4 * L * s + s * s) / (24 * E * a * a / 12);
        return density * g * (bending + (L * s - s * s / 2) / (5.0 / 6 * G));
    };
    const auto sideways = [&](std::size_t i) { return bar->displacement(i).x; };
    const auto tip = [&] { return bar->mean_over_layer(bar->layers - 1, sideways); };
    Measurement result;
    result.expected = theory(L);
    if (const Status status = settle(*bar, tip, result.expected, execution); !status) return status.error();
    result.measured = tip();
    finish(result, *bar, L, bar->layer_means(sideways), theory);
    return result;
}

// The sag at a height y is ρg(Ly − y²/2)/E; the top sinks by ρgL²/2E.
Result<Measurement> measure_block(const Setup& setup, const Execution& execution) {
    constexpr double L = 1;
    SolidOptions options;
    options.size = {0.5f, static_cast<float>(L), 0.5f};
    options.cells = {setup.across, 2 * setup.across, setup.across};
    options.position = {0, L / 2, 0};
    options.settings.gravity = {0, -static_cast<float>(gravity), 0};
    options.on_floor = true;
    auto block = make_solid(setup, options, execution);
    if (!block) return block.error();
    const auto theory = [&](double y) {
        return density * gravity * (L * y - y * y / 2) / setup.young_modulus;
    };
    const auto down = [&](std::size_t i) { return -block->displacement(i).y; };
    const auto top = [&] { return block->mean_over_layer(block->layers - 1, down); };
    Measurement result;
    result.expected = theory(L);
    if (const Status status = settle(*block, top, result.expected, execution); !status) return status.error();
    result.measured = top();
    finish(result, *block, L, block->layer_means(down), theory);
    return result;
}

}  // namespace

Case hanging_bar() {
    Case c;
    c.name = "hanging_bar";
    c.quantity = "elongation";
    c.unit = "m";
    c.formula = "ρgL²/2E";
    c.about =
        "A bar of 1 m, 1/8 m thick, hangs by its end face; gravity strains it by 1/100 there. How "
        "much longer it is at rest.";
    c.across = {"distance from the held end", "m"};
    c.up = {"displacement", "m"};
    c.length = 8;
    c.rows = product({.young_modulus = 3e5f, .allowed = 0.04}, elements, {2, 4, 8});
    append(c.rows, product({.young_modulus = 3e6f, .allowed = 0.04}, elements, {2, 4, 8}));
    for (const Cells cells : {Cells::lattice, Cells::delaunay}) {
        for (const float modulus : {3e5f, 3e6f})
            append(c.rows,
                   product({.young_modulus = modulus, .cells = cells, .allowed = 0.04}, elements, {2, 4, 8}));
    }
    c.measure = measure_hanging_bar;
    return c;
}

Case cantilever() {
    Case c;
    c.name = "cantilever";
    c.quantity = "tip deflection";
    c.unit = "m";
    c.formula = "ρgA·(L⁴/8EI + L²/2κGA)";
    c.about =
        "A bar of 1 m, 1/8 m thick, held at one end face, bends under its weight; gravity is such "
        "that its tip sinks by about 1/10 m. How far at rest.";
    c.across = {"distance from the held end", "m"};
    c.up = {"deflection", "m"};
    c.length = 8;
    c.rows = product({.young_modulus = 3e6f, .allowed = 0.25}, elements, {4, 8});
    append(c.rows, product({.young_modulus = 3e6f, .substeps = 40, .allowed = 0.05}, elements, {8}));
    c.measure = measure_cantilever;
    return c;
}

Case block_on_floor() {
    Case c;
    c.name = "block";
    c.quantity = "sag";
    c.unit = "m";
    c.formula = "ρgL²/2E";
    c.about =
        "A block of 0.5 × 1 × 0.5 m in 16 layers stands on a floor without friction. How far its top "
        "sinks at rest.";
    c.across = {"height", "m"};
    c.up = {"sag", "m"};
    c.length = 2;
    c.rows = product({.young_modulus = 3e5f, .allowed = 0.1}, elements, {8});
    append(c.rows, product({.young_modulus = 3e6f, .allowed = 0.1}, elements, {8}));
    c.measure = measure_block;
    return c;
}

}  // namespace pliant::app::validation
