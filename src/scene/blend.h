// In between two values of a struct with a field table.
#pragma once

#include <type_traits>

#include "base/fields.h"
#include "base/scalar.h"
#include "scene/tables/description.h"

namespace pliant {

// base^share for a share in 0 … 1, by roots alone: the same bits on every machine, unlike std::pow.
inline double power(double base, double share) {
    double result = 1, root = base;
    for (int bit = 0; bit < 40 && share > 0; ++bit) {
        root = sqrt(root);
        share *= 2;
        if (share < 1) continue;
        share -= 1;
        result *= root;
    }
    return result;
}

// share 0: from, 1: to. Numbers that are above 0 at both ends change by equal factors, others evenly;
// whole numbers and choices at once.
template <class T>
T blend(const T& from, const T& to, double share) {
    if (share >= 1) return to;
    if constexpr (std::is_floating_point_v<T>) {
        const double a = from, b = to;
        return static_cast<T>(a > 0 && b > 0 ? a * power(b / a, share) : a + (b - a) * share);
    } else if constexpr (IsVector3<T>) {
        const auto even = [&](double a, double b) {
            return static_cast<decltype(from.x)>(a + (b - a) * share);
        };
        return {even(from.x, to.x), even(from.y, to.y), even(from.z, to.z)};
    } else if constexpr (HasTable<T>) {
        T result = to;
        for_each_field<T>([&](const auto& field) {
            result.*field.member = blend(from.*field.member, to.*field.member, share);
        });
        return result;
    } else {
        return to;
    }
}

}  // namespace pliant
