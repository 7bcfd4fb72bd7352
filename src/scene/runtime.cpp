#include "scene/runtime.h"

#include <algorithm>

#include "base/format.h"
#include "solvers/publish.h"

namespace pliant {

Simulation::Implementation::Implementation(Assembly&& assembly, ViewData&& shown,
                                           const Description& description, const Kernels& chosen,
                                           Executor&& team)
    : model(std::make_shared<const Model>(std::move(assembly.model))),
      first_model(model),
      state(std::move(assembly.state)),
      settings(description.settings),
      elasticities(std::move(assembly.elasticities)),
      parts(std::move(assembly.parts)),
      bodies(std::move(assembly.bodies)),
      triangles(std::move(assembly.triangles)),
      view_data(std::move(shown)),
      attachment_elasticities(std::move(assembly.attachment_elasticities)),
      anchors(std::move(assembly.anchors)),
      kernels(chosen),
      executor(std::move(team)) {
    scene = fingerprint(*model);
    state.colliders = description.colliders;
    prepare_air();
    publish();
    initial = state;
}

void Simulation::Implementation::prepare_air() {
    if (settings.air_density > 0 && fans.first.empty()) fans = make_surface_fans(triangles, model->visible);
}

void Simulation::Implementation::publish() {
    const StandardFloatingPoint floating_point;
    pliant::publish(*model, state, context());
}

Simulation::Implementation::FoundBody Simulation::Implementation::find_body(std::string_view name) const {
    std::string known;
    for (const BodyView& body : bodies) {
        if (body.name == name) return {&body, {}};
        known += fmt::format("{}\"{}\"", known.empty() ? "" : ", ", body.name);
    }
    return {nullptr, Error{"body", fmt::format("must be one of {}, got \"{}\"", known, name)}};
}

Status Simulation::Implementation::check_particle(std::uint32_t particle) const {
    if (particle < model->visible) return {};
    return Error{"particle", fmt::format("must be an index below {}, got {}", model->visible, particle)};
}

Status Simulation::Implementation::check_attachment(std::uint32_t attachment) const {
    if (attachment < anchors.size()) return {};
    return Error{"attachment", fmt::format("must be an index below {}, got {}", anchors.size(), attachment)};
}

float* Simulation::Implementation::position(std::uint32_t particle) {
    return state.position.data() + model->place[particle] * floats_per_particle;
}
float* Simulation::Implementation::displacement(std::uint32_t particle) {
    return state.displacement.data() + model->place[particle] * floats_per_particle;
}

std::uint32_t Simulation::Implementation::group_of(std::uint32_t particle) const {
    return model->group_of(model->place[particle]);
}

void Simulation::Implementation::set_velocity(std::uint32_t particle, Vec3 velocity) {
    float* u = displacement(particle);
    u[0] = velocity.x * state.substep;
    u[1] = velocity.y * state.substep;
    u[2] = velocity.z * state.substep;
}

bool Simulation::Implementation::is_held(std::uint32_t particle) const {
    return !(state.position[model->place[particle] * floats_per_particle + 3] > 0);
}

DrivenParticle* Simulation::Implementation::driven_at(std::uint32_t place) {
    const auto found = std::find_if(state.driven.begin(), state.driven.end(),
                                    [&](const DrivenParticle& driven) { return driven.place == place; });
    return found == state.driven.end() ? nullptr : &*found;
}

void Simulation::Implementation::hold(std::uint32_t particle) {
    position(particle)[3] = 0;
    set_velocity(particle, {});
}

void Simulation::Implementation::let_go(std::uint32_t particle) {
    // Particles pinned from the start were never coloured: several lanes may move them at once.
    if (!model->free[model->place[particle]]) free_in_model(particle);
    position(particle)[3] = model->inverse_masses[model->place[particle]];
}

void Simulation::Implementation::free_in_model(std::uint32_t particle) {
    const Model& old = *model;
    ModelInput input;
    const std::size_t count = old.place.size();
    input.visible = old.visible;
    input.uses = old.uses;
    input.constraints = list_constraints(old);
    for (const Group& group : old.groups) input.sizes.push_back(group.size);
    for (std::uint32_t i = 0; i < count; ++i) {
        const std::size_t place = old.place[i];
        const float* x = initial.position.data() + place * floats_per_particle;
        input.positions.push_back({x[0], x[1], x[2]});
        input.inverse_masses.push_back(old.inverse_masses[place]);
        input.moves.push_back(old.free[place] || i == particle);
        input.radii.push_back(old.radii[place]);
        input.groups.push_back(group_of(i));
    }
    set_model(std::make_shared<const Model>(make_model(input)));
}

void Simulation::Implementation::set_model(std::shared_ptr<const Model> next) {
    if (next == model) return;
    const auto move_array = [&](AlignedVector<float>& array) {
        if (array.empty()) return;
        AlignedVector<float> moved(next->floats(), 0.0f);
        for (std::size_t i = 0; i < model->place.size(); ++i) {
            std::copy_n(array.data() + model->place[i] * floats_per_particle, floats_per_particle,
                        moved.data() + next->place[i] * floats_per_particle);
        }
        array = std::move(moved);
    };
    for (State* s : {&state, &initial}) {
        move_array(s->position);
        move_array(s->predicted);
        move_array(s->displacement);
        move_array(s->forces);
        s->inverted.clear();
        for (DrivenParticle& driven : s->driven) driven.place = next->place[model->order[driven.place]];
    }
    model = std::move(next);
}

}  // namespace pliant
