#include "solvers/position_based/coarse/coarse_level.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "base/convert.h"
#include "solvers/position_based/coarse/box_grid.h"
#include "solvers/position_based/coarse/element_shape.h"
#include "solvers/position_based/plan.h"

namespace pliant::solvers::position_based {
namespace {

constexpr std::size_t corners = CoarseLevel::corners;
constexpr std::size_t groups_per_run = 8;
constexpr float weight_of_held =
    1e6f;  // times the mass of particles that are held, so that nodes leave them there
constexpr double mass_of_other_motions =
    1e-4;  // of a box's corners, that are not affine; relative to its mass
using Nodes = std::array<std::uint32_t, corners>;

// The eight signs of the corners for a motion along one of its sides, two, or all three.
double sign(std::size_t corner, std::size_t sides) {
    const std::size_t differing = corner & sides;
    return ((differing & 1) + (differing >> 1 & 1) + (differing >> 2)) % 2 == 0 ? 1 : -1;
}

// τ/h. A body that lands sends waves through itself that carry off energy, and most of them are shorter than
// boxes and substeps can carry. The nodes that land first stop dead, which takes a share of 1/2n with n boxes
// along the shortest side; viscosity takes the rest. Both numbers are fitted: boxes of 6 to 32 layers bounce
// as they do with 80 substeps, within 10 %.
double viscosity_of(const BoxGrid& grid) {
    const double fewest = *std::min_element(grid.counts.begin(), grid.counts.end());
    return 1.2 - 1.3 / fewest;
}

class BodyBuilder {
public:
    BodyBuilder(const model::Model& model, const Plan& plan, const BodyView& body, const BoxGrid& grid,
                std::span<const std::uint8_t> is_held, CoarseLevel& level)
        : model_(model), plan_(plan), body_(body), grid_(grid), is_held_(is_held), level_(level) {}

    void run() {
        made_.first_box = static_cast<std::uint32_t>(level_.boxes());
        made_.first_node = static_cast<std::uint32_t>(level_.nodes());
        made_.first_run = static_cast<std::uint32_t>(level_.runs.size());
        made_.first_group = static_cast<std::uint32_t>(level_.group_nodes.size());
        made_.first_element = static_cast<std::uint32_t>(level_.element_boxes.size());
        made_.elements = body_.tetrahedron_count;
        made_.body = static_cast<std::uint32_t>(&body_ - model_.bodies.data());
        made_.part = model_.tetrahedron_parts[body_.first_tetrahedron];
        made_.has_elements = has_elements();
        made_.box_size = grid_.size;
        made_.viscosity = viscosity_of(grid_);
        place_all();
        nodes_ = split_nodes(grid_.counts, particles_, elements_, tetrahedra_);
        number_nodes();
        find_node_masses();
        make_boxes();
        make_groups();
        make_mass_matrix();
        find_mean_gradients();
        level_.bodies.push_back(std::move(made_));
    }

private:
    Vec3d position(std::uint32_t particle) const {
        return to_double(model_.rest_positions[body_.first_particle + particle]);
    }
    double mass(std::uint32_t particle) const {
        return 1 / double(model_.inverse_masses[body_.first_particle + particle]);
    }
    bool is_held(std::uint32_t particle) const { return is_held_[body_.first_particle + particle] != 0; }

    bool has_elements() const {
        bool found = false;
        constraints::BlockKinds::for_each([&]<class Kind>() {
            for (const auto& members : constraints::list_of<Kind>(model_.constraints).particles)
                found = found || members[0] - body_.first_particle < body_.particle_count;
        });
        return found;
    }

    void place_all() {
        for (std::uint32_t i = 0; i < body_.particle_count; ++i)
            particles_.push_back(grid_.place(position(i)));
        for (std::uint32_t t = 0; t < body_.tetrahedron_count; ++t) {
            Tetrahedron own = model_.tetrahedra[body_.first_tetrahedron + t];
            Vec3d sum{};
            for (std::uint32_t& p : own) {
                p -= body_.first_particle;
                sum = sum + position(p);
            }
            tetrahedra_.push_back(own);
            elements_.push_back(grid_.place(sum * 0.25));
        }
    }

