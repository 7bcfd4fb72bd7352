#include "solvers/position_based/strands/net_points.h"

#include <algorithm>

namespace pliant::solvers::position_based {
namespace {

class NetFinder {
public:
    NetFinder(const RopeNet& net, NetWorkspace& workspace) : net_(net), net_of_(workspace) {}

    void run() {
        if (is_known()) return;
        find_points();
        find_segments();
        net_of_.couples.clear();
        for (const NetSegment& segment : net_of_.segments) {
            for (std::uint32_t p = segment.first; p <= segment.last; ++p) {
                for (std::uint32_t q = segment.first; q <= segment.last; ++q) {
                    couple(net_of_.pieces[p].a, net_of_.pieces[q].b);
                    couple(net_of_.pieces[p].a, net_of_.pieces[q].a);
                }
            }
        }
        number_rows();
        for (auto& [a, b] : net_of_.couples) a = net_of_.points[a].row, b = net_of_.points[b].row;
        std::erase_if(net_of_.couples,
                      [](const auto& c) { return c.first == no_link || c.second == no_link; });
        net_of_.factor.analyze(net_of_.right.size(), net_of_.couples);
    }

private:
    // Where rings are, which ties are rigid, and what is held.
    bool is_known() {
        auto& known = net_of_.found_for;
        std::size_t at = 0;
        bool same = true;
        const auto compare = [&](std::uint32_t value) {
            if (at == known.size()) {
                known.push_back(value);
                same = false;
            }
            same = same && known[at] == value;
            known[at++] = value;
        };
        for (const NetRope& rope : net_.ropes) {
            for (const std::uint32_t segment : rope.segments) compare(segment);
            for (std::size_t i = 0; i < rope.nodes.size(); i += block_size) compare(is_held(rope.nodes[i]));
            for (const std::uint32_t ring : rope.rings) compare(is_held(ring));
        }
        for (std::size_t i = 0; i < net_.ties.size(); ++i)
            compare(net_.is_rigid[i] ? 2 + is_held(net_.ties[i].other_offset) : 0);
        return same;
    }
    std::uint32_t is_held(std::uint32_t offset) const {
        return net_.particles.position[offset / sizeof(float) + 3] > 0 ? 0 : 1;
    }

    std::uint32_t& point_at(std::uint32_t offset) {
        const auto at = std::lower_bound(
            net_of_.particles.begin(), net_of_.particles.end(), offset,
            [](const NetParticle& particle, std::uint32_t value) { return particle.offset < value; });
        return at->point;
    }

    void find_points() {
        auto& particles = net_of_.particles;
        particles.clear();
        for (const NetRope& rope : net_.ropes) {
            for (std::size_t i = 0; i < rope.nodes.size(); i += block_size)
                particles.push_back({rope.nodes[i], 0});
            for (const std::uint32_t ring : rope.rings) particles.push_back({ring, 0});
        }
        for (std::size_t i = 0; i < net_.ties.size(); ++i) {
            if (net_.is_rigid[i]) particles.push_back({net_.ties[i].other_offset, 0});
        }
        std::sort(particles.begin(), particles.end(),
                  [](const NetParticle& a, const NetParticle& b) { return a.offset < b.offset; });
        particles.erase(
            std::unique(particles.begin(), particles.end(),
                        [](const NetParticle& a, const NetParticle& b) { return a.offset == b.offset; }),
            particles.end());
        for (std::uint32_t i = 0; i < particles.size(); ++i) particles[i].point = i;
        // Each round, tied particles take the lower number: as many rounds as ties follow each other.
        for (bool changed = true; changed;) {
            changed = false;
            for (std::size_t i = 0; i < net_.ties.size(); ++i) {
                if (!net_.is_rigid[i]) continue;
                std::uint32_t &a = point_at(net_.ties[i].offset), &b = point_at(net_.ties[i].other_offset);
                changed = changed || a != b;
                a = b = std::min(a, b);
            }
        }
        net_of_.points.assign(particles.size(), {});
    }

    void find_segments() {
        auto& pieces = net_of_.pieces;
        pieces.clear();
        net_of_.segments.clear();
        for (std::uint32_t r = 0; r < net_.ropes.size(); ++r) {
            const NetRope& rope = net_.ropes[r];
            std::size_t ring = 0;
            const std::size_t links = rope.nodes.size() / block_size - 1;
            for (std::uint32_t i = 0; i < links; ++i) {
                NetSegment segment;
                segment.first = static_cast<std::uint32_t>(pieces.size());
                segment.rope = r;
                segment.slot = i * static_cast<std::uint32_t>(block_size);
                segment.is_first = i == 0;
                segment.is_last = i + 1 == links;
                std::uint32_t from = point_at(rope.nodes[i * block_size]);
                const auto go_to = [&](std::uint32_t offset) {
                    const std::uint32_t to = point_at(offset);
                    pieces.push_back({from, to});
                    from = to;
                };
                while (ring < rope.rings.size() && rope.segments[ring] == i) go_to(rope.rings[ring++]);
                go_to(rope.nodes[(i + 1) * block_size]);
                segment.last = static_cast<std::uint32_t>(pieces.size()) - 1;
                net_of_.segments.push_back(segment);
            }
        }
    }

    void couple(std::uint32_t a, std::uint32_t b) {
        if (a != b) net_of_.couples.push_back({a, b});
    }

    // In the order of the ropes.
    void number_rows() {
        std::uint32_t rows = 0;
        for (const NetParticle& particle : net_of_.particles) {
            if (is_held(particle.offset)) net_of_.points[particle.point].mass = -1;
        }
        const auto number = [&](std::uint32_t i) {
            NetPoint& point = net_of_.points[i];
            if (point.row == no_link && !(point.mass < 0)) point.row = rows++;
        };
        for (const NetPiece& piece : net_of_.pieces) {
            number(piece.a);
            number(piece.b);
        }
        net_of_.right.resize(rows);
    }

    const RopeNet& net_;
    NetWorkspace& net_of_;
};

}  // namespace

void find_net_points(const RopeNet& net, NetWorkspace& workspace) { NetFinder(net, workspace).run(); }

}  // namespace pliant::solvers::position_based
