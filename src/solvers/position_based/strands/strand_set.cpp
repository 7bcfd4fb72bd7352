#include "solvers/position_based/strands/strand_set.h"

#include <pliant/assertions.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <span>
#include <utility>

#include "base/particle_layout.h"
#include "solvers/position_based/kernels.h"
#include "solvers/position_based/strands/found_strand.h"
#include "solvers/position_based/strands/rod_rest.h"

namespace pliant::solvers::position_based {
namespace {

class StrandPacker {
public:
    StrandPacker(const model::Model& model, FoundStrands found)
        : model_(model), strands_(std::move(found.strands)) {
        set_.is_direct = std::move(found.is_direct);
    }

    StrandSet run() {
        for (std::size_t first = 0; first < strands_.size();) {
            std::size_t end = first;
            const StrandSort sort = strands_[first].sort;
            const std::size_t most = sort == StrandSort::net      ? strands_.size()
                                     : sort == StrandSort::pieces ? 1
                                                                  : block_size;
            while (end < strands_.size() && end < first + most &&
                   strands_[end].colour == strands_[first].colour && strands_[end].sort == sort &&
                   strands_[end].net == strands_[first].net &&
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
        return std::move(set_);
    }

private:
    std::uint32_t next_node() const { return static_cast<std::uint32_t>(set_.particles.size() / block_size); }
    void put_node(const FoundStrand& strand, std::size_t node, bool has_link) {
        set_.particles.push_back(strand.particles[std::min(node, strand.particles.size() - 1)]);
        set_.links.push_back(has_link && node < strand.links.size() ? strand.links[node] : no_link);
    }

    // Lanes without a strand repeat the first; no links hold them, so they go nowhere.
    void put_nodes(std::size_t first, std::size_t end, StrandGroup& group) {
        group.first_node = next_node();
        group.nodes = static_cast<std::uint32_t>(strands_[first].particles.size());
        group.strands = static_cast<std::uint32_t>(end - first);
        for (std::size_t node = 0; node < group.nodes; ++node) {
            for (std::size_t lane = 0; lane < block_size; ++lane)
                put_node(strands_[std::min(first + lane, end - 1)], node, first + lane < end);
        }
    }

    // n particles are sixteen pieces of q, with two joints behind each but the last, and a third behind the
    // first few.
    void put_pieces(const FoundStrand& strand, StrandGroup& group) {
        constexpr std::size_t gaps = block_size - 1;
        const std::size_t inner = strand.particles.size() - 2 * gaps, rows = inner / block_size,
                          thirds = inner % block_size;
        const auto joints = [&](std::size_t piece) {
            return piece >= gaps ? std::size_t(0) : piece < thirds ? std::size_t(3) : std::size_t(2);
        };
        const auto begin = [&](std::size_t piece) { return piece * (rows + 2) + std::min(piece, thirds); };
        group.first_node = next_node();
        group.nodes = static_cast<std::uint32_t>(rows + long_rope_joint_rows);
        group.strands = block_size;
        for (std::size_t row = 0; row < group.nodes; ++row) {
            for (std::size_t piece = 0; piece < block_size; ++piece) {
                const std::size_t last = rows + joints(piece) - 1;
                put_node(strand, begin(piece) + std::min(row, last), row <= last);
            }
        }
    }

    void put_rings(const FoundStrand& strand, StrandGroup& group) {
        group.first_ring = static_cast<std::uint32_t>(set_.rings.size());
        group.rings = static_cast<std::uint32_t>(strand.rings.size());
        set_.rings.insert(set_.rings.end(), strand.rings.begin(), strand.rings.end());
    }
    void put_chain(std::size_t s) {
        StrandGroup& chain = set_.chains.emplace_back();
        put_nodes(s, s + 1, chain);
        put_rings(strands_[s], chain);
        set_.chain_parts.push_back(strands_[s].part);
    }

    void pack_group(std::size_t first, std::size_t end) {
        StrandGroup group;
        group.sort = strands_[first].sort;
        group.first_tie = static_cast<std::uint32_t>(set_.ties.size());
        group.first_chain = static_cast<std::uint32_t>(set_.chains.size());
        if (group.sort == StrandSort::net || group.sort == StrandSort::pieces) {
            for (std::size_t s = first; s < end; ++s) put_chain(s);
            group.chains = static_cast<std::uint32_t>(end - first);
            if (group.sort == StrandSort::pieces) put_pieces(strands_[first], group);
        } else {
            put_nodes(first, end, group);
        }
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
        set_.groups.push_back(group);
    }

    // Lanes without a strand, and nodes beyond the last, have the frames of the last that is there.
    void pack_rods(std::size_t first, std::size_t end, const StrandGroup& group) {
        const std::size_t nodes = set_.particles.size() / block_size;
        set_.curvatures.resize(nodes * 2 * block_size);
        set_.start_frames.resize(nodes * rod_frame_values * block_size);
        if (group.sort != StrandSort::rod) return;
        list_lines(first, end, group);
        for (std::size_t lane = 0; lane < block_size; ++lane) {
            const FoundStrand& strand = strands_[std::min(first + lane, end - 1)];
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

    // Lines of ropes and hair lead from each particle to the next.
    std::uint32_t line_of(std::uint32_t particle) const {
        const auto after =
            std::upper_bound(model_.bodies.begin(), model_.bodies.end(), particle,
                             [](std::uint32_t p, const BodyView& body) { return p < body.first_particle; });
        const BodyView& body = *std::prev(after);
        const auto lines = std::span(model_.lines).subspan(body.first_line, body.line_count);
        const auto found = std::lower_bound(lines.begin(), lines.end(), particle,
                                            [](const Edge& line, std::uint32_t p) { return line[0] < p; });
        PLIANT_ASSERT(found != lines.end() && (*found)[0] == particle);
        return body.first_line + static_cast<std::uint32_t>(found - lines.begin());
    }

    void list_lines(std::size_t first, std::size_t end, const StrandGroup& group) {
        for (std::size_t s = first; s < end; ++s) {
            const std::vector<std::uint32_t>& particles = strands_[s].particles;
            for (std::size_t i = 0; i + 1 < particles.size(); ++i) {
                const std::size_t node = group.first_node + i;
                set_.rod_lines.push_back({line_of(std::min(particles[i], particles[i + 1])),
                                          node * rod_frame_values * block_size + (s - first)});
            }
        }
    }

    const model::Model& model_;
    const std::vector<FoundStrand> strands_;
    StrandSet set_;
};

}  // namespace

StrandSet find_strands(const model::Model& model) {
    return StrandPacker(model, find_all_strands(model)).run();
}

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
