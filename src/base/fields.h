// One table per struct says what its fields are: name, unit, range, meaning. Validation, the catalog
// and everything made from it (documentation, scene files, panels) read the same table.
#pragma once

#include <pliant/error.h>
#include <pliant/vector.h>

#include <cmath>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>

#include <fmt/format.h>

namespace pliant {

struct Range {
    double low = -1e9, high = 1e9;
    bool open = false;  // low itself is excluded

    bool contains(double a) const { return (open ? a > low : a >= low) && a <= high; }
};

namespace ranges {
inline constexpr Range any{};
inline constexpr Range positive{0, 1e30, true};
inline constexpr Range not_negative{0, 1e30, false};
inline constexpr Range share{0, 1, false};
inline constexpr Range count{1, 100000, false};
}  // namespace ranges

inline std::string describe(const Range& range) {
    if (range.low == ranges::any.low && range.high == ranges::any.high) return "";
    if (range.high >= 1e30)
        return range.open ? fmt::format("> {}", range.low) : fmt::format("≥ {}", range.low);
    return fmt::format("{} {} … {}", range.open ? "above" : "in", range.low, range.high);
}

template <class Owner, class T>
struct Field {
    const char* name;
    T Owner::*member;
    const char* unit;
    Range range;
    const char* summary;
};
template <class Owner, class T>
Field(const char*, T Owner::*, const char*, Range, const char*) -> Field<Owner, T>;

// Specialised for each struct: name, summary, and a tuple of Fields called `fields`.
template <class Owner>
struct FieldTable;

// Calls f(field) for every field of Owner's table.
template <class Owner, class F>
void for_each_field(F&& f) {
    std::apply([&](const auto&... field) { (f(field), ...); }, FieldTable<Owner>::fields);
}

inline std::optional<Error> check_number(const std::string& place, double value, const Range& range) {
    if (!std::isfinite(value)) return Error{place, fmt::format("must be a finite number, got {}", value)};
    if (range.contains(value)) return {};
    if (range.low == ranges::any.low) {
        return Error{place,
                     fmt::format("must be within {:g} … {:g}, got {:g}", range.low, range.high, value)};
    }
    if (range.contains(value) || value > range.high) {
        return Error{place, fmt::format("must be at most {:g}, got {:g}", range.high, value)};
    }
    return Error{place, fmt::format("must be {} {:g}, got {:g}", range.open ? ">" : "≥", range.low, value)};
}

template <class T>
std::optional<Error> check_field(const std::string& place, const T& value, const Range& range);

template <class Owner>
std::optional<Error> check_fields(const std::string& place, const Owner& value) {
    std::optional<Error> error;
    for_each_field<Owner>([&](const auto& field) {
        if (!error) error = check_field(place + "/" + field.name, value.*field.member, field.range);
    });
    return error;
}

template <class T>
std::optional<Error> check_field(const std::string& place, const T& value, const Range& range) {
    if constexpr (std::is_arithmetic_v<T>) {
        return check_number(place, value, range);
    } else if constexpr (std::is_enum_v<T>) {
        return check_number(place, static_cast<int>(value), range);
    } else if constexpr (requires {
                             value.x;
                             value.y;
                             value.z;
                         }) {
        if (auto error = check_number(place + "/x", value.x, range)) return error;
        if (auto error = check_number(place + "/y", value.y, range)) return error;
        if (auto error = check_number(place + "/z", value.z, range)) return error;
        if constexpr (requires { value.w; }) return check_number(place + "/w", value.w, range);
        return {};
    } else {
        return check_fields(place, value);
    }
}

}  // namespace pliant
