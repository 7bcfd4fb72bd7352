// Sets that grow together. The smallest member stands for its set, whatever the order of the joins.
#pragma once

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

private:
    std::vector<std::uint32_t> parent_;
};

}  // namespace pliant
