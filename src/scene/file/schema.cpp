// The JSON Schema of scene files (draft 2020-12), made from the field tables.
#include <pliant/scene.h>

#include "base/floating_point.h"
#include "scene/file/write_fields.h"

namespace pliant {
namespace {

class SchemaMaker {
public:
    json::Value make() {
        json::Value schema = json::make_object();
        schema.add("$schema", json::make_string("https://json-schema.org/draft/2020-12/schema"));
        schema.add("title", json::make_string("A scene of Pliant"));
        for (json::Member& member : describe_struct<scene::File>().members) {
            schema.members.push_back(std::move(member));
        }
        schema.add("$defs", std::move(definitions_));
        return schema;
    }

private:
    static json::Value typed(const char* type) {
        json::Value schema = json::make_object();
        schema.add("type", json::make_string(type));
        return schema;
    }

    static json::Value number(const char* type, const Range& range) {
        json::Value schema = typed(type);
        schema.add(range.open ? "exclusiveMinimum" : "minimum", json::make_number(range.low));
        schema.add("maximum", json::make_number(range.high));
        return schema;
    }

    static json::Value list_of(json::Value item, long long least, long long most) {
        json::Value schema = typed("array");
        schema.add("items", std::move(item));
        if (least > 0) schema.add("minItems", json::make_number(least));
        if (most > 0) schema.add("maxItems", json::make_number(most));
        return schema;
    }

    template <class T>
    json::Value describe(const Range& range) {
        if constexpr (std::is_same_v<T, bool>) {
            return typed("boolean");
        } else if constexpr (std::is_arithmetic_v<T>) {
            return number(std::is_integral_v<T> ? "integer" : "number", range);
        } else if constexpr (std::is_enum_v<T>) {
            json::Value schema = json::make_object(), names = json::make_list();
            for (const char* name : Choices<T>::names) names.items.push_back(json::make_string(name));
            schema.add("enum", std::move(names));
            return schema;
        } else if constexpr (IsText<T>) {
            return typed("string");
        } else if constexpr (IsQuaternion<T>) {
            return list_of(number("number", range), 3, 4);
        } else if constexpr (IsVector2<T>) {
            return list_of(number("number", range), 2, 2);
        } else if constexpr (IsVector3<T>) {
            return list_of(number("number", range), 3, 3);
        } else if constexpr (IsOptional<T>) {
            return describe<typename T::value_type>(range);
        } else if constexpr (IsList<T>) {
            return list_of(describe<typename T::value_type>(range), 0, 0);
        } else if constexpr (IsArray<T>) {
            constexpr auto count = static_cast<long long>(std::tuple_size_v<T>);
            return list_of(describe<typename T::value_type>(range), count, count);
        } else if constexpr (IsBare<T>) {
            const auto& field = std::get<0>(FieldTable<T>::fields);
            json::Value schema = describe<typename std::remove_cvref_t<decltype(field)>::Type>(field.range);
            schema.add("description", json::make_string(FieldTable<T>::summary));
            return schema;
        } else {
            const char* name = FieldTable<T>::name;
            if (!definitions_.find(name)) {
                definitions_.add(name, json::make_object());  // keeps its place
                json::Value made = describe_struct<T>();
                *definitions_.find(name) = std::move(made);
            }
            json::Value schema = json::make_object();
            schema.add("$ref", json::make_string(fmt::format("#/$defs/{}", name)));
            return schema;
        }
    }

    template <class T>
    json::Value describe_struct() {
        json::Value schema = typed("object"), properties = json::make_object();
        json::Value required = json::make_list(), choices = json::make_list();
        const T defaults{};
        visit_fields(defaults, [&](const auto& field, const auto& member) {
            if constexpr (IsOneOf<decltype(field)>) {
                choices.items.push_back(describe_choice(field.keys, member, properties));
            } else {
                if (field.presence == Presence::required) {
                    required.items.push_back(json::make_string(field.name));
                }
                properties.add(field.name, describe_field(field, member));
            }
        });
        schema.add("description", json::make_string(FieldTable<T>::summary));
        schema.add("properties", std::move(properties));
        schema.add("additionalProperties", json::make_bool(false));
        if (!required.items.empty()) schema.add("required", std::move(required));
        if (!choices.items.empty()) schema.add("allOf", std::move(choices));
        return schema;
    }

    template <class F, class T>
    json::Value describe_field(const F& field, const T& value) {
        json::Value schema = describe<T>(field.range);
        const std::string unit = *field.unit ? fmt::format(" Unit: {}.", field.unit) : "";
        json::Value text = json::make_string(field.summary + unit);
        if (json::Value* description = schema.find("description")) {
            *description = std::move(text);
        } else {
            schema.add("description", std::move(text));
        }
        if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T> || IsVector3<T> || IsArray<T>) {
            const bool unset = field.range.nan_is_unset || field.presence == Presence::required;
            if (!unset) schema.add("default", FieldWriter(scene::File{}).write(value));
        }
        return schema;
    }

    // Exactly one of the keys.
    template <std::size_t N, class... Ts>
    json::Value describe_choice(const std::array<const char*, N>& keys, const std::variant<Ts...>&,
                                json::Value& properties) {
        json::Value choice = json::make_object(), list = json::make_list();
        std::size_t i = 0;
        const auto add = [&]<class T>(const T*) {
            json::Value required = json::make_object(), names = json::make_list();
            names.items.push_back(json::make_string(keys[i]));
            required.add("required", std::move(names));
            list.items.push_back(std::move(required));
            properties.add(keys[i++], describe<T>(ranges::any));
        };
        (add(static_cast<const Ts*>(nullptr)), ...);
        choice.add("oneOf", std::move(list));
        return choice;
    }

    json::Value definitions_ = json::make_object();
};

}  // namespace

std::string scene_schema() {
    const StandardFloatingPoint floating_point;
    return json::print(SchemaMaker().make());
}

}  // namespace pliant
