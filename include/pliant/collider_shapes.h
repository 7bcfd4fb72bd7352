// What particles do not enter: shapes and their surfaces. Units are SI throughout.
#pragma once

#include <pliant/mesh.h>
#include <pliant/vector.h>

#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace pliant {

class ColliderMesh;  // collider_mesh.h

struct Plane {
    Vec3d point{};         // m
    Vec3 normal{0, 1, 0};  // points to the free side; any length but 0
};

struct Sphere {
    Vec3d center{};    // m
    float radius = 1;  // m
};

struct Quaternion {
    float x = 0, y = 0, z = 0, w = 1;
};

struct Box {
    Vec3d center{};                       // m
    Vec3 half_extents{0.5f, 0.5f, 0.5f};  // m
    Quaternion rotation{};                // any length but 0
};

// All within `radius` of the segment from a to b; a = b is a ball.
struct Capsule {
    Vec3d a{}, b{0, 1, 0};  // m
    float radius = 0.5f;    // m
};

// All between two discs of the same radius about a and b.
struct Cylinder {
    Vec3d a{}, b{0, 1, 0};  // m
    float radius = 0.5f;    // m
};

// From a disc about a to a tip at b, or to a disc of another radius.
struct Cone {
    Vec3d a{}, b{0, 1, 0};  // m
    float radius = 0.5f;    // m, about a
    float tip_radius = 0;   // m, about b
};

// A ring: all within minor_radius of a circle.
struct Torus {
    Vec3d center{};             // m
    Vec3 axis{0, 1, 0};         // any length but 0
    float major_radius = 0.5f;  // m, of the circle
    float minor_radius = 0.2f;  // m, of the tube
};

// Where scene files have a mesh from; simulations look at SolidMesh::surface alone.
struct SolidMeshSource {
    std::string file{};                // .obj, .ply or .stl
    std::vector<std::string> poses{};  // files with the same triangles, one for each pose, instead of `file`
    float poses_per_second = 30;       // 1/s
    std::vector<Vec3> positions{};     // m: the mesh itself, instead of files
    std::vector<Triangle> triangles{};
    float scale = 1;
    float thickness = 0;  // m, of an open surface; 0: 1/200 of its extent
};

// Any triangle mesh: solid inside if it is closed, a shell if it is not.
struct SolidMesh {
    SolidMeshSource source{};
    std::shared_ptr<const ColliderMesh> surface{};  // from make_collider_mesh()
    Vec3d position{};                               // m, where the origin of its points is
    Quaternion rotation{};                          // any length but 0
    double pose = 0;                                // of several, which; 1.5 is halfway from 1 to 2
};

// Ground: heights above a rectangle, solid below.
struct HeightField {
    int columns = 1, rows = 1;  // of squares
    float spacing = 1;          // m, from point to point
    // m, (columns + 1)·(rows + 1), x running fastest. Scene files give them, simulations look at `surface`.
    std::vector<float> heights{};
    std::shared_ptr<const ColliderMesh> surface{};  // from make_height_field()
    Vec3d position{};                               // m, of its middle, at height 0
    Quaternion rotation{};                          // any length but 0
};

using ColliderShape =
    std::variant<Plane, Sphere, Box, Capsule, Cylinder, Cone, Torus, SolidMesh, HeightField>;

struct Collider {
    ColliderShape shape{};
    float friction = 0.5f;    // Coulomb's coefficient
    float restitution = 0;    // share of the normal speed that comes back, in [0, 1]
    bool inverted = false;    // solid outside and free inside: a bowl, a room; not of planes
    Vec3 surface_velocity{};  // m/s, of the surface along itself, as a conveyor's: friction carries it over
};

}  // namespace pliant
