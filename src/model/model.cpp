#include "model/model.h"

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
    for_each_list(batches, [&](const auto& batch) { sum += batch.size(); });
    return sum;
}

Model make_model(const ModelInput& input) {
    Partition partition = make_partition(input.constraints, input.positions, input.groups);
    const std::size_t places = partition.order.size();

    // Per place.
    Model model;
    model.visible = input.visible;
    model.slabs = partition.slabs;
    model.scales = input.scales;
    model.inverse_masses.assign(places, 0.0f);
    model.free.assign(places, 0);
    model.radii.assign(places, 0.0f);
    for (std::size_t i = 0; i < places; ++i) {
        const std::uint32_t particle = partition.order[i];
        if (particle == Partition::padding) continue;
        model.inverse_masses[i] = input.inverse_masses[particle];
        model.free[i] = input.moves[particle];
        model.radii[i] = input.radii[particle];
    }

    // Groups, and the pieces of passes over particles.
    for (double grid : input.grids) model.groups.push_back({0, 0, grid});
    for (std::size_t i = 0; i < places; ++i) {
        if (partition.order[i] == Partition::padding) continue;
        Group& group = model.groups[input.groups[partition.order[i]]];
        if (group.count == 0) group.first = static_cast<std::uint32_t>(i);
        group.count = static_cast<std::uint32_t>((i + block_size) / block_size * block_size - group.first);
    }
    for (std::uint32_t g = 0; g < model.groups.size(); ++g) {
        cut_into_chunks(model.groups[g].first, model.groups[g].count, g, model.chunks);
    }
    for (std::uint32_t first = 0; first < input.visible;) {
        std::uint32_t end = first;
        while (end < input.visible && input.groups[end] == input.groups[first]) ++end;
        cut_into_chunks(first, end - first, input.groups[first], model.output_chunks);
        first = end;
    }

    // Constraints.
    Packer packer(places);
    AllKinds::for_each([&]<class Kind>() {
        std::get<Batch<Kind>>(model.batches) =
            make_batch(std::get<ConstraintList<Kind>>(input.constraints), partition, model.free, packer);
    });
    model.order = std::move(partition.order);
    model.place = std::move(partition.place);
    return model;
}

ConstraintSet list_constraints(const Model& model) {
    ConstraintSet set;
    AllKinds::for_each([&]<class Kind>() {
        auto& list = std::get<ConstraintList<Kind>>(set);
        std::get<Batch<Kind>>(model.batches)
            .for_each([&](auto places, const auto& parameters, std::uint32_t e) {
                for (std::uint32_t& p : places) p = model.order[p];
                list.add(places, parameters, e);
            });
    });
    return set;
}

}  // namespace pliant
