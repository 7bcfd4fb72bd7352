#include "mesh/io/zlib.h"

#if defined(__EMSCRIPTEN__)
#include <cstdint>
#include <cstdlib>
#include <limits>

#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_STATIC
#define STBI_ONLY_PNG
#define STBI_NO_STDIO
#include <stb/stb_image.h>
#else
#include <algorithm>
#include <array>
#include <limits>

#define ZLIB_CONST
#include <zlib.h>
#endif

namespace pliant::mesh {

#if defined(__EMSCRIPTEN__)

namespace {

// stb leaves the checksum at the end of a stream unread.
bool checksum_fits(std::string_view packed, std::string_view unpacked) {
    std::uint32_t a = 1, b = 0;  // Adler-32
    for (const char c : unpacked) {
        a = (a + static_cast<unsigned char>(c)) % 65521;
        b = (b + a) % 65521;
    }
    std::uint32_t expected = 0;
    for (const char c : packed.substr(packed.size() - 4)) {
        expected = expected << 8 | static_cast<unsigned char>(c);
    }
    return expected == (b << 16 | a);
}

}  // namespace

std::optional<std::string> unpack_zlib(std::string_view packed, std::size_t size) {
    constexpr std::size_t most = std::numeric_limits<int>::max();
    constexpr int first_guess = 1 << 16;
    if (packed.size() < 6 || packed.size() > most || size > most) return {};
    int length = 0;
    char* const data = stbi_zlib_decode_malloc_guesssize(packed.data(), static_cast<int>(packed.size()),
                                                         first_guess, &length);
    if (data == nullptr) return {};
    std::string unpacked(data, static_cast<std::size_t>(length));
    std::free(data);
    if (unpacked.size() != size || !checksum_fits(packed, unpacked)) return {};
    return unpacked;
}

#else

std::optional<std::string> unpack_zlib(std::string_view packed, std::size_t size) {
    z_stream stream{};
    if (inflateInit(&stream) != Z_OK) return {};
    std::string unpacked;
    std::array<char, 1 << 16> buffer;
    int status = Z_OK;
    while (status == Z_OK && unpacked.size() <= size) {
        if (stream.avail_in == 0) {
            const std::size_t count = std::min<std::size_t>(packed.size(), std::numeric_limits<uInt>::max());
            stream.next_in = reinterpret_cast<const Bytef*>(packed.data());
            stream.avail_in = static_cast<uInt>(count);
            packed.remove_prefix(count);
        }
        stream.next_out = reinterpret_cast<Bytef*>(buffer.data());
        stream.avail_out = static_cast<uInt>(buffer.size());
        status = inflate(&stream, Z_NO_FLUSH);
        unpacked.append(buffer.data(), buffer.size() - stream.avail_out);
    }
    const bool all_used = stream.avail_in == 0 && packed.empty();
    inflateEnd(&stream);
    if (status != Z_STREAM_END || !all_used || unpacked.size() != size) return {};
    return unpacked;
}

#endif

}  // namespace pliant::mesh
