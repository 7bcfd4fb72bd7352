// What is compared: the same description, run by Pliant and by others.
#pragma once

#include <pliant/description.h>

#include <cstddef>
#include <memory>
#include <optional>

namespace pliant::benchmarks {

struct Engine {
    virtual ~Engine() = default;
    virtual void frame() = 0;
    // Mean |C| over the rest length or volume, of all constraints, as they are now.
    virtual double residual() const = 0;
    virtual std::size_t constraints() const = 0;
    // What the solver reads for each constraint in a sweep; nothing where it is not known.
    virtual std::optional<double> bytes_per_constraint() const { return std::nullopt; }
};

// Each returns nullptr for a description that it cannot run. The description must outlive the engine.
std::unique_ptr<Engine> make_pliant(const Description& description, int threads);
std::unique_ptr<Engine> make_literal(const Description& description);
std::unique_ptr<Engine> make_bullet(const Description& description);
std::unique_ptr<Engine> make_floor(const Description& description);

}  // namespace pliant::benchmarks
