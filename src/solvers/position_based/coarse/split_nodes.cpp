#include "solvers/position_based/coarse/split_nodes.h"

#include <algorithm>
#include <utility>

#include "base/union_find.h"

namespace pliant::solvers::position_based {
namespace {

constexpr std::uint32_t none = 0xffffffff;

class NodeSplitter {
public:
    NodeSplitter(const std::array<std::uint32_t, 3>& grid, std::span<const GridPlace> particles,
                 std::span<const GridPlace> elements, std::span<const Tetrahedron> tetrahedra)
        : grid_(grid), particles_(particles), elements_(elements), tetrahedra_(tetrahedra) {}

    SplitNodes run() {
        nodes_.of_particles.assign(particles_.size(), {});
        nodes_.of_elements.assign(elements_.size(), {});
        first_seen_.assign(particles_.size(), none);
        local_.assign(elements_.size(), none);
        sort_into_boxes();
        for (std::uint32_t z = 0; z <= grid_[2]; ++z) {
            for (std::uint32_t y = 0; y <= grid_[1]; ++y) {
                for (std::uint32_t x = 0; x <= grid_[0]; ++x) split({x, y, z});
            }
        }
        return std::move(nodes_);
    }

private:
    std::size_t index(const std::array<std::uint32_t, 3>& box) const {
        return (std::size_t(box[2]) * grid_[1] + box[1]) * grid_[0] + box[0];
    }

    // Elements that have their middle or a particle in a box; particles, and elements by their middle.
    void sort_into_boxes() {
        const std::size_t boxes = std::size_t(grid_[0]) * grid_[1] * grid_[2];
        touching_.resize(boxes);
        in_.resize(boxes);
        middles_.resize(boxes);
        for (std::uint32_t p = 0; p < particles_.size(); ++p) in_[index(particles_[p].box)].push_back(p);
        for (std::uint32_t t = 0; t < elements_.size(); ++t) {
            middles_[index(elements_[t].box)].push_back(t);
            std::array<std::size_t, 5> of{index(elements_[t].box)};
            for (std::size_t k = 0; k < 4; ++k) of[k + 1] = index(particles_[tetrahedra_[t][k]].box);
            std::sort(of.begin(), of.end());
            const auto end = std::unique(of.begin(), of.end());
            for (auto box = of.begin(); box != end; ++box) touching_[*box].push_back(t);
        }
    }

    // Calls f(box, number of this corner among the box's) for every box around a corner.
    template <class F>
    void for_each_box(const std::array<std::uint32_t, 3>& corner, F&& f) const {
        for (std::uint32_t c = 0; c < 8; ++c) {
            const std::array<std::uint32_t, 3> bits{c & 1, c >> 1 & 1, c >> 2};
            std::array<std::uint32_t, 3> box{};
            bool exists = true;
            for (std::size_t k = 0; k < 3; ++k) {
                exists = exists && corner[k] >= bits[k] && corner[k] - bits[k] < grid_[k];
                box[k] = corner[k] - bits[k];
            }
            if (exists) f(index(box), std::size_t(c));
        }
    }

    void split(const std::array<std::uint32_t, 3>& corner) {
        // Number the elements around the corner, and join those that share a particle.
        around_.clear();
        for_each_box(corner, [&](std::size_t box, std::size_t) {
            for (const std::uint32_t t : touching_[box]) {
                if (local_[t] == none) {
                    local_[t] = static_cast<std::uint32_t>(around_.size());
                    around_.push_back(t);
                }
            }
        });
        UnionFind connected(around_.size());
        for (std::uint32_t i = 0; i < around_.size(); ++i) {
            for (const std::uint32_t p : tetrahedra_[around_[i]]) {
                if (first_seen_[p] == none) first_seen_[p] = i;
                connected.join(first_seen_[p], i);
            }
        }
        // Give each set a node.
        std::vector<std::uint32_t> set_of;
        const std::uint32_t sets = connected.number_sets(set_of);
        for_each_box(corner, [&](std::size_t box, std::size_t c) {
            for (const std::uint32_t t : middles_[box])
                nodes_.of_elements[t][c] = nodes_.count + set_of[local_[t]];
            for (const std::uint32_t p : in_[box])
                nodes_.of_particles[p][c] = nodes_.count + set_of[first_seen_[p]];
        });
        nodes_.count += sets;
        for (const std::uint32_t t : around_) {
            local_[t] = none;
            for (const std::uint32_t p : tetrahedra_[t]) first_seen_[p] = none;
        }
    }

    const std::array<std::uint32_t, 3> grid_;
    std::span<const GridPlace> particles_, elements_;
    std::span<const Tetrahedron> tetrahedra_;
    SplitNodes nodes_;
    std::vector<std::vector<std::uint32_t>> touching_, in_, middles_;  // by box
    std::vector<std::uint32_t> around_;                                // elements around a corner
    std::vector<std::uint32_t> local_;                                 // their number there
    std::vector<std::uint32_t> first_seen_;                            // by particle: the first of them
};

}  // namespace

SplitNodes split_nodes(const std::array<std::uint32_t, 3>& grid, std::span<const GridPlace> particles,
                       std::span<const GridPlace> elements, std::span<const Tetrahedron> tetrahedra) {
    return NodeSplitter(grid, particles, elements, tetrahedra).run();
}

}  // namespace pliant::solvers::position_based
