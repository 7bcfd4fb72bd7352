#include "solvers/position_based/tetrahedra/tetrahedron_blocks.h"

#include <algorithm>

#include "base/particle_layout.h"

namespace pliant::solvers::position_based {
namespace {

constexpr std::uint32_t chunk_tetrahedra = 4096;
static_assert(chunk_tetrahedra % block_size == 0);

}  // namespace

TetrahedronBlocks make_tetrahedron_blocks(const model::Model& model,
                                          const std::vector<std::uint32_t>& slot_of) {
    TetrahedronBlocks result;
    std::uint32_t first = 0;  // of the body, padding included
    for (std::uint32_t b = 0; b < model.bodies.size(); ++b) {
        const BodyView& body = model.bodies[b];
        const std::size_t blocks = (body.tetrahedron_count + block_size - 1) / block_size;
        result.offsets.resize((first + blocks * block_size) * 4, 0);
        for (std::uint32_t i = 0; i < body.tetrahedron_count; ++i) {
            const Tetrahedron& t = model.tetrahedra[body.first_tetrahedron + i];
            const std::size_t lane = first + i, block = lane / block_size * 4 * block_size;
            for (std::size_t k = 0; k < 4; ++k) {
                result.offsets[block + k * block_size + lane % block_size] =
                    static_cast<std::uint32_t>(slot_of[t[k]] * bytes_per_particle);
            }
        }
        for (std::uint32_t i = 0; i < body.tetrahedron_count; i += chunk_tetrahedra)
            result.chunks.push_back({first + i, std::min(chunk_tetrahedra, body.tetrahedron_count - i), b});
        first += static_cast<std::uint32_t>(blocks * block_size);
    }
    return result;
}

}  // namespace pliant::solvers::position_based
