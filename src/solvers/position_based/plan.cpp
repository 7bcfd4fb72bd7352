#include "solvers/position_based/plan.h"

#include <pliant/assertions.h>
#include <pliant/description.h>

#include <algorithm>
#include <numeric>
#include <tuple>

#include "base/scalar.h"
#include "base/union_find.h"
#include "solvers/position_based/validate.h"

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

// The friction of a collider is that with a body of the default friction μ₀. With a body of friction μ it is
// √(μ/μ₀) times as much: as between bodies, it grows with the square root of each.
void find_friction(const model::Model& model, Plan& plan) {
    const pliant::BodyContact standard;
    const bool all_standard =
        std::all_of(model.contacts.begin(), model.contacts.end(), [&](const model::BodyContact& contact) {
            return contact.friction == standard.friction && contact.restitution == standard.restitution;
        });
    if (all_standard) return;
    plan.friction_shares.assign(plan.slots(), 1.0f);
    plan.restitutions.assign(plan.slots(), 0.0f);
    for (std::size_t b = 0; b < model.bodies.size(); ++b) {
        const BodyView& body = model.bodies[b];
        const float share = static_cast<float>(sqrt(double(model.contacts[b].friction) / standard.friction));
        for (std::uint32_t p = 0; p < body.particle_count; ++p) {
            const std::uint32_t slot = plan.slot_of[body.first_particle + p];
            plan.friction_shares[slot] = share;
            plan.restitutions[slot] = model.contacts[b].restitution;
        }
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
        island.particles = static_cast<std::uint32_t>(occupied.size());
        island.is_dynamic = true;
        for (const std::uint32_t slot : occupied) {
            island.radius = std::max(island.radius, plan.radii[slot]);
            island.is_dynamic = island.is_dynamic && plan.is_dynamic[slot];
        }
    }
}

void find_connected_islands(const model::Model& model, Plan& plan) {
    UnionFind joined(model.particles());
    constraints::for_each_list(model.constraints, [&](const auto& list) {
        for (const auto& particles : list.particles) {
            for (const std::uint32_t particle : particles) joined.join(particles[0], particle);
        }
    });
    for (IslandSlots& island : plan.islands) {
        const std::uint32_t set = joined.find(plan.particle_at[island.samples[0]]);
        island.is_connected = true;
        for (std::uint32_t slot = island.first; slot < island.first + island.count; ++slot) {
            if (plan.particle_at[slot] != Subdomains::padding)
                island.is_connected = island.is_connected && joined.find(plan.particle_at[slot]) == set;
        }
        island.is_thin = true;
    }
    for (const auto& t : model.triangles) plan.islands[model.island_of[t[0]]].is_thin = false;
    for (const auto& t : model.tetrahedra) plan.islands[model.island_of[t[0]]].is_thin = false;
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

// True if a constraint lies across an interface.
bool has_interfaces(const Plan& plan) {
    bool found = false;
    AllClusters::for_each([&]<class Cluster>() {
        const auto& first = std::get<ClusterBlocks<Cluster>>(plan.clusters).item_runs;
        found = found || (!first.empty() && first[plan.subdomains] < first.back());
    });
    return found;
}

// Of each material part, the first that is like it: of the same name, scale and values at the start. Clusters
// of such parts share blocks, which many small bodies would leave half empty.
std::vector<std::uint32_t> find_alike_parts(const model::Model& model, const StrandSet& strands) {
    const auto key = [&](std::uint32_t i) {
        const model::MaterialPart& part = model.parts[i];
        const auto& [compliance, damping, stiffness] = part.at_start.elasticity;
        return std::tie(part.name, part.scale.uniform, part.scale.per_measure, part.scale.closing_time,
                        compliance, damping, stiffness, part.at_start.constants, strands.is_direct[i]);
    };
    std::vector<std::uint32_t> alike(model.parts.size()), order(model.parts.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        const auto of_a = key(a), of_b = key(b);
        return of_a != of_b ? of_a < of_b : a < b;
    });
    for (std::size_t i = 0; i < order.size(); ++i) {
        const bool is_new = i == 0 || key(order[i]) != key(order[i - 1]);
        alike[order[i]] = is_new ? order[i] : alike[order[i - 1]];
    }
    return alike;
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
    Plan plan;
    plan.strands = find_strands(model);
    const Subdomains subdomains =
        make_subdomains(model.constraints, model.rest_positions, model.island_of, bundles_of(plan.strands));
    place_strands(subdomains, plan.strands);
    plan.particle_at = subdomains.particle_at;
    plan.slot_of = subdomains.slot_of;
    plan.subdomains = subdomains.count;
    place_particles(model, is_dynamic, plan);
    find_friction(model, plan);
    find_islands(model, plan);
    find_connected_islands(model, plan);
    cut_into_chunks(model, subdomains, plan);
    cut_view(model, plan);
    plan.tetrahedra = make_tetrahedron_blocks(model, plan.slot_of);

    const constraints::ClusterSet clusters = constraints::make_clusters(model.constraints, model.particles());
    const std::vector<std::uint32_t> alike = find_alike_parts(model, plan.strands);
    Packer packer(plan.slots());
    AllClusters::for_each([&]<class Cluster>() {
        auto& blocks = std::get<ClusterBlocks<Cluster>>(plan.clusters);
        const auto& list = std::get<constraints::ClusterList<Cluster>>(clusters);
        blocks = ClusterPacker<Cluster>(list, subdomains, plan.is_dynamic, alike, packer).run();
        pack_rests(blocks, ModelRests{model.constraints}, blocks.rests);
    });
    plan.coarse = make_coarse_level(model, plan, is_dynamic);
    plan.cloth = make_cloth_levels(model, plan, is_dynamic);
    plan.contact = make_contact_plan(model, plan);
    plan.faces = make_face_plan(model, plan);
    plan.grains = make_grain_plan(model, plan);
    plan.riders = place_riders(model, plan.slot_of);
    plan.is_separable = plan.strands.is_bundled() && plan.riders.empty() && !has_interfaces(plan);
    PLIANT_VALIDATE(validate(plan));
    return plan;
}

}  // namespace pliant::solvers::position_based
