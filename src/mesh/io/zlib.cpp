#include "mesh/io/zlib.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

namespace pliant::mesh {
namespace {

constexpr int longest_code = 15;

class BitReader {
public:
    explicit BitReader(std::string_view bytes) : bytes_(bytes) {}

    // The first bit is the lowest. Beyond the end come zeros, and failed() tells.
    std::uint32_t bits(int count) {
        while (available_ < count) {
            held_ |= static_cast<std::uint64_t>(next_byte()) << available_;
            available_ += 8;
        }
        const auto value = static_cast<std::uint32_t>(held_ & ((std::uint64_t{1} << count) - 1));
        held_ >>= count;
        available_ -= count;
        return value;
    }
    void to_byte() {
        held_ >>= available_ % 8;
        available_ -= available_ % 8;
    }
    bool failed() const { return failed_; }

private:
    std::uint8_t next_byte() {
        failed_ |= at_ >= bytes_.size();
        return failed_ ? 0 : static_cast<std::uint8_t>(bytes_[at_++]);
    }

    std::string_view bytes_;
    std::size_t at_ = 0;
    std::uint64_t held_ = 0;
    int available_ = 0;
    bool failed_ = false;
};

// A canonical code: shorter codes come before longer ones, codes of a length in the order of the symbols.
class HuffmanCode {
public:
    explicit HuffmanCode(std::span<const std::uint8_t> lengths) {
        for (const std::uint8_t length : lengths) ++count_[length];
        count_[0] = 0;
        std::array<std::uint16_t, longest_code + 2> first{};
        int left = 1;
        for (std::size_t length = 1; length <= longest_code; ++length) {
            first[length + 1] = static_cast<std::uint16_t>(first[length] + count_[length]);
            left = 2 * left - count_[length];
            over_subscribed_ |= left < 0;
            left = std::max(left, 0);
        }
        for (std::size_t symbol = 0; symbol < lengths.size(); ++symbol) {
            if (lengths[symbol] != 0) symbols_[first[lengths[symbol]]++] = static_cast<std::uint16_t>(symbol);
        }
    }

    bool valid() const { return !over_subscribed_; }

    // −1 if no symbol has the code that comes.
    int symbol(BitReader& in) const {
        int code = 0, first = 0, index = 0;
        for (std::size_t length = 1; length <= longest_code; ++length) {
            code |= static_cast<int>(in.bits(1));
            const int count = count_[length];
            if (code - first < count) return symbols_[static_cast<std::size_t>(index + code - first)];
            index += count;
            first = 2 * (first + count);
            code *= 2;
        }
        return -1;
    }

private:
    std::array<std::uint16_t, longest_code + 1> count_{};  // codes of each length
    std::array<std::uint16_t, 288> symbols_{};
    bool over_subscribed_ = false;
};

constexpr std::uint16_t length_base[] = {3,  4,  5,  6,  7,  8,  9,  10, 11,  13,  15,  17,  19,  23, 27,
                                         31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258};
constexpr std::uint8_t length_bits[] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2,
                                        2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};
constexpr std::uint16_t distance_base[] = {1,    2,    3,    4,    5,    7,    9,    13,    17,    25,
                                           33,   49,   65,   97,   129,  193,  257,  385,   513,   769,
                                           1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577};
constexpr std::uint8_t distance_bits[] = {0, 0, 0, 0, 1, 1, 2, 2,  3,  3,  4,  4,  5,  5,  6,
                                          6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13};

class Inflater {
public:
    Inflater(std::string_view packed, std::size_t size) : in_(packed), size_(size) {}

    bool run() {
        // Method 8, a window of at most 32 KiB, no preset dictionary.
        const std::uint32_t method = in_.bits(8), flags = in_.bits(8);
        if ((method & 15) != 8 || method >> 4 > 7 || (256 * method + flags) % 31 != 0 || (flags & 32) != 0) {
            return false;
        }
        for (bool last = false; !last;) {
            last = in_.bits(1) != 0;
            const std::uint32_t kind = in_.bits(2);
            const bool good = kind == 0 ? stored() : kind == 1 ? fixed() : kind == 2 ? dynamic() : false;
            if (!good || in_.failed()) return false;
        }
        in_.to_byte();
        std::uint32_t expected = 0;
        for (int i = 0; i < 4; ++i) expected = expected << 8 | in_.bits(8);
        return !in_.failed() && out.size() == size_ && expected == adler32();
    }

