// Particles that triangles of other bodies carry (model::Rider).
#pragma once

#include <cstdint>
#include <vector>

#include "base/parallel.h"
#include "model/model.h"
#include "solvers/position_based/kernels.h"

namespace pliant::solvers::position_based {

struct PlacedRider {
    std::uint32_t particle = 0;  // offsets of four floats
    std::uint32_t corners[3] = {};
    float a = 0, b = 0, c = 0;
};

std::vector<PlacedRider> place_riders(const model::Model& model, const std::vector<std::uint32_t>& slot_of);

// To where their triangles are. They are held; the way there becomes their velocity.
void carry_riders(const std::vector<PlacedRider>& riders, const ParticleArrays& particles,
                  Executor& executor);

}  // namespace pliant::solvers::position_based
