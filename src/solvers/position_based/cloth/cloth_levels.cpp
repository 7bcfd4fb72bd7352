#include "solvers/position_based/cloth/cloth_levels.h"

#include <algorithm>
#include <numeric>

#include "base/convert.h"
#include "base/particle_layout.h"
#include "constraints/roles.h"
#include "solvers/position_based/cloth/node_weights.h"
#include "solvers/position_based/plan.h"

namespace pliant::solvers::position_based {
namespace {

using cloth::NearNodes;
using mesh::DistanceSearch;

// In edges: every particle is this near to a node. Finer nodes halve what large cloths stretch in motion, and
// do small ones no good.
constexpr double finest_radius = 4, finest_radius_of_large = 2;
constexpr std::uint32_t large = 4000;               // particles
constexpr double level_factor = 3;                  // from one level to the next
constexpr std::size_t fewest_nodes = 9;             // of a level
constexpr double link_reach = 2, weight_reach = 3;  // in radii of a level
constexpr std::size_t most_colours = 64;
constexpr double patch_radius = 4;      // in edges
constexpr double largest_patch = 0.25;  // as a share of the particles
constexpr std::size_t few_held = 16;    // so few carry much each

// The nodes of all levels: each as far as possible from those before it.
class NodeChooser {
public:
    explicit NodeChooser(const mesh::Surface& surface)
        : search_(surface), nearest_(surface.vertices(), std::numeric_limits<double>::infinity()) {}

    // Candidates one by one, until each of them is nearer than the radius to a node.
    void choose(std::span<const std::uint32_t> candidates, double radius) {
        std::vector<Entry> heap;
        for (const std::uint32_t c : candidates) heap.push_back({nearest_[c], c});
        std::make_heap(heap.begin(), heap.end());
        while (!heap.empty()) {
            const Entry farthest = heap.front();
            if (!(farthest.distance > radius)) return;
            std::pop_heap(heap.begin(), heap.end());
            heap.pop_back();
            const double distance = nearest_[farthest.vertex];
            if (distance < farthest.distance) {  // since then, a node came nearer
                heap.push_back({distance, farthest.vertex});
                std::push_heap(heap.begin(), heap.end());
                continue;
            }
            add(farthest.vertex);
        }
    }

    const std::vector<std::uint32_t>& nodes() const { return nodes_; }

private:
    struct Entry {
        double distance;
        std::uint32_t vertex;
        friend bool operator<(const Entry& a, const Entry& b) {  // the farthest comes first
            return a.distance != b.distance ? a.distance < b.distance : a.vertex > b.vertex;
        }
    };

    void add(std::uint32_t node) {
        nodes_.push_back(node);
        search_.run({&node, 1}, std::numeric_limits<double>::infinity(),
                    [&](std::uint32_t vertex, double distance, std::uint32_t) {
                        if (!(distance < nearest_[vertex])) return false;
                        nearest_[vertex] = distance;
                        return true;
                    });
    }

    DistanceSearch search_;
    std::vector<double> nearest_;
    std::vector<std::uint32_t> nodes_;
};

struct NodeLink {
    std::uint32_t a, b;
    double length;
};

// Greedy colouring in the order of the list; what finds no colour is left out.
NodeLinks pack_links(const std::vector<NodeLink>& links, std::size_t nodes) {
    std::vector<std::uint64_t> used(nodes, 0);
    std::vector<std::vector<std::uint32_t>> of_colour;
    for (std::uint32_t i = 0; i < links.size(); ++i) {
        std::uint64_t& a = used[links[i].a];
        std::uint64_t& b = used[links[i].b];
        std::size_t colour = 0;
        while (colour < most_colours && ((a | b) >> colour & 1)) ++colour;
        if (colour == most_colours) continue;
        a |= std::uint64_t(1) << colour;
        b |= std::uint64_t(1) << colour;
        if (of_colour.size() <= colour) of_colour.resize(colour + 1);
        of_colour[colour].push_back(i);
    }
    NodeLinks packed;
    packed.colours.push_back(0);
    for (std::size_t colour = 0; colour < of_colour.size(); ++colour) {
        const std::vector<std::uint32_t>& list = of_colour[colour];
        const auto dummy = static_cast<std::uint32_t>((nodes + colour) * bytes_per_particle);
        for (std::size_t first = 0; first < list.size(); first += block_size) {
            for (std::size_t end = 0; end < 2; ++end) {
                for (std::size_t i = first; i < first + block_size; ++i) {
                    const bool is_empty = i >= list.size();
                    const std::uint32_t node = is_empty ? 0 : end == 0 ? links[list[i]].a : links[list[i]].b;
                    packed.offsets.push_back(is_empty ? dummy : std::uint32_t(node * bytes_per_particle));
                }
            }
            for (std::size_t i = first; i < first + block_size; ++i)
                packed.lengths.push_back(i < list.size() ? static_cast<float>(links[list[i]].length) : 1.0f);
        }
        packed.colours.push_back(static_cast<std::uint32_t>(packed.lengths.size() / block_size));
    }
    return packed;
}

class SheetMaker {
public:
    SheetMaker(const model::Model& model, const Plan& plan, std::span<const std::uint8_t> is_dynamic,
               const model::ClothSurface& surface)
        : model_(model), plan_(plan), is_dynamic_(is_dynamic), surface_(surface) {
        sheet_.first_particle = surface.first_particle;
        sheet_.particles = surface.particles;
        sheet_.part = surface.part;
        sheet_.model = surface.model;
        std::vector<Triangle> triangles;
        for (std::uint32_t t = surface.first_triangle; t < surface.first_triangle + surface.triangles; ++t) {
            Triangle own = model.triangles[t];
            for (std::uint32_t& corner : own) corner -= surface.first_particle;
            triangles.push_back(own);
        }
        sheet_.surface = mesh::Surface(
            std::span(model.rest_positions).subspan(surface.first_particle, surface.particles), triangles);
    }

