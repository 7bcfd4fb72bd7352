// Sets that grow together. The smallest member stands for its set, whatever the order of the joins.
#pragma once

#include <pliant/assertions.h>

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace pliant {

class UnionFind {
public:
    explicit UnionFind(std::size_t count) : parent_(count) {
        std::iota(parent_.begin(), parent_.end(), std::uint32_t{0});
    }

    std::uint32_t find(std::uint32_t a) {
        PLIANT_ASSERT(a < parent_.size());
        while (parent_[a] != a) {
            parent_[a] = parent_[parent_[a]];
            a = parent_[a];
        }
        return a;
    }

    void join(std::uint32_t a, std::uint32_t b) {
        a = find(a);
        b = find(b);
        if (a > b) std::swap(a, b);
        parent_[b] = a;
    }

    // Numbers the sets in the order of their smallest members; set_of[member] is one of 0 … count − 1.
    // Returns their count.
    std::uint32_t number_sets(std::vector<std::uint32_t>& set_of) {
        std::uint32_t count = 0;
        set_of.resize(parent_.size());
        for (std::uint32_t member = 0; member < parent_.size(); ++member) {
            const std::uint32_t first = find(member);
            set_of[member] = first == member ? count++ : set_of[first];
        }
        return count;
    }

private:
    std::vector<std::uint32_t> parent_;
};

}  // namespace pliant
