#include "solvers/wind.h"

#include <pliant/assertions.h>

#include <algorithm>

#include "base/scalar.h"

namespace pliant::solvers {

VertexTriangles make_vertex_triangles(std::span<const Triangle> triangles, std::size_t particles) {
    // Count, prefix sum, fill.
    VertexTriangles result;
    result.first.assign(particles + 1, 0);
    for (const Triangle& t : triangles) {
        PLIANT_ASSERT(t[0] < particles && t[1] < particles && t[2] < particles);
        for (const std::uint32_t i : t) ++result.first[i + 1];
    }
    for (std::size_t i = 1; i <= particles; ++i) result.first[i] += result.first[i - 1];
    std::vector<std::uint32_t> next(result.first.begin(), result.first.end() - 1);
    result.corners.resize(triangles.size() * 3);
    for (const Triangle& t : triangles) {
        for (std::size_t k = 0; k < 3; ++k) result.corners[next[t[k]]++] = {t[(k + 1) % 3], t[(k + 2) % 3]};
    }
    return result;
}

void find_area_vectors(const position_based::Plan& plan, const VertexTriangles& triangles,
                       const AlignedVector<float>& position, AlignedVector<float>& area_vectors,
                       Executor& executor) {
    PLIANT_ASSERT(position.size() == plan.floats() && triangles.first.size() <= plan.slot_of.size() + 1);
    area_vectors.resize(position.size(), 0.0f);
    executor.for_each(plan.view_chunks.size(), [&](std::size_t c) {
        const position_based::ParticleChunk& chunk = plan.view_chunks[c];
        const auto at = [&](std::uint32_t particle) {
            const float* x = position.data() + plan.slot_of[particle] * floats_per_particle;
            return Vec3{x[0], x[1], x[2]};
        };
        for (std::uint32_t i = chunk.first; i < chunk.first + chunk.count; ++i) {
            const Vec3 x = at(i);
            Vec3 sum{};
            for (std::size_t k = triangles.first[i]; k < triangles.first[i + 1]; ++k) {
                const auto& [a, b] = triangles.corners[k];
                sum = sum + cross(at(a) - x, at(b) - x);
            }
            float* vector = area_vectors.data() + plan.slot_of[i] * floats_per_particle;
            vector[0] = sum.x * (1.0f / 6);
            vector[1] = sum.y * (1.0f / 6);
            vector[2] = sum.z * (1.0f / 6);
        }
    });
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

// The same implicit step in u as that of surfaces (particle_kernels.h): up to the air's speed, never beyond.
void apply_line_wind(const AlignedVector<float>& line_vectors, const position_based::ParticleRange& range) {
    if (line_vectors.empty()) return;
    for (std::size_t i = range.first; i < range.first + range.count; ++i) {
        const std::size_t at = i * floats_per_particle;
        const Vec3 vector{line_vectors[at], line_vectors[at + 1], line_vectors[at + 2]};
        const float w = range.particles.position[at + 3], area = sqrt(dot(vector, vector));
        if (!(w > 0) || !(area > 0)) continue;
        float* u = range.particles.displacement + at;
        const Vec3 t = vector * (1 / area);
        const Vec3 air =
            Vec3{range.wind_step[0], range.wind_step[1], range.wind_step[2]} - Vec3{u[0], u[1], u[2]};
        const Vec3 s = air - t * dot(air, t);
        const float k = min(w * range.half_air_density * area * sqrt(dot(s, s)), 1e9f);
        const Vec3 push = s * (k / (1 + k));
        u[0] += push.x;
        u[1] += push.y;
        u[2] += push.z;
    }
}

}  // namespace pliant::solvers
