#include "collision/mesh_contact.h"

#include "mesh/geometry/closest_point.h"

namespace pliant::collision {
namespace {

using mesh::closest_on_triangle;
using Moment = ColliderMesh::Moment;

constexpr double far = 1e30;
constexpr int most_planes = 4;   // that one step may slide along
constexpr int most_rounds = 24;  // of Newton's method

double squared(const Vec3d& a) { return dot(a, a); }

double squared_distance(const Bounds3d& box, const Vec3d& p) {
    const auto gap = [](double low, double high, double at) { return max(max(low - at, at - high), 0.0); };
    return squared(
        {gap(box.low.x, box.high.x, p.x), gap(box.low.y, box.high.y, p.y), gap(box.low.z, box.high.z, p.z)});
}

bool overlap(const Bounds3d& a, const Bounds3d& b) {
    return a.low.x <= b.high.x && b.low.x <= a.high.x && a.low.y <= b.high.y && b.low.y <= a.high.y &&
           a.low.z <= b.high.z && b.low.z <= a.high.z;
}

Vec3d face_normal(const std::array<Vec3d, 3>& t) {
    const Vec3d n = cross(t[1] - t[0], t[2] - t[0]);
    const double size = sqrt(squared(n));
    return size > 0 ? n * (1 / size) : Vec3d{0, 1, 0};
}

struct Foot {
    double squared_distance = far;
    Vec3d point{};
    std::uint32_t place = 0;
};

struct Plane {
    double time = 2;  // share of the step at which it is met; above 1: never
    Vec3d normal{}, foot{}, motion{};
};

class Query {
public:
    Query(const MeshQuery& query, double radius)
        : mesh_(*query.mesh),
          inverted_(query.inverted),
          deforms_(query.pose != query.pose_before),
          now_(mesh_.moment(query.pose)),
          before_(mesh_.moment(query.pose_before)),
          radius_(radius + mesh_.skin()),
          tolerance_(min(mesh_.skin() * 0.25, mesh_.extent() * 2e-7)),
          deformation_(mesh_.deformation(query.pose_before, query.pose)) {}

    // ---- Where it is ----

    Foot nearest(const Vec3d& p, double within, const Moment& at) const {
        Foot best;
        best.squared_distance = within;
        std::uint32_t stack[64], top = 0;
        stack[top++] = 0;
        while (top > 0) {
            const std::uint32_t i = stack[--top];
            if (squared_distance(mesh_.box(i, at), p) >= best.squared_distance) continue;
            const ColliderMesh::Node& node = mesh_.nodes()[i];
            for (std::uint32_t k = 0; k < node.count; ++k) {
                const auto t = mesh_.corners(node.first + k, at);
                const Vec3d foot = closest_on_triangle(t[0], t[1], t[2], p);
                const double distance = squared(p - foot);
                if (distance < best.squared_distance) best = {distance, foot, node.first + k};
            }
            if (node.count > 0) continue;
            const double left = squared_distance(mesh_.box(i + 1, at), p),
                         right = squared_distance(mesh_.box(node.first, at), p);
            stack[top++] = left < right ? node.first : i + 1;  // the nearer one is looked at first
            stack[top++] = left < right ? i + 1 : node.first;
        }
        return best;
    }

    bool is_solid(const Vec3d& p) const { return is_solid(p, now_); }

    // Whether what starts there is inside of the mesh as it was then. Above a face its normal tells;
    // elsewhere the winding number does. Rounding may leave what rests on the surface a little behind it:
    // within half the skin it is outside.
    bool starts_inside(const Vec3d& p, double reach) const {
        const Foot foot = nearest(p, reach * reach, before_);
        if (!(foot.squared_distance < reach * reach)) return is_solid(p, before_);
        const Vec3d away = p - foot.point, n = face_normal(mesh_.corners(foot.place, before_));
        const double height = dot(away, n), skin = mesh_.skin() * 0.5;
        if (foot.squared_distance < skin * skin) return false;
        const bool above_face = height * height > foot.squared_distance * (1 - 1e-6);
        return mesh_.bounds_solid(foot.place) && above_face ? (height < 0) != inverted_
                                                            : is_solid(p, before_);
    }

