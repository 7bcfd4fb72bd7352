// All pairs within a distance: neighbours() beside nanoflann, build and query together, on one thread.
#include <pliant/neighbours.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <limits>
#include <nanoflann.hpp>
#include <random>
#include <utility>
#include <vector>

namespace {

using pliant::Vec3;

struct Cloud {
    const std::vector<Vec3>& points;
    std::size_t kdtree_get_point_count() const { return points.size(); }
    float kdtree_get_pt(std::size_t i, std::size_t axis) const {
        return axis == 0 ? points[i].x : axis == 1 ? points[i].y : points[i].z;
    }
    template <class Box>
    bool kdtree_get_bbox(Box&) const {
        return false;
    }
};
using Tree = nanoflann::KDTreeSingleIndexAdaptor<nanoflann::L2_Simple_Adaptor<float, Cloud>, Cloud, 3>;

struct Measured {
    double milliseconds = std::numeric_limits<double>::infinity();
    std::size_t pairs = 0;
};

template <class F>
void measure(Measured& best, F&& count_pairs) {
    const auto start = std::chrono::steady_clock::now();
    best.pairs = count_pairs();
    const std::chrono::duration<double, std::milli> taken = std::chrono::steady_clock::now() - start;
    best.milliseconds = std::min(best.milliseconds, taken.count());
}

std::size_t pairs_by_tree(const std::vector<Vec3>& points, float distance) {
    const Cloud cloud{points};
    Tree tree(3, cloud, {10});
    tree.buildIndex();
    nanoflann::SearchParams parameters;
    parameters.sorted = false;
    std::vector<std::pair<std::uint32_t, float>> near;
    std::size_t found = 0;
    for (const Vec3& p : points) {
        const float at[3] = {p.x, p.y, p.z};
        found += tree.radiusSearch(at, distance * distance, near, parameters);
    }
    return (found - points.size()) / 2;
}

// Random, with 3.5 pairs for each point.
std::vector<Vec3> random_points(std::size_t count) {
    std::mt19937 random(1);
    const double side = std::cbrt(static_cast<double>(count) * 4.18879 / 7);
    std::uniform_real_distribution<float> coordinate(0, static_cast<float>(side));
    std::vector<Vec3> points(count);
    for (Vec3& p : points) p = {coordinate(random), coordinate(random), coordinate(random)};
    return points;
}

}  // namespace

int main() {
    for (const std::size_t count : {100'000, 1'000'000}) {
        const std::vector<Vec3> points = random_points(count);
        Measured ours, tree;
        for (int i = 0; i < 3; ++i) {  // by turns, so that both meet the same load
            for (int k = 0; k < 3; ++k) measure(ours, [&] { return pliant::neighbours(points, 1)->size(); });
            measure(tree, [&] { return pairs_by_tree(points, 1); });
        }
        std::printf("%zu points: %.1f ms, %zu pairs; nanoflann %.1f ms, %zu pairs; %.1f times as fast\n",
                    count, ours.milliseconds, ours.pairs, tree.milliseconds, tree.pairs,
                    tree.milliseconds / ours.milliseconds);
    }
}
