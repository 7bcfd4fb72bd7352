// How each body meets others and itself, from its description and its surface.
#pragma once

#include <pliant/error.h>

#include <optional>
#include <span>

#include "model/model.h"

namespace pliant {

// positions: of the model's particles, m, in the world.
std::optional<Error> add_body_contacts(const Description& description, std::span<const Vec3d> positions,
                                       model::Model& model);

}  // namespace pliant
