#include "output/skin.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <variant>

namespace pliant::output {

std::vector<Vec3> Skin::spread(std::span<const Vec3> of_particles) const {
    std::vector<Vec3> result(surface->positions.size());
    embedding.apply(of_particles, result);
    return result;
}

std::vector<float> Skin::spread(std::span<const float> of_particles) const {
    std::vector<float> result;
    result.reserve(surface->positions.size());
    for (std::size_t i = 0; i < embedding.elements.size(); ++i) {
        float sum = 0;
        for (std::size_t k = 0; k < 4; ++k) {
            sum += embedding.weights[i][k] * of_particles[embedding.elements[i][k]];
        }
        result.push_back(sum);
    }
    return result;
}

std::vector<Skin> make_skins(const Description& description, std::span<const TriangleMesh> surfaces) {
    std::vector<Skin> skins(description.bodies.size());
    for (std::size_t b = 0; b < std::min(skins.size(), surfaces.size()); ++b) {
        const auto* soft = std::get_if<SoftBody>(&description.bodies[b].shape);
        if (soft == nullptr || surfaces[b].triangles.empty()) continue;
        auto embedding = embed(surfaces[b].positions, soft->mesh);
        if (!embedding) continue;  // no element can carry it
        skins[b] = {std::make_shared<const TriangleMesh>(surfaces[b]), std::move(*embedding)};
    }
    return skins;
}

}  // namespace pliant::output
