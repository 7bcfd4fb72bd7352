#include "solvers/recovery.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <span>
#include <type_traits>
#include <utility>

#include "base/scalar.h"
#include "collision/local_colliders.h"

namespace pliant {
namespace {

using Corners = std::array<std::uint32_t, 4>;  // places

Vec3d vector_at(const AlignedVector<float>& array, std::uint32_t place) {
    const float* p = array.data() + place * floats_per_particle;
    return {p[0], p[1], p[2]};
}

void set_vector(AlignedVector<float>& array, std::uint32_t place, const Vec3d& v) {
    float* p = array.data() + place * floats_per_particle;
    p[0] = static_cast<float>(v.x);
    p[1] = static_cast<float>(v.y);
    p[2] = static_cast<float>(v.z);
}

template <class T>
T volume_of(const State& state, const Corners& corners) {
    Vector3<T> x[4];
    for (std::size_t k = 0; k < 4; ++k) {
        const float* p = state.position.data() + corners[k] * floats_per_particle;
        x[k] = {T(p[0]), T(p[1]), T(p[2])};
    }
    const T nothing = 0;
    return kinds::Volume::evaluate<T>(x, &nothing).value;
}

// Calls f(place, inverse mass) for every particle that is not held.
template <class F>
void for_each_free(const Group& group, const State& state, F&& f) {
    for (std::uint32_t i = group.first; i < group.first + group.count; ++i) {
        const double w = state.position[i * floats_per_particle + 3];
        if (w > 0) f(i, w);
    }
}

// Weighted by mass.
Vec3d mean_displacement(const Group& group, const State& state) {
    double mass = 0;
    Vec3d momentum{};
    for_each_free(group, state, [&](std::uint32_t i, double w) {
        mass += 1 / w;
        momentum = momentum + vector_at(state.displacement, i) * (1 / w);
    });
    return mass > 0 ? momentum * (1 / mass) : momentum;
}

// Calls f(corners, rest volume) for every tetrahedron of a work item.
template <class F>
void for_each_tetrahedron(const Model& model, std::size_t item, F&& f) {
    AllVisits::for_each([&]<class Visit>() {
        if constexpr (Visit::template has<kinds::Volume>) {
            const Batch<Visit>& batch = std::get<Batch<Visit>>(model.batches);
            for (std::size_t r = batch.item_runs[item]; r < batch.item_runs[item + 1]; ++r) {
                batch.for_each_constraint(
                    batch.runs[r],
                    [&]<class Kind>(const auto& places, const auto& parameters, std::uint32_t) {
                        if constexpr (std::is_same_v<Kind, kinds::Volume>) f(places, parameters[0]);
                    });
            }
        }
    });
}

std::size_t items_of(const Model& model) { return 2 * std::size_t(model.slabs); }

struct Look {
    std::vector<Corners> inverted;
    std::vector<std::uint32_t> flat;  // the groups of tetrahedra that are nearly flat
};

// Nearly flat is less than this share of the rest volume. With less than the second share of nearly flat
// tetrahedra a group is mended.
constexpr float flat_share = 0.25f;
constexpr double mended_share = 1.0 / 256;
constexpr std::uint8_t frames_unrestrained = frames_of_recovery - frames_of_restraint;
// Creases are still left in a body that is mended: 16 more frames.
constexpr std::uint8_t last_frames_of_restraint = frames_unrestrained + 16;
// Each time, one more ring around a stuck tetrahedron is laid out anew. Then it is left alone for a while.
constexpr int most_rings = 5, looks_between_tries = 8;

Look look_at_item(const Model& model, const State& state, std::size_t item) {
    Look look;
    for_each_tetrahedron(model, item, [&](const Corners& corners, float rest_volume) {
        if (volume_of<float>(state, corners) >= flat_share * rest_volume) return;
        look.flat.push_back(model.group_of(corners[0]));
        if (volume_of<double>(state, corners) <= 0) look.inverted.push_back(corners);
    });
    return look;
}

// Both lists ascending.
Look look_at_all(const Model& model, const State& state, Executor& executor) {
    std::vector<Look> looks(items_of(model));
    executor.for_each(looks.size(),
                      [&](std::size_t item) { looks[item] = look_at_item(model, state, item); });
    Look all;
    for (const Look& look : looks) {
        all.inverted.insert(all.inverted.end(), look.inverted.begin(), look.inverted.end());
        all.flat.insert(all.flat.end(), look.flat.begin(), look.flat.end());
    }
    std::sort(all.inverted.begin(), all.inverted.end());
    std::sort(all.flat.begin(), all.flat.end());
    return all;
}

bool has_flat(const Look& look, const Model& model, std::size_t group, double share) {
    const auto [first, end] = std::equal_range(look.flat.begin(), look.flat.end(), group);
    return double(end - first) > share * model.groups[group].tetrahedra;
}

// A rotation as a unit quaternion (v, w).
struct Turn {
    Vec3d v{};
    double w = 1;

