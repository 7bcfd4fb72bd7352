#include "pliant/validate/rows.h"

#include <cmath>

namespace pliant::app::validation {

std::vector<Setup> product(const Setup& common, std::span<const Energy> energies,
                           std::initializer_list<int> across) {
    std::vector<Setup> rows;
    for (const Energy energy : energies) {
        for (const int cells : across) {
            Setup row = common;
            row.energy = energy;
            row.across = cells;
            rows.push_back(row);
        }
    }
    return rows;
}

void append(std::vector<Setup>& rows, const std::vector<Setup>& more) {
    rows.insert(rows.end(), more.begin(), more.end());
}

void finish(Measurement& result, const Solid& solid, double height, const std::vector<double>& values,
            const std::function<double(double)>& theory) {
    result.inverted = solid.simulation.diagnostics().inverted_tetrahedra;
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (!std::isfinite(values[i])) continue;  // no particle is in the layer
        const double at = height * static_cast<double>(i) / (solid.layers - 1);
        result.curve.push_back({at, values[i]});
        result.theory.push_back({at, theory(at)});
    }
}

}  // namespace pliant::app::validation
