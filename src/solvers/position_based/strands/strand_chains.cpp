#include "solvers/position_based/strands/strand_chains.h"

#include <algorithm>
#include <iterator>

#include "base/particle_layout.h"
#include "base/union_find.h"
#include "solvers/position_based/kernels.h"
#include "solvers/position_based/strands/strand_step.h"

namespace pliant::solvers::position_based {
namespace {

class ChainLister {
public:
    ChainLister(const model::Model& model, const StrandSet& strands, std::size_t slots)
        : model_(model), strands_(strands) {
        result_.chain_at.assign(slots, no_link);
    }

    StrandChains run() {
        count_strands();
        for (std::size_t g = 0; g < strands_.groups.size(); ++g) add_group(g);
        find_sets();
        return std::move(result_);
    }

private:
    std::size_t body_of(std::uint32_t particle) const {
        const auto after =
            std::upper_bound(model_.bodies.begin(), model_.bodies.end(), particle,
                             [](std::uint32_t p, const BodyView& body) { return p < body.first_particle; });
        return static_cast<std::size_t>(after - model_.bodies.begin()) - 1;
    }

    // Calls f(first node, strand's number) for the strands of a group, in lanes or listed.
    template <class F>
    void for_each_strand(const StrandGroup& group, F&& f) const {
        const bool is_listed = group.sort == StrandSort::net || group.sort == StrandSort::pieces;
        for (std::uint32_t i = 0; i < (is_listed ? group.chains : group.strands); ++i) {
            const std::size_t first = is_listed
                                          ? strands_.chains[group.first_chain + i].first_node * block_size
                                          : group.first_node * block_size + i;
            f(static_cast<std::uint32_t>(first), i);
        }
    }

    void count_strands() {
        strands_of_.assign(model_.bodies.size(), 0);
        for (const StrandGroup& group : strands_.groups) {
            for_each_strand(group, [&](std::uint32_t first, std::uint32_t) {
                ++strands_of_[body_of(strands_.particles[first])];
            });
        }
    }

    void add_group(std::size_t g) {
        const StrandGroup& group = strands_.groups[g];
        if (group.sort == StrandSort::hair) return;
        const bool has_rings = group.sort == StrandSort::net &&
                               std::any_of(strands_.chains.begin() + group.first_chain,
                                           strands_.chains.begin() + group.first_chain + group.chains,
                                           [](const StrandGroup& chain) { return chain.rings > 0; });
        if (has_rings) return;
        for_each_strand(group, [&](std::uint32_t first, std::uint32_t i) {
            if (strands_of_[body_of(strands_.particles[first])] <= most_strands) add(g, first, i);
        });
    }

    void add(std::size_t g, std::uint32_t first, std::uint32_t number) {
        const StrandGroup& group = strands_.groups[g];
        StrandChain chain;
        chain.first = first;
        chain.is_rod = group.sort == StrandSort::rod;
        chain.is_listed = group.sort == StrandSort::net || group.sort == StrandSort::pieces;
        chain.first_tension = static_cast<std::uint32_t>(result_.tensions.size());
        const std::size_t softness = chain.is_listed ? (group.first_chain + number) * softness_values
                                                     : g * softness_values * block_size + number;
        chain.softness = static_cast<std::uint32_t>(softness);
        chain.softness_stride = chain.is_listed ? 1 : static_cast<std::uint32_t>(block_size);
        const std::uint32_t most =
            chain.is_listed ? strands_.chains[group.first_chain + number].nodes : group.nodes;
        while (chain.nodes + 1 < most && strands_.links[first + chain.nodes * block_size] != no_link)
            ++chain.nodes;
        if (chain.nodes == 0) return;
        if (group.sort == StrandSort::pieces) {
            list_pieces(group);
        } else {
            for (std::uint32_t i = 0; i < chain.nodes; ++i)
                result_.tensions.push_back(first + i * static_cast<std::uint32_t>(block_size));
        }
        ++chain.nodes;
        for (std::uint32_t i = 0; i < chain.nodes; ++i)
            result_.chain_at[slot(strands_.offsets[first + i * block_size])] =
                static_cast<std::uint32_t>(result_.list.size());
        result_.list.push_back(chain);
    }

    // The links of a long rope lie piece after piece, a lane each.
    void list_pieces(const StrandGroup& group) {
        const std::size_t begin = group.first_node * block_size;
        for (std::size_t piece = 0; piece < block_size; ++piece) {
            for (std::size_t i = piece; i < group.nodes * block_size; i += block_size) {
                if (strands_.links[begin + i] != no_link)
                    result_.tensions.push_back(static_cast<std::uint32_t>(begin + i));
            }
        }
    }

    static std::uint32_t slot(std::uint32_t offset) { return offset / bytes_per_particle; }

    void find_sets() {
        UnionFind together(result_.chain_at.size());
        for (const StrandChain& chain : result_.list) {
            for (std::uint32_t i = 1; i < chain.nodes; ++i)
                together.join(slot(strands_.offsets[chain.first]),
                              slot(strands_.offsets[chain.first + i * block_size]));
        }
        for (const StrandTie& tie : strands_.ties) {
            const std::uint32_t chain = result_.chain_at[slot(tie.offset)];
            if (chain == no_link) continue;
            together.join(slot(tie.offset), slot(tie.other_offset));
            std::uint32_t& other = result_.chain_at[slot(tie.other_offset)];
            if (other == no_link) other = chain;
        }
        std::vector<std::uint32_t> sets;
        for (StrandChain& chain : result_.list) {
            const std::uint32_t root = together.find(slot(strands_.offsets[chain.first]));
            const auto known = std::find(sets.begin(), sets.end(), root);
            chain.set = static_cast<std::uint32_t>(known - sets.begin());
            if (known == sets.end()) sets.push_back(root);
        }
        result_.sets = static_cast<std::uint32_t>(sets.size());
        result_.members.assign(result_.sets, 0);
        for (const std::uint32_t chain : result_.chain_at) {
            if (chain != no_link) ++result_.members[result_.list[chain].set];
        }
        list_ties();
    }

    void list_ties() {
        std::vector<std::vector<std::uint32_t>> ties(result_.sets);
        for (std::uint32_t t = 0; t < strands_.ties.size(); ++t) {
            const std::uint32_t chain = result_.chain_at[slot(strands_.ties[t].offset)];
            if (chain != no_link) ties[result_.list[chain].set].push_back(t);
        }
        result_.first_tie.assign(1, 0);
        for (const auto& of_set : ties) {
            result_.tie_order.insert(result_.tie_order.end(), of_set.begin(), of_set.end());
            result_.first_tie.push_back(static_cast<std::uint32_t>(result_.tie_order.size()));
        }
    }

    const model::Model& model_;
    const StrandSet& strands_;
    std::vector<std::size_t> strands_of_;
    StrandChains result_;
};

}  // namespace

StrandChains list_chains(const model::Model& model, const StrandSet& strands, std::size_t slots) {
    return ChainLister(model, strands, slots).run();
}

}  // namespace pliant::solvers::position_based
