// Air that pushes on the surfaces of bodies.
#pragma once

#include <pliant/description.h>
#include <pliant/mesh.h>

#include <cstdint>
#include <span>
#include <vector>

#include "base/aligned.h"
#include "base/parallel.h"
#include "solvers/position_based/kernels.h"
#include "solvers/position_based/plan.h"

namespace pliant::solvers {

// The triangles around each particle, counted as the user counts them.
struct VertexTriangles {
    std::vector<std::uint32_t> first;  // of particle i: corners[first[i]] … corners[first[i + 1] − 1]
    std::vector<Edge> corners;         // the other two corners of a triangle, in its sense
};

VertexTriangles make_vertex_triangles(std::span<const Triangle> triangles, std::size_t particles);

// Gives every slot the third of its triangles' areas times their normals: A·n. The pressure of the air,
// ½ρ·(v_air − v)²·A along n, is then applied in every substep (position_based/particle_kernels.h).
void find_area_vectors(const position_based::Plan& plan, const VertexTriangles& triangles,
                       const AlignedVector<float>& position, AlignedVector<float>& area_vectors,
                       Executor& executor);

// Lines (ropes, hair) feel the air across them alone, as cylinders: ½ρ·c·A·|s|·s, s: the velocity of the air
// that is across, A: length × diameter, c = 1.2. Gives every slot c·A times the tangent.
void find_line_vectors(const model::Model& model, const position_based::Plan& plan,
                       const AlignedVector<float>& position, AlignedVector<float>& line_vectors);
void apply_line_wind(const AlignedVector<float>& line_vectors, const position_based::ParticleRange& range);

// What the kernels need of it.
inline void give_wind(const Settings& settings, double substep, const float* area_vectors,
                      position_based::ParticleRange& range) {
    range.area_vectors = area_vectors;
    range.wind_step[0] = static_cast<float>(substep * settings.wind.x);
    range.wind_step[1] = static_cast<float>(substep * settings.wind.y);
    range.wind_step[2] = static_cast<float>(substep * settings.wind.z);
    range.half_air_density = settings.air_density / 2;
}

}  // namespace pliant::solvers
