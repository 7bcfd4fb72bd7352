#include "scene/runtime.h"

#include <algorithm>

#include "base/format.h"
#include "solvers/write_view.h"

namespace pliant {
namespace {

std::vector<std::optional<SoftMaterial>> soft_materials_of(const Description& description) {
    std::vector<std::optional<SoftMaterial>> materials;
    for (const Body& body : description.bodies) {
        const auto* soft = std::get_if<SoftBody>(&body.shape);
        materials.push_back(soft ? std::optional(soft->material) : std::nullopt);
    }
    return materials;
}

}  // namespace

Simulation::Implementation::Implementation(Assembly&& assembly, ViewData&& shown,
                                           const Description& description,
                                           const solvers::position_based::Kernels& chosen, Executor&& team,
                                           const std::atomic<bool>* interrupted)
    : model(std::move(assembly.model)),
      scene(model::fingerprint(model)),
      view_data(std::move(shown)),
      soft_materials(soft_materials_of(description)),
      current_plan(std::make_shared<const PlanFor>(PlanFor{model.is_dynamic, std::move(assembly.plan)})),
      first_plan(current_plan),
      state(std::move(assembly.state)),
      settings(description.settings),
      colliders(description.colliders),
      kernels(chosen),
      executor(std::move(team)),
      interrupt(interrupted) {
    for (const model::MaterialPart& part : model.parts) materials.push_back(part.at_start);
    described = materials;
    prepare_air();
    write_view();
    initial = state;
}

void Simulation::Implementation::prepare_air() {
    if (settings.air_density > 0 && workspace.vertex_triangles.first.empty())
        workspace.vertex_triangles = solvers::make_vertex_triangles(model);
}

void Simulation::Implementation::write_view() { solvers::write_view(model, plan(), state, context()); }

void Simulation::Implementation::show_velocity(std::uint32_t particle) {
    const float* u = displacement(particle);
    const float per_second = 1 / state.position_based.substep;
    state.visible_velocities[particle] = {u[0] * per_second, u[1] * per_second, u[2] * per_second};
}

Simulation::Implementation::FoundBody Simulation::Implementation::find_body(std::string_view name) const {
    std::string known;
    for (const BodyView& body : model.bodies) {
        if (body.name == name) return {&body, {}};
        known += fmt::format("{}\"{}\"", known.empty() ? "" : ", ", body.name);
    }
    return {nullptr, Error{"body", fmt::format("must be one of {}, got \"{}\"", known, name)}};
}

Status Simulation::Implementation::check_particle(std::uint32_t particle) const {
    if (particle < model.visible) return {};
    return Error{"particle", fmt::format("must be an index below {}, got {}", model.visible, particle)};
}

Status Simulation::Implementation::check_attachment(std::uint32_t attachment) const {
    if (attachment < model.anchors.size()) return {};
    return Error{"attachment",
                 fmt::format("must be an index below {}, got {}", model.anchors.size(), attachment)};
}

float* Simulation::Implementation::position(std::uint32_t particle) {
    return state.position_based.position.data() + plan().slot_of[particle] * floats_per_particle;
}
float* Simulation::Implementation::displacement(std::uint32_t particle) {
    return state.position_based.displacement.data() + plan().slot_of[particle] * floats_per_particle;
}

Vec3d Simulation::Implementation::world_position(std::uint32_t particle) const {
    const float* x = state.position_based.position.data() + plan().slot_of[particle] * floats_per_particle;
    return Vec3d{x[0], x[1], x[2]} + state.origins[island_of(particle)];
}

void Simulation::Implementation::set_velocity(std::uint32_t particle, Vec3 velocity) {
    float* u = displacement(particle);
    u[0] = velocity.x * state.position_based.substep;
    u[1] = velocity.y * state.position_based.substep;
    u[2] = velocity.z * state.position_based.substep;
}

bool Simulation::Implementation::is_held(std::uint32_t particle) const {
    return !(state.position_based.position[plan().slot_of[particle] * floats_per_particle + 3] > 0);
}

model::DrivenParticle* Simulation::Implementation::driven(std::uint32_t particle) {
    // Anchors come first, in their order.
    const std::size_t at = particle - model.visible;
    if (particle >= model.visible && at < state.driven.size() && state.driven[at].particle == particle)
        return &state.driven[at];
    const auto found =
        std::find_if(state.driven.begin(), state.driven.end(),
                     [&](const model::DrivenParticle& one) { return one.particle == particle; });
    return found == state.driven.end() ? nullptr : &*found;
}

void Simulation::Implementation::hold(std::uint32_t particle) {
    position(particle)[3] = 0;
    set_velocity(particle, {});
}

void Simulation::Implementation::let_go(std::uint32_t particle) {
    // Particles pinned from the start were never coloured: several lanes may move them at once.
    if (!current_plan->is_dynamic[particle]) {
        PlanFor next{current_plan->is_dynamic, {}};
        next.is_dynamic[particle] = 1;
        next.plan = solvers::position_based::make_plan(model, next.is_dynamic);
        set_plan(std::make_shared<const PlanFor>(std::move(next)));
    }
    position(particle)[3] = model.inverse_masses[particle];
}

void Simulation::Implementation::set_plan(std::shared_ptr<const PlanFor> next) {
    if (next == current_plan) return;
    PLIANT_ASSERT(next->plan.slot_of.size() == model.particles());
    const auto move_array = [&](AlignedVector<float>& array) {
        if (array.empty()) return;
        AlignedVector<float> moved(next->plan.floats(), 0.0f);
        for (std::size_t i = 0; i < model.particles(); ++i) {
            std::copy_n(array.data() + plan().slot_of[i] * floats_per_particle, floats_per_particle,
                        moved.data() + next->plan.slot_of[i] * floats_per_particle);
        }
        array = std::move(moved);
    };
    for (model::State* s : {&state, &initial}) {
        move_array(s->position_based.position);
        move_array(s->position_based.predicted);
        move_array(s->position_based.displacement);
        move_array(s->position_based.forces);
        move_array(s->position_based.contacts);
        move_array(s->position_based.surfaces);
        move_array(s->position_based.mean_velocities);
        move_array(s->position_based.places);
        move_array(s->position_based.last_places);
    }
    current_plan = std::move(next);
    workspace.forget();
}

}  // namespace pliant
