#include "mesh/geometry/box_tree.h"

#include "base/convert.h"
#include "mesh/topology/radix_sort.h"

namespace pliant::mesh {
namespace {

// Two zeros before each of the 10 bits.
std::uint32_t spread_bits(std::uint32_t a) {
    a = (a | a << 16) & 0x030000ff;
    a = (a | a << 8) & 0x0300f00f;
    a = (a | a << 4) & 0x030c30c3;
    return (a | a << 2) & 0x09249249;
}

}  // namespace

BoxTree::BoxTree(std::span<const Bounds3> boxes) {
    // Sort the boxes by their middles along Morton's curve through 1024³ cells.
    Bounds3 all;
    for (const Bounds3& box : boxes) all.add(box);
    const auto cell = [](float low_a, float high_a, float low, float high) {
        const double middle = 0.5 * (static_cast<double>(low_a) + high_a) - low;
        const double size = static_cast<double>(high) - low;
        return size > 0 ? static_cast<std::uint32_t>(middle / size * 1023) : 0;
    };
    std::vector<std::array<std::uint32_t, 2>> order;
    order.reserve(boxes.size());
    for (std::uint32_t i = 0; i < boxes.size(); ++i) {
        const Vec3 &low = boxes[i].low, &high = boxes[i].high;
        const std::uint32_t x = cell(low.x, high.x, all.low.x, all.high.x),
                            y = cell(low.y, high.y, all.low.y, all.high.y),
                            z = cell(low.z, high.z, all.low.z, all.high.z);
        order.push_back({spread_bits(x) | spread_bits(y) << 1 | spread_bits(z) << 2, i});
    }
    radix_sort<1>(order);
    items_.reserve(boxes.size());
    for (const auto& entry : order) items_.push_back({boxes[entry[1]], entry[1]});

    // Bounds of the leaves, then of their parents.
    while (leaves_ * leaf_size < items_.size()) leaves_ *= 2;
    nodes_.resize(std::size_t{2} * leaves_);
    for (std::size_t i = 0; i < items_.size(); ++i) nodes_[leaves_ + i / leaf_size].add(items_[i].box);
    for (std::size_t node = leaves_; node-- > 1;) {
        nodes_[node] = nodes_[2 * node];
        nodes_[node].add(nodes_[2 * node + 1]);
    }
}

}  // namespace pliant::mesh
