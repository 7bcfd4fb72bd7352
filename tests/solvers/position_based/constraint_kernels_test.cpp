// Projection: every instruction set's kernels against the scalar ones, bit by bit, and those against the
// rule.
#include "solvers/position_based/kernels.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <string>
#include <type_traits>
#include <vector>

#include "base/aligned.h"
#include "solvers/position_based/dispatch.h"
#include "support/constraint_states.h"
#include "support/kernel_inputs.h"
#include "support/single_projection.h"

using namespace pliant;
using namespace pliant::test;
using namespace pliant::solvers::position_based;

namespace {

// A few blocks and a remainder of different particles.
template <class Cluster>
struct Constraints {
    static constexpr std::size_t blocks = 3, remainder = 5;
    AlignedVector<std::uint32_t> block_offsets, remainder_offsets;
    AlignedVector<float> block_rests, remainder_rests, block_multipliers, remainder_multipliers;

    explicit Constraints(RandomSource& random, Numbers numbers)
        : block_multipliers(blocks * Cluster::rows * block_size, 0.0f),
          remainder_multipliers(remainder * Cluster::rows, 0.0f) {
        const auto offset = [](std::size_t particle) {
            return static_cast<std::uint32_t>(particle % particles * bytes_per_particle);
        };
        for (std::size_t b = 0; b < blocks; ++b) {
            // All of all blocks differ: 3 does not divide 512.
            constexpr std::size_t members = Cluster::arity * block_size;
            static_assert(blocks * members <= particles);
            for (std::size_t i = 0; i < members; ++i)
                block_offsets.push_back(offset((b * members + i) * 3 + 5));
            for (std::size_t i = 0; i < Cluster::rest_values * block_size; ++i)
                block_rests.push_back(numbers == Numbers::any_bits ? any_float(random)
                                                                   : random.real_float(0.1, 1));
        }
        for (std::size_t s = 0; s < remainder; ++s) {
            const std::size_t first = random.below(particles);
            for (std::size_t i = 0; i < Cluster::arity; ++i)
                remainder_offsets.push_back(offset(first + i * 7));
            for (std::size_t i = 0; i < Cluster::rest_values; ++i)
                remainder_rests.push_back(random.real_float(0.1, 1));
        }
    }
};

Softness<float> softness_of(float compliance, float per_measure, float damping, float share) {
    return {.compliance = compliance,
            .compliance_per_measure = per_measure,
            .least_compliance = 2 * per_measure,
            .damping = damping,
            .scale = -share,
            .inverse_scale = -1 / share};
}

template <class Cluster>
ProjectionRun run_of(Constraints<Cluster>& constraints, AlignedVector<float>& position,
                     AlignedVector<float>& predicted, AlignedVector<float>& displacement,
                     const MaterialConstants& constants) {
    ProjectionRun run;
    run.particles = {position.data(), predicted.data(), displacement.data(), predicted.data()};
    run.block_offsets = constraints.block_offsets.data();
    run.block_rests = constraints.block_rests.data();
    run.block_multipliers = constraints.block_multipliers.data();
    run.blocks = constraints.blocks;
    run.remainder_offsets = constraints.remainder_offsets.data();
    run.remainder_rests = constraints.remainder_rests.data();
    run.remainder_multipliers = constraints.remainder_multipliers.data();
    run.remainder = constraints.remainder;
    for (std::size_t part = 0; part < most_parts; ++part) {
        run.softness[part] = softness_of(0.01f, 0.1f, 0.5f, 1);
        run.constants[part] = constants.data();
    }
    return run;
}

template <class Cluster>
struct Outcome {
    AlignedVector<float> position, block_multipliers, remainder_multipliers;
};

// Three sweeps.
template <class Cluster>
Outcome<Cluster> project(const Kernels& kernels, std::size_t sort, ProjectionForm form, Numbers numbers,
                         const Softness<float>& softness, const Softness<float>& other) {
    RandomSource random(21);
    Outcome<Cluster> outcome{positions(random, numbers), {}, {}};
    AlignedVector<float> predicted = positions(random, numbers), displacement = positions(random, numbers);
    Constraints<Cluster> constraints(random, numbers);
    const MaterialConstants constants{0.3f};
    ProjectionRun run = run_of(constraints, outcome.position, predicted, displacement, constants);
    run.softness[0] = softness;
    run.softness[1] = other;
    for (int sweep = 0; sweep < 3; ++sweep) kernels.project[sort][static_cast<std::size_t>(form)](run);
    outcome.block_multipliers = constraints.block_multipliers;
    outcome.remainder_multipliers = constraints.remainder_multipliers;
    return outcome;
}

}  // namespace

