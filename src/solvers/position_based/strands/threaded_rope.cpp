#include "solvers/position_based/strands/threaded_rope.h"

#include <algorithm>

#include "base/particle_layout.h"
#include "base/scalar.h"
#include "solvers/position_based/strands/rod_joint.h"

namespace pliant::solvers::position_based {
namespace {

Vec3d read(const float* of, std::uint32_t offset) {
    const float* p = of + offset / sizeof(float);
    return {p[0], p[1], p[2]};
}
void write(float* to, std::uint32_t offset, const Vec3d& value) {
    float* p = to + offset / sizeof(float);
    p[0] = static_cast<float>(value.x);
    p[1] = static_cast<float>(value.y);
    p[2] = static_cast<float>(value.z);
}
Vec3d unit(const Vec3d& v, const Vec3d& otherwise) {
    const double square = dot(v, v);
    return square > 1e-30 ? v * (1 / sqrt(square)) : otherwise;
}

// Turns that take the direction a to b: the smallest, or a mirror where that is not unique.
Vec3d turned(const Vec3d& v, const Vec3d& a, const Vec3d& b) {
    if (dot(a, b) > -0.9) return transport(v, a, b);
    const Vec3d w = a - b;
    return v - w * (2 * dot(w, v) / dot(w, w));
}

// ---- Rings that come to the end of their segment ----

class RingMover {
public:
    explicit RingMover(const ThreadedRope& rope) : rope_(rope), last_(rope.nodes.size() / block_size - 1) {}

    // Each ring passes one node at most.
    void run() {
        bool has_moved[most_rings] = {};
        for (std::size_t i = rope_.rings.size(); i-- > 0;) {
            const bool is_last = i + 1 == rope_.rings.size() || rope_.segments[i + 1] > rope_.segments[i];
            if (is_last && rope_.segments[i] + 1 < last_) has_moved[i] = pass(i, 1);
        }
        for (std::size_t i = 0; i < rope_.rings.size(); ++i) {
            const bool is_first = i == 0 || rope_.segments[i - 1] < rope_.segments[i];
            if (is_first && !has_moved[i] && rope_.segments[i] > 0) pass(i, -1);
        }
    }

private:
    std::uint32_t node(std::size_t i) const { return rope_.nodes[i * block_size]; }
    Vec3d position(std::uint32_t offset) const { return read(rope_.particles.position, offset); }
    Vec3d displacement(std::uint32_t offset) const { return read(rope_.particles.displacement, offset); }
    double inverse_mass(std::uint32_t offset) const {
        return rope_.particles.position[offset / sizeof(float) + 3];
    }

    // What is on the rope beside ring i, on the side that it comes from: another ring, or a node.
    std::uint32_t behind(std::size_t i, int way) const {
        const std::size_t next = i - static_cast<std::size_t>(way);
        if (next < rope_.rings.size() && rope_.segments[next] == rope_.segments[i]) return rope_.rings[next];
        return node(rope_.segments[i] + (way > 0 ? 0u : 1u));
    }
    // Of the segment, up to the ring.
    double length_behind(std::size_t i, int way) const {
        double sum = 0;
        for (std::size_t k = i; k < rope_.rings.size() && rope_.segments[k] == rope_.segments[i];
             k -= static_cast<std::size_t>(way))
            sum += length(position(behind(k, way)) - position(rope_.rings[k]));
        return sum;
    }

    // When all of its segment is on one side of a ring, the node has passed: how far it is from the ring then
    // may be next to nothing, and says little. The lighter of ring and node has gone past the other in a
    // straight line; it is taken to where the rope leads, as fast as it was. What that does to its momentum
    // is done to the other too.
    bool pass(std::size_t i, int way) {
        const std::uint32_t ring = rope_.rings[i], before = behind(i, way);
        const std::size_t passed = rope_.segments[i] + (way > 0 ? 1u : 0u);
        const double rest = rope_.rests[rope_.segments[i] * block_size];
        const double over = length_behind(i, way) - rest;
        if (!(over > 0)) return false;
        const std::uint32_t at = node(passed), after = node(passed + static_cast<std::size_t>(way));
        const double step = min(over, 0.5 * rest);
        if (inverse_mass(at) >= inverse_mass(ring)) {
            const Vec3d from = unit(position(ring) - position(after), {0, 1, 0});
            turn(at, ring, from, unit(position(before) - position(ring), from), step);
        } else {
            const Vec3d from = unit(position(at) - position(before), {0, 1, 0});
            turn(ring, at, from, unit(position(after) - position(at), from), step);
        }
        rope_.segments[i] = static_cast<std::uint32_t>(static_cast<int>(rope_.segments[i]) + way);
        return true;
    }

