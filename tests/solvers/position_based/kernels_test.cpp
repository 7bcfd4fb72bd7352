// Every instruction set's kernels against the scalar ones, bit by bit, on ordinary and on nasty numbers.
#include "solvers/position_based/kernels.h"

#include <doctest/doctest.h>

#include <string>
#include <type_traits>
#include <vector>

#include "base/aligned.h"
#include "solvers/position_based/dispatch.h"
#include "support/constraint_states.h"
#include "support/nasty_floats.h"
#include "support/single_projection.h"

using namespace pliant;
using namespace pliant::test;
using namespace pliant::solvers::position_based;

namespace {

constexpr std::size_t particles = 512;

enum class Numbers { ordinary, coincident, tiny, huge, any_bits };

// Four floats a particle; every fifth is held.
AlignedVector<float> positions(RandomSource& random, Numbers numbers) {
    AlignedVector<float> all(particles * floats_per_particle);
    for (std::size_t i = 0; i < all.size(); ++i) {
        const bool is_mass = i % floats_per_particle == 3;
        if (is_mass) {
            all[i] = i / floats_per_particle % 5 == 0 ? 0.0f : random.real_float(0.1, 10);
        } else if (numbers == Numbers::ordinary) {
            all[i] = random.real_float(-1, 1);
        } else if (numbers == Numbers::coincident) {
            all[i] = random.chance(0.5) ? -0.0f : 0.0f;
        } else if (numbers == Numbers::tiny) {
            all[i] = random.real_float(-1e-20, 1e-20);
        } else if (numbers == Numbers::huge) {
            all[i] = random.real_float(-1e30, 1e30);
        } else {
            all[i] = any_float(random);
        }
    }
    return all;
}

bool same_numbers(const AlignedVector<float>& a, const AlignedVector<float>& b) {
    std::size_t different = 0;
    for (std::size_t i = 0; i < a.size(); ++i) different += !same_number(a[i], b[i]);
    return different == 0;
}

// A few blocks and a remainder of different particles.
template <class Cluster>
struct Constraints {
    static constexpr std::size_t blocks = 3, remainder = 5;
    AlignedVector<std::uint32_t> block_offsets, remainder_offsets;
    AlignedVector<float> block_rests, remainder_rests, block_multipliers, remainder_multipliers;

