// What may have been meant by a name that there is not.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pliant {

// The known name that is the fewest steps away (a letter more, less, another, or two swapped), or "" if
// none is near.
std::string_view nearest_name(std::string_view name, std::span<const std::string_view> known);

// ` did you mean "gravity"?`, or ` there are a, b, c`.
std::string suggestion(std::string_view name, std::span<const std::string_view> known);

}  // namespace pliant
