// What a step needs besides the model and the state. No globals, no hidden time step.
#pragma once

#include <pliant/description.h>

#include <atomic>
#include <span>

#include "base/parallel.h"
#include "model/model.h"
#include "solvers/position_based/kernels.h"
#include "solvers/position_based/workspace.h"

namespace pliant::solvers {

struct StepContext {
    const Settings& settings;
    std::span<const model::MaterialValues> materials;  // of each part of the model
    const position_based::Kernels& kernels;
    position_based::Workspace& workspace;
    Executor& executor;
    const std::atomic<bool>* interrupt = nullptr;  // set: the frame ends after the iteration it is in
};

}  // namespace pliant::solvers
