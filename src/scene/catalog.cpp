#include <pliant/catalog.h>

#include "base/floating_point.h"
#include "constraints/all.h"
#include "scene/field_info.h"
#include "scene/tables/every.h"

namespace pliant {
namespace {

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
            table.fields.push_back(field_info(field, member));
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
    const StandardFloatingPoint floating_point;
    std::vector<TableInfo> tables;
    for_each_table([&]<class Owner>() {
        if constexpr (!IsBare<Owner>) tables.push_back(describe_table<Owner>());
    });
    constraints::AllKinds::for_each([&]<class Kind>() { tables.push_back(describe_kind<Kind>()); });
    return tables;
}

}  // namespace pliant
