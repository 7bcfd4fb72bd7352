#include "engine.h"

#include <pliant/simulation.h>

#include <stdexcept>

namespace pliant::benchmarks {
namespace {

class PliantEngine final : public Engine {
public:
    explicit PliantEngine(Simulation simulation) : simulation_(std::move(simulation)) {}

    void frame() override { simulation_.step(); }
    double residual() const override { return simulation_.diagnostics().mean_constraint_error; }
    std::size_t constraints() const override { return simulation_.diagnostics().constraints; }

private:
    Simulation simulation_;
};

}  // namespace

std::unique_ptr<Engine> make_pliant(const Description& description, int threads) {
    auto simulation = Simulation::create(description, {.threads = threads, .target = {}, .runner = {}});
    if (!simulation) throw std::runtime_error("pliant: " + simulation.error().text());
    return std::make_unique<PliantEngine>(std::move(*simulation));
}

}  // namespace pliant::benchmarks
