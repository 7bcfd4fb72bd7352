#include "constraints/unclustered.h"

#include <pliant/assertions.h>

#include <algorithm>

namespace pliant::constraints {

Unclustered::Unclustered(const ConstraintSet& set, std::size_t particles) : set_(set) {
    AllKinds::for_each(
        [&]<class Kind>() { std::get<Taken<Kind>>(taken_).flags.assign(list<Kind>().size(), 0); });

    // Count, prefix sum, fill, sort.
    const auto& distances = list<kinds::Distance>().particles;
    first_link_.assign(particles + 1, 0);
    links_.resize(distances.size());
    for (const auto& p : distances) {
        PLIANT_ASSERT(p[0] < particles && p[1] < particles);
        ++first_link_[std::min(p[0], p[1]) + 1];
    }
    for (std::size_t i = 1; i <= particles; ++i) first_link_[i] += first_link_[i - 1];
    std::vector<std::uint32_t> next(first_link_.begin(), first_link_.end() - 1);
    for (std::uint32_t i = 0; i < distances.size(); ++i) {
        const auto& p = distances[i];
        links_[next[std::min(p[0], p[1])]++] = {std::max(p[0], p[1]), i};
    }
    for (std::size_t i = 0; i < particles; ++i) {
        std::sort(links_.begin() + first_link_[i], links_.begin() + first_link_[i + 1],
                  [](const Link& a, const Link& b) {
                      return a.high != b.high ? a.high < b.high : a.constraint < b.constraint;
                  });
    }
}

std::uint32_t Unclustered::link_between(std::uint32_t a, std::uint32_t b) const {
    const std::span<const Link> links = links_from(std::min(a, b));
    const std::uint32_t high = std::max(a, b);
    auto link = std::lower_bound(links.begin(), links.end(), high,
                                 [](const Link& l, std::uint32_t h) { return l.high < h; });
    const auto& taken = std::get<Taken<kinds::Distance>>(taken_).flags;
    while (link != links.end() && link->high == high && taken[link->constraint]) ++link;
    return link != links.end() && link->high == high ? link->constraint : none;
}

}  // namespace pliant::constraints
