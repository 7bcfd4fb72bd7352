#include "solvers/position_based/grains/grain_step.h"

#include <algorithm>

#include "base/convert.h"
#include "base/particle_layout.h"
#include "base/scalar.h"
#include "solvers/position_based/kernels.h"
#include "solvers/position_based/plan.h"

namespace pliant::solvers::position_based {
namespace {

// How far a grain may go before a new list is due, over the largest radius: what its speed needs for so many
// substeps, within these.
constexpr float least_margin = 0.05f, most_margin = 0.3f, substeps_ahead = 20;
constexpr int sweeps = 2;                         // there and back
constexpr std::size_t most_pairs_per_grain = 32;  // on average; so many only where grains lie in each other
// A chunk has more grains than this only where they lie in each other. The first ones part first.
constexpr std::size_t most_listed_per_chunk = 4096;
constexpr std::size_t piece = 4096;  // of grains, for one thread

}  // namespace

GrainPass::GrainPass(const model::Model& model, const Plan& plan, model::State& state,
                     const Settings& settings, double substep, const Kernels& kernels,
                     GrainWorkspace& workspace, Executor& executor)
    : model_(model),
      plan_(plan),
      grains_(plan.grains),
      state_(state),
      kernels_(kernels),
      workspace_(workspace),
      executor_(executor),
      list_(state.position_based.grain_list),
      // What gravity adds in two substeps is resting, not falling.
      resting_step_(static_cast<float>(2 * substep * substep * length(to_double(settings.gravity)))) {}

void GrainPass::begin_frame() {
    model::PositionBasedState& particles = state_.position_based;
    workspace_.is_listed = workspace_.is_listed && workspace_.substep == particles.substep;
    workspace_.substep = particles.substep;
    // Twelve balls can touch one.
    particles.grain_contacts.reserve(6 * grains_.size());
    workspace_.kept.reserve(6 * grains_.size());
    workspace_.marks.resize(grains_.size());
    workspace_.start.resize(plan_.floats());
    workspace_.shifts.clear();
    const auto from_first = [&](const std::vector<Vec3d>& origins, std::uint32_t island) {
        return origins[island] - origins[model_.bodies[grains_.bodies[0]].island];
    };
    for (const BodyView& body : model_.bodies) {
        const Vec3d shift = from_first(state_.origins, body.island);
        workspace_.shifts.push_back(to_float(shift));
        // Islands that count from other origins: their pairs do not fit any more.
        if (!list_.points.empty() && !(from_first(list_.origins, body.island) == shift)) list_.points.clear();
    }
    for (std::size_t lane = 0; lane < block_size; ++lane) give_traits(workspace_.traits, lane, 0, 0);
    const bool has_list = list_.points.size() == grains_.size();
    if (has_list && !workspace_.is_listed) list();
    workspace_.is_listed = has_list;
}

// Sorts pushes by their first grain.
void GrainPass::keep() {
    const std::vector<model::GrainContact>& contacts = state_.position_based.grain_contacts;
    std::vector<std::uint32_t>& first = workspace_.kept_first;
    first.assign(grains_.size() + 1, 0);
    for (const model::GrainContact& contact : contacts) ++first[contact.a + 1];
    for (std::size_t i = 0; i < grains_.size(); ++i) first[i + 1] += first[i];
    workspace_.kept.resize(contacts.size());
    for (const model::GrainContact& contact : contacts) workspace_.kept[first[contact.a]++] = contact;
    for (std::size_t i = grains_.size(); i > 0; --i) first[i] = first[i - 1];
    first[0] = 0;
}

// f(first, end) of grains.
template <class F>
void GrainPass::for_each_piece(const F& f) {
    executor_.for_each((grains_.size() + piece - 1) / piece, [&](std::size_t k) {
        f(static_cast<std::uint32_t>(k * piece),
          static_cast<std::uint32_t>(std::min(grains_.size(), (k + 1) * piece)));
    });
}

// f(chunk, its number within its colour), colour after colour.
template <class F>
void GrainPass::for_each_chunk(bool backward, const F& f) {
    for (std::size_t k = 0; k < GrainCells::colours; ++k) {
        const std::size_t colour = backward ? GrainCells::colours - 1 - k : k;
        const std::size_t first = workspace_.cells.first_chunk(colour),
                          end = workspace_.cells.first_chunk(colour + 1);
        executor_.for_each(end - first, [&](std::size_t i) { f(first + i, i); });
    }
}

Vec3 GrainPass::point(std::uint32_t grain) const {
    const float* x = state_.position_based.position.data() + grains_.offsets[grain] / sizeof(float);
    return Vec3{x[0], x[1], x[2]} + workspace_.shifts[grains_.bodies[grain]];
}

template <class F>
Vec3d GrainPass::mean_of(const F& f) {
    workspace_.sums.assign((grains_.size() + piece - 1) / piece, {});
    for_each_piece([&](std::uint32_t first, std::uint32_t end) {
        Vec3d sum;
        for (std::uint32_t i = first; i < end; ++i) sum = sum + to_double(f(i));
        workspace_.sums[first / piece] = sum;
    });
    Vec3d sum;
    for (const Vec3d& of_piece : workspace_.sums) sum = sum + of_piece;
    return sum * (1 / double(grains_.size()));
}

// Two grains that are not listed are further apart than their extents, and neither has gone further than its
// margin, but for what all have in common.
bool GrainPass::is_list_enough() {
    if (!workspace_.is_listed) return false;
    const std::uint32_t island = model_.bodies[grains_.bodies[0]].island;
    const Vec3 shift = to_float(state_.origins[island] - list_.origins[island]);
    const auto moved = [&](std::uint32_t i) { return point(i) + shift - list_.points[i]; };
    const Vec3 common = to_float(mean_of(moved));
    workspace_.strays.assign(workspace_.sums.size(), 0);
    for_each_piece([&](std::uint32_t first, std::uint32_t end) {
        bool strays = false;
        for (std::uint32_t i = first; i < end; ++i) {
            const Vec3 own = moved(i) - common;
            const float margin = list_.extents[i] - grains_.radii[i];
            strays |= !(dot(own, own) <= margin * margin);
        }
        workspace_.strays[first / piece] = strays;
    });
    return std::none_of(workspace_.strays.begin(), workspace_.strays.end(), [](std::uint8_t s) { return s; });
}

void GrainPass::find_extents() {
    const AlignedVector<float>& displacement = state_.position_based.displacement;
    const auto step = [&](std::uint32_t i) {
        const float* u = displacement.data() + grains_.offsets[i] / sizeof(float);
        return Vec3{u[0], u[1], u[2]};
    };
    const Vec3 common = to_float(mean_of(step));
    list_.origins = state_.origins;
    list_.points.resize(grains_.size());
    list_.extents.resize(grains_.size());
    for_each_piece([&](std::uint32_t first, std::uint32_t end) {
        for (std::uint32_t i = first; i < end; ++i) {
            const Vec3 own = step(i) - common;
            const float needed = substeps_ahead * sqrt(dot(own, own)), scale = grains_.largest_radius;
            list_.points[i] = point(i);
            list_.extents[i] = grains_.radii[i] + min(max(needed, least_margin * scale), most_margin * scale);
        }
    });
}

// From what the state says of it.
void GrainPass::list() {
    keep();
    workspace_.cells.sort(list_.points, list_.extents, executor_);
    if (workspace_.chunks.empty()) {
        workspace_.chunks.resize(GrainCells::most_chunks(grains_.size()));
        for (GrainBlocks& blocks : workspace_.chunks)
            blocks.reserve(8 * std::min(grains_.size(), 2 * GrainCells::points_per_chunk),
                           !grains_.is_uniform);
    }
    for_each_chunk(false, [&](std::size_t chunk, std::size_t number) {
        const std::size_t dummy = number * floats_per_grain_dummy * sizeof(float);
        list_chunk(chunk, grains_.first_dummy + static_cast<std::uint32_t>(dummy));
    });
    workspace_.is_listed = true;
}

void GrainPass::list_chunk(std::size_t chunk, std::uint32_t dummy) {
    const std::span<const std::uint32_t> order = workspace_.cells.order();
    GrainBlocks& blocks = workspace_.chunks[chunk];
    GrainPacker packer(blocks, dummy, !grains_.is_uniform, workspace_.marks);
    std::size_t left =
        most_pairs_per_grain * std::min(workspace_.cells.points_in(chunk), most_listed_per_chunk);
    workspace_.cells.list(chunk, [&](std::uint32_t place_a, std::uint32_t place_b) {
        const std::uint32_t a = std::min(order[place_a], order[place_b]),
                            b = std::max(order[place_a], order[place_b]);
        const std::uint32_t body_a = grains_.bodies[a], body_b = grains_.bodies[b];
        if (left == 0 ||
            !model::may_touch(model_.contacts[body_a], model_.contacts[body_b], body_a == body_b))
            return;
        --left;
        const std::size_t pair = packer.add(a, b, grains_.offsets[a], grains_.offsets[b]);
        if (!grains_.is_uniform) give_traits(blocks.traits[pair / block_size], pair % block_size, a, b);
        for (std::uint32_t k = workspace_.kept_first[a]; k < workspace_.kept_first[a + 1]; ++k) {
            if (workspace_.kept[k].b == b) blocks.set_push(pair, workspace_.kept[k].push);
        }
    });
}

void GrainPass::give_traits(GrainPairTraits& traits, std::size_t lane, std::uint32_t a,
                            std::uint32_t b) const {
    const model::BodyContact &of_a = model_.contacts[grains_.bodies[a]],
                             &of_b = model_.contacts[grains_.bodies[b]];
    const Vec3 shift = workspace_.shifts[grains_.bodies[a]] - workspace_.shifts[grains_.bodies[b]];
    traits.distance[lane] = grains_.radii[a] + grains_.radii[b];
    traits.friction[lane] = sqrt(of_a.friction * of_b.friction);
    traits.restitution[lane] = max(of_a.restitution, of_b.restitution);
    traits.shift[0][lane] = shift.x, traits.shift[1][lane] = shift.y, traits.shift[2][lane] = shift.z;
}

void GrainPass::find_starts() {
    const model::PositionBasedState& particles = state_.position_based;
    for_each_piece([&](std::uint32_t first, std::uint32_t end) {
        for (std::uint32_t i = first; i < end; ++i) {
            const std::size_t at = grains_.offsets[i] / sizeof(float);
            for (std::size_t c = at; c < at + floats_per_particle; ++c)
                workspace_.start[c] = particles.predicted[c] - particles.displacement[c];
        }
    });
}

GrainRun GrainPass::run_of(std::size_t chunk) const {
    model::PositionBasedState& particles = state_.position_based;
    GrainBlocks& blocks = workspace_.chunks[chunk];
    GrainRun run;
    run.position = particles.position.data();
    run.predicted = particles.predicted.data();
    run.start = workspace_.start.data();
    run.offsets = blocks.offsets.data();
    run.pushes = blocks.pushes.data();
    run.traits = grains_.is_uniform ? &workspace_.traits : blocks.traits.data();
    run.traits_stride = grains_.is_uniform ? 0 : 1;
    run.blocks = blocks.blocks;
    run.resting_step = resting_step_;
    run.is_shifted = !grains_.is_uniform;
    run.bounces = grains_.has_restitution;
    return run;
}

void GrainPass::begin() {
    if (!is_list_enough()) {
        if (workspace_.is_listed) end_frame();
        find_extents();
        list();
    }
    find_starts();
    for_each_chunk(false, [&](std::size_t chunk, std::size_t) { kernels_.push_grains(run_of(chunk)); });
}

void GrainPass::solve(std::vector<std::uint8_t>& touched) {
    for (int i = 0; i < sweeps; ++i) {
        const bool is_backward = i % 2 == 1;
        for_each_chunk(is_backward, [&](std::size_t chunk, std::size_t) {
            GrainRun run = run_of(chunk);
            run.is_backward = is_backward;
            run.opens = i == 0;
            kernels_.sweep_grains(run);
        });
    }
    mark_touched(touched);
}

void GrainPass::mark_touched(std::vector<std::uint8_t>& touched) const {
    if (model_.islands.size() <= 1) return;
    const auto island_of = [&](std::uint32_t grain) { return model_.bodies[grains_.bodies[grain]].island; };
    for (std::size_t chunk = 0; chunk < workspace_.cells.chunks(); ++chunk) {
        GrainBlocks& blocks = workspace_.chunks[chunk];
        for (std::size_t pair = 0; pair < blocks.blocks * block_size; ++pair) {
            const auto& grains = blocks.grains[pair];
            if (grains[0] == GrainBlocks::nobody || island_of(grains[0]) == island_of(grains[1])) continue;
            if (blocks.push(pair) == Vec3{}) continue;
            touched[island_of(grains[0])] = touched[island_of(grains[1])] = 1;
        }
    }
}

void GrainPass::end_frame() {
    std::vector<model::GrainContact>& contacts = state_.position_based.grain_contacts;
    contacts.clear();
    for (std::size_t chunk = 0; chunk < workspace_.cells.chunks(); ++chunk) {
        const GrainBlocks& blocks = workspace_.chunks[chunk];
        for (std::size_t pair = 0; pair < blocks.blocks * block_size; ++pair) {
            const Vec3 push = blocks.push(pair);
            if (!(push == Vec3{})) contacts.push_back({blocks.grains[pair][0], blocks.grains[pair][1], push});
        }
    }
}

}  // namespace pliant::solvers::position_based
