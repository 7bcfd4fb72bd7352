// A finer surface that rides on a soft body and is shown in its place.
#pragma once

#include <pliant/description.h>
#include <pliant/embedding.h>
#include <pliant/mesh.h>

#include <memory>
#include <span>
#include <vector>

namespace pliant::output {

struct Skin {
    std::shared_ptr<const TriangleMesh> surface{};  // as the body is at rest; none: the body shows itself
    Embedding embedding{};                          // of its vertices; counted within the body

    explicit operator bool() const { return surface != nullptr; }
    // Of the skin's vertices, from those of the body's particles.
    std::vector<Vec3> spread(std::span<const Vec3> of_particles) const;
    std::vector<float> spread(std::span<const float> of_particles) const;
};

// One for each body. Surfaces: none, or one for each body, some of them empty.
std::vector<Skin> make_skins(const Description& description, std::span<const TriangleMesh> surfaces);

}  // namespace pliant::output
