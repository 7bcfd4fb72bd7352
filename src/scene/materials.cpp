// Changing materials and rests while a simulation runs.
#include <algorithm>

#include "base/field_checks.h"
#include "base/format.h"
#include "scene/bodies/soft_body.h"
#include "scene/runtime.h"
#include "scene/tables/description.h"

namespace pliant {
namespace {

using constraints::AllKinds;
using constraints::FieldInfo;

// One more name in "a, b, c".
void append(std::string& list, std::string_view name) {
    list += (list.empty() ? "" : ", ") + std::string(name);
}

// The number of the field of that name, or an Error with the names there are.
template <class Values, class Fields>
Result<std::size_t> find_field(std::string_view owner, std::string_view name, Fields&& fields) {
    Values values{};
    std::optional<std::size_t> found;
    std::size_t i = 0;
    std::string known;
    fields(values, [&](auto&, const FieldInfo& field) {
        if (field.name == name) found = i;
        ++i;
        append(known, field.name);
    });
    if (found) return *found;
    if (known.empty()) return Error{std::string(owner), fmt::format("has no values; got \"{}\"", name)};
    return Error{std::string(owner), fmt::format("must be one of {}, got \"{}\"", known, name)};
}

}  // namespace

Result<std::size_t> Simulation::Implementation::find_part(std::string_view body,
                                                          std::string_view part) const {
    if (Status found = find_body(body).status; !found) return found.error();
    std::string known;
    for (std::size_t i = 0; i < model.parts.size(); ++i) {
        if (model.parts[i].body != body || model.parts[i].name.empty()) continue;
        if (model.parts[i].name == part) return i;
        append(known, model.parts[i].name);
    }
    return Error{std::string(body), fmt::format("has no part \"{}\"; it has {}", part, known)};
}

Status Simulation::set_elasticity(std::string_view body, std::string_view part,
                                  const Elasticity& elasticity) {
    const StandardFloatingPoint floating_point;
    Implementation& s = *implementation_;
    if (auto error = check_fields(fmt::format("{}/{}", body, part), elasticity)) return *error;
    const Result<std::size_t> found = s.find_part(body, part);
    if (!found) return found.error();
    s.materials[*found].elasticity = elasticity;
    return {};
}

Status Simulation::set_material(std::string_view body, const SoftMaterial& material) {
    const StandardFloatingPoint floating_point;
    Implementation& s = *implementation_;
    const Implementation::FoundBody found = s.find_body(body);
    if (!found.status) return found.status;
    const std::string path(body);
    const auto& original = s.soft_materials[static_cast<std::size_t>(found.body - s.model.bodies.data())];
    if (!original) return Error{path, "is no soft body"};
    if (auto error = check_fields(path, material)) return *error;
    if (material.energy != original->energy) {
        const auto& names = Choices<Energy>::names;
        return Error{path + "/energy",
                     fmt::format("cannot change while running: it is {}, got {}",
                                 names[std::size_t(original->energy)], names[std::size_t(material.energy)])};
    }
    if (material.density != original->density) {
        return Error{path + "/density", fmt::format("cannot change while running: it is {}, got {}",
                                                    original->density, material.density)};
    }
    if (auto error = bodies::SoftBodyKind::check_energy(material, path)) return *error;
    std::size_t next = 0;
    const std::vector<model::MaterialValues> values = bodies::SoftBodyKind::parts_of(material);
    for (std::size_t i = 0; i < s.model.parts.size(); ++i) {
        if (s.model.parts[i].body == body) s.materials[i] = values[next++];
    }
    PLIANT_ASSERT(next == values.size());
    return {};
}

Status Simulation::set_attachment_elasticity(std::uint32_t attachment, const Elasticity& elasticity) {
    const StandardFloatingPoint floating_point;
    Implementation& s = *implementation_;
    if (Status status = s.check_attachment(attachment); !status) return status;
    if (auto error = check_fields(fmt::format("/attachments/{}", attachment), elasticity)) return *error;
    s.materials[s.model.attachment_parts[attachment]].elasticity = elasticity;
    return {};
}

Status Simulation::set_material_constant(std::string_view body, std::string_view part, std::string_view name,
                                         float value) {
    const StandardFloatingPoint floating_point;
    Implementation& s = *implementation_;
    if (auto error = check_number(fmt::format("{}/{}/{}", body, part, name), value, Range{-1e6, 1e6}))
        return *error;
    const Result<std::size_t> found = s.find_part(body, part);
    if (!found) return found.error();
    // A part's constants are those of the kind of its constraints.
    Result<std::size_t> field = Error{std::string(part), "has no constants"};
    AllKinds::for_each([&]<class Kind>() {
        const auto& parts = constraints::list_of<Kind>(s.model.constraints).parts;
        if (field || std::find(parts.begin(), parts.end(), *found) == parts.end()) return;
        field = find_field<constraints::MaterialOf<Kind>>(
            part, name, [](auto& values, auto f) { Kind::material_fields(values, f); });
    });
    if (!field) return field.error();
    s.materials[*found].constants[*field] = value;
    return {};
}

Status Simulation::set_rest(std::string_view kind, std::uint32_t constraint, std::string_view name,
                            float value) {
    const StandardFloatingPoint floating_point;
    Implementation& s = *implementation_;
    std::string known;
    std::optional<Status> done;
    AllKinds::for_each([&]<class Kind>() {
        append(known, Kind::name);
        if (kind != Kind::name) return;
        const Result<std::size_t> field = find_field<constraints::RestOf<Kind>>(
            Kind::name, name, [](auto& values, auto f) { Kind::rest_fields(values, f); });
        const std::size_t count = constraints::list_of<Kind>(s.model.constraints).size();
        if (!field) {
            done = field.error();
        } else if (constraint >= count) {
            done = Error{std::string(Kind::name),
                         fmt::format("must be an index below {}, got {}", count, constraint)};
        } else if (auto error = check_number(std::string(name), value, Range{0, 1e9, false, true})) {
            done = *error;
        } else {
            auto values = constraints::to_array<Kind>(model::Rests(s.model, s.state).of<Kind>()[constraint]);
            values[*field] = value;
            model::set_rest<Kind>(
                s.model, s.state, constraint,
                constraints::make_rest<Kind, float>([&](std::size_t i) { return values[i]; }));
            done = Status{};
        }
    });
    if (done) return *done;
    return Error{"kind", fmt::format("must be one of {}, got \"{}\"", known, kind)};
}

}  // namespace pliant
