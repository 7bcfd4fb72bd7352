#include <pliant/catalog.h>

#include "constraints/all.h"
#include "scene/tables/every.h"
#include "scene/write_fields.h"

namespace pliant {
namespace {

// What a type is called in the reference.
template <class T>
std::string type_name() {
    if constexpr (std::is_same_v<T, bool>) {
        return "true or false";
    } else if constexpr (std::is_enum_v<T>) {
        return alternatives(Choices<T>::names.data(), Choices<T>::names.size());
    } else if constexpr (std::is_integral_v<T>) {
        return "integer";
    } else if constexpr (std::is_floating_point_v<T>) {
        return "number";
    } else if constexpr (IsText<T>) {
        return "text";
    } else if constexpr (IsQuaternion<T>) {
        return "rotation";
    } else if constexpr (IsVector2<T>) {
        return "point of a plane";
    } else if constexpr (IsVector3<T>) {
        return "vector";
    } else if constexpr (IsOptional<T>) {
        return type_name<typename T::value_type>();
    } else if constexpr (IsList<T>) {
        return "list of " + type_name<typename T::value_type>();
    } else if constexpr (IsArray<T>) {
        return fmt::format("{} × {}", std::tuple_size_v<T>, type_name<typename T::value_type>());
    } else if constexpr (IsBare<T>) {
        using Only = std::remove_cvref_t<decltype(std::get<0>(FieldTable<T>::fields))>;
        return type_name<typename Only::Type>();
    } else {
        return FieldTable<T>::name;
    }
}

template <class T>
std::string default_text(const T& value) {
    if constexpr (std::is_floating_point_v<T>) {
        if (std::isnan(value)) return "";
    }
    const json::Value json = FieldWriter(scene::File{}).write(value);
    const bool nothing = json.kind == json::Kind::null || json::print_compact(json) == "{}" ||
                         json::print_compact(json) == "[]" || json::print_compact(json) == "\"\"";
    return nothing ? "" : json::print_compact(json);
}

template <class... Ts>
void describe_alternatives(const std::array<const char*, sizeof...(Ts)>& keys, const std::variant<Ts...>&,
                           TableInfo& table) {
    std::size_t i = 0;
    const auto add = [&]<class T>(const T*) {
        table.fields.push_back({keys[i++], type_name<T>(), "", "", "", FieldTable<T>::summary});
        table.fields.back().group = alternatives(keys.data(), keys.size());
    };
    (add(static_cast<const Ts*>(nullptr)), ...);
}

template <class Owner>
TableInfo describe_table() {
    TableInfo table{FieldTable<Owner>::name, FieldTable<Owner>::summary, {}};
    const Owner defaults{};
    visit_fields(defaults, [&](const auto& field, const auto& member) {
        if constexpr (IsOneOf<decltype(field)>) {
            describe_alternatives(field.keys, member, table);
        } else {
            const bool required = field.presence == Presence::required;
            table.fields.push_back({field.name, type_name<std::remove_cvref_t<decltype(member)>>(),
                                    field.unit, required ? "" : default_text(member), describe(field.range),
                                    field.summary});
            table.fields.back().required = required;
        }
    });
    return table;
}

template <class Kind>
TableInfo describe_kind() {
    TableInfo table{Kind::name, Kind::summary, {}};
    const auto add = [&](const auto&, const constraints::FieldInfo& field) {
        table.fields.push_back({field.name, "number", field.unit, "", "", field.summary});
    };
    const constraints::RestOf<Kind> rest{};
    const constraints::MaterialOf<Kind> material{};
    Kind::rest_fields(rest, add);
    Kind::material_fields(material, add);
    return table;
}

}  // namespace

std::vector<TableInfo> catalog() {
    std::vector<TableInfo> tables;
    for_each_table([&]<class Owner>() {
        if constexpr (!IsBare<Owner>) tables.push_back(describe_table<Owner>());
    });
    constraints::AllKinds::for_each([&]<class Kind>() { tables.push_back(describe_kind<Kind>()); });
    return tables;
}

}  // namespace pliant
