#include "solvers/position_based/contact/contact_plan.h"

#include <algorithm>
#include <span>
#include <utility>

#include "base/geometry/curve_order.h"
#include "base/particle_layout.h"
#include "base/union_find.h"
#include "constraints/roles.h"
#include "solvers/position_based/plan.h"

namespace pliant::solvers::position_based {
namespace {

using model::Model;

// The surface of a body. Its vertices are numbered along a curve; elements are sorted by their first one.
class Surface {
public:
    // is_rider: of each particle. Hair that grows from a body touches nothing there.
    Surface(const Model& model, const BodyView& body, std::span<const std::uint8_t> is_rider) {
        const auto touches = [&](const Edge& line) { return !is_rider[line[0]] && !is_rider[line[1]]; };
        number_vertices(model, body, touches);
        for (std::uint32_t t = 0; t < body.triangle_count; ++t) {
            const Triangle& triangle = model.triangles[body.first_triangle + t];
            const std::array<std::uint32_t, 3> corners{number(triangle[0]), number(triangle[1]),
                                                       number(triangle[2])};
            triangles_.push_back(corners);
            for (std::size_t k = 0; k < 3; ++k) add_edge(corners[k], corners[(k + 1) % 3]);
        }
        has_lines_ = triangles_.empty();
        if (has_lines_) {
            for (std::uint32_t l = 0; l < body.line_count; ++l) {
                const Edge& line = model.lines[body.first_line + l];
                if (touches(line)) add_edge(number(line[0]), number(line[1]));
            }
        }
        std::sort(edges_.begin(), edges_.end());
        edges_.erase(std::unique(edges_.begin(), edges_.end()), edges_.end());
        find_wings();
        std::sort(triangles_.begin(), triangles_.end(), [](const auto& a, const auto& b) {
            const std::uint32_t first_a = *std::min_element(a.begin(), a.end()),
                                first_b = *std::min_element(b.begin(), b.end());
            return first_a != first_b ? first_a < first_b : a < b;
        });
    }

    const std::vector<std::uint32_t>& vertices() const { return vertices_; }  // particles
    const std::vector<std::array<std::uint32_t, 2>>& edges() const { return edges_; }
    const std::vector<std::array<std::uint32_t, 2>>& wings() const { return wings_; }  // of edges
    const std::vector<std::array<std::uint32_t, 3>>& triangles() const { return triangles_; }
    bool has_lines() const { return has_lines_; }

private:
    template <class Touches>
    void number_vertices(const Model& model, const BodyView& body, const Touches& touches) {
        first_ = body.first_particle;
        std::vector<std::uint8_t> is_used(body.particle_count, body.triangle_count + body.line_count == 0);
        for (std::uint32_t t = 0; t < body.triangle_count; ++t) {
            for (const std::uint32_t p : model.triangles[body.first_triangle + t]) is_used[p - first_] = 1;
        }
        for (std::uint32_t l = 0; body.triangle_count == 0 && l < body.line_count; ++l) {
            const Edge& line = model.lines[body.first_line + l];
            if (touches(line)) is_used[line[0] - first_] = is_used[line[1] - first_] = 1;
        }
        for (std::uint32_t p = 0; p < body.particle_count; ++p) {
            if (is_used[p]) vertices_.push_back(first_ + p);
        }
        const CurveOrder curve(std::span(model.rest_positions).subspan(first_, body.particle_count));
        std::vector<std::pair<std::uint64_t, std::uint32_t>> keys;
        for (const std::uint32_t p : vertices_) keys.push_back({curve(model.rest_positions[p]), p});
        // A rope is in order already.
        if (body.triangle_count > 0 || body.line_count == 0) std::sort(keys.begin(), keys.end());
        numbers_.resize(body.particle_count);
        for (std::uint32_t i = 0; i < keys.size(); ++i) {
            vertices_[i] = keys[i].second;
            numbers_[keys[i].second - first_] = i;
        }
    }
    void find_wings() {
        wings_.assign(edges_.size(), {ContactPlan::none, ContactPlan::none});
        for (const auto& corners : triangles_) {
            for (std::size_t k = 0; k < 3; ++k) {
                const std::uint32_t a = corners[k], b = corners[(k + 1) % 3];
                const std::array<std::uint32_t, 2> edge{std::min(a, b), std::max(a, b)};
                const auto at = std::lower_bound(edges_.begin(), edges_.end(), edge) - edges_.begin();
                std::array<std::uint32_t, 2>& wings = wings_[static_cast<std::size_t>(at)];
                wings[wings[0] == ContactPlan::none ? 0 : 1] = corners[(k + 2) % 3];
            }
        }
    }
    std::uint32_t number(std::uint32_t particle) const { return numbers_[particle - first_]; }
    void add_edge(std::uint32_t a, std::uint32_t b) { edges_.push_back({std::min(a, b), std::max(a, b)}); }