    ClothSheet run() {
        find_targets();
        place_targets();
        double sum = 0;
        for (std::uint32_t i = 0; i < sheet_.particles; ++i)
            sum += model_.inverse_masses[sheet_.first_particle + i];
        sheet_.mean_inverse_mass = static_cast<float>(sum / sheet_.particles);
        choose_nodes();
        for (std::size_t level = 0; level < counts_.size(); ++level) make_level(level);
        if (!counts_.empty()) make_patch();
        sheet_.fabric = make_fabric(model_, surface_, masses());
        return std::move(sheet_);
    }

private:
    std::uint32_t slot_of(std::uint32_t vertex) const {
        return plan_.slot_of[sheet_.first_particle + vertex];
    }

    bool is_own(std::uint32_t particle) const {
        return particle >= sheet_.first_particle && particle < sheet_.first_particle + sheet_.particles;
    }

    // Particles by slot, then what is tied to them.
    void find_targets() {
        std::vector<std::uint32_t> order(sheet_.particles);
        std::iota(order.begin(), order.end(), std::uint32_t{0});
        std::sort(order.begin(), order.end(),
                  [&](std::uint32_t a, std::uint32_t b) { return slot_of(a) < slot_of(b); });
        for (const std::uint32_t vertex : order)
            sheet_.targets.push_back({vertex, sheet_.first_particle + vertex});
        const auto& list = constraints::list_of<constraints::Tie>(model_.constraints);
        std::vector<std::uint32_t> riders;
        for (std::size_t i = 0; i < list.size(); ++i) {
            std::uint32_t own = list.particles[i][0], other = list.particles[i][1];
            if (!is_own(own)) std::swap(own, other);
            if (!is_own(own) || is_own(other)) continue;
            if (other >= model_.visible) {
                sheet_.attachments.push_back({own - sheet_.first_particle, other, list.parts[i]});
            } else if (model_.parts[list.parts[i]].at_start.elasticity.compliance == 0 && !is_cloth(other) &&
                       std::find(riders.begin(), riders.end(), other) == riders.end()) {
                riders.push_back(other);
                sheet_.targets.push_back({own - sheet_.first_particle, other});
            }
        }
    }

    void place_targets() {
        sheet_.target_offsets.resize((sheet_.targets.size() + block_size - 1) / block_size * block_size, 0);
        for (std::size_t i = 0; i < sheet_.targets.size(); ++i) {
            sheet_.target_offsets[i] =
                static_cast<std::uint32_t>(plan_.slot_of[sheet_.targets[i].particle] * bytes_per_particle);
        }
    }

    bool is_cloth(std::uint32_t particle) const {
        return std::any_of(model_.cloths.begin(), model_.cloths.end(), [&](const model::ClothSurface& c) {
            return particle >= c.first_particle && particle < c.first_particle + c.particles;
        });
    }

    std::vector<std::uint32_t> find_held() const {
        std::vector<std::uint32_t> held;
        for (std::uint32_t v = 0; v < sheet_.particles; ++v) {
            if (!is_dynamic_[sheet_.first_particle + v]) held.push_back(v);
        }
        for (const auto& attachment : sheet_.attachments) held.push_back(attachment[0]);
        return held;
    }