    // Signed, to the surface with its skin; `solid` says on which side p is.
    MovingContact<double> signed_contact(const Vec3d& p, bool solid) const {
        const Foot foot = nearest(p, far, now_);
        const double distance = sqrt(foot.squared_distance), side = solid ? -1.0 : 1.0;
        const auto t = mesh_.corners(foot.place, now_);
        const bool on_it = distance <= mesh_.extent() * 1e-9;
        const Vec3d n =
            on_it ? face_normal(t) * (inverted_ ? -1.0 : 1.0) : (p - foot.point) * (side / distance);
        return {{side * distance - radius_, n}, motion_at(foot.place, foot.point)};
    }

    // ---- What it meets ----

    // The first triangle that comes nearer than R on the way from p to `target`.
    Plane first_met(const Vec3d& p, const Vec3d& target) const {
        const double reach = radius_ + deformation_;
        Bounds3d way;
        way.add(p);
        way.add(target);
        way.low = way.low - Vec3d{reach, reach, reach};
        way.high = way.high + Vec3d{reach, reach, reach};
        Plane first;
        std::uint32_t stack[64], top = 0;
        stack[top++] = 0;
        while (top > 0) {
            const std::uint32_t i = stack[--top];
            if (!overlap(mesh_.box(i, now_), way)) continue;
            const ColliderMesh::Node& node = mesh_.nodes()[i];
            for (std::uint32_t k = 0; k < node.count; ++k) {
                const Plane met = meet(node.first + k, p, target);
                if (met.time < first.time) first = met;
            }
            if (node.count > 0) continue;
            stack[top++] = node.first;
            stack[top++] = i + 1;
        }
        return first;
    }

    // From the start outside to x, along the planes that are met. What still meets something then stops.
    MovingContact<double> swept_contact(const Vec3d& x, const Vec3d& step) const {
        const Vec3d p = x - step;
        Vec3d target = x, motion{};
        for (int i = 0; i < most_planes; ++i) {
            const Plane met = first_met(p, target);
            if (met.time > 1) break;
            motion = met.motion;
            if (i + 1 == most_planes) {
                target = p + met.motion + (target - p - met.motion) * met.time;
                break;
            }
            const double depth = radius_ - dot(target - met.foot, met.normal);
            target = target + met.normal * max(depth, 0.0);
        }
        const Vec3d pushed = target - x;
        const double length = sqrt(squared(pushed));
        if (!(length > 0)) return {{1, {0, 1, 0}}, {}};
        return {{-length, pushed * (1 / length)}, motion};
    }

    double reach_of(double step) const { return step + radius_ + deformation_; }

private:
    bool is_solid(const Vec3d& p, const Moment& at) const {
        if (inverted_ && mesh_.inside() == ColliderMesh::Inside::below) return mesh_.is_above(p);
        return mesh_.is_inside(p, at) != inverted_;
    }

    // How a point of a triangle moved from the pose before: with weights of its corners.
    Vec3d motion_at(std::uint32_t place, const Vec3d& foot) const {
        if (!deforms_) return {};
        const auto now = mesh_.corners(place, now_), before = mesh_.corners(place, before_);
        const Vec3d n = cross(now[1] - now[0], now[2] - now[0]);
        const double size = squared(n);
        const double b = divide_or_zero(dot(cross(now[0] - now[2], foot - now[2]), n), size),
                     c = divide_or_zero(dot(cross(now[1] - now[0], foot - now[0]), n), size);
        return (now[0] - before[0]) * (1 - b - c) + (now[1] - before[1]) * b + (now[2] - before[2]) * c;
    }

