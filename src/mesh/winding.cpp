// The winding number at q is the solid angle under which the surface is seen, over 4π:
//
//     w(q) = 1/4π Σ_t Ω_t,   tan(Ω/2) = a·(b×c) / (|a||b||c| + (a·b)|c| + (b·c)|a| + (c·a)|b|)
//
// with the corners a, b, c of a triangle relative to q (Van Oosterom & Strackee 1983). Where a group of
// triangles is far away, its sum is expanded about the centre p of its area, with r = p − q:
//
//     4πw ≈ N·r/|r|³ + tr(M)/|r|³ − 3 rᵀM r/|r|⁵,   N = Σ A n,   M = Σ A (centroid − p) nᵀ
//
// Barill, Dickson, Schmidt, Levin & Jacobson 2018, "Fast Winding Numbers for Soups and Clouds", eq. 11–14
// to first order.
#include "mesh/winding.h"

#include <array>

#include "base/convert.h"
#include "mesh/angle.h"

namespace pliant::mesh {
namespace {

// A group is far from this multiple of its radius on (the paper's β).
constexpr double far_factor = 2;

// A sum of angles, kept as the product of vectors (cos, sin) and a number of turns: one arctangent in
// the end instead of one for each.
class AngleSum {
public:
    void add(double y, double x) {
        const double scale = abs(x) + abs(y);
        if (!(scale > 0)) return;
        x /= scale;
        y /= scale;
        const double re = re_ * x - im_ * y, im = re_ * y + im_ * x;
        if (im_ >= 0 && y >= 0 && im < 0) ++turns_;
        if (im_ < 0 && y < 0 && im >= 0) --turns_;
        re_ = re;
        im_ = im;
        // Each factor is at least 1/√2 long.
        if (abs(re_) + abs(im_) < 1e-100) {
            re_ *= 1e100;
            im_ *= 1e100;
        }
    }
    double angle() const { return angle_of(im_, re_) + 2 * pi * turns_; }

private:
    double re_ = 1, im_ = 0;
    int turns_ = 0;
};

void add_half_solid_angle(AngleSum& sum, const std::array<Vec3d, 3>& corners, const Vec3d& point) {
    const Vec3d a = corners[0] - point, b = corners[1] - point, c = corners[2] - point;
    const double la = length(a), lb = length(b), lc = length(c);
    sum.add(dot(a, cross(b, c)), la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb);
}

Vec3d multiply(const Vec3d (&rows)[3], const Vec3d& v) {
    return {dot(rows[0], v), dot(rows[1], v), dot(rows[2], v)};
}

}  // namespace

WindingNumber::WindingNumber(const TriangleTree& tree) : tree_(tree), moments_(tree.nodes().size()) {
    const auto nodes = tree.nodes();
    for (std::uint32_t n = static_cast<std::uint32_t>(nodes.size()); n-- > 0;) {
        const TriangleTree::Node& node = nodes[n];
        // A node's parts: a leaf's triangles, or its two children.
        std::array<Moments, 4> parts;
        std::size_t count = 0;
        for (std::uint32_t i = 0; i < node.count; ++i) {
            const auto c = tree.corners(node.first + i);
            Moments& part = parts[count++];
            part.normal = cross(c[1] - c[0], c[2] - c[0]) * 0.5;
            part.area = length(part.normal);
            part.centre = (c[0] + c[1] + c[2]) * (1.0 / 3);
        }
        if (node.count == 0) {
            parts[count++] = moments_[n + 1];
            parts[count++] = moments_[node.first];
        }

        Moments& group = moments_[n];
        Vec3d weighted{};
        for (std::size_t i = 0; i < count; ++i) {
            group.area += parts[i].area;
            weighted = weighted + parts[i].centre * parts[i].area;
        }
        const Vec3d low = to_double(node.low), high = to_double(node.high);
        group.centre = group.area > 0 ? weighted * (1 / group.area) : (low + high) * 0.5;
        for (std::size_t i = 0; i < count; ++i) {
            const Moments& part = parts[i];
            const Vec3d offset = part.centre - group.centre;
            group.normal = group.normal + part.normal;
            group.by_normal[0] = group.by_normal[0] + part.by_normal[0] + part.normal * offset.x;
            group.by_normal[1] = group.by_normal[1] + part.by_normal[1] + part.normal * offset.y;
            group.by_normal[2] = group.by_normal[2] + part.by_normal[2] + part.normal * offset.z;
        }
        const auto farther = [](double c, double a, double b) { return max(b - c, c - a); };
        const Vec3d radius{farther(group.centre.x, low.x, high.x), farther(group.centre.y, low.y, high.y),
                           farther(group.centre.z, low.z, high.z)};
        group.far_squared = far_factor * far_factor * dot(radius, radius);
    }
}

double WindingNumber::from_afar(const Moments& group, const Vec3d& point) const {
    const Vec3d r = group.centre - point;
    const double squared = dot(r, r), cubed = squared * sqrt(squared);
    const double trace = group.by_normal[0].x + group.by_normal[1].y + group.by_normal[2].z;
    const double along = dot(r, multiply(group.by_normal, r));
    return (dot(group.normal, r) + trace - 3 * along / squared) / cubed;
}

double WindingNumber::at(const Vec3d& point) const {
    const auto nodes = tree_.nodes();
    if (nodes.empty()) return 0;
    AngleSum near;  // half solid angles
    double far = 0;
    std::array<std::uint32_t, 64> stack;
    std::size_t depth = 0;
    stack[depth++] = 0;
    while (depth > 0) {
        const std::uint32_t n = stack[--depth];
        const TriangleTree::Node& node = nodes[n];
        const Vec3d r = moments_[n].centre - point;
        if (dot(r, r) > moments_[n].far_squared) {
            far += from_afar(moments_[n], point);
            continue;
        }
        for (std::uint32_t i = 0; i < node.count; ++i) {
            add_half_solid_angle(near, tree_.corners(node.first + i), point);
        }
        if (node.count > 0) continue;
        stack[depth++] = node.first;
        stack[depth++] = n + 1;
    }
    return (2 * near.angle() + far) / (4 * pi);
}

double WindingNumber::exact(const Vec3d& point) const {
    AngleSum sum;
    for (std::uint32_t i = 0; i < tree_.size(); ++i) add_half_solid_angle(sum, tree_.corners(i), point);
    return sum.angle() / (2 * pi);
}

}  // namespace pliant::mesh
