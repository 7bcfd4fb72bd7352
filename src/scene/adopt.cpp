// Taking over from another description what may change while a simulation runs.
#include "scene/capabilities.h"
#include "scene/runtime.h"
#include "scene/validate.h"

namespace pliant {
namespace {

bool operator==(const model::MaterialValues& a, const model::MaterialValues& b) {
    return a.elasticity == b.elasticity && a.constants == b.constants;
}

bool same_surface(const Collider& a, const Collider& b) {
    return a.friction == b.friction && a.restitution == b.restitution &&
           a.surface_velocity == b.surface_velocity;
}

void take_surface(const Collider& from, Collider& to) {
    to.friction = from.friction;
    to.restitution = from.restitution;
    to.surface_velocity = from.surface_velocity;
}

}  // namespace

Result<bool> Simulation::adopt(const Description& description) {
    const StandardFloatingPoint floating_point;
    Implementation& s = *implementation_;
    if (auto error = validate(description)) return *error;
    const Result<model::Model> other = assemble_model(description);
    if (!other) return other.error();
    if (model::fingerprint(*other) != s.scene || description.colliders.size() != s.colliders.size())
        return false;
    bool differs = false;
    for (std::size_t i = 0; i < s.materials.size(); ++i) {
        const model::MaterialValues& values = other->parts[i].at_start;
        if (values == s.described[i]) continue;
        s.described[i] = s.materials[i] = values;
        differs = true;
    }
    for (std::size_t i = 0; i < s.colliders.size(); ++i) {
        const Collider& collider = description.colliders[i];
        if (same_surface(collider, s.colliders[i])) continue;
        for (Collider* one : {&s.colliders[i], &s.state.colliders[i], &s.initial.colliders[i]})
            take_surface(collider, *one);
        differs = true;
    }
    return differs;
}

}  // namespace pliant
