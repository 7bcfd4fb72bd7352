// Rings that come to the end of their segment.
#include "base/particle_layout.h"
#include "base/scalar.h"
#include "solvers/position_based/strands/rod_joint.h"
#include "solvers/position_based/strands/rope_net.h"

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

class RingMover {
public:
    RingMover(const NetRope& rope, const ParticleArrays& particles)
        : rope_(rope), particles_(particles), last_(rope.nodes.size() / block_size - 1) {}

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
    Vec3d position(std::uint32_t offset) const { return read(particles_.position, offset); }
    Vec3d displacement(std::uint32_t offset) const { return read(particles_.displacement, offset); }
    double inverse_mass(std::uint32_t offset) const {
        return particles_.position[offset / sizeof(float) + 3];
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
        const Vec3d correction = x - read(particles_.predicted, moved);
        const Vec3d to_x = center + to * step;
        const Vec3d base = displacement(about), to_u = base + turned(u - base, from, to);
        write(particles_.position, moved, to_x);
        write(particles_.predicted, moved, to_x - correction);
        write(particles_.displacement, moved, to_u);
        const Vec3d recoil = (u - to_u) * (inverse_mass(about) / inverse_mass(moved));
        write(particles_.displacement, about, base + recoil);
        write(particles_.predicted, about, read(particles_.predicted, about) + recoil);
        write(particles_.position, about, center + recoil);
    }

    const NetRope& rope_;
    const ParticleArrays& particles_;
    const std::size_t last_;  // node
};

}  // namespace

void move_rings(const NetRope& rope, const ParticleArrays& particles) {
    if (!rope.rings.empty()) RingMover(rope, particles).run();
}

}  // namespace pliant::solvers::position_based
