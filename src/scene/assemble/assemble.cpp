#include "scene/assemble/assemble.h"

#include <pliant/bounds.h>

#include <cmath>
#include <limits>
#include <span>

#include "base/convert.h"
#include "base/format.h"
#include "base/union_find.h"
#include "collision/local_colliders.h"
#include "scene/assemble/body_contacts.h"
#include "scene/assemble/model_builder.h"
#include "scene/bodies/all.h"
#include "scene/validate.h"

namespace pliant {
namespace {

// kg. Products of inverse masses and squares of gradients must stay within what a float can hold.
constexpr double least_mass = 1e-20, greatest_mass = 1e20;
constexpr std::size_t most_particles = std::size_t(1) << 28;  // byte offsets have 32 bits

// Origins lie on a grid that is shifted by a small odd fraction. At the very middle of a body, whole planes
// of particles would have a coordinate of exactly 0, and the first faint motion of them is then not rounded
// to the spacing of floats but runs through denormal numbers, which a CPU handles a hundred times slower.
double place_origin(double center, double grid, int axis) {
    constexpr double shift[3] = {521.0 / 1048576, 547.0 / 1048576, 493.0 / 1048576};
    return (std::round(center / grid) - shift[axis]) * grid;
}

class Assembler {
public:
    explicit Assembler(const Description& description) : description_(description) {}

    Result<Assembly> run() {
        if (auto error = make_model()) return *error;
        Assembly assembly;
        assembly.plan = solvers::position_based::make_plan(model_, model_.is_dynamic);
        assembly.state = make_state(assembly.plan);
        assembly.model = std::move(model_);
        return assembly;
    }

    Result<model::Model> run_model() {
        if (auto error = make_model()) return *error;
        return std::move(model_);
    }

private:
    std::optional<Error> make_model() {
        for (std::size_t i = 0; i < description_.bodies.size(); ++i) {
            const Body& body = description_.bodies[i];
            builder_.begin_body(name_of(body, i));
            bodies::visit_kind(body.shape, [&]<class Kind>(const typename Kind::Shape& shape) {
                Kind::build(body, shape, builder_);
            });
            builder_.end_body();
        }
        model_.visible = particles_.positions.size();
        for (const Attachment& attachment : description_.attachments) builder_.add_attachment(attachment);
        for (const Ring& ring : description_.rings) builder_.add_ring(ring);
        for (const Rider& rider : description_.riders) builder_.add_rider(rider);
        if (particles_.positions.size() > most_particles) {
            return Error{"/bodies", fmt::format("must have at most {} particles, got {}", most_particles,
                                                particles_.positions.size())};
        }
        if (auto error = invert_masses()) return *error;
        if (auto error = add_body_contacts(description_, particles_.positions, model_)) return *error;
        find_islands();
        place_origins();
        model::complete(model_);
        return {};
    }

    std::optional<Error> invert_masses() {
        for (std::size_t i = 0; i < particles_.masses.size(); ++i) {
            const bool is_anchor = i >= model_.visible;
            const float w = is_anchor ? 0.0f : static_cast<float>(1 / particles_.masses[i]);
            model_.inverse_masses.push_back(w);
            if (is_anchor || (particles_.masses[i] >= least_mass && particles_.masses[i] <= greatest_mass))
                continue;
            std::size_t body = 0;
            while (i >= model_.bodies[body].first_particle + model_.bodies[body].particle_count) ++body;
            return Error{fmt::format("/bodies/{}", body),
                         fmt::format("particle {} would have a mass of {:g} kg; must be {:g} … {:g} kg",
                                     i - model_.bodies[body].first_particle, particles_.masses[i], least_mass,
                                     greatest_mass)};
        }
        return {};
    }

    // Bodies that are tied to each other are one island.
    void find_islands() {
        UnionFind tied(description_.bodies.size());
        for (const Attachment& a : description_.attachments) {
            if (const auto* other = std::get_if<ParticleReference>(&a.target))
                tied.join(a.particle.body, other->body);
        }
        for (const Ring& ring : description_.rings) tied.join(ring.particle.body, ring.rope);
        for (const Rider& rider : description_.riders) tied.join(rider.particle.body, rider.body);
        std::vector<std::uint32_t> island_of_body;
        model_.islands.resize(tied.number_sets(island_of_body));
        for (std::size_t b = 0; b < model_.bodies.size(); ++b) {
            model_.bodies[b].island = island_of_body[b];
            model_.island_of.insert(model_.island_of.end(), model_.bodies[b].particle_count,
                                    island_of_body[b]);
        }
        for (const Attachment& a : description_.attachments) {
            if (std::holds_alternative<Vec3d>(a.target))
                model_.island_of.push_back(island_of_body[a.particle.body]);
        }
    }

