#include <pliant/neighbours.h>

#include <pliant/bounds.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

#include "base/floating_point.h"
#include "base/format.h"
#include "collision/search/cells.h"
#include "collision/search/pair_buffer.h"
#include "collision/search/scan.h"

namespace pliant {
namespace {

using namespace collision;

constexpr std::size_t chunks_at_most = 256;
constexpr double most_candidates = 100;  // looked at for each pair that is allowed

Error bad_point(std::span<const Vec3> points, float limit) {
    std::size_t i = 0;
    const auto is_good = [&](const Vec3& p) {
        return std::abs(p.x) <= limit && std::abs(p.y) <= limit && std::abs(p.z) <= limit;
    };
    while (is_good(points[i])) ++i;
    const Vec3& p = points[i];
    return {fmt::format("points/{}", i),
            fmt::format("must be finite and within 1e9 distances, got ({}, {}, {})", p.x, p.y, p.z)};
}

struct Extent {
    float low[3], high[3];
};

// Of the points, all of which must be within the limit; NaN where one is not.
Extent extent_of(std::span<const Vec3> points, float limit) {
    const Vec3 p = points[0];
    Extent e{{p.x, p.y, p.z}, {p.x, p.y, p.z}};
    bool is_good = true;
    for (const Vec3& q : points) {
        const float at[3] = {q.x, q.y, q.z};
        for (int c = 0; c < 3; ++c) {
            is_good &= std::abs(at[c]) <= limit;
            e.low[c] = at[c] < e.low[c] ? at[c] : e.low[c];
            e.high[c] = at[c] > e.high[c] ? at[c] : e.high[c];
        }
    }
    if (!is_good) e.low[0] = std::numeric_limits<float>::quiet_NaN();
    return e;
}

Status check(std::span<const Vec3> points, float distance, Bounds3d& bounds, Executor& executor) {
    const auto pieces = std::min(points.size(), static_cast<std::size_t>(executor.threads()));
    std::vector<Extent> extents(pieces);
    const float limit = 1e9f * distance;
    executor.for_each(pieces, [&](std::size_t i) {
        const std::size_t first = points.size() * i / pieces, end = points.size() * (i + 1) / pieces;
        extents[i] = extent_of(points.subspan(first, end - first), limit);
    });
    for (const Extent& e : extents) {
        if (std::isnan(e.low[0])) return bad_point(points, limit);
        bounds.add(Vec3d{e.low[0], e.low[1], e.low[2]});
        bounds.add(Vec3d{e.high[0], e.high[1], e.high[2]});
    }
    return {};
}

class Search {
public:
    Search(const Cells& cells, std::size_t points, float distance, const NeighbourOptions& options)
        : cells_(cells), points_(points), distance_(distance), options_(options) {}

    // How many pairs of points will be looked at, at most.
    double candidates() const {
        double sum = 0;
        const std::vector<std::uint32_t>& first = cells_.first;
        for (std::size_t i = 0; i + 1 < first.size(); ++i) {
            const double here = first[i + 1] - first[i];
            sum += here * here / 2;
        }
        return sum;
    }

    // What a thread takes at a time: rows of cells, or where cells share numbers, points in their order.
    std::size_t items() const {
        const CellGrid& grid = cells_.grid;
        return grid.hashed ? points_ : static_cast<std::size_t>(grid.size[1] * grid.size[2]);
    }