    explicit Constraints(RandomSource& random, Numbers numbers)
        : block_multipliers(blocks * Cluster::stages * block_size, 0.0f),
          remainder_multipliers(remainder * Cluster::stages, 0.0f) {
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
            .damping = damping,
            .scale = -share,
            .inverse_scale = -1 / share};
}

template <class Cluster>
ProjectionRun run_of(Constraints<Cluster>& constraints, AlignedVector<float>& position,
                     AlignedVector<float>& predicted, AlignedVector<float>& displacement,
                     const MaterialConstants& constants) {
    ProjectionRun run;
    run.particles = {position.data(), predicted.data(), displacement.data()};
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

constexpr Numbers all_numbers[] = {Numbers::ordinary, Numbers::coincident, Numbers::tiny, Numbers::huge,
                                   Numbers::any_bits};

template <class F>
void for_every_target_and_numbers(F&& check) {
    const Kernels* scalar = find_kernels("scalar");
    REQUIRE(scalar != nullptr);
    for (const Kernels* kernels : usable_kernels()) {
        for (const Numbers numbers : all_numbers) {
            CAPTURE(std::string(kernels->name));
            CAPTURE(static_cast<int>(numbers));
            check(*scalar, *kernels, numbers);
        }
    }
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

TEST_CASE("every sort of cluster does what the rule says of its constraints, one after the other") {
    const Kernels& scalar = *find_kernels("scalar");
    const Softness<float> softness[] = {softness_of(0.01f, 0.2f, 0.5f, 1), softness_of(0.03f, 0, 0.1f, 1)};
    const MaterialConstants constants{0.3f};
    std::size_t sort = 0;
    AllClusters::for_each([&]<class Cluster>() {
        CAPTURE(sort);
        RandomSource random(24);
        AlignedVector<float> position = positions(random, Numbers::ordinary), predicted = position,
                             displacement = positions(random, Numbers::tiny);
        Constraints<Cluster> constraints(random, Numbers::ordinary);
        const AlignedVector<float> before = position;
        ProjectionRun run;
        run.particles = {position.data(), predicted.data(), displacement.data()};
        run.remainder_offsets = constraints.remainder_offsets.data();
        run.remainder_rests = constraints.remainder_rests.data();
        run.remainder_multipliers = constraints.remainder_multipliers.data();
        run.remainder = 1;
        for (std::size_t part = 0; part < most_parts; ++part) {
            run.softness[part] = softness[part];
            run.constants[part] = constants.data();
        }
        scalar.project[sort++][static_cast<std::size_t>(ProjectionForm::iterated)](run);

        // The same in double, on particles of its own, by the formulas and the rule alone.
        Vec3d x[Cluster::arity];
        double w[Cluster::arity];
        const auto first_float = [&](std::size_t k) {
            return constraints.remainder_offsets[k] / sizeof(float);
        };
        for (std::size_t k = 0; k < Cluster::arity; ++k) {
            const float* p = before.data() + first_float(k);
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
                single.state.x[k] = x[Stage::members[k]];
                single.w[k] = w[Stage::members[k]];
            }
            const Softness<float>& s = softness[Stage::part];
            single.template project<ProjectionForm::iterated>(
                {s.compliance, s.compliance_per_measure, s.damping, s.scale, s.inverse_scale});
            for (std::size_t k = 0; k < Kind::arity; ++k) x[Stage::members[k]] = single.state.x[k];
        });
        double moved = 0;
        for (std::size_t k = 0; k < Cluster::arity; ++k) {
            const float* p = position.data() + first_float(k);
            CHECK(norm(Vec3d{p[0], p[1], p[2]} - x[k]) < 2e-6);
            const float* q = before.data() + first_float(k);
            moved += norm(x[k] - Vec3d{q[0], q[1], q[2]});
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

TEST_CASE("passes over particles give the same bits on every instruction set") {
    const collision::LocalPlane plane{{0.4f, 0.3f}, {0, 1, 0}, -0.1f};
    collision::LocalSphere sphere{{0.2f, 0.1f}, {0.1f, 0.2f, 0.3f}, 0.4f};
    sphere.moves = true;
    sphere.shift = {0.01f, 0.02f, -0.03f};
    sphere.spin = {0.2f, 0, 0.1f};
    sphere.pivot = sphere.center;
    const collision::LocalBox box{
        {0.9f, 0.5f}, {-0.2f, 0, 0.1f}, {{0.6f, 0.8f, 0}, {-0.8f, 0.6f, 0}, {0, 0, 1}}, {0.3f, 0.2f, 0.4f}};
    collision::LocalCapsule capsule{{0.3f, 0.2f}, {0.2f, -0.1f, 0}, {0, 0.6f, 0.8f}, {1, 0, 0}, 0.5f, 0.1f};
    capsule.moves = true;
    capsule.spin = {0, 0, 0.3f};
    for_every_target_and_numbers([&](const Kernels& scalar, const Kernels& kernels, Numbers numbers) {
        for (int pass = 0; pass < 6; ++pass) {
            for (const bool with_forces : {false, true}) {
                CAPTURE(pass);
                CAPTURE(with_forces);
                AlignedVector<float> arrays[2][3];
                for (int side = 0; side < 2; ++side) {
                    RandomSource random(22);
                    for (AlignedVector<float>& array : arrays[side]) array = positions(random, numbers);
                    AlignedVector<float> forces = positions(random, Numbers::ordinary);
                    // As a state has them: no −0, which x + 0 turns into 0; fourth floats that stay.
                    for (AlignedVector<float>& array : arrays[side]) {
                        for (float& a : array) a = bits_of(a) == bits_of(-0.0f) ? 0.0f : a;
                    }
                    for (std::size_t i = 3; i < forces.size(); i += floats_per_particle) {
                        arrays[side][1][i] = arrays[side][0][i];
                        arrays[side][2][i] = forces[i] = 0;
                    }
                    const AlignedVector<float> radii(particles, 0.05f);
                    ParticleRange range;
                    range.particles = {arrays[side][0].data(), arrays[side][1].data(),
                                       arrays[side][2].data()};
                    range.forces = with_forces ? forces.data() : nullptr;
                    range.radii = radii.data();
                    range.first = 32;
                    range.count = particles - 48;
                    range.gravity_step[1] = -0.01f;
                    range.h2 = 1e-4f;
                    range.area_vectors = forces.data();
                    range.wind_step[2] = 0.3f;
                    range.half_air_density = 0.6f;
                    range.max_correction = 0.5f;
                    range.resting_step = 0.02f;
                    range.colliders = {{&plane, 1}, {&sphere, 1}, {&box, 1}, {&capsule, 1}};
                    const Kernels& chosen = side == 0 ? scalar : kernels;
                    void (*const passes[])(const ParticleRange&) = {chosen.begin,          chosen.finish,
                                                                    chosen.finish_begin,   chosen.collide,
                                                                    chosen.collide_finish, chosen.apply_wind};
                    passes[pass](range);
                }
                // The fourth float of predicted positions and displacements means nothing.
                std::size_t different = 0;
                for (std::size_t i = 0; i < particles * floats_per_particle; ++i) {
                    different += !same_number(arrays[0][0][i], arrays[1][0][i]);
                    if (i % floats_per_particle == 3) continue;
                    different += !same_number(arrays[0][1][i], arrays[1][1][i]);
                    different += !same_number(arrays[0][2][i], arrays[1][2][i]);
                }
                CHECK(different == 0);
            }
        }
    });
}

TEST_CASE("a single bad number is found on every instruction set, wherever it is") {
    for (const Kernels* kernels : usable_kernels()) {
        CAPTURE(std::string(kernels->name));
        RandomSource random(23);
        AlignedVector<float> position = positions(random, Numbers::ordinary), predicted = position,
                             displacement = position;
        ParticleRange range;
        range.particles = {position.data(), predicted.data(), displacement.data()};
        range.first = 16;
        range.count = particles - 32;
        CHECK(kernels->in_range(range));
        std::size_t missed = 0, wrong = 0;
        for (std::size_t i = 0; i < position.size(); ++i) {
            const std::size_t particle = i / floats_per_particle;
            const bool counts = i % floats_per_particle != 3 && particle >= 16 && particle < particles - 16;
            for (AlignedVector<float>* array : {&predicted, &displacement}) {
                for (const float bad : {std::nanf(""), INFINITY, -INFINITY, 1.1e9f, -3e38f}) {
                    const float good = (*array)[i];
                    (*array)[i] = bad;
                    if (counts) {
                        missed += kernels->in_range(range);
                    } else if (i % floats_per_particle != 3) {
                        wrong += !kernels->in_range(range);
                    }
                    (*array)[i] = good;
                }
            }
        }
        CHECK(missed == 0);
        CHECK(wrong == 0);
    }
}
