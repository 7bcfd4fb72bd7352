#include <algorithm>
#include <array>
#include <numeric>
#include <tuple>
#include <type_traits>
#include <utility>

#include "base/convert.h"
#include "constraints/roles.h"
#include "solvers/position_based/strands/found_strand.h"

namespace pliant::solvers::position_based {
namespace {

using constraints::Link;
using constraints::list_of;
using constraints::Tie;

constexpr std::size_t long_rope_links = 256;

// The distances of a particle, if it has at most two.
struct Neighbours {
    std::array<std::uint32_t, 2> links{no_link, no_link};
    std::uint32_t count = 0;
};

class StrandFinder {
public:
    explicit StrandFinder(const model::Model& model)
        : model_(model),
          distances_(list_of<Link>(model.constraints)),
          neighbours_(model.particles()),
          is_used_(distances_.size(), 0) {}

    FoundStrands run() {
        is_direct_.assign(model_.parts.size(), 0);
        find_candidates();
        walk_all();
        // A part that is not all strands stays in the sweep.
        for (std::size_t i = 0; i < distances_.size(); ++i) {
            if (!is_used_[i]) is_direct_[distances_.parts[i]] = 0;
        }
        std::erase_if(strands_, [&](const FoundStrand& strand) { return !is_direct_[strand.part]; });
        find_rods();
        find_ties();
        find_rings();
        find_nets();
        find_long_ropes();
        bundle();
        colour();
        return {std::move(strands_), std::move(is_direct_)};
    }

private:
    void find_candidates() {
        for (std::uint32_t i = 0; i < distances_.size(); ++i) {
            if (is_beside(i)) continue;
            for (const std::uint32_t particle : distances_.particles[i]) {
                Neighbours& of = neighbours_[particle];
                if (of.count < 2) of.links[of.count] = i;
                ++of.count;
            }
        }
    }

    // Attachments of a length and distances to second neighbours are not part of a strand.
    bool is_beside(std::uint32_t distance) const {
        const model::MaterialPart& part = model_.parts[distances_.parts[distance]];
        return part.body.empty() || part.is_beside_chain;
    }

    bool is_end(std::uint32_t particle) const { return neighbours_[particle].count == 1; }

    // From every end that no earlier strand reached. Rings have none. One link alone gains nothing.
    void walk_all() {
        for (std::uint32_t particle = 0; particle < model_.particles(); ++particle) {
            if (!is_end(particle) || is_used_[neighbours_[particle].links[0]]) continue;
            FoundStrand strand;
            if (!walk(particle, strand)) continue;
            if (strand.links.size() > 1) is_direct_[strand.part] = 1;
            strands_.push_back(std::move(strand));
        }
    }

    // False if it comes to where strands meet, or another material begins.
    bool walk(std::uint32_t particle, FoundStrand& strand) {
        std::uint32_t link = neighbours_[particle].links[0];
        strand.part = distances_.parts[link];
        strand.particles.push_back(particle);
        for (;;) {
            if (distances_.parts[link] != strand.part) return false;
            const auto& pair = distances_.particles[link];
            particle = pair[0] == particle ? pair[1] : pair[0];
            const Neighbours& of = neighbours_[particle];
            if (of.count > 2) return false;
            strand.particles.push_back(particle);
            strand.links.push_back(link);
            if (of.count == 1) break;
            link = of.links[0] == link ? of.links[1] : of.links[0];
        }
        for (const std::uint32_t used : strand.links) is_used_[used] = 1;
        return true;
    }

    void find_rods() {
        std::vector<std::uint32_t> rod_of(model_.parts.size(), no_link);
        for (std::uint32_t i = 0; i < model_.rods.size(); ++i) rod_of[model_.rods[i].stretch] = i;
        for (FoundStrand& strand : strands_) {
            strand.rod = rod_of[strand.part];
            if (strand.rod == no_link) continue;
            strand.sort = model_.rods[strand.rod].is_straight_hair ? StrandSort::hair : StrandSort::rod;
        }
        for (const model::Rod& rod : model_.rods) is_direct_[rod.bending] = is_direct_[rod.stretch];
    }

    void find_ties() {
        std::vector<std::uint32_t> strand_of(model_.particles(), no_link);
        for (std::uint32_t s = 0; s < strands_.size(); ++s) {
            for (const std::uint32_t particle : strands_[s].particles) strand_of[particle] = s;
        }
        const auto& attachments = list_of<Tie>(model_.constraints);
        for (std::size_t i = 0; i < attachments.size(); ++i) {
            const auto& [a, b] = attachments.particles[i];
            if (strand_of[a] != no_link) strands_[strand_of[a]].ties.push_back({a, b, attachments.parts[i]});
            if (strand_of[b] != no_link) strands_[strand_of[b]].ties.push_back({b, a, attachments.parts[i]});
        }
        for (FoundStrand& strand : strands_) std::stable_sort(strand.ties.begin(), strand.ties.end());
    }

