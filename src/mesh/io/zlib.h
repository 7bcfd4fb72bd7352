// Unpacks what zlib packed (RFC 1950, RFC 1951).
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace pliant::mesh {

// Nothing if the data is damaged, or does not give exactly `size` bytes. Memory grows with what is really
// unpacked, at most 1032 times the packed data.
std::optional<std::string> inflate(std::string_view packed, std::size_t size);

}  // namespace pliant::mesh
