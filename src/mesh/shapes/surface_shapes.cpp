// Closed surfaces and tubes. Most are surfaces of revolution: rings of points about y, one above the
// other, joined by strips of triangles.
#include <pliant/shapes.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/convert.h"
#include "base/floating_point.h"
#include "base/trigonometry.h"
#include "mesh/geometry/coincident_points.h"
#include "mesh/shapes/shape_checks.h"
#include "mesh/shapes/shape_points.h"

namespace pliant {
namespace {

using mesh::ShapeChecks;

struct Ring {
    double radius = 0, y = 0;
    int points = 1;  // 1: a pole
    double v = 0;    // texture
};

// Joins two rings of m and n points: round both at once, always a step on the one that lags behind.
// Where both are level the diagonal alternates, as in a sheet.
void join_rings(TriangleMesh& mesh, const Ring& below, std::uint32_t below_first, const Ring& above,
                std::uint32_t above_first, std::size_t row) {
    const long long m = below.points, n = above.points;
    const auto corner = [](std::uint32_t first, long long i, long long points) {
        return first + static_cast<std::uint32_t>(i % points);
    };
    const auto share = [](long long i, long long points) {
        return static_cast<double>(i) / static_cast<double>(points);
    };
    const auto texture = [](const Ring& ring, double u) {
        return Vec2{static_cast<float>(u), static_cast<float>(ring.v)};
    };
    for (long long i = 0, j = 0; i < (m > 1 ? m : 0) || j < (n > 1 ? n : 0);) {
        const long long lead = (i + 1) * n - (j + 1) * m;
        const bool step_below =
            n == 1 || (m > 1 && (lead < 0 || (lead == 0 && (i + static_cast<long long>(row)) % 2 == 0)));
        const std::uint32_t a = corner(below_first, i, m), b = corner(above_first, j, n);
        // A pole takes the u of the middle of its triangle.
        const Vec2 texture_a = texture(below, m == 1 ? share(2 * j + 1, 2 * n) : share(i, m)),
                   texture_b = texture(above, n == 1 ? share(2 * i + 1, 2 * m) : share(j, n));
        if (step_below) {
            ++i;
            mesh.triangles.push_back({a, corner(below_first, i, m), b});
            mesh.texture_coordinates.push_back({texture_a, texture(below, share(i, m)), texture_b});
        } else {
            ++j;
            mesh.triangles.push_back({a, corner(above_first, j, n), b});
            mesh.texture_coordinates.push_back({texture_a, texture(above, share(j, n)), texture_b});
        }
    }
}

// Rings run so that the outside is to the right of their profile: upward on the outer side.
// With `round` the last joins the first.
TriangleMesh revolve(std::span<const Ring> rings, bool round = false) {
    TriangleMesh mesh;
    std::vector<std::uint32_t> first;
    for (const Ring& ring : rings) {
        first.push_back(static_cast<std::uint32_t>(mesh.positions.size()));
        for (int i = 0; i < ring.points; ++i) {
            mesh.positions.push_back(
                to_float(mesh::at_turns(ring.radius, static_cast<double>(i) / ring.points, ring.y)));
        }
    }
    for (std::size_t k = 0; k + 1 < rings.size(); ++k) {
        join_rings(mesh, rings[k], first[k], rings[k + 1], first[k + 1], k);
    }
    if (round) {
        Ring last = rings.front();
        last.v = 1;
        join_rings(mesh, rings.back(), first.back(), last, first.front(), rings.size() - 1);
    }
    return mesh;
}

// As many points as keep the distance that `segments` have at the largest radius.
int points_at(double radius, double largest, int segments) {
    return std::max(3, static_cast<int>(std::floor(segments * radius / largest + 0.5)));
}

// Texture: v by the length of the profile.
void set_v_by_length(std::vector<Ring>& rings) {
    std::vector<double> along{0};
    for (std::size_t k = 1; k < rings.size(); ++k) {
        const double dr = rings[k].radius - rings[k - 1].radius, dy = rings[k].y - rings[k - 1].y;
        along.push_back(along.back() + sqrt(dr * dr + dy * dy));
    }
    for (std::size_t k = 0; k < rings.size(); ++k) rings[k].v = along[k] / along.back();
}

// The lower end's rings, then rows − 1 rings between, then the upper end's: its mirror image.
TriangleMesh close_with_ends(const std::vector<Ring>& lower, float height, int rows) {
    std::vector<Ring> rings = lower;
    const Ring rim = lower.back();
    for (int row = 1; row < rows; ++row) {
        rings.push_back({rim.radius, mesh::grid_point(height, row, rows), rim.points});
    }
    for (std::size_t k = lower.size(); k-- > 0;) {
        rings.push_back({lower[k].radius, -lower[k].y, lower[k].points});
    }
    set_v_by_length(rings);
    return revolve(rings);
}

TriangleMesh tube(float radius, float height, int segments, int rows) {
    std::vector<Ring> rings;
    for (int row = 0; row <= rows; ++row) {
        rings.push_back({radius, mesh::grid_point(height, row, rows), segments});
    }
    set_v_by_length(rings);
    return revolve(rings);
}

TriangleMesh sphere(float radius, int segments, int rings) {
    std::vector<Ring> profile;
    for (int k = 0; k <= rings; ++k) {
        const auto [sine, cosine] = sine_cosine_of_turns(static_cast<double>(k) / (2.0 * rings));
        const bool pole = k == 0 || k == rings;
        profile.push_back({pole ? 0 : radius * sine, -radius * cosine, pole ? 1 : segments,
                           static_cast<double>(k) / rings});
    }
    return revolve(profile);
}

TriangleMesh cylinder(float radius, float height, int segments, int rows) {
    const double low = -0.5 * height;
    const int steps = std::max(1, (segments + 3) / 6);  // a radius is about a sixth of the way round
    std::vector<Ring> end{{0, low, 1}};
    for (int k = 1; k <= steps; ++k) {
        const double r = radius * static_cast<double>(k) / steps;
        end.push_back({r, low, points_at(r, radius, segments)});
    }
    return close_with_ends(end, height, rows);
}

TriangleMesh capsule(float radius, float height, int segments, int rows) {
    const int steps = std::max(1, (segments + 2) / 4);  // from pole to rim is a quarter of the way round
    std::vector<Ring> end{{0, -0.5 * height - radius, 1}};
    for (int k = 1; k <= steps; ++k) {
        const auto [sine, cosine] = sine_cosine_of_turns(static_cast<double>(k) / (4.0 * steps));
        const double r = radius * sine;
        end.push_back({r, -0.5 * height - radius * cosine, points_at(r, radius, segments)});
    }
    return close_with_ends(end, height, rows);
}

TriangleMesh torus(float major_radius, float minor_radius, int segments, int sides) {
    std::vector<Ring> rings;
    for (int k = 0; k < sides; ++k) {
        const auto [sine, cosine] = sine_cosine_of_turns(static_cast<double>(k) / sides);
        rings.push_back({major_radius + minor_radius * cosine, minor_radius * sine, segments,
                         static_cast<double>(k) / sides});
    }
    return revolve(rings, true);
}

TriangleMesh icosphere(float radius, int frequency) {
    TriangleMesh mesh;
    for (const Triangle& face : mesh::icosahedron_faces) {
        // Points 0 ≤ y ≤ x ≤ frequency of the face, and the two triangles of each cell of that lattice.
        const auto first = static_cast<std::uint32_t>(mesh.positions.size());
        const auto point = [&](int x, int y) {
            return first + static_cast<std::uint32_t>(x * (x + 1) / 2 + y);
        };
        for (int x = 0; x <= frequency; ++x) {
            for (int y = 0; y <= x; ++y) {
                mesh.positions.push_back(mesh::point_on_icosphere(face, {frequency - x, x - y, y}, radius));
            }
        }
        for (int x = 0; x < frequency; ++x) {
            for (int y = 0; y <= x; ++y) {
                mesh.triangles.push_back({point(x, y), point(x + 1, y), point(x + 1, y + 1)});
                if (y < x) mesh.triangles.push_back({point(x, y), point(x + 1, y + 1), point(x, y + 1)});
            }
        }
    }
    mesh::join_equal_points(mesh.positions, mesh.triangles);
    return mesh;
}

TriangleMesh box(Vec3 size, std::array<int, 3> cells) {
    TriangleMesh mesh;
    const float lengths[3] = {size.x, size.y, size.z};
    const auto coordinate = [&](std::size_t axis, int i) {
        return mesh::grid_point(lengths[axis], i, cells[axis]);
    };
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const std::size_t u = (axis + 1) % 3, v = (axis + 2) % 3;
        for (const bool upper : {false, true}) {
            const auto first = static_cast<std::uint32_t>(mesh.positions.size());
            for (int j = 0; j <= cells[v]; ++j) {
                for (int i = 0; i <= cells[u]; ++i) {
                    float p[3];
                    p[axis] = coordinate(axis, upper ? cells[axis] : 0);
                    p[u] = coordinate(u, i);
                    p[v] = coordinate(v, j);
                    mesh.positions.push_back({p[0], p[1], p[2]});
                }
            }
            const auto stride = static_cast<std::uint32_t>(cells[u] + 1);
            for (std::uint32_t j = 0; j < static_cast<std::uint32_t>(cells[v]); ++j) {
                for (std::uint32_t i = 0; i + 1 < stride; ++i) {
                    // The same diagonals as the surface of make_box.
                    const std::uint32_t a = first + j * stride + i, b = a + 1, c = a + stride, d = c + 1;
                    mesh.triangles.push_back(upper ? Triangle{a, b, d} : Triangle{a, d, b});
                    mesh.triangles.push_back(upper ? Triangle{a, d, c} : Triangle{a, c, d});
                }
            }
        }
    }
    mesh::join_equal_points(mesh.positions, mesh.triangles);
    return mesh;
}

}  // namespace

