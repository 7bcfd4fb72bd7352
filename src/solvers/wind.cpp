#include "solvers/wind.h"

#include <pliant/assertions.h>

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

}  // namespace pliant::solvers
