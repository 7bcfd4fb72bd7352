#include "collision/local_colliders.h"

#include <pliant/assertions.h>

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
    const Vec3d shift = Kind::point(after) - Kind::point(before), spin = Kind::turn(before, after);
    local.shift = to_float(shift);
    local.spin = to_float(spin);
    local.pivot = to_float(Kind::point(after) - origin);
    local.moves = dot(shift, shift) > 0 || dot(spin, spin) > 0;
    return local;
}

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
        return length(Kind::point(b) - Kind::point(a)) + length(Kind::turn(a, b)) * distance;
    });
}

void LocalColliders::place(std::span<const Collider> start, std::span<const Collider> end,
                           const Vec3d& origin) {
    PLIANT_ASSERT(start.size() == end.size());
    PLIANT_ASSERT(std::isfinite(origin.x) && std::isfinite(origin.y) && std::isfinite(origin.z));
    std::apply([](auto&... locals) { (locals.list.clear(), ...); }, locals_);
    for (std::size_t i = 0; i < end.size(); ++i) {
        PLIANT_ASSERT(start[i].shape.index() == end[i].shape.index());
        visit_shape(end[i].shape, [&]<class Kind>(const typename Kind::Shape& after) {
            const auto& before = std::get<typename Kind::Shape>(start[i].shape);
            std::get<Locals<Kind>>(locals_).list.push_back(make_local<Kind>(before, after, end[i], origin));
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

Vec3d pushed_out(const ColliderSet& colliders, Vec3d x, double radius) {
    AllColliders::for_each([&]<class Kind>() {
        const LocalSpan<Kind>& span = span_of<Kind>(colliders);
        for (std::size_t i = 0; i < span.count; ++i) {
            const Contact<double> met = Kind::template contact<double>(span.first[i], x, Vec3d{}, radius);
            if (met.distance < 0) x = x - met.normal * met.distance;
        }
    });
    return x;
}

}  // namespace pliant::collision
