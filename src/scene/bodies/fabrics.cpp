#include <pliant/presets.h>

#include <array>
#include <vector>

#include "base/format.h"
#include "base/suggest.h"

namespace pliant {
namespace {

// Values of Wang, O'Brien and Ramamoorthi 2011 are those of small strain and of the first curvature that
// they measured; they are the same for warp and weft here unless a ratio is usual. Shear, where no source is
// named, and strain limits are usual values, rounded: fabrics of one name differ by factors of two or three.
// A sheet of a solid of thickness t has Y = E·t and B = E·t³/12.
struct Values {
    float area_density;       // kg/m²
    float warp, weft, shear;  // N/m
    float poisson_ratio;
    float bend_warp, bend_weft;  // N·m
    float strain_limit;
};

constexpr ClothMaterial woven(const Values& v) {
    ClothMaterial material;
    material.area_density = v.area_density;
    material.membrane.model = MembraneModel::orthotropic;
    material.membrane.warp = v.warp;
    material.membrane.weft = v.weft;
    material.membrane.shear = v.shear;
    material.membrane.poisson_ratio = v.poisson_ratio;
    material.bending.model = BendingModel::isometric;
    material.bending.warp = v.bend_warp;
    material.bending.weft = v.bend_weft;
    material.strain_limit = v.strain_limit;
    return material;
}

constexpr std::array all_fabrics{
    Fabric{"silk", woven({0.06f, 1500, 1000, 20, 0.1f, 4e-6f, 3e-6f, 0.05f}),
           "Light plain weave of 14 momme; bending and shear as Kawabata 1980 has for thin dress fabrics, "
           "rounded"},
    Fabric{
        "cotton", woven({0.22f, 4070, 4070, 100, 0.1f, 1.25e-4f, 1.25e-4f, 0.05f}),
        "Cloth of trousers, 65 % cotton, by the measurements of Wang et al. 2011, Data-driven elastic models "
        "for cloth (\"royal-target\"), after a public listing of them"},
    Fabric{"wool", woven({0.2f, 1000, 700, 40, 0.2f, 1e-5f, 8e-6f, 0.1f}),
           "Worsted suiting; bending and shear as Kawabata 1980 has for men's suiting, rounded"},
    Fabric{"denim", woven({0.324f, 2028, 2028, 170, 0.1f, 6.4e-5f, 6.4e-5f, 0.05f}),
           "Jeans of 11 ounces, 99 % cotton, likewise (\"11oz-black-denim\")"},
    Fabric{"jersey", woven({0.187f, 69, 69, 20, 0.3f, 2.3e-5f, 2.3e-5f, 0.5f}),
           "Knitted cloth of T-shirts, 60 % cotton, likewise (\"gray-interlock\")"},
    Fabric{"leather", woven({0.9f, 1e5f, 1e5f, 4e4f, 0.3f, 8.3e-3f, 8.3e-3f, 0.1f}),
           "1 mm of soft leather, E = 0.1 GPa, a usual value"},
    Fabric{"paper", woven({0.08f, 3e5f, 1.5e5f, 8e4f, 0.3f, 2.5e-4f, 1.25e-4f, 0.01f}),
           "Office paper, 0.1 mm, E = 3 GPa along the machine and half of it across, usual values"},
    Fabric{"rubber_sheet", woven({1, 2200, 2200, 733, 0.49f, 1.8e-4f, 1.8e-4f, 2}),
           "1 mm of natural rubber, E = 2.2 MPa, a usual value"},
};

}  // namespace

std::span<const Fabric> fabrics() { return all_fabrics; }

Result<ClothMaterial> fabric(std::string_view name) {
    std::vector<std::string_view> known;
    for (const Fabric& one : all_fabrics) {
        if (one.name == name) return one.material;
        known.push_back(one.name);
    }
    return Error{"fabric", fmt::format("there is no fabric \"{}\"; {}", name, suggestion(name, known))};
}

}  // namespace pliant
