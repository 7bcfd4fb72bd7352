#include "solvers/damping.h"

#include <vector>

#include "base/scalar.h"

namespace pliant {
namespace {

// Sums over particles, about the group's origin. In double: they are differenced later.
struct Moments {
    double mass = 0;
    Vec3d first;                                            // Σ m·x
    Vec3d momentum;                                         // Σ m·u
    Vec3d angular;                                          // Σ x × m·u
    double xx = 0, yy = 0, zz = 0, xy = 0, xz = 0, yz = 0;  // Σ m·x·xᵀ

    void add(const Vec3d& x, const Vec3d& u, double m) {
        mass += m;
        first = first + x * m;
        momentum = momentum + u * m;
        angular = angular + cross(x, u) * m;
        xx += m * x.x * x.x, yy += m * x.y * x.y, zz += m * x.z * x.z;
        xy += m * x.x * x.y, xz += m * x.x * x.z, yz += m * x.y * x.z;
    }
    void add(const Moments& o) {
        mass += o.mass;
        first = first + o.first;
        momentum = momentum + o.momentum;
        angular = angular + o.angular;
        xx += o.xx, yy += o.yy, zz += o.zz, xy += o.xy, xz += o.xz, yz += o.yz;
    }
};

// The rigid motion u = linear + spin × (x − center) that has the same momenta.
struct RigidMotion {
    Vec3d center, linear, spin;
};

// Solves I·ω = L for a symmetric I by its adjugate. A body without extent across an axis (one particle,
// a straight line) has no inertia about it, and gets no spin.
Vec3d solve_inertia(const Vec3d& d, const Vec3d& o, const Vec3d& l) {
    const double a = d.x, b = d.y, c = d.z, f = o.x, g = o.y, h = o.z;  // I = [a f g; f b h; g h c]
    const double trace = a + b + c;
    const Vec3d row0{b * c - h * h, g * h - f * c, f * h - g * b};
    const double determinant = a * row0.x + f * row0.y + g * row0.z;
    if (!(determinant > 1e-12 * trace * trace * trace)) return {};
    const Vec3d row1{row0.y, a * c - g * g, f * g - a * h};
    const Vec3d row2{row0.z, row1.z, a * b - f * f};
    return Vec3d{dot(row0, l), dot(row1, l), dot(row2, l)} * (1 / determinant);
}

RigidMotion rigid_motion(const Moments& s) {
    if (!(s.mass > 0)) return {};
    RigidMotion motion;
    motion.center = s.first * (1 / s.mass);
    motion.linear = s.momentum * (1 / s.mass);
    const Vec3d& c = motion.center;
    const double xx = s.xx - s.mass * c.x * c.x, yy = s.yy - s.mass * c.y * c.y,
                 zz = s.zz - s.mass * c.z * c.z;
    const double xy = s.xy - s.mass * c.x * c.y, xz = s.xz - s.mass * c.x * c.z,
                 yz = s.yz - s.mass * c.y * c.z;
    motion.spin =
        solve_inertia({yy + zz, xx + zz, xx + yy}, {-xy, -xz, -yz}, s.angular - cross(c, s.momentum));
    return motion;
}

template <class F>
void for_each_free(const State& state, const ParticleChunk& chunk, F&& f) {
    for (std::size_t i = chunk.first; i < chunk.first + chunk.count; ++i) {
        const float* x = state.position.data() + i * floats_per_particle;
        if (x[3] > 0) f(i * floats_per_particle, Vec3d{x[0], x[1], x[2]}, 1 / double(x[3]));
    }
}

}  // namespace

void damp_velocities(const Model& model, State& state, float k, Executor& executor) {
    // Sum each fixed chunk, then the chunks in order: the same bits at any number of threads.
    std::vector<Moments> sums(model.chunks.size());
    executor.for_each(model.chunks.size(), [&](std::size_t c) {
        for_each_free(state, model.chunks[c], [&](std::size_t i, const Vec3d& x, double m) {
            const float* u = state.displacement.data() + i;
            sums[c].add(x, {u[0], u[1], u[2]}, m);
        });
    });
    std::vector<Moments> totals(model.groups.size());
    for (std::size_t c = 0; c < sums.size(); ++c) totals[model.chunks[c].group].add(sums[c]);
    std::vector<RigidMotion> motions;
    for (const Moments& total : totals) motions.push_back(rigid_motion(total));

    executor.for_each(model.chunks.size(), [&](std::size_t c) {
        const RigidMotion& motion = motions[model.chunks[c].group];
        for_each_free(state, model.chunks[c], [&](std::size_t i, const Vec3d& x, double) {
            float* u = state.displacement.data() + i;
            const Vec3d rigid = motion.linear + cross(motion.spin, x - motion.center);
            u[0] = static_cast<float>(u[0] + k * (rigid.x - u[0]));
            u[1] = static_cast<float>(u[1] + k * (rigid.y - u[1]));
            u[2] = static_cast<float>(u[2] + k * (rigid.z - u[2]));
        });
    });
}

}  // namespace pliant
