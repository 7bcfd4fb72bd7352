// Where the strands of hair start and how they run: roots on a scalp, curls, clumps.
#pragma once

#include <pliant/error.h>
#include <pliant/scene_file.h>

#include <vector>

#include "scene/file/mesh_sources.h"

namespace pliant::bodies {

// Strand after strand, root first, form.points each. Needs points ≥ 2 and sizes above 0.
Result<std::vector<Vec3>> groom(const scene::HairBody& form, MeshSource& source);

}  // namespace pliant::bodies
