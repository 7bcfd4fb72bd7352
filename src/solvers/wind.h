// Air that pushes on the surfaces of bodies.
#pragma once

#include <pliant/mesh.h>

#include <cstdint>
#include <vector>

#include "base/aligned.h"
#include "model/state.h"
#include "solvers/position_based/kernels.h"
#include "solvers/position_based/plan.h"

namespace pliant::solvers {

struct StepContext;

// The triangles around each particle, counted as the user counts them.
struct VertexTriangles {
    std::vector<std::uint32_t> first;  // of particle i: corners[first[i]] … corners[first[i + 1] − 1]
    std::vector<Edge> corners;         // the other two corners of a triangle, in its sense
    std::vector<float> sides;          // of each particle: of a surface's two sides, the share that is wet
};

VertexTriangles make_vertex_triangles(const model::Model& model);

// A triangle of area A and normal n, past which the air goes by s, is pushed by
//
//   ½ρ·A·|s|·(c_n·(s·n)·n + c_t·(s − (s·n)·n)),
//
// c_n: Settings::air_drag, c_t: air_friction. At an angle α to the air that is a drag of c_n·sin²α +
// c_t·cos²α and a lift of (c_n − c_t)·sin α·cos α, each times ½ρA|s|². A third of it acts at each corner,
// with the corner's own s. So all triangles around a particle are one matrix
//
//   M = Σ A/3·((c_n − c_t)·n·nᵀ + c_t·1)
//
// and push it with ½ρ|s|·M·s, in every substep (position_based/air_kernels.h). Once a frame, each slot gets M
// and the velocity of the air where it is.
//
// Where cloth is a cup, air that is caught presses on all of its inside alike, also where the surface lies
// along the flow: without that no parachute opens. A body with the area A, the area vector a = Σ A·n, which
// is that of its mouth, and the mean flow s past it, holds the pressure
//
//   p = 2(1 − r²)·½ρ·c_n·|s|·(s·a)/A,   r = |a|/A,
//
// nothing where it is flat (r = 1) or closed (r = 0), and 0.75 of that on a plate in half a sphere.
void find_air_loads(const model::Model& model, const position_based::Plan& plan, const model::State& state,
                    const StepContext& context);

// Lines (ropes, hair) feel the air across them alone, as cylinders: ½ρ·c·A·|s|·s, s: the velocity of the air
// that is across, A: length × diameter, c = 1.2. Gives every slot c·A times the tangent.
void find_line_vectors(const model::Model& model, const position_based::Plan& plan,
                       const AlignedVector<float>& position, AlignedVector<float>& line_vectors);
void apply_line_wind(const AlignedVector<float>& line_vectors, const position_based::ParticleRange& range);

}  // namespace pliant::solvers
