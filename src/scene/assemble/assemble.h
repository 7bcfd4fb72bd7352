// Description → Model + State.
#pragma once

#include <pliant/description.h>
#include <pliant/error.h>

#include "model/model.h"
#include "model/state.h"
#include "solvers/position_based/plan.h"

namespace pliant {

struct Assembly {
    model::Model model;
    solvers::position_based::Plan plan;
    model::State state;
};

// The description must be valid.
Result<Assembly> assemble(const Description& description);
// The model alone.
Result<model::Model> assemble_model(const Description& description);

}  // namespace pliant
