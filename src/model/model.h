// What does not change while a simulation runs: topology, masses, the order of all work.
#pragma once

#include <pliant/mesh.h>
#include <pliant/vector.h>

#include <array>
#include <cstdint>
#include <vector>

#include "base/aligned.h"
#include "model/batch.h"
#include "model/constraint_set.h"

namespace pliant {

// How the elasticity of a part becomes that of a constraint with rest measure m (length, volume). From the
// part's compliance c: α = c · (uniform + per_measure · m).
struct ElasticityUse {
    float uniform = 1;
    float per_measure = 0;
    float closing_time = 0;  // s: until then, gaps close
};

// Particles that share a floating origin: bodies, and those tied to each other.
struct Group {
    std::uint32_t first = 0, count = 0;  // places, multiples of 16
    std::uint32_t tetrahedra = 0;
    double size = 1;  // m, a power of two, at least its extent at the start
    // Places of five of its particles, evenly spread: the median of where they are is where the group is.
    std::array<std::uint32_t, 5> samples{};
    // m: the most that constraints may move a particle in a substep. Unlimited unless a kind's gradients can
    // vanish: a tetrahedron crushed to a point would fling its particles to infinity.
    float reach = 1e9f;

    double grid() const { return size / 8; }  // m: origins are multiples of it
};

// A fixed piece of a pass over particles: those of a group that are in one slab.
struct ParticleChunk {
    std::uint32_t first = 0, count = 0;
    std::uint32_t group = 0;
};

// Everything a Model is made from. Particles in the scene's order: those that the user sees, body
// after body, then anchors (targets of attachments).
struct ModelInput {
    std::vector<Vec3> positions;  // m, relative to the group's origin
    std::vector<float> inverse_masses;
    std::vector<std::uint8_t> moves;  // 0: pinned, or an anchor
    std::vector<float> radii;
    std::vector<std::uint32_t> groups;  // of each particle, each group at least once
    std::vector<double> sizes;          // of each group
    std::size_t visible = 0;            // how many particles the user sees
    ConstraintSet constraints;
    std::vector<ElasticityUse> uses;  // of each elasticity
};

inline constexpr std::uint32_t no_group = 0xffffffff;

struct Model {
    std::size_t visible = 0;
    std::vector<std::uint32_t> order;   // place → the scene's particle, or Partition::padding
    std::vector<std::uint32_t> place;   // the scene's particle → place
    std::vector<float> inverse_masses;  // by place; of pinned ones too, for when they are let go
    std::vector<std::uint8_t> free;     // by place: moves as far as colouring is concerned
    std::vector<float> radii;           // by place
    std::vector<Vec3> rest;             // by place: m, the shape at the start
    std::vector<Group> groups;
    std::vector<ParticleChunk> chunks;       // over places, slab after slab
    std::vector<std::uint32_t> slab_chunks;  // chunks of slab s: slab_chunks[s] … slab_chunks[s + 1] − 1
    std::vector<ParticleChunk> output_chunks;  // over the scene's visible particles
    std::vector<ElasticityUse> uses;           // of each elasticity
    // The group of each elasticity: of edges or volumes of tetrahedra; of their volumes. Of others no_group.
    std::vector<std::uint32_t> soft_groups, volume_groups;
    AllVisits::Each<Batch> batches;
    std::uint32_t slabs = 0;

    std::size_t places() const { return order.size(); }
    // Of an array with four floats a place, and what empty lanes of blocks need.
    std::size_t floats() const { return places() * floats_per_particle + floats_nowhere(slabs); }
    std::size_t constraints() const;
    std::uint32_t group_of(std::uint32_t at_place) const;
    // Calls f.template operator()<Kind>(places, parameters, elasticity) for every constraint.
    template <class F>
    void for_each_constraint(F&& f) const {
        for_each_list(batches, [&](const auto& batch) { batch.for_each_constraint(f); });
    }
};

Model make_model(const ModelInput& input);

// Over all that makes up a model: two that agree in it can exchange states.
std::uint64_t fingerprint(const Model& model);

// The constraints of a model as lists over the scene's particles.
ConstraintSet list_constraints(const Model& model);

}  // namespace pliant
