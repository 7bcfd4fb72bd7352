// Greedy, in the order of the constraints: each tetrahedron takes the first two opposite edges of its own
// that are still free, then links that are left are taken by sixes where four particles are linked each with
// each. A regular box gives 92 % of its edges to tetrahedra, a regular cloth 75 % of its links to sixes.
#include "model/fuse.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <type_traits>

namespace pliant {
namespace {

constexpr std::uint32_t none = 0xffffffff;
// Where everything is linked with everything, a link tries no more than so many neighbours.
constexpr std::size_t most_tries = 64;

// Finds the distance constraint between two particles, among those not yet taken.
class Links {
public:
    Links(const ConstraintList<kinds::Distance>& list, std::size_t particles)
        : list_(list), first_(particles + 1, 0), entries_(list.size()), taken_(list.size(), 0) {
        for (const auto& p : list.particles) ++first_[std::min(p[0], p[1]) + 1];
        for (std::size_t i = 1; i <= particles; ++i) first_[i] += first_[i - 1];
        std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
        for (std::uint32_t i = 0; i < list.size(); ++i) {
            const auto& p = list.particles[i];
            entries_[next[std::min(p[0], p[1])]++] = {std::max(p[0], p[1]), i};
        }
        for (std::size_t i = 0; i < particles; ++i) {
            std::sort(entries_.begin() + first_[i], entries_.begin() + first_[i + 1],
                      [](const Entry& a, const Entry& b) {
                          return a.high != b.high ? a.high < b.high : a.link < b.link;
                      });
        }
    }

