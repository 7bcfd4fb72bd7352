// The meshes and height fields of colliders, from what a scene file says.
#pragma once

#include <pliant/description.h>

#include <optional>

#include "base/json.h"
#include "scene/file/mesh_sources.h"
#include "scene/file/read_fields.h"

namespace pliant {

// Nothing for other shapes. path: of the collider.
std::optional<Error> make_surface(ColliderShape& shape, MeshSource& source, const JsonPath& path);

}  // namespace pliant
