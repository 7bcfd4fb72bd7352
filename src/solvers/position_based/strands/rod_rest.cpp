#include "solvers/position_based/strands/rod_rest.h"

#include <numbers>

#include "base/convert.h"
#include "base/trigonometry.h"
#include "solvers/position_based/strands/rod_joint.h"

namespace pliant::solvers::position_based {
namespace {

// A direction across t: of the three axes the one that is least along it.
Vec3d any_normal(const Vec3d& t) {
    const double x = abs(t.x), y = abs(t.y), z = abs(t.z);
    const Vec3d axis = y <= x && y <= z ? Vec3d{0, 1, 0} : z <= x ? Vec3d{0, 0, 1} : Vec3d{1, 0, 0};
    return across(axis, t);
}

// Along the width of a ribbon.
Vec3d side_of(const model::Rod& rod, const Vec3d& t) {
    const Vec3d side = to_double(rod.side), wished = side - t * dot(side, t);
    if (dot(wished, wished) > 1e-12 * dot(side, side)) return across(side, t);
    const Vec3d level = cross(Vec3d{0, 1, 0}, t);
    return dot(level, level) > 1e-6 ? across(level, t) : across(Vec3d{0, 0, 1}, t);
}

Vec3d turned(const RodSegment<double>& segment, double turns) {
    const SineCosine at = sine_cosine_of_turns(turns);
    return segment.normal * at.cosine + cross(segment.tangent, segment.normal) * at.sine;
}

// tan(φ/2)
double half_tangent(double angle) {
    const SineCosine half = sine_cosine_of_turns(angle / (4 * std::numbers::pi));
    return half.sine / half.cosine;
}

}  // namespace

RodRest rest_of_rod(const model::Model& model, std::span<const std::uint32_t> particles,
                    const model::Rod& rod) {
    RodRest rest;
    rest.curvatures.assign(particles.size(), {});
    const auto position = [&](std::size_t i) { return to_double(model.rest_positions[particles[i]]); };
    RodSegment<double> segment{};
    double along = 0;  // from the middle of the first segment
    for (std::size_t i = 0; i + 1 < particles.size(); ++i) {
        const RodSegment<double> before = segment;
        const Vec3d e = position(i + 1) - position(i);
        const double size = length(e);
        segment.tangent = e * (1 / size);
        segment.inverse_length = 1 / size;
        segment.normal =
            i == 0 ? (rod.is_flat || rod.curvature != 0 ? side_of(rod, segment.tangent)
                                                        : any_normal(segment.tangent))
                   : across(transport(before.normal, before.tangent, segment.tangent), segment.tangent);
        if (i > 0) {
            const RodJoint<double> joint = joint_of(before, segment);
            const double between = (1 / before.inverse_length + size) / 2;
            rest.curvatures[i] = {
                static_cast<float>(joint.first.value),
                static_cast<float>(joint.second.value + 2 * half_tangent(double(rod.curvature) * between))};
            along += between;
        }
        const Vec3d &t = segment.tangent, n = turned(segment, along * double(rod.twist));
        rest.frames.push_back({static_cast<float>(t.x), static_cast<float>(t.y), static_cast<float>(t.z),
                               static_cast<float>(n.x), static_cast<float>(n.y), static_cast<float>(n.z)});
    }
    rest.frames.push_back(rest.frames.back());
    return rest;
}

}  // namespace pliant::solvers::position_based
