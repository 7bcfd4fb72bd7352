// Projection of constraints. Part of the kernels, compiled once per instruction set.
//
// - A block holds 16 clusters without a common dynamic particle, so lanes never conflict, and width
//   changes nothing but speed.
// - What is left over when a run's clusters are packed into blocks goes through the same code one float
//   wide, instead of through padded blocks: no memory is spent on padding.
#pragma once

#include "solvers/position_based/block_projection.h"
#include "solvers/position_based/kernel_basics.h"

namespace pliant::PLIANT_TARGET {

// x − p: how far particles have come in this substep. Taken as rows, and transposed once. With several
// iterations colliders may have moved x* (and p with it), and x − p = u + (x − x*).
template <ProjectionForm Form, int N, class Offset>
PLIANT_INLINE void load_step_rows(typename Vec<N>::Int (&rows)[4], const ParticleArrays& particles,
                                  Offset at) {
    using Float = typename Vec<N>::Float;
    unroll<4>([&](auto i) {
        const Float x = (Float)detail::load_row<N>(particles.position, at, i);
        if constexpr (Form == ProjectionForm::damped_once) {
            rows[i] = (typename Vec<N>::Int)(x - (Float)detail::load_row<N>(particles.start, at, i));
            return;
        }
        const Float predicted = (Float)detail::load_row<N>(particles.predicted, at, i);
        const Float u = (Float)detail::load_row<N>(particles.displacement, at, i);
        rows[i] = (typename Vec<N>::Int)(u + (x - predicted));
    });
}
template <ProjectionForm Form, int N, class Offset>
PLIANT_INLINE Vector<N> load_steps(const ParticleArrays& particles, Offset at) {
    if constexpr (N == 1 && Form == ProjectionForm::damped_once) {
        return xyz(load_particles<N>(particles.position, at)) - xyz(load_particles<N>(particles.start, at));
    } else if constexpr (N == 1) {
        return xyz(load_particles<N>(particles.displacement, at)) +
               (xyz(load_particles<N>(particles.position, at)) -
                xyz(load_particles<N>(particles.predicted, at)));
    } else {
        using Float = typename Vec<N>::Float;
        typename Vec<N>::Int rows[4];
        load_step_rows<Form, N>(rows, particles, at);
        detail::transpose<N>(rows);
        return {Lane<N>::from((Float)rows[0]), Lane<N>::from((Float)rows[1]), Lane<N>::from((Float)rows[2])};
    }
}

// Of all parts of a cluster, one copy per lane.
template <int N>
struct PartLanes {
    Softness<Lane<N>> softness[constraints::most_parts];
    const float* const* constants;
    unsigned parts;
    bool damps = false;  // some part that is projected
};

// Moves the particles y of N blocks of rows. steps: how far they have come in this substep.
template <class Kind, ProjectionForm Form, int N>
PLIANT_INLINE void project_rows(Vector<N>* y, const Lane<N>* w,
                                const typename Kind::template Rest<Lane<N>>& rest,
                                const typename Kind::template Material<Lane<N>>& material,
                                const Softness<Lane<N>>& softness, float* multipliers, std::size_t stride,
                                const Vector<N>* steps) {
    const auto e = Kind::template evaluate<Lane<N>>(y, rest, material);
    std::array<Lane<N>, Kind::rows> lambdas, rates;
    unroll<Kind::rows>([&](auto r) {
        if constexpr (keeps_multipliers(Form)) lambdas[r] = load<N>(multipliers + r * stride);
        if constexpr (is_damped(Form))
            rates[r] = sum_over<Kind::arity>([&](auto k) { return dot(e.gradients[r][k], steps[k]); });
    });
    const auto t = block_step<Kind, Form>(e, w, rest, material, softness, lambdas, rates);
    // Where a rest is NaN, so are the gradients: times 0 is not enough.
    const Mask<N> acts = sum_over<Kind::rows>([&](auto r) { return abs(t[r]); }) > Lane<N>(0.0f);
    if constexpr (keeps_multipliers(Form)) {
        unroll<Kind::rows>([&](auto r) {
            const Lane<N> next = lambdas[r] + t[r] * sqrt(e.squared_divisors[r]);
            store<N>(multipliers + r * stride, select(acts, next, lambdas[r]));
        });
    }
    const Lane<N> zero(0.0f);
    unroll<Kind::arity>([&](auto k) {
        const Vector<N> pull = sum_over<Kind::rows>([&](auto r) { return e.gradients[r][k] * t[r]; }) * w[k];
        y[k] = y[k] + select(acts, pull, Vector<N>{zero, zero, zero});
    });
}

// Moves the particles y of N scalar constraints, and keeps x and the steps of the whole cluster up to date.
template <class Stage, ProjectionForm Form, int N, class Rest, class Material>
PLIANT_INLINE void project_scalar(Vector<N>* x, Vector<N>* steps, const Vector<N>* y, const Lane<N>* w,
                                  const Rest& rest, const Material& material,
                                  const Softness<Lane<N>>& softness, float* multiplier) {
    using Kind = typename Stage::Kind;
    // Evaluate, and find the step along the gradients.
    const Evaluation<Lane<N>, Kind::arity> e = Kind::template evaluate<Lane<N>>(y, rest, material);
    Lane<N> rate(0.0f), lambda(0.0f);
    if constexpr (is_damped(Form) && Kind::central_pair) {
        rate = dot(e.gradients[0], steps[Stage::members[0]] - steps[Stage::members[1]]);
    } else if constexpr (is_damped(Form)) {
        rate = sum_over<Kind::arity>([&](auto k) { return dot(e.gradients[k], steps[Stage::members[k]]); });
    }
    if constexpr (keeps_multipliers(Form)) lambda = load<N>(multiplier);
    const Lane<N> t = projection_step<Kind, Form>(e, mass_term<Kind>(e, w), rest, softness, lambda, rate);
    if constexpr (keeps_multipliers(Form)) store<N>(multiplier, lambda + t * e.divisor);

    // Move the particles. (Pairs multiply in the order in which store_pairs does.)
    unroll<Kind::arity>([&](auto k) {
        const Vector<N>& g = e.gradients[k];
        const Vector<N> move = Kind::central_pair ? (g * t) * w[k] : g * (w[k] * t);
        x[Stage::members[k]] = y[k] + move;
        if constexpr (is_damped(Form)) steps[Stage::members[k]] = steps[Stage::members[k]] + move;
    });
}

// N clusters; lane i reads entry i of each row of `stride` offsets, rest values and multipliers.
template <class Cluster, ProjectionForm Form, int N>
PLIANT_INLINE void project_lanes(const ParticleArrays particles, const std::uint32_t* offsets,
                                 const float* rests, std::size_t stride, float* multipliers,
                                 const PartLanes<N>& of_parts) {
    const auto row = [=](int k) { return offsets + static_cast<std::size_t>(k) * stride; };
    Vector<N> x[Cluster::arity];
    Lane<N> w[Cluster::arity];
    unroll<Cluster::arity>([&](auto k) {
        const ParticleLanes<N> p = load_particles<N>(particles.position, [=](int i) { return row(k)[i]; });
        x[k] = xyz(p);
        w[k] = p.w;
    });
    const Lane<N> zero(0.0f);
    [[maybe_unused]] Vector<N> steps[Cluster::arity];
    if constexpr (is_damped(Form)) {
        unroll<Cluster::arity>([&](auto k) { steps[k] = {zero, zero, zero}; });
        if (of_parts.damps) {
            unroll<Cluster::arity>(
                [&](auto k) { steps[k] = load_steps<Form, N>(particles, [=](int i) { return row(k)[i]; }); });
        }
    }
    Cluster::for_each_stage([&]<class Stage, int number, int first_value>() __attribute__((always_inline)) {
        using Kind = typename Stage::Kind;
        if constexpr (Form != ProjectionForm::rigid && Cluster::is_mixed) {
            if (!(of_parts.parts >> Stage::part & 1)) return;
        }
        // Take the stage's own of all.
        Vector<N> y[Kind::arity];
        Lane<N> v[Kind::arity];
        unroll<Kind::arity>([&](auto k) {
            y[k] = x[Stage::members[k]];
            v[k] = w[Stage::members[k]];
        });
        const auto rest =
            constraints::make_rest<Kind, Lane<N>>([&](std::size_t k) __attribute__((always_inline)) {
                return load<N>(rests + (first_value + k) * stride);
            });
        const auto material =
            constraints::make_material<Kind, Lane<N>>([&](std::size_t k) __attribute__((always_inline)) {
                return Lane<N>(of_parts.constants[Stage::part][k]);
            });

        const Softness<Lane<N>>& softness = of_parts.softness[Stage::part];
        float* multiplier = nullptr;
        if constexpr (keeps_multipliers(Form))
            multiplier = multipliers + static_cast<std::size_t>(Cluster::first_rows[number]) * stride;
        if constexpr (constraints::BlockKind<Kind>) {
            static_assert(Cluster::stages == 1 || !constraints::BlockKind<Kind>);  // steps grow old
            project_rows<Kind, Form, N>(y, v, rest, material, softness, multiplier, stride, steps);
            unroll<Kind::arity>([&](auto k) { x[Stage::members[k]] = y[k]; });
        } else {
            project_scalar<Stage, Form, N>(x, steps, y, v, rest, material, softness, multiplier);
        }
    });
    unroll<Cluster::arity>([&](auto k) {
        store_particles<N>(particles.position, [=](int i) { return row(k)[i]; },
                           {x[k].x, x[k].y, x[k].z, w[k]});
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
                               const std::uint32_t* offsets, const float* rests, float* multipliers,
                               const PartLanes<N>& of_parts) {
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
    const auto rest = constraints::make_rest<Kind, Lane<N>>([&](
        std::size_t k) __attribute__((always_inline)) { return load<N>(rests + k * block_size); });
    const auto material = constraints::make_material<Kind, Lane<N>>([&](
        std::size_t k) __attribute__((always_inline)) { return Lane<N>(of_parts.constants[0][k]); });

    const Evaluation<Lane<N>, 2> e = Kind::template evaluate<Lane<N>>(x, rest, material);
    Lane<N> rate(0.0f), lambda(0.0f);
    if constexpr (is_damped(Form)) {
        Int steps0[4], steps1[4];
        load_step_rows<Form, N>(steps0, particles, at0);
        load_step_rows<Form, N>(steps1, particles, at1);
        unroll<4>([&](auto i) { steps0[i] = (Int)((Float)steps0[i] - (Float)steps1[i]); });
        detail::transpose<N>(steps0);
        const auto between = [&](int i) { return Lane<N>::from((Float)steps0[i]); };
        rate = dot(e.gradients[0], Vector<N>{between(0), between(1), between(2)});
    }
    if constexpr (keeps_multipliers(Form)) lambda = load<N>(multipliers);
    s.t = projection_step<Kind, Form>(e, lane(3), rest, of_parts.softness[0], lambda, rate);
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
PLIANT_INLINE PartLanes<N> spread(const ProjectionRun& run) {
    PartLanes<N> of_parts;
    of_parts.parts = run.parts;
    of_parts.constants = run.constants;
    unroll<constraints::most_parts>([&](auto part) {
        const Softness<float>& s = run.softness[part];
        if ((run.parts >> part & 1) && s.damping > 0) of_parts.damps = true;
        of_parts.softness[part] = {.compliance = s.compliance,
                                   .compliance_per_measure = s.compliance_per_measure,
                                   .least_compliance = s.least_compliance,
                                   .damping = s.damping,
                                   .scale = s.scale,
                                   .inverse_scale = s.inverse_scale};
    });
    return of_parts;
}

// A cluster without rest values has no array to point into.
template <class Cluster>
PLIANT_INLINE const float* rests_at(const float* array, std::size_t i) {
    return Cluster::rest_values > 0 ? array + i : nullptr;
}

// Blocks of pairs, two groups in flight: the long way from load to store (a root and a division) would
// otherwise fill the CPU's queues with instructions that wait. Neighbouring groups share no dynamic
// particle, so loading one before the other is stored changes nothing.
template <class Cluster, ProjectionForm Form, int N>
PLIANT_INLINE void project_pair_blocks(const ProjectionRun& run, const ParticleArrays particles) {
    using Kind = typename Cluster::Kind;
    constexpr std::size_t groups_per_block = block_size / N;
    const PartLanes<N> of_parts = spread<N>(run);
    const std::size_t groups = run.blocks * groups_per_block;
    const auto offsets = [&](std::size_t g) {
        return run.block_offsets + g / groups_per_block * 2 * block_size + g % groups_per_block * N;
    };
    const auto solve = [&](auto& s, std::size_t g) __attribute__((always_inline)) {
        const float* rests =
            rests_at<Cluster>(run.block_rests, g / groups_per_block * Cluster::rest_values * block_size +
                                                   g % groups_per_block * N);
        float* multipliers = keeps_multipliers(Form) ? run.block_multipliers + g * N : nullptr;
        solve_pairs<Kind, Form, N>(s, particles, offsets(g), rests, multipliers, of_parts);
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

template <class Cluster, ProjectionForm Form, int N>
PLIANT_INLINE void project_blocks(const ProjectionRun& run, const ParticleArrays particles) {
    const PartLanes<N> of_parts = spread<N>(run);
    for (std::size_t block = 0; block < run.blocks; ++block) {
        const std::uint32_t* offsets = run.block_offsets + block * Cluster::arity * block_size;
        for (std::size_t i = 0; i < block_size; i += N) {
            const float* rests =
                rests_at<Cluster>(run.block_rests, block * Cluster::rest_values * block_size + i);
            float* multipliers = nullptr;
            if (keeps_multipliers(Form))
                multipliers = run.block_multipliers + block * Cluster::rows * block_size + i;
            project_lanes<Cluster, Form, N>(particles, offsets + i, rests, block_size, multipliers, of_parts);
        }
    }
}

template <class Cluster, ProjectionForm Form>
PLIANT_ENTRY void project(const ProjectionRun& run) {
    const ParticleArrays particles = run.particles;  // a copy that no store can alias
    if constexpr (Cluster::is_pair && pairs_on_rows) {
        project_pair_blocks<Cluster, Form, narrow>(run, particles);
    } else {
        project_blocks<Cluster, Form, (Cluster::stages > 1 ? chained : wide)>(run, particles);
    }
    const PartLanes<1> of_parts = spread<1>(run);
    for (std::size_t i = 0; i < run.remainder; ++i) {
        float* multipliers =
            keeps_multipliers(Form) ? run.remainder_multipliers + i * Cluster::rows : nullptr;
        const float* rests = rests_at<Cluster>(run.remainder_rests, i * Cluster::rest_values);
        project_lanes<Cluster, Form, 1>(particles, run.remainder_offsets + i * Cluster::arity, rests, 1,
                                        multipliers, of_parts);
    }
}

}  // namespace pliant::PLIANT_TARGET
