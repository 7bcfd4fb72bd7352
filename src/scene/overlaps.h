// Which bodies are in each other, themselves or colliders.
#pragma once

#include <pliant/view.h>

#include <vector>

#include "model/model.h"

namespace pliant {

std::vector<Overlap> find_overlaps(const model::Model& model, const View& view);

}  // namespace pliant
