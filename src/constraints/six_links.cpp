#include "constraints/six_links.h"

namespace pliant::constraints {
namespace {

// Where everything is linked with everything, a link tries no more than so many neighbours.
constexpr std::size_t most_tries = 64;

// The six links of four particles, in the order of the stages; false if one is missing.
bool look_up(const Unclustered& unclustered, const std::array<std::uint32_t, 4>& p,
             std::array<std::uint32_t, 6>& links) {
    bool complete = true;
    SixLinks::for_each_stage([&]<class Stage, int number, int>() {
        if (!complete) return;
        links[number] = unclustered.link_between(p[Stage::members[0]], p[Stage::members[1]]);
        complete = links[number] != Unclustered::none;
    });
    return complete;
}

// Takes six links if all are there and all but at most one have the same material part.
bool take_six(std::array<std::uint32_t, 4> p, Unclustered& unclustered, ClusterList<SixLinks>& found) {
    std::array<std::uint32_t, 6> links;
    if (!look_up(unclustered, p, links)) return false;

    // The one that differs from the others, if any, comes where the other part is: between the last two.
    constexpr std::size_t own_part = 1;
    const auto part = [&](std::size_t k) { return unclustered.list<kinds::Distance>().parts[links[k]]; };
    const std::uint32_t common = part(part(0) == part(1) ? 0 : 2);
    std::size_t odd = own_part, different = 0;
    for (std::size_t k = 0; k < 6; ++k) {
        if (part(k) != common) odd = k, ++different;
    }
    if (different > 1) return false;
    constexpr int turned[6][4] = {{2, 3, 0, 1}, {0, 1, 2, 3}, {1, 3, 0, 2},
                                  {0, 2, 1, 3}, {1, 2, 0, 3}, {0, 3, 1, 2}};
    const auto& turn = turned[odd];
    p = {p[turn[0]], p[turn[1]], p[turn[2]], p[turn[3]]};
    look_up(unclustered, p, links);
    for (const std::uint32_t link : links) unclustered.take<kinds::Distance>(link);
    found.add(p, links, {common, part(own_part)});
    return true;
}

// Fours that contain the link (a, b) and two later particles.
void find_with_link(std::uint32_t a, std::uint32_t b, Unclustered& unclustered,
                    ClusterList<SixLinks>& found) {
    std::size_t tries = 0;
    for (const auto& [c, other] : unclustered.links_from(b)) {
        if (++tries > most_tries) return;
        if (unclustered.is_taken<kinds::Distance>(other) ||
            unclustered.link_between(a, c) == Unclustered::none)
            continue;
        for (const auto& [d, third] : unclustered.links_from(c)) {
            if (++tries > most_tries) break;
            if (unclustered.is_taken<kinds::Distance>(third) ||
                unclustered.link_between(b, d) == Unclustered::none)
                continue;
            if (take_six({a, b, c, d}, unclustered, found)) return;
        }
    }
}

}  // namespace

void SixLinks::find(Unclustered& unclustered, ClusterList<SixLinks>& found) {
    for (std::uint32_t a = 0; a < unclustered.particles(); ++a) {
        for (const auto& [b, link] : unclustered.links_from(a)) {
            if (!unclustered.is_taken<kinds::Distance>(link)) find_with_link(a, b, unclustered, found);
        }
    }
}

}  // namespace pliant::constraints
