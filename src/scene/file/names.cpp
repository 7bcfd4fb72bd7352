#include "scene/file/names.h"

#include <string>
#include <type_traits>
#include <vector>

namespace pliant {

std::string name_of(const scene::Body& body, std::size_t index) {
    return body.name.empty() ? fmt::format("body{}", index) : body.name;
}

Result<std::size_t> find_body(const scene::File& file, std::string_view name, const JsonPath& place) {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < file.bodies.size(); ++i) {
        names.push_back(name_of(file.bodies[i], i));
        if (names.back() == name) return i;
    }
    const std::vector<std::string_view> known(names.begin(), names.end());
    return place.error(fmt::format("there is no body \"{}\"; {}", name, suggestion(name, known)));
}

Result<Elasticity> find_part(const scene::Body& body, std::string_view part, const JsonPath& place) {
    std::vector<std::string_view> known;
    std::optional<Elasticity> found;
    const auto look = [&](const auto& kind) {
        visit_fields(kind.material, [&](const auto& field, const auto& member) {
            if constexpr (std::is_same_v<decltype(member), const Elasticity&>) {
                known.push_back(field.name);
                if (part == field.name) found = member;
            } else if constexpr (std::is_same_v<decltype(member), const ClothBending&>) {
                known.push_back(field.name);
                if (part == field.name) found = member.elasticity();
            }
        });
    };
    const auto* soft = std::get_if<scene::Soft>(&body.kind);
    if (soft && soft->material.energy != Energy::springs) {
        return place.error(
            fmt::format("the body has no part \"{}\": it is not of springs, its energy is {}; the event "
                        "\"material\" changes it",
                        part, Choices<Energy>::names[std::size_t(soft->material.energy)]));
    }
    if (const auto* cloth = std::get_if<scene::ClothBody>(&body.kind)) {
        const ClothMaterial& m = cloth->material;
        const bool is_other = (part == "stretch" && m.membrane.model != MembraneModel::links) ||
                              (part == "bending" && m.bending.model != BendingModel::links);
        if (is_other)
            return place.error(fmt::format("the body has no part \"{}\": it is not of links", part));
    }
    std::visit(look, body.kind);
    if (found) return *found;
    return place.error(fmt::format("the body has no part \"{}\"; {}", part, suggestion(part, known)));
}

Error in_file(const scene::File& file, Error error) {
    for (std::size_t i = 0; i < file.bodies.size(); ++i) {
        const std::string described = fmt::format("/bodies/{}/shape/", i);
        if (!error.path.starts_with(described)) continue;
        constexpr std::string_view material = "material/", positions = "positions";
        const std::string_view rest = std::string_view(error.path).substr(described.size());
        const std::string body = fmt::format("/bodies/{}/{}/", i, key_of_alternative(file.bodies[i]));
        if (rest.starts_with(material))
            return {fmt::format("{}{}", body, rest.substr(material.size())), std::move(error.message)};
        if (rest.starts_with(positions))
            return {fmt::format("{}points{}", body, rest.substr(positions.size())), std::move(error.message)};
    }
    return error;
}

Result<const SoftMaterial*> find_elements(const scene::Body& body, const JsonPath& place) {
    const auto* soft = std::get_if<scene::Soft>(&body.kind);
    if (!soft) return place.error("is no soft body; the event \"elasticity\" changes it");
    if (soft->material.energy == Energy::springs)
        return place.error("is of springs; the event \"elasticity\" changes them");
    return &soft->material;
}

}  // namespace pliant