Result<TriangleMesh> make_tube(float radius, float height, int segments, int rows) {
    const StandardFloatingPoint floating_point;
    return mesh::make_checked<TriangleMesh>(ShapeChecks()
                                                .size("radius", radius)
                                                .size("height", height)
                                                .count("segments", segments, 3)
                                                .count("rows", rows)
                                                .elements(2, segments, rows),
                                            [&] { return tube(radius, height, segments, rows); });
}

Result<TriangleMesh> make_sphere_surface(float radius, int segments, int rings) {
    const StandardFloatingPoint floating_point;
    return mesh::make_checked<TriangleMesh>(ShapeChecks()
                                                .size("radius", radius)
                                                .count("segments", segments, 3)
                                                .count("rings", rings, 2)
                                                .elements(2, segments, rings),
                                            [&] { return sphere(radius, segments, rings); });
}

Result<TriangleMesh> make_icosphere(float radius, int frequency) {
    const StandardFloatingPoint floating_point;
    return mesh::make_checked<TriangleMesh>(
        ShapeChecks().size("radius", radius).count("frequency", frequency).elements(20, frequency, frequency),
        [&] { return icosphere(radius, frequency); });
}

// The ends have fewer triangles than another `segments` rows.
Result<TriangleMesh> make_cylinder_surface(float radius, float height, int segments, int rows) {
    const StandardFloatingPoint floating_point;
    return mesh::make_checked<TriangleMesh>(ShapeChecks()
                                                .size("radius", radius)
                                                .size("height", height)
                                                .count("segments", segments, 3)
                                                .count("rows", rows)
                                                .elements(2, segments, rows + 1.0 * segments),
                                            [&] { return cylinder(radius, height, segments, rows); });
}