    // Along the longest side first: then those that share a box have numbers near each other. From high to
    // low: most bodies touch what is below them, and what touches is best at the end (coarse_solve.cpp).
    void number_nodes() {
        std::vector<std::array<std::uint32_t, 3>> spots(nodes_.count);
        const auto take = [&](const GridPlace& place, const Nodes& nodes) {
            for (std::uint32_t c = 0; c < corners; ++c)
                spots[nodes[c]] = {place.box[0] + (c & 1), place.box[1] + (c >> 1 & 1),
                                   place.box[2] + (c >> 2)};
        };
        for (std::size_t i = 0; i < particles_.size(); ++i) take(particles_[i], nodes_.of_particles[i]);
        for (std::size_t t = 0; t < elements_.size(); ++t) take(elements_[t], nodes_.of_elements[t]);
        const auto axes = grid_.axes();
        std::vector<std::uint32_t> order(nodes_.count), number(nodes_.count);
        std::iota(order.begin(), order.end(), 0u);
        std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
            for (const std::size_t axis : axes) {
                if (spots[a][axis] != spots[b][axis]) return spots[a][axis] > spots[b][axis];
            }
            return false;
        });
        for (std::uint32_t i = 0; i < order.size(); ++i) number[order[i]] = i;
        for (auto* lists : {&nodes_.of_particles, &nodes_.of_elements}) {
            for (Nodes& nodes : *lists) {
                for (std::uint32_t& n : nodes) n = number[n];
            }
        }
        made_.nodes = nodes_.count;
    }

    void find_node_masses() {
        level_.node_masses.resize(made_.first_node + nodes_.count, 0.0);
        level_.node_weights.resize(made_.first_node + nodes_.count, 0.0);
        for (std::uint32_t i = 0; i < body_.particle_count; ++i) {
            const auto weights = corner_weights(particles_[i].coordinates);
            for (std::size_t c = 0; c < corners; ++c) {
                const std::size_t node = made_.first_node + nodes_.of_particles[i][c];
                level_.node_masses[node] += weights[c] * mass(i);
                level_.node_weights[node] = std::max(level_.node_weights[node], weights[c]);
            }
        }
    }

    Nodes numbered(Nodes nodes) const {
        for (std::uint32_t& n : nodes) n += made_.first_node;
        return nodes;
    }

    // Tetrahedra of a box with the same nodes make a box of the level.
    void make_boxes() {
        std::map<std::pair<std::array<std::uint32_t, 3>, Nodes>, std::vector<std::uint32_t>> boxes;
        for (std::uint32_t t = 0; t < elements_.size(); ++t)
            boxes[{elements_[t].box, nodes_.of_elements[t]}].push_back(t);
        const std::size_t all = made_.first_element + elements_.size();
        level_.element_boxes.resize(all);
        level_.element_stiffnesses.resize(all);
        level_.element_volumes.resize(all);
        std::vector<PointInBox> points;
        for (const auto& [key, members] : boxes) {
            points.clear();
            Vec3d middle{};
            double volume = 0;
            for (const std::uint32_t t : members) {
                const ElementShape element = element_shape(model_, body_.first_tetrahedron + t);
                const std::size_t e = made_.first_element + t;
                level_.element_boxes[e] = static_cast<std::uint32_t>(level_.boxes());
                level_.element_stiffnesses[e] = static_cast<float>(element.stiffness());
                level_.element_volumes[e] = static_cast<float>(element.volume);
                points.push_back({elements_[t].coordinates, element.volume});
                middle = middle + elements_[t].coordinates * element.volume;
                volume += element.volume;
            }
            level_.box_nodes.push_back(numbered(key.second));
            level_.box_gradients.push_back(corner_gradients(middle * (1 / volume), grid_.size));
            level_.box_volumes.push_back(static_cast<float>(volume));
            level_.box_stiffnesses.push_back(box_stiffness(points, grid_.size));
        }
        made_.boxes = static_cast<std::uint32_t>(level_.boxes()) - made_.first_box;
    }

