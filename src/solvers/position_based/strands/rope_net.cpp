#include "solvers/position_based/strands/rope_net.h"

#include <algorithm>

#include "base/scalar.h"
#include "solvers/position_based/strands/net_points.h"

namespace pliant::solvers::position_based {
namespace {

Vec3d read(const float* of, std::uint32_t offset) {
    const float* p = of + offset / sizeof(float);
    return {p[0], p[1], p[2]};
}
Vec3d unit(const Vec3d& v, const Vec3d& otherwise) {
    const double square = dot(v, v);
    return square > 1e-30 ? v * (1 / sqrt(square)) : otherwise;
}
// scale·g·fᵀ + even
Block outer(const Vec3d& g, const Vec3d& f, double scale, double even) {
    const Vec3d s = g * scale;
    return {s.x * f.x + even, s.x * f.y, s.x * f.z, s.y * f.x,       s.y * f.y + even,
            s.y * f.z,        s.z * f.x, s.z * f.y, s.z * f.z + even};
}

constexpr int most_tries = 8, most_steps = 4;

class NetSolve {
public:
    NetSolve(const RopeNet& net, NetWorkspace& workspace) : net_(net), of_(workspace) {}

    void run() {
        if (of_.right.empty()) return;
        read_points();
        read_segments();
        for (int tries = 0; tries < most_tries; ++tries) {
            solve();
            if (!find_tensions()) break;
        }
        for (int steps = 0;;) {
            move();
            if (++steps == most_steps || (steps > 1 && is_done())) break;
            solve();
            find_tensions();
        }
        write_back();
    }

private:
    void read_points() {
        for (NetPoint& point : of_.points) point = {{}, {}, {}, 0, point.row};
        const ParticleArrays& from = net_.particles;
        for (const NetParticle& particle : of_.particles) {
            NetPoint& point = of_.points[particle.point];
            const double w = from.position[particle.offset / sizeof(float) + 3];
            const bool is_held = !(w > 0);
            if (point.row != no_link || is_held) {
                const double mass = is_held ? 1 : 1 / w;
                const Vec3d x = read(from.position, particle.offset);
                point.x = point.x + x * mass;
                point.rate = point.rate + (read(from.displacement, particle.offset) + x -
                                           read(from.predicted, particle.offset)) *
                                              mass;
                point.mass += mass;
            }
        }
        heaviest_ = 0;
        for (NetPoint& point : of_.points) {
            if (!(point.mass > 0)) continue;
            point.x = point.x * (1 / point.mass);
            point.rate = point.rate * (1 / point.mass);
            if (point.row != no_link) heaviest_ = max(heaviest_, point.mass);
        }
    }

    void read_segments() {
        longest_ = 0;
        for (NetSegment& segment : of_.segments) {
            const NetRope& rope = net_.ropes[segment.rope];
            const double rest = rope.rests[segment.slot], tension = rope.tensions[segment.slot];
            const bool is_there = rest > -1;  // NaN: none
            segment.rest = is_there ? rest : 0;
            segment.compliance = is_there ? rope.compliance + rope.compliance_per_measure * rest : 0;
            segment.stiffness = is_there ? 1 / max(segment.compliance, 1e-5 / heaviest_) : 0;
            segment.damping = rope.damping;
            segment.kept = net_.is_repeat && is_there ? tension : 0;
            segment.tension = is_there ? max(tension, 0.0) : 0;
            longest_ += segment.rest;
        }
        measure();
        for (NetSegment& segment : of_.segments) {
            if (is_wire(segment) && !net_.is_repeat) estimate_tension(segment);
        }
    }

    // A ring between two held nodes: nothing light is there to be thrown aside.
    bool is_wire(const NetSegment& segment) const {
        return segment.last > segment.first && point(segment, segment.first).row == no_link &&
               point(segment, segment.last + 1).row == no_link;
    }
    // The last substep's says nothing there: it comes and goes with the ring.
    void estimate_tension(NetSegment& segment) const {
        double give = 1 / max(segment.stiffness, 1e-300);
        for (std::uint32_t p = segment.first; p <= segment.last + 1; ++p) {
            const Vec3d g = gradient(segment, p);
            const NetPoint& at = point(segment, p);
            give += at.row != no_link ? dot(g, g) / at.mass : 0;
        }
        segment.tension = max(segment.pull / max(segment.stiffness, 1e-300) / give, 0.0);
    }

    // Where a node is next to a ring, the direction between them says nothing. The rope's beyond the node
    // does, and along it the length may go through 0.
    void measure_beside_ring(const NetSegment& segment, std::uint32_t p) {
        NetPiece& piece = of_.pieces[p];
        Vec3d along = of_.points[piece.b].x - of_.points[piece.a].x;
        const Vec3d e = along;
        if (p == segment.first && !segment.is_first) {
            along = of_.points[piece.b].x - of_.points[of_.pieces[p - 1].a].x;
        } else if (p == segment.last && !segment.is_last) {
            along = of_.points[of_.pieces[p + 1].b].x - of_.points[piece.a].x;
        }
        piece.direction = unit(along, piece.direction);
        piece.length = dot(piece.direction, e);
    }

    // Pieces, and what pulls at their segments.
    void measure() {
        for (NetSegment& segment : of_.segments) {
            double length = 0, rate = 0;
            for (std::uint32_t p = segment.first; p <= segment.last; ++p) {
                NetPiece& piece = of_.pieces[p];
                const NetPoint &a = of_.points[piece.a], &b = of_.points[piece.b];
                const Vec3d e = b.x - a.x;
                piece.length = sqrt(dot(e, e));
                piece.direction = unit(e, piece.direction);
                if (segment.last > segment.first && piece.length < 0.05 * segment.rest)
                    measure_beside_ring(segment, p);
                length += piece.length;
                rate += dot(piece.direction, b.rate - a.rate);
            }
            segment.pull = segment.stiffness * ((length - segment.rest) - segment.compliance * segment.kept +
                                                segment.damping * rate);
        }
    }

