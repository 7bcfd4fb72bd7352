#include "solvers/position_based/cloth/fabric.h"

#include <algorithm>
#include <numbers>
#include <numeric>
#include <optional>

#include "base/convert.h"
#include "base/trigonometry.h"
#include "constraints/roles.h"

namespace pliant::solvers::position_based {
namespace {

constexpr std::size_t most_entries = 300'000;  // of a factor

constexpr double flat = 1e-5;  // rad: a rest angle of rounding

// 2·sin(φ₀/2)
double rest_of(double angle) {
    if (abs(angle) < flat) return 0;
    return 2 * sine_cosine_of_turns(angle / (4 * std::numbers::pi)).sine;
}

using Neighbours = std::vector<std::vector<std::uint32_t>>;

// The wings of hinges whose triangles do not share their corners: of an edge that is sewn to another.
class SewnEdges {
public:
    explicit SewnEdges(const model::Model& model, const model::ClothSurface& surface)
        : model_(model), triangles_at_(surface.particles), first_(surface.first_particle) {
        for (std::uint32_t t = surface.first_triangle; t < surface.first_triangle + surface.triangles; ++t) {
            for (const std::uint32_t corner : model.triangles[t]) triangles_at_[corner - first_].push_back(t);
        }
        for (const auto& [a, b] : constraints::list_of<constraints::Tie>(model.constraints).particles) {
            ties_.push_back({a, b});
            ties_.push_back({b, a});
        }
        std::sort(ties_.begin(), ties_.end());
    }

    // The edge of the wing's triangle that is, or is tied to, the edge from a to b.
    std::optional<Edge> edge_facing(std::uint32_t wing, std::uint32_t a, std::uint32_t b) const {
        for (const std::uint32_t t : triangles_at_[wing - first_]) {
            const Triangle& corners = model_.triangles[t];
            for (std::size_t k = 0; k < 3; ++k) {
                if (corners[k] != wing) continue;
                const std::uint32_t p = corners[(k + 1) % 3], q = corners[(k + 2) % 3];
                if (are_one(p, a) && are_one(q, b)) return Edge{p, q};
                if (are_one(q, a) && are_one(p, b)) return Edge{q, p};
            }
        }
        return {};
    }

private:
    bool are_one(std::uint32_t a, std::uint32_t b) const {
        return a == b || std::binary_search(ties_.begin(), ties_.end(), Edge{a, b});
    }

    const model::Model& model_;
    Neighbours triangles_at_;
    std::uint32_t first_;
    std::vector<Edge> ties_;
};

class FabricMaker {
public:
    FabricMaker(const model::Model& model, const model::ClothSurface& surface,
                const std::vector<double>& masses)
        : model_(model), surface_(surface), given_masses_(masses), sewn_(model, surface) {}

    Fabric run() {
        find_triangles();
        find_hinges();
        if (fabric_.triangles.empty() && fabric_.hinges.empty()) return {};
        find_neighbours();
        choose_order();
        if (fabric_.layout.entries() > most_entries) return {};
        for (const std::uint32_t vertex : fabric_.vertex_at) fabric_.masses.push_back(given_masses_[vertex]);
        find_carried();
        std::vector<std::uint32_t>& row_of = fabric_.row_of;
        row_of.resize(surface_.particles);
        for (std::uint32_t row = 0; row < fabric_.rows(); ++row) row_of[fabric_.vertex_at[row]] = row;
        for (FabricTriangle& t : fabric_.triangles) {
            for (std::uint32_t& row : t.rows) row = row_of[row];
        }
        for (FabricHinge& hinge : fabric_.hinges) {
            for (std::uint32_t& row : hinge.rows) row = row_of[row];
        }
        return std::move(fabric_);
    }

private:
    bool is_own(std::uint32_t particle) const {
        return particle >= surface_.first_particle && particle < surface_.first_particle + surface_.particles;
    }
    Vec3d point(std::uint32_t particle) const { return to_double(model_.rest_positions[particle]); }

