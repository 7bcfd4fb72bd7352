#include "scene/parameters.h"

#include "base/suggest.h"
#include "scene/field_info.h"
#include "scene/tables/every.h"

namespace pliant {
namespace {

template <class T>
inline constexpr bool is_numbers = false;
template <class T, std::size_t N>
inline constexpr bool is_numbers<std::array<T, N>> = std::is_arithmetic_v<T>;

// What a slider, a few numbers or a choice can show.
template <class T>
concept IsPlain = std::is_arithmetic_v<T> || std::is_enum_v<T> || is_numbers<T> ||
    (IsVector3<T> && !IsQuaternion<T>);

// Which fields of a struct mean something beside its others. XPBD reads compliances, PBD stiffnesses.
template <class T>
bool applies(const T&, std::string_view, Method) {
    return true;
}
bool applies(const Elasticity&, std::string_view field, Method method) {
    return (field == "stiffness") == (method == Method::pbd);
}
bool applies(const SoftMaterial& material, std::string_view field, Method) {
    const bool springs = material.energy == Energy::springs;
    if (field == "edges" || field == "volumes") return springs;
    return !springs || field == "energy" || field == "density";
}
bool applies(const scene::SoftMaterial& material, std::string_view field, Method method) {
    return applies(static_cast<const SoftMaterial&>(material), field, method);
}
// Only the surface of a file is filled.
bool applies(const scene::Soft& soft, std::string_view field, Method) {
    return field != "tetrahedralize" || std::holds_alternative<scene::FileShape>(soft.shape);
}
// A rope has either a stiffness or a section with a modulus.
bool applies(const RopeMaterial& material, std::string_view field, Method) {
    const bool is_rod = material.young_modulus > 0, is_stiff = material.bending > 0;
    const bool has_twist = material.bending_model == RopeBending::rod,
               is_linked = material.bending_model == RopeBending::links;
    if (field == "bending_model") return false;  // what is typed for one does not fit another
    if (field == "rest_curvature") return is_rod || is_stiff;
    if (field == "second_neighbours") return is_linked;
    if (field == "bending") return !is_rod && !is_linked;
    if (field == "twisting") return is_stiff && has_twist;
    if (field == "twist") return has_twist;
    if (!has_twist && field == "young_modulus") return false;
    if (field == "radius") return !is_stiff;
    if (field == "young_modulus")
        return is_rod || (!is_stiff && material.radius > 0 && !(material.stretch.compliance > 0));
    return is_rod || field != "shear_modulus";
}

bool applies(const ClothMembrane& membrane, std::string_view field, Method) {
    const bool is_woven = membrane.model == MembraneModel::orthotropic;
    if (field == "model") return true;
    if (field == "weft" || field == "shear") return is_woven;
    return membrane.model != MembraneModel::links;
}
bool applies(const ClothBending& bending, std::string_view field, Method method) {
    const bool is_links = bending.model == BendingModel::links;
    if (field == "stiffness") return method == Method::pbd;
    if (field == "compliance") return is_links && method == Method::xpbd;
    if (field == "warp" || field == "weft") return !is_links;
    return field == "model" || (field == "damping" && method == Method::xpbd);
}
bool applies(const ClothMaterial& material, std::string_view field, Method) {
    if (field == "stretch") return material.membrane.model == MembraneModel::links;
    if (field == "strain_limit") return material.membrane.model == MembraneModel::orthotropic;
    return field != "warp_direction";
}
bool applies(const scene::ClothMaterial& material, std::string_view field, Method method) {
    return applies(static_cast<const ClothMaterial&>(material), field, method);
}

// Calls f(path, field, member) for every plain value in a struct and the structs in it; lists are left out.
template <class F>
class ValueWalk {
public:
    ValueWalk(Method method, F& f) : method_(method), f_(f) {}

    template <class T>
    void visit(const std::string& path, T& owner) const {
        if constexpr (!IsBare<std::remove_const_t<T>>) {
            for_each_field<std::remove_const_t<T>>([&](const auto& field) {
                auto& member = owner.*field.member;
                if constexpr (IsInclude<decltype(field)>) {
                    visit(path, member);
                } else if constexpr (IsOneOf<decltype(field)>) {
                    const std::string inner = path + "/" + field.keys[member.index()];
                    std::visit([&](auto& one) { visit(inner, one); }, member);
                } else if (applies(owner, field.name, method_)) {
                    visit_member(path + "/" + field.name, field, member);
                }
            });
        }
    }

