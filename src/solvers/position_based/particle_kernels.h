// Passes over particles: integration, contact with colliders, output. Part of the kernels, compiled once per
// instruction set. Integration works on rows of four floats per particle, as they lie in memory.
#pragma once

#include "solvers/position_based/kernel_basics.h"

namespace pliant::PLIANT_TARGET {

// The inverse mass, the last float of each particle, in all of its four lanes.
template <int N>
PLIANT_INLINE Lane<N> masses_of(Lane<N> particles) {
    const auto bits = (typename Vec<N>::Int)particles.v;
    return Lane<N>::from((typename Vec<N>::Float)detail::shuffle<N, 3, 3, 3, 3>(bits, bits));
}

// What constraints did to a particle that moves by u, as far as they leave it no faster along each axis than
// it was or than the limit allows. No NaN. It seldom acts, so the test comes first.
template <int N>
PLIANT_INLINE Lane<N> limited(Lane<N> correction, Lane<N> u, Lane<N> limit) {
    const Mask<N> within = abs(u + correction) <= limit;
    if (!any(!within)) return correction;
    const Lane<N> fastest = max(abs(u), limit);
    return select(within, correction, min(max(correction, -fastest - u), fastest - u));
}

template <bool Finish, bool Begin>
PLIANT_INLINE void advance_particle(const ParticleRange& r, std::size_t i) {
    float* x = r.particles.position + i;
    float* predicted = r.particles.predicted + i;
    float* u = r.particles.displacement + i;
    const float w = x[3];
    for (int c = 0; c < 3; ++c) {
        if (Finish) {
            const float correction =
                limited(Lane<1>(x[c] - predicted[c]), Lane<1>(u[c]), Lane<1>(r.max_correction)).v;
            u[c] = u[c] + correction;
            x[c] = predicted[c] + correction;
        }
        if (Begin) {
            if (r.particles.start) r.particles.start[i + static_cast<std::size_t>(c)] = x[c];
            float push = r.gravity_step[c];
            if (r.forces) push = push + w * r.forces[i + static_cast<std::size_t>(c)] * r.h2;
            u[c] = u[c] + (w > 0.0f ? push : 0.0f);
            predicted[c] = x[c] + u[c];
            x[c] = predicted[c];
        }
    }
}

template <bool Finish, bool Begin>
PLIANT_INLINE void advance(const ParticleRange& r) {
    const std::size_t first = r.first * floats_per_particle;
    const std::size_t last = first + r.count * floats_per_particle;
    if constexpr (wide == 1) {
        for (std::size_t i = first; i < last; i += floats_per_particle) advance_particle<Finish, Begin>(r, i);
    } else {
        constexpr int n = wide;
        float pushes[n];
        for (int i = 0; i < n; ++i) pushes[i] = i % 4 == 3 ? 0.0f : r.gravity_step[i % 4];
        const Lane<n> gravity = load<n>(pushes), limit(r.max_correction);
        for (std::size_t i = first; i < last; i += n) {
            float* position = r.particles.position + i;
            Lane<n> x = load<n>(position), u = load<n>(r.particles.displacement + i);
            if (Finish) {
                const Lane<n> predicted = load<n>(r.particles.predicted + i);
                const Lane<n> correction = limited(x - predicted, u, limit);
                u = u + correction;
                x = predicted + correction;
                if (!Begin) store<n>(position, x);
            }
            if (Begin) {
                if (r.particles.start) store<n>(r.particles.start + i, x);
                const Lane<n> w = masses_of(x);
                Lane<n> push = gravity;
                if (r.forces) push = push + w * load<n>(r.forces + i) * Lane<n>(r.h2);
                u = u + select(w > Lane<n>(0.0f), push, Lane<n>(0.0f));
                x = x + u;
                store<n>(r.particles.predicted + i, x);
                store<n>(position, x);
            }
            store<n>(r.particles.displacement + i, u);
        }
    }
}

PLIANT_ENTRY void begin(const ParticleRange& r) { advance<false, true>(r); }
PLIANT_ENTRY void finish(const ParticleRange& r) { advance<true, false>(r); }
PLIANT_ENTRY void finish_begin(const ParticleRange& r) { advance<true, true>(r); }

// Contact with colliders.

// What the particles of N lanes know while colliders are gone through.
template <int N>
struct ContactState {
    Vector<N> x, predicted, u;
    Lane<N> radius;
    Mask<N> moves;
    Vector<N> normal;                           // of the last contact
    Vector<N> surface;                          // how the surface moved there in this substep
    Lane<N> restitution;                        // of the last contact, −1 without contact
    Lane<N> friction;                           // of the last contact
    Lane<N> pushed;                             // out of contact before this, which loads friction too
    Lane<N> friction_share, least_restitution;  // of the bodies
    unsigned contact = no_contact;
    bool starts_elsewhere = false;  // x* was moved, and with it the place where the substep began
    std::size_t first = 0;          // slot of the first lane
    std::uint32_t last[N] = {};     // the collider that each touched last, if pushes are summed
};

// What a collider has pushed, slot after slot; depths and bounces apart: the same order at any width.
template <int N>
PLIANT_INLINE void add_pushes(const ParticleRange& r, std::size_t first, const std::uint32_t (&colliders)[N],
                              std::uint32_t part, Mask<N> touches, const Vector<N>& x, const Vector<N>& way,
                              const Vector<N>& along_normal) {
    float places[3][N], ways[3][N], normals[3][N];
    store<N>(places[0], x.x), store<N>(places[1], x.y), store<N>(places[2], x.z);
    store<N>(ways[0], way.x), store<N>(ways[1], way.y), store<N>(ways[2], way.z);
    store<N>(normals[0], along_normal.x), store<N>(normals[1], along_normal.y);
    store<N>(normals[2], along_normal.z);
    for (unsigned bits = bits_of(touches); bits; bits &= bits - 1) {
        const int i = __builtin_ctz(bits);
        const std::size_t slot = first + static_cast<std::size_t>(i);
        const float w = r.particles.position[slot * floats_per_particle + 3];
        if (!(w > 0)) continue;
        PushSum& sum = r.pushes[r.push_rows[slot] + 2 * colliders[i] + part];
        const double mass = 1 / double(w);
        double squared = 0;
        for (int k = 0; k < 3; ++k) squared = squared + double(ways[k][i]) * ways[k][i];
        const double weight = mass * __builtin_sqrt(squared);
        sum.weight = sum.weight + weight;
        for (int k = 0; k < 3; ++k) {
            sum.push[k] = sum.push[k] + mass * ways[k][i];
            sum.normal[k] = sum.normal[k] + mass * normals[k][i];
            sum.point[k] = sum.point[k] + weight * places[k][i];
        }
    }
}

// A particle that starts a substep outside is stopped, and no more: it leaves as fast as the surface moves.
// One that starts inside is brought out, and that way is no velocity: the start is moved along. At once where
// it is no deeper than motion and other colliders press it in, a little in each substep where it is deeper:
// it has been there from the start. Gives how far it is pushed in this substep.
template <int N>
PLIANT_INLINE Lane<N> move_start(ContactState<N>& s, const Vector<N>& step, const Vector<N>& normal,
                                 Lane<N> depth, const ParticleRange& r) {
    const Lane<N> zero(0.0f), speed = dot(step, normal);
    // How deep it was, beyond what rounding makes of a long step.
    const Lane<N> inside = speed + depth - max(speed, zero) - depth * Lane<N>(1e-6f);
    const Mask<N> starts_inside = (depth > zero) & (inside > zero);
    if (!any(starts_inside)) return depth;
    const Lane<N> start = speed + depth;
    const Lane<N> shallow = Lane<N>(0.001f * r.body_size) + Lane<N>(4.0f) * sqrt(dot(step, step));
    const Lane<N> ease = min(Lane<N>(r.ease_most), Lane<N>(r.ease_least) + Lane<N>(r.ease_share) * start);
    const Lane<N> left = select(start > shallow, max(start - ease, zero), zero);
    const Lane<N> push = select(starts_inside, max(depth - left, zero), depth);
    s.predicted = pliant::select(starts_inside, s.predicted + normal * (push - depth + inside), s.predicted);
    s.starts_elsewhere = true;
    if (any(starts_inside & (inside > Lane<N>(0.01f * r.body_size)))) s.contact |= came_out;
    return push;
}

// A way out that is long against the body is rounded more coarsely than positions in it: looks again.
template <class Kind, int N>
PLIANT_INLINE void resolve_rounding(ContactState<N>& s, const typename Kind::Local& shape, Mask<N> is_long) {
    const Lane<N> zero(0.0f);
    const auto c = collision::contact_with<Kind>(shape, s.x, Vector<N>{zero, zero, zero}, s.radius);
    s.x = pliant::select(is_long & (c.distance < zero), s.x - c.normal * c.distance, s.x);
}

// Out along the normal by the depth; then back along the surface by at most friction × depth.
template <class Kind, int N>
PLIANT_INLINE void resolve(ContactState<N>& s, const typename Kind::Local& shape, const ParticleRange& r) {
    // In the frame of the surface.
    Vector<N> step = s.u + (s.x - s.predicted), surface = {Lane<N>(0.0f), Lane<N>(0.0f), Lane<N>(0.0f)};
    if (shape.moves) {
        surface = collision::motion_at(shape, s.x);
        step = step - surface;
    }
    const auto c = collision::contact_with<Kind>(shape, s.x, step, s.radius);
    const Lane<N> zero(0.0f);
    const Mask<N> touches = s.moves & (c.distance < zero);
    if (!any(touches)) return;
    const Lane<N> inside = select(touches, -c.distance, zero);
    s.contact |= touched;
    if constexpr (requires { c.motion; }) {
        step = step - c.motion;
        surface = surface + c.motion;
    }
    const Lane<N> depth = move_start(s, step, c.normal, inside, r);
    if (shape.drags) {  // along the surface, so it neither lifts nor presses
        const Vector<N> belt = collision::spread<Lane<N>>(shape.belt) * sqrt(Lane<N>(r.h2));
        const Vector<N> along = belt - c.normal * dot(c.normal, belt);
        step = step - along;
        surface = surface + along;
    }
    const Vector<N> moved = step + c.normal * depth;
    const Vector<N> slip = moved - c.normal * dot(c.normal, moved);
    const Lane<N> slip_length = sqrt(dot(slip, slip));
    const Lane<N> friction = Lane<N>(shape.friction) * s.friction_share;
    if (any(touches & !(friction > zero))) s.contact |= slippery;
    const Lane<N> limit = friction * (depth + s.pushed);
    const Lane<N> share = select(slip_length > limit, limit / slip_length, Lane<N>(1.0f));
    if (r.pushes) {
        // What brought it out of where it started becomes no velocity: it is no push.
        const Lane<N> speed = dot(step, c.normal);
        const Lane<N> start = max(speed + inside - max(speed, zero) - inside * Lane<N>(1e-6f), zero);
        const Vector<N> normal = c.normal * (inside - start), zeros{zero, zero, zero};
        std::uint32_t numbers[N];
        for (int i = 0; i < N; ++i) {
            numbers[i] = shape.number;
            if (bits_of(touches) >> i & 1u)
                s.last[i] = r.partners[s.first + static_cast<std::size_t>(i)] = shape.number;
        }
        add_pushes<N>(r, s.first, numbers, 0, touches, s.x,
                      pliant::select(touches, normal - slip * share, zeros), normal);
    }
    s.x = pliant::select(touches, s.x + (c.normal * depth - slip * share), s.x);
    if (const Mask<N> is_long = (inside > Lane<N>(r.body_size)) & (depth >= inside); any(is_long))
        resolve_rounding<Kind>(s, shape, is_long);
    s.normal = pliant::select(touches, c.normal, s.normal);
    s.surface = pliant::select(touches, surface, s.surface);
    s.restitution = select(touches, max(Lane<N>(shape.restitution), s.least_restitution), s.restitution);
    s.friction = select(touches, friction, s.friction);
}

// Called before contact: colliders hold whatever they meet, only what constraints did is limited.
template <int N>
PLIANT_INLINE void limit_corrections(ContactState<N>& s, Lane<N> limit) {
    const auto along = [&](Lane<N> x, Lane<N> predicted, Lane<N> u) {
        const Lane<N> wished = x - predicted, allowed = limited(wished, u, limit);
        const auto unchanged = (allowed >= wished) & (allowed <= wished);
        return select(unchanged, x, predicted + allowed);
    };
    s.x = {along(s.x.x, s.predicted.x, s.u.x), along(s.x.y, s.predicted.y, s.u.y),
           along(s.x.z, s.predicted.z, s.u.z)};
}

template <int N, class Kind>
PLIANT_INLINE void resolve_each(ContactState<N>& s, const ParticleRange& r) {
    const collision::LocalSpan<Kind>& colliders = r.colliders;
    for (std::size_t i = 0; i < colliders.count; ++i) resolve<Kind>(s, colliders.first[i], r);
}
template <int N, class... Kinds>
PLIANT_INLINE void resolve_all(ContactState<N>& s, const ParticleRange& r,
                               const collision::LocalSpans<collision::ColliderList<Kinds...>>&) {
    (resolve_each<N, Kinds>(s, r), ...);
}

template <int N, bool Finish>
PLIANT_INLINE unsigned collide_lanes(const ParticleRange& r, std::size_t first) {
    const auto at = [first](int i) {
        return static_cast<std::uint32_t>((first + static_cast<std::size_t>(i)) * bytes_per_particle);
    };
    ParticleLanes<N> position = load_particles<N>(r.particles.position, at);
    ParticleLanes<N> displacement = load_particles<N>(r.particles.displacement, at);
    const ParticleLanes<N> predicted = load_particles<N>(r.particles.predicted, at);
    const Lane<N> zero(0.0f);
    ContactState<N> s{xyz(position),
                      xyz(predicted),
                      xyz(displacement),
                      load<N>(r.radii + first),
                      position.w > zero,
                      {zero, zero, zero},
                      {zero, zero, zero},
                      Lane<N>(-1.0f),
                      zero,
                      zero,
                      r.friction_shares ? load<N>(r.friction_shares + first) : Lane<N>(1.0f),
                      r.restitutions ? load<N>(r.restitutions + first) : zero};
    s.first = first;
    if (r.contacts) s.pushed = load_particles<N>(r.contacts, at).w;
    if constexpr (Finish) limit_corrections(s, Lane<N>(r.max_correction));
    resolve_all(s, r, r.colliders);
    if constexpr (Finish) {
        limit_corrections(s, Lane<N>(number_limit));
        Vector<N> u = s.u + (s.x - s.predicted);
        // Where it touches, it no longer approaches (u still holds the way to the surface), and where it came
        // in fast (u·n was negative), it leaves with the share e of that speed. Seen from the surface.
        const Lane<N> approach = dot(s.u - s.surface, s.normal);
        const Mask<N> bounces = approach < Lane<N>(-r.resting_step);
        const Lane<N> least = select(bounces, -(s.restitution * approach), zero);
        const Lane<N> lack = max(least - dot(u - s.surface, s.normal), zero);
        u = u + s.normal * select(s.restitution >= zero, lack, zero);
        if (r.pushes) {
            const Vector<N> back = s.normal * lack;
            add_pushes<N>(r, first, s.last, 1, (s.restitution >= zero) & (position.w > zero), s.x, back,
                          back);
        }
        store_particles<N>(r.particles.displacement, at, {u.x, u.y, u.z, displacement.w});
        if (r.contacts) {
            store_particles<N>(r.contacts, at, {s.normal.x, s.normal.y, s.normal.z, zero});
            store_particles<N>(r.surfaces, at, {s.surface.x, s.surface.y, s.surface.z, s.friction});
        }
    }
    store_particles<N>(r.particles.position, at, {s.x.x, s.x.y, s.x.z, position.w});
    if (s.starts_elsewhere)
        store_particles<N>(r.particles.predicted, at,
                           {s.predicted.x, s.predicted.y, s.predicted.z, predicted.w});
    return s.contact;
}

template <bool Finish>
PLIANT_INLINE unsigned collide_range(const ParticleRange& r) {
    unsigned contact = no_contact;
    for (std::size_t i = r.first; i < r.first + r.count; i += wide)
        contact |= collide_lanes<wide, Finish>(r, i);
    return contact;
}
PLIANT_ENTRY unsigned collide(const ParticleRange& r) { return collide_range<false>(r); }
PLIANT_ENTRY unsigned collide_finish(const ParticleRange& r) { return collide_range<true>(r); }

PLIANT_ENTRY bool in_range(const ParticleRange& r) {
    const std::size_t first = r.first * floats_per_particle;
    const std::size_t last = first + r.count * floats_per_particle;
    // x = x* + (what u has gained): both in range mean that x is. The fourth float may be anything.
    float limits[wide];
    for (int i = 0; i < wide; ++i) limits[i] = i % 4 == 3 ? FLT_MAX : number_limit;
    const Lane<wide> limit = load<wide>(limits);
    Mask<wide> good = limit <= limit;
    for (std::size_t i = first; i < last; i += wide) {
        // Comparisons with NaN are false.
        good = good & (abs(load<wide>(r.particles.predicted + i)) <= limit) &
               (abs(load<wide>(r.particles.displacement + i)) <= limit);
    }
    return !any(!good);
}

// The largest |u| along any axis.
PLIANT_ENTRY float fastest(const ParticleRange& r) {
    Lane<wide> largest(0.0f);
    float masks[wide];  // the fourth float may be anything
    for (int i = 0; i < wide; ++i) masks[i] = i % 4 == 3 ? 0.0f : 1.0f;
    const Mask<wide> counts = load<wide>(masks) > largest;
    if constexpr (wide == 1) {
        for (std::size_t i = r.first; i < r.first + r.count; ++i) {
            for (std::size_t c = 0; c < 3; ++c)
                largest =
                    max(abs(Lane<wide>(r.particles.displacement[i * floats_per_particle + c])), largest);
        }
    } else {
        const std::size_t first = r.first * floats_per_particle;
        for (std::size_t i = first; i < first + r.count * floats_per_particle; i += wide)
            largest = max(select(counts, abs(load<wide>(r.particles.displacement + i)), largest), largest);
    }
    float lanes[wide];
    store<wide>(lanes, largest);
    float result = 0;
    for (int i = 0; i < wide; ++i) result = lanes[i] > result ? lanes[i] : result;
    return result;
}

PLIANT_INLINE void output_particle(const OutputRange& r, std::size_t i) {
    const std::size_t from = r.slot_of[i] * floats_per_particle;
    for (std::size_t c = 0; c < 3; ++c) {
        r.positions[3 * i + c] = r.position[from + c] + r.origin[c];
        r.velocities[3 * i + c] = r.displacement[from + c] * r.velocity_scale;
    }
}

PLIANT_ENTRY void output(const OutputRange& r) {
    std::size_t i = r.first;
    const std::size_t last = r.first + r.count - 1;
    if constexpr (wide > 1) {
        // Three floats per particle, written as four: the next particle overwrites the fourth.
        const Lane<4> origin = load<4>(r.origin), scale(r.velocity_scale);
        for (; i < last; ++i) {
            const std::size_t from = r.slot_of[i] * floats_per_particle;
            store<4>(r.positions + 3 * i, load<4>(r.position + from) + origin);
            store<4>(r.velocities + 3 * i, load<4>(r.displacement + from) * scale);
        }
    }
    for (; i <= last; ++i) output_particle(r, i);
}

}  // namespace pliant::PLIANT_TARGET