    void find_triangles() {
        constraints::MembraneKinds::for_each([&]<class Kind>() {
            const auto& list = constraints::list_of<Kind>(model_.constraints);
            for (std::size_t i = 0; i < list.size(); ++i) {
                if (!is_own(list.particles[i][0])) continue;
                FabricTriangle triangle;
                for (std::size_t k = 0; k < 3; ++k)
                    triangle.rows[k] = list.particles[i][k] - surface_.first_particle;
                const auto& r = list.rests[i];
                triangle.rest = {r.b1_u, r.b1_v, r.b2_u, r.b2_v, r.inverse_area};
                fabric_.triangles.push_back(triangle);
            }
        });
    }

    void find_hinges() {
        const auto& flat_ones = constraints::list_of<constraints::FlatHinge>(model_.constraints);
        for (std::size_t i = 0; i < flat_ones.size(); ++i) {
            const auto& r = flat_ones.rests[i];
            const double k1 = r.k1, k2 = r.k2, k3 = r.k3;
            add_hinge(flat_ones.particles[i], {-(k1 + k2 + k3), k1, k2, k3}, r.measure, 0,
                      flat_ones.parts[i]);
        }
        const auto& folded = constraints::list_of<constraints::Hinge>(model_.constraints);
        for (std::size_t i = 0; i < folded.size(); ++i) {
            const auto& [a, b, first, second] = folded.particles[i];
            if (!is_own(a)) continue;
            std::array<double, 4> k{};
            if (!add_wing(a, b, first, 2, k) || !add_wing(a, b, second, 3, k)) {
                fabric_.hinges.clear();
                return;
            }
            add_hinge(folded.particles[i], k, folded.rests[i].measure, rest_of(double(folded.rests[i].angle)),
                      folded.parts[i]);
        }
    }

    // A wing whose foot on the edge is at x₀ + s·e and whose height is η adds (wing − x₀ − s·e)/η.
    bool add_wing(std::uint32_t a, std::uint32_t b, std::uint32_t wing, std::size_t place,
                  std::array<double, 4>& k) const {
        const std::optional<Edge> edge = sewn_.edge_facing(wing, a, b);
        if (!edge) return false;
        const Vec3d start = point((*edge)[0]), e = point((*edge)[1]) - start, side = point(wing) - start;
        const double ee = dot(e, e), share = dot(side, e) / ee, height = length(side - e * share);
        if (!(height > 0)) return false;
        k[place] += 1 / height;
        k[1] -= share / height;
        k[0] -= (1 - share) / height;
        return true;
    }

    void add_hinge(const std::array<std::uint32_t, 4>& particles, const std::array<double, 4>& k,
                   double measure, double rest, std::uint32_t part) {
        if (!is_own(particles[0]) || !(measure > 0)) return;
        FabricHinge hinge;
        for (std::size_t i = 0; i < 4; ++i) hinge.rows[i] = particles[i] - surface_.first_particle;
        hinge.k = k;
        hinge.weight = 1 / measure;
        hinge.rest = rest;
        fabric_.bending_part = part;
        fabric_.hinges.push_back(hinge);
    }

    void find_neighbours() {
        neighbours_.resize(surface_.particles);
        const auto join = [&](const auto& rows) {
            for (const std::uint32_t a : rows) {
                for (const std::uint32_t b : rows) neighbours_[a].push_back(b);
            }
        };
        for (const FabricTriangle& t : fabric_.triangles) join(t.rows);
        for (const FabricHinge& hinge : fabric_.hinges) join(hinge.rows);
        for (auto& list : neighbours_) {
            std::sort(list.begin(), list.end());
            list.erase(std::unique(list.begin(), list.end()), list.end());
        }
    }

