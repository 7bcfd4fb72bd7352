// What a step needs besides the model and the state. No globals, no hidden time step.
#pragma once

#include <pliant/description.h>

#include <span>

#include "base/parallel.h"
#include "solvers/kernels.h"
#include "solvers/wind.h"

namespace pliant {

struct StepContext {
    const Settings& settings;
    std::span<const Elasticity> elasticities;
    const SurfaceFans& fans;  // empty without air
    const Kernels& kernels;
    Executor& executor;
};

}  // namespace pliant
