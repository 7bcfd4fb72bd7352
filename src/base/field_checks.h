// Are the fields of a struct within the ranges of its table?
#pragma once

#include <pliant/error.h>
#include <pliant/vector.h>

#include <cmath>

#include "base/fields.h"
#include "base/format.h"

namespace pliant {

inline std::string describe(const Range& range) {
    if (range.low == ranges::any.low && range.high == ranges::any.high) return "";
    if (range.high >= 1e30)
        return range.open ? fmt::format("> {}", range.low) : fmt::format("≥ {}", range.low);
    return fmt::format("{} {} … {}", range.open ? "above" : "in", range.low, range.high);
}

template <class T>
std::optional<Error> check_number(const std::string& place, T value, const Range& range) {
    const auto number = static_cast<double>(value);
    if (range.nan_is_unset && std::isnan(number)) return {};
    if (!std::isfinite(number)) return Error{place, fmt::format("must be a finite number, got {}", number)};
    if (range.contains(value)) return {};
    if (range.low == ranges::any.low) {
        return Error{place,
                     fmt::format("must be within {:g} … {:g}, got {:g}", range.low, range.high, number)};
    }
    if (number > range.high) {
        return Error{place, fmt::format("must be at most {:g}, got {:g}", range.high, number)};
    }
    return Error{place, fmt::format("must be {} {:g}, got {:g}", range.open ? ">" : "≥", range.low, number)};
}

template <class T>
std::optional<Error> check_field(const std::string& place, const T& value, const Range& range);

template <class Owner>
std::optional<Error> check_fields(const std::string& place, const Owner& value) {
    std::optional<Error> error;
    visit_fields(value, [&](const auto& field, const auto& member) {
        if (error) return;
        const std::string inner = fmt::format("{}/{}", place, field.name);
        if constexpr (IsOneOf<decltype(field)>) {
            error = std::visit([&](const auto& one) { return check_fields(inner, one); }, member);
        } else {
            error = check_field(inner, member, field.range);
        }
    });
    return error;
}

template <class T>
std::optional<Error> check_field(const std::string& place, const T& value, const Range& range) {
    if constexpr (std::is_same_v<T, bool> || IsText<T>) {
        return {};
    } else if constexpr (std::is_arithmetic_v<T>) {
        return check_number(place, value, range);
    } else if constexpr (std::is_enum_v<T>) {
        const Range choices{0, static_cast<double>(Choices<T>::names.size() - 1)};
        return check_number(place, static_cast<int>(value), choices);
    } else if constexpr (IsVector2<T>) {
        if (auto error = check_number(place + "/x", value.x, range)) return error;
        return check_number(place + "/y", value.y, range);
    } else if constexpr (IsVector3<T>) {
        if (auto error = check_number(place + "/x", value.x, range)) return error;
        if (auto error = check_number(place + "/y", value.y, range)) return error;
        if (auto error = check_number(place + "/z", value.z, range)) return error;
        if constexpr (IsQuaternion<T>) return check_number(place + "/w", value.w, range);
        return {};
    } else if constexpr (IsOptional<T>) {
        return value ? check_field(place, *value, range) : std::nullopt;
    } else if constexpr (IsList<T> || IsArray<T>) {
        for (std::size_t i = 0; i < value.size(); ++i) {
            if (auto error = check_field(fmt::format("{}/{}", place, i), value[i], range)) return error;
        }
        return {};
    } else {
        return check_fields(place, value);
    }
}

}  // namespace pliant
