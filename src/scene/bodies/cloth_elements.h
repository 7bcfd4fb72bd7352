// Which way the threads of a cloth run, and the elements of its material.
#pragma once

#include <pliant/description.h>
#include <pliant/error.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scene/assemble/model_builder.h"

namespace pliant::bodies {

// Of each triangle, in its plane, of length 1. An Error where a direction that was asked for is normal to a
// triangle.
Result<std::vector<Vec3d>> warp_directions(const Cloth& cloth, const std::string& path);

// What the fields of a material alone cannot say: values of one model beside those of another.
std::optional<Error> check_models(const ClothMaterial& material, const std::string& path);

// Adds a membrane per triangle, and gives its part.
std::uint32_t add_membranes(const Cloth& cloth, ModelBuilder& builder);
// Adds a hinge for every inner edge, and for every edge that is sewn to another.
void add_hinges(const Cloth& cloth, ModelBuilder& builder);

}  // namespace pliant::bodies
