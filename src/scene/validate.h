// Says what is wrong with a description: place, value, and what would be right.
#pragma once

#include <pliant/description.h>
#include <pliant/error.h>

#include <optional>

namespace pliant {

std::optional<Error> validate(const Description& description);

}  // namespace pliant
