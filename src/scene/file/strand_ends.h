// Where strands begin: on the surfaces of bodies, and clamped.
#pragma once

#include <pliant/scene_file.h>

#include <optional>
#include <string_view>
#include <vector>

#include "scene/file/read_fields.h"

namespace pliant {

// Of a body that comes before, in its own coordinates.
Result<TriangleMesh> surface_of_body(const Description& description, std::string_view name);

// The first two points of each strand ride on the triangle that it grows from. hair: comes next in the
// description.
std::optional<Error> place_on_body(const scene::Body& body, const std::vector<Triangle>& triangles,
                                   const JsonPath& path, Body& hair, Description& description);

// Adds what is held besides the ends of strands, so that their directions are held too.
std::optional<Error> add_clamped(const Body& body, const scene::Attachment& attachment, const JsonPath& path,
                                 std::vector<std::uint32_t>& particles);

}  // namespace pliant
