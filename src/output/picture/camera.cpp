#include "output/picture/camera.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <utility>

#include "base/convert.h"
#include "output/picture/collider_surfaces.h"

namespace pliant::output {
namespace {

Vec3d unit(Vec3d v) { return v * (1 / std::max(std::sqrt(dot(v, v)), 1e-300)); }

// Right, up and forward.
std::array<Vec3d, 3> axes(Vec3d direction) {
    const Vec3d forward = unit(direction);
    const Vec3d upward = std::abs(forward.y) > 0.999 ? Vec3d{0, 0, -1} : Vec3d{0, 1, 0};
    const Vec3d right = unit(cross(forward, upward));
    return {right, cross(right, forward), forward};
}

double slope(double field_of_view) { return std::tan(field_of_view * std::numbers::pi / 360); }

constexpr std::array<double Vec3d::*, 3> coordinates{&Vec3d::x, &Vec3d::y, &Vec3d::z};

// Where particles of a body may come that is held at these points.
Bounds reach(const std::vector<Vec3d>& particles, const std::vector<Vec3d>& pins) {
    Bounds all;
    for (const Vec3d& p : particles) {
        Bounds within;
        for (const Vec3d& pin : pins) {
            const Vec3d away = p - pin;
            const double r = std::sqrt(dot(away, away));
            const Bounds ball{pin - Vec3d{r, r, r}, {pin.x + r, std::max(pin.y, p.y), pin.z + r}};
            if (within.empty()) within = ball;
            for (const auto c : coordinates) {
                within.low.*c = std::max(within.low.*c, ball.low.*c);
                within.high.*c = std::min(within.high.*c, ball.high.*c);
            }
        }
        all.add(within);
    }
    return all;
}

// What a free body sweeps until it meets the ground, or in its first second.
Bounds fall(const Bounds& start, Vec3d velocity, Vec3d gravity, const std::optional<Plane>& ground) {
    Bounds swept = start;
    const Vec3d size = start.high - start.low;
    constexpr double interval = 1.0 / 30;
    for (int i = 1; i <= 90; ++i) {
        const double t = i * interval;
        const Vec3d moved = velocity * t + gravity * (0.5 * t * t);
        Bounds now{start.low + moved, start.high + moved};
        if (ground) {
            const double height = dot(now.center() - ground->point, unit(to_double(ground->normal)));
            if (height < 0.3 * size.y) break;
            now.low.y = std::max(now.low.y, std::min(ground->point.y, start.low.y));
        } else if (t > 1) {
            break;
        }
        swept.add(now);
    }
    if (ground && dot(gravity, gravity) > 0) {
        const Vec3d spread{0.15 * size.y, 0, 0.15 * size.y};
        swept.add(
            Vec3d{swept.low.x - spread.x, std::min(ground->point.y, swept.low.y), swept.low.z - spread.z});
        swept.add(swept.high + spread);
    }
    return swept;
}

// At most a few of many, which narrow the reach less but never too much.
std::vector<Vec3d> thinned(std::vector<Vec3d> pins) {
    constexpr std::size_t enough = 8;
    if (pins.size() <= enough) return pins;
    std::vector<Vec3d> few;
    for (std::size_t i = 0; i < enough; ++i) few.push_back(pins[i * (pins.size() - 1) / (enough - 1)]);
    return few;
}

Vec3d mean(std::span<const Vec3> vectors) {
    Vec3d sum{};
    for (const Vec3& v : vectors) sum = sum + to_double(v);
    return vectors.empty() ? sum : sum * (1 / static_cast<double>(vectors.size()));
}

}  // namespace

std::optional<PicturePoint> project(const Camera& camera, double aspect, Vec3d point) {
    const auto [right, up, forward] = axes(camera.target - camera.eye);
    const Vec3d p = point - camera.eye;
    const double depth = dot(p, forward), s = slope(camera.field_of_view);
    if (!(depth > 0)) return std::nullopt;
    return PicturePoint{0.5 + 0.5 * dot(p, right) / (depth * s * aspect),
                        0.5 - 0.5 * dot(p, up) / (depth * s)};
}

// With corners (x, y, z) along the camera's axes, an eye at distance d before the middle (c, ·, 0) shows a
// corner when |x − c| ≤ s·(d + z), s being the slope of the picture's edge: so d ≥ x/s − z − c/s and
// d ≥ −x/s − z + c/s for all corners. The least d has both bounds equal.
Camera frame(const Bounds& box, double aspect, Vec3d direction, double field_of_view) {
    constexpr double air = 0.88;  // of the picture is filled
    const auto [right, up, forward] = axes(direction);
    const Vec3d middle = box.empty() ? Vec3d{} : box.center();
    const double s_up = air * slope(field_of_view), s_right = s_up * aspect;
    double a_right = 0, b_right = 0, a_up = 0, b_up = 0;
    const double least = std::max(box.diagonal(), 1e-6);
    if (!box.empty()) {
        a_right = b_right = a_up = b_up = -least;
        for (int corner = 0; corner < 8; ++corner) {
            const Vec3d p = Vec3d{corner & 1 ? box.high.x : box.low.x, corner & 2 ? box.high.y : box.low.y,
                                  corner & 4 ? box.high.z : box.low.z} -
                            middle;
            const double x = dot(p, right) / s_right, y = dot(p, up) / s_up, z = dot(p, forward);
            a_right = std::max(a_right, x - z);
            b_right = std::max(b_right, -x - z);
            a_up = std::max(a_up, y - z);
            b_up = std::max(b_up, -y - z);
        }
    }
    const double distance = std::max({0.5 * (a_right + b_right), 0.5 * (a_up + b_up), least});
    const Vec3d target =
        middle + right * (0.5 * (a_right - b_right) * s_right) + up * (0.5 * (a_up - b_up) * s_up);
    return {target - forward * distance, target, field_of_view};
}

std::optional<Plane> ground_of(std::span<const Collider> colliders) {
    std::optional<Plane> ground;
    double best = 0.2;
    for (const Collider& collider : colliders) {
        const std::optional<Plane> plane = plane_of(collider);
        if (!plane) continue;
        const double up = unit(to_double(plane->normal)).y;
        if (up > best) {
            best = up;
            ground = *plane;
        }
    }
    return ground;
}

Camera widened(Camera camera, double aspect) {
    const double narrower = 4.0 / 3 / aspect;
    if (narrower <= 1) return camera;
    const double half = std::atan(slope(camera.field_of_view) * narrower);
    camera.field_of_view = 2 * half * 180 / std::numbers::pi;
    return camera;
}

std::vector<Vec3d> anchors_of(const View& view, const BodyView& body) {
    std::vector<Vec3d> points;
    for (const AnchorView& anchor : view.anchors) {
        const bool own = anchor.particle >= body.first_particle &&
                         anchor.particle - body.first_particle < body.particle_count;
        if (own) points.push_back(anchor.point);
    }
    return points;
}

Bounds expected_bounds(const View& view) {
    Bounds all;
    for (const Collider& collider : view.colliders) all.add(bounds_of(collider.shape));
    const std::optional<Plane> ground = ground_of(view.colliders);
    for (const BodyView& body : view.bodies) {
        std::vector<Vec3d> positions;
        Bounds start;
        for (const Vec3& p : view.positions.subspan(body.first_particle, body.particle_count)) {
            positions.push_back(to_double(p));
            start.add(positions.back());
        }
        if (start.empty()) continue;
        const std::vector<Vec3d> pins = thinned(anchors_of(view, body));
        const Vec3d velocity = mean(view.velocities.subspan(body.first_particle, body.particle_count));
        Bounds expected =
            pins.empty() ? fall(start, velocity, to_double(view.gravity), ground) : reach(positions, pins);
        if (ground && !pins.empty() && expected.low.y < ground->point.y) {
            expected.low.y = std::min(ground->point.y, start.low.y);
        }
        all.add(start);
        all.add(expected);
    }
    return all;
}

SteadyCamera::SteadyCamera(const Bounds& expected, double aspect, Vec3d direction)
    : framed_(expected),
      stage_(expected),
      used_before_(expected),
      usual_size_(expected.diagonal()),
      aspect_(aspect),
      direction_(direction) {}

void SteadyCamera::follow(const Bounds& now) {
    constexpr double inward = 0.02, most = 3;
    constexpr int period = 75;  // longer than most swings
    if (now.empty()) return;
    if (framed_.empty()) *this = SteadyCamera(now, aspect_, direction_);
    if (++frames_ > period) {
        used_before_ = std::exchange(now_used_, {});
        frames_ = 0;
    }
    now_used_.add(now);
    Bounds goal = now_used_;
    goal.add(used_before_);
    // What went far away is let go, or a body that falls forever would become a dot.
    if (goal.diagonal() > most * std::max(usual_size_, now.diagonal())) goal = now_used_ = used_before_ = now;
    for (const auto c : coordinates) {
        double &low = framed_.low.*c, &high = framed_.high.*c;
        low = std::min(low + inward * std::max(goal.low.*c - low, 0.0), now.low.*c);
        high = std::max(high + inward * std::min(goal.high.*c - high, 0.0), now.high.*c);
    }
    stage_.add(framed_);
    if (stage_.diagonal() > 2 * most * usual_size_) stage_ = framed_;
}

}  // namespace pliant::output
