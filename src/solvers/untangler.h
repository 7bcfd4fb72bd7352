// Stuck tetrahedra and what is around them: rebuilds them from the rest shape.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/rotation.h"
#include "base/union_find.h"
#include "collision/local_colliders.h"
#include "model/model.h"
#include "model/state.h"
#include "solvers/position_based/plan.h"

namespace pliant::solvers {

using Corners = std::array<std::uint32_t, 4>;  // slots

// The signed volume, m³.
double volume_of(const AlignedVector<float>& position, const Corners& corners);

class Untangler {
public:
    // For each stuck tetrahedron: how many rings around it are rebuilt.
    struct Stuck {
        Corners corners{};
        int rings = 0;
    };

    Untangler(const model::Model& model, const position_based::Plan& plan, model::State& state,
              const std::vector<Stuck>& stuck);

    // Component by component. Where that leaves no fewer inside out, the surroundings are no help: back
    // again.
    void rebuild();

private:
    using Member = std::pair<std::uint32_t, std::uint32_t>;  // component, slot
    static constexpr int surroundings = 2;                   // rings
    static constexpr std::int8_t outside = 127;
    static constexpr int sweeps = 20;

    void grow(int ring);
    std::size_t count_inverted(std::uint32_t root) const;
    double inverse_mass(std::uint32_t slot) const;
    bool is_moved(std::uint32_t slot) const;
    double weight(std::uint32_t slot) const;
    Vec3d rest(std::uint32_t slot) const;
    void rebuild(std::span<const Member> component);
    void relax(std::span<const Member> component, const UnitQuaternion& turn,
               const collision::LocalColliders& colliders);
    void stop_inner_motion(std::span<const Member> component);

    const model::Model& model_;
    const position_based::Plan& plan_;
    model::State& state_;
    AlignedVector<float>&position_, &displacement_;
    std::vector<std::int8_t> ring_;   // by slot: up to 0 what is rebuilt, above it what is around it
    UnionFind components_;            // of slots
    std::vector<Member> members_;     // ascending
    std::vector<Member> neighbours_;  // of each slot that is rebuilt, ascending
    std::vector<std::pair<std::uint32_t, Corners>> touched_;  // tetrahedra at such slots, by component
};

}  // namespace pliant::solvers
