// The winding number at q is the solid angle under which the surface is seen, over 4π:
//
//     w(q) = 1/4π Σ_t Ω_t,   tan(Ω/2) = a·(b×c) / (|a||b||c| + (a·b)|c| + (b·c)|a| + (c·a)|b|)
//
// with the corners a, b, c of a triangle relative to q (Van Oosterom & Strackee 1983). Where a group of
// triangles is far away, the integral of n·r/|r|³ over it is expanded about the centre p of its area, with
// r = p − q and d = x − p:
//
//     4πw ≈ N·r/|r|³ + tr M/|r|³ − 3 rᵀM r/|r|⁵ − 3/2 (2u + v)·r/|r|⁵ + 15/2 Σ Tᵢⱼₖ rᵢrⱼrₖ/|r|⁷
//
//     N = ∫n,   M = ∫d nᵀ,   Tᵢⱼₖ = ∫dᵢdⱼnₖ,   uⱼ = Σᵢ Tᵢⱼᵢ,   vₖ = Σᵢ Tᵢᵢₖ
//
// Barill, Dickson, Schmidt, Levin & Jacobson 2018, "Fast Winding Numbers for Soups and Clouds", to second
// order.
#include "mesh/geometry/winding.h"

#include <array>
#include <span>

#include "base/convert.h"
#include "mesh/geometry/angle.h"

namespace pliant::mesh {
namespace {

// A group is far from this multiple of its radius on (the paper's β).
constexpr double far_factor = 1.5;

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

// A group's integrals in full, for putting groups together.
struct Integrals {
    double area = 0;
    Vec3d centre{};
    std::array<double, 3> normal{};
    std::array<std::array<double, 3>, 3> first{};                  // M
    std::array<std::array<std::array<double, 3>, 3>, 3> second{};  // T
};

std::array<double, 3> components(const Vec3d& v) { return {v.x, v.y, v.z}; }

// ∫ddᵀ over a triangle with corners v about its centroid is A/12 Σ v vᵀ.
Integrals of_triangle(const std::array<Vec3d, 3>& c) {
    const Vec3d normal = cross(c[1] - c[0], c[2] - c[0]) * 0.5;
    Integrals triangle{length(normal), (c[0] + c[1] + c[2]) * (1.0 / 3), components(normal), {}, {}};
    for (const Vec3d& corner : c) {
        const auto v = components(corner - triangle.centre);
        for (std::size_t i = 0; i < 3; ++i) {
            for (std::size_t j = 0; j < 3; ++j) {
                for (std::size_t k = 0; k < 3; ++k) {
                    triangle.second[i][j][k] += v[i] * v[j] * triangle.normal[k] / 12;
                }
            }
        }
    }
    return triangle;
}

// About another centre: d + offset in place of d.
void add_shifted(Integrals& sum, const Integrals& part) {
    const auto o = components(part.centre - sum.centre);
    for (std::size_t k = 0; k < 3; ++k) {
        sum.normal[k] += part.normal[k];
        for (std::size_t i = 0; i < 3; ++i) {
            sum.first[i][k] += part.first[i][k] + o[i] * part.normal[k];
            for (std::size_t j = 0; j < 3; ++j) {
                sum.second[i][j][k] += part.second[i][j][k] + o[i] * part.first[j][k] +
                                       o[j] * part.first[i][k] + o[i] * o[j] * part.normal[k];
            }
        }
    }
}

Integrals join(std::span<const Integrals> parts, const Vec3d& centre_without_area) {
    Integrals sum;
    Vec3d weighted{};
    for (const Integrals& part : parts) {
        sum.area += part.area;
        weighted = weighted + part.centre * part.area;
    }
    sum.centre = sum.area > 0 ? weighted * (1 / sum.area) : centre_without_area;
    for (const Integrals& part : parts) add_shifted(sum, part);
    return sum;
}

}  // namespace

WindingNumber::WindingNumber(const TriangleTree& tree) : tree_(tree), moments_(tree.nodes().size()) {
    // From the leaves up. Children stand behind their parents, and what they are made of is needed no more
    // once they are joined; the right child's parts end a stack, the left child's come on top.
    const auto nodes = tree.nodes();
    std::vector<Integrals> stack;
    for (std::size_t n = nodes.size(); n-- > 0;) {
        const TriangleTree::Node& node = nodes[n];
        std::array<Integrals, TriangleTree::leaf_triangles> parts;
        std::size_t count = 0;
        for (; count < node.count; ++count) {
            parts[count] = of_triangle(tree.corners(node.first + static_cast<std::uint32_t>(count)));
        }
        for (; node.count == 0 && count < 2; ++count) {
            parts[count] = stack.back();
            stack.pop_back();
        }
        const Vec3d low = to_double(node.box.low), high = to_double(node.box.high);
        const Integrals group = join({parts.data(), count}, (low + high) * 0.5);
        stack.push_back(group);

        const auto farther = [](double c, double a, double b) { return max(b - c, c - a); };
        const Vec3d radius{farther(group.centre.x, low.x, high.x), farther(group.centre.y, low.y, high.y),
                           farther(group.centre.z, low.z, high.z)};
        const auto& N = group.normal;
        const auto& M = group.first;
        const auto& T = group.second;
        const auto symmetric = [&](std::size_t i, std::size_t j, std::size_t k) {
            return T[i][j][k] + T[j][k][i] + T[k][i][j];
        };
        Moments& m = moments_[n];
        m.centre = group.centre;
        m.far_squared = far_factor * far_factor * dot(radius, radius);
        m.normal = {N[0], N[1], N[2]};
        m.trace = M[0][0] + M[1][1] + M[2][2];
        m.first = {M[0][0], M[1][1], M[2][2], M[0][1] + M[1][0], M[1][2] + M[2][1], M[2][0] + M[0][2]};
        std::array<double, 3> trace{};
        for (std::size_t i = 0; i < 3; ++i) {
            for (std::size_t j = 0; j < 3; ++j) trace[j] += 2 * T[i][j][i] + T[i][i][j];
        }
        m.second_trace = {trace[0], trace[1], trace[2]};
        m.second = {T[0][0][0],         T[1][1][1],
                    T[2][2][2],         symmetric(0, 0, 1),
                    symmetric(0, 0, 2), symmetric(1, 1, 0),
                    symmetric(1, 1, 2), symmetric(2, 2, 0),
                    symmetric(2, 2, 1), 2 * symmetric(0, 1, 2)};
    }
}

double WindingNumber::from_afar(const Moments& m, const Vec3d& point) {
    const Vec3d r = m.centre - point;
    const double inverse = 1 / dot(r, r), xx = r.x * r.x, yy = r.y * r.y, zz = r.z * r.z;
    const double first = m.first[0] * xx + m.first[1] * yy + m.first[2] * zz + m.first[3] * r.x * r.y +
                         m.first[4] * r.y * r.z + m.first[5] * r.z * r.x;
    const double second = r.x * (m.second[0] * xx + m.second[3] * r.x * r.y + m.second[4] * r.x * r.z) +
                          r.y * (m.second[1] * yy + m.second[5] * r.y * r.x + m.second[6] * r.y * r.z) +
                          r.z * (m.second[2] * zz + m.second[7] * r.z * r.x + m.second[8] * r.z * r.y) +
                          m.second[9] * r.x * r.y * r.z;
    const double sum = dot(m.normal, r) + m.trace - inverse * (3 * first + 1.5 * dot(m.second_trace, r)) +
                       7.5 * inverse * inverse * second;
    return sum * inverse * sqrt(inverse);
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
