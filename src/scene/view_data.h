// What a View shows of a simulation and no step changes: made once.
#pragma once

#include <pliant/description.h>
#include <pliant/error.h>
#include <pliant/view.h>

#include <array>
#include <vector>

#include "scene/assemble.h"

namespace pliant {

struct ViewData {
    std::vector<std::array<Vec2, 3>> texture_coordinates;
    std::vector<AnchorView> anchors;
    std::vector<TriangleMesh> skin_meshes;
    std::vector<Embedding> embeddings;
    std::vector<SkinView> skins;  // point into the two lists before
    std::uint64_t topology_version = 0;
};

// The description must be valid; an Error says that a skin cannot ride on its body.
Result<ViewData> make_view_data(const Description& description, Assembly& assembly);

}  // namespace pliant
