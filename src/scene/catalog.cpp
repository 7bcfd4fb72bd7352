#include <pliant/catalog.h>

#include "constraints/all.h"
#include "scene/tables.h"

namespace pliant {
namespace {

// Type and default of a field, in words.
template <class T>
void describe_value(const T& value, FieldInfo& info) {
    if constexpr (std::is_enum_v<T>) {
        info.type = "choice";
        info.default_value = value == Method::xpbd ? "xpbd" : "pbd";
    } else if constexpr (std::is_integral_v<T>) {
        info.type = "integer";
        info.default_value = fmt::format("{}", value);
    } else if constexpr (std::is_floating_point_v<T>) {
        info.type = "number";
        info.default_value = fmt::format("{:.6g}", value);
    } else if constexpr (requires { value.w; }) {
        info.type = "quaternion";
        info.default_value = fmt::format("({:g}, {:g}, {:g}, {:g})", value.x, value.y, value.z, value.w);
    } else if constexpr (requires { value.x; }) {
        info.type = "vector";
        info.default_value = fmt::format("({:g}, {:g}, {:g})", value.x, value.y, value.z);
    } else {
        info.type = FieldTable<T>::name;
        info.default_value = fmt::format("compliance {:g}", value.compliance);
    }
}

template <class Owner>
TableInfo describe_table() {
    TableInfo table{FieldTable<Owner>::name, FieldTable<Owner>::summary, {}};
    const Owner defaults{};
    for_each_field<Owner>([&](const auto& field) {
        FieldInfo info{field.name, "", field.unit, "", describe(field.range), field.summary};
        describe_value(defaults.*field.member, info);
        table.fields.push_back(std::move(info));
    });
    return table;
}

template <class Kind>
TableInfo describe_kind() {
    TableInfo table{Kind::name, Kind::summary, {}};
    for (const ParameterInfo& parameter : Kind::parameter_table) {
        table.fields.push_back({parameter.name, "number", parameter.unit, "", "", parameter.summary});
    }
    return table;
}

}  // namespace

std::vector<TableInfo> catalog() {
    std::vector<TableInfo> tables;
    for_each_table([&]<class Owner>() { tables.push_back(describe_table<Owner>()); });
    AllKinds::for_each([&]<class Kind>() { tables.push_back(describe_kind<Kind>()); });
    return tables;
}

}  // namespace pliant
