// One table per struct says what its fields are: name, unit, range, meaning. Validation (field_checks.h), the
// catalog and everything made from it (documentation, scene files, panels) read the same table.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <variant>
#include <vector>

namespace pliant {

struct Range {
    double low = -1e9, high = 1e9;
    bool open = false;          // low itself is excluded
    bool nan_is_unset = false;  // NaN stands for: not given

    // In the precision of the number: 1e-6f, which is a little less than 1e-6, is not below a bound of 1e-6.
    template <class T>
    bool contains(T a) const {
        using Precision = std::conditional_t<std::is_same_v<T, float>, float, double>;
        const auto x = static_cast<Precision>(a), least = static_cast<Precision>(low);
        return (open ? x > least : x >= least) && x <= static_cast<Precision>(high);
    }
};

namespace ranges {
inline constexpr Range any{};
inline constexpr Range positive{0, 1e30, true};
inline constexpr Range not_negative{0, 1e30, false};
inline constexpr Range share{0, 1, false};
inline constexpr Range count{1, 100000, false};
inline constexpr Range index{0, 4294967295.0, false};
}  // namespace ranges

enum class Presence { optional, required };  // in a file

template <class Owner, class T>
struct Field {
    using Type = T;
    const char* name;
    T Owner::*member;
    const char* unit;
    Range range;
    const char* summary;
    Presence presence = Presence::optional;
};
template <class Owner, class T>
Field(const char*, T Owner::*, const char*, Range, const char*) -> Field<Owner, T>;
template <class Owner, class T>
Field(const char*, T Owner::*, const char*, Range, const char*, Presence) -> Field<Owner, T>;

// The fields of a member stand among its owner's.
template <class Owner, class T>
struct Include {
    T Owner::*member;
};
template <class Owner, class T>
Include(T Owner::*) -> Include<Owner, T>;

// A member that is one of several structs. In a file each has a key of its own among the owner's, and
// exactly one of them is there.
template <class Owner, class... Ts>
struct OneOf {
    const char* name;
    std::variant<Ts...> Owner::*member;
    std::array<const char*, sizeof...(Ts)> keys;
};
template <class Owner, class... Ts, std::size_t N>
OneOf(const char*, std::variant<Ts...> Owner::*, std::array<const char*, N>) -> OneOf<Owner, Ts...>;

// Specialised for each struct: name, summary, and a tuple of the above called `fields`. A table with
// `bare = true` has one field, and stands in a file as that field's value alone.
template <class Owner>
struct FieldTable;

template <class T>
concept HasTable = requires {
    FieldTable<T>::fields;
};
template <class T>
concept IsBare = requires {
    requires FieldTable<T>::bare;
};

// Specialised for each enum: an array `names`, from 0 on.
template <class E>
struct Choices;

namespace detail {
template <class T>
inline constexpr bool is_include = false;
template <class Owner, class T>
inline constexpr bool is_include<Include<Owner, T>> = true;
template <class T>
inline constexpr bool is_one_of = false;
template <class Owner, class... Ts>
inline constexpr bool is_one_of<OneOf<Owner, Ts...>> = true;
template <class T>
inline constexpr bool is_optional = false;
template <class T>
inline constexpr bool is_optional<std::optional<T>> = true;
template <class T>
inline constexpr bool is_vector = false;
template <class T>
inline constexpr bool is_vector<std::vector<T>> = true;
template <class T>
inline constexpr bool is_array = false;
template <class T, std::size_t N>
inline constexpr bool is_array<std::array<T, N>> = true;
}  // namespace detail

template <class T>
concept IsInclude = detail::is_include<std::remove_cvref_t<T>>;
template <class T>
concept IsOneOf = detail::is_one_of<std::remove_cvref_t<T>>;
template <class T>
concept IsOptional = detail::is_optional<T>;
template <class T>
concept IsList = detail::is_vector<T>;
template <class T>
concept IsArray = detail::is_array<T>;
template <class T>
concept IsText = std::is_same_v<T, std::string>;
template <class T>
concept IsVector3 = requires(T v) {
    v.x, v.y, v.z;
};
template <class T>
concept IsVector2 = !IsVector3<T> && requires(T v) {
    v.x, v.y;
};
template <class T>
concept IsQuaternion = IsVector3<T> && requires(T v) {
    v.w;
};

// Calls f(entry) for every entry of Owner's table.
template <class Owner, class F>
void for_each_field(F&& f) {
    std::apply([&](const auto&... field) { (f(field), ...); }, FieldTable<Owner>::fields);
}

// Calls f(entry, member) for every Field and OneOf of a value, those of included members too.
template <class Owner, class F>
void visit_fields(Owner& owner, F&& f) {
    for_each_field<std::remove_const_t<Owner>>([&](const auto& field) {
        if constexpr (IsInclude<decltype(field)>) {
            visit_fields(owner.*field.member, f);
        } else {
            f(field, owner.*field.member);
        }
    });
}

}  // namespace pliant
