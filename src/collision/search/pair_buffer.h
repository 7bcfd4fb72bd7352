// Pairs that are found one after the other, in memory that is not written before.
#pragma once

#include <pliant/error.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "base/parallel.h"

namespace pliant::collision {

using Pair = std::array<std::uint32_t, 2>;

class PairBuffer {
public:
    PairBuffer() = default;
    PairBuffer(PairBuffer&& other) noexcept : data_(other.data_), size_(other.size_), room_(other.room_) {
        other.data_ = nullptr;
    }
    PairBuffer& operator=(PairBuffer&&) = delete;
    ~PairBuffer() { std::free(data_); }

    // For that many more; null if there is no memory.
    Pair* room_for(std::size_t more) {
        if (size_ + more > room_) {
            const std::size_t room = 2 * room_ + more + 4096;
            void* const grown = std::realloc(static_cast<void*>(data_), room * sizeof(Pair));
            failed_ = failed_ || !grown;
            if (!grown) return nullptr;
            data_ = static_cast<Pair*>(grown);
            room_ = room;
        }
        return data_ + size_;
    }
    void take(std::size_t more) { size_ += more; }

    const Pair* begin() const { return data_; }
    const Pair* end() const { return data_ + size_; }
    std::size_t size() const { return size_; }
    bool failed() const { return failed_; }

private:
    Pair* data_ = nullptr;
    std::size_t size_ = 0, room_ = 0;
    bool failed_ = false;
};

inline Result<std::vector<Pair>> joined(const std::vector<PairBuffer>& found, std::size_t most,
                                        Error too_many, Executor& executor) {
    std::vector<std::size_t> starts;
    std::size_t sum = 0;
    for (const PairBuffer& buffer : found) {
        if (buffer.failed()) return Error{"points", "there is not enough memory for all pairs"};
        starts.push_back(sum);
        sum += buffer.size();
        if (sum > most) return too_many;
    }
    if (found.size() == 1) return std::vector<Pair>(found[0].begin(), found[0].end());
    std::vector<Pair> pairs(sum);
    executor.for_each(found.size(), [&](std::size_t i) {
        if (found[i].size() > 0)
            std::memcpy(pairs.data() + starts[i], found[i].begin(), found[i].size() * sizeof(Pair));
    });
    return pairs;
}

}  // namespace pliant::collision
