// The values of a scene's file by their paths: to list them, and to set one.
#pragma once

#include <pliant/scene.h>

#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"

namespace pliant {

// settings: those of the solver now.
std::vector<Parameter> parameters_of(const scene::File& file, const Settings& settings);

// Where a value belongs.
enum class ValueOwner { solver, material, rest };

// Reads the value at that path ("/bodies/0/soft/density") from JSON. An Error has the path, or suggests one.
Result<ValueOwner> set_value(scene::File& file, const std::string& path, const json::Value& value);
// The same within settings; the path must be one of the solver's.
Status set_value(Settings& settings, const std::string& path, const json::Value& value);

// Gives a description the materials, elasticities and surfaces of a file that has the same bodies,
// attachments and colliders.
void take_materials(const scene::File& file, const Scene& scene, Description& description);

}  // namespace pliant
