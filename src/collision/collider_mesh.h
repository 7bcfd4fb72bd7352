// The triangles of a mesh collider, in the order of a tree of boxes, for each pose.
//
// A particle with radius r meets the surface as if it had the radius R = r + skin: the skin keeps it on its
// side, so that the nearest point of the surface always tells where it came from. Whether a point is inside
// is asked only of what starts a substep there.
#pragma once

#include <pliant/bounds.h>
#include <pliant/collider_mesh.h>

#include <array>
#include <cstdint>
#include <vector>

#include "mesh/geometry/triangle_tree.h"

namespace pliant {

class ColliderMesh {
public:
    enum class Inside { none, winding, below };

    struct Node {
        std::uint32_t first = 0, count = 0;  // as in mesh::TriangleTree
    };
    struct Pose {
        std::vector<Bounds3d> boxes;                // of each node
        std::vector<std::array<Vec3d, 3>> corners;  // of each triangle, in the tree's order
    };
    // Distances at the centres of cells, which say for most points that they are far.
    struct Grid {
        Vec3d low{};
        double cell = 0;
        std::array<int, 3> size{};
        std::vector<float> distances;  // m, negative inside
    };
    // Where a moving mesh is: between two poses.
    struct Moment {
        std::size_t pose = 0;
        double share = 0;
    };

    // A point that follows a triangle: a + x·(b − a) + y·(c − a) + z·n, n the unit normal.
    struct Ride {
        std::uint32_t place = 0;  // of the triangle
        Vec3d on_triangle{};
    };

    ColliderMesh(std::vector<TriangleMesh> poses, Inside inside, double skin);
    ColliderMesh(const ColliderMesh&) = delete;
    ColliderMesh& operator=(const ColliderMesh&) = delete;

    void set_heights(const Heights& heights) { heights_ = heights; }
    void make_grid();

    Moment moment(double frame) const;
    std::array<Vec3d, 3> corners(std::uint32_t place, const Moment& at) const;
    Bounds3d box(std::uint32_t node, const Moment& at) const;
    // With the triangle that is nearest in the first pose.
    Ride ride_at(const Vec3d& point) const;
    Vec3d point_of(const Ride& ride, const Moment& at) const;
    bool is_inside(const Vec3d& point, const Moment& at) const;
    // The other side of a height field: above it, as high as it is wide.
    bool is_above(const Vec3d& point) const;
    // How far a point of it moves at most from one pose to another, m.
    double deformation(double from, double to) const;
    // Whether a triangle has the solid behind it and none before it, in all poses: one that is buried in
    // another part has not, and of a mesh that deforms it is not known.
    bool bounds_solid(std::uint32_t place) const { return bounds_solid_[place] != 0; }

    const std::vector<TriangleMesh>& poses() const { return meshes_; }
    const std::vector<Node>& nodes() const { return nodes_; }
    const Grid& grid() const { return grid_; }
    const Bounds3d& bounds() const { return bounds_; }  // of all poses
    Inside inside() const { return inside_; }
    double skin() const { return skin_; }
    double extent() const { return extent_; }
    bool is_moving() const { return moving_.size() > 1; }

private:
    // Where the ground is there; NaN beside it.
    double ground_at(double x, double z) const;
    int winding(const Vec3d& point, const Moment& at) const;
    void find_buried();

    std::vector<TriangleMesh> meshes_;
    mesh::TriangleTree tree_;  // of the first pose
    std::vector<Node> nodes_;
    std::vector<Pose> moving_;
    std::vector<std::uint8_t> bounds_solid_;
    Grid grid_;
    Bounds3d bounds_;
    Inside inside_;
    double skin_ = 0, extent_ = 0;
    double fastest_ = 0;  // m per pose
    Heights heights_;
};

}  // namespace pliant