    // Each island's particles are taken relative to an origin of its own.
    void place_origins() {
        std::vector<BoundsOf<double>> bounds(model_.islands.size());
        for (std::size_t i = 0; i < model_.visible; ++i)
            bounds[model_.island_of[i]].add(particles_.positions[i]);
        for (std::size_t i = 0; i < bounds.size(); ++i) {
            model::Island& island = model_.islands[i];
            const Vec3d extent = bounds[i].extent(), c = bounds[i].center();
            island.extent = max(max(extent.x, max(extent.y, extent.z)), 1e-6);
            island.size = std::exp2(std::ceil(std::log2(island.extent)));
            origins_.push_back({place_origin(c.x, island.grid(), 0), place_origin(c.y, island.grid(), 1),
                                place_origin(c.z, island.grid(), 2)});
        }
        for (std::size_t i = 0; i < particles_.positions.size(); ++i) {
            const Vec3d& origin = origins_[model_.island_of[i]];
            model_.rest_positions.push_back(to_float(particles_.positions[i] - origin));
        }
    }

    model::State make_state(const solvers::position_based::Plan& plan) const {
        model::State state;
        model::PositionBasedState& particles = state.position_based;
        particles.position.assign(plan.floats(), 0.0f);
        particles.predicted.assign(plan.floats(), 0.0f);
        particles.displacement.assign(plan.floats(), 0.0f);
        if (!plan.coarse.empty() ||
            (!plan.cloth.empty() && (!description_.colliders.empty() || description_.bodies.size() > 1))) {
            particles.contacts.assign(plan.floats(), 0.0f);
            particles.surfaces.assign(plan.floats(), 0.0f);
        }
        const bool is_thin = model_.triangles.empty() && model_.tetrahedra.empty();
        if (!is_thin && (!description_.colliders.empty() || !plan.contact.empty()))
            for (auto* array : {&particles.mean_velocities, &particles.places, &particles.last_places})
                array->assign(plan.floats(), 0.0f);
        particles.substep = 1;  // displacements are velocities until the first step rescales them
        for (std::size_t i = 0; i < model_.particles(); ++i) {
            float* x = particles.position.data() + plan.slot_of[i] * floats_per_particle;
            float* u = particles.displacement.data() + plan.slot_of[i] * floats_per_particle;
            const Vec3 &position = model_.rest_positions[i], &velocity = particles_.velocities[i];
            x[0] = position.x, x[1] = position.y, x[2] = position.z;
            x[3] = model_.is_dynamic[i] ? model_.inverse_masses[i] : 0.0f;
            u[0] = velocity.x, u[1] = velocity.y, u[2] = velocity.z;
        }
        state.origins = origins_;
        state.colliders = description_.colliders;
        for (Collider& collider : state.colliders) collider.shape = collision::without_source(collider.shape);
        state.recent_speeds.assign(model_.islands.size(), 0.0);
        state.resting.resize(model_.islands.size());
        state.rescue.timers.resize(model_.bodies.size());
        state.came_out.assign(model_.islands.size(), -std::numeric_limits<double>::infinity());
        state.visible_positions.resize(model_.visible);
        state.visible_velocities.resize(model_.visible);
        if (!model_.rods.empty()) state.visible_normals.resize(model_.lines.size());
        for (std::size_t i = model_.visible; i < model_.particles(); ++i)
            state.driven.push_back({static_cast<std::uint32_t>(i), particles_.positions[i]});
        return state;
    }

    const Description& description_;
    model::Model model_;
    ParticleLists particles_;
    ModelBuilder builder_{model_, particles_};
    std::vector<Vec3d> origins_;
};

}  // namespace

Result<Assembly> assemble(const Description& description) { return Assembler(description).run(); }
Result<model::Model> assemble_model(const Description& description) {
    return Assembler(description).run_model();
}

}  // namespace pliant
