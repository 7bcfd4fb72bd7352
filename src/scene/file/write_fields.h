// Any struct with a field table → JSON that says where it differs from what it starts from.
#pragma once

#include <cmath>
#include <optional>

#include "scene/file/read_fields.h"

namespace pliant {

class FieldWriter {
public:
    // file: what is being written, to inherit from
    explicit FieldWriter(const scene::File& file) : file_(file) {}

    // All of a value.
    template <class T>
    json::Value write(const T& value) const {
        if constexpr (std::is_same_v<T, bool>) {
            return json::make_bool(value);
        } else if constexpr (std::is_floating_point_v<T>) {
            return json::make_number(value);
        } else if constexpr (std::is_integral_v<T>) {
            return json::make_number(static_cast<long long>(value));
        } else if constexpr (std::is_enum_v<T>) {
            return json::make_string(Choices<T>::names[static_cast<std::size_t>(value)]);
        } else if constexpr (IsText<T>) {
            return json::make_string(value);
        } else if constexpr (IsQuaternion<T>) {
            return list(value.x, value.y, value.z, value.w);
        } else if constexpr (IsVector2<T>) {
            return list(value.x, value.y);
        } else if constexpr (IsVector3<T>) {
            return list(value.x, value.y, value.z);
        } else if constexpr (IsOptional<T>) {
            return value ? write(*value) : json::Value{};
        } else if constexpr (IsList<T> || IsArray<T>) {
            json::Value items = json::make_list();
            for (const auto& item : value) items.items.push_back(write(item));
            return items;
        } else if constexpr (IsBare<T>) {
            return write(value.*std::get<0>(FieldTable<T>::fields).member);
        } else {
            // What it inherits depends on what it says of itself.
            T base{};
            const json::Value said = differences(value, base);
            (void)inherit(base, said, file_, {});
            return differences(value, base);
        }
    }

private:
    template <class... Ts>
    json::Value list(const Ts&... numbers) const {
        json::Value items = json::make_list();
        (items.items.push_back(write(numbers)), ...);
        return items;
    }

    // Nothing where value and base are the same.
    template <class T>
    std::optional<json::Value> difference(const T& value, const T& base) const {
        if constexpr (std::is_floating_point_v<T>) {
            if (std::isnan(value)) return {};  // not given
        }
        if constexpr (IsOptional<T>) {
            if (!value) return {};
            return write(*value);
        } else if constexpr (HasTable<T> && !IsBare<T>) {
            json::Value object = differences(value, base);
            if (object.members.empty()) return {};
            return object;
        } else {
            json::Value json = write(value);
            if (json == write(base)) return {};
            return json;
        }
    }

    template <class T>
    json::Value differences(const T& value, const T& base) const {
        json::Value object = json::make_object();
        for_each_field<T>([&](const auto& field) {
            const auto& member = value.*field.member;
            const auto& original = base.*field.member;
            if constexpr (IsInclude<decltype(field)>) {
                for (json::Member& inner : differences(member, original).members) {
                    object.members.push_back(std::move(inner));
                }
            } else if constexpr (IsOneOf<decltype(field)>) {
                object.add(field.keys[member.index()], alternative(member, original));
            } else if (field.presence == Presence::required) {
                object.add(field.name, write(member));
            } else if (auto json = difference(member, original)) {
                object.add(field.name, std::move(*json));
            }
        });
        return object;
    }

    template <class... Ts>
    json::Value alternative(const std::variant<Ts...>& value, const std::variant<Ts...>& base) const {
        const auto write_one = [&]<class T>(const T& one) {
            const T* original = std::get_if<T>(&base);
            if constexpr (!IsBare<T>) {
                if (original) {
                    T start = *original;
                    (void)inherit(start, differences(one, start), file_, {});
                    return differences(one, start);
                }
            }
            return write(one);
        };
        return std::visit(write_one, value);
    }

    const scene::File& file_;
};

}  // namespace pliant
