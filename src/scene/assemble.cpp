#include "scene/assemble.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "base/convert.h"
#include "base/format.h"
#include "base/geometry/bounds.h"
#include "base/geometry/tetrahedron.h"
#include "base/union_find.h"
#include "scene/validate.h"
#include "solvers/untangle.h"

namespace pliant {
namespace {

using namespace constraints;
using model::ComplianceScale;

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
        for (std::size_t i = 0; i < description_.bodies.size(); ++i) add_body(i);
        model_.visible = world_.size();
        for (const Attachment& attachment : description_.attachments) add_attachment(attachment);
        if (world_.size() > most_particles) {
            return Error{"/bodies", fmt::format("must have at most {} particles, got {}", most_particles,
                                                world_.size())};
        }
        for (std::size_t i = 0; i < masses_.size(); ++i) {
            const float w = i < model_.visible ? static_cast<float>(1 / masses_[i]) : 0.0f;
            if (i < model_.visible && !(w > 0 && w <= 1e30f)) return mass_error(i);
            model_.inverse_masses.push_back(w);
        }
        place_origins();
        model::complete(model_);
        Assembly assembly;
        assembly.plan = solvers::position_based::make_plan(model_, model_.is_dynamic);
        assembly.state = make_state(assembly.plan);
        assembly.model = std::move(model_);
        return assembly;
    }

private:
    Error mass_error(std::size_t particle) const {
        std::size_t body = 0;
        while (particle >= model_.bodies[body].first_particle + model_.bodies[body].particle_count) ++body;
        return Error{fmt::format("/bodies/{}", body),
                     fmt::format("particle {} would have a mass of {:g} kg; must be 1e-30 … 1e30 kg",
                                 particle - model_.bodies[body].first_particle, masses_[particle])};
    }

    std::uint32_t add_part(const Elasticity& elasticity, const ComplianceScale& scale, std::string body = {},
                           std::string name = {}, const MaterialConstants& constants = {}) {
        model_.parts.push_back({std::move(body), std::move(name), scale, {elasticity, constants}});
        return static_cast<std::uint32_t>(model_.parts.size() - 1);
    }

    std::uint32_t add_particle(const Vec3d& world, double mass, const Vec3& velocity, bool is_dynamic,
                               float radius) {
        world_.push_back(world);
        masses_.push_back(mass);
        velocities_.push_back(velocity);
        model_.is_dynamic.push_back(is_dynamic);
        model_.radii.push_back(radius);
        return static_cast<std::uint32_t>(world_.size() - 1);
    }

    void add_body(std::size_t index) {
        const Body& body = description_.bodies[index];
        BodyView view;
        view.name = name_of(body, index);
        view.first_particle = static_cast<std::uint32_t>(world_.size());
        view.first_triangle = static_cast<std::uint32_t>(model_.triangles.size());
        view.first_line = static_cast<std::uint32_t>(model_.lines.size());
        view.first_tetrahedron = static_cast<std::uint32_t>(model_.tetrahedra.size());
        first_ = view.first_particle;
        name_ = view.name;
        std::visit([&](const auto& shape) { add_shape(body, shape); }, body.shape);
        for (std::uint32_t p : body.pinned) model_.is_dynamic[first_ + p] = 0;
        for (std::size_t i = first_; i < world_.size(); ++i) {
            if (!model_.is_dynamic[i]) velocities_[i] = {};
        }
        view.particle_count = static_cast<std::uint32_t>(world_.size()) - view.first_particle;
        view.triangle_count = static_cast<std::uint32_t>(model_.triangles.size()) - view.first_triangle;
        view.line_count = static_cast<std::uint32_t>(model_.lines.size()) - view.first_line;
        view.tetrahedron_count =
            static_cast<std::uint32_t>(model_.tetrahedra.size()) - view.first_tetrahedron;
        model_.bodies.push_back(std::move(view));
    }

    void add_particles(const Body& body, std::span<const Vec3> positions, std::span<const double> masses) {
        for (std::size_t i = 0; i < positions.size(); ++i) {
            add_particle(body.position + to_double(positions[i]), masses[i], body.velocity, true,
                         body.radius);
        }
    }

    void add_triangles(std::span<const Triangle> triangles) {
        for (const Triangle& t : triangles) {
            model_.triangles.push_back({first_ + t[0], first_ + t[1], first_ + t[2]});
        }
    }

    // At rest as the particles of the current body are.
    template <class Kind>
    void add_constraint(std::span<const Vec3> positions,
                        const std::array<std::uint32_t, Kind::arity>& members, std::uint32_t part) {
        Vec3d x[Kind::arity];
        std::array<std::uint32_t, Kind::arity> particles;
        for (std::size_t k = 0; k < Kind::arity; ++k) {
            x[k] = to_double(positions[members[k]]);
            particles[k] = first_ + members[k];
        }
        list_of<Kind>(model_.constraints).add(particles, Kind::rest_of(x), part);
    }

