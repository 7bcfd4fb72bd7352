// What a Simulation is inside. Editing calls are in edit.cpp, the public ones in simulation.cpp.
#pragma once

#include <pliant/simulation.h>

#include <memory>
#include <optional>
#include <vector>

#include "base/parallel.h"
#include "scene/assemble/assemble.h"
#include "scene/view_data.h"
#include "solvers/step_context.h"

namespace pliant {

// The plan, and which particles it was made for.
struct PlanFor {
    std::vector<std::uint8_t> is_dynamic;  // of each particle
    solvers::position_based::Plan plan;
};

class Simulation::Snapshot {
public:
    std::uint64_t scene = 0;  // fingerprint of the model that it was taken from
    std::shared_ptr<const PlanFor> plan;
    model::State state;
    Settings settings;
    std::vector<model::MaterialValues> materials, described;
    std::vector<Collider> colliders;
};

struct Simulation::Implementation {
    Implementation(Assembly&& assembly, ViewData&& shown, const Description& description,
                   const solvers::position_based::Kernels& chosen, Executor&& team,
                   const std::atomic<bool>* interrupted);

    const model::Model model;
    const std::uint64_t scene;  // fingerprint of the model
    const ViewData view_data;
    const std::vector<std::optional<SoftMaterial>> soft_materials;  // of each body, in the description
    std::shared_ptr<const PlanFor> current_plan, first_plan;
    model::State state, initial;
    Settings settings;
    std::vector<model::MaterialValues> materials;  // of each part
    std::vector<model::MaterialValues> described;  // the same, in the description
    std::vector<Collider> colliders;               // in the description
    const solvers::position_based::Kernels& kernels;
    solvers::position_based::Workspace workspace;
    mutable Executor executor;
    const std::atomic<bool>* interrupt = nullptr;

    const solvers::position_based::Plan& plan() const { return current_plan->plan; }
    solvers::StepContext context() { return {settings, materials, kernels, workspace, executor, interrupt}; }
    void prepare_air();
    void write_view();                           // shows changes that were made between steps
    void show_velocity(std::uint32_t particle);  // the same, of one

    struct FoundBody {
        const BodyView* body = nullptr;
        Status status;
    };
    FoundBody find_body(std::string_view name) const;
    Result<std::size_t> find_part(std::string_view body, std::string_view part) const;
    Status check_particle(std::uint32_t particle) const;
    Status check_attachment(std::uint32_t attachment) const;

    float* position(std::uint32_t particle);
    float* displacement(std::uint32_t particle);
    Vec3d world_position(std::uint32_t particle) const;
    std::uint32_t island_of(std::uint32_t particle) const { return model.island_of[particle]; }
    void set_velocity(std::uint32_t particle, Vec3 velocity);

    // Held: does not move by itself, because it is pinned or grabbed.
    bool is_held(std::uint32_t particle) const;
    model::DrivenParticle* driven(std::uint32_t particle);
    bool is_grabbed(std::uint32_t particle) { return driven(particle) != nullptr; }
    void hold(std::uint32_t particle);
    void let_go(std::uint32_t particle);
    Result<std::uint32_t> grab(std::uint32_t particle);

    // Takes another plan of the same model, with other slots, and moves the states over.
    void set_plan(std::shared_ptr<const PlanFor> next);
};

}  // namespace pliant
