#include "solvers/position_based/faces/face_plan.h"

#include <algorithm>
#include <span>
#include <utility>

#include "base/geometry/curve_order.h"
#include "base/particle_layout.h"
#include "solvers/position_based/plan.h"

namespace pliant::solvers::position_based {
namespace {

// The triangles of a body whose corners are not all held, along a curve.
std::vector<Triangle> ordered_triangles(const model::Model& model, const Plan& plan, const BodyView& body) {
    const std::span<const Vec3> rest(model.rest_positions);
    const CurveOrder curve(rest.subspan(body.first_particle, body.particle_count));
    std::vector<std::pair<std::uint64_t, Triangle>> keys;
    for (std::uint32_t i = 0; i < body.triangle_count; ++i) {
        const Triangle& t = model.triangles[body.first_triangle + i];
        const auto moves = [&](std::uint32_t p) { return plan.is_dynamic[plan.slot_of[p]] != 0; };
        if (!std::any_of(t.begin(), t.end(), moves)) continue;
        keys.push_back({curve((rest[t[0]] + rest[t[1]] + rest[t[2]]) * (1.0f / 3)), t});
    }
    std::sort(keys.begin(), keys.end());
    std::vector<Triangle> triangles;
    for (const auto& [key, triangle] : keys) triangles.push_back(triangle);
    return triangles;
}

void add_group(std::span<const Triangle> triangles, const Plan& plan, std::uint32_t island,
               FacePlan& result) {
    FaceGroup group{island, static_cast<std::uint32_t>(result.triangles.size()),
                    static_cast<std::uint32_t>(triangles.size()),
                    static_cast<std::uint32_t>(result.closures.size()), 0};
    std::vector<std::uint32_t> closure;
    for (const Triangle& t : triangles) {
        std::array<std::uint32_t, 3> offsets{};
        float radius = plan.radii[plan.slot_of[t[0]]];
        for (std::size_t k = 0; k < 3; ++k) {
            offsets[k] = static_cast<std::uint32_t>(plan.slot_of[t[k]] * bytes_per_particle);
            radius = std::min(radius, plan.radii[plan.slot_of[t[k]]]);
        }
        result.triangles.push_back(offsets);
        result.radii.push_back(radius);
        closure.insert(closure.end(), offsets.begin(), offsets.end());
    }
    std::sort(closure.begin(), closure.end());
    closure.erase(std::unique(closure.begin(), closure.end()), closure.end());
    group.closure = static_cast<std::uint32_t>(closure.size());
    result.closures.insert(result.closures.end(), closure.begin(), closure.end());
    result.groups.push_back(group);
}

}  // namespace

FacePlan make_face_plan(const model::Model& model, const Plan& plan) {
    FacePlan result;
    for (const BodyView& body : model.bodies) {
        if (body.triangle_count == 0) continue;
        const std::vector<Triangle> triangles = ordered_triangles(model, plan, body);
        for (std::size_t first = 0; first < triangles.size(); first += FaceGroup::most_triangles) {
            const std::size_t count =
                std::min(triangles.size() - first, std::size_t{FaceGroup::most_triangles});
            add_group(std::span(triangles).subspan(first, count), plan, body.island, result);
        }
    }
    return result;
}

}  // namespace pliant::solvers::position_based