    // Distances between pairs of the current body's particles, at rest as they are.
    void add_distances(std::span<const Vec3> positions, std::span<const Edge> pairs, std::uint32_t part) {
        for (const Edge& e : pairs) add_constraint<kinds::Distance>(positions, e, part);
    }

    void add_shape(const Body& body, const SoftBody& shape) {
        const std::vector<Vec3>& positions = shape.mesh.positions;
        std::vector<double> masses(positions.size(), 0.0), volumes;
        for (const Tetrahedron& t : shape.mesh.tetrahedra) {
            volumes.push_back(tetrahedron_volume(to_double(positions[t[0]]), to_double(positions[t[1]]),
                                                 to_double(positions[t[2]]), to_double(positions[t[3]])));
            for (std::uint32_t p : t) masses[p] += shape.density * volumes.back() / 4;
        }
        add_particles(body, positions, masses);

        // A lattice of springs k with spacing l has a modulus of about k/l: α = c/l, with the mean length.
        const std::vector<Edge> edges = unique_edges(shape.mesh.tetrahedra);
        double sum = 0;
        for (const Edge& e : edges) sum += length(to_double(positions[e[0]]) - to_double(positions[e[1]]));
        const float per_length = static_cast<float>(static_cast<double>(edges.size()) / sum);
        add_distances(positions, edges, add_part(shape.edges, {.uniform = per_length}, name_, "edges"));

        // ½·(V − V₀)²/α = ½·K·((V − V₀)/V₀)²·V₀ with α = V₀/K.
        const std::uint32_t part =
            add_part(shape.volumes, {.uniform = 0, .per_measure = 1}, name_, "volumes");
        for (std::size_t i = 0; i < volumes.size(); ++i) {
            const Tetrahedron& t = shape.mesh.tetrahedra[i];
            add_constraint<kinds::Volume>(positions, t, part);
            model_.tetrahedra.push_back({first_ + t[0], first_ + t[1], first_ + t[2], first_ + t[3]});
            model_.rest_volumes.push_back(static_cast<float>(volumes[i]));
        }
        add_triangles(surface_triangles(shape.mesh.tetrahedra));
    }

    void add_shape(const Body& body, const Cloth& shape) {
        const std::vector<Vec3>& positions = shape.mesh.positions;
        std::vector<double> masses(positions.size(), 0.0);
        for (const Triangle& t : shape.mesh.triangles) {
            const Vec3d a = to_double(positions[t[0]]);
            const double area =
                length(cross(to_double(positions[t[1]]) - a, to_double(positions[t[2]]) - a)) / 2;
            for (std::uint32_t p : t) masses[p] += shape.area_density * area / 3;
        }
        add_particles(body, positions, masses);
        add_distances(positions, unique_edges(shape.mesh.triangles),
                      add_part(shape.stretch, {}, name_, "stretch"));
        add_distances(positions, opposite_vertices(shape.mesh.triangles),
                      add_part(shape.bending, {}, name_, "bending"));
        const std::uint32_t seam =
            add_part(shape.seam, {.closing_time = shape.sewing_seconds}, name_, "seam");
        for (const Edge& e : shape.seams) add_constraint<kinds::Attachment>(positions, e, seam);
        add_triangles(shape.mesh.triangles);
    }

    void add_shape(const Body& body, const Rope& shape) {
        std::vector<double> masses(shape.positions.size(), 0.0);
        std::vector<Edge> links;
        for (std::uint32_t i = 0; i + 1 < shape.positions.size(); ++i) {
            const double mass = shape.linear_density *
                                length(to_double(shape.positions[i + 1]) - to_double(shape.positions[i]));
            masses[i] += mass / 2;
            masses[i + 1] += mass / 2;
            links.push_back({i, i + 1});
        }
        add_particles(body, shape.positions, masses);
        for (const Edge& e : links) model_.lines.push_back({first_ + e[0], first_ + e[1]});
        add_distances(shape.positions, links,
                      add_part(shape.stretch, {.uniform = 0, .per_measure = 1}, name_, "stretch"));
    }

    void add_shape(const Body& body, const Particles& shape) {
        std::vector<double> masses(shape.positions.size(), shape.mass);
        if (!shape.masses.empty()) std::copy(shape.masses.begin(), shape.masses.end(), masses.begin());
        add_particles(body, shape.positions, masses);
        const std::uint32_t part = add_part(shape.link, {}, name_, "link");
        auto& list = list_of<kinds::Distance>(model_.constraints);
        for (const Link& link : shape.links) {
            const double apart =
                length(to_double(shape.positions[link.a]) - to_double(shape.positions[link.b]));
            const float rest = std::isnan(link.rest_length) ? static_cast<float>(apart) : link.rest_length;
            list.add({first_ + link.a, first_ + link.b}, {rest}, part);
            model_.lines.push_back({first_ + link.a, first_ + link.b});
        }
        add_triangles(shape.triangles);
    }

