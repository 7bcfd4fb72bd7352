// What the solver has planned for each particle, as numbers to be shown.
#include <pliant/bounds.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "collision/local_colliders.h"
#include "scene/runtime.h"

namespace pliant {
namespace {

using solvers::position_based::ClothLevel;
using solvers::position_based::ClothSheet;
using solvers::position_based::CoarseBody;
using solvers::position_based::CoarseLevel;
using solvers::position_based::Contact;
using solvers::position_based::ContactWorkspace;
using solvers::position_based::PatchChunk;
using solvers::position_based::Plan;

constexpr float none = -1;
constexpr std::size_t lanes = 16;

// A number of each slot as one of each visible particle.
std::vector<float> by_particle(const Plan& plan, const std::vector<float>& of_slot, std::size_t visible) {
    std::vector<float> values(visible, none);
    for (std::size_t i = 0; i < visible; ++i) values[i] = of_slot[plan.slot_of[i]];
    return values;
}

std::vector<float> subdomains(const Plan& plan) {
    std::vector<float> of_slot(plan.slots(), none);
    for (std::size_t s = 0; s + 1 < plan.subdomain_chunks.size(); ++s) {
        for (std::uint32_t c = plan.subdomain_chunks[s]; c < plan.subdomain_chunks[s + 1]; ++c) {
            const auto& chunk = plan.chunks[c];
            std::fill_n(of_slot.begin() + chunk.first, chunk.count, static_cast<float>(s));
        }
    }
    return of_slot;
}

// Blocks are counted sort after sort, in the order of a sweep.
std::vector<float> blocks(const Plan& plan) {
    std::vector<float> of_slot(plan.slots(), none);
    std::size_t before = 0;
    const auto take = [&](const auto& sort) {
        const std::size_t count = sort.blocks();
        if (count > 0) {
            const std::size_t size = sort.block_offsets.size() / count;
            for (std::size_t i = 0; i < sort.block_offsets.size(); ++i) {
                const std::size_t slot = sort.block_offsets[i] / bytes_per_particle;
                if (slot < of_slot.size() && of_slot[slot] == none)
                    of_slot[slot] = static_cast<float>(before + i / size);
            }
        }
        before += count;
    };
    std::apply([&](const auto&... sorts) { (take(sorts), ...); }, plan.clusters);
    return of_slot;
}

// Of the corner of its box that is nearest.
void take_coarse_nodes(const CoarseLevel& level, std::vector<float>& of_slot) {
    for (std::size_t g = 0; g < level.group_nodes.size(); ++g) {
        for (std::size_t k = 0; k < level.group_sizes[g]; ++k) {
            std::size_t corner = 0;
            for (std::size_t axis = 0; axis < 3; ++axis) {
                const float at = level.group_coordinates[(3 * g + axis) * lanes + k];
                corner |= (at >= 0.5f ? std::size_t(1) : 0) << axis;
            }
            const std::size_t slot = level.group_offsets[g * lanes + k] / bytes_per_particle;
            of_slot[slot] = static_cast<float>(level.group_nodes[g][corner]);
        }
    }
}

void take_cloth_nodes(const ClothSheet& sheet, std::vector<float>& of_slot) {
    if (sheet.levels.empty()) return;
    const auto& weights = sheet.levels.front().weights;
    for (std::size_t i = 0; i < std::min(weights.targets, sheet.targets.size()); ++i) {
        const std::size_t first = 4 * lanes * (i / lanes) + i % lanes;
        std::size_t best = first;
        for (std::size_t k = 1; k < 4; ++k) {
            const std::size_t at = first + k * lanes;
            if (weights.weights[at] > weights.weights[best]) best = at;
        }
        const std::size_t slot = sheet.target_offsets[i] / bytes_per_particle;
        if (slot < of_slot.size())
            of_slot[slot] = static_cast<float>(weights.nodes[best] / bytes_per_particle);
    }
}

std::vector<float> levels(const Plan& plan) {
    std::vector<float> of_slot(plan.slots(), none);
    take_coarse_nodes(plan.coarse, of_slot);
    for (const ClothSheet& sheet : plan.cloth.sheets) take_cloth_nodes(sheet, of_slot);
    return of_slot;
}

// What rests on a surface is a rounding error away from it; a thousandth of the scene's size is still touch.
double touch_margin(const View& view) { return 1e-3 * double(bounds_of(view.positions).diagonal()); }

void mark_colliders(const View& view, std::vector<float>& values) {
    collision::LocalColliders colliders;
    colliders.place(view.colliders, view.colliders, {});
    const double margin = touch_margin(view);
    for (std::size_t i = 0; i < values.size(); ++i) {
        const Vec3d x = to_double(view.positions[i]);
        const Vec3d out = collision::pushed_out(colliders.set(), x, double(view.radii[i]) + margin);
        if (out.x != x.x || out.y != x.y || out.z != x.z) values[i] = 1;
    }
}

// Contacts of the last substep that still hold: Σβx·n is hardly above its level.
void mark_bodies(const model::Model& model, const Plan& plan, const model::State& state,
                 const ContactWorkspace& contact, double margin, std::vector<float>& values) {
    constexpr float least_weight = 0.25f;  // a point on a triangle has one of at least a third
    for (const PatchChunk& chunk : contact.chunks) {
        for (const Contact& one : chunk.contacts) {
            const Vec3d n = {one.normal[0], one.normal[1], one.normal[2]};
            double gap = -double(one.level);
            for (std::size_t k = 0; k < 4; ++k) {
                const float* x = state.position_based.position.data() + one.offsets[k] / sizeof(float);
                const std::uint32_t island =
                    model.island_of[plan.particle_at[one.offsets[k] / bytes_per_particle]];
                // The level counts from where origins were then.
                const Vec3d moved = state.origins[island] - contact.origins[island];
                gap += double(one.weights[k]) * dot(n, to_double({x[0], x[1], x[2]}) + moved);
            }
            if (!(gap <= margin)) continue;
            for (std::size_t k = 0; k < 4; ++k) {
                const std::uint32_t particle = plan.particle_at[one.offsets[k] / bytes_per_particle];
                if (std::abs(one.weights[k]) >= least_weight && particle < values.size())
                    values[particle] = 1;
            }
        }
    }
}

// Grains that push each other.
void mark_grains(const Plan& plan, const model::State& state, std::vector<float>& values) {
    for (const model::GrainContact& contact : state.position_based.grain_contacts) {
        for (const std::uint32_t grain : {contact.a, contact.b})
            values[plan.particle_at[plan.grains.offsets[grain] / bytes_per_particle]] = 1;
    }
}

}  // namespace

std::vector<float> Simulation::traits(Trait trait) const {
    const StandardFloatingPoint floating_point;
    const Implementation& s = *implementation_;
    switch (trait) {
        case Trait::subdomain:
            return by_particle(s.plan(), subdomains(s.plan()), s.model.visible);
        case Trait::block:
            return by_particle(s.plan(), blocks(s.plan()), s.model.visible);
        case Trait::level:
            return by_particle(s.plan(), levels(s.plan()), s.model.visible);
        case Trait::contact:
            break;
    }
    std::vector<float> values(view().positions.size(), 0.0f);
    mark_colliders(view(), values);
    if (s.settings.contact_quality == ContactQuality::off) return values;
    if (s.workspace.contact.is_valid)
        mark_bodies(s.model, s.plan(), s.state, s.workspace.contact, touch_margin(view()), values);
    mark_grains(s.plan(), s.state, values);
    return values;
}

}  // namespace pliant
