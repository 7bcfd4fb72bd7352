// JSON → any struct with a field table. Strict: unknown keys, wrong types and numbers out of range are
// Errors whose place is the path within the file.
#pragma once

#include <charconv>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/field_checks.h"
#include "base/fields.h"
#include "base/json.h"
#include "base/rotation.h"
#include "base/suggest.h"
#include "scene/tables/events.h"

namespace pliant {

using Problem = std::optional<Error>;

// The way to a value. Made into text only when there is something wrong.
struct JsonPath {
    const JsonPath* parent = nullptr;
    std::string_view key{};
    std::size_t index = 0;

    JsonPath operator/(std::string_view member) const { return {this, member, 0}; }
    JsonPath operator/(std::size_t item) const { return {this, {}, item}; }
    std::string text() const {
        if (!parent) return "";
        return parent->text() + "/" + (key.empty() ? fmt::format("{}", index) : std::string(key));
    }
    Error error(const std::string& message) const { return {text(), message}; }
};

// Every key that a struct may have in a file.
template <class T>
std::vector<std::string_view> keys_of() {
    std::vector<std::string_view> keys;
    const T value{};
    visit_fields(value, [&](const auto& field, const auto&) {
        if constexpr (IsOneOf<decltype(field)>) {
            keys.insert(keys.end(), field.keys.begin(), field.keys.end());
        } else {
            keys.push_back(field.name);
        }
    });
    return keys;
}

// "a", "b" or "c"
std::string alternatives(const char* const* names, std::size_t count);

// What a value starts from where the file says nothing: for most, its defaults.
template <class T>
Problem inherit(T&, const json::Value&, const scene::File&, const JsonPath&) {
    return {};
}
Problem inherit(scene::Body& body, const json::Value& json, const scene::File& file, const JsonPath& path);
Problem inherit(scene::Soft& soft, const json::Value& json, const scene::File& file, const JsonPath& path);
Problem inherit(scene::SoftMaterial& material, const json::Value& json, const scene::File& file,
                const JsonPath& path);
Problem inherit(scene::ClothBody& cloth, const json::Value& json, const scene::File& file,
                const JsonPath& path);
Problem inherit(scene::ClothMaterial& material, const json::Value& json, const scene::File& file,
                const JsonPath& path);
Problem inherit(ClothMembrane& membrane, const json::Value& json, const scene::File& file,
                const JsonPath& path);
Problem inherit(ClothBending& bending, const json::Value& json, const scene::File& file,
                const JsonPath& path);
Problem inherit(scene::ChangeSolver& change, const json::Value& json, const scene::File& file,
                const JsonPath& path);
Problem inherit(scene::ChangeElasticity& change, const json::Value& json, const scene::File& file,
                const JsonPath& path);
Problem inherit(scene::ChangeMaterial& change, const json::Value& json, const scene::File& file,
                const JsonPath& path);

class FieldReader {
public:
    // file: what has been read so far, to inherit from
    explicit FieldReader(const scene::File& file) : file_(file) {}

    template <class T>
    Problem read(const json::Value& json, T& target, const JsonPath& path, const Range& range) const {
        if constexpr (std::is_same_v<T, bool>) {
            if (json.kind != json::Kind::boolean) return expected("true or false", json, path);
            target = json.boolean;
            return {};
        } else if constexpr (std::is_arithmetic_v<T>) {
            return read_number(json, target, path, range);
        } else if constexpr (std::is_enum_v<T>) {
            return read_choice(json, target, path);
        } else if constexpr (IsText<T>) {
            if (json.kind != json::Kind::string) return expected("text in quotes", json, path);
            target = json.text;
            return {};
        } else if constexpr (IsQuaternion<T>) {
            return read_rotation(json, target, path);
        } else if constexpr (IsVector2<T>) {
            return read_items(json, path, range, &target.x, &target.y);
        } else if constexpr (IsVector3<T>) {
            return read_items(json, path, range, &target.x, &target.y, &target.z);
        } else if constexpr (IsOptional<T>) {
            return read(json, target.emplace(), path, range);
        } else if constexpr (IsList<T>) {
            return read_list(json, target, path, range);
        } else if constexpr (IsArray<T>) {
            const auto read_all = [&](auto&... item) { return read_items(json, path, range, &item...); };
            return std::apply(read_all, target);
        } else {
            return read_struct(json, target, path);
        }
    }

private:
    static Error expected(const std::string& what, const json::Value& json, const JsonPath& path) {
        return path.error(fmt::format("must be {}, got {}", what, json::describe(json)));
    }

    template <class T>
    static Problem read_number(const json::Value& json, T& target, const JsonPath& path, const Range& range) {
        if (json.kind != json::Kind::number) {
            return expected(std::is_integral_v<T> ? "a whole number" : "a number", json, path);
        }
        if constexpr (std::is_integral_v<T>) {
            if (json.number != std::floor(json.number)) return expected("a whole number", json, path);
        }
        // As a float it may be 0 or infinite, though the number in the file is neither.
        constexpr double largest = 3e38;
        if constexpr (std::is_same_v<T, float>) {
            if (std::abs(json.number) < largest)
                return take(static_cast<float>(json.number), target, path, range);
        }
        return take(json.number, target, path, range);
    }

