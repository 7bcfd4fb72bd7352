#include "solvers/position_based/subdomains.h"

#include <algorithm>
#include <utility>

#include "base/geometry/curve_order.h"
#include "base/particle_layout.h"

namespace pliant::solvers::position_based {
namespace {

// Subdomains beyond this many would serve more threads than any machine here has, and shorten the runs.
constexpr std::uint64_t subdomains_wanted = 64;
constexpr std::uint64_t weight_at_least = 8192;  // so that a subdomain is worth handing out

// All kinds in one: constraint c joins members[first[c]] … members[first[c + 1] − 1].
struct Hypergraph {
    std::vector<std::uint32_t> first{0};
    std::vector<std::uint32_t> members;
    std::vector<std::uint32_t> incident_first;  // per particle, into incident
    std::vector<std::uint32_t> incident;        // constraints

    std::span<const std::uint32_t> members_of(std::uint32_t c) const {
        return {members.data() + first[c], members.data() + first[c + 1]};
    }
    std::span<const std::uint32_t> constraints_of(std::uint32_t particle) const {
        return {incident.data() + incident_first[particle], incident.data() + incident_first[particle + 1]};
    }
    std::uint32_t size() const { return static_cast<std::uint32_t>(first.size() - 1); }
};

// Bundles count as constraints.
Hypergraph make_graph(const constraints::ConstraintSet& constraints, Bundles bundles,
                      std::size_t particle_count) {
    Hypergraph graph;
    for (const auto& bundle : bundles) {
        graph.members.insert(graph.members.end(), bundle.begin(), bundle.end());
        graph.first.push_back(static_cast<std::uint32_t>(graph.members.size()));
    }
    constraints::for_each_list(constraints, [&](const auto& list) {
        for (const auto& particles : list.particles) {
            graph.members.insert(graph.members.end(), particles.begin(), particles.end());
            graph.first.push_back(static_cast<std::uint32_t>(graph.members.size()));
        }
    });
    // Count, prefix sum, fill.
    graph.incident_first.assign(particle_count + 1, 0);
    for (std::uint32_t m : graph.members) ++graph.incident_first[m + 1];
    for (std::size_t i = 0; i < particle_count; ++i) graph.incident_first[i + 1] += graph.incident_first[i];
    graph.incident.resize(graph.members.size());
    std::vector<std::uint32_t> next(graph.incident_first.begin(), graph.incident_first.end() - 1);
    for (std::uint32_t c = 0; c < graph.size(); ++c) {
        for (std::uint32_t m : graph.members_of(c)) graph.incident[next[m]++] = c;
    }
    return graph;
}

// Breadth-first search that can be repeated without clearing its marks.
class LevelSearch {
public:
    LevelSearch(const Hypergraph& graph, std::size_t particle_count)
        : graph_(graph), particle_mark_(particle_count, 0), constraint_mark_(graph.size(), 0) {}

    // Fills queue() and level_starts() (into the queue, with the end).
    void run(std::uint32_t seed) {
        ++mark_;
        queue_.assign(1, seed);
        particle_mark_[seed] = mark_;
        level_starts_.assign(1, 0);
        for (std::size_t begin = 0; begin < queue_.size();) {
            const std::size_t end = queue_.size();
            for (std::size_t i = begin; i < end; ++i) visit(queue_[i]);
            level_starts_.push_back(end);
            begin = end;
        }
    }
    const std::vector<std::uint32_t>& queue() const { return queue_; }
    const std::vector<std::size_t>& level_starts() const { return level_starts_; }

private:
    void visit(std::uint32_t particle) {
        for (std::uint32_t c : graph_.constraints_of(particle)) {
            if (constraint_mark_[c] == mark_) continue;
            constraint_mark_[c] = mark_;
            for (std::uint32_t m : graph_.members_of(c)) {
                if (particle_mark_[m] == mark_) continue;
                particle_mark_[m] = mark_;
                queue_.push_back(m);
            }
        }
    }

    const Hypergraph& graph_;
    std::vector<std::uint32_t> particle_mark_, constraint_mark_;
    std::uint32_t mark_ = 0;
    std::vector<std::uint32_t> queue_;
    std::vector<std::size_t> level_starts_;
};

// Gathers levels into subdomains; small components share one.
class SubdomainBuilder {
public:
    SubdomainBuilder(const Hypergraph& graph, std::size_t particle_count,
                     std::vector<std::uint32_t>& subdomain)
        : graph_(graph),
          subdomain_(subdomain),
          search_(graph, particle_count),
          target_(std::max<std::uint64_t>((graph.members.size() + particle_count) / subdomains_wanted,
                                          weight_at_least)) {}