    // A strand runs through a ring where it is nearest to it.
    void find_rings() {
        if (model_.rings.empty()) return;
        const auto& attachments = list_of<Tie>(model_.constraints);
        for (std::uint32_t i = 0; i < model_.rings.size(); ++i) {
            const auto& [particle, body] = model_.rings[i];
            for (FoundStrand& strand : strands_) {
                if (strand.particles[0] != model_.bodies[body].first_particle) continue;
                strand.rings.push_back({i, particle, nearest_segment(strand, particle), 0});
                for (std::size_t k = 0; k < attachments.size(); ++k) {
                    const auto& [a, b] = attachments.particles[k];
                    if (a == particle) strand.ties.push_back({a, b, attachments.parts[k]});
                    if (b == particle) strand.ties.push_back({b, a, attachments.parts[k]});
                }
            }
        }
        for (FoundStrand& strand : strands_) {
            std::stable_sort(strand.rings.begin(), strand.rings.end(),
                             [&](const StrandRing& a, const StrandRing& b) {
                                 return std::pair(a.segment, distance_from(strand, a)) <
                                        std::pair(b.segment, distance_from(strand, b));
                             });
        }
    }
    Vec3d rest(std::uint32_t particle) const { return to_double(model_.rest_positions[particle]); }
    double distance_from(const FoundStrand& strand, const StrandRing& ring) const {
        return length(rest(ring.particle) - rest(strand.particles[ring.segment]));
    }
    std::uint32_t nearest_segment(const FoundStrand& strand, std::uint32_t particle) const {
        std::uint32_t best = 0;
        double least = 1e300;
        for (std::uint32_t i = 0; i + 1 < strand.particles.size(); ++i) {
            const Vec3d a = rest(strand.particles[i]), e = rest(strand.particles[i + 1]) - a;
            const double along = dot(rest(particle) - a, e) / dot(e, e);
            const Vec3d gap = rest(particle) - (a + e * min(max(along, 0.0), 1.0));
            if (dot(gap, gap) < least) least = dot(gap, gap), best = i;
        }
        return best;
    }

    // Limp ropes that share a particle, by ties or rings, are a net; so is one with rings, or tied to itself.
    void find_nets() {
        std::vector<std::uint32_t> leader(model_.visible);
        std::iota(leader.begin(), leader.end(), 0u);
        const auto find = [&](std::uint32_t particle) {
            while (leader[particle] != particle) particle = leader[particle] = leader[leader[particle]];
            return particle;
        };
        const auto join = [&](std::uint32_t a, std::uint32_t b) {
            if (a >= model_.visible || b >= model_.visible) return;
            a = find(a), b = find(b);
            leader[std::max(a, b)] = std::min(a, b);
        };
        for (const FoundStrand& strand : strands_) {
            if (strand.sort != StrandSort::chain) continue;
            for (const std::uint32_t particle : strand.particles) join(strand.particles[0], particle);
            for (const StrandRing& ring : strand.rings) join(strand.particles[0], ring.particle);
            for (const auto& [own, other, part] : strand.ties) join(own, other);
        }
        std::vector<std::uint32_t> strands_of(model_.visible, 0);
        for (const FoundStrand& strand : strands_) {
            if (strand.sort == StrandSort::chain) ++strands_of[find(strand.particles[0])];
        }
        for (FoundStrand& strand : strands_) {
            if (strand.sort != StrandSort::chain) continue;
            const std::uint32_t net = find(strand.particles[0]);
            if (strands_of[net] < 2 && strand.rings.empty() && !is_tied_to_itself(strand)) continue;
            strand.net = net;
            strand.sort = StrandSort::net;
        }
        // What else is tied to itself is left to the sweep.
        for (FoundStrand& strand : strands_) {
            if (strand.sort != StrandSort::net && is_tied_to_itself(strand))
                std::erase_if(strand.ties, [&](const auto& tie) { return is_within(strand, tie); });
        }
    }
    static bool is_within(const FoundStrand& strand, const std::array<std::uint32_t, 3>& tie) {
        const auto has = [&](std::uint32_t particle) {
            return std::find(strand.particles.begin(), strand.particles.end(), particle) !=
                   strand.particles.end();
        };
        return has(tie[0]) && has(tie[1]);
    }
    static bool is_tied_to_itself(const FoundStrand& strand) {
        return std::any_of(strand.ties.begin(), strand.ties.end(),
                           [&](const auto& tie) { return is_within(strand, tie); });
    }

