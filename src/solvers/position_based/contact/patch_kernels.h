// Patches: where they are, how they move, which boxes meet. Part of the kernels, compiled once per
// instruction set.
#pragma once

#include "solvers/position_based/contact/contact_runs.h"
#include "solvers/position_based/kernel_basics.h"

namespace pliant::PLIANT_TARGET {

inline constexpr std::uint32_t lane_count = wide;

// Rows of four floats, as particles lie in memory.
using Row = Lane<4>;

PLIANT_INLINE Row load_row(const float* base, std::uint32_t offset) {
    return load<4>(reinterpret_cast<const float*>(reinterpret_cast<const char*>(base) + offset));
}
PLIANT_INLINE void store_row(float* base, std::uint32_t offset, Row row) {
    store<4>(reinterpret_cast<float*>(reinterpret_cast<char*>(base) + offset), row);
}
PLIANT_INLINE float sum_of_three(Row row) {
    float f[4];
    store<4>(f, row);
    return f[0] + f[1] + f[2];
}

PLIANT_ENTRY void find_starts(const StartRun& r) {
    const std::size_t first = r.first * floats_per_particle, end = first + r.count * floats_per_particle;
    for (std::size_t i = first; i < end; i += 16) {
        for (std::size_t k = i; k < i + 16; k += wide)
            store<wide>(r.start + k, load<wide>(r.predicted + k) - load<wide>(r.displacement + k));
    }
}

// Smallest and largest of all that matters of a patch's particles. Neither depends on their order.
PLIANT_ENTRY void move_patch(const PatchMotionRun& r) {
    const Row x = load_row(r.position, r.closure[0]), p = load_row(r.start, r.closure[0]);
    Row low = p, high = p, move_low = x - p, move_high = move_low;
    Row drift_low = p - load_row(r.before, r.closure[0]), drift_high = drift_low;
    for (std::size_t i = 1; i < r.count; ++i) {
        const Row start = load_row(r.start, r.closure[i]);
        const Row move = load_row(r.position, r.closure[i]) - start;
        const Row drift = start - load_row(r.before, r.closure[i]);
        low = min(start, low), high = max(start, high);
        move_low = min(move, move_low), move_high = max(move, move_high);
        drift_low = min(drift, drift_low), drift_high = max(drift, drift_high);
    }
    store<4>(r.motion->low, low), store<4>(r.motion->high, high);
    store<4>(r.motion->move_low, move_low), store<4>(r.motion->move_high, move_high);
    store<4>(r.motion->drift_low, drift_low), store<4>(r.motion->drift_high, drift_high);
}

PLIANT_ENTRY void shape_patch(const PatchShapeRun& r) {
    alignas(64) float normals[3][96], altitudes[96];
    for (std::size_t first = 0; first < r.count; first += wide) {
        Vector<wide> x[3];
        for (unsigned k = 0; k < 3; ++k) {
            x[k] = xyz(load_particles<wide>(r.position, [&](int i) {
                const std::size_t t = first + static_cast<std::size_t>(i);
                return r.triangles[t < r.count ? t : r.count - 1][k];
            }));
        }
        const Vector<wide> a = x[1] - x[0], b = x[2] - x[0], c = x[2] - x[1], n = cross(a, b);
        const Lane<wide> area = dot(n, n), longest = max(dot(a, a), max(dot(b, b), dot(c, c)));
        const Lane<wide> scale = divide_or_zero(Lane<wide>(1.0f), sqrt(area));
        store<wide>(normals[0] + first, n.x * scale), store<wide>(normals[1] + first, n.y * scale);
        store<wide>(normals[2] + first, n.z * scale);
        store<wide>(altitudes + first, divide_or_zero(area, longest));
    }
    float sum[3] = {0, 0, 0};
    for (std::size_t c = 0; c < 3; ++c) {
        for (std::size_t i = 0; i < r.count; ++i) sum[c] = sum[c] + normals[c][i];
    }
    const float squared = sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2];
    const float scale = squared > 0 ? 1 / __builtin_sqrtf(squared) : 0;
    float cosine = 1, altitude = altitudes[0];
    for (std::size_t c = 0; c < 3; ++c) sum[c] = r.shape->axis[c] = sum[c] * scale;
    for (std::size_t i = 0; i < r.count; ++i) {
        const float along = normals[0][i] * sum[0] + normals[1][i] * sum[1] + normals[2][i] * sum[2];
        cosine = along < cosine ? along : cosine;
        altitude = altitudes[i] < altitude ? altitudes[i] : altitude;
    }
    r.shape->cosine = cosine;
    r.shape->altitude = __builtin_sqrtf(altitude);
}

// Which of 16 boxes meet one.
PLIANT_INLINE unsigned boxes_met(const BoxGroup& boxes, const Box3& box) {
    unsigned bits = 0;
    for (int i = 0; i < 16; i += wide) {
        Mask<wide> meets = load<wide>(boxes.low[0] + i) <= Lane<wide>(box.high[0]);
        for (int c = 0; c < 3; ++c) {
            if (c > 0) meets = meets & (load<wide>(boxes.low[c] + i) <= Lane<wide>(box.high[c]));
            meets = meets & (load<wide>(boxes.high[c] + i) >= Lane<wide>(box.low[c]));
        }
        bits |= bits_of(meets) << i;
    }
    return bits;
}
PLIANT_ENTRY unsigned meet_boxes(const BoxGroup& boxes, const Box3& box) { return boxes_met(boxes, box); }

}  // namespace pliant::PLIANT_TARGET
