#include "collision/collider_mesh.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/convert.h"
#include "base/floating_point.h"
#include "base/format.h"
#include "mesh/geometry/mesh_checks.h"

namespace pliant {
namespace {

constexpr double closed_skin = 2e-5;      // of the extent
constexpr double open_thickness = 0.005;  // of the extent
constexpr int most_cells = 32;            // of the grid, along the longest side

// Every side has one neighbour, which runs the other way: its number is that of a side of another triangle.
bool closes(const TriangleMesh& mesh) {
    const auto neighbours = triangle_neighbours(mesh.triangles);
    for (std::size_t i = 0; i < neighbours.size(); ++i) {
        for (std::size_t k = 0; k < 3; ++k) {
            const std::uint32_t other = neighbours[i][k];
            if (other == no_neighbour || other == several_neighbours) return false;
            const Triangle& t = mesh.triangles[other / 3];
            if (t[other % 3] != mesh.triangles[i][(k + 1) % 3]) return false;
        }
    }
    return true;
}

double signed_volume(const TriangleMesh& mesh) {
    double sum = 0;
    for (const Triangle& t : mesh.triangles) {
        sum += dot(to_double(mesh.positions[t[0]]),
                   cross(to_double(mesh.positions[t[1]]), to_double(mesh.positions[t[2]])));
    }
    return sum;
}

Bounds3d bounds_of(const TriangleMesh& mesh) {
    Bounds3d bounds;
    for (const Triangle& t : mesh.triangles) {
        for (const std::uint32_t corner : t) bounds.add(to_double(mesh.positions[corner]));
    }
    return bounds;
}

Status check(std::span<const TriangleMesh> poses, float thickness) {
    if (poses.empty() || poses[0].triangles.empty())
        return Error{"triangles", "must not be empty: there is no surface"};
    for (const TriangleMesh& mesh : poses) {
        if (Status s = mesh::check_positions<float>(mesh.positions, "positions"); !s) return s;
        if (mesh.triangles != poses[0].triangles) return Error{"triangles", "must be the same in all poses"};
        if (mesh.positions.size() != poses[0].positions.size())
            return Error{"positions", fmt::format("must be as many in all poses, {}, got {}",
                                                  poses[0].positions.size(), mesh.positions.size())};
    }
    if (Status s = mesh::check_elements<3>(poses[0].triangles, poses[0].positions.size(), "triangles"); !s)
        return s;
    if (!(thickness >= 0 && thickness <= 1e9f))
        return Error{"thickness", fmt::format("must be in [0, 1e9], got {:g}", thickness)};
    const Vec3d extent = bounds_of(poses[0]).extent();
    if (!(extent.x + extent.y + extent.z > 0)) return Error{"positions", "must not all be the same point"};
    return {};
}

std::vector<TriangleMesh> plain(std::span<const TriangleMesh> poses, bool turned) {
    std::vector<TriangleMesh> all;
    for (const TriangleMesh& mesh : poses) {
        all.push_back({mesh.positions, mesh.triangles, {}, {}});
        if (!turned) continue;
        for (Triangle& t : all.back().triangles) std::swap(t[1], t[2]);
    }
    return all;
}

}  // namespace

ColliderMesh::ColliderMesh(std::vector<TriangleMesh> poses, Inside inside, double skin)
    : meshes_(std::move(poses)),
      tree_(meshes_[0].positions, meshes_[0].triangles),
      inside_(inside),
      skin_(skin),
      extent_(length(bounds_of(meshes_[0]).extent())) {
    const auto nodes = tree_.nodes();
    for (const mesh::TriangleTree::Node& node : nodes) nodes_.push_back({node.first, node.count});
    for (const TriangleMesh& mesh : meshes_) {
        Pose& pose = moving_.emplace_back();
        for (std::uint32_t place = 0; place < tree_.size(); ++place) {
            const Triangle& t = mesh.triangles[tree_.triangle(place)];
            pose.corners.push_back({to_double(mesh.positions[t[0]]), to_double(mesh.positions[t[1]]),
                                    to_double(mesh.positions[t[2]])});
        }
        pose.boxes.resize(nodes.size());
        for (std::size_t i = nodes.size(); i-- > 0;) {
            const Node& node = nodes_[i];
            for (std::uint32_t k = 0; k < node.count; ++k)
                for (const Vec3d& corner : pose.corners[node.first + k]) pose.boxes[i].add(corner);
            if (node.count > 0) continue;
            pose.boxes[i].add(pose.boxes[i + 1]);
            pose.boxes[i].add(pose.boxes[node.first]);
        }
        bounds_.add(pose.boxes[0]);
    }
    bounds_solid_.assign(tree_.size(), inside == Inside::below);
    if (inside == Inside::winding && !is_moving()) find_buried();
    for (std::size_t k = 0; k + 1 < meshes_.size(); ++k) {
        for (std::size_t i = 0; i < meshes_[k].positions.size(); ++i)
            fastest_ = max(fastest_, length(to_double(meshes_[k + 1].positions[i]) -
                                            to_double(meshes_[k].positions[i])));
    }
    if (inside == Inside::below) bounds_.low.y -= max(bounds_.extent().x, bounds_.extent().z);
}

void ColliderMesh::find_buried() {
    for (std::uint32_t place = 0; place < tree_.size(); ++place) {
        const auto& [a, b, c] = moving_[0].corners[place];
        const Vec3d n = cross(b - a, c - a), middle = (a + b + c) * (1.0 / 3);
        const double size = length(n);
        if (!(size > 0)) continue;
        const Vec3d off = n * (skin_ * 0.1 / size);
        bounds_solid_[place] = winding(middle + off, {}) <= 0 && winding(middle - off, {}) > 0;
    }
}

ColliderMesh::Moment ColliderMesh::moment(double frame) const {
    const double last = static_cast<double>(moving_.size() - 1), f = min(max(frame, 0.0), last);
    const auto pose = static_cast<std::size_t>(f);
    return {pose, f - static_cast<double>(pose)};
}

std::array<Vec3d, 3> ColliderMesh::corners(std::uint32_t place, const Moment& at) const {
    const std::array<Vec3d, 3>& a = moving_[at.pose].corners[place];
    if (at.share == 0) return a;
    const std::array<Vec3d, 3>& b = moving_[at.pose + 1].corners[place];
    return {a[0] + (b[0] - a[0]) * at.share, a[1] + (b[1] - a[1]) * at.share,
            a[2] + (b[2] - a[2]) * at.share};
}

// Between poses all points are in the box between their boxes.
Bounds3d ColliderMesh::box(std::uint32_t node, const Moment& at) const {
    const Bounds3d& a = moving_[at.pose].boxes[node];
    if (at.share == 0) return a;
    const Bounds3d& b = moving_[at.pose + 1].boxes[node];
    Bounds3d box;
    box.low = a.low + (b.low - a.low) * at.share;
    box.high = a.high + (b.high - a.high) * at.share;
    return box;
}

ColliderMesh::Ride ColliderMesh::ride_at(const Vec3d& point) const {
    const std::uint32_t place = tree_.nearest(point).place;
    const auto& [a, b, c] = moving_[0].corners[place];
    const Vec3d n = cross(b - a, c - a), p = point - a;
    const double area = dot(n, n);
    if (!(area > 0)) return {place, {}};
    return {place, {dot(cross(p, c - a), n) / area, dot(cross(b - a, p), n) / area, dot(p, n) / sqrt(area)}};
}

Vec3d ColliderMesh::point_of(const Ride& ride, const Moment& at) const {
    const auto [a, b, c] = corners(ride.place, at);
    const Vec3d n = cross(b - a, c - a), &on = ride.on_triangle;
    const double size = length(n);
    return a + (b - a) * on.x + (c - a) * on.y + (size > 0 ? n * (on.z / size) : Vec3d{});
}

double ColliderMesh::deformation(double from, double to) const {
    const double last = static_cast<double>(moving_.size() - 1);
    const auto within = [&](double pose) { return min(max(pose, 0.0), last); };
    return fastest_ * abs(within(to) - within(from));
}

double ColliderMesh::ground_at(double x, double z) const {
    const double u = x / heights_.spacing + heights_.columns / 2.0,
                 v = z / heights_.spacing + heights_.rows / 2.0;
    if (!(u >= 0 && u <= heights_.columns && v >= 0 && v <= heights_.rows))
        return std::numeric_limits<double>::quiet_NaN();
    const int i = std::min(static_cast<int>(u), heights_.columns - 1),
              j = std::min(static_cast<int>(v), heights_.rows - 1);
    const auto height = [&](int di, int dj) {
        return double(heights_.heights[static_cast<std::size_t>((j + dj) * (heights_.columns + 1) + i + di)]);
    };
    // The two triangles of a cell meet along the diagonal from (0, 0) to (1, 1).
    const double s = u - i, t = v - j, a = height(0, 0), c = height(1, 1);
    return s > t ? a + (height(1, 0) - a) * s + (c - height(1, 0)) * t
                 : a + (height(0, 1) - a) * t + (c - height(0, 1)) * s;
}

bool ColliderMesh::is_above(const Vec3d& p) const {
    const double deep = max(bounds_.extent().x, bounds_.extent().z);
    return p.y > ground_at(p.x, p.z) && p.y < bounds_.high.y + deep;
}

// How often a closed surface winds about a point: how often a ray along z leaves it, less how often it
// enters. Whether the ray meets a triangle abc is asked of its edges, seen along z: side(a, b) is twice the
// area of p, a, b. Where an edge passes through p, p is thought to stand (ε, ε²) aside: then of two triangles
// at an edge one is met, and of the triangles at a corner as many as there should be.
int ColliderMesh::winding(const Vec3d& p, const Moment& at) const {
    struct Side {
        double area;
        bool positive;
    };
    const auto side = [&](const Vec3d& q, const Vec3d& r) -> Side {
        const double area = (q.x - p.x) * (r.y - p.y) - (q.y - p.y) * (r.x - p.x);
        if (area != 0) return {area, area > 0};
        return {area, q.y != r.y ? q.y > r.y : r.x > q.x};
    };
    int winding = 0;
    std::uint32_t stack[64], top = 0;
    stack[top++] = 0;
    while (top > 0) {
        const std::uint32_t i = stack[--top];
        const Bounds3d around = box(i, at);
        if (p.x < around.low.x || p.x > around.high.x || p.y < around.low.y || p.y > around.high.y ||
            p.z > around.high.z)
            continue;
        const Node& node = nodes_[i];
        for (std::uint32_t k = 0; k < node.count; ++k) {
            const auto t = corners(node.first + k, at);
            const Side ab = side(t[0], t[1]), bc = side(t[1], t[2]), ca = side(t[2], t[0]);
            if (ab.positive != bc.positive || bc.positive != ca.positive) continue;
            const double area = ab.area + bc.area + ca.area;
            if (area == 0) continue;
            const double z = (t[0].z * bc.area + t[1].z * ca.area + t[2].z * ab.area) / area;
            if (z > p.z) winding += ab.positive ? 1 : -1;
        }
        if (node.count > 0) continue;
        stack[top++] = node.first;
        stack[top++] = i + 1;
    }
    return winding;
}

bool ColliderMesh::is_inside(const Vec3d& p, const Moment& at) const {
    if (inside_ == Inside::none) return false;
    if (inside_ == Inside::below) return p.y < ground_at(p.x, p.z) && p.y > bounds_.low.y;
    return winding(p, at) > 0;
}

void ColliderMesh::make_grid() {
    if (is_moving()) return;
    const Vec3d size = bounds_.extent();
    grid_.cell = max(size.x, max(size.y, size.z)) / most_cells;
    grid_.low = bounds_.low;
    const auto cells = [&](double length) { return static_cast<int>(std::ceil(length / grid_.cell)) + 1; };
    grid_.size = {cells(size.x), cells(size.y), cells(size.z)};
    grid_.distances.reserve(static_cast<std::size_t>(grid_.size[0] * grid_.size[1] * grid_.size[2]));
    for (int z = 0; z < grid_.size[2]; ++z) {
        for (int y = 0; y < grid_.size[1]; ++y) {
            for (int x = 0; x < grid_.size[0]; ++x) {
                const Vec3d center = grid_.low + Vec3d{x + 0.5, y + 0.5, z + 0.5} * grid_.cell;
                const double distance = sqrt(tree_.nearest(center).squared_distance);
                grid_.distances.push_back(static_cast<float>(is_inside(center, {}) ? -distance : distance));
            }
        }
    }
}

Result<ColliderMeshPointer> make_collider_mesh(std::span<const TriangleMesh> poses, float thickness) {
    const StandardFloatingPoint floating_point;
    if (Status status = check(poses, thickness); !status) return status.error();
    const bool closed = closes(poses[0]);
    const double extent = length(bounds_of(poses[0]).extent());
    const double shell = thickness > 0 ? thickness : extent * open_thickness;
    auto made =
        std::make_shared<ColliderMesh>(plain(poses, closed && signed_volume(poses[0]) < 0),
                                       closed ? ColliderMesh::Inside::winding : ColliderMesh::Inside::none,
                                       closed ? extent * closed_skin : shell / 2);
    made->make_grid();
    return ColliderMeshPointer(made);
}

Result<ColliderMeshPointer> make_collider_mesh(const TriangleMesh& mesh, float thickness) {
    return make_collider_mesh(std::span(&mesh, 1), thickness);
}

Result<ColliderMeshPointer> make_height_field(const Heights& h) {
    const StandardFloatingPoint floating_point;
    constexpr int most = 4096;
    if (h.columns < 1 || h.columns > most || h.rows < 1 || h.rows > most)
        return Error{h.columns < 1 || h.columns > most ? "columns" : "rows",
                     fmt::format("must be in [1, {}]", most)};
    if (!(h.spacing > 0 && h.spacing <= 1e6f))
        return Error{"spacing", fmt::format("must be in (0, 1e6], got {:g}", h.spacing)};
    const auto width = static_cast<std::uint32_t>(h.columns) + 1,
               depth = static_cast<std::uint32_t>(h.rows) + 1;
    if (h.heights.size() != std::size_t(width) * depth)
        return Error{"heights", fmt::format("must be {} numbers, one for each point, got {}",
                                            std::size_t(width) * depth, h.heights.size())};
    TriangleMesh mesh;
    for (std::uint32_t i = 0; i < h.heights.size(); ++i) {
        if (!(std::abs(h.heights[i]) <= 1e6f))
            return Error{fmt::format("heights/{}", i),
                         fmt::format("must be in ±1e6, got {:g}", h.heights[i])};
        mesh.positions.push_back(
            {(static_cast<float>(i % width) - static_cast<float>(h.columns) / 2) * h.spacing, h.heights[i],
             (static_cast<float>(i / width) - static_cast<float>(h.rows) / 2) * h.spacing});
    }
    for (std::uint32_t j = 0; j + 1 < depth; ++j) {
        for (std::uint32_t i = 0; i + 1 < width; ++i) {
            const std::uint32_t a = j * width + i, c = a + width + 1;
            mesh.triangles.push_back({a, c, a + 1});
            mesh.triangles.push_back({a, a + width, c});
        }
    }
    const double extent = length(bounds_of(mesh).extent());
    auto made =
        std::make_shared<ColliderMesh>(std::vector{mesh}, ColliderMesh::Inside::below, extent * closed_skin);
    made->set_heights(h);
    made->make_grid();
    return ColliderMeshPointer(made);
}

bool is_closed(const ColliderMesh& mesh) { return mesh.inside() != ColliderMesh::Inside::none; }
float thickness_of(const ColliderMesh& mesh) {
    const StandardFloatingPoint floating_point;
    return is_closed(mesh) ? 0 : static_cast<float>(2 * mesh.skin());
}
std::size_t poses_of(const ColliderMesh& mesh) { return mesh.poses().size(); }

}  // namespace pliant
