// An order of points in which neighbours are mostly near each other.
#pragma once

#include <pliant/vector.h>

#include <algorithm>
#include <cstdint>
#include <span>

namespace pliant {

// Position along a Z-shaped curve through the bounding box, 21 bits an axis. What is outside counts as on its
// edge: the centre of an element may be, by rounding.
class CurveOrder {
public:
    explicit CurveOrder(std::span<const Vec3> positions) {
        if (positions.empty()) return;
        low_ = positions[0];
        Vec3 high = low_;
        for (const Vec3& p : positions) {
            low_ = {std::min(low_.x, p.x), std::min(low_.y, p.y), std::min(low_.z, p.z)};
            high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
        }
        const double extent =
            std::max({double(high.x) - low_.x, double(high.y) - low_.y, double(high.z) - low_.z});
        scale_ = extent > 0 ? most / extent : 0.0;
    }
    std::uint64_t operator()(const Vec3& p) const {
        return spread(p.x - double(low_.x)) | spread(p.y - double(low_.y)) << 1 |
               spread(p.z - double(low_.z)) << 2;
    }

private:
    static constexpr double most = 2097151;

    std::uint64_t spread(double d) const {
        auto b = static_cast<std::uint64_t>(std::clamp(d * scale_, 0.0, most));
        b = (b | b << 32) & 0x001f00000000ffff;
        b = (b | b << 16) & 0x001f0000ff0000ff;
        b = (b | b << 8) & 0x100f00f00f00f00f;
        b = (b | b << 4) & 0x10c30c30c30c30c3;
        return (b | b << 2) & 0x1249249249249249;
    }

    Vec3 low_;
    double scale_ = 0;
};

}  // namespace pliant
