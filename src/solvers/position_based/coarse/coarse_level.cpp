#include "solvers/position_based/coarse/coarse_level.h"

#include <pliant/assertions.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "base/convert.h"
#include "base/geometry/bounds.h"
#include "solvers/position_based/coarse/element_shape.h"
#include "solvers/position_based/coarse/split_nodes.h"
#include "solvers/position_based/plan.h"

namespace pliant::solvers::position_based {
namespace {

constexpr std::size_t corners = CoarseLevel::corners;
using Nodes = std::array<std::uint32_t, corners>;

// Trilinear, in coordinates of a box; beyond it they go on as they are.
std::array<double, corners> weights_at(const Vec3d& c) {
    std::array<double, corners> weights{};
    for (std::size_t k = 0; k < corners; ++k)
        weights[k] = (k & 1 ? c.x : 1 - c.x) * (k & 2 ? c.y : 1 - c.y) * (k & 4 ? c.z : 1 - c.z);
    return weights;
}

class BodyBuilder {
public:
    BodyBuilder(const model::Model& model, const Plan& plan, const BodyView& body,
                std::span<const std::uint8_t> is_held, CoarseLevel& level)
        : model_(model), plan_(plan), body_(body), is_held_(is_held), level_(level) {}

    // Nothing, for a body that is too thin.
    void run() {
        if (!make_grid()) return;
        CoarseBody made;
        made.first_box = static_cast<std::uint32_t>(level_.box_nodes.size());
        made.first_cell = static_cast<std::uint32_t>(level_.cells());
        made.first_node = first_node_ = static_cast<std::uint32_t>(level_.nodes());
        made.first_group = static_cast<std::uint32_t>(level_.group_nodes.size());
        made.first_element = static_cast<std::uint32_t>(level_.element_cells.size());
        made.elements = body_.tetrahedron_count;
        made.body = static_cast<std::uint32_t>(&body_ - model_.bodies.data());
        made.part = model_.tetrahedron_parts[body_.first_tetrahedron];
        nodes_ = split_nodes(grid_, particles_, elements_, tetrahedra_);
        find_masses();
        make_cells();
        make_groups();
        made.boxes = static_cast<std::uint32_t>(level_.box_nodes.size()) - made.first_box;
        made.cells = static_cast<std::uint32_t>(level_.cells()) - made.first_cell;
        made.nodes = static_cast<std::uint32_t>(level_.nodes()) - made.first_node;
        made.groups = static_cast<std::uint32_t>(level_.group_nodes.size()) - made.first_group;
        level_.bodies.push_back(made);
    }

private:
    Vec3d position(std::uint32_t particle) const {
        return to_double(model_.rest_positions[body_.first_particle + particle]);
    }

    // Boxes of about eight edges, four in a body that is thinner than six, that fill the bounds of the rest
    // shape. None for a body that is thinner than four.
    bool make_grid() {
        BoundsOf<double> bounds;
        for (std::uint32_t i = 0; i < body_.particle_count; ++i) bounds.add(position(i));
        double volume = 0;
        for (std::uint32_t t = 0; t < body_.tetrahedron_count; ++t)
            volume += model_.rest_volumes[body_.first_tetrahedron + t];
        // A cube of six tetrahedra has this edge.
        const double edge = std::cbrt(6 * volume / body_.tetrahedron_count);
        const Vec3d extent = bounds.extent();
        const double thickness = min(extent.x, min(extent.y, extent.z)) / edge;
        if (!(thickness > 3.5)) return false;
        const double size = (thickness < 6 ? 4 : 8) * edge;
        const auto count = [&](double length) {
            return std::max(1u, static_cast<std::uint32_t>(std::ceil(length / size - 0.25)));
        };
        grid_ = {count(extent.x), count(extent.y), count(extent.z)};
        // Two cells of one strain each would lose a quarter of the bending stiffness, three lose a ninth.
        for (std::size_t k = 0; k < 3; ++k) cells_[k] = grid_[k] == 1 ? 3 : 2;
        low_ = bounds.low;
        box_ = {extent.x / grid_[0], extent.y / grid_[1], extent.z / grid_[2]};
        for (std::uint32_t i = 0; i < body_.particle_count; ++i) particles_.push_back(place(position(i)));
        for (std::uint32_t t = 0; t < body_.tetrahedron_count; ++t) {
            Tetrahedron own = model_.tetrahedra[body_.first_tetrahedron + t];
            Vec3d sum{};
            for (std::uint32_t& p : own) {
                p -= body_.first_particle;
                sum = sum + position(p);
            }
            tetrahedra_.push_back(own);
            elements_.push_back(place(sum * 0.25));
        }
        return true;
    }