    std::uint32_t offset(std::uint32_t particle) const {
        return static_cast<std::uint32_t>(plan_.slot_of[body_.first_particle + particle] *
                                          bytes_per_particle);
    }

    void make_groups() {
        std::map<std::pair<Nodes, bool>, std::vector<std::uint32_t>> boxes;
        for (std::uint32_t i = 0; i < body_.particle_count; ++i)
            boxes[{nodes_.of_particles[i], is_held(i)}].push_back(i);
        for (const auto& [key, particles] : boxes) {
            const std::size_t at_once = block_size * groups_per_run;
            for (std::size_t first = 0; first < particles.size(); first += at_once) {
                const std::size_t count = std::min(at_once, particles.size() - first);
                add_run(key.first, key.second, std::span(particles).subspan(first, count));
            }
        }
        made_.runs = static_cast<std::uint32_t>(level_.runs.size()) - made_.first_run;
        made_.groups = static_cast<std::uint32_t>(level_.group_nodes.size()) - made_.first_group;
    }

    void add_run(const Nodes& nodes, bool held, std::span<const std::uint32_t> particles) {
        GroupRun run;
        run.weight = held ? weight_of_held : 1;
        run.first = static_cast<std::uint32_t>(level_.group_nodes.size());
        std::array<double, corners> masses{};
        for (std::size_t first = 0; first < particles.size(); first += block_size) {
            add_group(nodes, particles.subspan(first, std::min(block_size, particles.size() - first)));
            ++run.count;
        }
        for (const std::uint32_t i : particles) {
            const auto weights = corner_weights(particles_[i].coordinates);
            for (std::size_t c = 0; c < corners; ++c) masses[c] += weights[c] * mass(i);
        }
        for (std::size_t c = 0; c < corners; ++c) run.masses[c] = static_cast<float>(masses[c]);
        level_.runs.push_back(run);
    }

    void add_group(const Nodes& nodes, std::span<const std::uint32_t> particles) {
        level_.group_nodes.push_back(numbered(nodes));
        level_.group_sizes.push_back(static_cast<std::uint32_t>(particles.size()));
        const auto member = [&](std::size_t i) { return particles[i < particles.size() ? i : 0]; };
        for (std::size_t i = 0; i < block_size; ++i) {
            level_.group_offsets.push_back(offset(member(i)));
            level_.group_masses.push_back(i < particles.size() ? static_cast<float>(mass(member(i))) : 0.0f);
        }
        for (double Vec3d::*axis : {&Vec3d::x, &Vec3d::y, &Vec3d::z}) {
            for (std::size_t i = 0; i < block_size; ++i)
                level_.group_coordinates.push_back(
                    static_cast<float>(particles_[member(i)].coordinates.*axis));
        }
    }

