#include "mesh/io/zlib.h"

#include <doctest/doctest.h>

#include <limits>
#include <string>
#include <string_view>

#include "support/random_source.h"

using namespace pliant;
using mesh::unpack_zlib;

namespace {

// What zlib 1.2.13 makes of text() at level 9.
constexpr char packed_bytes[] =
    "\x78\xda\xed\x90\xc1\x15\x05\x21\x08\x03\x5b\xb1\x00\x0f\xab\xae\x88\xfd\x37\xf6\x67\xbe\x96\xb1"
    "\x07\x1f\x48\x48\x80\x3c\xb5\xb4\x5a\xde\x5a\x36\x49\xd4\xd2\x67\x2d\x83\xf8\xf2\x0f\xca\x09\x3a"
    "\x28\x93\xbe\xab\x96\xd5\xc9\xa9\x50\x0d\xe2\xb6\x1b\x78\x3d\xb0\xf9\x4f\xf2\x2d\x5b\x41\x75\xfd"
    "\x93\x4f\xf0\x84\x42\x7b\x47\x25\xc9\x27\xe5\x0e\x25\x1d\xe4\x10\xb0\x46\x4c\xe8\xa1\x04\x3d\x03"
    "\xbc\xc9\x43\x05\xa5\xa4\x65\xd1\xbe\x8c\xe3\xbe\x5b\x13\xb3\x27\x0e\x43\xa6\x0a\x2a\xa9\xd8\xee"
    "\x04\x27\x39\xd1\xc9\x6e\xe0\x26\x6e\xe4\x66\x79\xf6\x74\xdf\xff\xde\xed\xde\x11\xe7\x2e\xef\xf3"
    "\x4e\xef\xf5\xee\xb8\x3e\xf4\xe3\x8a\xee\xe8\xd2\x38\x9e\xe9\x9d\x1e\x8e\xeb\xa9\xde\xee\xbf\xd1"
    "\x80\xcf\x67\xfa\x67\xfa\x67\x3a\xe5\x1f\xe9\x29\xca\x75";
constexpr std::string_view packed(packed_bytes, sizeof(packed_bytes) - 1);

std::string text() {
    std::string result;
    for (int i = 0; i < 300; ++i) result += std::to_string(i * i % 97) + ", ";
    return result;
}

}  // namespace

TEST_CASE("zlib: what was packed comes back") {
    CHECK(unpack_zlib(packed, text().size()) == text());
    constexpr char nothing[] = "\x78\x9c\x03\x00\x00\x00\x00\x01";
    CHECK(unpack_zlib({nothing, 8}, 0) == std::string());
    // Stored, not compressed.
    constexpr char stored[] =
        "\x78\x01\x01\x03\x00\xfc\xff"
        "abc"
        "\x02\x4d\x01\x27";
    CHECK(unpack_zlib({stored, 14}, 3) == "abc");
}

TEST_CASE("zlib: a size that is not what comes out is refused, however large") {
    const std::size_t size = text().size();
    for (const std::size_t wrong : {std::size_t{0}, std::size_t{1}, size - 1, size + 1, 2 * size,
                                    std::numeric_limits<std::size_t>::max()}) {
        CAPTURE(wrong);
        CHECK_FALSE(unpack_zlib(packed, wrong));
    }
}

TEST_CASE("zlib: data that is cut short, goes on, or was changed is refused") {
    const std::size_t size = text().size();
    for (std::size_t length = 0; length < packed.size(); ++length) {
        CHECK_FALSE(unpack_zlib(packed.substr(0, length), size));
    }
    CHECK_FALSE(unpack_zlib(std::string(packed) + 'x', size));
    // Any one bit; but those that fill up the last byte of the data say nothing.
    std::size_t changed = 0;
    for (std::size_t bit = 16; bit < 8 * packed.size(); ++bit) {
        std::string damaged(packed);
        damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ 1 << bit % 8);
        const auto unpacked = unpack_zlib(damaged, size);
        CHECK((!unpacked || *unpacked == text()));
        changed += !unpacked;
    }
    CHECK(changed >= 8 * packed.size() - 16 - 7);
    test::RandomSource random(3);
    for (int round = 0; round < 2000; ++round) {
        std::string noise = "\x78\x9c";
        for (std::size_t i = random.below(200); i > 0; --i) noise += static_cast<char>(random.bits());
        CHECK_FALSE(unpack_zlib(noise, random.below(1000) + 1));
    }
}
