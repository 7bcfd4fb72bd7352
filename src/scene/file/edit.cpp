// Taking hold of bodies: translate, squash, grab, drag, release.
#include <cmath>
#include <limits>

#include "base/convert.h"
#include "base/field_checks.h"
#include "base/format.h"
#include "scene/runtime.h"

namespace pliant {
namespace {

// Distance along the ray to a triangle (Möller & Trumbore 1997), or infinity.
double hit_distance(const Vec3d& origin, const Vec3d& direction, const Vec3d& a, const Vec3d& b,
                    const Vec3d& c) {
    constexpr double miss = std::numeric_limits<double>::infinity();
    const Vec3d e1 = b - a, e2 = c - a, p = cross(direction, e2);
    const double determinant = dot(e1, p);
    if (determinant == 0) return miss;
    const Vec3d s = origin - a;
    const double u = dot(s, p) / determinant;
    if (!(u >= 0 && u <= 1)) return miss;
    const Vec3d q = cross(s, e1);
    const double v = dot(direction, q) / determinant;
    if (!(v >= 0 && u + v <= 1)) return miss;
    const double t = dot(e2, q) / determinant;
    return t > 0 ? t : miss;
}

// Without a surface under the ray, a particle counts as hit within this share of its distance.
constexpr double ray_tolerance = 0.02;

}  // namespace

Status Simulation::translate(std::string_view body, Vec3d offset) {
    const StandardFloatingPoint floating_point;
    Implementation& s = *implementation_;
    const auto found = s.find_body(body);
    if (!found.status) return found.status;
    if (auto error = check_field("offset", offset, ranges::any)) return *error;
    const std::uint32_t first = found.body->first_particle, count = found.body->particle_count;
    const std::uint32_t island = s.island_of(first);

    // A body with an origin of its own takes it along, and keeps its precision; the rest of the way, or
    // all of it where the origin is shared, goes into the positions.
    std::uint32_t bodies_in_island = 0;
    for (const BodyView& other : s.model.bodies)
        bodies_in_island += s.island_of(other.first_particle) == island;
    Vec3d rest = offset;
    if (bodies_in_island == 1) {
        const double grid = s.model.islands[island].grid();
        const Vec3d shift{std::round(offset.x / grid) * grid, std::round(offset.y / grid) * grid,
                          std::round(offset.z / grid) * grid};
        rest = offset - shift;
        s.state.origins[island] = s.state.origins[island] + shift;
        // Anchors stay where they are in the world.
        for (const model::DrivenParticle& driven : s.state.driven) {
            if (driven.particle < s.model.visible || s.island_of(driven.particle) != island) continue;
            float* x = s.position(driven.particle);
            x[0] = static_cast<float>(x[0] - shift.x);
            x[1] = static_cast<float>(x[1] - shift.y);
            x[2] = static_cast<float>(x[2] - shift.z);
        }
    }
    for (std::uint32_t i = first; i < first + count; ++i) {
        float* x = s.position(i);
        x[0] = static_cast<float>(x[0] + rest.x);
        x[1] = static_cast<float>(x[1] + rest.y);
        x[2] = static_cast<float>(x[2] + rest.z);
        if (model::DrivenParticle* driven = s.driven(i)) driven->target = driven->target + offset;
    }
    s.write_view();
    return {};
}

Status Simulation::squash(std::string_view body, double height) {
    const StandardFloatingPoint floating_point;
    Implementation& s = *implementation_;
    const auto found = s.find_body(body);
    if (!found.status) return found.status;
    if (auto error = check_number("height", height, ranges::any)) return *error;
    const std::uint32_t island = s.island_of(found.body->first_particle);
    const double origin = s.state.origins[island].y;
    for (std::uint32_t i = 0; i < found.body->particle_count; ++i) {
        const std::uint32_t particle = found.body->first_particle + i;
        if (s.is_held(particle)) continue;
        s.position(particle)[1] = static_cast<float>(height - origin);
        s.set_velocity(particle, {});
    }
    s.state.rescue.timers[static_cast<std::size_t>(found.body - s.model.bodies.data())] = {};
    s.state.rescue.next_scan = 0;
    s.state.recent_speeds[island] = 0;
    s.write_view();
    return {};
}

Result<std::uint32_t> Simulation::Implementation::grab(std::uint32_t particle) {
    const Vec3d here = world_position(particle);
    hold(particle);
    state.driven.push_back({particle, here});
    write_view();
    return particle;
}

Result<std::uint32_t> Simulation::grab(Vec3d point) {
    const StandardFloatingPoint floating_point;
    Implementation& s = *implementation_;
    if (auto error = check_field("point", point, ranges::any)) return *error;
    double nearest = std::numeric_limits<double>::infinity();
    std::uint32_t particle = 0;
    for (std::uint32_t i = 0; i < s.model.visible; ++i) {
        const Vec3d d = to_double(s.state.visible_positions[i]) - point;
        if (dot(d, d) >= nearest || s.is_held(i)) continue;
        nearest = dot(d, d);
        particle = i;
    }
    if (std::isinf(nearest)) return Error{"point", "finds nothing to grab: every particle is held"};
    return s.grab(particle);
}

Result<std::uint32_t> Simulation::grab_ray(Vec3d origin, Vec3 direction) {
    const StandardFloatingPoint floating_point;
    Implementation& s = *implementation_;
    if (auto error = check_field("origin", origin, ranges::any)) return *error;
    if (auto error = check_field("direction", direction, ranges::any)) return *error;
    const Vec3d d = to_double(direction);
    if (!(length(d) > 0)) return Error{"direction", "must not have length 0"};
    const Vec3d unit = d * (1 / length(d));
    const auto at = [&](std::uint32_t i) { return to_double(s.state.visible_positions[i]); };

    // The first triangle on the ray, and of its corners the one nearest to the hit.
    double nearest = std::numeric_limits<double>::infinity();
    const Triangle* hit = nullptr;
    for (const Triangle& t : s.model.triangles) {
        const double distance = hit_distance(origin, unit, at(t[0]), at(t[1]), at(t[2]));
        if (distance < nearest) nearest = distance, hit = &t;
    }
    double best = std::numeric_limits<double>::infinity();
    std::uint32_t particle = 0;
    if (hit) {
        for (std::uint32_t i : *hit) {
            const Vec3d away = at(i) - (origin + unit * nearest);
            if (!s.is_held(i) && dot(away, away) < best) best = dot(away, away), particle = i;
        }
    } else {
        for (std::uint32_t i = 0; i < s.model.visible; ++i) {
            const Vec3d way = at(i) - origin;
            const double along = dot(way, unit);
            const Vec3d away = way - unit * along;
            if (along <= 0 || s.is_held(i) || along >= best) continue;
            if (length(away) > max(ray_tolerance * along, double(s.model.radii[i]))) continue;
            best = along;
            particle = i;
        }
    }
    if (std::isinf(best)) return Error{"direction", "the ray meets nothing that can be grabbed"};
    return s.grab(particle);
}

Status Simulation::drag(std::uint32_t grabbed, Vec3d point) {
    const StandardFloatingPoint floating_point;
    Implementation& s = *implementation_;
    if (Status status = s.check_particle(grabbed); !status) return status;
    if (auto error = check_field("point", point, ranges::any)) return *error;
    model::DrivenParticle* driven = s.driven(grabbed);
    if (!driven) return Error{"grabbed", fmt::format("particle {} is not grabbed; grab it first", grabbed)};
    driven->target = point;
    return {};
}

Status Simulation::release(std::uint32_t grabbed) {
    const StandardFloatingPoint floating_point;
    Implementation& s = *implementation_;
    if (Status status = s.check_particle(grabbed); !status) return status;
    model::DrivenParticle* driven = s.driven(grabbed);
    if (!driven) return Error{"grabbed", fmt::format("particle {} is not grabbed", grabbed)};
    s.state.driven.erase(s.state.driven.begin() + (driven - s.state.driven.data()));
    s.let_go(grabbed);
    return {};
}

}  // namespace pliant
