// Every field table that a scene file can reach, found by following the tables themselves.
#pragma once

#include <set>
#include <string>

#include "scene/tables/events.h"

namespace pliant {

// Calls f.operator()<Struct>() once for each, owners before what they hold.
template <class F>
class TableWalk {
public:
    explicit TableWalk(F f) : f_(std::move(f)) {}

    template <class T>
    void visit() {
        if constexpr (IsOptional<T> || IsList<T>) {
            visit<typename T::value_type>();
        } else if constexpr (HasTable<T>) {
            if (!seen_.insert(FieldTable<T>::name).second) return;
            f_.template operator()<T>();
            const T value{};
            visit_fields(value, [&](const auto& field, const auto& member) {
                if constexpr (IsOneOf<decltype(field)>) {
                    visit_alternatives(member);
                } else {
                    visit<std::remove_cvref_t<decltype(member)>>();
                }
            });
        }
    }

private:
    template <class... Ts>
    void visit_alternatives(const std::variant<Ts...>&) {
        (visit<Ts>(), ...);
    }

    F f_;
    std::set<std::string> seen_;
};

template <class F>
void for_each_table(F f) {
    TableWalk<F>(f).template visit<scene::File>();
}

}  // namespace pliant