    void add_component(std::uint32_t seed) {
        search_from_an_end(seed);
        const auto& starts = search_.level_starts();
        const std::size_t levels = starts.size() - 1;
        const std::uint64_t component_weight = weight(0, levels);
        if (component_weight < target_) {
            if (open_weight_ + component_weight > target_) close();
            assign(0, levels);
            open_weight_ += component_weight;
            return;
        }
        if (open_weight_ > 0) close();
        // Cut evenly: as many subdomains as fit the target, each with a fair share of what is left.
        std::uint64_t left = component_weight;
        std::uint64_t subdomains_left = std::max<std::uint64_t>(1, component_weight / target_);
        for (std::size_t begin = 0; begin < levels;) {
            std::size_t end = std::min(begin + 2, levels);
            std::uint64_t sum = weight(begin, end);
            while (end < levels && (sum < left / subdomains_left || levels - end < 2)) {
                sum += weight(end, end + 1);
                ++end;
            }
            assign(begin, end);
            open_weight_ = sum;
            close();
            left -= std::min(left, sum);
            subdomains_left = std::max<std::uint64_t>(1, subdomains_left - 1);
            begin = end;
        }
    }
    std::uint32_t finish() {
        if (open_) close();
        return current_;
    }

private:
    // The more levels, the more subdomains: searches again from the far side as long as that finds more of
    // them (George & Liu 1979), starting where the fewest constraints are, at a corner.
    void search_from_an_end(std::uint32_t seed) {
        search_.run(seed);
        for (std::size_t levels = 0; search_.level_starts().size() > levels && search_.queue().size() > 1;) {
            levels = search_.level_starts().size();
            std::uint32_t end = search_.queue().back();
            for (std::size_t i = search_.level_starts()[levels - 2]; i < search_.queue().size(); ++i) {
                const std::uint32_t p = search_.queue()[i];
                const std::size_t degree = graph_.constraints_of(p).size(),
                                  least = graph_.constraints_of(end).size();
                if (degree < least || (degree == least && p < end)) end = p;
            }
            search_.run(end);
        }
    }

    // Particles and their memberships in constraints: what a substep loads and stores.
    std::uint64_t weight(std::size_t begin_level, std::size_t end_level) const {
        std::uint64_t sum = 0;
        const auto& starts = search_.level_starts();
        for (std::size_t i = starts[begin_level]; i < starts[end_level]; ++i) {
            sum += 1 + graph_.constraints_of(search_.queue()[i]).size();
        }
        return sum;
    }
    void assign(std::size_t begin_level, std::size_t end_level) {
        const auto& starts = search_.level_starts();
        for (std::size_t i = starts[begin_level]; i < starts[end_level]; ++i)
            subdomain_[search_.queue()[i]] = current_;
        open_ = true;
    }
    void close() {
        ++current_;
        open_weight_ = 0;
        open_ = false;
    }

    const Hypergraph& graph_;
    std::vector<std::uint32_t>& subdomain_;
    LevelSearch search_;
    std::uint64_t target_;
    std::uint64_t open_weight_ = 0;
    std::uint32_t current_ = 0;
    bool open_ = false;
};

}  // namespace

Subdomains make_subdomains(const constraints::ConstraintSet& constraints, std::span<const Vec3> positions,
                           std::span<const std::uint32_t> island_of, Bundles bundles) {
    const auto count = static_cast<std::uint32_t>(positions.size());
    const Hypergraph graph = make_graph(constraints, bundles, count);

    // Cut every connected component into subdomains.
    Subdomains result;
    constexpr std::uint32_t none = 0xffffffff;
    result.subdomain_of.assign(count, none);
    SubdomainBuilder builder(graph, count, result.subdomain_of);
    for (std::uint32_t i = 0; i < count; ++i) {
        if (result.subdomain_of[i] == none) builder.add_component(i);
    }
    result.count = builder.finish();

    // Store an island's particles together, in them a subdomain's, and those along a curve through space, or
    // as their bundle lists them.
    const CurveOrder curve(positions);
    struct Key {
        std::uint64_t island_and_subdomain, order;
        std::uint32_t particle, bundle = none;
        auto tie() const { return std::tie(island_and_subdomain, bundle, order, particle); }
    };
    std::vector<Key> keys(count);
    for (std::uint32_t i = 0; i < count; ++i) {
        keys[i] = {std::uint64_t(island_of[i]) << 32 | result.subdomain_of[i], curve(positions[i]), i};
    }
    for (std::uint32_t b = 0; b < bundles.size(); ++b) {
        for (std::size_t i = 0; i < bundles[b].size(); ++i) {
            keys[bundles[b][i]].bundle = b;
            keys[bundles[b][i]].order = i;
        }
    }
    std::sort(keys.begin(), keys.end(), [](const Key& a, const Key& b) { return a.tie() < b.tie(); });
    result.slot_of.resize(count);
    const auto pad = [&] {
        const std::size_t end = (result.particle_at.size() + block_size - 1) / block_size * block_size;
        result.particle_at.resize(end, Subdomains::padding);
    };
    for (std::size_t i = 0; i < keys.size(); ++i) {
        if (i > 0 && keys[i].island_and_subdomain != keys[i - 1].island_and_subdomain) pad();
        result.slot_of[keys[i].particle] = static_cast<std::uint32_t>(result.particle_at.size());
        result.particle_at.push_back(keys[i].particle);
    }
    pad();
    return result;
}

}  // namespace pliant::solvers::position_based