    template <class Entry, class T>
    void visit_member(const std::string& path, const Entry& field, T& member) const {
        using Type = std::remove_const_t<T>;
        if constexpr (IsPlain<Type>) {
            f_(path, field, member);
        } else if constexpr (HasTable<Type>) {
            visit(path, member);
        }
    }

private:
    Method method_;
    F& f_;
};

// Calls f(owner, path, field, member) for every plain value of what a scene is made of.
template <class File, class F>
void for_each_value(File& file, Method method, F f) {
    const auto walk = [&](ValueOwner owner, const std::string& path, auto& value) {
        auto visit = [&](const std::string& at, const auto& field, auto& member) {
            f(owner, at, field, member);
        };
        ValueWalk(method, visit).visit(path, value);
    };
    walk(ValueOwner::solver, "/solver", file.solver);
    for (std::size_t i = 0; i < file.bodies.size(); ++i) {
        auto& body = file.bodies[i];
        const std::string path = fmt::format("/bodies/{}", i);
        std::visit(
            [&](auto& form) {
                const std::string kind = path + "/" + bodies::AllBodies::names[body.kind.index()];
                walk(ValueOwner::material, kind, form.material);
            },
            body.kind);
        walk(ValueOwner::rest, path, body);  // its material again: the first counts
    }
    for (std::size_t i = 0; i < file.attachments.size(); ++i) {
        const std::string path = fmt::format("/attachments/{}", i);
        walk(ValueOwner::material, path + "/elasticity", file.attachments[i].elasticity);
        walk(ValueOwner::rest, path, file.attachments[i]);
    }
    for (std::size_t i = 0; i < file.colliders.size(); ++i) {
        const std::string path = fmt::format("/colliders/{}", i);
        walk(ValueOwner::rest, path, file.colliders[i]);
    }
}

// Of a collider, what is not its shape.
bool is_surface(std::string_view path) {
    return path.starts_with("/colliders/") &&
           (path.ends_with("/friction") || path.ends_with("/restitution") ||
            path.find("/surface_velocity") != std::string::npos);
}

JsonPath whole_path(const JsonPath& root, const std::string& path) {
    return root / std::string_view(path).substr(1);
}

}  // namespace

std::vector<Parameter> parameters_of(const scene::File& file, const Settings& settings) {
    scene::File now = file;
    now.solver = settings;
    std::vector<Parameter> parameters;
    const FieldWriter writer(now);
    for_each_value(
        std::as_const(now), settings.method,
        [&](ValueOwner, const std::string& path, const auto& field, const auto& member) {
            for (const Parameter& known : parameters) {
                if (known.path == path) return;
            }
            const std::remove_cvref_t<decltype(member)> none{};
            Parameter parameter{path, json::print_compact(writer.write(member)), field_info(field, none)};
            parameter.field.default_value.clear();  // it has a value
            parameters.push_back(std::move(parameter));
        });
    return parameters;
}

Result<ValueOwner> set_value(scene::File& file, const std::string& path, const json::Value& value) {
    std::optional<ValueOwner> found;
    Problem problem;
    const scene::File before = file;
    for_each_value(file, file.solver.method,
                   [&](ValueOwner owner, const std::string& at, const auto& field, auto& member) {
                       if (found || at != path) return;
                       found = is_surface(at) ? ValueOwner::material : owner;
                       const JsonPath root{}, place = whole_path(root, path);
                       problem = FieldReader(before).read(value, member, place, field.range);
                   });
    if (problem) return *problem;
    if (found) return *found;
    std::vector<std::string> names;
    for_each_value(std::as_const(file), file.solver.method,
                   [&](ValueOwner, const std::string& at, const auto&, const auto&) { names.push_back(at); });
    const std::vector<std::string_view> known(names.begin(), names.end());
    return Error{path, "there is no such value; " + suggestion(path, known)};
}

Status set_value(Settings& settings, const std::string& path, const json::Value& value) {
    scene::File file;
    file.solver = settings;
    const Result<ValueOwner> owner = set_value(file, path, value);
    if (!owner) return owner.error();
    settings = file.solver;
    return {};
}

void take_materials(const scene::File& file, const Scene& scene, Description& description) {
    for (std::size_t i = 0; i < description.bodies.size() && i < file.bodies.size(); ++i) {
        bodies::visit_kind(file.bodies[i].kind, [&]<class Kind>(const typename Kind::Form& form) {
            std::get<typename Kind::Shape>(description.bodies[i].shape).material = form.material;
        });
    }
    for (std::size_t i = 0; i < description.attachments.size(); ++i) {
        const std::uint32_t source = scene.attachment_sources[i];
        description.attachments[i].elasticity = file.attachments[source].elasticity;
    }
    for (std::size_t i = 0; i < description.colliders.size(); ++i) {
        description.colliders[i].friction = file.colliders[i].collider.friction;
        description.colliders[i].restitution = file.colliders[i].collider.restitution;
        description.colliders[i].surface_velocity = file.colliders[i].collider.surface_velocity;
    }
}

}  // namespace pliant
