#include "scene/assemble.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

#include "base/convert.h"
#include "base/format.h"
#include "scene/bodies/all.h"
#include "scene/model_builder.h"
#include "scene/validate.h"
#include "solvers/recovery.h"

namespace pliant {
namespace {

constexpr std::size_t most_particles = std::size_t(1) << 28;  // byte offsets have 32 bits

// Origins lie on a grid that is shifted by a small odd fraction. At the very middle of a body, whole planes
// of particles would have a coordinate of exactly 0, and the first faint motion of them is then not rounded
// to the spacing of floats but runs through denormal numbers, which a CPU handles a hundred times slower.
double place_origin(double center, double grid, int axis) {
    constexpr double shift[3] = {521.0 / 1048576, 547.0 / 1048576, 493.0 / 1048576};
    return (std::round(center / grid) - shift[axis]) * grid;
}

// Smallest box around points.
struct Bounds {
    Vec3d low{1e300, 1e300, 1e300}, high{-1e300, -1e300, -1e300};

    void add(const Vec3d& p) {
        low = {min(low.x, p.x), min(low.y, p.y), min(low.z, p.z)};
        high = {max(high.x, p.x), max(high.y, p.y), max(high.z, p.z)};
    }
    Vec3d center() const { return (low + high) * 0.5; }
    double extent() const { return max(high.x - low.x, max(high.y - low.y, high.z - low.z)); }
};

class Assembler {
public:
    explicit Assembler(const Description& description) : description_(description) {}

    Result<Assembly> run() {
        for (std::size_t i = 0; i < description_.bodies.size(); ++i) add_body(i);
        result_input_.visible = particles_.positions.size();
        for (const Attachment& attachment : description_.attachments) add_attachment(attachment);
        if (particles_.positions.size() > most_particles) {
            return Error{"/bodies", fmt::format("must have at most {} particles, got {}", most_particles,
                                                particles_.positions.size())};
        }
        for (std::size_t i = 0; i < particles_.masses.size(); ++i) {
            const float w = i < result_input_.visible ? static_cast<float>(1 / particles_.masses[i]) : 0.0f;
            if (i < result_input_.visible && !(w > 0 && w <= 1e30f)) return mass_error(i);
            result_input_.inverse_masses.push_back(w);
        }
        place_origins();
        result_.model = make_model(result_input_);
        result_.state = make_state(result_.model, result_input_, particles_.velocities);
        result_.state.origins = origins_;
        for (std::size_t i = result_input_.visible; i < particles_.positions.size(); ++i) {
            result_.state.driven.push_back({result_.model.place[i], particles_.positions[i]});
        }
        return std::move(result_);
    }

private:
    Error mass_error(std::size_t particle) const {
        std::size_t body = 0;
        while (particle >= result_.bodies[body].first_particle + result_.bodies[body].particle_count) ++body;
        return Error{
            fmt::format("/bodies/{}", body),
            fmt::format("particle {} would have a mass of {:g} kg; must be 1e-30 … 1e30 kg",
                        particle - result_.bodies[body].first_particle, particles_.masses[particle])};
    }

    void add_body(std::size_t index) {
        const Body& body = description_.bodies[index];
        BodyView view;
        view.name = name_of(body, index);
        view.first_particle = static_cast<std::uint32_t>(particles_.positions.size());
        view.first_triangle = static_cast<std::uint32_t>(result_.triangles.size());
        builder_.begin_body(view.name);
        bodies::visit_kind(body.shape, [&]<class Kind>(const typename Kind::Shape& shape) {
            Kind::build(body, shape, builder_);
        });
        for (std::uint32_t p : body.pinned) result_input_.moves[view.first_particle + p] = 0;
        for (std::size_t i = view.first_particle; i < particles_.positions.size(); ++i) {
            if (!result_input_.moves[i]) particles_.velocities[i] = {};
        }
        view.particle_count = static_cast<std::uint32_t>(particles_.positions.size()) - view.first_particle;
        view.triangle_count = static_cast<std::uint32_t>(result_.triangles.size()) - view.first_triangle;
        result_.bodies.push_back(std::move(view));
    }

    std::uint32_t particle_of(const ParticleReference& reference) const {
        return result_.bodies[reference.body].first_particle + reference.particle;
    }