    GridPlace place(const Vec3d& x) const {
        const auto along = [](double at, std::uint32_t count) {
            return std::min(static_cast<std::uint32_t>(std::max(at, 0.0)), count - 1);
        };
        const Vec3d at{(x.x - low_.x) / box_.x, (x.y - low_.y) / box_.y, (x.z - low_.z) / box_.z};
        const std::array<std::uint32_t, 3> box{along(at.x, grid_[0]), along(at.y, grid_[1]),
                                               along(at.z, grid_[2])};
        return {box, at - Vec3d{double(box[0]), double(box[1]), double(box[2])}};
    }
    // In a box that x need not be in.
    Vec3d coordinates(const Vec3d& x, const std::array<std::uint32_t, 3>& box) const {
        return {(x.x - low_.x) / box_.x - box[0], (x.y - low_.y) / box_.y - box[1],
                (x.z - low_.z) / box_.z - box[2]};
    }

    // A node is held if its greatest weight on a held particle is more than half of that on any.
    void find_masses() {
        std::vector<double> masses(nodes_.count, 0.0), greatest(nodes_.count, 0.0), held(nodes_.count, 0.0);
        for (std::uint32_t i = 0; i < body_.particle_count; ++i) {
            const auto weights = weights_at(particles_[i].coordinates);
            const double mass = 1 / double(model_.inverse_masses[body_.first_particle + i]);
            for (std::size_t c = 0; c < corners; ++c) {
                const std::uint32_t node = nodes_.of_particles[i][c];
                masses[node] += weights[c] * mass;
                greatest[node] = std::max(greatest[node], weights[c]);
                if (is_held_[body_.first_particle + i]) held[node] = std::max(held[node], weights[c]);
            }
        }
        for (std::uint32_t n = 0; n < nodes_.count; ++n) {
            const bool moves = masses[n] > 0 && held[n] <= greatest[n] / 2;
            level_.node_inverse_masses.push_back(moves ? static_cast<float>(1 / masses[n]) : 0.0f);
        }
    }

    Nodes numbered(Nodes nodes) const {
        for (std::uint32_t& n : nodes) n += first_node_;
        return nodes;
    }

    // Which cell of its box a place is in.
    std::size_t cell_at(const Vec3d& coordinates) const {
        const auto along = [](double at, std::uint32_t cells) {
            return std::min(static_cast<std::uint32_t>(std::max(at * cells, 0.0)), cells - 1);
        };
        return (along(coordinates.z, cells_[2]) * cells_[1] + along(coordinates.y, cells_[1])) * cells_[0] +
               along(coordinates.x, cells_[0]);
    }

    // Tetrahedra of a box with the same nodes make a box of the level, those of a cell in it a cell.
    void make_cells() {
        using OfBox = std::vector<std::vector<std::uint32_t>>;  // by cell
        std::map<std::pair<std::array<std::uint32_t, 3>, Nodes>, OfBox> boxes;
        for (std::uint32_t t = 0; t < elements_.size(); ++t) {
            OfBox& box = boxes[{elements_[t].box, nodes_.of_elements[t]}];
            box.resize(std::size_t(cells_[0]) * cells_[1] * cells_[2]);
            box[cell_at(elements_[t].coordinates)].push_back(t);
        }
        const std::size_t first_element = level_.element_cells.size();
        level_.element_cells.resize(first_element + elements_.size());
        level_.element_stiffnesses.resize(first_element + elements_.size());
        level_.element_volumes.resize(first_element + elements_.size());
        for (const auto& [key, box] : boxes) {
            level_.box_nodes.push_back(numbered(key.second));
            for (const auto& of_cell : box) {
                if (of_cell.empty()) continue;
                for (const std::uint32_t t : of_cell)
                    level_.element_cells[first_element + t] = static_cast<std::uint32_t>(level_.cells());
                add_cell(key.first, numbered(key.second), of_cell, first_element);
            }
            level_.box_cells.push_back(static_cast<std::uint32_t>(level_.cells()));
        }
    }