    // Moves to `step` beyond what it passed, in the direction `to`.
    void turn(std::uint32_t moved, std::uint32_t about, const Vec3d& from, const Vec3d& to, double step) {
        if (!(inverse_mass(moved) > 0)) return;
        const Vec3d center = position(about), x = position(moved), u = displacement(moved);
        const Vec3d correction = x - read(rope_.particles.predicted, moved);
        const Vec3d to_x = center + to * step;
        const Vec3d base = displacement(about), to_u = base + turned(u - base, from, to);
        write(rope_.particles.position, moved, to_x);
        write(rope_.particles.predicted, moved, to_x - correction);
        write(rope_.particles.displacement, moved, to_u);
        const Vec3d recoil = (u - to_u) * (inverse_mass(about) / inverse_mass(moved));
        write(rope_.particles.displacement, about, base + recoil);
        write(rope_.particles.predicted, about, read(rope_.particles.predicted, about) + recoil);
        write(rope_.particles.position, about, center + recoil);
    }

    const ThreadedRope& rope_;
    const std::size_t last_;  // node
};

// ---- The solve ----

class ThreadedSolve {
public:
    ThreadedSolve(const ThreadedRope& rope, ThreadedWorkspace& workspace)
        : rope_(rope), points_(workspace.points), segments_(workspace.segments), memory_(workspace) {}

    void run() {
        read_points();
        estimate_tensions();
        for (int step = 0; step < 2; ++step) {
            assemble();
            solve();
            move();
        }
        for (const ThreadedPoint& point : points_) {
            if (!point.is_held) write(rope_.particles.position, point.offset, point.x);
        }
        for (std::size_t i = 0; i < segments_.size(); ++i) {
            const double sum = segments_[i].kept + segments_[i].found;
            rope_.multipliers[i * block_size] = abs(sum) < 1e30 ? static_cast<float>(sum) : 0.0f;
        }
    }

private:
    void add_point(std::uint32_t offset, std::uint32_t segment) {
        ThreadedPoint point;
        point.offset = offset;
        point.segment = segment;
        point.x = read(rope_.particles.position, offset);
        point.rate =
            read(rope_.particles.displacement, offset) + point.x - read(rope_.particles.predicted, offset);
        const double w = rope_.particles.position[offset / sizeof(float) + 3];
        point.is_held = !(w > 0);
        point.mass = point.is_held ? 0 : 1 / w;
        heaviest_ = max(heaviest_, point.mass);
        points_.push_back(point);
    }

    void read_points() {
        points_.clear();
        segments_.clear();
        const auto nodes = static_cast<std::uint32_t>(rope_.nodes.size() / block_size);
        std::size_t ring = 0, most = 0;
        for (std::uint32_t i = 0; i < nodes; ++i) {
            const auto first = static_cast<std::uint32_t>(points_.size());
            add_point(rope_.nodes[i * block_size], i);
            if (i + 1 == nodes) break;
            while (ring < rope_.rings.size() && rope_.segments[ring] == i) add_point(rope_.rings[ring++], i);
            const double rest = rope_.rests[i * block_size];
            segments_.push_back({first, static_cast<std::uint32_t>(points_.size()), rest});
            most = std::max<std::size_t>(most, points_.size() - first);
        }
        width_ = 3 * (most + 1);
        if (!(heaviest_ > 0)) heaviest_ = 1;
        for (ThreadedPoint& point : points_) {
            if (point.is_held) point.mass = 1e10 * heaviest_;
        }
        for (ThreadedSegment& segment : segments_) {
            const double compliance = rope_.compliance + rope_.compliance_per_measure * segment.rest;
            const bool is_there = segment.rest > -1;  // NaN: none
            segment.kept =
                rope_.multipliers[static_cast<std::size_t>(&segment - segments_.data()) * block_size];
            segment.compliance = is_there ? compliance : 0;
            segment.stiffness = is_there ? 1 / max(compliance, 1e-5 / heaviest_) : 0;
            if (!is_there) segment.rest = 0;
        }
        measure();
    }

