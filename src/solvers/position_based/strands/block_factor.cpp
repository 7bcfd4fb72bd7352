#include "solvers/position_based/strands/block_factor.h"

#include <algorithm>

#include <pliant/assertions.h>

namespace pliant::solvers::position_based {
namespace {

// L and 1/D of a block in its place: l₁₀, l₂₀, l₂₁ below the diagonal. An inverse by cofactors would lose all
// digits where a block is stiff in one direction and light in the others.
void factor(Block& m) {
    m[0] = 1 / m[0];
    const double l10 = m[3] * m[0], l20 = m[6] * m[0];
    m[4] = 1 / (m[4] - l10 * m[3]);
    const double below = m[7] - l20 * m[3], l21 = below * m[4];
    m[8] = 1 / (m[8] - l20 * m[6] - l21 * below);
    m[3] = l10;
    m[6] = l20;
    m[7] = l21;
}
Vec3d solve_block(const Block& m, const Vec3d& v) {
    const double y1 = v.y - m[3] * v.x, y2 = v.z - m[6] * v.x - m[7] * y1;
    const double z = y2 * m[8], y = y1 * m[4] - m[7] * z;
    return {v.x * m[0] - m[3] * y - m[6] * z, y, z};
}
// e·m⁻¹, of a symmetric block that is factored.
Block divided(const Block& e, const Block& m) {
    Block result;
    for (std::size_t i = 0; i < 3; ++i) {
        const Vec3d row = solve_block(m, {e[3 * i], e[3 * i + 1], e[3 * i + 2]});
        result[3 * i] = row.x;
        result[3 * i + 1] = row.y;
        result[3 * i + 2] = row.z;
    }
    return result;
}
// m −= a·bᵀ
void subtract(Block& m, const Block& a, const Block& b) {
    for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t k = 0; k < 3; ++k)
            m[3 * i + k] -= a[3 * i] * b[3 * k] + a[3 * i + 1] * b[3 * k + 1] + a[3 * i + 2] * b[3 * k + 2];
    }
}
Vec3d times(const Block& m, const Vec3d& v) {
    return {m[0] * v.x + m[1] * v.y + m[2] * v.z, m[3] * v.x + m[4] * v.y + m[5] * v.z,
            m[6] * v.x + m[7] * v.y + m[8] * v.z};
}
Vec3d times_transposed(const Block& m, const Vec3d& v) {
    return {m[0] * v.x + m[3] * v.y + m[6] * v.z, m[1] * v.x + m[4] * v.y + m[7] * v.z,
            m[2] * v.x + m[5] * v.y + m[8] * v.z};
}

void insert_sorted(std::vector<std::uint32_t>& into, std::uint32_t value) {
    const auto at = std::lower_bound(into.begin(), into.end(), value);
    if (at == into.end() || *at != value) into.insert(at, value);
}

constexpr std::uint32_t none = 0xffffffff;

}  // namespace

void BlockFactor::reserve(std::size_t rows) {
    around_.resize(rows);
    for (auto& around : around_) around.reserve(64);
    place_.reserve(rows), row_at_.reserve(rows);
    begins_.reserve(rows + 1), target_begins_.reserve(rows + 1);
    diagonals_.reserve(rows), right_.reserve(rows);
    entry_rows_.reserve(16 * rows), entries_.reserve(16 * rows);
    targets_.reserve(128 * rows);
}

void BlockFactor::eliminate(std::uint32_t row) {
    place_[row] = static_cast<std::uint32_t>(row_at_.size());
    row_at_.push_back(row);
    for (const std::uint32_t other : around_[row]) {
        auto& beside = around_[other];
        beside.erase(std::lower_bound(beside.begin(), beside.end(), row));
        for (const std::uint32_t third : around_[row]) {
            if (third != other) insert_sorted(beside, third);
        }
        entry_rows_.push_back(other);  // rows for now, not places
    }
    begins_.push_back(static_cast<std::uint32_t>(entry_rows_.size()));
}

