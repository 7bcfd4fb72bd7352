// What a View shows of a simulation and no step changes: made once.
#pragma once

#include <pliant/description.h>
#include <pliant/error.h>
#include <pliant/view.h>

#include <vector>

#include "model/model.h"

namespace pliant {

struct ViewData {
    std::vector<AnchorView> anchors;
    std::vector<TriangleMesh> skin_meshes;
    std::vector<Embedding> embeddings;
    std::vector<SkinView> skins;  // point into the two lists before
    std::uint64_t topology_version = 0;
};

// The description must be valid; an Error says that a skin cannot ride on its body.
Result<ViewData> make_view_data(const Description& description, const model::Model& model);

}  // namespace pliant