    Vec3d operator()(const Vec3d& x) const { return x + cross(v, cross(v, x) + x * w) * 2.0; }
};

// The rotation R next to A, that is, with the largest trace of RᵀA (Müller, Bender, Chentanez, Macklin 2016).
// It is a rotation also where A is flat or mirrored. columns: of A.
Turn nearest_rotation(const Vec3d (&columns)[3]) {
    constexpr Vec3d axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    Turn q;
    for (int iteration = 0; iteration < 100; ++iteration) {
        Vec3d torque{};
        double along = 0;
        for (std::size_t k = 0; k < 3; ++k) {
            const Vec3d r = q(axes[k]);
            torque = torque + cross(r, columns[k]);
            along += dot(r, columns[k]);
        }
        if (!(abs(along) > 0)) break;
        // Half the angle, for small ones; normalized, it is a rotation whatever its size.
        const Vec3d half = torque * (0.5 / abs(along));
        if (!(dot(half, half) > 1e-18)) break;
        const Turn next{half * q.w + q.v + cross(half, q.v), q.w - dot(half, q.v)};
        const double scale = 1 / sqrt(dot(next.v, next.v) + next.w * next.w);
        q = {next.v * scale, next.w * scale};
    }
    return q;
}

// Stuck tetrahedra and what is around them.
class Tangle {
public:
    Tangle(const Model& model, State& state, const std::vector<Inverted>& stuck)
        : model_(model), state_(state), ring_(model.places(), outside), root_(model.places()) {
        std::iota(root_.begin(), root_.end(), 0u);
        int first = 0;
        for (const Inverted& tetrahedron : stuck) {
            const int ring = 1 - tetrahedron.looks;
            first = std::min(first, ring);
            for (const std::uint32_t c : tetrahedron.corners)
                ring_[c] = std::min(ring_[c], static_cast<std::int8_t>(ring));
        }
        for (int ring = first; ring < surroundings; ++ring) grow(ring);
        for (std::uint32_t i = 0; i < ring_.size(); ++i) {
            if (ring_[i] != outside) members_.push_back({find(i), i});
        }
        std::sort(members_.begin(), members_.end());
        for (auto& [root, corners] : touched_) root = find(corners[0]);
        sort_and_unite(touched_);
        sort_and_unite(neighbours_);
    }

    // Piece by piece. Where that leaves no fewer inside out, the surroundings are no help: back again.
    void lay_out() {
        const AlignedVector<float> position = state_.position, displacement = state_.displacement;
        for (auto first = members_.begin(); first != members_.end();) {
            const auto end =
                std::find_if(first, members_.end(), [&](const auto& m) { return m.first != first->first; });
            const std::span<const Member> piece(&*first, static_cast<std::size_t>(end - first));
            const std::size_t before = count_inverted(first->first);
            lay_out(piece);
            if (count_inverted(first->first) >= before) {
                for (const auto& [root, i] : piece) {
                    set_vector(state_.position, i, vector_at(position, i));
                    set_vector(state_.displacement, i, vector_at(displacement, i));
                }
            }
            first = end;
        }
    }

private:
    using Member = std::pair<std::uint32_t, std::uint32_t>;  // piece, place
    static constexpr int surroundings = 2;                   // rings
    static constexpr std::int8_t outside = 127;
    static constexpr int sweeps = 20;

    template <class T>
    static void sort_and_unite(std::vector<T>& list) {
        std::sort(list.begin(), list.end());
        list.erase(std::unique(list.begin(), list.end()), list.end());
    }