void BlockFactor::order(std::size_t rows) {
    place_.assign(rows, none);
    row_at_.clear();
    begins_.assign(1, 0);
    entry_rows_.clear();
    for (std::uint32_t row = 0; row < rows; ++row) {
        if (around_[row].size() <= 2) eliminate(row);
    }
    while (row_at_.size() < rows) {
        std::uint32_t best = none;
        for (std::uint32_t row = 0; row < rows; ++row) {
            if (place_[row] != none) continue;
            if (best == none || around_[row].size() < around_[best].size()) best = row;
        }
        eliminate(best);
    }
    for (std::uint32_t& row : entry_rows_) row = place_[row];
    for (std::size_t column = 0; column < rows; ++column)
        std::sort(entry_rows_.begin() + begins_[column], entry_rows_.begin() + begins_[column + 1]);
}

void BlockFactor::analyze(std::size_t rows,
                          std::span<const std::pair<std::uint32_t, std::uint32_t>> couples) {
    if (around_.size() < rows) around_.resize(rows);
    for (auto& around : around_) around.clear();
    for (const auto& [a, b] : couples) {
        if (a == b) continue;
        insert_sorted(around_[a], b);
        insert_sorted(around_[b], a);
    }
    order(rows);
    targets_.clear();
    target_begins_.assign(1, 0);
    for (std::size_t column = 0; column < rows; ++column) {
        for (std::uint32_t from = begins_[column]; from < begins_[column + 1]; ++from) {
            for (std::uint32_t with = begins_[column]; with < from; ++with)
                targets_.push_back(entry(entry_rows_[from], entry_rows_[with]));
            targets_.push_back(entry_rows_[from]);
        }
        target_begins_.push_back(static_cast<std::uint32_t>(targets_.size()));
    }
    diagonals_.resize(rows);
    entries_.resize(entry_rows_.size());
    right_.resize(rows);
}

std::uint32_t BlockFactor::entry(std::uint32_t place, std::uint32_t column) const {
    const auto begin = entry_rows_.begin() + begins_[column], end = entry_rows_.begin() + begins_[column + 1];
    const auto at = std::lower_bound(begin, end, place);
    PLIANT_ASSERT(at != end && *at == place);
    return static_cast<std::uint32_t>(at - entry_rows_.begin());
}

void BlockFactor::clear() {
    std::fill(diagonals_.begin(), diagonals_.end(), Block{});
    std::fill(entries_.begin(), entries_.end(), Block{});
}

void BlockFactor::add(std::uint32_t a, std::uint32_t b, const Block& block) {
    const std::uint32_t p = place_[a], q = place_[b];
    if (p == q) {
        for (std::size_t k = 0; k < 9; ++k) diagonals_[p][k] += block[k];
    } else if (p > q) {
        Block& to = entries_[entry(p, q)];
        for (std::size_t k = 0; k < 9; ++k) to[k] += block[k];
    } else {
        Block& to = entries_[entry(q, p)];
        for (std::size_t k = 0; k < 9; ++k) to[k] += block[k % 3 * 3 + k / 3];
    }
}

void BlockFactor::solve(std::span<Vec3d> right) {
    const std::size_t rows = row_at_.size();
    for (std::size_t i = 0; i < rows; ++i) right_[i] = right[row_at_[i]];
    for (std::size_t column = 0; column < rows; ++column) {
        factor(diagonals_[column]);
        std::uint32_t target = target_begins_[column];
        for (std::uint32_t from = begins_[column]; from < begins_[column + 1]; ++from) {
            const Block scaled = divided(entries_[from], diagonals_[column]);
            for (std::uint32_t with = begins_[column]; with < from; ++with)
                subtract(entries_[targets_[target++]], scaled, entries_[with]);
            subtract(diagonals_[targets_[target++]], scaled, entries_[from]);
            right_[entry_rows_[from]] = right_[entry_rows_[from]] - times(scaled, right_[column]);
        }
    }
    for (std::size_t column = rows; column-- > 0;) {
        Vec3d sum = right_[column];
        for (std::uint32_t from = begins_[column]; from < begins_[column + 1]; ++from)
            sum = sum - times_transposed(entries_[from], right_[entry_rows_[from]]);
        right_[column] = solve_block(diagonals_[column], sum);
    }
    for (std::size_t i = 0; i < rows; ++i) right[row_at_[i]] = right_[i];
}

}  // namespace pliant::solvers::position_based