    std::uint32_t first_ = 0;
    std::vector<std::uint32_t> vertices_, numbers_;
    std::vector<std::array<std::uint32_t, 2>> edges_, wings_;
    std::vector<std::array<std::uint32_t, 3>> triangles_;
    bool has_lines_ = false;
};

class PatchMaker {
public:
    PatchMaker(const Model& model, const Plan& plan, ContactPlan& result)
        : model_(model), plan_(plan), result_(result), is_rider_(model.rest_positions.size(), 0) {
        for (const model::Rider& rider : model.riders) is_rider_[rider.particle] = 1;
    }

    void add_body(std::uint32_t b) {
        const BodyView& body = model_.bodies[b];
        const model::BodyContact& contact = model_.contacts[b];
        const Surface surface(model_, body, is_rider_);
        const auto offset = [&](std::uint32_t vertex) {
            return static_cast<std::uint32_t>(plan_.slot_of[surface.vertices()[vertex]] * bytes_per_particle);
        };
        standard_ = {};
        standard_.body = b;
        standard_.island = body.island;
        standard_.radius = contact.radius;
        standard_.spacing = contact.spacing;
        standard_.has_lines = surface.has_lines();
        standard_.is_closed = body.tetrahedron_count > 0;
        vertex_triangles_.assign(surface.vertices().size(), {});
        for (std::uint32_t t = 0; t < surface.triangles().size(); ++t) {
            for (const std::uint32_t vertex : surface.triangles()[t]) vertex_triangles_[vertex].push_back(t);
        }
        const auto add_to_star = [&](std::uint32_t vertex) {
            star_.insert(star_.end(), vertex_triangles_[vertex].begin(), vertex_triangles_[vertex].end());
        };
        const auto end = [&] { end_patch(surface, offset); };
        begin();
        std::size_t edge = 0, triangle = 0;
        for (std::uint32_t vertex = 0; vertex < surface.vertices().size(); ++vertex) {
            std::size_t edges = edge, triangles = triangle;
            while (edges < surface.edges().size() && surface.edges()[edges][0] == vertex) ++edges;
            while (triangles < surface.triangles().size() &&
                   first_of(surface.triangles()[triangles]) == vertex)
                ++triangles;
            if (!has_room(1, edges - edge, triangles - triangle)) end(), begin();
            add_vertex(offset(vertex));
            add_to_star(vertex);
            // A vertex with more neighbours than a patch has room for goes on in patches without vertices.
            for (; edge < edges; ++edge) {
                if (!has_room(0, 1, 0)) end(), begin();
                result_.edges.push_back({offset(surface.edges()[edge][0]), offset(surface.edges()[edge][1])});
                const auto wing = [&](std::uint32_t corner) {
                    return corner == ContactPlan::none ? corner : offset(corner);
                };
                result_.wings.push_back({wing(surface.wings()[edge][0]), wing(surface.wings()[edge][1])});
                ++patch_.edges;
                if (patch_.vertices == 0) add_to_star(vertex);
            }
            for (; triangle < triangles; ++triangle) {
                if (!has_room(0, 0, 1)) end(), begin();
                const auto& t = surface.triangles()[triangle];
                result_.triangles.push_back({offset(t[0]), offset(t[1]), offset(t[2])});
                ++patch_.triangles;
                if (patch_.vertices == 0) add_to_star(vertex);
            }
        }
        end();
    }

private:
    static std::uint32_t first_of(const std::array<std::uint32_t, 3>& t) {
        return std::min(t[0], std::min(t[1], t[2]));
    }
    bool has_room(std::size_t vertices, std::size_t edges, std::size_t triangles) const {
        return patch_.vertices + vertices <= Patch::most_vertices &&
               patch_.edges + edges <= Patch::most_edges &&
               patch_.triangles + triangles <= Patch::most_triangles;
    }
    void begin() {
        patch_ = standard_;
        patch_.first_vertex = static_cast<std::uint32_t>(result_.vertices.size());
        patch_.first_edge = static_cast<std::uint32_t>(result_.edges.size());
        patch_.first_triangle = static_cast<std::uint32_t>(result_.triangles.size());
        patch_.first_of_closure = static_cast<std::uint32_t>(result_.closures.size());
    }
    void add_vertex(std::uint32_t offset) {
        result_.vertices.push_back(offset);
        ++patch_.vertices;
    }
    template <class Offset>
    void end_patch(const Surface& surface, const Offset& offset) {
        if (patch_.vertices + patch_.edges + patch_.triangles == 0) return;
        std::sort(star_.begin(), star_.end());
        star_.erase(std::unique(star_.begin(), star_.end()), star_.end());
        patch_.first_of_star = static_cast<std::uint32_t>(result_.stars.size());
        if (star_.size() <= Patch::most_in_star) {
            patch_.star = static_cast<std::uint32_t>(star_.size());
            for (const std::uint32_t t : star_) {
                const auto& corners = surface.triangles()[t];
                result_.stars.push_back({offset(corners[0]), offset(corners[1]), offset(corners[2])});
            }
        }
        star_.clear();
        closure_.assign(result_.vertices.begin() + patch_.first_vertex, result_.vertices.end());
        for (std::size_t i = patch_.first_edge; i < result_.edges.size(); ++i)
            closure_.insert(closure_.end(), result_.edges[i].begin(), result_.edges[i].end());
        for (std::size_t i = patch_.first_triangle; i < result_.triangles.size(); ++i)
            closure_.insert(closure_.end(), result_.triangles[i].begin(), result_.triangles[i].end());
        std::sort(closure_.begin(), closure_.end());
        closure_.erase(std::unique(closure_.begin(), closure_.end()), closure_.end());
        result_.closures.insert(result_.closures.end(), closure_.begin(), closure_.end());
        patch_.closure = static_cast<std::uint32_t>(closure_.size());
        result_.patches.push_back(patch_);
    }