    template <class Number, class T>
    static Problem take(Number number, T& target, const JsonPath& path, const Range& range) {
        if (!range.contains(number)) return check_number(path.text(), number, range);
        target = static_cast<T>(number);
        return {};
    }

    template <class T>
    static Problem read_choice(const json::Value& json, T& target, const JsonPath& path) {
        const auto& names = Choices<T>::names;
        for (std::size_t i = 0; i < names.size(); ++i) {
            if (json.kind != json::Kind::string || json.text != names[i]) continue;
            target = static_cast<T>(i);
            return {};
        }
        return expected(alternatives(names.data(), names.size()), json, path);
    }

    // Exactly as many items as there are targets.
    template <class... Ts>
    Problem read_items(const json::Value& json, const JsonPath& path, const Range& range,
                       Ts*... targets) const {
        constexpr std::size_t count = sizeof...(Ts);
        if (json.kind != json::Kind::list) {
            return expected(fmt::format("a list of {} numbers", count), json, path);
        }
        if (json.items.size() != count) {
            return path.error(fmt::format("must have {} numbers, got {}", count, json.items.size()));
        }
        Problem problem;
        std::size_t i = 0;
        const auto read_next = [&](auto* target) {
            if (!problem) problem = read(json.items[i], *target, path / i, range);
            ++i;
        };
        (read_next(targets), ...);
        return problem;
    }

    Problem read_rotation(const json::Value& json, Quaternion& q, const JsonPath& path) const {
        if (json.kind == json::Kind::list && json.items.size() == 3) {
            Vec3d degrees;
            if (auto error = read(json, degrees, path, Range{-3600, 3600})) return error;
            q = rotation_of_degrees(degrees);
            return {};
        }
        if (json.kind != json::Kind::list || json.items.size() != 4) {
            return path.error(fmt::format(
                "must be a list of 3 angles in degrees or of the 4 numbers of a quaternion, got {}",
                json::describe(json)));
        }
        if (auto error = read_items(json, path, Range{-1e9, 1e9}, &q.x, &q.y, &q.z, &q.w)) return error;
        const double squared = squared_length(q);
        if (squared > 1e-30) return {};
        return path.error("must not have length 0");
    }

    template <class T>
    Problem read_list(const json::Value& json, std::vector<T>& target, const JsonPath& path,
                      const Range& range) const {
        if (json.kind != json::Kind::list) return expected("a list", json, path);
        target.clear();
        target.reserve(json.items.size());
        for (std::size_t i = 0; i < json.items.size(); ++i) {
            if (auto error = read(json.items[i], target.emplace_back(), path / i, range)) return error;
        }
        return {};
    }

    template <class T>
    Problem read_struct(const json::Value& json, T& target, const JsonPath& path) const {
        if constexpr (IsBare<T>) {
            const auto& field = std::get<0>(FieldTable<T>::fields);
            return read(json, target.*field.member, path, field.range);
        } else {
            if (json.kind != json::Kind::object) return expected("an object", json, path);
            if (auto error = check_keys(json, keys_of<T>(), path)) return error;
            if (auto error = inherit(target, json, file_, path)) return error;
            Problem problem;
            visit_fields(target, [&](const auto& field, auto& member) {
                if (problem) return;
                if constexpr (IsOneOf<decltype(field)>) {
                    problem = read_one_of(json, field.keys, member, path);
                } else if (const json::Value* inner = json.find(field.name)) {
                    problem = read(*inner, member, path / field.name, field.range);
                } else if (field.presence == Presence::required) {
                    problem = path.error(fmt::format("needs \"{}\"", field.name));
                }
            });
            return problem;
        }
    }

    static Problem check_keys(const json::Value& json, const std::vector<std::string_view>& known,
                              const JsonPath& path) {
        for (const json::Member& member : json.members) {
            bool found = false;
            for (const std::string_view key : known) found = found || key == member.key;
            if (found) continue;
            return (path / member.key).error("unknown key; " + suggestion(member.key, known));
        }
        return {};
    }

    template <std::size_t N, class... Ts>
    Problem read_one_of(const json::Value& json, const std::array<const char*, N>& keys,
                        std::variant<Ts...>& target, const JsonPath& path) const {
        std::size_t chosen = N;
        for (std::size_t i = 0; i < N; ++i) {
            if (!json.find(keys[i])) continue;
            if (chosen < N) {
                return (path / keys[i]).error(fmt::format("cannot be beside \"{}\"", keys[chosen]));
            }
            chosen = i;
        }
        if (chosen == N) return path.error("needs " + alternatives(keys.data(), N));
        Problem problem;
        std::size_t i = 0;
        const auto try_next = [&]<class T>(const T*) {
            if (i++ != chosen) return;
            T* alternative = std::get_if<T>(&target);  // it may have inherited something
            if (!alternative) alternative = &target.template emplace<T>();
            const JsonPath inner = path / keys[chosen];
            problem = read(*json.find(keys[chosen]), *alternative, inner, ranges::any);
        };
        (try_next(static_cast<const Ts*>(nullptr)), ...);
        return problem;
    }

    const scene::File& file_;
};

}  // namespace pliant
