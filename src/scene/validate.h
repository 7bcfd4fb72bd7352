// Says what is wrong with a description: place, value, and what would be right.
#pragma once

#include <pliant/description.h>
#include <pliant/error.h>

#include <cstddef>
#include <optional>
#include <string>

namespace pliant {

std::optional<Error> validate(const Description& description);
std::optional<Error> check_settings(const std::string& place, const Settings& settings);
std::optional<Error> check_collider(const std::string& place, const Collider& collider);

// A body without a name is called by its number.
std::string name_of(const Body& body, std::size_t index);

}  // namespace pliant