    // Of the sheet's particles, with what is tied to them, kg.
    std::vector<double> masses() const {
        std::vector<double> sums(sheet_.particles, 0.0);
        for (const ClothTarget& target : sheet_.targets)
            sums[target.vertex] += 1 / double(model_.inverse_masses[target.particle]);
        return sums;
    }

    // What is held comes first; then, from the coarsest level to the finest.
    void choose_nodes() {
        double area = 0;
        for (std::uint32_t v = 0; v < sheet_.particles; ++v) {
            for (const Edge& side : sheet_.surface.sides_facing(v)) {
                const Vec3d normal = cross(sheet_.surface.point(side[0]) - sheet_.surface.point(v),
                                           sheet_.surface.point(side[1]) - sheet_.surface.point(v));
                area += length(normal) / 6;
            }
        }
        const double finest = (sheet_.particles < large ? finest_radius : finest_radius_of_large) *
                              sqrt(area / sheet_.particles);
        std::vector<double> radii{finest};
        while (radii.back() * radii.back() * double(fewest_nodes) * level_factor < area)
            radii.push_back(radii.back() * level_factor);
        spacing_ = sqrt(area / sheet_.particles);
        const std::vector<std::uint32_t> held = find_held();
        std::vector<std::uint32_t> all(sheet_.particles);
        std::iota(all.begin(), all.end(), std::uint32_t{0});
        NodeChooser chooser(sheet_.surface);
        for (std::size_t level = radii.size(); level-- > 0;) {
            chooser.choose(held, radii[level]);
            chooser.choose(all, radii[level]);
            if (chooser.nodes().size() < fewest_nodes || chooser.nodes().size() * 4 > sheet_.particles)
                continue;
            counts_.push_back(chooser.nodes().size());
            radii_.push_back(radii[level]);
        }
        std::reverse(counts_.begin(), counts_.end());
        std::reverse(radii_.begin(), radii_.end());
        nodes_ = chooser.nodes();
    }

    void make_level(std::size_t number) {
        const std::size_t nodes = counts_[number];
        const double radius = radii_[number];
        std::vector<std::uint32_t> node_of(sheet_.particles, no_node);
        for (std::uint32_t n = 0; n < nodes; ++n) node_of[nodes_[n]] = n;

        std::vector<NodeLink> links;
        std::vector<NearNodes> near(sheet_.particles);
        DistanceSearch search(sheet_.surface);
        for (std::uint32_t n = 0; n < nodes; ++n) {
            search.run({&nodes_[n], 1}, weight_reach * radius,
                       [&](std::uint32_t vertex, double distance, std::uint32_t) {
                           near[vertex].add({distance, n});
                           const std::uint32_t other = node_of[vertex];
                           if (other != no_node && other > n && distance <= link_reach * radius)
                               links.push_back({n, other, distance});
                           return true;
                       });
        }
        ClothLevel level;
        for (std::uint32_t n = 0; n < nodes; ++n) {
            level.slots.push_back(slot_of(nodes_[n]));
            level.vertices.push_back(nodes_[n]);
        }
        level.links = pack_links(links, nodes);
        weigh(near, weight_reach * radius, number, level);
        sheet_.levels.push_back(std::move(level));
    }

    // Where much hangs on few particles, edges get more than one sweep.
    void make_patch() {
        std::vector<std::uint32_t> seeds = find_held();
        if (seeds.size() > few_held) seeds.clear();
        for (std::size_t t = sheet_.particles; t < sheet_.targets.size(); ++t)
            seeds.push_back(sheet_.targets[t].vertex);
        if (seeds.empty()) return;
        std::vector<std::uint32_t> node_of(sheet_.particles, no_node);
        ClothLevel& patch = sheet_.patch;
        DistanceSearch search(sheet_.surface);
        search.run(seeds, patch_radius * spacing_, [&](std::uint32_t vertex, double, std::uint32_t) {
            node_of[vertex] = static_cast<std::uint32_t>(patch.vertices.size());
            patch.vertices.push_back(vertex);
            patch.slots.push_back(slot_of(vertex));
            return true;
        });
        if (patch.vertices.size() > largest_patch * sheet_.particles) {
            patch = {};
            return;
        }
        std::vector<NodeLink> links;
        for (std::uint32_t n = 0; n < patch.nodes(); ++n) {
            std::vector<std::uint32_t> others;
            for (const Edge& side : sheet_.surface.sides_facing(patch.vertices[n])) {
                for (const std::uint32_t vertex : side) {
                    if (node_of[vertex] != no_node && node_of[vertex] > n) others.push_back(vertex);
                }
            }
            std::sort(others.begin(), others.end());
            others.erase(std::unique(others.begin(), others.end()), others.end());
            for (const std::uint32_t vertex : others) {
                links.push_back(
                    {n, node_of[vertex],
                     length(sheet_.surface.point(vertex) - sheet_.surface.point(patch.vertices[n]))});
            }
        }
        patch.links = pack_links(links, patch.nodes());
        std::vector<double> masses(patch.nodes(), 0.0);
        NodeWeights& packed = patch.weights;
        for (const ClothTarget& target : sheet_.targets) {
            const std::uint32_t node = node_of[target.vertex];
            if (node == no_node) continue;
            masses[node] += 1 / double(model_.inverse_masses[target.particle]);
            const std::size_t lane = packed.targets++ % block_size;
            if (lane == 0) {
                packed.offsets.resize(packed.offsets.size() + block_size);
                packed.nodes.resize(packed.nodes.size() + nodes_per_target * block_size);
                packed.weights.resize(packed.weights.size() + nodes_per_target * block_size);
            }
            packed.offsets[packed.targets - 1] =
                static_cast<std::uint32_t>(plan_.slot_of[target.particle] * bytes_per_particle);
            const std::size_t at = (packed.targets - 1 - lane) * nodes_per_target + lane;
            packed.nodes[at] = static_cast<std::uint32_t>(node * bytes_per_particle);
            packed.weights[at] = 1;
        }
        for (const double mass : masses) patch.inverse_masses.push_back(static_cast<float>(1 / mass));
    }

