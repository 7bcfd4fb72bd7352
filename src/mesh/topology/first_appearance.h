// Numbers things of N words of bits in the order in which they first appear.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

namespace pliant::mesh {

inline std::uint32_t bits_of(float number) {
    std::uint32_t bits;
    std::memcpy(&bits, &number, sizeof(bits));
    return bits;
}

template <std::size_t N>
class FirstAppearance {
public:
    using Key = std::array<std::uint32_t, N>;

    // A new key's number is the count of keys before it.
    std::uint32_t number(const Key& key) {
        if (2 * (keys_.size() + 1) > table_.size()) grow();
        std::size_t slot = slot_of(key);
        while (table_[slot] != empty && keys_[table_[slot]] != key) slot = (slot + 1) & (table_.size() - 1);
        if (table_[slot] == empty) {
            table_[slot] = static_cast<std::uint32_t>(keys_.size());
            keys_.push_back(key);
        }
        return table_[slot];
    }
    std::size_t size() const { return keys_.size(); }

private:
    static constexpr std::uint32_t empty = std::numeric_limits<std::uint32_t>::max();

    std::size_t slot_of(const Key& key) const {
        std::uint64_t hash = 0;
        for (const std::uint32_t word : key) {
            hash = (hash ^ word) * 0x9e3779b97f4a7c15;
            hash ^= hash >> 32;
        }
        return static_cast<std::size_t>(hash) & (table_.size() - 1);
    }
    void grow() {
        table_.assign(table_.empty() ? 64 : 2 * table_.size(), empty);
        for (std::size_t i = 0; i < keys_.size(); ++i) {
            std::size_t slot = slot_of(keys_[i]);
            while (table_[slot] != empty) slot = (slot + 1) & (table_.size() - 1);
            table_[slot] = static_cast<std::uint32_t>(i);
        }
    }

    std::vector<Key> keys_;
    std::vector<std::uint32_t> table_;
};

}  // namespace pliant::mesh