Result<TriangleMesh> make_capsule_surface(float radius, float height, int segments, int rows) {
    const StandardFloatingPoint floating_point;
    return mesh::make_checked<TriangleMesh>(ShapeChecks()
                                                .size("radius", radius)
                                                .size("height", height)
                                                .count("segments", segments, 3)
                                                .count("rows", rows)
                                                .elements(2, segments, rows + 1.0 * segments),
                                            [&] { return capsule(radius, height, segments, rows); });
}

Result<TriangleMesh> make_torus_surface(float major_radius, float minor_radius, int segments, int sides) {
    const StandardFloatingPoint floating_point;
    return mesh::make_checked<TriangleMesh>(
        ShapeChecks()
            .size("major_radius", major_radius)
            .size("minor_radius", minor_radius)
            .count("segments", segments, 3)
            .count("sides", sides, 3)
            .elements(2, segments, sides),
        [&] { return torus(major_radius, minor_radius, segments, sides); });
}

Result<TriangleMesh> make_box_surface(Vec3 size, std::array<int, 3> cells) {
    const StandardFloatingPoint floating_point;
    const double x = cells[0], y = cells[1], z = cells[2];
    return mesh::make_checked<TriangleMesh>(
        ShapeChecks().size("size", size).count("cells", cells).elements(4, x * y + y * z + z * x),
        [&] { return box(size, cells); });
}

}  // namespace pliant
