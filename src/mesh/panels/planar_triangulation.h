// Triangles that fill a polygon of the plane z = 0, as near to Delaunay's as its sides allow: no triangle's
// circle has a vertex inside that it could see (Lee, Lin: Generalized Delaunay triangulation for planar
// graphs, Discrete & Computational Geometry 1, 1986). Points are added one by one.
#pragma once

#include <pliant/mesh.h>
#include <pliant/vector.h>

#include <array>
#include <cstdint>
#include <vector>

namespace pliant::mesh {

class PlanarTriangulation {
public:
    // Vertices counterclockwise around the polygon, and triangles that fill it.
    PlanarTriangulation(std::vector<Vec3d> polygon, std::vector<Triangle> triangles);

    // Adds a vertex inside of the polygon. False, and nothing is changed, if it lies outside.
    bool insert(const Vec3d& p);

    // Moves every vertex that was inserted to the mean of its neighbours, but never so far that a triangle
    // turns over.
    void smooth();

    // Asserts that triangles are linked both ways, by sides with the same ends.
    void validate() const;

    const std::vector<Vec3d>& positions() const { return positions_; }
    const std::vector<Triangle>& triangles() const { return triangles_; }

private:
    static constexpr std::uint32_t nowhere = 0xffffffff;

    const Vec3d& corner(std::uint32_t triangle, std::uint32_t k) const {
        return positions_[triangles_[triangle][k % 3]];
    }
    std::uint32_t first_side_beyond_which(const Vec3d& p, std::uint32_t triangle) const;
    std::uint32_t locate(const Vec3d& p) const;
    void link(std::uint32_t side, std::uint32_t other);
    void split(std::uint32_t triangle, std::uint32_t vertex);
    void flip(std::uint32_t side);
    void flip_where_needed();
    std::vector<std::vector<std::uint32_t>> triangles_of_vertices() const;

    std::vector<Vec3d> positions_;
    std::vector<Triangle> triangles_;
    std::vector<std::array<std::uint32_t, 3>> neighbours_;  // as of triangle_neighbours()
    std::vector<std::uint32_t> doubtful_;                   // sides that may have to be flipped
    std::size_t fixed_ = 0;                                 // vertices of the polygon
    std::uint32_t last_ = 0;                                // a triangle of the last vertex
};

}  // namespace pliant::mesh
