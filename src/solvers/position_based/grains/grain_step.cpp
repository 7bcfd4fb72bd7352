#include "solvers/position_based/grains/grain_step.h"

#include <algorithm>

#include "base/convert.h"
#include "base/particle_layout.h"
#include "base/scalar.h"
#include "solvers/position_based/plan.h"

namespace pliant::solvers::position_based {
namespace {

constexpr double margin = 0.2;                    // over the largest distance at which two touch
constexpr int sweeps = 2;                         // there and back
constexpr float opening_share = 0.2f;             // of an overlap, per substep
constexpr float most_opening = 0.02f;             // of the distance at which two touch, per substep
constexpr std::size_t most_pairs_per_grain = 32;  // on average; so many only where grains lie in each other
// A chunk has more grains than this only where they lie in each other. The first ones part first.
constexpr std::size_t most_listed_per_chunk = 4096;
constexpr std::size_t piece = 4096;  // of grains, for one thread
// Pairs whose distance is at most this over that at which they touch may touch when others push them.
constexpr float near_share = 1.05f;

Vec3 vector_at(const AlignedVector<float>& list, std::uint32_t place) {
    const float* x = list.data() + place * floats_per_particle;
    return {x[0], x[1], x[2]};
}
float inverse_mass(const AlignedVector<float>& list, std::uint32_t place) {
    return list[place * floats_per_particle + 3];
}
void move(AlignedVector<float>& list, std::uint32_t place, const Vec3& by) {
    float* x = list.data() + place * floats_per_particle;
    x[0] += by.x, x[1] += by.y, x[2] += by.z;
}

// Of unit length; upward where two points are one.
Vec3 direction(const Vec3& d, float length) { return length > 0 ? d * (1 / length) : Vec3{0, 1, 0}; }

// No longer than `most`.
Vec3 shortened(const Vec3& a, float most) {
    const float squared = dot(a, a);
    return squared > most * most ? a * (most / sqrt(squared)) : a;
}

}  // namespace

GrainPass::GrainPass(const model::Model& model, const Plan& plan, model::State& state,
                     const Settings& settings, double substep, GrainWorkspace& workspace, Executor& executor)
    : model_(model),
      grains_(plan.grains),
      state_(state),
      workspace_(workspace),
      executor_(executor),
      // What gravity adds in two substeps is resting, not falling.
      resting_step_(static_cast<float>(2 * substep * substep * length(to_double(settings.gravity)))) {}

void GrainPass::begin_frame() {
    workspace_.is_listed = false;
    // Twelve balls can touch one.
    state_.position_based.grain_contacts.reserve(6 * grains_.size());
    workspace_.kept.reserve(6 * grains_.size());
    keep(state_.position_based.grain_contacts);
    workspace_.shifts.clear();
    const Vec3d origin = state_.origins[model_.bodies[grains_.bodies[0]].island];
    for (const BodyView& body : model_.bodies)
        workspace_.shifts.push_back(to_float(state_.origins[body.island] - origin));
}

// Sorts pushes by their first grain.
void GrainPass::keep(std::span<const model::GrainContact> contacts) {
    std::vector<std::uint32_t>& first = workspace_.kept_first;
    first.assign(grains_.size() + 1, 0);
    for (const model::GrainContact& contact : contacts) ++first[contact.a + 1];
    for (std::size_t i = 0; i < grains_.size(); ++i) first[i + 1] += first[i];
    workspace_.kept.resize(contacts.size());
    for (const model::GrainContact& contact : contacts) workspace_.kept[first[contact.a]++] = contact;
    for (std::size_t i = grains_.size(); i > 0; --i) first[i] = first[i - 1];
    first[0] = 0;
}

// f(first, end) of places.
template <class F>
void GrainPass::for_each_piece(const F& f) {
    executor_.for_each((grains_.size() + piece - 1) / piece, [&](std::size_t k) {
        f(static_cast<std::uint32_t>(k * piece),
          static_cast<std::uint32_t>(std::min(grains_.size(), (k + 1) * piece)));
    });
}

template <class F>
void GrainPass::for_each_active(bool backward, const F& f) {
    for (std::size_t k = 0; k < GrainCells::colours; ++k) {
        const std::size_t colour = backward ? GrainCells::colours - 1 - k : k;
        const std::size_t first = workspace_.cells.first_chunk(colour),
                          end = workspace_.cells.first_chunk(colour + 1);
        executor_.for_each(end - first, [&](std::size_t i) {
            std::vector<ActivePair>& pairs = workspace_.active[first + i];
            if (backward) {
                for (auto pair = pairs.rbegin(); pair != pairs.rend(); ++pair) f(*pair, first + i);
            } else {
                for (ActivePair& pair : pairs) f(pair, first + i);
            }
        });
    }
}

// Places, from the particles.
void GrainPass::gather() {
    const model::PositionBasedState& particles = state_.position_based;
    for_each_piece([&](std::uint32_t first, std::uint32_t end) {
        for (std::uint32_t place = first; place < end; ++place) {
            const std::uint32_t grain = workspace_.cells.order()[place];
            const std::size_t from = grains_.offsets[grain] / sizeof(float), to = place * floats_per_particle;
            const Vec3& shift = workspace_.shifts[grains_.bodies[grain]];
            const float shifts[4] = {shift.x, shift.y, shift.z, 0};
            for (std::size_t c = 0; c < floats_per_particle; ++c) {
                const float predicted = particles.predicted[from + c] + shifts[c];
                workspace_.x[to + c] = workspace_.before[to + c] = particles.position[from + c] + shifts[c];
                workspace_.predicted[to + c] = predicted;
                workspace_.start[to + c] = predicted - particles.displacement[from + c];
            }
        }
    });
}

void GrainPass::gather_positions() {
    const model::PositionBasedState& particles = state_.position_based;
    for_each_piece([&](std::uint32_t first, std::uint32_t end) {
        for (std::uint32_t place = first; place < end; ++place) {
            const std::uint32_t grain = workspace_.cells.order()[place];
            const std::size_t from = grains_.offsets[grain] / sizeof(float), to = place * floats_per_particle;
            const Vec3& shift = workspace_.shifts[grains_.bodies[grain]];
            const float shifts[4] = {shift.x, shift.y, shift.z, 0};
            for (std::size_t c = 0; c < floats_per_particle; ++c)
                workspace_.x[to + c] = workspace_.before[to + c] = particles.position[from + c] + shifts[c];
        }
    });
}

// By how much they were moved, to the particles.
void GrainPass::scatter() {
    model::PositionBasedState& particles = state_.position_based;
    const std::uint32_t island = model_.bodies[grains_.bodies[0]].island;
    for_each_piece([&](std::uint32_t first, std::uint32_t end) {
        for (std::uint32_t place = first; place < end; ++place) {
            const std::uint32_t grain = workspace_.cells.order()[place];
            const std::size_t to = grains_.offsets[grain] / sizeof(float), from = place * floats_per_particle;
            const bool is_shifted = model_.bodies[grains_.bodies[grain]].island != island;
            for (std::size_t c = 0; c < 3; ++c) {
                particles.position[to + c] =
                    is_shifted
                        ? particles.position[to + c] + (workspace_.x[from + c] - workspace_.before[from + c])
                        : workspace_.x[from + c];
            }
        }
    });
}

bool GrainPass::is_list_enough() {
    if (!workspace_.is_listed) return false;
    workspace_.moved.assign((grains_.size() + piece - 1) / piece, {});
    for_each_piece([&](std::uint32_t first, std::uint32_t end) {
        Vec3 low = vector_at(workspace_.x, first) - workspace_.listed[first], high = low;
        for (std::uint32_t place = first; place < end; ++place) {
            const Vec3 moved = vector_at(workspace_.x, place) - workspace_.listed[place];
            low = componentwise_min(low, moved);
            high = componentwise_max(high, moved);
        }
        workspace_.moved[first / piece] = {low, high};
    });
    Bounds3 all = workspace_.moved[0];
    for (const Bounds3& moved : workspace_.moved) {
        all.low = componentwise_min(all.low, moved.low);
        all.high = componentwise_max(all.high, moved.high);
    }
    const Vec3 spread = all.high - all.low;
    return sqrt(dot(spread, spread)) <= 2 * static_cast<float>(margin) * grains_.largest_radius;
}

void GrainPass::list() {
    const model::PositionBasedState& particles = state_.position_based;
    const double touching = 2 * double(grains_.largest_radius), within = touching * (1 + margin);
    workspace_.points.resize(grains_.size());
    for (std::size_t i = 0; i < grains_.size(); ++i) {
        const float* x = particles.position.data() + grains_.offsets[i] / sizeof(float);
        workspace_.points[i] = Vec3{x[0], x[1], x[2]} + workspace_.shifts[grains_.bodies[i]];
    }
    // A little more, so that rounding of cells loses no pair.
    workspace_.cells.sort(workspace_.points, within * (1 + 1e-5), executor_);
    const std::span<const std::uint32_t> order = workspace_.cells.order();
    if (workspace_.pairs.empty()) {
        workspace_.pairs.resize(GrainCells::most_chunks(grains_.size()));
        for (std::vector<GrainPair>& pairs : workspace_.pairs)
            pairs.reserve(8 * std::min(grains_.size(), 2 * GrainCells::points_per_chunk));
        workspace_.active.resize(workspace_.pairs.size());
        for (std::vector<ActivePair>& active : workspace_.active)
            active.reserve(6 * std::min(grains_.size(), 2 * GrainCells::points_per_chunk));
    }
    for (auto* list : {&workspace_.x, &workspace_.start, &workspace_.predicted, &workspace_.before})
        list->resize(grains_.size() * floats_per_particle);
    executor_.for_each(workspace_.cells.chunks(), [&](std::size_t chunk) {
        std::vector<GrainPair>& pairs = workspace_.pairs[chunk];
        pairs.clear();
        const std::size_t most =
            most_pairs_per_grain * std::min(workspace_.cells.points_in(chunk), most_listed_per_chunk);
        workspace_.cells.list(chunk, static_cast<float>(within), [&](std::uint32_t a, std::uint32_t b) {
            if (pairs.size() >= most) return;
            if (order[a] > order[b]) std::swap(a, b);
            const std::uint32_t first = order[a], second = order[b];
            const std::uint32_t body_a = grains_.bodies[first], body_b = grains_.bodies[second];
            const model::BodyContact &of_a = model_.contacts[body_a], &of_b = model_.contacts[body_b];
            if (!model::may_touch(of_a, of_b, body_a == body_b)) return;
            GrainPair pair{a,
                           b,
                           grains_.radii[first] + grains_.radii[second],
                           sqrt(of_a.friction * of_b.friction),
                           max(of_a.restitution, of_b.restitution),
                           {}};
            for (std::uint32_t k = workspace_.kept_first[first]; k < workspace_.kept_first[first + 1]; ++k) {
                if (workspace_.kept[k].b == second) pair.push = workspace_.kept[k].push;
            }
            pairs.push_back(pair);
        });
    });
    workspace_.is_listed = true;
}

void GrainPass::begin() {
    if (workspace_.is_listed) gather();
    if (!is_list_enough()) {
        if (workspace_.is_listed) {
            end_frame();
            keep(state_.position_based.grain_contacts);
        }
        list();
        gather();
        workspace_.listed.resize(grains_.size());
        for (std::uint32_t place = 0; place < grains_.size(); ++place)
            workspace_.listed[place] = vector_at(workspace_.x, place);
    }
    activate();
    for_each_active(false, [&](const ActivePair& pair, std::size_t) {
        if (pair.push == Vec3{}) return;
        move(workspace_.x, pair.a, pair.push * inverse_mass(workspace_.x, pair.a));
        move(workspace_.x, pair.b, -pair.push * inverse_mass(workspace_.x, pair.b));
    });
    scatter();
}

// What pushed in the last substep goes on, along the line between both as it is now.
void GrainPass::activate() {
    const AlignedVector<float>& x = workspace_.x;
    executor_.for_each(workspace_.cells.chunks(), [&](std::size_t chunk) {
        std::vector<ActivePair>& active = workspace_.active[chunk];
        std::vector<GrainPair>& pairs = workspace_.pairs[chunk];
        active.clear();
        for (std::uint32_t i = 0; i < pairs.size(); ++i) {
            GrainPair& pair = pairs[i];
            const Vec3 d = vector_at(x, pair.a) - vector_at(x, pair.b);
            const float squared = dot(d, d), near = near_share * pair.distance;
            if (squared > near * near) {
                pair.push = {};
                continue;
            }
            const float masses = inverse_mass(x, pair.a) + inverse_mass(x, pair.b);
            if (!(masses > 0)) continue;
            if (!(pair.push == Vec3{})) {
                const float apart = sqrt(squared);
                const Vec3 n = direction(d, apart);
                const float normal = dot(pair.push, n);
                pair.push = normal > 0 && apart <= (1 + most_opening) * pair.distance
                                ? n * normal + shortened(pair.push - n * normal, pair.friction * normal)
                                : Vec3{};
            }
            const Vec3 began = vector_at(workspace_.start, pair.a) - vector_at(workspace_.start, pair.b);
            active.push_back({pair.a, pair.b, i, min(pair.distance, sqrt(dot(began, began))), 1 / masses,
                              pair.friction, pair.restitution, pair.push});
        }
    });
}

void GrainPass::sweep(bool backward) {
    AlignedVector<float>& x = workspace_.x;
    for_each_active(backward, [&](ActivePair& pair, std::size_t) {
        const Vec3 d = vector_at(x, pair.a) - vector_at(x, pair.b);
        const bool pushed = !(pair.push == Vec3{});
        const float squared = dot(d, d);
        if (!pushed && squared > pair.target * pair.target) return;
        const Vec3 began = vector_at(workspace_.start, pair.a) - vector_at(workspace_.start, pair.b);
        const float apart = sqrt(squared);
        const Vec3 n = direction(d, apart);
        float depth = pair.target - apart;
        const Vec3 q = d - began;
        const float along = dot(q, n);
        if (pair.restitution > 0) {
            const Vec3 u =
                vector_at(workspace_.predicted, pair.a) - vector_at(workspace_.predicted, pair.b) - began;
            const float approach = dot(u, n), back = -(pair.restitution * approach) - along;
            if ((depth > 0 || pushed) && approach < -resting_step_) depth = max(depth, back);
        }
        const float before = dot(pair.push, n);
        const float normal = max(before + depth * pair.per_mass, 0.0f);
        const Vec3 tangent = pair.push - n * before - (q - n * along) * pair.per_mass;
        const Vec3 push = n * normal + shortened(tangent, pair.friction * normal);
        const Vec3 change = push - pair.push;
        pair.push = push;
        move(x, pair.a, change * inverse_mass(x, pair.a));
        move(x, pair.b, -change * inverse_mass(x, pair.b));
    });
}

void GrainPass::solve(std::vector<std::uint8_t>& touched) {
    gather_positions();
    for (int i = 0; i < sweeps; ++i) sweep(i % 2 == 1);
    scatter();
    open();
    mark_touched(touched);
}

void GrainPass::mark_touched(std::vector<std::uint8_t>& touched) const {
    if (model_.islands.size() <= 1) return;
    const auto island_of = [&](std::uint32_t place) {
        return model_.bodies[grains_.bodies[workspace_.cells.order()[place]]].island;
    };
    for (std::size_t chunk = 0; chunk < workspace_.cells.chunks(); ++chunk) {
        for (const ActivePair& pair : workspace_.active[chunk]) {
            if (pair.push == Vec3{} || island_of(pair.a) == island_of(pair.b)) continue;
            touched[island_of(pair.a)] = touched[island_of(pair.b)] = 1;
        }
    }
}

// Moves x and x* alike. Pushes go back to the list.
void GrainPass::open() {
    AlignedVector<float>& x = workspace_.x;
    for_each_piece([&](std::uint32_t first, std::uint32_t end) {
        std::copy(x.begin() + first * floats_per_particle, x.begin() + end * floats_per_particle,
                  workspace_.before.begin() + first * floats_per_particle);
    });
    for_each_active(false, [&](const ActivePair& active, std::size_t chunk) {
        GrainPair& pair = workspace_.pairs[chunk][active.pair];
        pair.push = active.push;
        const Vec3 d = vector_at(x, pair.a) - vector_at(x, pair.b);
        const float squared = dot(d, d);
        if (squared > pair.distance * pair.distance) return;
        const float apart = sqrt(squared);
        const float opening = min(opening_share * (pair.distance - apart), most_opening * pair.distance);
        const Vec3 by = direction(d, apart) * (opening * active.per_mass);
        move(x, pair.a, by * inverse_mass(x, pair.a));
        move(x, pair.b, -by * inverse_mass(x, pair.b));
    });
    model::PositionBasedState& particles = state_.position_based;
    for_each_piece([&](std::uint32_t first, std::uint32_t end) {
        for (std::uint32_t place = first; place < end; ++place) {
            const std::size_t to = grains_.offsets[workspace_.cells.order()[place]] / sizeof(float);
            for (std::size_t c = 0; c < 3; ++c) {
                const std::size_t from = place * floats_per_particle + c;
                const float opened = x[from] - workspace_.before[from];
                particles.position[to + c] += opened;
                particles.predicted[to + c] += opened;
            }
        }
    });
}

void GrainPass::end_frame() {
    std::vector<model::GrainContact>& contacts = state_.position_based.grain_contacts;
    contacts.clear();
    const std::span<const std::uint32_t> order = workspace_.cells.order();
    for (std::size_t chunk = 0; chunk < workspace_.cells.chunks(); ++chunk) {
        for (const GrainPair& pair : workspace_.pairs[chunk]) {
            if (!(pair.push == Vec3{})) contacts.push_back({order[pair.a], order[pair.b], pair.push});
        }
    }
}

}  // namespace pliant::solvers::position_based
