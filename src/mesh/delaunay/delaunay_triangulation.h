// A Delaunay triangulation in space that grows point by point. docs/theory/delaunay.md
//
// Of the tetrahedra that fill the hull of the points, no circumsphere has a point inside. A vertex at
// infinity closes the triangulation: every face of the hull has a ghost, a cell with that vertex, on its
// outer side, so that all cells have four neighbours and a point outside is inserted like any other.
//
// Points on a common sphere leave a choice. It is settled as if the lifted height |x|² of every point were
// raised by an infinitesimal, infinitely larger for points later in lexicographic order (Devillers, Teillaud:
// Perturbations for Delaunay and weighted Delaunay 3D triangulations, CGTA 44, 2011). So there is exactly one
// result, whatever the order of insertion, and it has no degenerate tetrahedra: four points of a plane span a
// vertical hyperplane, which cannot be part of a lower hull.
#pragma once

#include <pliant/bounds.h>

#include "base/aligned.h"

#include <array>
#include <cstdint>
#include <vector>

namespace pliant::mesh {

class DelaunayTriangulation {
public:
    static constexpr std::uint32_t infinite = 0;  // the vertex; the others follow in order of insertion

    // A tetrahedron, positive; or a ghost, whose last vertex is the infinite one. Moved far out beyond the
    // face that the ghost stands on, this vertex would make it positive too.
    struct alignas(64) Cell {
        std::array<std::uint32_t, 4> vertices;
        // Across from each vertex: 4 · cell + the face by which that cell meets this one.
        std::array<std::uint32_t, 4> neighbours;
        // f(x) = sphere · (x − v₀, |x − v₀|²) is positive for points inside of the circumsphere, of a ghost
        // for points beyond its face.
        std::array<double, 4> sphere;
    };

    // Starts with one tetrahedron of four points that do not lie in a plane. Fastest if all points to come
    // lie in the box. Coordinates are in the range of the predicates.
    DelaunayTriangulation(const std::array<Vec3d, 4>& first, const Bounds3d& box);

    // Adds a point and returns its vertex, or the vertex that is there already. The search starts from a
    // cell; without one, from the last point.
    std::uint32_t insert(const Vec3d& p);
    std::uint32_t insert(const Vec3d& p, std::uint32_t hint);

    // A tetrahedron that holds the point inside or on its boundary, or a ghost whose face has it strictly
    // on its outer side.
    std::uint32_t locate(const Vec3d& p, std::uint32_t hint) const;

    void reserve(std::size_t points);
    std::uint32_t vertex_count() const { return static_cast<std::uint32_t>(sites_.size()); }  // and infinity
    Vec3d position(std::uint32_t vertex) const { return at(vertex); }

    // Cells are numbered with gaps; a cell number is valid until the next insertion.
    std::uint32_t cell_slots() const { return static_cast<std::uint32_t>(cells_.size()); }
    const Cell& cell(std::uint32_t number) const { return cells_[number]; }
    bool is_free(std::uint32_t number) const { return (cells_[number].vertices[0] & in_cavity) != 0; }
    static bool is_ghost(const Cell& cell) { return cell.vertices[3] == infinite; }

    // Asserts that cells are linked both ways, and that their vertices exist.
    void validate() const;

private:
    // Marks of a cell during an insertion, in its vertices[0]. Slots that are free keep the first.
    static constexpr std::uint32_t in_cavity = 0x80000000, outside_cavity = 0x40000000;

    struct Site {
        Vec3d position;
        std::uint64_t place = 0;  // among the corners, below the number of the vertex that was inserted then
    };

    // A face of the cavity, positive with the new point in front: (p, a, b, c).
    struct CavityFace {
        std::array<std::uint32_t, 3> vertices;  // later their places among the corners
        std::uint32_t outside;                  // 4 · cell + face
        std::uint32_t cell;                     // that fills it
    };

    // A vertex of the cavity as seen from the new point.
    struct Corner {
        Vec3d offset;
        double lift = 0;  // |offset|²
        std::uint32_t vertex = infinite;
    };

    const Vec3d& at(std::uint32_t vertex) const { return sites_[vertex].position; }
    void set_filters();
    bool conflicts(const Cell& cell, const Vec3d& p) const;
    bool conflicts_exactly(const Cell& cell, const Vec3d& p) const;
    bool conflicts_perturbed(const Cell& cell, const Vec3d& p) const;
    bool lies_beyond(const Cell& cell, std::uint32_t face, const Vec3d& p, double bound) const;
    void find_cavity(std::uint32_t start, const Vec3d& p);
    void fill_cavity(std::uint32_t vertex);
    std::uint32_t take_slot();
    void number_vertices(std::uint32_t newest);
    Corner seen_from(const Vec3d& p, std::uint32_t vertex) const;
    void set_sphere(Cell& cell, const Corner& b, const Corner& c, const Corner& d) const;
    void link_by_table();
    void link_by_sorting();

    AlignedVector<Cell> cells_;
    AlignedVector<Site> sites_;
    std::vector<std::uint32_t> free_;
    std::uint32_t last_ = 0;  // a cell of the last point

    Bounds3d box_;
    double orient_bound_ = 0, sphere_bound_ = 0, ghost_scale_ = 0;

    // Of the insertion under way; the arrays are longer than what counts.
    std::vector<std::uint32_t> cavity_ = std::vector<std::uint32_t>(64);
    std::vector<CavityFace> faces_ = std::vector<CavityFace>(64);
    std::vector<Corner> corners_ = std::vector<Corner>(64);
    std::size_t cavity_size_ = 0, face_count_ = 0;
    static constexpr std::uint32_t table_size = 32;
    std::array<std::uint32_t, std::size_t{table_size} * table_size> edge_table_{};
};

}  // namespace pliant::mesh
