#include "solvers/untangler.h"

#include <algorithm>

#include "base/geometry/tetrahedron.h"
#include "solvers/nearest_rotation.h"

namespace pliant::solvers {
namespace {

Vec3d vector_at(const AlignedVector<float>& array, std::uint32_t slot) {
    const float* p = array.data() + slot * floats_per_particle;
    return {p[0], p[1], p[2]};
}

void set_vector(AlignedVector<float>& array, std::uint32_t slot, const Vec3d& v) {
    float* p = array.data() + slot * floats_per_particle;
    p[0] = static_cast<float>(v.x);
    p[1] = static_cast<float>(v.y);
    p[2] = static_cast<float>(v.z);
}

template <class T>
void sort_and_unite(std::vector<T>& list) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
}

}  // namespace

double volume_of(const AlignedVector<float>& position, const Corners& corners) {
    return tetrahedron_volume(vector_at(position, corners[0]), vector_at(position, corners[1]),
                              vector_at(position, corners[2]), vector_at(position, corners[3]));
}

Untangler::Untangler(const model::Model& model, const position_based::Plan& plan, model::State& state,
                     const std::vector<Stuck>& stuck)
    : model_(model),
      plan_(plan),
      state_(state),
      position_(state.position_based.position),
      displacement_(state.position_based.displacement),
      ring_(plan.slots(), outside),
      components_(plan.slots()) {
    int first = 0;
    for (const Stuck& tetrahedron : stuck) {
        const int ring = 1 - tetrahedron.rings;
        first = std::min(first, ring);
        for (const std::uint32_t c : tetrahedron.corners)
            ring_[c] = std::min(ring_[c], static_cast<std::int8_t>(ring));
    }
    for (int ring = first; ring < surroundings; ++ring) grow(ring);
    for (std::uint32_t i = 0; i < ring_.size(); ++i) {
        if (ring_[i] != outside) members_.push_back({components_.find(i), i});
    }
    std::sort(members_.begin(), members_.end());
    for (auto& [root, corners] : touched_) root = components_.find(corners[0]);
    sort_and_unite(touched_);
    sort_and_unite(neighbours_);
}

void Untangler::rebuild() {
    const AlignedVector<float> position = position_, displacement = displacement_;
    for (auto first = members_.begin(); first != members_.end();) {
        const auto end =
            std::find_if(first, members_.end(), [&](const auto& m) { return m.first != first->first; });
        const std::span<const Member> component(&*first, static_cast<std::size_t>(end - first));
        const std::size_t before = count_inverted(first->first);
        rebuild(component);
        if (count_inverted(first->first) >= before) {
            for (const auto& [root, slot] : component) {
                set_vector(position_, slot, vector_at(position, slot));
                set_vector(displacement_, slot, vector_at(displacement, slot));
            }
        }
        first = end;
    }
}

// From the slots of a ring to the next one.
void Untangler::grow(int ring) {
    const auto next = static_cast<std::int8_t>(ring + 1);
    for (const Tetrahedron& t : model_.tetrahedra) {
        Corners corners;
        for (std::size_t k = 0; k < 4; ++k) corners[k] = plan_.slot_of[t[k]];
        const auto is_in = [&](std::uint32_t c) { return ring_[c] == ring; };
        if (std::none_of(corners.begin(), corners.end(), is_in)) continue;
        if (ring <= 0) touched_.push_back({0, corners});
        for (const std::uint32_t c : corners) {
            ring_[c] = std::min(ring_[c], next);
            components_.join(c, corners[0]);
            for (const std::uint32_t other : corners) {
                if (ring_[c] <= 0 && other != c) neighbours_.push_back({c, other});
            }
        }
    }
}

std::size_t Untangler::count_inverted(std::uint32_t root) const {
    const auto first = std::lower_bound(touched_.begin(), touched_.end(), std::pair{root, Corners{}});
    const auto end = std::lower_bound(first, touched_.end(), std::pair{root + 1, Corners{}});
    return static_cast<std::size_t>(
        std::count_if(first, end, [&](const auto& t) { return volume_of(position_, t.second) <= 0; }));
}

double Untangler::inverse_mass(std::uint32_t slot) const { return position_[slot * floats_per_particle + 3]; }
bool Untangler::is_moved(std::uint32_t slot) const { return ring_[slot] <= 0 && inverse_mass(slot) > 0; }

// The surroundings say how the component is turned; without any, its own corners do.
double Untangler::weight(std::uint32_t slot) const { return is_moved(slot) ? 1e-3 : 1; }

Vec3d Untangler::rest(std::uint32_t slot) const {
    const Vec3& r = model_.rest_positions[plan_.particle_at[slot]];
    return {r.x, r.y, r.z};
}

void Untangler::rebuild(std::span<const Member> component) {
    double sum = 0;
    Vec3d x{}, q{};
    for (const auto& [root, i] : component) {
        sum += weight(i);
        x = x + vector_at(position_, i) * weight(i);
        q = q + rest(i) * weight(i);
    }
    x = x * (1 / sum);
    q = q * (1 / sum);
    Vec3d columns[3] = {};
    for (const auto& [root, i] : component) {
        const Vec3d dx = (vector_at(position_, i) - x) * weight(i), dq = rest(i) - q;
        columns[0] = columns[0] + dx * dq.x;
        columns[1] = columns[1] + dx * dq.y;
        columns[2] = columns[2] + dx * dq.z;
    }
    const UnitQuaternion turn = nearest_rotation(columns);
    const std::uint32_t island = model_.island_of[plan_.particle_at[component.front().second]];
    collision::LocalColliders colliders;
    colliders.place(state_.colliders, state_.colliders, state_.origins[island]);
    for (const auto& [root, i] : component) {
        if (is_moved(i)) set_vector(position_, i, x + rotate(turn, rest(i) - q));
    }
    for (int sweep = 0; sweep < sweeps; ++sweep) relax(component, turn, colliders);
    stop_inner_motion(component);
}

// Every corner to the mean of where its neighbours expect it, but out of colliders.
void Untangler::relax(std::span<const Member> component, const UnitQuaternion& turn,
                      const collision::LocalColliders& colliders) {
    for (const auto& [root, i] : component) {
        if (!is_moved(i)) continue;
        Vec3d sum{};
        double count = 0;
        for (auto n = std::lower_bound(neighbours_.begin(), neighbours_.end(), Member{i, 0});
             n != neighbours_.end() && n->first == i; ++n) {
            sum = sum + vector_at(position_, n->second) + rotate(turn, rest(i) - rest(n->second));
            ++count;
        }
        set_vector(position_, i, collision::pushed_out(colliders.set(), sum * (1 / count), plan_.radii[i]));
    }
}

void Untangler::stop_inner_motion(std::span<const Member> component) {
    double mass = 0;
    Vec3d momentum{};
    for (const auto& [root, i] : component) {
        if (!is_moved(i)) continue;
        mass += 1 / inverse_mass(i);
        momentum = momentum + vector_at(displacement_, i) * (1 / inverse_mass(i));
    }
    for (const auto& [root, i] : component) {
        if (is_moved(i)) set_vector(displacement_, i, momentum * (1 / mass));
    }
}

}  // namespace pliant::solvers
