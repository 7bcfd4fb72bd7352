// Names in scene files, looked up.
#pragma once

#include <pliant/error.h>
#include <pliant/scene_file.h>

#include <cstddef>
#include <string_view>

#include "scene/file/read_fields.h"

namespace pliant {

// Which key of the owner's table holds the alternative that is there.
template <class Owner>
const char* key_of_alternative(const Owner& owner) {
    const char* key = "";
    visit_fields(owner, [&](const auto& field, const auto& member) {
        if constexpr (IsOneOf<decltype(field)>) key = field.keys[member.index()];
    });
    return key;
}

std::string name_of(const scene::Body& body, std::size_t index);
// place: of the name, for the Error
Result<std::size_t> find_body(const scene::File& file, std::string_view name, const JsonPath& place);
Result<Elasticity> find_part(const scene::Body& body, std::string_view part, const JsonPath& place);
// Of a soft body that is not of springs.
Result<const SoftMaterial*> find_elements(const scene::Body& body, const JsonPath& place);

// Of the material of a body: with the path that it has in the file, where materials stand beside the shape.
Error in_file(const scene::File& file, Error error);

}  // namespace pliant