    struct Entry {
        std::uint32_t high, link;
    };
    // The links of a particle with later ones, by those.
    std::span<const Entry> from(std::uint32_t particle) const {
        return {entries_.data() + first_[particle], first_[particle + 1] - first_[particle]};
    }
    std::uint32_t between(std::uint32_t a, std::uint32_t b) const {
        const std::span<const Entry> entries = from(std::min(a, b));
        const std::uint32_t high = std::max(a, b);
        auto entry = std::lower_bound(entries.begin(), entries.end(), high,
                                      [](const Entry& e, std::uint32_t h) { return e.high < h; });
        while (entry != entries.end() && entry->high == high && taken_[entry->link]) ++entry;
        return entry != entries.end() && entry->high == high ? entry->link : none;
    }
    bool is_taken(std::uint32_t link) const { return taken_[link]; }
    void take(std::uint32_t link) { taken_[link] = 1; }
    std::uint32_t elasticity(std::uint32_t link) const { return list_.elasticity[link]; }
    float rest_length(std::uint32_t link) const { return list_.parameters[link][0]; }
    std::size_t particles() const { return first_.size() - 1; }

private:
    const ConstraintList<kinds::Distance>& list_;
    std::vector<std::uint32_t> first_;
    std::vector<Entry> entries_;
    std::vector<std::uint8_t> taken_;
};

// The three ways to name a tetrahedron's particles such that 01 and 23 are edges that do not meet, each with
// the same orientation.
constexpr int opposite_edges[3][4] = {{0, 1, 2, 3}, {0, 2, 3, 1}, {0, 3, 1, 2}};

void fuse_tetrahedra(const ConstraintList<kinds::Volume>& volumes, Links& links, VisitSet& visits) {
    auto& fused = std::get<VisitList<TetrahedronWithEdges>>(visits);
    auto& alone = std::get<VisitList<Alone<kinds::Volume>>>(visits);
    for (std::size_t i = 0; i < volumes.size(); ++i) {
        const auto& t = volumes.particles[i];
        const float volume = volumes.parameters[i][0];
        const std::uint32_t elasticity = volumes.elasticity[i];
        bool done = false;
        for (const auto& [a, b, c, d] : opposite_edges) {
            const std::array<std::uint32_t, 4> p{t[a], t[b], t[c], t[d]};
            const std::uint32_t first = links.between(p[0], p[1]), second = links.between(p[2], p[3]);
            if (first == none || second == none) continue;
            if (links.elasticity(first) != links.elasticity(second)) continue;
            links.take(first);
            links.take(second);
            fused.add(p, {links.rest_length(first), links.rest_length(second), volume},
                      {links.elasticity(first), elasticity});
            done = true;
            break;
        }
        if (!done) alone.add(t, {volume}, {elasticity, 0});
    }
}

// Six links, if all are there and all but at most one have the same elasticity.
bool fuse_four(std::array<std::uint32_t, 4> p, Links& links, VisitList<SixLinks>& visits) {
    std::array<std::uint32_t, 6> found;
    const auto look_up = [&] {
        std::size_t k = 0;
        bool complete = true;
        SixLinks::for_each_stage([&]<class S, int, int>() {
            found[k] = complete ? links.between(p[S::members[0]], p[S::members[1]]) : none;
            complete = found[k++] != none;
        });
        return complete;
    };
    if (!look_up()) return false;

    // The one that differs from the others, if any, comes where the other slot is: between the last two.
    constexpr std::size_t own_slot = 1;
    const auto elasticity = [&](std::size_t k) { return links.elasticity(found[k]); };
    const std::uint32_t common = elasticity(elasticity(0) == elasticity(1) ? 0 : 2);
    std::size_t odd = own_slot, different = 0;
    for (std::size_t k = 0; k < 6; ++k) {
        if (elasticity(k) != common) odd = k, ++different;
    }
    if (different > 1) return false;
    constexpr int turned[6][4] = {{2, 3, 0, 1}, {0, 1, 2, 3}, {1, 3, 0, 2},
                                  {0, 2, 1, 3}, {1, 2, 0, 3}, {0, 3, 1, 2}};
    const auto& turn = turned[odd];
    p = {p[turn[0]], p[turn[1]], p[turn[2]], p[turn[3]]};
    look_up();
    std::array<float, 6> lengths;
    for (std::size_t k = 0; k < 6; ++k) {
        lengths[k] = links.rest_length(found[k]);
        links.take(found[k]);
    }
    visits.add(p, lengths, {common, elasticity(own_slot)});
    return true;
}

void fuse_links(Links& links, VisitList<SixLinks>& visits) {
    for (std::uint32_t a = 0; a < links.particles(); ++a) {
        for (const auto& [b, link] : links.from(a)) {
            std::size_t tries = 0;
            bool done = links.is_taken(link);
            for (const auto& [c, other] : links.from(b)) {
                if (done || ++tries > most_tries) break;
                if (links.is_taken(other) || links.between(a, c) == none) continue;
                for (const auto& [d, third] : links.from(c)) {
                    if (++tries > most_tries) break;
                    if (links.is_taken(third) || links.between(b, d) == none) continue;
                    done = fuse_four({a, b, c, d}, links, visits);
                    if (done) break;
                }
            }
        }
    }
}

template <class Kind, class Skip>
void keep_alone(const ConstraintList<Kind>& list, VisitSet& visits, Skip&& skip) {
    auto& alone = std::get<VisitList<Alone<Kind>>>(visits);
    for (std::uint32_t i = 0; i < list.size(); ++i) {
        if (!skip(i)) alone.add(list.particles[i], list.parameters[i], {list.elasticity[i], 0});
    }
}

}  // namespace

VisitSet leave_alone(const ConstraintSet& constraints) {
    VisitSet visits;
    for_each_list(constraints,
                  [&](const auto& list) { keep_alone(list, visits, [](std::uint32_t) { return false; }); });
    return visits;
}

VisitSet fuse(const ConstraintSet& constraints, std::size_t particles) {
    VisitSet visits;
    Links links(std::get<ConstraintList<kinds::Distance>>(constraints), particles);
    fuse_tetrahedra(std::get<ConstraintList<kinds::Volume>>(constraints), links, visits);
    fuse_links(links, std::get<VisitList<SixLinks>>(visits));
    AllKinds::for_each([&]<class Kind>() {
        const auto& list = std::get<ConstraintList<Kind>>(constraints);
        if constexpr (std::is_same_v<Kind, kinds::Distance>) {
            keep_alone(list, visits, [&](std::uint32_t i) { return links.is_taken(i); });
        } else if constexpr (!std::is_same_v<Kind, kinds::Volume>) {  // those are all placed
            keep_alone(list, visits, [](std::uint32_t) { return false; });
        }
    });
    return visits;
}

}  // namespace pliant
