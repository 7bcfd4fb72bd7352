// The inner loops: compiled once per instruction set, in a namespace named after it (base/lanes.h).
//
// Layout and order were settled by measurement:
// - A block holds 16 constraints without a common moving particle, so lanes never conflict, and width
//   changes nothing but speed. Widths are chosen per set below: distance constraints are bound by loads
//   and stores, and 16 lanes of AVX-512 gain nothing over 8; formulas with more arithmetic do gain.
// - Particles are loaded as 128-bit rows and transposed in registers, which beats gather and scatter.
// - What is left over when a run's constraints are packed into blocks goes through the same code one
//   float wide, instead of through padded blocks: no memory is spent on padding.
#include "solvers/kernels.h"

#include "base/lanes.h"

#define PLIANT_STRING_(s) #s
#define PLIANT_STRING(s) PLIANT_STRING_(s)

// Entries are flattened: no call, and so no symbol that another set could share, is left in them.
#define PLIANT_ENTRY [[gnu::flatten]] static

namespace pliant::PLIANT_TARGET {

#if defined(__AVX512F__)
inline constexpr int narrow = 8, wide = 16;
#elif defined(__AVX2__)
inline constexpr int narrow = 8, wide = 8;
#elif defined(__SSE4_1__) || defined(__wasm_simd128__) || defined(PLIANT_GENERIC_SIMD)
inline constexpr int narrow = 4, wide = 4;
#else
inline constexpr int narrow = 1, wide = 1;
#endif

template <int N>
using Vector = Vector3<Lane<N>>;

template <int N>
PLIANT_INLINE Vector<N> xyz(const ParticleLanes<N>& p) {
    return {p.x, p.y, p.z};
}

// x − p: how far particles have come in this substep.
template <int N, class Offset>
PLIANT_INLINE Vector<N> step_of(const ParticleArrays& particles, const Vector<N>& x, Offset at) {
    return xyz(load_particles<N>(particles.displacement, at)) +
           (x - xyz(load_particles<N>(particles.predicted, at)));
}

// Projects N constraints; lane i reads entry i of each row of `stride` offsets and parameters.
template <class Kind, ProjectionForm Form, int N>
PLIANT_INLINE void project_lanes(const ParticleArrays particles, const std::uint32_t* offsets,
                                 const float* parameters, std::size_t stride, float* multipliers,
                                 const Law<Lane<N>>& law) {
    const auto row = [=](int k) { return offsets + static_cast<std::size_t>(k) * stride; };

    // Load the particles and the parameters.
    Vector<N> x[Kind::arity];
    Lane<N> w[Kind::arity], rest[Kind::parameters + 1];
    unroll<Kind::arity>([&](auto k) {
        const ParticleLanes<N> p = load_particles<N>(particles.position, [=](int i) { return row(k)[i]; });
        x[k] = xyz(p);
        w[k] = p.w;
    });
    unroll<Kind::parameters>(
        [&](auto k) { rest[k] = load<N>(parameters + static_cast<std::size_t>(k) * stride); });

    // Evaluate, and find the step along the gradients.
    const Evaluation<Lane<N>, Kind::arity> e = Kind::template evaluate<Lane<N>>(x, rest);
    Lane<N> rate(0.0f), lambda(0.0f);
    if constexpr (Form == ProjectionForm::damped) {
        rate = sum_over<Kind::arity>([&](auto k) {
            return dot(e.gradients[k], step_of<N>(particles, x[k], [=](int i) { return row(k)[i]; }));
        });
    }
    if constexpr (keeps_multipliers(Form)) lambda = load<N>(multipliers);
    const Lane<N> t = projection_step<Kind, Form>(e, mass_term<Kind>(e, w), rest, law, lambda, rate);
    if constexpr (keeps_multipliers(Form)) store<N>(multipliers, lambda + t * e.divisor);

    // Move the particles. (Pairs multiply in the order in which project_pairs does.)
    unroll<Kind::arity>([&](auto k) {
        const Vector<N>& g = e.gradients[k];
        const Vector<N> moved = x[k] + (Kind::central_pair ? (g * t) * w[k] : g * (w[k] * t));
        store_particles<N>(particles.position, [=](int i) { return row(k)[i]; },
                           {moved.x, moved.y, moved.z, w[k]});
    });
}

// N pairs on their way: solved, not yet stored.
template <int N>
struct SolvedPairs {
    using Float = typename Vec<N>::Float;
    Float row0[4], row1[4];  // both particles, as rows
    Float d[4];              // rows of (x₀ − x₁, w₀ + w₁)
    Lane<N> t;
};

// The same as project_lanes, operation by operation, for two particles whose gradients are ±d, d = x₀ − x₁.
// The formula then needs only d and w₀ + w₁ across lanes: half the transposing. The rest is done on rows as
// they lie in memory. It comes in two halves, so that one group can be solved while another is stored.
template <class Kind, ProjectionForm Form, int N>
PLIANT_INLINE void solve_pairs(SolvedPairs<N>& s, const ParticleArrays particles,
                               const std::uint32_t* offsets, const float* parameters, float* multipliers,
                               const Law<Lane<N>>& law) {
    using Float = typename Vec<N>::Float;
    using Int = typename Vec<N>::Int;
    const auto at0 = [=](int i) { return offsets[i]; };
    const auto at1 = [=](int i) { return offsets[block_size + static_cast<std::size_t>(i)]; };

    Int difference[4];
    unroll<4>([&](auto i) {
        s.row0[i] = (Float)detail::load_row<N>(particles.position, at0, i);
        s.row1[i] = (Float)detail::load_row<N>(particles.position, at1, i);
        s.d[i] = s.row0[i] - detail::negate_mass<N>(s.row1[i]);
        difference[i] = (Int)s.d[i];
    });
    detail::transpose<N>(difference);
    const auto lane = [&](int i) { return Lane<N>::from((Float)difference[i]); };
    const Lane<N> zero(0.0f);
    const Vector<N> x[2] = {{lane(0), lane(1), lane(2)}, {zero, zero, zero}};
    Lane<N> rest[Kind::parameters + 1];
    unroll<Kind::parameters>([&](auto k) { rest[k] = load<N>(parameters + k * block_size); });

    const Evaluation<Lane<N>, 2> e = Kind::template evaluate<Lane<N>>(x, rest);
    Lane<N> rate(0.0f), lambda(0.0f);
    if constexpr (Form == ProjectionForm::damped) {
        const Vector<N> x0 = xyz(load_particles<N>(particles.position, at0));
        const Vector<N> x1 = xyz(load_particles<N>(particles.position, at1));
        rate = dot(e.gradients[0], step_of<N>(particles, x0, at0)) +
               dot(e.gradients[1], step_of<N>(particles, x1, at1));
    }
    if constexpr (keeps_multipliers(Form)) lambda = load<N>(multipliers);
    s.t = projection_step<Kind, Form>(e, lane(3), rest, law, lambda, rate);
    if constexpr (keeps_multipliers(Form)) store<N>(multipliers, lambda + s.t * e.divisor);
}

template <int N>
PLIANT_INLINE void store_pairs(const SolvedPairs<N>& s, const ParticleArrays particles,
                               const std::uint32_t* offsets) {
    using Float = typename Vec<N>::Float;
    using Int = typename Vec<N>::Int;
    unroll<4>([&](auto i) {
        const Int t = (Int)s.t.v;
        const Float step = s.d[i] * (Float)detail::shuffle<N, i, i, i, i>(t, t);
        const Float move0 = detail::spread_mass<N>(s.row0[i]) * step;
        const Float move1 = detail::spread_mass<N>(s.row1[i]) * step;
        detail::store_row<N>(
            particles.position, [=](int k) { return offsets[k]; }, i, (Int)(s.row0[i] + move0));
        detail::store_row<N>(
            particles.position, [=](int k) { return offsets[block_size + static_cast<std::size_t>(k)]; }, i,
            (Int)(s.row1[i] - move1));
    });
}

template <int N>
PLIANT_INLINE Law<Lane<N>> spread(const Law<float>& law) {
    return {law.compliance, law.compliance_per_measure, law.damping, law.scale, law.inverse_scale};
}

// A kind without parameters has no array to point into.
template <class Kind>
PLIANT_INLINE const float* parameters_at(const float* array, std::size_t i) {
    return Kind::parameters > 0 ? array + i : nullptr;
}

// Blocks of pairs, two groups in flight: the long way from load to store (a root and a division) would
// otherwise fill the CPU's queues with instructions that wait. Neighbouring groups share no moving
// particle, so loading one before the other is stored changes nothing.
template <class Kind, ProjectionForm Form, int N>
PLIANT_INLINE void project_pair_blocks(const ProjectionRun& run, const ParticleArrays particles) {
    constexpr std::size_t groups_per_block = block_size / N;
    const Law<Lane<N>> law = spread<N>(run.law);
    const std::size_t groups = run.blocks * groups_per_block;
    const auto offsets = [&](std::size_t g) {
        return run.block_offsets + g / groups_per_block * 2 * block_size + g % groups_per_block * N;
    };
    const auto solve = [&](auto& s, std::size_t g) __attribute__((always_inline)) {
        const float* parameters =
            parameters_at<Kind>(run.block_parameters, g / groups_per_block * Kind::parameters * block_size +
                                                          g % groups_per_block * N);
        float* multipliers = keeps_multipliers(Form) ? run.block_multipliers + g * N : nullptr;
        solve_pairs<Kind, Form, N>(s, particles, offsets(g), parameters, multipliers, law);
    };
    if (groups == 0) return;
    SolvedPairs<N> even, odd;
    solve(even, 0);
    for (std::size_t g = 0; g < groups; g += 2) {
        solve(odd, g + 1);
        store_pairs<N>(even, particles, offsets(g));
        if (g + 2 < groups) solve(even, g + 2);
        store_pairs<N>(odd, particles, offsets(g + 1));
    }
}

template <class Kind, ProjectionForm Form, int N>
PLIANT_INLINE void project_blocks(const ProjectionRun& run, const ParticleArrays particles) {
    constexpr std::size_t offsets_per_block = Kind::arity * block_size;
    constexpr std::size_t parameters_per_block = Kind::parameters * block_size;
    const Law<Lane<N>> law = spread<N>(run.law);
    for (std::size_t block = 0; block < run.blocks; ++block) {
        const std::uint32_t* offsets = run.block_offsets + block * offsets_per_block;
        for (std::size_t i = 0; i < block_size; i += N) {
            const float* parameters =
                parameters_at<Kind>(run.block_parameters, block * parameters_per_block + i);
            float* multipliers =
                keeps_multipliers(Form) ? run.block_multipliers + block * block_size + i : nullptr;
            project_lanes<Kind, Form, N>(particles, offsets + i, parameters, block_size, multipliers, law);
        }
    }
}

template <class Kind, ProjectionForm Form>
PLIANT_ENTRY void project(const ProjectionRun& run) {
    const ParticleArrays particles = run.particles;  // a copy that no store can alias
    if constexpr (Kind::central_pair && narrow > 1) {
        project_pair_blocks<Kind, Form, narrow>(run, particles);
    } else {
        project_blocks<Kind, Form, wide>(run, particles);
    }
    const Law<Lane<1>> law = spread<1>(run.law);
    for (std::size_t i = 0; i < run.singles; ++i) {
        float* multiplier = keeps_multipliers(Form) ? run.single_multipliers + i : nullptr;
        const float* parameters = parameters_at<Kind>(run.single_parameters, i * Kind::parameters);
        project_lanes<Kind, Form, 1>(particles, run.single_offsets + i * Kind::arity, parameters, 1,
                                     multiplier, law);
    }
}

// --- Particle passes. They work on rows of four floats a particle, as they lie in memory. ---

template <int N>
PLIANT_INLINE Lane<N> moving_only(Lane<N> value, const float* particle) {
    // value where the inverse mass, the last float of each particle, is not 0.
    const Lane<N> p = load<N>(particle);
    const auto bits = (typename Vec<N>::Int)p.v;
    const Lane<N> w = Lane<N>::from((typename Vec<N>::Float)detail::shuffle<N, 3, 3, 3, 3>(bits, bits));
    return select(w > Lane<N>(0.0f), value, Lane<N>(0.0f));
}

// What constraints and contacts did to a particle, but no more than ±reach along each axis, and no NaN.
template <int N>
PLIANT_INLINE Lane<N> limited(Lane<N> correction, Lane<N> reach) {
    return min(max(correction, -reach), reach);
}

template <bool Finish, bool Begin>
PLIANT_INLINE void advance_particle(const ParticleRange& r, std::size_t i) {
    float* x = r.particles.position + i;
    float* predicted = r.particles.predicted + i;
    float* u = r.particles.displacement + i;
    const float w = x[3];
    for (int c = 0; c < 3; ++c) {
        if (Finish) {
            const float correction = limited(Lane<1>(x[c] - predicted[c]), Lane<1>(r.reach)).v;
            u[c] = u[c] + correction;
            x[c] = predicted[c] + correction;
        }
        if (Begin) {
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
        const Lane<n> gravity = load<n>(pushes), reach(r.reach);
        for (std::size_t i = first; i < last; i += n) {
            float* position = r.particles.position + i;
            Lane<n> x = load<n>(position), u = load<n>(r.particles.displacement + i);
            if (Finish) {
                const Lane<n> predicted = load<n>(r.particles.predicted + i);
                const Lane<n> correction = limited(x - predicted, reach);
                u = u + correction;
                x = predicted + correction;
                if (!Begin) store<n>(position, x);
            }
            if (Begin) {
                Lane<n> push = gravity;
                if (r.forces) {
                    const auto bits = (typename Vec<n>::Int)x.v;
                    const auto w = (typename Vec<n>::Float)detail::shuffle<n, 3, 3, 3, 3>(bits, bits);
                    push = push + Lane<n>::from(w) * load<n>(r.forces + i) * Lane<n>(r.h2);
                }
                u = u + moving_only(push, position);
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

// --- Contact with colliders. ---

// What one group of particles knows while colliders are gone through.
template <int N>
struct ContactState {
    Vector<N> x, predicted, u;
    Lane<N> radius;
    Mask<N> moves;
    Vector<N> normal;     // of the last contact
    Lane<N> restitution;  // of the last contact, −1 without contact
};

// Out along the normal by the depth; then back along the surface by at most friction × depth.
template <int N, class Shape>
PLIANT_INLINE void resolve(ContactState<N>& s, const Shape& shape) {
    const Vector<N> step = s.u + (s.x - s.predicted);
    const Contact<Lane<N>> c = contact(shape, s.x, step, s.radius);
    const Lane<N> zero(0.0f);
    const Mask<N> touches = s.moves & (c.distance < zero);
    if (!any(touches)) return;
    const Lane<N> depth = select(touches, -c.distance, zero);
    const Vector<N> moved = step + c.normal * depth;
    const Vector<N> slip = moved - c.normal * dot(c.normal, moved);
    const Lane<N> slip_length = sqrt(dot(slip, slip));
    const Lane<N> limit = Lane<N>(shape.friction) * depth;
    const Lane<N> share = select(slip_length > limit, limit / slip_length, Lane<N>(1.0f));
    s.x = pliant::select(touches, s.x + (c.normal * depth - slip * share), s.x);
    s.normal = pliant::select(touches, c.normal, s.normal);
    s.restitution = select(touches, Lane<N>(shape.restitution), s.restitution);
}

template <int N, bool Finish>
PLIANT_INLINE void collide_lanes(const ParticleRange& r, std::size_t first) {
    const auto at = [first](int i) {
        return static_cast<std::uint32_t>((first + static_cast<std::size_t>(i)) * bytes_per_particle);
    };
    ParticleLanes<N> position = load_particles<N>(r.particles.position, at);
    ParticleLanes<N> displacement = load_particles<N>(r.particles.displacement, at);
    const Lane<N> zero(0.0f);
    ContactState<N> s{xyz(position),     xyz(load_particles<N>(r.particles.predicted, at)),
                      xyz(displacement), load<N>(r.radii + first),
                      position.w > zero, {zero, zero, zero},
                      Lane<N>(-1.0f)};
    for (std::size_t i = 0; i < r.colliders.plane_count; ++i) resolve(s, r.colliders.planes[i]);
    for (std::size_t i = 0; i < r.colliders.sphere_count; ++i) resolve(s, r.colliders.spheres[i]);
    for (std::size_t i = 0; i < r.colliders.box_count; ++i) resolve(s, r.colliders.boxes[i]);
    if constexpr (Finish) {
        const Lane<N> reach(r.reach);
        const Vector<N> c = s.x - s.predicted;
        const Vector<N> correction{limited(c.x, reach), limited(c.y, reach), limited(c.z, reach)};
        s.x = s.predicted + correction;
        Vector<N> u = s.u + correction;
        // Where it touches, it no longer approaches (u still holds the way to the surface), and where it came
        // in fast (u·n was negative), it leaves with the share e of that speed.
        const Lane<N> approach = dot(s.u, s.normal);
        const Mask<N> bounces = approach < Lane<N>(-r.resting_step);
        const Lane<N> least = select(bounces, -(s.restitution * approach), zero);
        const Lane<N> lack = max(least - dot(u, s.normal), zero);
        u = u + s.normal * select(s.restitution >= zero, lack, zero);
        store_particles<N>(r.particles.displacement, at, {u.x, u.y, u.z, displacement.w});
    }
    store_particles<N>(r.particles.position, at, {s.x.x, s.x.y, s.x.z, position.w});
}

PLIANT_ENTRY void collide(const ParticleRange& r) {
    for (std::size_t i = r.first; i < r.first + r.count; i += wide) collide_lanes<wide, false>(r, i);
}
PLIANT_ENTRY void collide_finish(const ParticleRange& r) {
    for (std::size_t i = r.first; i < r.first + r.count; i += wide) collide_lanes<wide, true>(r, i);
}

// --- What the user sees. ---

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

PLIANT_INLINE void output_particle(const OutputRange& r, std::size_t i) {
    const std::size_t from = r.order[i] * floats_per_particle;
    for (std::size_t c = 0; c < 3; ++c) {
        r.positions[3 * i + c] = r.position[from + c] + r.origin[c];
        r.velocities[3 * i + c] = r.displacement[from + c] * r.velocity_scale;
    }
}

PLIANT_ENTRY void output(const OutputRange& r) {
    std::size_t i = r.first;
    const std::size_t last = r.first + r.count - 1;
    if constexpr (wide > 1) {
        // Three floats a particle, written as four: the next particle overwrites the fourth.
        const Lane<4> origin = load<4>(r.origin), scale(r.velocity_scale);
        for (; i < last; ++i) {
            const std::size_t from = r.order[i] * floats_per_particle;
            store<4>(r.positions + 3 * i, load<4>(r.position + from) + origin);
            store<4>(r.velocities + 3 * i, load<4>(r.displacement + from) * scale);
        }
    }
    for (; i <= last; ++i) output_particle(r, i);
}

static constexpr Kernels make_table() {
    Kernels k{PLIANT_STRING(PLIANT_TARGET),
              {},
              begin,
              finish,
              finish_begin,
              collide,
              collide_finish,
              in_range,
              output};
    std::size_t kind = 0;
    AllKinds::for_each([&]<class Kind>() {
        unroll<projection_forms>([&](auto form) {
            k.project[kind][form] = project<Kind, static_cast<ProjectionForm>(form.value)>;
        });
        ++kind;
    });
    return k;
}

extern const Kernels kernels;
constinit const Kernels kernels = make_table();

}  // namespace pliant::PLIANT_TARGET
