// The outline of a panel: where points stand on it, and the triangles inside.
#pragma once

#include <pliant/mesh.h>
#include <pliant/vector.h>

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace pliant::mesh {

// Two sides of a closed polygon (in the plane z = 0) that meet other than at a common corner. Side i runs
// from corner i to the next.
std::optional<std::array<std::size_t, 2>> crossing_sides(std::span<const Vec3d> corners);

// A closed polygon by the distance that one has walked on it from corner 0.
class Outline {
public:
    explicit Outline(std::span<const Vec2> corners);

    std::size_t corners() const { return corners_.size(); }
    const Vec3d& corner(std::size_t i) const { return corners_[i]; }
    std::span<const Vec3d> all_corners() const { return corners_; }
    double distance_at(std::size_t corner) const { return distances_[corner]; }  // corners(): the perimeter
    double perimeter() const { return distances_.back(); }
    Vec3d point_at(double distance) const;  // 0 ≤ distance < perimeter

    // Whether it turns there by more than 30°: else the corner is but a point of a curve.
    bool is_sharp(std::size_t corner) const;
    bool is_counterclockwise() const;

private:
    std::vector<Vec3d> corners_;
    std::vector<double> distances_;
};

struct PlanarMesh {
    std::vector<Vec3d> positions{};  // those of the polygon first
    std::vector<Triangle> triangles{};
};

// Fills a counterclockwise polygon, whose sides are about as long as the edge length, with triangles that are
// as even as they can be. Nothing if the polygon has too many corners (most_corners_of_concave_polygon).
std::optional<PlanarMesh> fill_polygon(const std::vector<Vec3d>& polygon, double edge_length);

}  // namespace pliant::mesh
