#include "collision/local_colliders.h"

#include <pliant/assertions.h>

#include <algorithm>
#include <cmath>

#include "base/convert.h"

namespace pliant::collision {
namespace {

template <class Kind>
typename Kind::Local make_local(const typename Kind::Shape& before, const typename Kind::Shape& after,
                                const Collider& collider, const Vec3d& origin) {
    typename Kind::Local local = Kind::localize(after, origin);
    local.friction = collider.friction;
    local.restitution = collider.restitution;
    local.inverted = collider.inverted;
    local.belt = collider.surface_velocity;
    local.drags = dot(local.belt, local.belt) > 0;
    const Vec3d shift = Kind::point(after) - Kind::point(before), spin = Kind::turn(before, after);
    local.shift = to_float(shift);
    local.spin = to_float(spin);
    local.pivot = to_float(Kind::point(after) - origin);
    local.moves = dot(shift, shift) > 0 || dot(spin, spin) > 0;
    if constexpr (requires { local.pose_before; }) {
        local.pose_before = Kind::pose_of(before);
        local.reach += static_cast<float>(Kind::deformation(before, after));
    }
    return local;
}

// How far the surface moves at most where a particle of the bounds may be.
double motion_in(const ContactSurface& surface, const LocalBounds& bounds) {
    if (!surface.moves) return 0;
    const double arm = length(bounds.center - to_double(surface.pivot)) + length(bounds.half);
    return length(to_double(surface.shift)) + length(to_double(surface.spin)) * arm;
}

// The solid outside of a shape is near everywhere, and as deep as the middle is far.
template <class Kind>
Clearance clearance_of(const typename Kind::Local& local, const LocalBounds& bounds) {
    Clearance clearance = Kind::clearance(local, bounds);
    if (!local.inverted) return clearance;
    const double far = length(bounds.center - to_double(local.pivot)) + length(bounds.half);
    return {0, far + clearance.scale, clearance.scale};
}

// Beyond what lanes of floats get wrong.
constexpr double rounding = 1e-5;

}  // namespace

ColliderShape between(const ColliderShape& from, const ColliderShape& to, double share) {
    PLIANT_ASSERT(from.index() == to.index());
    if (share <= 0) return from;
    if (share >= 1) return to;
    return visit_shape(from, [&]<class Kind>(const typename Kind::Shape& a) -> ColliderShape {
        return Kind::mix(a, std::get<typename Kind::Shape>(to), share);
    });
}

double motion_between(const ColliderShape& from, const ColliderShape& to, double distance) {
    return visit_shape(from, [&]<class Kind>(const typename Kind::Shape& a) {
        const auto& b = std::get<typename Kind::Shape>(to);
        double motion = length(Kind::point(b) - Kind::point(a)) + length(Kind::turn(a, b)) * distance;
        if constexpr (requires { Kind::deformation(a, b); }) motion += Kind::deformation(a, b);
        return motion;
    });
}

ColliderShape without_source(const ColliderShape& shape) {
    return visit_shape(shape, [&]<class Kind>(const typename Kind::Shape& s) -> ColliderShape {
        if constexpr (requires { Kind::without_source(s); }) {
            return Kind::without_source(s);
        } else {
            return s;
        }
    });
}

bool has_same_surface(const ColliderShape& a, const ColliderShape& b) {
    return visit_shape(a, [&]<class Kind>(const typename Kind::Shape& s) {
        if constexpr (requires { s.surface; }) {
            return s.surface == std::get<typename Kind::Shape>(b).surface;
        } else {
            return true;
        }
    });
}

void LocalColliders::place(std::span<const Collider> start, std::span<const Collider> end,
                           const Vec3d& origin) {
    PLIANT_ASSERT(start.size() == end.size());
    PLIANT_ASSERT(std::isfinite(origin.x) && std::isfinite(origin.y) && std::isfinite(origin.z));
    clear();
    for (std::size_t i = 0; i < end.size(); ++i) {
        PLIANT_ASSERT(start[i].shape.index() == end[i].shape.index());
        visit_shape(end[i].shape, [&]<class Kind>(const typename Kind::Shape& after) {
            const auto& before = std::get<typename Kind::Shape>(start[i].shape);
            auto& list = std::get<Locals<Kind>>(locals_).list;
            list.push_back(make_local<Kind>(before, after, end[i], origin));
            list.back().number = static_cast<std::uint32_t>(i);
        });
    }
}

ColliderSet LocalColliders::set() const {
    ColliderSet set;
    AllColliders::for_each([&]<class Kind>() {
        const auto& list = std::get<Locals<Kind>>(locals_).list;
        static_cast<LocalSpan<Kind>&>(set) = {list.data(), list.size()};
    });
    return set;
}

void LocalColliders::reserve_for(const LocalColliders& all) {
    AllColliders::for_each([&]<class Kind>() {
        std::get<Locals<Kind>>(locals_).list.reserve(std::get<Locals<Kind>>(all.locals_).list.size());
    });
}

template <class Kind>
bool LocalColliders::is_near(const typename Kind::Local& local, const LocalBounds& bounds, double radius,
                             Clearance& clearance, double& motion) {
    const double reach = length(bounds.center) + length(bounds.half) + radius;
    clearance = clearance_of<Kind>(local, bounds);
    motion = motion_in(local, bounds);
    return clearance.distance <= radius + motion + rounding * (reach + clearance.scale);
}

ColliderSet LocalColliders::near_faces(const LocalBounds& bounds, double radius, double& clear) const {
    ColliderSet set;
    clear = 1e9;
    AllColliders::for_each([&]<class Kind>() {
        const auto& list = std::get<Locals<Kind>>(locals_).list;
        std::size_t first = list.size(), end = 0;
        for (std::size_t i = 0; i < list.size(); ++i) {
            Clearance clearance;
            double motion = 0;
            if (!Kind::meets_faces(list[i].inverted)) continue;
            if (!is_near<Kind>(list[i], bounds, radius, clearance, motion)) {
                clear = min(clear, 0.5 * (clearance.distance - radius - motion));
                continue;
            }
            first = std::min(first, i);
            end = i + 1;
        }
        if (first < end) static_cast<LocalSpan<Kind>&>(set) = {list.data() + first, end - first};
    });
    return set;
}

// Returns how far the found ones may push, together.
double LocalColliders::collect_near(const LocalColliders& all, const LocalBounds& bounds, double radius) {
    double push = 0;
    AllColliders::for_each([&]<class Kind>() {
        auto& list = std::get<Locals<Kind>>(locals_).list;
        list.clear();
        for (const typename Kind::Local& local : std::get<Locals<Kind>>(all.locals_).list) {
            Clearance clearance;
            double motion = 0;
            if (!is_near<Kind>(local, bounds, radius, clearance, motion)) continue;
            list.push_back(local);
            push += clearance.depth + radius + motion;
        }
    });
    return push;
}

// What pushes particles may push them to others: then again, in bounds that have grown by as much. A step
// that is long against a shape is pushed back by as much as its length at most, and so is what friction
// takes.
void LocalColliders::keep_near(const LocalColliders& all, LocalBounds bounds, double radius) {
    const LocalBounds at_first = bounds;
    std::size_t found = 0;
    while (true) {
        const double push = collect_near(all, bounds, radius);
        const std::size_t now = size();
        if (now == found || now == all.size()) return;
        found = now;
        const double grown = push + 4 * length(at_first.half);
        bounds.half = at_first.half + Vec3d{grown, grown, grown};
    }
}

void LocalColliders::clear() {
    std::apply([](auto&... locals) { (locals.list.clear(), ...); }, locals_);
}

std::size_t LocalColliders::size() const {
    return std::apply([](const auto&... locals) { return (locals.list.size() + ...); }, locals_);
}

Vec3d pushed_out(const ColliderSet& colliders, Vec3d x, double radius) {
    AllColliders::for_each([&]<class Kind>() {
        const LocalSpan<Kind>& span = span_of<Kind>(colliders);
        for (std::size_t i = 0; i < span.count; ++i) {
            const Contact<double> met = contact_with<Kind>(span.first[i], x, Vec3d{}, radius);
            if (met.distance < 0) x = x - met.normal * met.distance;
        }
    });
    return x;
}

}  // namespace pliant::collision
