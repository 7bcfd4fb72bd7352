#include "solvers/position_based/strands/strand_set.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <tuple>
#include <utility>

#include "base/convert.h"
#include "base/particle_layout.h"
#include "constraints/roles.h"
#include "solvers/position_based/kernels.h"
#include "solvers/position_based/strands/rod_rest.h"

namespace pliant::solvers::position_based {
namespace {

using constraints::Link;
using constraints::list_of;
using constraints::Tie;

struct Strand {
    std::vector<std::uint32_t> particles, links;  // one link less
    std::uint32_t part = 0, rod = no_link;
    std::vector<std::array<std::uint32_t, 3>> ties;  // own particle, other, part
    std::uint32_t colour = 0;
    std::vector<StrandRing> rings;
    bool is_bundled = false;
    StrandSort sort = StrandSort::chain;
};

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

    StrandSet run() {
        set_.is_direct.assign(model_.parts.size(), 0);
        find_candidates();
        walk_all();
        // A part that is not all strands stays in the sweep.
        for (std::size_t i = 0; i < distances_.size(); ++i) {
            if (!is_used_[i]) set_.is_direct[distances_.parts[i]] = 0;
        }
        std::erase_if(strands_, [&](const Strand& strand) { return !set_.is_direct[strand.part]; });
        find_rods();
        find_ties();
        find_rings();
        bundle();
        colour();
        pack();
        return std::move(set_);
    }

private:
    void find_candidates() {
        for (std::uint32_t i = 0; i < distances_.size(); ++i) {
            if (is_attachment(i)) continue;
            for (const std::uint32_t particle : distances_.particles[i]) {
                Neighbours& of = neighbours_[particle];
                if (of.count < 2) of.links[of.count] = i;
                ++of.count;
            }
        }
    }

    // Attachments of a length are not part of a strand.
    bool is_attachment(std::uint32_t distance) const {
        return model_.parts[distances_.parts[distance]].body.empty();
    }

    bool is_end(std::uint32_t particle) const { return neighbours_[particle].count == 1; }

    // From every end that no earlier strand reached. Rings have none. One link alone gains nothing.
    void walk_all() {
        for (std::uint32_t particle = 0; particle < model_.particles(); ++particle) {
            if (!is_end(particle) || is_used_[neighbours_[particle].links[0]]) continue;
            Strand strand;
            if (!walk(particle, strand)) continue;
            if (strand.links.size() > 1) set_.is_direct[strand.part] = 1;
            strands_.push_back(std::move(strand));
        }
    }

    // False if it comes to where strands meet, or another material begins.
    bool walk(std::uint32_t particle, Strand& strand) {
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
        for (Strand& strand : strands_) {
            strand.rod = rod_of[strand.part];
            if (strand.rod == no_link) continue;
            strand.sort = model_.rods[strand.rod].is_straight_hair ? StrandSort::hair : StrandSort::rod;
        }
        for (const model::Rod& rod : model_.rods) set_.is_direct[rod.bending] = set_.is_direct[rod.stretch];
    }

    void find_ties() {
        std::vector<std::uint32_t> strand_of(model_.particles(), no_link);
        for (std::uint32_t s = 0; s < strands_.size(); ++s) {
            for (const std::uint32_t particle : strands_[s].particles) strand_of[particle] = s;
        }
        const auto& attachments = list_of<Tie>(model_.constraints);
        for (std::size_t i = 0; i < attachments.size(); ++i) {
            const auto& [a, b] = attachments.particles[i];
            if (strand_of[a] == strand_of[b]) continue;
            if (strand_of[a] != no_link) strands_[strand_of[a]].ties.push_back({a, b, attachments.parts[i]});
            if (strand_of[b] != no_link) strands_[strand_of[b]].ties.push_back({b, a, attachments.parts[i]});
        }
        for (Strand& strand : strands_) std::stable_sort(strand.ties.begin(), strand.ties.end());
    }