    // ∂C/∂x of what is at the beginning of piece p, up to one more than the last.
    Vec3d gradient(const NetSegment& segment, std::uint32_t p) const {
        Vec3d g{};
        if (p > segment.first) g = of_.pieces[p - 1].direction;
        if (p <= segment.last) g = g - of_.pieces[p].direction;
        return g;
    }
    const NetPoint& point(const NetSegment& segment, std::uint32_t p) const {
        return of_.points[p <= segment.last ? of_.pieces[p].a : of_.pieces[p - 1].b];
    }

    void add(const NetPoint& a, const NetPoint& b, const Block& block) {
        if (a.row != no_link && b.row != no_link) of_.factor.add(a.row, b.row, block);
    }

    void add_segment(const NetSegment& segment) {
        const double stiffness = segment.stiffness * (1 + segment.damping);
        for (std::uint32_t p = segment.first; p <= segment.last + 1; ++p) {
            const NetPoint& a = point(segment, p);
            const Vec3d g = gradient(segment, p);
            if (a.row == no_link) continue;
            of_.right[a.row] = of_.right[a.row] - g * segment.pull;
            for (std::uint32_t q = segment.first; q <= segment.last + 1; ++q) {
                const NetPoint& b = point(segment, q);
                if (q <= p || a.row == b.row) add(a, b, outer(g, gradient(segment, q), stiffness, 0));
            }
        }
        for (std::uint32_t p = segment.first; p <= segment.last; ++p) {
            const NetPiece& piece = of_.pieces[p];
            const double side = segment.tension / max(piece.length, 0.01 * segment.rest + 1e-12);
            const NetPoint &a = of_.points[piece.a], &b = of_.points[piece.b];
            const Block across = outer(piece.direction, piece.direction, -side, side);
            Block against = across;
            for (double& value : against) value = -value;
            if (piece.a == piece.b) continue;
            add(a, a, across);
            add(b, b, across);
            add(a, b, against);
        }
    }

    void solve() {
        of_.factor.clear();
        for (const NetPoint& at : of_.points) {
            if (at.row == no_link) continue;
            Block& block = of_.factor.diagonal(at.row);
            block[0] = block[4] = block[8] = at.mass;
            of_.right[at.row] = at.moved * -at.mass;
        }
        for (const NetSegment& segment : of_.segments) add_segment(segment);
        of_.factor.solve(of_.right);
    }

    Vec3d step(const NetPoint& at) const { return at.row == no_link ? Vec3d{} : of_.right[at.row]; }

    // True if some tension is much more than was foreseen: the step goes sideways too far then.
    bool find_tensions() {
        bool is_more = false;
        for (NetSegment& segment : of_.segments) {
            if (!(segment.stiffness > 0)) continue;
            double growth = 0, lightest = heaviest_;
            for (std::uint32_t p = segment.first; p <= segment.last + 1; ++p) {
                const NetPoint& at = point(segment, p);
                growth += dot(gradient(segment, p), step(at));
                if (at.row != no_link) lightest = min(lightest, at.mass);
            }
            segment.found = segment.pull + segment.stiffness * (1 + segment.damping) * growth;
            const double now = segment.kept + segment.found;
            const bool is_thrown = now > 2 * segment.tension + 0.25 * lightest * segment.rest;
            is_more = is_more || (is_thrown && !is_wire(segment));
            segment.tension = max(now, 0.0);
        }
        return is_more;
    }

    // A step beyond the net's length, or NaN, is an accident.
    void move() {
        for (NetPoint& at : of_.points) {
            const Vec3d dx = step(at);
            if (!(dot(dx, dx) < longest_ * longest_)) continue;
            at.x = at.x + dx;
            at.moved = at.moved + dx;
            at.rate = at.rate + dx;
        }
        measure();
    }

    // Whether lengths are what tension makes them.
    bool is_done() const {
        for (const NetSegment& segment : of_.segments) {
            const double error = (segment.pull - segment.found) / max(segment.stiffness, 1e-300);
            if (!(abs(error) <= 1e-5 * segment.rest)) return false;
        }
        return true;
    }

    void write_back() {
        for (const NetParticle& particle : of_.particles) {
            const NetPoint& at = of_.points[particle.point];
            float* to = net_.particles.position + particle.offset / sizeof(float);
            if (!(to[3] > 0) || !(at.mass > 0)) continue;
            to[0] = static_cast<float>(at.x.x);
            to[1] = static_cast<float>(at.x.y);
            to[2] = static_cast<float>(at.x.z);
        }
        for (const NetSegment& segment : of_.segments) {
            const double sum = segment.kept + segment.found;
            net_.ropes[segment.rope].tensions[segment.slot] =
                abs(sum) < 1e30 ? static_cast<float>(sum) : 0.0f;
        }
    }

    const RopeNet& net_;
    NetWorkspace& of_;
    double heaviest_ = 0, longest_ = 0;
};

}  // namespace

void solve_net(const RopeNet& net, NetWorkspace& workspace) {
    if (!net.is_repeat) {
        for (const NetRope& rope : net.ropes) move_rings(rope, net.particles);
    }
    find_net_points(net, workspace);
    NetSolve(net, workspace).run();
}

}  // namespace pliant::solvers::position_based
