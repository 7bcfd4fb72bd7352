#include "solvers/wind.h"

#include <pliant/assertions.h>

#include <algorithm>

#include "base/convert.h"
#include "base/scalar.h"
#include "solvers/air_motion.h"
#include "solvers/step_context.h"

namespace pliant::solvers {

VertexTriangles make_vertex_triangles(const model::Model& model) {
    // Count, prefix sum, fill.
    VertexTriangles result;
    result.first.assign(model.visible + 1, 0);
    for (const Triangle& t : model.triangles) {
        for (const std::uint32_t i : t) ++result.first[i + 1];
    }
    for (std::size_t i = 1; i <= model.visible; ++i) result.first[i] += result.first[i - 1];
    std::vector<std::uint32_t> next(result.first.begin(), result.first.end() - 1);
    result.corners.resize(model.triangles.size() * 3);
    for (const Triangle& t : model.triangles) {
        for (std::size_t k = 0; k < 3; ++k) result.corners[next[t[k]]++] = {t[(k + 1) % 3], t[(k + 2) % 3]};
    }
    result.sides.assign(model.visible, 1.0f);
    for (const BodyView& body : model.bodies) {
        if (body.tetrahedron_count > 0)
            std::fill_n(result.sides.begin() + body.first_particle, body.particle_count, 0.5f);
    }
    return result;
}

namespace {

// Where a load has room, it has A·n of its triangles, and then what held air adds to u.
Vec3 room_of(const float* load) { return {load[3], load[7], load[11]}; }

// The pressure of what a body holds, as a push of each of its particles.
void hold_air(const BodyView& body, const position_based::Plan& plan, const model::State& state,
              const StepContext& context) {
    const Settings& settings = context.settings;
    const float* displacement = state.position_based.displacement.data();
    const double per_substep = double(settings.time_step) / settings.substeps;
    const double per_area = double(settings.air_drag) + 2.0 * settings.air_friction;  // trace of M
    const auto each = [&](const auto& f) {
        for (std::size_t i = body.first_particle; i < body.first_particle + body.particle_count; ++i) {
            const std::size_t slot = plan.slot_of[i];
            f(slot, context.workspace.air_loads.data() + slot * position_based::floats_per_air_load);
        }
    };
    double area = 0;
    Vec3d mouth{}, flow{};
    if (body.triangle_count > 0 && body.tetrahedron_count == 0 && per_area > 0) {
        each([&](std::size_t slot, const float* load) {
            const double own = (double(load[0]) + load[1] + load[2]) / per_area;
            const float* u = displacement + slot * floats_per_particle;
            area += own;
            mouth = mouth + to_double(room_of(load));
            flow = flow + Vec3d{load[8] - u[0] / per_substep, load[9] - u[1] / per_substep,
                                load[10] - u[2] / per_substep} *
                              own;
        });
    }
    const Vec3d s = area > 0 ? flow * (1 / area) : Vec3d{};
    const double speed = length(s), open = area > 0 ? dot(mouth, mouth) / (area * area) : 0;
    const double pressure = area > 0 ? settings.air_drag * settings.air_density * (1 - min(open, 1.0)) *
                                           speed * dot(s, mouth) / area
                                     : 0;
    each([&](std::size_t slot, float* load) {
        const Vec3d push = to_double(room_of(load)) * pressure;  // N
        const double w = state.position_based.position[slot * floats_per_particle + 3];
        // No more than the speed of the flow in a frame.
        const double gain = w * settings.time_step * length(push);
        const double step = w * per_substep * per_substep / (speed > 0 ? 1 + gain / speed : 1);
        const Vec3 u = to_float(push * step);
        load[3] = u.x, load[7] = u.y, load[11] = u.z;
    });
}

}  // namespace

void find_air_loads(const model::Model& model, const position_based::Plan& plan, const model::State& state,
                    const StepContext& context) {
    const VertexTriangles& triangles = context.workspace.vertex_triangles;
    AlignedVector<float>& loads = context.workspace.air_loads;
    const Settings& settings = context.settings;
    const float* position = state.position_based.position.data();
    loads.resize(plan.floats() / floats_per_particle * position_based::floats_per_air_load, 0.0f);
    const AirMotion motion(settings, state.air);
    const float across = settings.air_drag - settings.air_friction, along = settings.air_friction;
    context.executor.for_each(plan.view_chunks.size(), [&](std::size_t c) {
        const position_based::ParticleChunk& chunk = plan.view_chunks[c];
        AirMotion here = motion;
        here.move_to(state.origins[chunk.island]);
        const auto at = [&](std::uint32_t particle) {
            const float* x = position + plan.slot_of[particle] * floats_per_particle;
            return Vec3{x[0], x[1], x[2]};
        };
        for (std::uint32_t i = chunk.first; i < chunk.first + chunk.count; ++i) {
            const Vec3 x = at(i);
            float* load = loads.data() + plan.slot_of[i] * position_based::floats_per_air_load;
            std::fill_n(load, position_based::floats_per_air_load, 0.0f);
            for (std::size_t k = triangles.first[i]; k < triangles.first[i + 1]; ++k) {
                const auto& [b, d] = triangles.corners[k];
                const Vec3 normal = cross(at(b) - x, at(d) - x) * (1.0f / 6);  // as long as a third of A
                const float area = sqrt(dot(normal, normal)), even = along * area;
                const Vec3 n = normal * (area > 0 ? across * triangles.sides[i] / area : 0.0f);
                load[0] += n.x * normal.x + even * triangles.sides[i];
                load[1] += n.y * normal.y + even * triangles.sides[i];
                load[2] += n.z * normal.z + even * triangles.sides[i];
                load[4] += n.x * normal.y;
                load[5] += n.y * normal.z;
                load[6] += n.z * normal.x;
                load[3] += normal.x, load[7] += normal.y, load[11] += normal.z;
            }
            Vec3 air = here.wind();
            if (here.has_eddies()) air = air + here.eddies_at(x);
            load[8] = air.x, load[9] = air.y, load[10] = air.z;
        }
    });
    for (const BodyView& body : model.bodies) hold_air(body, plan, state, context);
}

void find_line_vectors(const model::Model& model, const position_based::Plan& plan,
                       const AlignedVector<float>& position, AlignedVector<float>& line_vectors) {
    if (std::none_of(model.line_radii.begin(), model.line_radii.end(), [](float r) { return r > 0; })) return;
    constexpr float drag = 1.2f;
    line_vectors.assign(position.size(), 0.0f);
    for (std::size_t b = 0; b < model.bodies.size(); ++b) {
        const BodyView& body = model.bodies[b];
        // Half of a line's length belongs to each of its ends, times the diameter: its length times the
        // radius.
        const float scale = drag * model.line_radii[b];
        if (!(scale > 0)) continue;
        for (std::size_t i = body.first_line; i < body.first_line + body.line_count; ++i) {
            const std::size_t from = plan.slot_of[model.lines[i][0]] * floats_per_particle,
                              to = plan.slot_of[model.lines[i][1]] * floats_per_particle;
            for (std::size_t k = 0; k < 3; ++k) {
                const float along = scale * (position[to + k] - position[from + k]);
                line_vectors[from + k] += along;
                line_vectors[to + k] += along;
            }
        }
    }
}

// The same implicit step in u as that of surfaces (air_kernels.h): up to the air's speed, never beyond.
void apply_line_wind(const AlignedVector<float>& line_vectors, const position_based::ParticleRange& range) {
    if (line_vectors.empty()) return;
    for (std::size_t i = range.first; i < range.first + range.count; ++i) {
        const std::size_t at = i * floats_per_particle;
        const Vec3 vector{line_vectors[at], line_vectors[at + 1], line_vectors[at + 2]};
        const float w = range.particles.position[at + 3], area = sqrt(dot(vector, vector));
        if (!(w > 0) || !(area > 0)) continue;
        float* u = range.particles.displacement + at;
        const Vec3 t = vector * (1 / area);
        const float* load = range.air_loads + i * position_based::floats_per_air_load;
        const Vec3 air = Vec3{load[8], load[9], load[10]} * range.substep - Vec3{u[0], u[1], u[2]};
        const Vec3 s = air - t * dot(air, t);
        const float k = min(w * range.half_air_density * area * sqrt(dot(s, s)), 1e9f);
        const Vec3 push = s * (k / (1 + k));
        u[0] += push.x;
        u[1] += push.y;
        u[2] += push.z;
    }
}

}  // namespace pliant::solvers