    void add_attachment(const Attachment& attachment) {
        const std::uint32_t elasticity = builder_.add_attachment_elasticity(attachment.elasticity);
        const std::uint32_t particle = particle_of(attachment.particle);
        std::uint32_t anchor = Assembly::no_anchor, other = 0;
        if (const auto* point = std::get_if<Vec3d>(&attachment.target)) {
            other = anchor = builder_.add_particle(*point, 1, {}, false, 0);
            anchored_bodies_.push_back(attachment.particle.body);
        } else {
            other = particle_of(std::get<ParticleReference>(attachment.target));
        }
        std::get<ConstraintList<kinds::Attachment>>(result_input_.constraints)
            .add({particle, other}, {}, elasticity);
        result_.attachment_elasticities.push_back(elasticity);
        result_.anchors.push_back(anchor);
    }

    // Bodies that are tied to each other share an origin; each group's particles are taken relative to it.
    void place_origins() {
        const std::size_t bodies = description_.bodies.size();
        std::vector<std::uint32_t> root(bodies);
        std::iota(root.begin(), root.end(), 0u);
        const auto find = [&](std::uint32_t b) {
            while (root[b] != b) b = root[b] = root[root[b]];
            return b;
        };
        for (const Attachment& a : description_.attachments) {
            if (const auto* other = std::get_if<ParticleReference>(&a.target)) {
                const std::uint32_t x = find(a.particle.body), y = find(other->body);
                root[std::max(x, y)] = std::min(x, y);
            }
        }
        std::vector<std::uint32_t> group_of_body(bodies);
        std::uint32_t groups = 0;
        for (std::uint32_t b = 0; b < bodies; ++b)
            group_of_body[b] = find(b) == b ? groups++ : group_of_body[find(b)];

        for (std::size_t b = 0; b < bodies; ++b) {
            result_input_.groups.insert(result_input_.groups.end(), result_.bodies[b].particle_count,
                                        group_of_body[b]);
        }
        for (std::uint32_t b : anchored_bodies_) result_input_.groups.push_back(group_of_body[b]);

        std::vector<Bounds> bounds(groups);
        for (std::size_t i = 0; i < result_input_.visible; ++i)
            bounds[result_input_.groups[i]].add(particles_.positions[i]);
        for (const Bounds& b : bounds) {
            const double size = std::exp2(std::ceil(std::log2(max(b.extent(), 1e-6))));
            const double grid = Group{.size = size}.grid();
            const Vec3d c = b.center();
            origins_.push_back(
                {place_origin(c.x, grid, 0), place_origin(c.y, grid, 1), place_origin(c.z, grid, 2)});
            result_input_.sizes.push_back(size);
        }
        for (std::size_t i = 0; i < particles_.positions.size(); ++i) {
            result_input_.positions.push_back(
                to_float(particles_.positions[i] - origins_[result_input_.groups[i]]));
        }
    }

    const Description& description_;
    Assembly result_;
    ModelInput result_input_;
    ParticleLists particles_;
    ModelBuilder builder_{result_, result_input_, particles_};
    std::vector<Vec3d> origins_;
    std::vector<std::uint32_t> anchored_bodies_;  // body of each anchor
};

}  // namespace

State make_state(const Model& model, const ModelInput& input, const std::vector<Vec3>& velocities) {
    State state;
    state.position.assign(model.floats(), 0.0f);
    state.predicted.assign(model.floats(), 0.0f);
    state.displacement.assign(model.floats(), 0.0f);
    state.crushed.assign(model.groups.size(), 0);
    state.tries.assign(model.groups.size(), most_tries);
    state.substep = 1;  // displacements are velocities until the first step rescales them
    for (std::size_t i = 0; i < input.positions.size(); ++i) {
        float* x = state.position.data() + model.place[i] * floats_per_particle;
        float* u = state.displacement.data() + model.place[i] * floats_per_particle;
        x[0] = input.positions[i].x;
        x[1] = input.positions[i].y;
        x[2] = input.positions[i].z;
        x[3] = input.moves[i] ? input.inverse_masses[i] : 0.0f;
        u[0] = velocities[i].x;
        u[1] = velocities[i].y;
        u[2] = velocities[i].z;
    }
    state.visible_positions.resize(input.visible);
    state.visible_velocities.resize(input.visible);
    return state;
}

Result<Assembly> assemble(const Description& description) { return Assembler(description).run(); }

}  // namespace pliant
