#include "engine.h"

#include <pliant/simulation.h>

#include <stdexcept>

#include "scene/assemble/assemble.h"

namespace pliant::benchmarks {
namespace {

class PliantEngine final : public Engine {
public:
    PliantEngine(Simulation simulation, const Description& description)
        : simulation_(std::move(simulation)), description_(description) {}

    void frame() override { simulation_.step(); }
    double residual() const override { return simulation_.diagnostics().mean_constraint_error; }
    std::size_t constraints() const override { return simulation_.diagnostics().constraints; }
    std::optional<double> bytes_per_constraint() const override {
        const Result<Assembly> assembly = assemble(description_);
        std::size_t bytes = 0;
        constraints::for_each_list(assembly->plan.clusters,
                                   [&](const auto& blocks) { bytes += blocks.bytes(); });
        return static_cast<double>(bytes) / static_cast<double>(assembly->model.constraint_count());
    }

private:
    Simulation simulation_;
    const Description& description_;
};

}  // namespace

std::unique_ptr<Engine> make_pliant(const Description& description, int threads) {
    auto simulation = Simulation::create(description, {.threads = threads});
    if (!simulation) throw std::runtime_error("pliant: " + simulation.error().text());
    return std::make_unique<PliantEngine>(std::move(*simulation), description);
}

}  // namespace pliant::benchmarks