    const Model& model_;
    const Plan& plan_;
    ContactPlan& result_;
    std::vector<std::uint8_t> is_rider_;
    Patch standard_, patch_;
    std::vector<std::uint32_t> closure_, star_;
    std::vector<std::vector<std::uint32_t>> vertex_triangles_;
};

// Patches that share a vertex.
void find_neighbours(const Plan& plan, ContactPlan& result) {
    std::vector<std::vector<std::uint32_t>> patches_of(plan.slots());
    const auto closure_of = [&](const Patch& patch) {
        return std::span(result.closures).subspan(patch.first_of_closure, patch.closure);
    };
    for (std::uint32_t p = 0; p < result.patches.size(); ++p) {
        for (const std::uint32_t offset : closure_of(result.patches[p]))
            patches_of[offset / bytes_per_particle].push_back(p);
    }
    for (const auto& patches : patches_of) {
        result.first_patch_at.push_back(static_cast<std::uint32_t>(result.patches_at.size()));
        result.patches_at.insert(result.patches_at.end(), patches.begin(), patches.end());
    }
    result.first_patch_at.push_back(static_cast<std::uint32_t>(result.patches_at.size()));
    std::vector<std::uint32_t> near;
    for (Patch& patch : result.patches) {
        near.clear();
        for (const std::uint32_t offset : closure_of(patch)) {
            const auto& others = patches_of[offset / bytes_per_particle];
            near.insert(near.end(), others.begin(), others.end());
        }
        std::sort(near.begin(), near.end());
        near.erase(std::unique(near.begin(), near.end()), near.end());
        patch.first_neighbour = static_cast<std::uint32_t>(result.neighbours.size());
        patch.neighbours = static_cast<std::uint32_t>(near.size());
        result.neighbours.insert(result.neighbours.end(), near.begin(), near.end());
    }
}

void find_ties(const Model& model, const Plan& plan, ContactPlan& result) {
    UnionFind tied(model.particles());
    for (const auto& pair : constraints::list_of<constraints::Tie>(model.constraints).particles) {
        if (pair[0] < model.visible && pair[1] < model.visible) tied.join(pair[0], pair[1]);
    }
    result.tied.assign(plan.slots(), 0);
    for (std::uint32_t p = 0; p < model.particles(); ++p) result.tied[plan.slot_of[p]] = tied.find(p);
}

void find_carriers(const Model& model, ContactPlan& result) {
    const auto body_of = [&](std::uint32_t particle) {
        const auto after =
            std::upper_bound(model.bodies.begin(), model.bodies.end(), particle,
                             [](std::uint32_t p, const BodyView& body) { return p < body.first_particle; });
        return static_cast<std::uint32_t>(after - model.bodies.begin()) - 1;
    };
    result.carriers.assign(model.bodies.size(), ContactPlan::none);
    for (const model::Rider& rider : model.riders)
        result.carriers[body_of(rider.particle)] = body_of(rider.triangle[0]);
}

// Grains meet each other elsewhere (grains/grain_step.h).
bool touches_something(const Model& model, const ContactPlan& contact, std::size_t b) {
    const auto& contacts = model.contacts;
    for (std::size_t other = 0; other < contacts.size(); ++other) {
        if (is_grains(model, b) && is_grains(model, other)) continue;
        if (contact.grows(static_cast<std::uint32_t>(b), static_cast<std::uint32_t>(other))) continue;
        if (contacts[b].radius > 0 && contacts[other].radius > 0 &&
            model::may_touch(contacts[b], contacts[other], other == b))
            return true;
    }
    return false;
}

}  // namespace

ContactPlan make_contact_plan(const Model& model, const Plan& plan) {
    ContactPlan result;
    find_carriers(model, result);
    PatchMaker maker(model, plan, result);
    for (std::uint32_t b = 0; b < model.bodies.size(); ++b) {
        if (touches_something(model, result, b)) maker.add_body(b);
    }
    if (result.empty()) return result;
    find_neighbours(plan, result);
    find_ties(model, plan, result);
    result.rest_positions.assign(plan.floats(), 0.0f);
    for (std::size_t p = 0; p < model.particles(); ++p) {
        float* x = result.rest_positions.data() + plan.slot_of[p] * floats_per_particle;
        x[0] = model.rest_positions[p].x, x[1] = model.rest_positions[p].y, x[2] = model.rest_positions[p].z;
    }
    return result;
}

}  // namespace pliant::solvers::position_based