TEST_CASE("every sort of cluster projects the same bits on every instruction set") {
    for_every_target_and_numbers([](const Kernels& scalar, const Kernels& kernels, Numbers numbers) {
        std::size_t sort = 0;
        AllClusters::for_each([&]<class Cluster>() {
            CAPTURE(sort);
            for (int f = 0; f < projection_forms; ++f) {
                const ProjectionForm form = static_cast<ProjectionForm>(f);
                CAPTURE(static_cast<int>(form));
                for (const Softness<float>& softness :
                     {softness_of(0, 0, 0, 1), softness_of(0.01f, 0, 2, 1), softness_of(0, 0.5f, 0.1f, 1),
                      softness_of(0, 0, 0, 0.25f)}) {
                    const Softness<float> other = softness_of(0.02f, 0.1f, 0.3f, 0.5f);
                    const auto expected = project<Cluster>(scalar, sort, form, numbers, softness, other);
                    const auto outcome = project<Cluster>(kernels, sort, form, numbers, softness, other);
                    CHECK(same_numbers(outcome.position, expected.position));
                    CHECK(same_numbers(outcome.block_multipliers, expected.block_multipliers));
                    CHECK(same_numbers(outcome.remainder_multipliers, expected.remainder_multipliers));
                }
            }
            ++sort;
        });
    });
}

namespace {

// Projects the first cluster of the remainder in double, by the formulas and the rule alone.
template <class Cluster>
std::array<Vec3d, Cluster::arity> project_by_rule(const Constraints<Cluster>& constraints,
                                                  const AlignedVector<float>& position,
                                                  const Softness<float> (&softness)[most_parts],
                                                  const MaterialConstants& constants) {
    std::array<Vec3d, Cluster::arity> x;
    double w[Cluster::arity];
    for (std::size_t k = 0; k < Cluster::arity; ++k) {
        const float* p = position.data() + constraints.remainder_offsets[k] / sizeof(float);
        x[k] = {p[0], p[1], p[2]};
        w[k] = p[3];
    }
    Cluster::for_each_stage([&]<class Stage, int, int value>() {
        using Kind = typename Stage::Kind;
        SingleConstraint<Kind, double> single;
        single.state.rest = make_rest<Kind, double>(
            [&](std::size_t i) { return double(constraints.remainder_rests[value + i]); });
        single.state.material =
            make_material<Kind, double>([&](std::size_t i) { return double(constants[i]); });
        for (std::size_t k = 0; k < Kind::arity; ++k) {
            single.state.x[k] = x[static_cast<std::size_t>(Stage::members[k])];
            single.w[k] = w[Stage::members[k]];
        }
        const Softness<float>& s = softness[Stage::part];
        single.template project<ProjectionForm::iterated>({s.compliance, s.compliance_per_measure,
                                                           s.least_compliance, s.damping, s.scale,
                                                           s.inverse_scale});
        for (std::size_t k = 0; k < Kind::arity; ++k)
            x[static_cast<std::size_t>(Stage::members[k])] = single.state.x[k];
    });
    return x;
}

}  // namespace

