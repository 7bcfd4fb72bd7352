#include <array>
#include <cmath>

#include "base/format.h"
#include "pliant/validate/case.h"

namespace pliant::app::validation {

std::vector<Case> cases() {
    return {hanging_bar(),    cantilever(), stretch(), poisson_effect(), torsion(), vibration(),
            block_on_floor(), free_fall(),  bounce(),  spin(),           momentum()};
}

std::string_view name_of(Energy energy) {
    constexpr std::array<std::string_view, 5> names{"arap", "neo_hookean", "stvk", "dirichlet", "springs"};
    return names[static_cast<std::size_t>(energy)];
}

std::string_view name_of(Cells cells) {
    constexpr std::array<std::string_view, 3> names{"cubes", "lattice", "delaunay"};
    return names[static_cast<std::size_t>(cells)];
}

std::string modulus_text(float pascals) {
    std::string text = fmt::format("{:.6e}", pascals);  // 3.000000e+05
    const std::size_t exponent = text.find('e');
    const std::size_t last = text.find_last_not_of("0.", exponent - 1);
    return text.substr(0, last + 1) + fmt::format("e{}", std::stoi(text.substr(exponent + 1)));
}

bool is_quick(const Case& of, const Setup& setup) {
    const int tetrahedra = 6 * of.length * setup.across * setup.across * setup.across;
    return tetrahedra <= 10000 && setup.substeps <= 10;
}

double error_of(ErrorMeasure measure, const Measurement& result) {
    switch (measure) {
        case ErrorMeasure::relative:
            return std::fabs(result.measured / result.expected - 1);
        case ErrorMeasure::absolute:
            return std::fabs(result.measured - result.expected);
        case ErrorMeasure::excess:
            break;
    }
    const double excess = result.measured / result.expected - 1;
    return excess < 0 ? 0 : excess;
}

std::string Row::id() const {
    return fmt::format("{} {} {} across E {} ν {:g} {} substeps{}{}", of->name, name_of(setup.energy),
                       setup.across, modulus_text(setup.young_modulus), setup.poisson_ratio, setup.substeps,
                       setup.cells == Cells::cubes ? "" : " ",
                       setup.cells == Cells::cubes ? "" : name_of(setup.cells));
}

}  // namespace pliant::app::validation
