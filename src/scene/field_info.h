// What the catalog says of a field.
#pragma once

#include <pliant/catalog.h>

#include "scene/file/write_fields.h"

namespace pliant {

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

// Of a list or a vector: those of what it holds.
template <class T>
void describe_values(const Range& range, FieldInfo& info) {
    if constexpr (std::is_same_v<T, bool>) {
        info.choices = {"true", "false"};
    } else if constexpr (std::is_enum_v<T>) {
        info.choices.assign(Choices<T>::names.begin(), Choices<T>::names.end());
    } else if constexpr (std::is_arithmetic_v<T> || IsVector2<T> || (IsVector3<T> && !IsQuaternion<T>)) {
        info.numbers = NumberRange{range.low, range.high, range.open};
    } else if constexpr (IsOptional<T> || IsList<T> || IsArray<T>) {
        describe_values<typename T::value_type>(range, info);
    }
}

template <class Entry, class T>
FieldInfo field_info(const Entry& field, const T& default_value) {
    const bool required = field.presence == Presence::required;
    FieldInfo info{field.name,
                   type_name<T>(),
                   field.unit,
                   required ? "" : default_text(default_value),
                   describe(field.range),
                   field.summary};
    info.required = required;
    describe_values<T>(field.range, info);
    return info;
}

}  // namespace pliant
