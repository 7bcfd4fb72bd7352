#include <pliant/presets.h>

#include <array>
#include <vector>

#include "base/format.h"
#include "base/suggest.h"

namespace pliant {
namespace {

// Linear elastic solids at small strain and room temperature. The source is that of Young's modulus; where it
// gives a range, the value lies within it. Densities, ratios and dampings are usual values, rounded. Rubber
// is all but incompressible (ν = 0.4998); tetrahedra would lock, so ν stops at 0.49.
//
// A material with the loss coefficient η at the frequency f has the retardation time τ = η/(2πf). Bodies of
// decimetres swing with about 10 Hz. Loss coefficients depend on frequency, temperature and recipe: those
// here are good to a factor of two or three.
constexpr float damping(double loss_coefficient) {
    constexpr double two_pi = 6.283185307179586, frequency = 10;
    return static_cast<float>(loss_coefficient / (two_pi * frequency));
}

constexpr SoftMaterial solid(float density, float young_modulus, float poisson_ratio, float retardation) {
    SoftMaterial material;
    material.density = density;
    material.young_modulus = young_modulus;
    material.poisson_ratio = poisson_ratio;
    material.damping = retardation;
    return material;
}

constexpr std::array presets{
    SoftPreset{"jelly", solid(1010, 4.3e3f, 0.49f, damping(0.1)),
               "Dessert jelly: gelatine in 20 times as much water (Bonavia 2025, arXiv:2512.20502)"},
    SoftPreset{"muscle", solid(1060, 1.7e4f, 0.49f, damping(0.3)),
               "Relaxed thigh muscle: three times the shear modulus along its fibres, 5.8 kPa (Knight et al. "
               "2022, IEEE Trans. Med. Imaging 41, PMC8754054)"},
    SoftPreset{"gelatine", solid(1050, 8e4f, 0.49f, damping(0.1)),
               "As for ballistic tests: gelatine in 4 times as much water, by the power law between 2 and 20 "
               "times (Bonavia 2025, arXiv:2512.20502)"},
    SoftPreset{"foam", solid(25, 5e5f, 0.27f, damping(0.3)),
               "Flexible polymer foam of very low density (Ashby 2011, Materials Selection in Mechanical "
               "Design, appendix A)"},
    SoftPreset{
        "gum", solid(930, 9.2e5f, 0.49f, damping(0.05)),
        "Natural rubber without filler, 30 IRHD (Lindley 1974, Engineering Design with Natural Rubber)"},
    SoftPreset{"rubber", solid(1000, 2.2e6f, 0.49f, damping(0.1)),
               "Natural rubber with a little filler, 50 IRHD (Lindley 1974; within the range of Ashby 2011)"},
    SoftPreset{"tyre", solid(1150, 7.4e6f, 0.49f, damping(0.2)),
               "Natural rubber with much carbon black, 70 IRHD (Lindley 1974)"},
    SoftPreset{"cork", solid(180, 2e7f, 0.05f, damping(0.2)),
               "Natural cork, whose cells fold without bulging (Gibson, Easterling and Ashby 1981, Proc. R. "
               "Soc. A 377; within the range of Ashby 2011)"},
    SoftPreset{"steel", solid(7850, 2.1e11f, 0.29f, damping(0.001)),
               "Low-carbon steel, elastic only (Ashby 2011); moves like a rigid body"},
};

}  // namespace

std::span<const SoftPreset> soft_presets() { return presets; }

Result<SoftMaterial> soft_preset(std::string_view name) {
    std::vector<std::string_view> known;
    for (const SoftPreset& preset : presets) {
        if (preset.name == name) return preset.material;
        known.push_back(preset.name);
    }
    return Error{"preset", fmt::format("there is no preset \"{}\"; {}", name, suggestion(name, known))};
}

}  // namespace pliant
