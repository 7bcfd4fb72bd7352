// Numbers in text, as fast as the file comes in, rounded correctly, whatever the locale is.
#pragma once

#include <cstdint>

namespace pliant::mesh {

// Each returns where the number ends, or null if none starts at `at`. Digits, sign, point and exponent as in
// C; "nan", "inf" and numbers too large for a float give what is not finite.
const char* parse_float(const char* at, const char* end, float& value);
// Numbers beyond ±2⁶³ end at their last digit with the value nearest to them.
const char* parse_integer(const char* at, const char* end, std::int64_t& value);

}  // namespace pliant::mesh