    std::string out;

private:
    bool stored() {
        in_.to_byte();
        const std::uint32_t count = in_.bits(16);
        if (in_.bits(16) != (count ^ 0xffff) || size_ - out.size() < count) return false;
        for (std::uint32_t i = 0; i < count && !in_.failed(); ++i) out += static_cast<char>(in_.bits(8));
        return true;
    }

    bool fixed() {
        std::array<std::uint8_t, 288> literals{};
        for (std::size_t i = 0; i < literals.size(); ++i) {
            literals[i] = i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8;
        }
        std::array<std::uint8_t, 30> distances{};
        distances.fill(5);
        return compressed(HuffmanCode(literals), HuffmanCode(distances));
    }

    bool dynamic() {
        const std::size_t literals = in_.bits(5) + 257, distances = in_.bits(5) + 1, codes = in_.bits(4) + 4;
        if (literals > 286 || distances > 30) return false;
        constexpr std::uint8_t order[] = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
        std::array<std::uint8_t, 19> code_lengths{};
        for (std::size_t i = 0; i < codes; ++i)
            code_lengths[order[i]] = static_cast<std::uint8_t>(in_.bits(3));
        const HuffmanCode code(code_lengths);
        if (!code.valid()) return false;

        std::array<std::uint8_t, 286 + 30> lengths{};
        for (std::size_t i = 0; i < literals + distances;) {
            const int symbol = code.symbol(in_);
            if (symbol < 0 || in_.failed() || (symbol == 16 && i == 0)) return false;
            if (symbol < 16) {
                lengths[i++] = static_cast<std::uint8_t>(symbol);
                continue;
            }
            const std::uint8_t repeated = symbol == 16 ? lengths[i - 1] : std::uint8_t{0};
            const std::size_t count = symbol == 16   ? 3 + in_.bits(2)
                                      : symbol == 17 ? 3 + in_.bits(3)
                                                     : 11 + in_.bits(7);
            if (i + count > literals + distances) return false;
            std::fill_n(lengths.begin() + static_cast<std::ptrdiff_t>(i), count, repeated);
            i += count;
        }
        return compressed(HuffmanCode(std::span(lengths).first(literals)),
                          HuffmanCode(std::span(lengths).subspan(literals, distances)));
    }

    bool compressed(const HuffmanCode& literals, const HuffmanCode& distances) {
        if (!literals.valid() || !distances.valid()) return false;
        while (!in_.failed()) {
            const int symbol = literals.symbol(in_);
            if (symbol == 256) return true;
            if (symbol < 0 || symbol > 285 || out.size() >= size_) return false;
            if (symbol < 256) {
                out += static_cast<char>(symbol);
                continue;
            }
            const auto l = static_cast<std::size_t>(symbol - 257);
            const std::size_t length = length_base[l] + in_.bits(length_bits[l]);
            const int d = distances.symbol(in_);
            if (d < 0 || d > 29) return false;
            const std::size_t distance =
                distance_base[d] + in_.bits(distance_bits[static_cast<std::size_t>(d)]);
            if (distance > out.size() || length > size_ - out.size()) return false;
            // Byte by byte: the copy may run into itself.
            for (std::size_t i = 0; i < length; ++i) out += out[out.size() - distance];
        }
        return false;
    }

    std::uint32_t adler32() const {
        std::uint32_t a = 1, b = 0;
        for (const char c : out) {
            a = (a + static_cast<unsigned char>(c)) % 65521;
            b = (b + a) % 65521;
        }
        return b << 16 | a;
    }

    BitReader in_;
    std::size_t size_;
};

}  // namespace

std::optional<std::string> inflate(std::string_view packed, std::size_t size) {
    Inflater inflater(packed, size);
    if (!inflater.run()) return {};
    return std::move(inflater.out);
}

}  // namespace pliant::mesh