    // f(t) = |p + t·d − nearest point| − R is convex in t, because a triangle is convex: Newton's method from
    // the start arrives from before, f/(−n·d) at a time. What stands at R − tolerance touches; what comes no
    // nearer than that glides over the edges between triangles. The triangle stays where it is at the end;
    // the start moves along with it.
    Plane meet(std::uint32_t place, Vec3d p, const Vec3d& target) const {
        const auto t = mesh_.corners(place, now_);
        Vec3d foot = closest_on_triangle(t[0], t[1], t[2], p), motion{};
        if (deforms_) {
            motion = motion_at(place, foot);
            p = p + motion;
            foot = closest_on_triangle(t[0], t[1], t[2], p);
        }
        const Vec3d d = target - p;
        const double limit = radius_ - tolerance_;
        Plane met;
        double time = 0;
        for (int i = 0; i < most_rounds; ++i) {
            const Vec3d away = p + d * time - foot;
            const double distance = sqrt(squared(away));
            const Vec3d n = distance > 0 ? away * (1 / distance) : against(face_normal(t), d);
            const double fall = -dot(n, d);
            if (distance <= limit + tolerance_ * 0.01) {
                // Touching from the start on counts where it ends nearer.
                if (radius_ - dot(target - foot, n) > tolerance_) met = {time, n, foot, motion};
                return met;
            }
            if (!(fall > 0)) return met;
            time += (distance - limit) / fall;
            if (time > 1) return met;
            if (i + 1 == most_rounds) met = {time, n, foot, motion};
            foot = closest_on_triangle(t[0], t[1], t[2], p + d * time);
        }
        return met;
    }

    static Vec3d against(const Vec3d& n, const Vec3d& d) { return dot(n, d) > 0 ? n * -1.0 : n; }

    const ColliderMesh& mesh_;
    bool inverted_, deforms_;
    Moment now_, before_;
    double radius_, tolerance_;  // m
    double deformation_;         // m, how far a point moves at most
};

// Less than this is the distance of no point of the mesh from p; negative where p is surely inside.
double far_by_grid(const ColliderMesh::Grid& grid, const Vec3d& p) {
    const Vec3d at = (p - grid.low) * (1 / grid.cell);
    const auto within = [](double a, int size) { return a >= 0 && a < size; };
    if (!within(at.x, grid.size[0]) || !within(at.y, grid.size[1]) || !within(at.z, grid.size[2])) return 0;
    const int x = static_cast<int>(at.x), y = static_cast<int>(at.y), z = static_cast<int>(at.z);
    const double distance =
        grid.distances[static_cast<std::size_t>((z * grid.size[1] + y) * grid.size[0] + x)];
    const Vec3d center = grid.low + Vec3d{x + 0.5, y + 0.5, z + 0.5} * grid.cell;
    const double off = sqrt(squared(p - center)) + 1e-6 * grid.cell;
    if (distance > off) return distance - off;
    return distance < -off ? distance + off : 0;
}

}  // namespace

MovingContact<double> mesh_contact(const MeshQuery& query, const Vec3d& x, const Vec3d& step, double radius) {
    const MovingContact<double> nothing{{1, {0, 1, 0}}, {}};
    const ColliderMesh& mesh = *query.mesh;
    const Query q(query, radius);
    const double length = sqrt(squared(step));
    if (length == 0) return q.signed_contact(x, q.is_solid(x));
    const Vec3d p = x - step;
    const double reach = q.reach_of(length);
    const bool is_shell = mesh.inside() == ColliderMesh::Inside::none;
    if (squared_distance(mesh.bounds(), p) > reach * reach && !query.inverted) return nothing;
    const double known = mesh.grid().cell > 0 ? far_by_grid(mesh.grid(), p) : 0;
    const bool is_ground = mesh.inside() == ColliderMesh::Inside::below;
    const bool solid = known != 0 && (is_ground ? q.is_solid(p) : (known < 0) != query.inverted);
    if (known != 0 && !solid && abs(known) > reach) return nothing;
    if (is_shell) return q.swept_contact(x, step);
    // What starts inside leaves by the nearest way; what stands within the skin is outside.
    if (solid || (known == 0 && q.starts_inside(p, reach))) {
        const MovingContact<double> c = q.signed_contact(x, q.is_solid(x));
        return c.distance < 0 ? c : nothing;
    }
    return q.swept_contact(x, step);
}

}  // namespace pliant::collision