    // From the places of a ring to the next one.
    void grow(int ring) {
        const auto next = static_cast<std::int8_t>(ring + 1);
        for (std::size_t item = 0; item < items_of(model_); ++item) {
            for_each_tetrahedron(model_, item, [&](const Corners& corners, float) {
                const auto is_in = [&](std::uint32_t c) { return ring_[c] == ring; };
                if (std::none_of(corners.begin(), corners.end(), is_in)) return;
                if (ring <= 0) touched_.push_back({0, corners});
                for (const std::uint32_t c : corners) {
                    ring_[c] = std::min(ring_[c], next);
                    root_[find(c)] = find(corners[0]);
                    for (const std::uint32_t other : corners) {
                        if (ring_[c] <= 0 && other != c) neighbours_.push_back({c, other});
                    }
                }
            });
        }
    }
    std::uint32_t find(std::uint32_t i) {
        while (root_[i] != i) i = root_[i] = root_[root_[i]];
        return i;
    }

    std::size_t count_inverted(std::uint32_t root) const {
        const auto first = std::lower_bound(touched_.begin(), touched_.end(), std::pair{root, Corners{}});
        const auto end = std::lower_bound(first, touched_.end(), std::pair{root + 1, Corners{}});
        return static_cast<std::size_t>(std::count_if(
            first, end, [&](const auto& t) { return volume_of<double>(state_, t.second) <= 0; }));
    }

    double inverse_mass(std::uint32_t place) const {
        return state_.position[place * floats_per_particle + 3];
    }
    bool is_moved(std::uint32_t place) const { return ring_[place] <= 0 && inverse_mass(place) > 0; }
    // The surroundings say how the piece is turned; without any, its own corners do.
    double weight(std::uint32_t place) const { return is_moved(place) ? 1e-3 : 1; }
    Vec3d rest(std::uint32_t place) const {
        const Vec3& r = model_.rest[place];
        return {r.x, r.y, r.z};
    }

    void lay_out(std::span<const Member> piece) {
        double sum = 0;
        Vec3d x{}, q{};
        for (const auto& [root, i] : piece) {
            sum += weight(i);
            x = x + vector_at(state_.position, i) * weight(i);
            q = q + rest(i) * weight(i);
        }
        x = x * (1 / sum);
        q = q * (1 / sum);
        Vec3d columns[3] = {};
        for (const auto& [root, i] : piece) {
            const Vec3d dx = (vector_at(state_.position, i) - x) * weight(i), dq = rest(i) - q;
            columns[0] = columns[0] + dx * dq.x;
            columns[1] = columns[1] + dx * dq.y;
            columns[2] = columns[2] + dx * dq.z;
        }
        const Turn turn = nearest_rotation(columns);
        const std::uint32_t group = model_.group_of(piece.front().second);
        const collision::LocalColliders colliders(state_.colliders, state_.colliders, state_.origins[group]);
        for (const auto& [root, i] : piece) {
            if (is_moved(i)) set_vector(state_.position, i, x + turn(rest(i) - q));
        }
        for (int sweep = 0; sweep < sweeps; ++sweep) settle(piece, turn, colliders.set());
        stop_inner_motion(piece);
    }

    // Every corner to the mean of where its neighbours expect it, but out of colliders.
    void settle(std::span<const Member> piece, const Turn& turn, const collision::ColliderSet& colliders) {
        for (const auto& [root, i] : piece) {
            if (!is_moved(i)) continue;
            Vec3d sum{};
            double count = 0;
            for (auto n = std::lower_bound(neighbours_.begin(), neighbours_.end(), Member{i, 0});
                 n != neighbours_.end() && n->first == i; ++n) {
                sum = sum + vector_at(state_.position, n->second) + turn(rest(i) - rest(n->second));
                ++count;
            }
            set_vector(state_.position, i,
                       collision::pushed_out(colliders, sum * (1 / count), model_.radii[i]));
        }
    }

