#include "solvers/position_based/validate.h"

#include <pliant/assertions.h>

#include <algorithm>
#include <cmath>

namespace pliant::solvers::position_based {
namespace {

constexpr std::uint32_t none = 0xffffffff;

// Marks dynamic slots with their owner; asserts that none is marked by another of the same round.
class Owners {
public:
    explicit Owners(const Plan& plan) : plan_(plan), owner_(plan.slots(), none) {}

    void claim(std::uint32_t slot, std::uint32_t owner) {
        PLIANT_ASSERT(slot < plan_.slots());
        if (!plan_.is_dynamic[slot]) return;
        PLIANT_ASSERT(owner_[slot] == none || owner_[slot] == owner);
        owner_[slot] = owner;
    }

private:
    const Plan& plan_;
    std::vector<std::uint32_t> owner_;
};

void validate_slots([[maybe_unused]] const Plan& plan) {
    PLIANT_ASSERT(plan.slots() % block_size == 0);
    PLIANT_ASSERT(plan.is_dynamic.size() == plan.slots() && plan.radii.size() == plan.slots());
    for (std::uint32_t i = 0; i < plan.slot_of.size(); ++i)
        PLIANT_ASSERT(plan.slot_of[i] < plan.slots() && plan.particle_at[plan.slot_of[i]] == i);
}

// Islands and chunks cover every slot once.
void validate_ranges(const Plan& plan) {
    [[maybe_unused]] std::uint32_t covered = 0;
    for (const IslandSlots& island : plan.islands) {
        PLIANT_ASSERT(island.first == covered && island.count % block_size == 0);
        covered += island.count;
    }
    PLIANT_ASSERT(covered == plan.slots());
    [[maybe_unused]] std::size_t in_chunks = 0;
    for (const ParticleChunk& chunk : plan.chunks) {
        PLIANT_ASSERT(chunk.island < plan.islands.size());
        [[maybe_unused]] const IslandSlots& island = plan.islands[chunk.island];
        PLIANT_ASSERT(chunk.first >= island.first &&
                      chunk.first + chunk.count <= island.first + island.count);
        in_chunks += chunk.count;
    }
    PLIANT_ASSERT(in_chunks == plan.slots() && plan.subdomain_chunks.size() == plan.subdomains + 1u);
    PLIANT_ASSERT(plan.subdomain_chunks.back() == plan.chunks.size());
}

std::vector<std::uint32_t> subdomains_of_slots(const Plan& plan) {
    std::vector<std::uint32_t> result(plan.slots(), none);
    for (std::uint32_t s = 0; s < plan.subdomains; ++s) {
        for (std::uint32_t c = plan.subdomain_chunks[s]; c < plan.subdomain_chunks[s + 1]; ++c)
            std::fill_n(result.begin() + plan.chunks[c].first, plan.chunks[c].count, s);
    }
    return result;
}

template <class Cluster>
void validate_blocks(const Plan& plan, const ClusterBlocks<Cluster>& blocks) {
    std::vector<std::uint32_t> last_block(plan.slots(), none);  // that a slot was in
    for (const Run& run : blocks.runs) {
        PLIANT_ASSERT(run.first_block + run.blocks <= blocks.blocks());
        PLIANT_ASSERT(run.first_of_remainder + run.remainder <= blocks.remainder());
        for (std::uint32_t b = run.first_block; b < run.first_block + run.blocks; ++b) {
            for (std::size_t i = 0; i < Cluster::arity * block_size; ++i) {
                const std::uint32_t offset = blocks.block_offsets[b * Cluster::arity * block_size + i];
                PLIANT_ASSERT(offset % bytes_per_particle == 0);
                PLIANT_ASSERT(offset / sizeof(float) + floats_per_particle <= plan.floats());
                const std::size_t slot = offset / bytes_per_particle;
                if (slot >= plan.slots() || !plan.is_dynamic[slot]) continue;
                // A block that shares a dynamic particle within itself would lose a correction.
                PLIANT_ASSERT(last_block[slot] != b);
                // Of pairs, two blocks are in flight at once.
                PLIANT_ASSERT(!Cluster::is_pair || b == run.first_block || last_block[slot] != b - 1);
                last_block[slot] = b;
            }
        }
    }
    for ([[maybe_unused]] const std::uint32_t offset : blocks.remainder_offsets)
        PLIANT_ASSERT(offset % bytes_per_particle == 0 && offset / bytes_per_particle < plan.slots());
}

[[maybe_unused]] bool all_finite(const AlignedVector<float>& values) {
    return std::all_of(values.begin(), values.end(), [](float value) { return std::isfinite(value); });
}

}  // namespace

void validate(const Plan& plan) {
    validate_slots(plan);
    validate_ranges(plan);
    // Work items of a phase share no dynamic particle: subdomains run at once, and so do interfaces.
    Owners of_subdomains(plan), of_interfaces(plan);
    const std::vector<std::uint32_t> subdomain_of = subdomains_of_slots(plan);
    AllClusters::for_each([&]<class Cluster>() {
        const auto& blocks = std::get<ClusterBlocks<Cluster>>(plan.clusters);
        PLIANT_ASSERT(blocks.item_runs.size() == 2 * plan.subdomains + 1u);
        PLIANT_ASSERT(blocks.item_runs.back() == blocks.runs.size());
        validate_blocks(plan, blocks);
        for (std::uint32_t item = 0; item < 2 * plan.subdomains; ++item) {
            const bool is_interface = item >= plan.subdomains;
            [[maybe_unused]] const std::uint32_t first = is_interface ? item - plan.subdomains : item;
            Owners& owners = is_interface ? of_interfaces : of_subdomains;
            const auto check = [&](const auto& slots, const auto&) {
                for (const std::uint32_t slot : slots) {
                    owners.claim(slot, item);
                    PLIANT_ASSERT(subdomain_of[slot] == first ||
                                  (is_interface && subdomain_of[slot] == first + 1));
                }
            };
            for (std::size_t r = blocks.item_runs[item]; r < blocks.item_runs[item + 1]; ++r)
                blocks.for_each_cluster(blocks.runs[r], check);
        }
    });
}

void validate([[maybe_unused]] const model::Model& model, [[maybe_unused]] const Plan& plan,
              const model::State& state) {
    [[maybe_unused]] const model::PositionBasedState& particles = state.position_based;
    PLIANT_ASSERT(plan.slot_of.size() == model.particles() && plan.islands.size() == model.islands.size());
    PLIANT_ASSERT(particles.position.size() == plan.floats());
    PLIANT_ASSERT(particles.predicted.size() == plan.floats());
    PLIANT_ASSERT(particles.displacement.size() == plan.floats());
    PLIANT_ASSERT(particles.forces.empty() || particles.forces.size() == plan.floats());
    PLIANT_ASSERT(state.origins.size() == model.islands.size());
    PLIANT_ASSERT(state.recent_speeds.size() == model.islands.size());
    PLIANT_ASSERT(state.rescue.timers.size() == model.bodies.size());
    PLIANT_ASSERT(state.came_out.size() == model.islands.size());
    PLIANT_ASSERT(state.visible_positions.size() == model.visible);
    PLIANT_ASSERT(state.visible_velocities.size() == model.visible);
    PLIANT_ASSERT(particles.substep > 0);
    PLIANT_ASSERT(all_finite(particles.position) && all_finite(particles.displacement));
    PLIANT_ASSERT(all_finite(particles.forces));
    for ([[maybe_unused]] const model::DrivenParticle& driven : state.driven)
        PLIANT_ASSERT(driven.particle < model.particles());
    for ([[maybe_unused]] const model::MovedCollider& moved : state.moved_colliders) {
        PLIANT_ASSERT(moved.collider < state.colliders.size());
        PLIANT_ASSERT(moved.target.index() == state.colliders[moved.collider].shape.index());
    }
}

}  // namespace pliant::solvers::position_based
