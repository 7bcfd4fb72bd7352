// The part of a substep that solves membranes and hinges at once (fabric.h).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/state.h"
#include "solvers/position_based/cloth/fabric.h"
#include "solvers/position_based/cloth/tethers.h"
#include "solvers/position_based/kernels.h"
#include "solvers/position_based/softness.h"

namespace pliant::solvers::position_based {

struct ClothSheet;

// What the matrix is for.
struct FabricStiffness {
    double membrane = 0, bending = 0;         // × h²: N/m·s², N·m·s²; 0: left to sweeps
    double viscosity = 0;                     // τ/h, of bending
    double weft = 1, shear = 1, poisson = 0;  // over the warp's, as in constraints::Weave
    friend bool operator==(const FabricStiffness&, const FabricStiffness&) = default;
};

struct FabricWorkspace {
    bool is_needed = false;  // sweeps do not carry what is asked for
    bool is_active = false;  // and it touches nothing
    FabricStiffness stiffness;
    std::vector<std::uint32_t> offsets;    // [row], of its particle, in bytes
    std::vector<std::uint32_t> offset_of;  // [particle of the sheet], the same
    std::vector<HeldParticle> held;        // by vertex, as the factor was made for
    std::vector<std::uint8_t> is_held;     // [row]
    std::vector<double> factor;
    std::vector<double> places;  // [row][3]: x*, scratch
    std::vector<double> starts;  // [row][3]: x* without what gravity and forces add in this substep, scratch
    std::vector<double> forces;  // [axis][row], scratch
};

// At the start of a frame. held: what holds the sheet now; touches: whether it touches something. Parts that
// the solve stands in for lose their softness' stiffness.
void prepare_fabric(const ClothSheet& sheet, std::span<const std::uint32_t> slot_of,
                    std::span<const model::MaterialValues> materials, double substep,
                    const std::vector<HeldParticle>& held, bool touches, std::span<Softness<float>> softness,
                    FabricWorkspace& workspace);

// What acts from outside in a substep.
struct FabricLoad {
    Vec3d gravity_step;             // h²·g
    const float* forces = nullptr;  // N, four floats per particle, or null
    double h2 = 0;                  // s²
};

void solve_fabric(const ClothSheet& sheet, std::span<const model::MaterialValues> materials,
                  const Kernels& kernels, const ParticleArrays& particles, const FabricLoad& load,
                  FabricWorkspace& workspace);

}  // namespace pliant::solvers::position_based
