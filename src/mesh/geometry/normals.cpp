#include <pliant/embedding.h>

#include <algorithm>

#include "base/floating_point.h"
#include "base/format.h"
#include "base/scalar.h"
#include "mesh/geometry/mesh_checks.h"

namespace pliant {

Status vertex_normals(std::span<const Vec3> positions, std::span<const Triangle> triangles,
                      std::span<Vec3> normals) {
    const StandardFloatingPoint floating_point;
    if (normals.size() != positions.size()) {
        return Error{"normals", fmt::format("must be {}, got {}", positions.size(), normals.size())};
    }
    if (Status ok = mesh::check_elements<3>(triangles, positions.size(), "triangles"); !ok) return ok;
    std::fill(normals.begin(), normals.end(), Vec3{});
    for (const Triangle& t : triangles) {
        const Vec3 p = positions[t[0]], q = positions[t[1]], r = positions[t[2]];
        const Vec3 a = q - p, b = r - q, c = p - r;
        const Vec3 n = cross(a, b);  // |n| = |a| |b| sin, at each corner
        // The weight at a corner between sides a and c is 1 / (|a|² |c|²).
        const float aa = divide_or_zero(1.0f, dot(a, a)), bb = divide_or_zero(1.0f, dot(b, b)),
                    cc = divide_or_zero(1.0f, dot(c, c));
        normals[t[0]] = normals[t[0]] + n * aa * cc;
        normals[t[1]] = normals[t[1]] + n * aa * bb;
        normals[t[2]] = normals[t[2]] + n * bb * cc;
    }
    for (Vec3& n : normals) n = n * divide_or_zero(1.0f, sqrt(dot(n, n)));
    return {};
}

}  // namespace pliant
