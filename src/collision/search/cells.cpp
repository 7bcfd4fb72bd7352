#include "collision/search/cells.h"

#include <algorithm>
#include <limits>

namespace pliant::collision {
namespace {

constexpr unsigned bucket_bits = 8;

// A point on its way to its place.
struct Placed {
    float x, y, z;
    std::uint32_t index, cell;
};

// By counting, twice: first into at most 256 buckets of cells, then in each bucket, which fits into the
// cache, by cell. Each thread takes a piece of the points, and the pieces fill a bucket one after the other:
// so every cell has its points in ascending order, whatever the number of pieces.
class Sorting {
public:
    Sorting(std::span<const Vec3> points, Cells& cells, Executor& executor)
        : points_(points),
          cells_(cells),
          grid_(cells.grid),
          executor_(executor),
          pieces_(std::max<std::size_t>(
              1, std::min<std::size_t>(static_cast<std::size_t>(executor.threads()), 8))),
          numbers_(points.size()),
          placed_(points.size()),
          next_(pieces_) {
        while ((grid_.count - 1) >> shift_ >> bucket_bits) ++shift_;
    }

    void run() {
        const std::size_t n = points_.size(), padded = n + points_at_once;
        cells_.first.resize(grid_.count + std::size_t(1));
        cells_.first[grid_.count] = static_cast<std::uint32_t>(n);
        for (auto* list : {&cells_.x, &cells_.y, &cells_.z}) *list = RawArray<float>(padded);
        cells_.index = RawArray<std::uint32_t>(padded);
        if (grid_.hashed) cells_.mark = RawArray<std::uint32_t>(padded);
        for (std::size_t i = n; i < padded; ++i) {
            cells_.x[i] = cells_.y[i] = cells_.z[i] = std::numeric_limits<float>::infinity();
            cells_.index[i] = 0;
            if (grid_.hashed) cells_.mark[i] = 0;
        }
        executor_.for_each(pieces_, [&](std::size_t piece) { count(piece); });
        sum_up();
        executor_.for_each(pieces_, [&](std::size_t piece) { fill(piece); });
        executor_.for_each(buckets, [&](std::size_t bucket) { sort(bucket); });
    }

private:
    static constexpr std::size_t buckets = std::size_t(1) << bucket_bits;

    std::size_t begin(std::size_t piece) const { return points_.size() * piece / pieces_; }

    void count(std::size_t piece) {
        std::array<std::uint32_t, buckets> counts{};
        for (std::size_t i = begin(piece); i < begin(piece + 1); ++i) {
            numbers_[i] = grid_.number_of(grid_.cell_of(points_[i]));
            ++counts[numbers_[i] >> shift_];
        }
        next_[piece] = counts;
    }

    void sum_up() {
        std::uint32_t sum = 0;
        for (std::size_t bucket = 0; bucket < buckets; ++bucket) {
            starts_[bucket] = sum;
            for (auto& counts : next_) {
                const std::uint32_t here = counts[bucket];
                counts[bucket] = sum;
                sum += here;
            }
        }
        starts_[buckets] = sum;
    }

    void fill(std::size_t piece) {
        std::array<std::uint32_t, buckets> next = next_[piece];
        for (std::size_t i = begin(piece); i < begin(piece + 1); ++i) {
            const Vec3& p = points_[i];
            placed_[next[numbers_[i] >> shift_]++] = {p.x, p.y, p.z, static_cast<std::uint32_t>(i),
                                                      numbers_[i]};
        }
    }

    void sort(std::size_t bucket) {
        const std::size_t first_cell = bucket << shift_;
        if (first_cell >= grid_.count) return;
        const std::size_t count = std::min(std::size_t(1) << shift_, grid_.count - first_cell);
        std::vector<std::uint32_t> next(count);
        for (std::uint32_t i = starts_[bucket]; i < starts_[bucket + 1]; ++i)
            ++next[placed_[i].cell - first_cell];
        std::uint32_t sum = starts_[bucket];
        for (std::size_t cell = 0; cell < count; ++cell) {
            const std::uint32_t here = next[cell];
            cells_.first[first_cell + cell] = next[cell] = sum;
            sum += here;
        }
        for (std::uint32_t i = starts_[bucket]; i < starts_[bucket + 1]; ++i) {
            const Placed& p = placed_[i];
            const std::uint32_t at = next[p.cell - first_cell]++;
            cells_.x[at] = p.x;
            cells_.y[at] = p.y;
            cells_.z[at] = p.z;
            cells_.index[at] = p.index;
            if (!grid_.hashed) continue;
            const CellGrid::Cell cell = grid_.cell_of({p.x, p.y, p.z});
            cells_.mark[at] = CellGrid::mark_of(cell[1], cell[2]);
        }
    }

    std::span<const Vec3> points_;
    Cells& cells_;
    const CellGrid& grid_;
    Executor& executor_;
    std::size_t pieces_;
    unsigned shift_ = 0;               // of a cell's number, to that of its bucket
    RawArray<std::uint32_t> numbers_;  // of each point's cell
    RawArray<Placed> placed_;
    std::vector<std::array<std::uint32_t, buckets>> next_;  // of each piece and bucket
    std::array<std::uint32_t, buckets + 1> starts_{};
};

}  // namespace

Cells sort_into_cells(std::span<const Vec3> points, const Bounds3d& bounds, double side, Executor& executor) {
    Cells cells;
    cells.grid = make_cell_grid(bounds, side, points.size());
    Sorting(points, cells, executor).run();
    return cells;
}

}  // namespace pliant::collision
