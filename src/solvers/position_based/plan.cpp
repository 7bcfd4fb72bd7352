#include "solvers/position_based/plan.h"

#include <pliant/assertions.h>

#include <algorithm>

namespace pliant::solvers::position_based {
namespace {

// Short enough to share among threads, long enough that handing one out costs nothing.
constexpr std::uint32_t chunk_particles = 1024;

constexpr std::uint32_t round_up(std::size_t slots) {
    return static_cast<std::uint32_t>((slots + block_size - 1) / block_size * block_size);
}

void place_particles(const model::Model& model, const std::vector<std::uint8_t>& is_dynamic, Plan& plan) {
    plan.is_dynamic.assign(plan.slots(), 0);
    plan.radii.assign(plan.slots(), 0.0f);
    for (std::size_t slot = 0; slot < plan.slots(); ++slot) {
        const std::uint32_t particle = plan.particle_at[slot];
        if (particle == Subdomains::padding) continue;
        plan.is_dynamic[slot] = is_dynamic[particle];
        plan.radii[slot] = model.radii[particle];
    }
}

void find_islands(const model::Model& model, Plan& plan) {
    plan.islands.resize(model.islands.size());
    for (std::size_t slot = 0; slot < plan.slots(); ++slot) {
        if (plan.particle_at[slot] == Subdomains::padding) continue;
        IslandSlots& island = plan.islands[model.island_of[plan.particle_at[slot]]];
        if (island.count == 0) island.first = static_cast<std::uint32_t>(slot);
        island.count = round_up(slot + 1) - island.first;
    }
    std::vector<std::uint32_t> occupied;
    for (IslandSlots& island : plan.islands) {
        occupied.clear();
        for (std::uint32_t slot = island.first; slot < island.first + island.count; ++slot) {
            if (plan.particle_at[slot] != Subdomains::padding) occupied.push_back(slot);
        }
        for (std::size_t k = 0; k < 5; ++k) island.samples[k] = occupied[k * (occupied.size() - 1) / 4];
    }
}

// A chunk starts with a particle and ends where padding or another subdomain begins.
void cut_into_chunks(const model::Model& model, const Subdomains& subdomains, Plan& plan) {
    std::vector<std::vector<ParticleChunk>> of_subdomain(subdomains.count);
    const auto& particle_at = subdomains.particle_at;
    for (std::uint32_t first = 0; first < particle_at.size();) {
        const std::uint32_t island = model.island_of[particle_at[first]],
                            subdomain = subdomains.subdomain_of[particle_at[first]];
        std::uint32_t end = first;
        while (end < particle_at.size() && particle_at[end] != Subdomains::padding &&
               subdomains.subdomain_of[particle_at[end]] == subdomain &&
               model.island_of[particle_at[end]] == island) {
            ++end;
        }
        end = round_up(end);
        of_subdomain[subdomain].push_back({first, end - first, island});
        first = end;
    }
    plan.subdomain_chunks.push_back(0);
    for (const auto& chunks : of_subdomain) {
        plan.chunks.insert(plan.chunks.end(), chunks.begin(), chunks.end());
        plan.subdomain_chunks.push_back(static_cast<std::uint32_t>(plan.chunks.size()));
    }
}

void cut_view(const model::Model& model, Plan& plan) {
    const auto visible = static_cast<std::uint32_t>(model.visible);
    for (std::uint32_t first = 0; first < visible;) {
        std::uint32_t end = first;
        while (end < visible && end < first + chunk_particles &&
               model.island_of[end] == model.island_of[first])
            ++end;
        plan.view_chunks.push_back({first, end - first, model.island_of[first]});
        first = end;
    }
}

// The rests of a model as they are at the start.
struct ModelRests {
    const constraints::ConstraintSet& set;
    template <class Kind>
    const auto& of() const {
        return constraints::list_of<Kind>(set).rests;
    }
};

}  // namespace

Plan make_plan(const model::Model& model, const std::vector<std::uint8_t>& is_dynamic) {
    Subdomains subdomains = make_subdomains(model.constraints, model.rest_positions, model.island_of);
    Plan plan;
    plan.particle_at = subdomains.particle_at;
    plan.slot_of = subdomains.slot_of;
    plan.subdomains = subdomains.count;
    place_particles(model, is_dynamic, plan);
    find_islands(model, plan);
    cut_into_chunks(model, subdomains, plan);
    cut_view(model, plan);

    const constraints::ClusterSet clusters = constraints::make_clusters(model.constraints, model.particles());
    Packer packer(plan.slots());
    AllClusters::for_each([&]<class Cluster>() {
        auto& blocks = std::get<ClusterBlocks<Cluster>>(plan.clusters);
        const auto& list = std::get<constraints::ClusterList<Cluster>>(clusters);
        blocks = ClusterPacker<Cluster>(list, subdomains, plan.is_dynamic, packer).run();
        pack_rests(blocks, ModelRests{model.constraints}, blocks.rests);
    });
    PLIANT_VALIDATE(validate(plan));
    return plan;
}

namespace {

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
    static constexpr std::uint32_t none = 0xffffffff;
    const Plan& plan_;
    std::vector<std::uint32_t> owner_;
};

template <class Cluster>
void validate_blocks(const Plan& plan, const ClusterBlocks<Cluster>& blocks) {
    std::vector<std::uint32_t> last_block(plan.slots(), 0xffffffff);  // that a slot was in
    for (const Run& run : blocks.runs) {
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
}

}  // namespace

void validate(const Plan& plan) {
    PLIANT_ASSERT(plan.slots() % block_size == 0 && plan.is_dynamic.size() == plan.slots());
    for (std::uint32_t i = 0; i < plan.slot_of.size(); ++i)
        PLIANT_ASSERT(plan.slot_of[i] < plan.slots() && plan.particle_at[plan.slot_of[i]] == i);

    // Islands and chunks cover every slot once.
    std::uint32_t covered = 0;
    for (const IslandSlots& island : plan.islands) {
        PLIANT_ASSERT(island.first == covered && island.count % block_size == 0);
        covered += island.count;
    }
    PLIANT_ASSERT(covered == plan.slots());
    std::size_t in_chunks = 0;
    for (const ParticleChunk& chunk : plan.chunks) {
        [[maybe_unused]] const IslandSlots& island = plan.islands[chunk.island];
        PLIANT_ASSERT(chunk.first >= island.first &&
                      chunk.first + chunk.count <= island.first + island.count);
        in_chunks += chunk.count;
    }
    PLIANT_ASSERT(in_chunks == plan.slots() && plan.subdomain_chunks.size() == plan.subdomains + 1u);

    // Work items of a phase share no dynamic particle: subdomains run at once, and so do interfaces.
    Owners of_subdomains(plan), of_interfaces(plan);
    AllClusters::for_each([&]<class Cluster>() {
        const auto& blocks = std::get<ClusterBlocks<Cluster>>(plan.clusters);
        PLIANT_ASSERT(blocks.item_runs.size() == 2 * plan.subdomains + 1u);
        PLIANT_ASSERT(blocks.item_runs.back() == blocks.runs.size());
        validate_blocks(plan, blocks);
        for (std::uint32_t item = 0; item < 2 * plan.subdomains; ++item) {
            Owners& owners = item < plan.subdomains ? of_subdomains : of_interfaces;
            for (std::size_t r = blocks.item_runs[item]; r < blocks.item_runs[item + 1]; ++r) {
                blocks.for_each_cluster(blocks.runs[r], [&](const auto& slots, const auto&) {
                    for (const std::uint32_t slot : slots) owners.claim(slot, item);
                });
            }
        }
    });
}

}  // namespace pliant::solvers::position_based
