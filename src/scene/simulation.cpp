#include <pliant/simulation.h>

#include <cstdlib>
#include <utility>

#include "base/format.h"
#include "base/hash.h"
#include "collision/local_colliders.h"
#include "scene/capabilities.h"
#include "scene/carried_stiffness.h"
#include "scene/diagnostics.h"
#include "scene/overlaps.h"
#include "scene/runtime.h"
#include "scene/tables/description.h"
#include "scene/validate.h"
#include "solvers/position_based/dispatch.h"
#include "solvers/solver.h"

namespace pliant {
namespace {

using solvers::position_based::find_kernels;
using solvers::position_based::Kernels;
using solvers::position_based::usable_kernels;

std::string join_names(std::span<const Kernels* const> all) {
    std::string names;
    for (const Kernels* kernels : all) names += (names.empty() ? "" : ", ") + std::string(kernels->name);
    return names;
}

Result<const Kernels*> choose_kernels(const std::string& wanted) {
    const char* variable = wanted.empty() ? std::getenv("PLIANT_TARGET") : nullptr;
    const std::string name = variable ? variable : wanted;
    if (name.empty()) return usable_kernels().back();
    if (const Kernels* found = find_kernels(name)) return found;
    return Error{
        variable ? "PLIANT_TARGET" : "/execution/target",
        fmt::format("must be one of {} on this machine, got \"{}\"", join_names(usable_kernels()), name)};
}

}  // namespace

Result<Simulation> Simulation::create(const Description& description, const Execution& execution) {
    const StandardFloatingPoint floating_point;
    if (auto error = validate(description)) return *error;
    if (execution.threads < 0 || execution.threads > 1024) {
        return Error{"/execution/threads", fmt::format("must be 0 … 1024, got {}", execution.threads)};
    }
    const Result<const Kernels*> kernels = choose_kernels(execution.target);
    if (!kernels) return kernels.error();
    Result<Assembly> assembly = assemble(description);
    if (!assembly) return assembly.error();
    if (auto error = check_method(assembly->model, description.settings.method)) return *error;
    Result<ViewData> shown = make_view_data(description, assembly->model);
    if (!shown) return shown.error();
    return Simulation(
        std::make_unique<Implementation>(std::move(*assembly), std::move(*shown), description, **kernels,
                                         Executor(execution.threads, execution.runner), execution.interrupt));
}

Simulation::Simulation(std::unique_ptr<Implementation> implementation)
    : implementation_(std::move(implementation)) {}
Simulation::Simulation(Simulation&&) noexcept = default;
Simulation& Simulation::operator=(Simulation&&) noexcept = default;
Simulation::~Simulation() = default;

void Simulation::step() {
    const StandardFloatingPoint floating_point;
    Implementation& s = *implementation_;
    solvers::step(s.model, s.plan(), s.state, s.context());
}

void Simulation::reset() {
    const StandardFloatingPoint floating_point;
    Implementation& s = *implementation_;
    s.set_plan(s.first_plan);  // letting go of a particle may have changed the order of work
    s.state = s.initial;
    s.workspace.forget();
    s.write_view();
}

View Simulation::view() const {
    const Implementation& s = *implementation_;
    return {.positions = s.state.visible_positions,
            .velocities = s.state.visible_velocities,
            .radii = std::span(s.model.radii).first(s.model.visible),
            .triangles = s.model.triangles,
            .lines = s.model.lines,
            .line_normals = s.state.visible_normals,
            .tetrahedra = s.model.tetrahedra,
            .texture_coordinates = s.model.texture_coordinates,
            .bodies = s.model.bodies,
            .skins = s.view_data.skins,
            .anchors = s.view_data.anchors,
            .colliders = s.state.colliders,
            .topology_version = s.view_data.topology_version,
            .gravity = s.settings.gravity,
            .frame = s.state.frame,
            .time = s.state.time};
}

Diagnostics Simulation::diagnostics() const {
    const StandardFloatingPoint floating_point;
    const Implementation& s = *implementation_;
    return diagnose(s.model, s.plan(), s.state, s.settings, s.materials);
}

std::vector<Stiffness> Simulation::stiffness() const {
    const StandardFloatingPoint floating_point;
    const Implementation& s = *implementation_;
    return carried_stiffness(s.model, s.plan(), s.settings, s.materials);
}

std::vector<Overlap> Simulation::overlaps() const {
    const StandardFloatingPoint floating_point;
    return find_overlaps(implementation_->model, view());
}

const std::vector<ContactReport>& Simulation::contacts() const { return implementation_->state.contacts; }

std::uint64_t Simulation::state_hash() const {
    const Implementation& s = *implementation_;
    const model::PositionBasedState& particles = s.state.position_based;
    Hash hash;
    for (const std::uint32_t slot : s.plan().slot_of) {
        const std::size_t at = slot * floats_per_particle;
        for (std::size_t c = 0; c < floats_per_particle; ++c) hash.add(particles.position[at + c]);
        for (std::size_t c = 0; c < 3; ++c) hash.add(particles.displacement[at + c]);
    }
    for (const Vec3d& origin : s.state.origins) {
        hash.add(origin.x);
        hash.add(origin.y);
        hash.add(origin.z);
    }
    return hash.value();
}

std::string_view Simulation::target() const { return implementation_->kernels.name; }
int Simulation::threads() const { return implementation_->executor.threads(); }
const Settings& Simulation::settings() const { return implementation_->settings; }

Status Simulation::configure(const Settings& settings) {
    const StandardFloatingPoint floating_point;
    if (auto error = check_settings("/settings", settings)) return *error;
    if (auto error = check_method(implementation_->model, settings.method)) return *error;
    implementation_->settings = settings;
    implementation_->prepare_air();
    return {};
}

Status Simulation::set_force(std::uint32_t particle, Vec3 force) {
    const StandardFloatingPoint floating_point;
    Implementation& s = *implementation_;
    if (Status status = s.check_particle(particle); !status) return status;
    if (auto error = check_field("force", force, Range{-1e20, 1e20})) return *error;
    AlignedVector<float>& forces = s.state.position_based.forces;
    forces.resize(s.plan().floats(), 0.0f);
    float* f = forces.data() + s.plan().slot_of[particle] * floats_per_particle;
    f[0] = force.x;
    f[1] = force.y;
    f[2] = force.z;
    return {};
}

void Simulation::clear_forces() { implementation_->state.position_based.forces.clear(); }

Status Simulation::set_velocity(std::uint32_t particle, Vec3 velocity) {
    const StandardFloatingPoint floating_point;
    Implementation& s = *implementation_;
    if (Status status = s.check_particle(particle); !status) return status;
    if (auto error = check_field("velocity", velocity, Range{-1e6, 1e6})) return *error;
    if (s.is_held(particle))
        return Error{fmt::format("particle {}", particle), "is held and has no velocity of its own"};
    s.set_velocity(particle, velocity);
    s.show_velocity(particle);
    return {};
}

Status Simulation::pin(std::uint32_t particle) {
    const StandardFloatingPoint floating_point;
    Implementation& s = *implementation_;
    if (Status status = s.check_particle(particle); !status) return status;
    if (s.is_grabbed(particle))
        return Error{fmt::format("particle {}", particle), "is grabbed; release it first"};
    s.hold(particle);
    s.show_velocity(particle);
    return {};
}

Status Simulation::unpin(std::uint32_t particle) {
    const StandardFloatingPoint floating_point;
    Implementation& s = *implementation_;
    if (Status status = s.check_particle(particle); !status) return status;
    if (s.is_grabbed(particle))
        return Error{fmt::format("particle {}", particle), "is grabbed; release it first"};
    s.let_go(particle);
    return {};
}

Status Simulation::move_attachment(std::uint32_t attachment, Vec3d target) {
    const StandardFloatingPoint floating_point;
    Implementation& s = *implementation_;
    if (Status status = s.check_attachment(attachment); !status) return status;
    if (auto error = check_field("target", target, ranges::any)) return *error;
    const std::uint32_t anchor = s.model.anchors[attachment];
    if (anchor == model::no_anchor) {
        return Error{fmt::format("/attachments/{}", attachment),
                     "ties two particles; only one to a point can be moved"};
    }
    model::DrivenParticle* driven = s.driven(anchor);
    PLIANT_ASSERT(driven);  // anchors are driven from start to end
    driven->target = target;
    return {};
}

const std::vector<Collider>& Simulation::colliders() const { return implementation_->state.colliders; }

Status Simulation::move_collider(std::uint32_t collider, const ColliderShape& shape) {
    const StandardFloatingPoint floating_point;
    model::State& state = implementation_->state;
    if (collider >= state.colliders.size()) {
        return Error{"collider",
                     fmt::format("must be an index below {}, got {}", state.colliders.size(), collider)};
    }
    const std::string place = fmt::format("/colliders/{}", collider);
    if (shape.index() != state.colliders[collider].shape.index()) {
        return Error{place + "/shape", "must stay the kind of shape that it is"};
    }
    Collider moved = state.colliders[collider];
    moved.shape = collision::without_source(shape);
    if (auto error = check_collider(place, moved)) return *error;
    if (!collision::has_same_surface(moved.shape, state.colliders[collider].shape))
        return Error{place + "/shape/surface", "must stay the mesh that it is: poses deform it"};
    std::erase_if(state.moved_colliders,
                  [&](const model::MovedCollider& m) { return m.collider == collider; });
    state.moved_colliders.push_back({collider, std::move(moved.shape)});
    return {};
}

std::shared_ptr<const Simulation::Snapshot> Simulation::save() const {
    const Implementation& s = *implementation_;
    return std::make_shared<const Snapshot>(
        Snapshot{s.scene, s.current_plan, s.state, s.settings, s.materials, s.described, s.colliders});
}

Status Simulation::restore(const std::shared_ptr<const Snapshot>& snapshot) {
    const StandardFloatingPoint floating_point;
    Implementation& s = *implementation_;
    if (!snapshot) return Error{"snapshot", "must not be null"};
    if (snapshot->scene != s.scene) {
        return Error{"snapshot",
                     "comes from another scene; must be of one with the same particles and constraints"};
    }
    s.set_plan(snapshot->plan);
    s.state = snapshot->state;
    s.settings = snapshot->settings;
    s.materials = snapshot->materials;
    s.described = snapshot->described;
    s.colliders = snapshot->colliders;
    s.workspace.forget();
    s.prepare_air();
    return {};
}

std::vector<std::string_view> available_targets() {
    std::vector<std::string_view> names;
    for (const Kernels* kernels : usable_kernels()) names.push_back(kernels->name);
    return names;
}

}  // namespace pliant
