#include "mesh/delaunay/insertion_order.h"

#include <pliant/bounds.h>

#include "mesh/topology/radix_sort.h"

#include <algorithm>
#include <array>

namespace pliant::mesh {
namespace {

constexpr int bits_per_axis = 20;
constexpr std::size_t smallest_round = 64;
constexpr std::size_t crowd = 16;

// One level of the curve: which place among the eight octants comes when, and how the curve runs in there.
struct Step {
    std::uint8_t place, next_state;
};

constexpr std::uint32_t rotate_left(std::uint32_t three_bits, std::uint32_t by) {
    return (three_bits << by | three_bits >> (3 - by)) & 7;
}

// A state is the corner where the curve enters a cube and the axis along which it leaves: 3 · entry + axis.
// C. Hamilton, Compact Hilbert Indices, Dalhousie University 2006, algorithm 2.
constexpr std::array<std::array<Step, 8>, 24> make_curve() {
    std::array<std::array<Step, 8>, 24> curve{};
    for (std::uint32_t state = 0; state < 24; ++state) {
        const std::uint32_t entry = state / 3, axis = state % 3;
        for (std::uint32_t octant = 0; octant < 8; ++octant) {
            const std::uint32_t gray = rotate_left(octant ^ entry, (2 - axis) % 3);
            const std::uint32_t place = gray ^ gray >> 1 ^ gray >> 2;
            const std::uint32_t before = place == 0 ? 0 : (place - 1) & ~1u;
            const std::uint32_t inner_entry = before ^ before >> 1;
            std::uint32_t ones = 0;  // trailing ones of the odd place next to the inner axis' edge
            for (std::uint32_t p = place == 0 ? 0 : place - 1 + place % 2; p & 1; p >>= 1) ++ones;
            const std::uint32_t next_entry = entry ^ rotate_left(inner_entry, (axis + 1) % 3);
            const std::uint32_t next_axis = (axis + ones + 1) % 3;
            curve[state][octant] = {static_cast<std::uint8_t>(place),
                                    static_cast<std::uint8_t>(3 * next_entry + next_axis)};
        }
    }
    return curve;
}

constexpr auto curve = make_curve();

std::uint64_t place_on_curve(std::uint32_t x, std::uint32_t y, std::uint32_t z) {
    std::uint64_t place = 0;
    std::uint32_t state = 0;
    for (int bit = bits_per_axis - 1; bit >= 0; --bit) {
        const std::uint32_t octant = (x >> bit & 1) | (y >> bit & 1) << 1 | (z >> bit & 1) << 2;
        const Step step = curve[state][octant];
        place = place << 3 | step.place;
        state = step.next_state;
    }
    return place;
}

// How many times in a row one in eight is drawn (splitmix64): 0 for seven points in eight.
std::uint32_t draw_level(std::uint64_t index, std::uint32_t highest) {
    std::uint64_t z = (index + 1) * 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    z ^= z >> 31;
    std::uint32_t level = 0;
    for (; level < highest && (z & 7) == 0; z >>= 3) ++level;
    return level;
}

// Sorts indices along the curve through the box around their points; where many fall into one cell of the
// curve's finest level, again through their own box.
void sort_along_curve(std::span<const Vec3d> points, std::span<std::uint32_t> indices) {
    Bounds3d box{points[indices[0]], points[indices[0]]};
    for (const std::uint32_t i : indices) box.add(points[i]);
    const Vec3d size = box.high - box.low;
    const double longest = std::max({size.x, size.y, size.z});
    if (longest == 0) return;

    const double scale = ((1 << bits_per_axis) - 1) / longest;
    std::vector<std::array<std::uint32_t, 3>> records;
    records.reserve(indices.size());
    for (const std::uint32_t i : indices) {
        const Vec3d p = (points[i] - box.low) * scale;
        const std::uint64_t place =
            place_on_curve(static_cast<std::uint32_t>(p.x), static_cast<std::uint32_t>(p.y),
                           static_cast<std::uint32_t>(p.z));
        records.push_back({static_cast<std::uint32_t>(place >> 32), static_cast<std::uint32_t>(place), i});
    }
    radix_sort<2>(records);
    for (std::size_t i = 0; i < records.size(); ++i) indices[i] = records[i][2];

    for (std::size_t begin = 0, end = 0; begin < records.size(); begin = end) {
        while (end < records.size() && records[end][0] == records[begin][0] &&
               records[end][1] == records[begin][1])
            ++end;
        if (end - begin > crowd) sort_along_curve(points, indices.subspan(begin, end - begin));
    }
}

}  // namespace

std::vector<std::uint32_t> insertion_order(std::span<const Vec3d> points) {
    std::uint32_t rounds = 1;
    for (std::size_t n = points.size() / 8; n >= smallest_round; n /= 8) ++rounds;

    std::vector<std::array<std::uint32_t, 2>> records(points.size());  // {round, index}
    for (std::size_t i = 0; i < points.size(); ++i) {
        records[i] = {rounds - 1 - draw_level(i, rounds - 1), static_cast<std::uint32_t>(i)};
    }
    radix_sort<1>(records);
    std::vector<std::uint32_t> order(points.size());
    std::transform(records.begin(), records.end(), order.begin(),
                   [](const auto& record) { return record[1]; });
    for (std::size_t begin = 0, end = 0; begin < order.size(); begin = end) {
        while (end < order.size() && records[end][0] == records[begin][0]) ++end;
        sort_along_curve(points, std::span(order).subspan(begin, end - begin));
    }
    return order;
}

}  // namespace pliant::mesh
