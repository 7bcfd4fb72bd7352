// Air that pushes on the surfaces of bodies.
#pragma once

#include <pliant/mesh.h>

#include <cstdint>
#include <span>
#include <vector>

#include "base/parallel.h"
#include "model/model.h"
#include "model/state.h"

namespace pliant {

// The triangles around each particle, counted as the user counts them.
struct SurfaceFans {
    std::vector<std::uint32_t> first;  // of particle i: corners[first[i]] … corners[first[i + 1] − 1]
    std::vector<Edge> corners;         // the other two corners of a triangle, in its sense
};

SurfaceFans make_surface_fans(std::span<const Triangle> triangles, std::size_t particles);

// Gives every place the third of its triangles' areas times their normals: A·n. The pressure of the air,
// ½ρ·(v_air − v)²·A along n, is then applied in every substep (particle_kernels.h).
void find_sails(const Model& model, State& state, const SurfaceFans& fans, Executor& executor);

}  // namespace pliant
