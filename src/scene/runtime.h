// What a Simulation is inside. Editing calls are in edit.cpp, the public ones in simulation.cpp.
#pragma once

#include <pliant/simulation.h>

#include <memory>
#include <vector>

#include "base/parallel.h"
#include "scene/assemble.h"
#include "scene/view_data.h"
#include "solvers/step_context.h"

namespace pliant {

class Simulation::Snapshot {
public:
    std::uint64_t scene = 0;  // fingerprint of what it was taken from
    std::shared_ptr<const Model> model;
    State state;
};

struct Simulation::Implementation {
    Implementation(Assembly&& assembly, ViewData&& shown, const Description& description,
                   const Kernels& chosen, Executor&& team);

    std::shared_ptr<const Model> model, first_model;
    std::uint64_t scene = 0;  // fingerprint of the first model
    State state, initial;
    Settings settings;
    std::vector<Elasticity> elasticities;
    std::vector<Part> parts;
    std::vector<BodyView> bodies;
    std::vector<Triangle> triangles;
    ViewData view_data;
    std::vector<std::uint32_t> attachment_elasticities, anchors;
    SurfaceFans fans;  // made when there is air
    const Kernels& kernels;
    mutable Executor executor;

    StepContext context() { return {settings, elasticities, fans, kernels, executor}; }
    void prepare_air();
    void publish();  // shows changes that were made between steps

    struct FoundBody {
        const BodyView* body = nullptr;
        Status status;
    };
    FoundBody find_body(std::string_view name) const;
    Status check_particle(std::uint32_t particle) const;
    Status check_attachment(std::uint32_t attachment) const;

    float* position(std::uint32_t particle);
    float* displacement(std::uint32_t particle);
    std::uint32_t group_of(std::uint32_t particle) const;
    void set_velocity(std::uint32_t particle, Vec3 velocity);

    // Held: does not move by itself, because it is pinned or grabbed.
    bool is_held(std::uint32_t particle) const;
    DrivenParticle* driven_at(std::uint32_t place);
    bool grabbed(std::uint32_t particle) { return driven_at(model->place[particle]) != nullptr; }
    void hold(std::uint32_t particle);
    void let_go(std::uint32_t particle);
    Result<std::uint32_t> grab(std::uint32_t particle);

    // Takes another model of the same particles, with other places, and moves the states over.
    void set_model(std::shared_ptr<const Model> next);

private:
    void free_in_model(std::uint32_t particle);
};

}  // namespace pliant