    // Stops where all threads together found more than are allowed.
    void scan(std::size_t begin, std::size_t end, PairBuffer& found) {
        if (cells_.grid.hashed) return scan_points(begin, end, found);
        for (std::size_t row = begin; row < end; ++row) {
            if (!scan_row(row, found)) return;
        }
    }

private:
    // Of a cell, what lies behind it: the rest of it and the cell next to it, one range; and of four rows the
    // three cells at it. Rows at the border are empty.
    bool scan_row(std::size_t row, PairBuffer& found) {
        const auto width = static_cast<std::size_t>(cells_.grid.size[0]),
                   depth = static_cast<std::size_t>(cells_.grid.size[1]);
        const std::uint32_t* const first = cells_.first.data() + row * width;
        if (first[0] == first[width]) return true;
        const std::uint32_t* const others[4] = {first + width, first + width * (depth - 1),
                                                first + width * depth, first + width * (depth + 1)};
        const std::size_t known = found.size();
        std::array<PointRange, 5> ranges;
        for (std::size_t x = 1; x + 1 < width; ++x) {
            if (first[x] == first[x + 1]) continue;
            std::size_t most = first[x + 2] - first[x] + points_at_once;
            ranges[0].end = first[x + 2];
            for (std::size_t k = 0; k < 4; ++k) {
                ranges[k + 1] = {others[k][x - 1], others[k][x + 2]};
                most += ranges[k + 1].end - ranges[k + 1].first;
            }
            for (std::uint32_t at = first[x]; at < first[x + 1]; ++at) {
                ranges[0].first = at + 1;
                Pair* const room = found.room_for(most);
                if (!room) return false;
                found.take(compare_(cells_, at, ranges, distance_, room));
            }
            if (found.size() > options_.most_pairs) return false;
        }
        return is_allowed(found.size() - known);
    }

    bool is_allowed(std::size_t more) {
        return total_.fetch_add(more, std::memory_order_relaxed) + more <= options_.most_pairs;
    }

    // All points of a cell see the same ranges; where cells share a number, those of a run do.
    void scan_points(std::size_t begin, std::size_t end, PairBuffer& found) {
        const auto cell_at = [&](std::size_t i) {
            return cells_.grid.cell_of({cells_.x[i], cells_.y[i], cells_.z[i]});
        };
        std::array<PointRange, 10> ranges;
        std::size_t at = begin;
        while (at < end) {
            const auto cell = cell_at(at);
            std::size_t next = at + 1;
            while (next < end && cell_at(next) == cell) ++next;
            const std::size_t count = cells_.grid.find_ranges(cell, cells_.first, ranges),
                              known = found.size();
            for (; at < next; ++at) {
                // Of its own cell, those behind it.
                ranges[0].first = static_cast<std::uint32_t>(at) + 1;
                std::size_t most = points_at_once;
                for (std::size_t k = 0; k < count; ++k) most += ranges[k].end - ranges[k].first;
                Pair* const room = found.room_for(most);
                if (!room) return;
                found.take(compare_(cells_, static_cast<std::uint32_t>(at), {ranges.data(), count}, distance_,
                                    room));
                if (found.size() > options_.most_pairs) return;
            }
            if (!is_allowed(found.size() - known)) return;
        }
    }

    const Cells& cells_;
    std::size_t points_;
    float distance_;
    const NeighbourOptions& options_;
    const PairScan compare_ = pair_scan();
    std::atomic<std::size_t> total_ = 0;
};

Error too_many(std::size_t most) {
    return {
        "points",
        fmt::format("have more than {} pairs within the distance: raise most_pairs, or choose a smaller one",
                    most)};
}

}  // namespace

Result<std::vector<std::array<std::uint32_t, 2>>> neighbours(std::span<const Vec3> points, float distance,
                                                             const NeighbourOptions& options) {
    const StandardFloatingPoint floating_point;
    if (!(distance > 0 && distance <= 1e9f))
        return Error{"distance", fmt::format("must be in (0, 1e9], got {:g}", distance)};
    if (points.size() > 0x7fffffff)
        return Error{"points", fmt::format("must be fewer than 2^31, got {}", points.size())};
    if (points.empty()) return std::vector<Pair>{};
    Executor executor(options.threads, {});
    Bounds3d bounds;
    if (Status status = check(points, distance, bounds, executor); !status) return status.error();
    // A little more than the distance, so that rounding of cells loses no pair.
    const Cells cells = sort_into_cells(points, bounds, distance * (1 + 1e-6), executor);
    Search search(cells, points.size(), distance, options);
    if (search.candidates() > most_candidates * static_cast<double>(options.most_pairs))
        return too_many(options.most_pairs);
    const std::size_t chunks = executor.threads() == 1 ? 1 : chunks_at_most, items = search.items();
    std::vector<PairBuffer> found(chunks);
    executor.for_each(
        chunks, [&](std::size_t i) { search.scan(items * i / chunks, items * (i + 1) / chunks, found[i]); });
    return joined(found, options.most_pairs, too_many(options.most_pairs), executor);
}

}  // namespace pliant