    void stop_inner_motion(std::span<const Member> piece) {
        double mass = 0;
        Vec3d momentum{};
        for (const auto& [root, i] : piece) {
            if (!is_moved(i)) continue;
            mass += 1 / inverse_mass(i);
            momentum = momentum + vector_at(state_.displacement, i) * (1 / inverse_mass(i));
        }
        for (const auto& [root, i] : piece) {
            if (is_moved(i)) set_vector(state_.displacement, i, momentum * (1 / mass));
        }
    }

    const Model& model_;
    State& state_;
    std::vector<std::int8_t> ring_;    // by place: up to 0 what is laid out anew, above it what is around it
    std::vector<std::uint32_t> root_;  // union of what is in one piece
    std::vector<Member> members_;      // ascending
    std::vector<Member> neighbours_;   // of each place that is laid out anew, ascending
    std::vector<std::pair<std::uint32_t, Corners>> touched_;  // tetrahedra at such places, piece by piece
};

// Those that were inside out at the last look too, where there are tries left.
std::vector<Inverted> find_stuck(const Model& model, const std::vector<Corners>& inverted, State& state) {
    std::vector<Inverted> now, stuck;
    for (const Corners& corners : inverted) {
        const std::uint32_t group = model.group_of(corners[0]);
        if (state.crushed[group] > 0) continue;
        const auto last = std::lower_bound(state.inverted.begin(), state.inverted.end(), corners,
                                           [](const Inverted& a, const Corners& b) { return a.corners < b; });
        const bool again = last != state.inverted.end() && last->corners == corners;
        now.push_back({corners, again ? (last->looks + 1) % looks_between_tries : 0});
        const int looks = now.back().looks;
        if (looks > 0 && looks <= most_rings && state.tries[group] > 0) stuck.push_back(now.back());
    }
    state.inverted = std::move(now);
    return stuck;
}

// One for each group.
void take_tries(const Model& model, const std::vector<Inverted>& stuck, State& state) {
    std::vector<bool> tried(state.tries.size(), false);
    for (const Inverted& tetrahedron : stuck) tried[model.group_of(tetrahedron.corners[0])] = true;
    for (std::size_t g = 0; g < tried.size(); ++g) state.tries[g] -= tried[g];
}

}  // namespace

void crush(const Model& model, State& state, std::uint32_t group) {
    if (model.groups[group].tetrahedra == 0) return;
    state.crushed[group] = frames_of_recovery;
    state.tries[group] = most_tries;
}

void recover(const Model& model, State& state, Executor& executor) {
    if (state.frame % frames_for_a_try == 0) {
        for (std::uint8_t& tries : state.tries) tries = std::max<std::uint8_t>(tries, 1);
    }
    const Look look = look_at_all(model, state, executor);
    const std::vector<Inverted> stuck = find_stuck(model, look.inverted, state);
    if (stuck.empty()) return;
    take_tries(model, stuck, state);
    Tangle(model, state, stuck).lay_out();
}

void look_at_crushed(const Model& model, State& state, Executor& executor) {
    const auto is_crushed = [](std::uint8_t frames) { return frames > 0; };
    if (std::none_of(state.crushed.begin(), state.crushed.end(), is_crushed)) return;
    const Look look = look_at_all(model, state, executor);
    for (std::size_t g = 0; g < state.crushed.size(); ++g) {
        std::uint8_t& frames = state.crushed[g];
        if (frames > 0) --frames;
        if (has_flat(look, model, g, mended_share)) continue;
        frames = frames > frames_unrestrained ? std::min(frames, last_frames_of_restraint) : 0;
    }
}

Restraint::Restraint(const Model& model, State& state) : state_(state) {
    for (std::size_t g = 0; g < model.groups.size(); ++g) {
        if (state.crushed[g] > frames_unrestrained)
            groups_.push_back({&model.groups[g], mean_displacement(model.groups[g], state)});
    }
}

void Restraint::apply(const Vec3d& fall) {
    for (Crushed& crushed : groups_) {
        const Vec3d now = mean_displacement(*crushed.group, state_), fallen = crushed.u + fall;
        const double most = dot(fallen, fallen), speed = dot(now, now);
        crushed.u = speed > most ? now * sqrt(most / speed) : now;
        for_each_free(*crushed.group, state_,
                      [&](std::uint32_t i, double) { set_vector(state_.displacement, i, crushed.u); });
    }
}

}  // namespace pliant
