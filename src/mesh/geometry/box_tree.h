// Finds boxes near a place. Boxes are sorted along a space-filling curve and cut into leaves of a few; a
// perfect binary tree stands over the leaves: node n has the children 2n and 2n + 1, and node 1 is the
// root. Built in linear time.
#pragma once

#include <pliant/bounds.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace pliant::mesh {

class BoxTree {
public:
    // Boxes must be finite.
    explicit BoxTree(std::span<const Bounds3> boxes);

    // Calls visit(number of the box) for every box that meets this one, in an order fixed by the boxes.
    template <class Visit>
    void for_each_meeting(const Bounds3& box, Visit&& visit) const {
        std::array<std::uint32_t, 64> stack;  // one sibling for each level, at most
        std::size_t depth = 0;
        if (!items_.empty()) stack[depth++] = 1;
        while (depth > 0) {
            const std::uint32_t node = stack[--depth];
            if (!nodes_[node].meets(box)) continue;
            if (node < leaves_) {
                stack[depth++] = 2 * node + 1;
                stack[depth++] = 2 * node;
                continue;
            }
            for (const Item& item : leaf(node)) {
                if (item.box.meets(box)) visit(item.number);
            }
        }
    }

    // Calls visit(number) for boxes that may hold what is nearest to the point. It returns the squared
    // distance beyond which nothing is of interest any more.
    template <class Visit>
    void for_each_near(const Vec3d& point, Visit&& visit) const {
        struct Waiting {
            std::uint32_t node;
            double squared_distance;
        };
        std::array<Waiting, 64> stack;
        std::size_t depth = 0;
        double limit = std::numeric_limits<double>::max();
        if (!items_.empty()) stack[depth++] = {1, 0};
        while (depth > 0) {
            const Waiting waiting = stack[--depth];
            if (waiting.squared_distance > limit) continue;
            const std::uint32_t node = waiting.node;
            if (node >= leaves_) {
                for (const Item& item : leaf(node)) {
                    if (item.box.squared_distance(point) <= limit) limit = visit(item.number);
                }
                continue;
            }
            // The nearer child comes first.
            Waiting left{2 * node, nodes_[2 * node].squared_distance(point)};
            Waiting right{2 * node + 1, nodes_[2 * node + 1].squared_distance(point)};
            const bool left_first = left.squared_distance <= right.squared_distance;
            stack[depth++] = left_first ? right : left;
            stack[depth++] = left_first ? left : right;
        }
    }

private:
    static constexpr std::uint32_t leaf_size = 4;

    struct Item {
        Bounds3 box;
        std::uint32_t number;
    };

    std::span<const Item> leaf(std::uint32_t node) const {
        const std::size_t first = std::size_t{node - leaves_} * leaf_size;
        if (first >= items_.size()) return {};
        return std::span(items_).subspan(
            first, first + leaf_size < items_.size() ? leaf_size : items_.size() - first);
    }

    std::vector<Item> items_{};  // along the curve
    std::vector<Bounds3> nodes_{};
    std::uint32_t leaves_ = 1;  // a power of two
};

}  // namespace pliant::mesh
