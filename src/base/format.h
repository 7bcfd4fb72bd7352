// fmt, compiled once (format.cpp): as headers alone it takes more than half of the time to compile. It has a
// namespace of its own in here, so that a program with another fmt of any version can link pliant.
#pragma once

#define FMT_BEGIN_NAMESPACE \
    namespace fmt {         \
    inline namespace in_pliant {
#define FMT_END_NAMESPACE \
    }                     \
    }

#include <fmt/core.h>

#include <string>
#include <string_view>

namespace pliant {

// The items one after the other.
template <class Range>
std::string joined(const Range& items, std::string_view separator) {
    std::string text;
    bool first = true;
    for (const auto& item : items) {
        if (!first) text += separator;
        text += fmt::format("{}", item);
        first = false;
    }
    return text;
}

}  // namespace pliant
