// What the shaders know of the stage. Lengths are in radii of the stage, whose middle is the origin.
//
// Light comes from a large lamp, with a shadow map, and from the sky. What the sky gives is not guessed from
// the screen: the scene is drawn small from sixteen directions, and a vertex or a spot of the ground adds up
// the sky of those from which it is seen. That costs little on a CPU, since almost nothing of it is done per
// pixel, and gives soft contact shadows and dark folds.
#pragma once

#include <pliant/output/picture.h>

#include <array>

#include "output/opengl/geometry.h"
#include "output/opengl/matrix.h"

namespace pliant::output::opengl {

constexpr int sky_directions = 16;  // drawn into 4 × 4 tiles of one texture

// As the shaders lay it out (std140): shaders/common.glsl.
struct StageBlock {
    using Vector = std::array<float, 4>;
    Matrix camera, lamp;
    Vector eye, light;
    Vector ground_point, ground_normal, ground_u, ground_v, grid_shift, screen;
    std::array<Matrix, sky_directions> sky;
    std::array<Vector, sky_directions> sky_direction;
};

StageBlock make_stage(const Picture& picture, const Geometry& geometry, int width, int height);

}  // namespace pliant::output::opengl
