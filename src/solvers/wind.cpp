#include "solvers/wind.h"

namespace pliant {

SurfaceFans make_surface_fans(std::span<const Triangle> triangles, std::size_t particles) {
    SurfaceFans fans;
    fans.first.assign(particles + 1, 0);
    for (const Triangle& t : triangles) {
        for (const std::uint32_t i : t) ++fans.first[i + 1];
    }
    for (std::size_t i = 1; i <= particles; ++i) fans.first[i] += fans.first[i - 1];
    std::vector<std::uint32_t> next(fans.first.begin(), fans.first.end() - 1);
    fans.corners.resize(triangles.size() * 3);
    for (const Triangle& t : triangles) {
        for (std::size_t k = 0; k < 3; ++k) fans.corners[next[t[k]]++] = {t[(k + 1) % 3], t[(k + 2) % 3]};
    }
    return fans;
}

void find_sails(const Model& model, State& state, const SurfaceFans& fans, Executor& executor) {
    state.sails.resize(state.position.size(), 0.0f);
    executor.for_each(model.output_chunks.size(), [&](std::size_t c) {
        const ParticleChunk& chunk = model.output_chunks[c];
        const auto at = [&](std::uint32_t particle) {
            const float* x = state.position.data() + model.place[particle] * floats_per_particle;
            return Vec3{x[0], x[1], x[2]};
        };
        for (std::uint32_t i = chunk.first; i < chunk.first + chunk.count; ++i) {
            const Vec3 x = at(i);
            Vec3 sum{};
            for (std::size_t k = fans.first[i]; k < fans.first[i + 1]; ++k) {
                sum = sum + cross(at(fans.corners[k][0]) - x, at(fans.corners[k][1]) - x);
            }
            float* sail = state.sails.data() + model.place[i] * floats_per_particle;
            sail[0] = sum.x * (1.0f / 6);
            sail[1] = sum.y * (1.0f / 6);
            sail[2] = sum.z * (1.0f / 6);
        }
    });
}

}  // namespace pliant