    void find_long_ropes() {
        for (FoundStrand& strand : strands_) {
            if (strand.sort == StrandSort::chain && strand.links.size() >= long_rope_links)
                strand.sort = StrandSort::pieces;
        }
    }

    // Nothing but its own links and points of the world holds what a bundle has.
    void bundle() {
        if (strands_.empty()) return;
        std::vector<std::uint8_t> is_tied(model_.particles(), 0);
        mark_swept(is_tied);
        for (const model::Rider& rider : model_.riders) is_tied[rider.particle] = 1;
        for (const model::Ring& ring : model_.rings) is_tied[ring.particle] = 1;
        for (std::uint32_t i = 0; i < distances_.size(); ++i) {
            if (!is_beside(i)) continue;
            for (const std::uint32_t particle : distances_.particles[i]) is_tied[particle] = 1;
        }
        for (FoundStrand& strand : strands_) {
            strand.is_bundled =
                (strand.sort == StrandSort::hair || strand.sort == StrandSort::pieces) &&
                std::none_of(strand.particles.begin(), strand.particles.end(),
                             [&](std::uint32_t particle) { return is_tied[particle] != 0; }) &&
                std::all_of(strand.ties.begin(), strand.ties.end(),
                            [&](const auto& tie) { return tie[1] >= model_.visible; });
        }
    }

    // Particles of constraints that no direct solve takes over, such as springs at the joints of a rope.
    void mark_swept(std::vector<std::uint8_t>& marks) const {
        constraints::AllKinds::for_each([&]<class Kind>() {
            if constexpr (!std::is_same_v<Kind, Link> && !std::is_same_v<Kind, Tie>) {
                const auto& list = list_of<Kind>(model_.constraints);
                for (std::size_t i = 0; i < list.size(); ++i) {
                    if (is_direct_[list.parts[i]]) continue;
                    for (const std::uint32_t particle : list.particles[i]) marks[particle] = 1;
                }
            }
        });
    }

    // Calls f(particle) for each that a strand may share with others. Points of the world are read only.
    template <class F>
    void for_each_shared(const FoundStrand& strand, F&& f) const {
        for (const auto& [own, other, part] : strand.ties) {
            f(own);
            if (other < model_.visible) f(other);
        }
        for (const StrandRing& ring : strand.rings) f(ring.particle);
        for (const model::Ring& ring : model_.rings) {
            if (std::find(strand.particles.begin(), strand.particles.end(), ring.particle) !=
                strand.particles.end())
                f(ring.particle);
        }
    }

    // The first colour that no strand has which is tied to the same particle, or runs through the same ring.
    // Strands of a net have one colour.
    void colour() {
        std::stable_sort(strands_.begin(), strands_.end(), [](const FoundStrand& a, const FoundStrand& b) {
            return a.net < b.net;  // nets first
        });
        std::vector<std::vector<std::uint32_t>> taken(model_.visible);
        for (std::size_t first = 0, end = 0; first < strands_.size(); first = end) {
            for (end = first + 1; end < strands_.size() && strands_[first].net != no_link &&
                                  strands_[end].net == strands_[first].net;)
                ++end;
            if (strands_[first].is_bundled) continue;
            std::uint32_t colour = 0;
            const auto is_taken = [&] {
                bool found = false;
                for (std::size_t s = first; s < end; ++s) {
                    for_each_shared(strands_[s], [&](std::uint32_t particle) {
                        const auto& colours = taken[particle];
                        found = found || std::find(colours.begin(), colours.end(), colour) != colours.end();
                    });
                }
                return found;
            };
            while (is_taken()) ++colour;
            for (std::size_t s = first; s < end; ++s) {
                strands_[s].colour = colour;
                for_each_shared(strands_[s],
                                [&](std::uint32_t particle) { taken[particle].push_back(colour); });
            }
        }
        std::stable_sort(strands_.begin(), strands_.end(), [](const FoundStrand& a, const FoundStrand& b) {
            return std::tuple(!a.is_bundled, a.colour, a.sort, a.net, b.particles.size()) <
                   std::tuple(!b.is_bundled, b.colour, b.sort, b.net, a.particles.size());
        });
    }

    const model::Model& model_;
    const constraints::ConstraintList<Link>& distances_;
    std::vector<Neighbours> neighbours_;
    std::vector<std::uint8_t> is_used_;
    std::vector<FoundStrand> strands_;
    std::vector<std::uint8_t> is_direct_;
};

}  // namespace

FoundStrands find_all_strands(const model::Model& model) { return StrandFinder(model).run(); }

}  // namespace pliant::solvers::position_based