    // Pieces, and what pulls at their segments.
    void measure() {
        for (ThreadedSegment& segment : segments_) {
            double length = 0, rate = 0;
            for (std::uint32_t p = segment.first; p < segment.last; ++p) {
                ThreadedPoint& point = points_[p];
                const Vec3d e = points_[p + 1].x - point.x;
                point.length = sqrt(dot(e, e));
                point.direction = unit(e, point.direction);
                if (segment.last > segment.first + 1 && point.length < 0.05 * segment.rest) {
                    // A node next to a ring: the direction between them says nothing. The rope's beyond the
                    // node does, and along it the length may go through 0.
                    const Vec3d along = p == segment.first && p > 0 ? points_[p + 1].x - points_[p - 1].x
                                        : p + 1 == segment.last && p + 2 < points_.size()
                                            ? points_[p + 2].x - point.x
                                            : e;
                    point.direction = unit(along, point.direction);
                    point.length = dot(point.direction, e);
                }
                length += point.length;
                rate += dot(point.direction, points_[p + 1].rate - point.rate);
            }
            segment.pull = segment.stiffness * ((length - segment.rest) - segment.compliance * segment.kept +
                                                rope_.damping * rate);
        }
    }

    // ∂C/∂x of a point of a segment.
    Vec3d gradient(const ThreadedSegment& segment, std::uint32_t p) const {
        Vec3d g{};
        if (p > segment.first) g = points_[p - 1].direction;
        if (p < segment.last) g = g - points_[p].direction;
        return g;
    }

    // As if the rope were straight between its rings: three diagonals.
    void estimate_tensions() {
        const double least = 1e-3 / heaviest_;
        const auto inverse_mass = [&](std::uint32_t p) { return max(1 / points_[p].mass, least); };
        double factor = 0, value = 0;
        memory_.factors.assign(segments_.size(), 0.0);
        for (std::size_t i = 0; i < segments_.size(); ++i) {
            ThreadedSegment& segment = segments_[i];
            if (!(segment.stiffness > 0)) {
                factor = value = segment.straight = 0;
                continue;
            }
            const double before = inverse_mass(segment.first), after = inverse_mass(segment.last);
            double diagonal = before + after + 1 / segment.stiffness - before * factor;
            for (std::uint32_t p = segment.first + 1; p < segment.last; ++p) {
                const Vec3d g = gradient(segment, p);
                diagonal += dot(g, g) / points_[p].mass;
            }
            factor = after / diagonal;
            value = (before * value + segment.pull / segment.stiffness) / diagonal;
            segment.straight = value;
            memory_.factors[i] = factor;
        }
        value = 0;
        for (std::size_t i = segments_.size(); i-- > 0;) {
            value = segments_[i].straight + memory_.factors[i] * value;
            segments_[i].straight = max(value, 0.0);
            segments_[i].tension = max(value + segments_[i].kept, 0.0);
        }
    }

    double& entry(std::size_t row, std::size_t column) {  // row ≥ column
        return memory_.band[column * width_ + (row - column)];
    }
    void add_block(std::size_t a, std::size_t b, const Vec3d& g, const Vec3d& f, double scale, double even) {
        const double left[3] = {g.x, g.y, g.z}, right[3] = {f.x, f.y, f.z};
        for (std::size_t k = 0; k < 3; ++k) {
            for (std::size_t j = 0; j < 3; ++j) {
                if (3 * b + j < 3 * a + k) continue;
                entry(3 * b + j, 3 * a + k) += left[k] * right[j] * scale + (j == k ? even : 0.0);
            }
        }
    }

    void assemble() {
        const std::size_t unknowns = 3 * points_.size();
        std::fill_n(memory_.band.begin(), unknowns * width_, 0.0);
        for (std::size_t p = 0; p < points_.size(); ++p) {
            const ThreadedPoint& point = points_[p];
            const double moved[3] = {point.moved.x, point.moved.y, point.moved.z};
            for (std::size_t k = 0; k < 3; ++k) {
                memory_.band[(3 * p + k) * width_] = point.mass;
                memory_.right[3 * p + k] = -point.mass * moved[k];
            }
        }
        for (const ThreadedSegment& segment : segments_) add_segment(segment);
    }

