#include "model/model.h"

#include "base/hash.h"

namespace pliant {
namespace {

// Short enough to share among threads, long enough that handing one out costs nothing.
constexpr std::uint32_t chunk_particles = 1024;

void cut_into_chunks(std::uint32_t first, std::uint32_t count, std::uint32_t group,
                     std::vector<ParticleChunk>& chunks) {
    for (std::uint32_t done = 0; done < count; done += chunk_particles) {
        chunks.push_back({first + done, std::min(chunk_particles, count - done), group});
    }
}

}  // namespace

std::size_t Model::constraints() const {
    std::size_t sum = 0;
    for_each_list(batches, [&](const auto& batch) { sum += batch.constraints(); });
    return sum;
}

std::uint32_t Model::group_of(std::uint32_t at_place) const {
    const auto after = std::upper_bound(groups.begin(), groups.end(), at_place,
                                        [](std::uint32_t p, const Group& group) { return p < group.first; });
    return static_cast<std::uint32_t>(after - groups.begin()) - 1;
}

Model make_model(const ModelInput& input) {
    Partition partition = make_partition(input.constraints, input.positions, input.groups);
    const std::size_t places = partition.order.size();

    // Per place.
    Model model;
    model.visible = input.visible;
    model.slabs = partition.slabs;
    model.uses = input.uses;
    model.inverse_masses.assign(places, 0.0f);
    model.free.assign(places, 0);
    model.radii.assign(places, 0.0f);
    model.rest.resize(places);
    for (std::size_t i = 0; i < places; ++i) {
        const std::uint32_t particle = partition.order[i];
        if (particle == Partition::padding) continue;
        model.inverse_masses[i] = input.inverse_masses[particle];
        model.free[i] = input.moves[particle];
        model.radii[i] = input.radii[particle];
        model.rest[i] = input.positions[particle];
    }

    // Groups, and the pieces of passes over particles.
    for (double size : input.sizes) model.groups.push_back({.size = size});
    for (std::size_t i = 0; i < places; ++i) {
        if (partition.order[i] == Partition::padding) continue;
        Group& group = model.groups[input.groups[partition.order[i]]];
        if (group.count == 0) group.first = static_cast<std::uint32_t>(i);
        group.count = static_cast<std::uint32_t>((i + block_size) / block_size * block_size - group.first);
    }
    for (Group& group : model.groups) {
        std::vector<std::uint32_t> occupied;
        for (std::uint32_t i = group.first; i < group.first + group.count; ++i) {
            if (partition.order[i] != Partition::padding) occupied.push_back(i);
        }
        for (std::size_t k = 0; k < 5; ++k) group.samples[k] = occupied[k * (occupied.size() - 1) / 4];
    }
    std::vector<std::vector<ParticleChunk>> of_slab(partition.slabs);
    for (std::uint32_t first = 0; first < places;) {
        // A chunk starts with a particle and ends where padding or another slab begins.
        const std::uint32_t group = input.groups[partition.order[first]],
                            slab = partition.slab[partition.order[first]];
        std::uint32_t end = first;
        while (end < places && partition.order[end] != Partition::padding &&
               partition.slab[partition.order[end]] == slab && input.groups[partition.order[end]] == group) {
            ++end;
        }
        end = static_cast<std::uint32_t>((end + block_size - 1) / block_size * block_size);
        of_slab[slab].push_back({first, end - first, group});
        first = end;
    }
    model.slab_chunks.push_back(0);
    for (const auto& chunks : of_slab) {
        model.chunks.insert(model.chunks.end(), chunks.begin(), chunks.end());
        model.slab_chunks.push_back(static_cast<std::uint32_t>(model.chunks.size()));
    }
    for (std::uint32_t first = 0; first < input.visible;) {
        std::uint32_t end = first;
        while (end < input.visible && input.groups[end] == input.groups[first]) ++end;
        cut_into_chunks(first, end - first, input.groups[first], model.output_chunks);
        first = end;
    }

    // Constraints.
    AllKinds::for_each([&]<class Kind>() {
        if constexpr (!Kind::unit_gradients) {
            for (const auto& particles : std::get<ConstraintList<Kind>>(input.constraints).particles) {
                Group& group = model.groups[input.groups[particles[0]]];
                group.reach = static_cast<float>(group.size);
            }
        }
    });
    const auto& volumes = std::get<ConstraintList<kinds::Volume>>(input.constraints);
    model.volume_groups.assign(input.uses.size(), no_group);
    for (std::size_t i = 0; i < volumes.size(); ++i) {
        const std::uint32_t group = input.groups[volumes.particles[i][0]];
        ++model.groups[group].tetrahedra;
        model.volume_groups[volumes.elasticity[i]] = group;
    }
    const VisitSet visits = fuse(input.constraints, input.positions.size());
    model.soft_groups.assign(input.uses.size(), no_group);
    const auto& tetrahedra = std::get<VisitList<TetrahedronWithEdges>>(visits);
    for (std::size_t i = 0; i < tetrahedra.size(); ++i) {
        for (const std::uint32_t e : tetrahedra.elasticities[i])
            model.soft_groups[e] = input.groups[tetrahedra.particles[i][0]];
    }
    Packer packer(places);
    AllVisits::for_each([&]<class Visit>() {
        std::get<Batch<Visit>>(model.batches) =
            make_batch(std::get<VisitList<Visit>>(visits), partition, model.free, packer);
    });
    model.order = std::move(partition.order);
    model.place = std::move(partition.place);
    return model;
}

std::uint64_t fingerprint(const Model& model) {
    Hash hash;
    const auto add = [&](const auto& values) {
        hash.add(static_cast<std::uint32_t>(values.size()));
        for (const auto& value : values) hash.add(value);
    };
    add(model.place);
    add(model.inverse_masses);
    for_each_list(model.batches, [&](const auto& batch) {
        add(batch.block_offsets);
        add(batch.block_parameters);
        add(batch.single_offsets);
        add(batch.single_parameters);
    });
    return hash.value();
}

ConstraintSet list_constraints(const Model& model) {
    ConstraintSet set;
    model.for_each_constraint([&]<class Kind>(auto places, const auto& parameters, std::uint32_t e) {
        for (std::uint32_t& p : places) p = model.order[p];
        std::get<ConstraintList<Kind>>(set).add(places, parameters, e);
    });
    return set;
}

}  // namespace pliant