    std::uint32_t particle_of(const ParticleReference& reference) const {
        return model_.bodies[reference.body].first_particle + reference.particle;
    }

    void add_attachment(const Attachment& attachment) {
        const std::uint32_t part = add_part(attachment.elasticity, {});
        const std::uint32_t particle = particle_of(attachment.particle);
        std::uint32_t anchor = model::no_anchor, other = 0;
        if (const auto* point = std::get_if<Vec3d>(&attachment.target)) {
            other = anchor = add_particle(*point, 1, {}, false, 0);
            anchored_bodies_.push_back(attachment.particle.body);
        } else {
            other = particle_of(std::get<ParticleReference>(attachment.target));
        }
        list_of<kinds::Attachment>(model_.constraints).add({particle, other}, {}, part);
        model_.attachment_parts.push_back(part);
        model_.anchors.push_back(anchor);
    }

    // Bodies that are tied to each other share an origin; each island's particles are taken relative to it.
    void place_origins() {
        const std::size_t bodies = description_.bodies.size();
        UnionFind tied(bodies);
        for (const Attachment& a : description_.attachments) {
            if (const auto* other = std::get_if<ParticleReference>(&a.target))
                tied.join(a.particle.body, other->body);
        }
        std::vector<std::uint32_t> island_of_body;
        const std::uint32_t islands = tied.number_sets(island_of_body);

        for (std::size_t b = 0; b < bodies; ++b) {
            model_.island_of.insert(model_.island_of.end(), model_.bodies[b].particle_count,
                                    island_of_body[b]);
            model_.bodies[b].island = island_of_body[b];
        }
        for (std::uint32_t b : anchored_bodies_) model_.island_of.push_back(island_of_body[b]);

        std::vector<BoundsOf<double>> bounds(islands);
        for (std::size_t i = 0; i < model_.visible; ++i) bounds[model_.island_of[i]].add(world_[i]);
        for (const BoundsOf<double>& b : bounds) {
            const Vec3d extent = b.extent();
            model::Island island;
            island.size = std::exp2(std::ceil(std::log2(max(max(extent.x, max(extent.y, extent.z)), 1e-6))));
            const Vec3d c = b.center();
            origins_.push_back({place_origin(c.x, island.grid(), 0), place_origin(c.y, island.grid(), 1),
                                place_origin(c.z, island.grid(), 2)});
            model_.islands.push_back(island);
        }
        for (std::size_t i = 0; i < world_.size(); ++i)
            model_.rest_positions.push_back(to_float(world_[i] - origins_[model_.island_of[i]]));
    }

    model::State make_state(const solvers::position_based::Plan& plan) const {
        model::State state;
        model::PositionBasedState& particles = state.position_based;
        particles.position.assign(plan.floats(), 0.0f);
        particles.predicted.assign(plan.floats(), 0.0f);
        particles.displacement.assign(plan.floats(), 0.0f);
        particles.substep = 1;  // displacements are velocities until the first step rescales them
        for (std::size_t i = 0; i < model_.particles(); ++i) {
            float* x = particles.position.data() + plan.slot_of[i] * floats_per_particle;
            float* u = particles.displacement.data() + plan.slot_of[i] * floats_per_particle;
            x[0] = model_.rest_positions[i].x;
            x[1] = model_.rest_positions[i].y;
            x[2] = model_.rest_positions[i].z;
            x[3] = model_.is_dynamic[i] ? model_.inverse_masses[i] : 0.0f;
            u[0] = velocities_[i].x;
            u[1] = velocities_[i].y;
            u[2] = velocities_[i].z;
        }
        state.origins = origins_;
        state.colliders = description_.colliders;
        state.recent_speeds.assign(model_.islands.size(), 0.0);
        state.untangling = {{},
                            std::vector<std::uint8_t>(model_.islands.size(), solvers::most_tries),
                            solvers::seconds_between_scans,
                            solvers::seconds_for_a_try};
        state.visible_positions.resize(model_.visible);
        state.visible_velocities.resize(model_.visible);
        for (std::size_t i = model_.visible; i < world_.size(); ++i)
            state.driven.push_back({static_cast<std::uint32_t>(i), world_[i]});
        return state;
    }

    const Description& description_;
    model::Model model_;
    std::vector<Vec3d> world_;
    std::vector<double> masses_;
    std::vector<Vec3> velocities_;
    std::vector<Vec3d> origins_;
    std::vector<std::uint32_t> anchored_bodies_;  // body of each anchor
    std::uint32_t first_ = 0;                     // of the body being added
    std::string name_;
};

}  // namespace

Result<Assembly> assemble(const Description& description) { return Assembler(description).run(); }

}  // namespace pliant