    // A strand runs through a ring where it is nearest to it.
    void find_rings() {
        if (model_.rings.empty()) return;
        for (std::uint32_t i = 0; i < model_.rings.size(); ++i) {
            const auto& [particle, body] = model_.rings[i];
            for (Strand& strand : strands_) {
                if (strand.particles[0] != model_.bodies[body].first_particle) continue;
                strand.rings.push_back({i, particle, nearest_segment(strand, particle), 0});
                strand.sort = StrandSort::threaded;
            }
        }
        for (Strand& strand : strands_) {
            std::stable_sort(strand.rings.begin(), strand.rings.end(),
                             [&](const StrandRing& a, const StrandRing& b) {
                                 return std::pair(a.segment, distance_from(strand, a)) <
                                        std::pair(b.segment, distance_from(strand, b));
                             });
        }
    }
    Vec3d rest(std::uint32_t particle) const { return to_double(model_.rest_positions[particle]); }
    double distance_from(const Strand& strand, const StrandRing& ring) const {
        return length(rest(ring.particle) - rest(strand.particles[ring.segment]));
    }
    std::uint32_t nearest_segment(const Strand& strand, std::uint32_t particle) const {
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

    void bundle() {
        std::vector<std::uint8_t> rides(model_.particles(), 0);
        for (const model::Rider& rider : model_.riders) rides[rider.particle] = 1;
        for (Strand& strand : strands_) {
            strand.is_bundled = strand.sort == StrandSort::hair && !rides[strand.particles[0]] &&
                                std::all_of(strand.ties.begin(), strand.ties.end(),
                                            [&](const auto& tie) { return tie[1] >= model_.visible; });
        }
    }

    // The first colour that no strand has which is tied to the same particle, or runs through the same ring.
    // Points of the world are read only.
    void colour() {
        std::vector<std::vector<std::uint32_t>> taken(model_.visible);
        std::vector<std::uint8_t> is_ring(model_.visible, 0);
        for (const model::Ring& ring : model_.rings) is_ring[ring.particle] = 1;
        for (Strand& strand : strands_) {
            if (strand.is_bundled) continue;
            const auto for_each_shared = [&](auto&& f) {
                for (const auto& [own, other, part] : strand.ties) {
                    f(taken[own]);
                    if (other < model_.visible) f(taken[other]);
                }
                for (const StrandRing& ring : strand.rings) f(taken[ring.particle]);
                if (model_.rings.empty()) return;
                for (const std::uint32_t own : strand.particles) {
                    if (is_ring[own]) f(taken[own]);
                }
            };
            const auto is_taken = [&](std::uint32_t colour) {
                bool found = false;
                for_each_shared([&](const std::vector<std::uint32_t>& colours) {
                    found = found || std::find(colours.begin(), colours.end(), colour) != colours.end();
                });
                return found;
            };
            while (is_taken(strand.colour)) ++strand.colour;
            for_each_shared([&](std::vector<std::uint32_t>& colours) { colours.push_back(strand.colour); });
        }
        std::stable_sort(strands_.begin(), strands_.end(), [](const Strand& a, const Strand& b) {
            return std::tuple(!a.is_bundled, a.colour, a.sort, b.particles.size()) <
                   std::tuple(!b.is_bundled, b.colour, b.sort, a.particles.size());
        });
    }

    void pack() {
        for (std::size_t first = 0; first < strands_.size();) {
            std::size_t end = first;
            const std::size_t most = strands_[first].sort == StrandSort::threaded ? 1 : block_size;
            while (end < strands_.size() && end < first + most &&
                   strands_[end].colour == strands_[first].colour &&
                   strands_[end].sort == strands_[first].sort &&
                   strands_[end].is_bundled == strands_[first].is_bundled)
                ++end;
            if (strands_[first].is_bundled) {
                ++set_.bundles;
            } else if (set_.colours.size() <= strands_[first].colour)
                set_.colours.push_back(static_cast<std::uint32_t>(set_.groups.size()));
            pack_group(first, end);
            first = end;
        }
        set_.colours.push_back(static_cast<std::uint32_t>(set_.groups.size()));
    }

    // Lanes without a strand repeat the first; no links hold them, so they go nowhere.
    void pack_group(std::size_t first, std::size_t end) {
        StrandGroup group;
        group.first_node = static_cast<std::uint32_t>(set_.particles.size() / block_size);
        group.nodes = static_cast<std::uint32_t>(strands_[first].particles.size());
        group.strands = static_cast<std::uint32_t>(end - first);
        group.first_tie = static_cast<std::uint32_t>(set_.ties.size());
        for (std::size_t node = 0; node < group.nodes; ++node) {
            for (std::size_t lane = 0; lane < block_size; ++lane) {
                const Strand& strand = strands_[std::min(first + lane, end - 1)];
                const bool is_there = first + lane < end;
                set_.particles.push_back(strand.particles[std::min(node, strand.particles.size() - 1)]);
                set_.links.push_back(is_there && node < strand.links.size() ? strand.links[node] : no_link);
            }
        }
        group.sort = strands_[first].sort;
        for (std::size_t lane = 0; lane < block_size; ++lane) {
            set_.parts.push_back(strands_[std::min(first + lane, end - 1)].part);
            set_.rods.push_back(strands_[std::min(first + lane, end - 1)].rod);
        }
        if (!model_.rods.empty()) pack_rods(first, end, group);
        for (std::size_t s = first; s < end; ++s) {
            for (const auto& [own, other, part] : strands_[s].ties)
                set_.ties.push_back({own, other, 0, 0, part});
        }
        group.ties = static_cast<std::uint32_t>(set_.ties.size()) - group.first_tie;
        group.first_ring = static_cast<std::uint32_t>(set_.rings.size());
        group.rings = static_cast<std::uint32_t>(strands_[first].rings.size());
        set_.rings.insert(set_.rings.end(), strands_[first].rings.begin(), strands_[first].rings.end());
        set_.groups.push_back(group);
    }

    // Lanes without a strand, and nodes beyond the last, have the frames of the last that is there.
    void pack_rods(std::size_t first, std::size_t end, const StrandGroup& group) {
        const std::size_t nodes = set_.particles.size() / block_size;
        set_.curvatures.resize(nodes * 2 * block_size);
        set_.start_frames.resize(nodes * rod_frame_values * block_size);
        if (group.sort != StrandSort::rod) return;
        for (std::size_t lane = 0; lane < block_size; ++lane) {
            const Strand& strand = strands_[std::min(first + lane, end - 1)];
            const RodRest rest = rest_of_rod(model_, strand.particles, model_.rods[strand.rod]);
            for (std::size_t i = 0; i < group.nodes; ++i) {
                const std::size_t node = group.first_node + i, from = std::min(i, rest.frames.size() - 1);
                const auto put = [&](AlignedVector<float>& to, const auto& values) {
                    for (std::size_t k = 0; k < values.size(); ++k)
                        to[(node * values.size() + k) * block_size + lane] = values[k];
                };
                put(set_.curvatures, rest.curvatures[from]);
                put(set_.start_frames, rest.frames[from]);
            }
        }
    }

    const model::Model& model_;
    const constraints::ConstraintList<Link>& distances_;
    std::vector<Neighbours> neighbours_;
    std::vector<std::uint8_t> is_used_;
    std::vector<Strand> strands_;
    StrandSet set_;
};

}  // namespace

StrandSet find_strands(const model::Model& model) { return StrandFinder(model).run(); }

std::vector<std::vector<std::uint32_t>> bundles_of(const StrandSet& strands) {
    std::vector<std::vector<std::uint32_t>> bundles(strands.bundles);
    for (std::size_t g = 0; g < strands.bundles; ++g) {
        const StrandGroup& group = strands.groups[g];
        for (std::size_t node = 0; node < group.nodes; ++node) {
            const std::size_t at = (group.first_node + node) * block_size;
            for (std::size_t lane = 0; lane < group.strands; ++lane) {
                const std::uint32_t particle = strands.particles[at + lane];
                // Shorter strands repeat their last particle.
                if (node == 0 || strands.particles[at - block_size + lane] != particle)
                    bundles[g].push_back(particle);
            }
        }
        for (std::size_t i = 0; i < group.ties; ++i)
            bundles[g].push_back(strands.ties[group.first_tie + i].other);
    }
    return bundles;
}

void place_strands(const Subdomains& subdomains, StrandSet& strands) {
    const auto offset_of = [&](std::uint32_t particle) {
        return static_cast<std::uint32_t>(subdomains.slot_of[particle] * bytes_per_particle);
    };
    strands.offsets.clear();
    for (const std::uint32_t particle : strands.particles) strands.offsets.push_back(offset_of(particle));
    for (StrandTie& tie : strands.ties) {
        tie.offset = offset_of(tie.own);
        tie.other_offset = offset_of(tie.other);
    }
    for (StrandRing& ring : strands.rings) ring.offset = offset_of(ring.particle);
    const auto subdomain_of = [&](std::uint32_t bundle) {
        return subdomains.subdomain_of[strands.particles[strands.groups[bundle].first_node * block_size]];
    };
    strands.subdomain_bundles.resize(strands.bundles);
    std::iota(strands.subdomain_bundles.begin(), strands.subdomain_bundles.end(), 0u);
    std::stable_sort(strands.subdomain_bundles.begin(), strands.subdomain_bundles.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return subdomain_of(a) < subdomain_of(b); });
    strands.subdomain_first.assign(subdomains.count + 1, 0);
    for (const std::uint32_t bundle : strands.subdomain_bundles)
        ++strands.subdomain_first[subdomain_of(bundle) + 1];
    std::partial_sum(strands.subdomain_first.begin(), strands.subdomain_first.end(),
                     strands.subdomain_first.begin());
}

}  // namespace pliant::solvers::position_based
