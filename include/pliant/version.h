#pragma once

namespace pliant {

// The one place that says it; CMake reads it from here.
inline constexpr const char* version = "0.1.0";

}  // namespace pliant
