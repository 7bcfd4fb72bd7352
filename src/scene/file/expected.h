// What a scene file says of its picture, and expects of a run.
#pragma once

#include <pliant/error.h>
#include <pliant/scene_file.h>

#include <optional>

namespace pliant {

std::optional<Error> check_picture(const scene::File& file);
std::optional<Error> check_expectations(const scene::File& file);

}  // namespace pliant