    void make_mass_matrix() {
        std::vector<std::uint32_t> first(nodes_.count);
        std::iota(first.begin(), first.end(), 0u);
        const auto share = [&](const Nodes& nodes) {
            const std::uint32_t lowest = *std::min_element(nodes.begin(), nodes.end());
            for (const std::uint32_t n : nodes) first[n] = std::min(first[n], lowest);
        };
        for (const Nodes& nodes : nodes_.of_particles) share(nodes);
        for (const Nodes& nodes : nodes_.of_elements) share(nodes);
        made_.layout = SkylineLayout(std::move(first));
        made_.values = made_.layout.in_blocks(3);
        made_.mass.assign(made_.layout.entries(), 0.0);
        for (std::uint32_t i = 0; i < body_.particle_count; ++i) {
            const auto weights = corner_weights(particles_[i].coordinates);
            const double weighed = mass(i) * (is_held(i) ? weight_of_held : 1);
            add_mass(nodes_.of_particles[i],
                     [&](std::size_t a, std::size_t b) { return weighed * weights[a] * weights[b]; });
        }
        const double density = body_mass() / body_volume();
        for (std::uint32_t box = made_.first_box; box < made_.first_box + made_.boxes; ++box) {
            Nodes nodes = level_.box_nodes[box];
            for (std::uint32_t& n : nodes) n -= made_.first_node;
            const double scale = mass_of_other_motions * density * level_.box_volumes[box] / corners;
            add_mass(nodes, [&](std::size_t a, std::size_t b) {
                double sum = 0;
                for (const std::size_t sides : {3, 5, 6, 7}) sum += sign(a, sides) * sign(b, sides);
                return scale * sum;
            });
        }
        made_.mass_factor = made_.mass;
        factorize(made_.layout, made_.mass_factor);
    }

    void find_mean_gradients() {
        made_.mean_gradients.assign(nodes_.count, {});
        const double all = body_volume();
        for (std::uint32_t box = made_.first_box; box < made_.first_box + made_.boxes; ++box) {
            for (std::size_t c = 0; c < corners; ++c) {
                Vec3d& sum = made_.mean_gradients[level_.box_nodes[box][c] - made_.first_node];
                sum = sum + level_.box_gradients[box][c] * (level_.box_volumes[box] / all);
            }
        }
    }

    template <class F>
    void add_mass(const Nodes& nodes, F&& value) {
        for (std::size_t a = 0; a < corners; ++a) {
            for (std::size_t b = 0; b < corners; ++b) {
                if (nodes[b] <= nodes[a])
                    made_.layout.row(made_.mass.data(), nodes[a])[nodes[b]] += value(a, b);
            }
        }
    }

    double body_mass() const {
        double sum = 0;
        for (std::uint32_t i = 0; i < body_.particle_count; ++i) sum += mass(i);
        return sum;
    }
    double body_volume() const {
        double sum = 0;
        for (std::uint32_t box = made_.first_box; box < made_.first_box + made_.boxes; ++box)
            sum += level_.box_volumes[box];
        return sum;
    }

    const model::Model& model_;
    const Plan& plan_;
    const BodyView& body_;
    const BoxGrid& grid_;
    std::span<const std::uint8_t> is_held_;
    CoarseLevel& level_;
    CoarseBody made_;
    std::vector<GridPlace> particles_, elements_;
    std::vector<Tetrahedron> tetrahedra_;  // particles counted within the body
    SplitNodes nodes_;
};

// Held, or joined by a constraint to something that is held and is no part of a solid.
std::vector<std::uint8_t> find_held(const model::Model& model, std::span<const std::uint8_t> is_dynamic) {
    std::vector<std::uint8_t> held(model.particles(), 0);
    for (std::size_t i = 0; i < held.size(); ++i) held[i] = !is_dynamic[i];
    constraints::ScalarKinds::for_each([&]<class Kind>() {
        for (const auto& members : constraints::list_of<Kind>(model.constraints).particles) {
            const bool is_anchored = std::any_of(members.begin(), members.end(),
                                                 [&](std::uint32_t p) { return p >= model.visible; });
            if (!is_anchored) continue;
            for (const std::uint32_t p : members) held[p] = 1;
        }
    });
    return held;
}

}  // namespace

CoarseLevel make_coarse_level(const model::Model& model, const Plan& plan,
                              std::span<const std::uint8_t> is_dynamic) {
    CoarseLevel level;
    const std::vector<std::uint8_t> is_held = find_held(model, is_dynamic);
    for (const BodyView& body : model.bodies) {
        if (body.tetrahedron_count == 0) continue;
        const std::optional<BoxGrid> grid = make_box_grid(model, body);
        if (grid) BodyBuilder(model, plan, body, *grid, is_held, level).run();
    }
    return level;
}

}  // namespace pliant::solvers::position_based