    void add_segment(const ThreadedSegment& segment) {
        const double stiffness = segment.stiffness * (1 + rope_.damping);
        for (std::uint32_t p = segment.first; p <= segment.last; ++p) {
            const Vec3d g = gradient(segment, p);
            const double gs[3] = {g.x, g.y, g.z};
            for (std::size_t k = 0; k < 3; ++k) memory_.right[3 * p + k] -= segment.pull * gs[k];
            for (std::uint32_t q = p; q <= segment.last; ++q)
                add_block(p, q, g, gradient(segment, q), stiffness, 0);
        }
        for (std::uint32_t p = segment.first; p < segment.last; ++p) {
            const ThreadedPoint& point = points_[p];
            const double side = segment.tension / max(point.length, 0.01 * segment.rest + 1e-12);
            const Vec3d& e = point.direction;
            add_block(p, p, e, e, -side, side);
            add_block(p + 1, p + 1, e, e, -side, side);
            add_block(p, p + 1, e, e, side, -side);
        }
    }

    void solve() {
        const std::size_t unknowns = 3 * points_.size();
        for (std::size_t column = 0; column < unknowns; ++column) {
            double* from = memory_.band.data() + column * width_;
            const std::size_t reach = std::min(width_, unknowns - column);
            const double inverse = 1 / from[0], right = memory_.right[column];
            for (std::size_t i = 1; i < reach; ++i) {
                if (from[i] == 0) continue;
                const double factor = from[i] * inverse;
                double* to = from + i * width_;
                for (std::size_t j = i; j < reach; ++j) to[j - i] -= factor * from[j];
                memory_.right[column + i] -= factor * right;
            }
            for (std::size_t i = 1; i < reach; ++i) from[i] *= inverse;
            memory_.right[column] = right * inverse;
        }
        for (std::size_t column = unknowns; column-- > 0;) {
            const double* from = memory_.band.data() + column * width_;
            const std::size_t reach = std::min(width_, unknowns - column);
            double sum = memory_.right[column];
            for (std::size_t i = 1; i < reach; ++i) sum -= from[i] * memory_.right[column + i];
            memory_.right[column] = sum;
        }
    }

    // A step beyond the rope's length, or NaN, is an accident.
    void move() {
        double longest = 0;
        for (const ThreadedSegment& segment : segments_) longest += segment.rest;
        const auto step = [&](std::uint32_t p) {
            return Vec3d{memory_.right[3 * p], memory_.right[3 * p + 1], memory_.right[3 * p + 2]};
        };
        for (ThreadedSegment& segment : segments_) {
            double growth = 0;
            for (std::uint32_t p = segment.first; p <= segment.last; ++p)
                growth += dot(gradient(segment, p), step(p));
            segment.found = segment.pull + segment.stiffness * growth;
            segment.tension = max(segment.kept + segment.found, 0.05 * segment.straight);
        }
        for (std::uint32_t p = 0; p < points_.size(); ++p) {
            const Vec3d dx = step(p);
            if (!(dot(dx, dx) < longest * longest)) continue;
            points_[p].x = points_[p].x + dx;
            points_[p].moved = points_[p].moved + dx;
            points_[p].rate = points_[p].rate + dx;
        }
        measure();
    }

    const ThreadedRope& rope_;
    std::vector<ThreadedPoint>& points_;
    std::vector<ThreadedSegment>& segments_;
    ThreadedWorkspace& memory_;
    double heaviest_ = 0;
    std::size_t width_ = 0;
};

}  // namespace

void ThreadedWorkspace::reserve(std::size_t nodes, std::size_t rings) {
    points.reserve(nodes + rings);
    segments.reserve(nodes);
    factors.reserve(nodes);
    band.resize(3 * (nodes + rings) * 3 * (rings + 2));
    right.resize(3 * (nodes + rings));
}

void solve_threaded(const ThreadedRope& rope, ThreadedWorkspace& workspace) {
    if (rope.begins) RingMover(rope).run();
    ThreadedSolve(rope, workspace).run();
}

}  // namespace pliant::solvers::position_based