    SkylineLayout layout_of(const std::vector<std::uint32_t>& order) const {
        std::vector<std::uint32_t> row_of(order.size()), first(order.size());
        for (std::uint32_t row = 0; row < order.size(); ++row) row_of[order[row]] = row;
        for (std::uint32_t row = 0; row < order.size(); ++row) {
            first[row] = row;
            for (const std::uint32_t other : neighbours_[order[row]])
                first[row] = std::min(first[row], row_of[other]);
        }
        return SkylineLayout(std::move(first));
    }

    // Along an axis, or breadth first from an end, whichever fills in least.
    void choose_order() {
        std::vector<std::uint32_t> order(surface_.particles);
        const auto take_if_better = [&] {
            SkylineLayout layout = layout_of(order);
            if (!fabric_.empty() && layout.entries() >= fabric_.layout.entries()) return;
            fabric_.vertex_at = order;
            fabric_.layout = std::move(layout);
        };
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const auto at = [&](std::uint32_t vertex) {
                const Vec3& p = model_.rest_positions[surface_.first_particle + vertex];
                return axis == 0 ? p.x : axis == 1 ? p.y : p.z;
            };
            std::iota(order.begin(), order.end(), std::uint32_t{0});
            std::stable_sort(order.begin(), order.end(),
                             [&](std::uint32_t a, std::uint32_t b) { return at(a) < at(b); });
            take_if_better();
        }
        order = breadth_first();
        take_if_better();
    }

    std::vector<std::uint32_t> breadth_first() const {
        std::vector<std::uint32_t> order;
        std::vector<std::uint8_t> is_done(surface_.particles, 0);
        for (std::uint32_t start = 0; start < surface_.particles; ++start) {
            if (is_done[start]) continue;
            std::vector<std::uint8_t> seen = is_done;
            const std::uint32_t end = spread(start, seen).back();
            const std::vector<std::uint32_t> found = spread(end, is_done);
            order.insert(order.end(), found.rbegin(), found.rend());
        }
        return order;
    }

    std::vector<std::uint32_t> spread(std::uint32_t start, std::vector<std::uint8_t>& is_done) const {
        std::vector<std::uint32_t> found{start};
        is_done[start] = 1;
        for (std::size_t i = 0; i < found.size(); ++i) {
            for (const std::uint32_t other : neighbours_[found[i]]) {
                if (is_done[other]) continue;
                is_done[other] = 1;
                found.push_back(other);
            }
        }
        return found;
    }

    // As long as rows are particles yet. Twice one over the mass term, times the measure (projection.h).
    void find_carried() {
        const auto mass = [&](std::uint32_t vertex) { return given_masses_[vertex]; };
        for (const FabricTriangle& t : fabric_.triangles) {
            const auto& r = t.rest;
            const double b0u = r.b1_u + r.b2_u, b0v = r.b1_v + r.b2_v;
            const double sum = (b0u * b0u + b0v * b0v) / mass(t.rows[0]) +
                               (r.b1_u * r.b1_u + r.b1_v * r.b1_v) / mass(t.rows[1]) +
                               (r.b2_u * r.b2_u + r.b2_v * r.b2_v) / mass(t.rows[2]);
            fabric_.membrane_per_sweep += 2 * r.inverse_area / sum / double(fabric_.triangles.size());
        }
        for (const FabricHinge& hinge : fabric_.hinges) {
            double sum = 0;
            for (std::size_t i = 0; i < 4; ++i) sum += hinge.k[i] * hinge.k[i] / mass(hinge.rows[i]);
            fabric_.bending_per_sweep += 2 / (hinge.weight * sum) / double(fabric_.hinges.size());
        }
    }

    const model::Model& model_;
    const model::ClothSurface& surface_;
    const std::vector<double>& given_masses_;
    const SewnEdges sewn_;
    Neighbours neighbours_;
    Fabric fabric_;
};

}  // namespace

Fabric make_fabric(const model::Model& model, const model::ClothSurface& surface,
                   const std::vector<double>& masses) {
    return FabricMaker(model, surface, masses).run();
}

}  // namespace pliant::solvers::position_based
