// What a value in a scene file starts from, where it depends on other parts of the file.
#include <pliant/presets.h>

#include "scene/file/names.h"
#include "scene/file/read_fields.h"

namespace pliant {
namespace {

std::string text_at(const json::Value& json, std::string_view key) {
    const json::Value* value = json.find(key);
    return value && value->kind == json::Kind::string ? value->text : "";
}

// A body starts from what its material says of its kind.
template <class Kind>
Problem start_from(const scene::Material& material, const json::Value& json, scene::Body& body,
                   const JsonPath& path) {
    if (!json.find(Kind::name)) return {};
    const auto& said = material.*Kind::in_material;
    if (!said) {
        return (path / "material")
            .error(fmt::format("\"{}\" says nothing of \"{}\"", material.name, Kind::name));
    }
    body.kind.emplace<typename Kind::Form>().material = *said;
    return {};
}

// Calls take(material) with the preset that is named, if there is one.
template <class Take>
Problem start_from_preset(const json::Value& json, const JsonPath& path, Take take) {
    const json::Value* name = json.find("preset");
    if (!name || name->kind != json::Kind::string) return {};
    const Result<SoftMaterial> preset = soft_preset(name->text);
    if (!preset) return (path / "preset").error(preset.error().message);
    take(*preset);
    return {};
}

void copy_elements(const SoftMaterial& material, scene::ChangeMaterial& change) {
    change.young_modulus = material.young_modulus;
    change.poisson_ratio = material.poisson_ratio;
    change.damping = material.damping;
}

}  // namespace

std::string alternatives(const char* const* names, std::size_t count) {
    std::string list;
    for (std::size_t i = 0; i < count; ++i) {
        if (i > 0) list += i + 1 < count ? ", " : " or ";
        list += fmt::format("\"{}\"", names[i]);
    }
    return list;
}

Problem inherit(scene::Body& body, const json::Value& json, const scene::File& file, const JsonPath& path) {
    const std::string name = text_at(json, "material");
    if (name.empty()) return {};
    const scene::Material* material = nullptr;
    std::vector<std::string_view> known;
    for (const scene::Material& candidate : file.materials) {
        known.push_back(candidate.name);
        if (candidate.name == name) material = &candidate;
    }
    if (!material) {
        return (path / "material")
            .error(fmt::format("there is no material \"{}\"; {}", name, suggestion(name, known)));
    }
    Problem problem;
    bodies::AllBodies::for_each([&]<class Kind>() {
        if (!problem) problem = start_from<Kind>(*material, json, body, path);
    });
    return problem;
}

// Giving edges or volumes implies springs, giving a modulus or a preset implies elements.
Problem inherit(scene::SoftMaterial& material, const json::Value& json, const scene::File&,
                const JsonPath& path) {
    const auto first_of = [&](std::initializer_list<const char*> keys) -> const char* {
        for (const char* key : keys) {
            if (json.find(key)) return key;
        }
        return nullptr;
    };
    const char* spring = first_of({"edges", "volumes"});
    const char* element = first_of({"preset", "young_modulus", "poisson_ratio", "damping"});
    const std::string energy = text_at(json, "energy");
    const bool says_springs = energy == "springs";
    if (spring && element)
        return (path / element).error(fmt::format("cannot be beside \"{}\", which is of springs", spring));
    if (spring && !energy.empty() && !says_springs)
        return (path / spring)
            .error(fmt::format("is of springs; cannot be beside the energy \"{}\"", energy));
    if (element && says_springs)
        return (path / element).error("cannot be of springs; they have \"edges\" and \"volumes\"");
    if (spring) material.energy = Energy::springs;
    if (spring || says_springs) material.preset.clear();
    if ((element || (!energy.empty() && !says_springs)) && material.energy == Energy::springs) {
        const float density = material.density;
        material = {};
        material.density = density;
    }
    SoftMaterial& values = material;  // the name itself is read as any other field
    return start_from_preset(json, path, [&](const SoftMaterial& preset) { values = preset; });
}
Problem inherit(scene::Soft& soft, const json::Value& json, const scene::File& file, const JsonPath& path) {
    return inherit(soft.material, json, file, path);
}

// A fabric brings elements; what is of links cannot be beside it.
Problem inherit(scene::ClothMaterial& material, const json::Value& json, const scene::File&,
                const JsonPath& path) {
    const json::Value* name = json.find("fabric");
    if (!name || name->kind != json::Kind::string || name->text.empty()) return {};
    const Result<ClothMaterial> found = fabric(name->text);
    if (!found) return (path / "fabric").error(found.error().message);
    if (json.find("stretch")) return (path / "stretch").error("is of links; cannot be beside \"fabric\"");
    const json::Value* bending = json.find("bending");
    if (bending && bending->kind == json::Kind::object && bending->find("compliance"))
        return (path / "bending" / "compliance").error("is of links; cannot be beside \"fabric\"");
    ClothMaterial& values = material;  // the name itself is read as any other field
    values = *found;
    return {};
}
Problem inherit(scene::ClothBody& cloth, const json::Value& json, const scene::File& file,
                const JsonPath& path) {
    return inherit(cloth.material, json, file, path);
}
// Stiffnesses are of elements.
Problem inherit(ClothMembrane& membrane, const json::Value& json, const scene::File&, const JsonPath&) {
    const bool is_element = json.find("warp") || json.find("weft") || json.find("shear");
    if (is_element && membrane.model == MembraneModel::links) membrane.model = MembraneModel::orthotropic;
    return {};
}
Problem inherit(ClothBending& bending, const json::Value& json, const scene::File&, const JsonPath&) {
    const bool is_element = json.find("warp") || json.find("weft") || json.find("rest_angle");
    if (is_element && bending.model == BendingModel::links) bending.model = BendingModel::isometric;
    return {};
}

Problem inherit(scene::ChangeSolver& change, const json::Value&, const scene::File& file, const JsonPath&) {
    change.settings = file.solver;
    return {};
}

Problem inherit(scene::ChangeElasticity& change, const json::Value& json, const scene::File& file,
                const JsonPath& path) {
    const std::string name = text_at(json, "body"), part = text_at(json, "part");
    if (name.empty() || part.empty()) return {};
    const auto index = find_body(file, name, path / "body");
    if (!index) return index.error();
    const auto found = find_part(file.bodies[*index], part, path / "part");
    if (!found) return found.error();
    change.elasticity = *found;
    return {};
}

Problem inherit(scene::ChangeMaterial& change, const json::Value& json, const scene::File& file,
                const JsonPath& path) {
    const std::string name = text_at(json, "body");
    if (name.empty()) return {};
    const auto index = find_body(file, name, path / "body");
    if (!index) return index.error();
    const auto found = find_elements(file.bodies[*index], path / "body");
    if (!found) return found.error();
    copy_elements(**found, change);
    return start_from_preset(json, path, [&](const SoftMaterial& preset) { copy_elements(preset, change); });
}

}  // namespace pliant