    // Weights of the targets, and the nodes' masses that follow from theirs.
    void weigh(const std::vector<NearNodes>& near, double reach, std::size_t number, ClothLevel& level) {
        const bool is_finest = number == 0;
        const std::size_t targets = is_finest ? sheet_.targets.size() : counts_[number - 1];
        std::vector<double> masses(level.nodes(), 0.0);
        NodeWeights& packed = level.weights;
        packed.targets = targets;
        const std::size_t blocks = (targets + block_size - 1) / block_size;
        packed.offsets.resize(blocks * block_size);
        packed.nodes.resize(blocks * nodes_per_target * block_size);
        packed.weights.resize(blocks * nodes_per_target * block_size);
        for (std::size_t t = 0; t < targets; ++t) {
            const std::uint32_t vertex = is_finest ? sheet_.targets[t].vertex : nodes_[t];
            const double inverse_mass = is_finest ? model_.inverse_masses[sheet_.targets[t].particle]
                                                  : sheet_.levels[number - 1].inverse_masses[t];
            std::array<Vec3d, nodes_per_target> to_node;
            for (std::size_t k = 0; k < std::min(near[vertex].count, nodes_per_target); ++k)
                to_node[k] =
                    sheet_.surface.point(nodes_[near[vertex].nodes[k].node]) - sheet_.surface.point(vertex);
            const auto weights =
                cloth::node_weights(near[vertex], to_node, sheet_.surface.normal(vertex), reach);
            const std::size_t block = t / block_size, lane = t % block_size;
            const std::size_t place = is_finest ? plan_.slot_of[sheet_.targets[t].particle] : t;
            packed.offsets[t] = static_cast<std::uint32_t>(place * bytes_per_particle);
            for (std::size_t k = 0; k < nodes_per_target; ++k) {
                const std::size_t at = (block * nodes_per_target + k) * block_size + lane;
                const std::uint32_t node = weights[k] > 0 ? near[vertex].nodes[k].node : 0;
                packed.nodes[at] = static_cast<std::uint32_t>(node * bytes_per_particle);
                packed.weights[at] = static_cast<float>(weights[k]);
                masses[node] += weights[k] / inverse_mass;
            }
        }
        for (const double mass : masses) level.inverse_masses.push_back(static_cast<float>(1 / mass));
    }

    static constexpr std::uint32_t no_node = 0xffffffff;
    const model::Model& model_;
    const Plan& plan_;
    std::span<const std::uint8_t> is_dynamic_;
    const model::ClothSurface& surface_;
    ClothSheet sheet_;
    std::vector<std::uint32_t> nodes_;  // of all levels; of each, the first
    std::vector<std::size_t> counts_;   // nodes of each level, the finest first
    std::vector<double> radii_;
    double spacing_ = 0;  // m, of particles
};

}  // namespace

ClothLevels make_cloth_levels(const model::Model& model, const Plan& plan,
                              std::span<const std::uint8_t> is_dynamic) {
    ClothLevels levels;
    for (const model::ClothSurface& surface : model.cloths)
        levels.sheets.push_back(SheetMaker(model, plan, is_dynamic, surface).run());
    return levels;
}

}  // namespace pliant::solvers::position_based
