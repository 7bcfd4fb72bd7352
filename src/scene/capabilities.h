// Which methods can run what a model contains.
#pragma once

#include <pliant/description.h>
#include <pliant/error.h>

#include <optional>

#include "model/model.h"

namespace pliant {

// An Error if the model has constraints that the method cannot run; it names the methods that can.
std::optional<Error> check_method(const model::Model& model, Method method);

}  // namespace pliant
