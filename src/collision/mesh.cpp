#include "collision/mesh.h"

#include "base/format.h"
#include "collision/collider_mesh.h"
#include "collision/mesh_contact.h"

namespace pliant::collision {
namespace {

Vec3d area_vector(const TriangleMesh& mesh, const Triangle& t) {
    const Vec3d a = to_double(mesh.positions[t[0]]);
    return cross(to_double(mesh.positions[t[1]]) - a, to_double(mesh.positions[t[2]]) - a);
}

Vec3d unit_or(const Vec3d& n, const Vec3d& other) { return dot(n, n) > 0 ? unit(n) : other; }

// Smooth where neighbouring faces differ by less than about 35°, sharp elsewhere.
void add_normals(TriangleMesh& mesh) {
    constexpr double sharp = 0.82;
    std::vector<Vec3d> areas;
    std::vector<std::vector<std::uint32_t>> around(mesh.positions.size());
    for (std::uint32_t i = 0; i < mesh.triangles.size(); ++i) {
        areas.push_back(area_vector(mesh, mesh.triangles[i]));
        for (const std::uint32_t corner : mesh.triangles[i]) around[corner].push_back(i);
    }
    for (std::uint32_t i = 0; i < mesh.triangles.size(); ++i) {
        const Vec3d own = unit_or(areas[i], {0, 1, 0});
        std::array<Vec3, 3>& normals = mesh.normals.emplace_back();
        for (std::size_t k = 0; k < 3; ++k) {
            Vec3d sum{};
            for (const std::uint32_t other : around[mesh.triangles[i][k]])
                if (dot(unit_or(areas[other], own), own) > sharp) sum = sum + areas[other];
            normals[k] = to_float(unit_or(sum, own));
        }
    }
}

// An open surface becomes the two sides of a shell and the rim between them.
void thicken(TriangleMesh& mesh, double skin) {
    std::vector<Vec3d> normals(mesh.positions.size());
    for (const Triangle& t : mesh.triangles)
        for (const std::uint32_t corner : t) normals[corner] = normals[corner] + area_vector(mesh, t);
    const auto count = static_cast<std::uint32_t>(mesh.positions.size());
    for (std::uint32_t i = 0; i < count; ++i) {
        const Vec3d p = to_double(mesh.positions[i]), off = unit_or(normals[i], {}) * skin;
        mesh.positions[i] = to_float(p + off);
        mesh.positions.push_back(to_float(p - off));
    }
    const std::vector<Triangle> front = mesh.triangles;
    const auto neighbours = triangle_neighbours(front);
    for (std::size_t i = 0; i < front.size(); ++i) {
        const Triangle& t = front[i];
        mesh.triangles.push_back({t[0] + count, t[2] + count, t[1] + count});
        for (std::size_t k = 0; k < 3; ++k) {
            if (neighbours[i][k] != no_neighbour) continue;
            const std::uint32_t a = t[k], b = t[(k + 1) % 3];
            mesh.triangles.push_back({b, a, a + count});
            mesh.triangles.push_back({b, a + count, b + count});
        }
    }
}

}  // namespace

LocalMesh MeshBase::localize(const ColliderMesh& mesh, const Vec3d& position, const Quaternion& rotation,
                             double pose) {
    const std::array<Vec3d, 3> axes = axes_of(unit(rotation));
    Local local;
    local.center = to_float(position);
    for (std::size_t i = 0; i < 3; ++i) local.axes[i] = to_float(axes[i]);
    local.low = to_float(mesh.bounds().low);
    local.high = to_float(mesh.bounds().high);
    local.reach = static_cast<float>(mesh.skin() + mesh.extent() * 1e-6);
    local.mesh = &mesh;
    local.pose = local.pose_before = pose;
    return local;
}

double MeshBase::deformation(const ColliderMesh& mesh, double from, double to) {
    return mesh.deformation(from, to);
}

bool MeshCollider::has_inside(const SolidMesh& mesh) { return is_closed(*mesh.surface); }

MovingContact<double> MeshBase::of_one(const Local& local, const Vec3d& x, const Vec3d& step, double r) {
    const Vec3d axes[3] = {to_double(local.axes[0]), to_double(local.axes[1]), to_double(local.axes[2])};
    const auto inward = [&](const Vec3d& a) {
        return Vec3d{dot(axes[0], a), dot(axes[1], a), dot(axes[2], a)};
    };
    const auto outward = [&](const Vec3d& a) { return axes[0] * a.x + axes[1] * a.y + axes[2] * a.z; };
    MovingContact<double> c = mesh_contact({local.mesh, local.pose, local.pose_before, local.inverted},
                                           inward(x - to_double(local.center)), inward(step), r);
    c.normal = outward(c.normal);
    c.motion = outward(c.motion);
    return c;
}

void MeshBase::of_floats(const Local& local, const float (&p)[7], float (&found)[7]) {
    const MovingContact<double> c = of_one(local, {p[0], p[1], p[2]}, {p[3], p[4], p[5]}, p[6]);
    const double all[7] = {c.distance, c.normal.x, c.normal.y, c.normal.z,
                           c.motion.x, c.motion.y, c.motion.z};
    for (int k = 0; k < 7; ++k) found[k] = static_cast<float>(all[k]);
}

// Half of the shortest side of its box leads out of a solid, and all of its height out of a height field.
Clearance MeshBase::clearance(const Local& local, const LocalBounds& bounds) {
    const Vec3d low = to_double(local.low), high = to_double(local.high);
    const Vec3d middle = (low + high) * 0.5, e = (high - low) * 0.5;
    const Vec3d a[3] = {to_double(local.axes[0]), to_double(local.axes[1]), to_double(local.axes[2])};
    const auto half = [&](double Vec3d::*c) {
        return abs(a[0].*c) * e.x + abs(a[1].*c) * e.y + abs(a[2].*c) * e.z + local.reach;
    };
    const Vec3d c = to_double(local.center) + a[0] * middle.x + a[1] * middle.y + a[2] * middle.z;
    return {distance_between(bounds, c, {half(&Vec3d::x), half(&Vec3d::y), half(&Vec3d::z)}),
            2 * min(e.x, min(e.y, e.z)) + local.reach, length(to_double(local.center)) + 2 * length(e)};
}

Bounds MeshBase::bounds_of(const ColliderMesh& mesh, const Vec3d& position, const Quaternion& rotation) {
    const UnitQuaternion q = unit(rotation);
    Bounds3d bounds;
    for (const TriangleMesh& pose : mesh.poses()) {
        for (const Triangle& t : pose.triangles) {
            for (const std::uint32_t corner : t)
                bounds.add(position + rotate(q, to_double(pose.positions[corner])));
        }
    }
    return {bounds.low, bounds.high};
}

TriangleMesh MeshBase::surface_of(const ColliderMesh& mesh, const Vec3d& offset, const Quaternion& rotation,
                                  double pose) {
    const ColliderMesh::Moment at = mesh.moment(pose);
    const TriangleMesh& from = mesh.poses()[at.pose];
    const TriangleMesh& to = mesh.poses()[at.share > 0 ? at.pose + 1 : at.pose];
    TriangleMesh made;
    for (std::size_t i = 0; i < from.positions.size(); ++i) {
        const Vec3d a = to_double(from.positions[i]), b = to_double(to.positions[i]);
        made.positions.push_back(to_float(a + (b - a) * at.share));
    }
    made.triangles = from.triangles;
    if (!is_closed(mesh)) thicken(made, mesh.skin());
    add_normals(made);
    const UnitQuaternion q = unit(rotation);
    for (Vec3& p : made.positions) p = to_float(offset + rotate(q, to_double(p)));
    for (std::array<Vec3, 3>& normals : made.normals)
        for (Vec3& n : normals) n = to_float(rotate(q, to_double(n)));
    return made;
}

std::optional<Error> MeshBase::check_surface(const ColliderMesh* mesh, const Quaternion& rotation,
                                             const char* maker, const std::string& path) {
    if (!mesh) return Error{path + "/surface", fmt::format("must be given: {} makes it", maker)};
    return check_not_zero(squared_length(rotation), path + "/rotation");
}

}  // namespace pliant::collision
