// Unpacks what zlib packed (RFC 1950).
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace pliant::mesh {

// Nothing if the data is damaged, is not one whole stream, or does not give exactly `size` bytes. The size is
// only what a file says: memory grows with what is really unpacked, at most 1032 times the packed data.
std::optional<std::string> unpack_zlib(std::string_view packed, std::size_t size);

}  // namespace pliant::mesh
