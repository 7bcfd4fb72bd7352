#include "scene/assemble.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

#include "base/convert.h"
#include "base/format.h"
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
        result_input_.visible = world_.size();
        for (const Attachment& attachment : description_.attachments) add_attachment(attachment);
        if (world_.size() > most_particles) {
            return Error{"/bodies", fmt::format("must have at most {} particles, got {}", most_particles,
                                                world_.size())};
        }
        for (std::size_t i = 0; i < masses_.size(); ++i) {
            const float w = i < result_input_.visible ? static_cast<float>(1 / masses_[i]) : 0.0f;
            if (i < result_input_.visible && !(w > 0 && w <= 1e30f)) return mass_error(i);
            result_input_.inverse_masses.push_back(w);
        }
        place_origins();
        result_.model = make_model(result_input_);
        result_.state = make_state(result_.model, result_input_, velocities_);
        result_.state.origins = origins_;
        for (std::size_t i = result_input_.visible; i < world_.size(); ++i) {
            result_.state.driven.push_back({result_.model.place[i], world_[i]});
        }
        return std::move(result_);
    }

private:
    Error mass_error(std::size_t particle) const {
        std::size_t body = 0;
        while (particle >= result_.bodies[body].first_particle + result_.bodies[body].particle_count) ++body;
        return Error{fmt::format("/bodies/{}", body),
                     fmt::format("particle {} would have a mass of {:g} kg; must be 1e-30 … 1e30 kg",
                                 particle - result_.bodies[body].first_particle, masses_[particle])};
    }

    std::uint32_t add_elasticity(const Elasticity& elasticity, const ElasticityUse& use, Part part) {
        result_.elasticities.push_back(elasticity);
        result_.parts.push_back(std::move(part));
        result_input_.uses.push_back(use);
        return static_cast<std::uint32_t>(result_.elasticities.size() - 1);
    }

    std::uint32_t add_particle(const Vec3d& world, double mass, const Vec3& velocity, bool moves,
                               float radius) {
        world_.push_back(world);
        masses_.push_back(mass);
        velocities_.push_back(velocity);
        result_input_.moves.push_back(moves);
        result_input_.radii.push_back(radius);
        return static_cast<std::uint32_t>(world_.size() - 1);
    }

    void add_body(std::size_t index) {
        const Body& body = description_.bodies[index];
        BodyView view;
        view.name = name_of(body, index);
        view.first_particle = static_cast<std::uint32_t>(world_.size());
        view.first_triangle = static_cast<std::uint32_t>(result_.triangles.size());
        first_ = view.first_particle;
        name_ = view.name;
        std::visit([&](const auto& shape) { add_shape(body, shape); }, body.shape);
        for (std::uint32_t p : body.pinned) result_input_.moves[first_ + p] = 0;
        for (std::size_t i = first_; i < world_.size(); ++i) {
            if (!result_input_.moves[i]) velocities_[i] = {};
        }
        view.particle_count = static_cast<std::uint32_t>(world_.size()) - view.first_particle;
        view.triangle_count = static_cast<std::uint32_t>(result_.triangles.size()) - view.first_triangle;
        result_.bodies.push_back(std::move(view));
    }

    void add_particles(const Body& body, std::span<const Vec3> positions, std::span<const double> masses) {
        for (std::size_t i = 0; i < positions.size(); ++i) {
            add_particle(body.position + to_double(positions[i]), masses[i], body.velocity, true,
                         body.radius);
        }
    }

    void add_triangles(std::span<const Triangle> triangles) {
        for (const Triangle& t : triangles) {
            result_.triangles.push_back({first_ + t[0], first_ + t[1], first_ + t[2]});
        }
    }

    // Distances between pairs of the current body's particles, at rest as they are.
    void add_distances(std::span<const Vec3> positions, std::span<const Edge> pairs,
                       std::uint32_t elasticity) {
        auto& list = std::get<ConstraintList<kinds::Distance>>(result_input_.constraints);
        for (const Edge& e : pairs) {
            const double rest = length(to_double(positions[e[0]]) - to_double(positions[e[1]]));
            list.add({first_ + e[0], first_ + e[1]}, {static_cast<float>(rest)}, elasticity);
        }
    }

    void add_shape(const Body& body, const SoftBody& shape) {
        const std::vector<Vec3>& positions = shape.mesh.positions;
        std::vector<double> masses(positions.size(), 0.0), volumes;
        for (const Tetrahedron& t : shape.mesh.tetrahedra) {
            const Vec3d a = to_double(positions[t[0]]);
            const Vec3d b = to_double(positions[t[1]]) - a, c = to_double(positions[t[2]]) - a;
            volumes.push_back(dot(cross(b, c), to_double(positions[t[3]]) - a) / 6);
            for (std::uint32_t p : t) masses[p] += shape.density * volumes.back() / 4;
        }
        add_particles(body, positions, masses);

        // A lattice of springs k with spacing l has a modulus of about k/l: α = c/l, with the mean length.
        const std::vector<Edge> edges = unique_edges(shape.mesh.tetrahedra);
        double sum = 0;
        for (const Edge& e : edges) sum += length(to_double(positions[e[0]]) - to_double(positions[e[1]]));
        const float per_length = static_cast<float>(static_cast<double>(edges.size()) / sum);
        add_distances(positions, edges,
                      add_elasticity(shape.edges, {.uniform = per_length}, {name_, "edges"}));

        // ½·(V − V₀)²/α = ½·K·((V − V₀)/V₀)²·V₀ with α = V₀/K.
        const std::uint32_t elasticity =
            add_elasticity(shape.volumes, {.uniform = 0, .per_measure = 1}, {name_, "volumes"});
        auto& list = std::get<ConstraintList<kinds::Volume>>(result_input_.constraints);
        for (std::size_t i = 0; i < volumes.size(); ++i) {
            const Tetrahedron& t = shape.mesh.tetrahedra[i];
            list.add({first_ + t[0], first_ + t[1], first_ + t[2], first_ + t[3]},
                     {static_cast<float>(volumes[i])}, elasticity);
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
                      add_elasticity(shape.stretch, {}, {name_, "stretch"}));
        add_distances(positions, opposite_vertices(shape.mesh.triangles),
                      add_elasticity(shape.bending, {}, {name_, "bending"}));
        const std::uint32_t seam =
            add_elasticity(shape.seam, {.closing_time = shape.sewing_seconds}, {name_, "seam"});
        auto& list = std::get<ConstraintList<kinds::Attachment>>(result_input_.constraints);
        for (const Edge& e : shape.seams) list.add({first_ + e[0], first_ + e[1]}, {}, seam);
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
        add_distances(shape.positions, links,
                      add_elasticity(shape.stretch, {.uniform = 0, .per_measure = 1}, {name_, "stretch"}));
    }

    void add_shape(const Body& body, const Particles& shape) {
        std::vector<double> masses(shape.positions.size(), shape.mass);
        if (!shape.masses.empty()) std::copy(shape.masses.begin(), shape.masses.end(), masses.begin());
        add_particles(body, shape.positions, masses);
        const std::uint32_t elasticity = add_elasticity(shape.link, {}, {name_, "link"});
        auto& list = std::get<ConstraintList<kinds::Distance>>(result_input_.constraints);
        for (const Link& link : shape.links) {
            const double apart =
                length(to_double(shape.positions[link.a]) - to_double(shape.positions[link.b]));
            const float rest = std::isnan(link.rest_length) ? static_cast<float>(apart) : link.rest_length;
            list.add({first_ + link.a, first_ + link.b}, {rest}, elasticity);
        }
        add_triangles(shape.triangles);
    }

    std::uint32_t particle_of(const ParticleReference& reference) const {
        return result_.bodies[reference.body].first_particle + reference.particle;
    }

    void add_attachment(const Attachment& attachment) {
        const std::uint32_t elasticity = add_elasticity(attachment.elasticity, {}, {});
        const std::uint32_t particle = particle_of(attachment.particle);
        std::uint32_t anchor = Assembly::no_anchor, other = 0;
        if (const auto* point = std::get_if<Vec3d>(&attachment.target)) {
            other = anchor = add_particle(*point, 1, {}, false, 0);
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
            bounds[result_input_.groups[i]].add(world_[i]);
        for (const Bounds& b : bounds) {
            const double size = std::exp2(std::ceil(std::log2(max(b.extent(), 1e-6))));
            const double grid = Group{.size = size}.grid();
            const Vec3d c = b.center();
            origins_.push_back(
                {place_origin(c.x, grid, 0), place_origin(c.y, grid, 1), place_origin(c.z, grid, 2)});
            result_input_.sizes.push_back(size);
        }
        for (std::size_t i = 0; i < world_.size(); ++i) {
            result_input_.positions.push_back(to_float(world_[i] - origins_[result_input_.groups[i]]));
        }
    }

    const Description& description_;
    Assembly result_;
    ModelInput result_input_;
    std::vector<Vec3d> world_;
    std::vector<double> masses_;
    std::vector<Vec3> velocities_;
    std::vector<Vec3d> origins_;
    std::vector<std::uint32_t> anchored_bodies_;  // body of each anchor
    std::uint32_t first_ = 0;                     // of the body being added
    std::string name_;
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