TEST_CASE("every sort of cluster does what the rule says of its constraints, one after the other") {
    const Kernels& scalar = *find_kernels("scalar");
    const Softness<float> softness[most_parts] = {softness_of(0.01f, 0.2f, 0.5f, 1),
                                                  softness_of(0.03f, 0, 0.1f, 1)};
    const MaterialConstants constants{0.3f};
    std::size_t sort = 0;
    AllClusters::for_each([&]<class Cluster>() {
        CAPTURE(sort);
        RandomSource random(24);
        AlignedVector<float> position = positions(random, Numbers::ordinary), predicted = position,
                             displacement = positions(random, Numbers::tiny);
        Constraints<Cluster> constraints(random, Numbers::ordinary);
        const auto expected = project_by_rule(constraints, position, softness, constants);
        const AlignedVector<float> before = position;
        ProjectionRun run = run_of(constraints, position, predicted, displacement, constants);
        run.blocks = 0;
        run.remainder = 1;
        std::copy(std::begin(softness), std::end(softness), run.softness);
        scalar.project[sort++][static_cast<std::size_t>(ProjectionForm::iterated)](run);
        double moved = 0;
        for (std::size_t k = 0; k < Cluster::arity; ++k) {
            const std::size_t first = constraints.remainder_offsets[k] / sizeof(float);
            const float *p = position.data() + first, *q = before.data() + first;
            // Blocks of rows round more often.
            CHECK(norm(Vec3d{p[0], p[1], p[2]} - expected[k]) <
                  (Cluster::rows > Cluster::stages ? 5e-6 : 2e-6));
            moved += norm(expected[k] - Vec3d{q[0], q[1], q[2]});
        }
        CHECK(moved > 1e-3);
    });
}

TEST_CASE("a rest of NaN is no constraint, in every sort of cluster, form and instruction set") {
    for (const Kernels* kernels : usable_kernels()) {
        std::size_t sort = 0;
        AllClusters::for_each([&]<class Cluster>() {
            for (int form = 0; form < projection_forms && Cluster::rest_values > 0; ++form) {
                CAPTURE(std::string(kernels->name));
                CAPTURE(sort);
                CAPTURE(form);
                RandomSource random(25);
                AlignedVector<float> position = positions(random, Numbers::ordinary);
                const AlignedVector<float> before = position;
                AlignedVector<float> predicted = positions(random, Numbers::ordinary),
                                     displacement = predicted;
                Constraints<Cluster> constraints(random, Numbers::ordinary);
                for (auto* rests : {&constraints.block_rests, &constraints.remainder_rests})
                    std::fill(rests->begin(), rests->end(), std::nanf(""));
                const MaterialConstants constants{0.3f};
                ProjectionRun run = run_of(constraints, position, predicted, displacement, constants);
                kernels->project[sort][form](run);
                CHECK(same_numbers(position, before));
                for (const auto* multipliers :
                     {&constraints.block_multipliers, &constraints.remainder_multipliers}) {
                    CHECK(std::all_of(multipliers->begin(), multipliers->end(),
                                      [](float lambda) { return lambda == 0; }));
                }
            }
            ++sort;
        });
    }
}

TEST_CASE("a projection of finite numbers gives finite numbers on every instruction set") {
    for (const Kernels* kernels : usable_kernels()) {
        std::size_t sort = 0;
        AllClusters::for_each([&]<class Cluster>() {
            for (const Numbers numbers : {Numbers::ordinary, Numbers::coincident, Numbers::tiny}) {
                CAPTURE(std::string(kernels->name));
                CAPTURE(sort);
                const auto outcome =
                    project<Cluster>(*kernels, sort, ProjectionForm::damped, numbers,
                                     softness_of(0.01f, 0, 2, 1), softness_of(0.01f, 0, 2, 1));
                std::size_t wrong = 0;
                for (const float a : outcome.position) wrong += !std::isfinite(a);
                for (const float a : outcome.block_multipliers) wrong += !std::isfinite(a);
                CHECK(wrong == 0);
            }
            ++sort;
        });
    }
}