    void add_cell(const std::array<std::uint32_t, 3>& box, const Nodes& nodes,
                  std::span<const std::uint32_t> elements, std::size_t first_element) {
        double volume = 0;
        std::array<Vec3d, corners> gradients{};
        std::map<std::uint32_t, Vec3d> terms;  // by particle
        for (const std::uint32_t t : elements) {
            const ElementShape element = element_shape(model_, body_.first_tetrahedron + t);
            for (std::size_t k = 0; k < 4; ++k) {
                const std::uint32_t particle = tetrahedra_[t][k];
                const Vec3d scaled = element.gradients[k] * element.volume;
                const auto weights = weights_at(coordinates(position(particle), box));
                for (std::size_t c = 0; c < corners; ++c) gradients[c] = gradients[c] + scaled * weights[c];
                terms[particle] = terms[particle] + scaled;
            }
            volume += element.volume;
            level_.element_stiffnesses[first_element + t] = static_cast<float>(element.stiffness());
            level_.element_volumes[first_element + t] = static_cast<float>(element.volume);
        }
        double mass_term = 0;
        for (std::size_t c = 0; c < corners; ++c) {
            gradients[c] = gradients[c] * (1 / volume);
            mass_term += dot(gradients[c], gradients[c]) * level_.node_inverse_masses[nodes[c]];
        }
        for (double Vec3d::*axis : {&Vec3d::x, &Vec3d::y, &Vec3d::z}) {
            for (const Vec3d& g : gradients) level_.cell_gradients.push_back(static_cast<float>(g.*axis));
        }
        level_.cell_volumes.push_back(static_cast<float>(volume));
        level_.cell_mass_terms.push_back(static_cast<float>(mass_term));
        add_terms(terms, volume);
    }

    // Inside a cell the terms of a particle's tetrahedra cancel.
    void add_terms(const std::map<std::uint32_t, Vec3d>& terms, double volume) {
        double largest = 0;
        for (const auto& [particle, g] : terms) largest = std::max(largest, dot(g, g));
        std::vector<std::pair<std::uint32_t, Vec3d>> kept;
        for (const auto& [particle, g] : terms) {
            if (dot(g, g) > 1e-18 * largest) kept.push_back({offset(particle), g * (1 / volume)});
        }
        while (kept.size() % block_size != 0) kept.push_back({kept.front().first, Vec3d{}});
        for (std::size_t first = 0; first < kept.size(); first += block_size) {
            for (std::size_t i = 0; i < block_size; ++i) level_.term_offsets.push_back(kept[first + i].first);
            for (double Vec3d::*axis : {&Vec3d::x, &Vec3d::y, &Vec3d::z}) {
                for (std::size_t i = 0; i < block_size; ++i)
                    level_.term_gradients.push_back(static_cast<float>(kept[first + i].second.*axis));
            }
        }
        level_.cell_terms.push_back(static_cast<std::uint32_t>(level_.term_offsets.size() / block_size));
    }

    std::uint32_t offset(std::uint32_t particle) const {
        return static_cast<std::uint32_t>(plan_.slot_of[body_.first_particle + particle] *
                                          bytes_per_particle);
    }

    void make_groups() {
        std::map<Nodes, std::vector<std::uint32_t>> boxes;
        for (std::uint32_t i = 0; i < body_.particle_count; ++i) boxes[nodes_.of_particles[i]].push_back(i);
        for (const auto& box : boxes) {
            const std::vector<std::uint32_t>& particles = box.second;
            for (std::size_t first = 0; first < particles.size(); first += block_size) {
                level_.group_nodes.push_back(numbered(box.first));
                const std::size_t count = std::min(block_size, particles.size() - first);
                level_.group_sizes.push_back(static_cast<std::uint32_t>(count));
                const auto member = [&](std::size_t i) { return particles[i < count ? first + i : first]; };
                for (std::size_t i = 0; i < block_size; ++i)
                    level_.group_offsets.push_back(offset(member(i)));
                for (double Vec3d::*axis : {&Vec3d::x, &Vec3d::y, &Vec3d::z}) {
                    for (std::size_t i = 0; i < block_size; ++i)
                        level_.group_coordinates.push_back(
                            static_cast<float>(particles_[member(i)].coordinates.*axis));
                }
            }
        }
    }

    const model::Model& model_;
    const Plan& plan_;
    const BodyView& body_;
    std::span<const std::uint8_t> is_held_;
    CoarseLevel& level_;
    std::array<std::uint32_t, 3> grid_{};   // boxes along each axis
    std::array<std::uint32_t, 3> cells_{};  // cells of a box along each axis
    Vec3d low_, box_;                       // corner and size of a box, m
    std::vector<GridPlace> particles_, elements_;
    std::vector<Tetrahedron> tetrahedra_;  // particles counted within the body
    SplitNodes nodes_;
    std::uint32_t first_node_ = 0;
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
    level.box_cells.push_back(0);
    level.cell_terms.push_back(0);
    const std::vector<std::uint8_t> is_held = find_held(model, is_dynamic);
    for (const BodyView& body : model.bodies) {
        if (body.tetrahedron_count > 0) BodyBuilder(model, plan, body, is_held, level).run();
    }
    return level;
}

}  // namespace pliant::solvers::position_based
