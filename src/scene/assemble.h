// Description → Model + State.
#pragma once

#include <pliant/description.h>
#include <pliant/error.h>
#include <pliant/view.h>

#include <string>
#include <vector>

#include "model/model.h"
#include "model/state.h"

namespace pliant {

// A group of constraints with one elasticity: a body's part ("edges", "stretch", …), or an attachment.
struct Part {
    std::string body, name;  // empty for attachments
};

struct Assembly {
    Model model;
    State state;
    std::vector<Elasticity> elasticities;
    std::vector<Part> parts;  // of each elasticity
    std::vector<BodyView> bodies;
    std::vector<Tetrahedron> tetrahedra;
    std::vector<Triangle> triangles;
    std::vector<Edge> lines;                             // of ropes, and links
    std::vector<std::uint32_t> attachment_elasticities;  // of each attachment
    std::vector<std::uint32_t> anchors;                  // particle of each attachment's point, or no_anchor

    static constexpr std::uint32_t no_anchor = 0xffffffff;
};

// The description must be valid.
Result<Assembly> assemble(const Description& description);

// State arrays for a model, from values in the scene's order.
State make_state(const Model& model, const ModelInput& input, const std::vector<Vec3>& velocities);

}  // namespace pliant
