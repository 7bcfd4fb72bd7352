// Every instruction set's kernels against the scalar ones, bit by bit, on ordinary and on nasty numbers.
#include "solvers/kernels.h"

#include <doctest/doctest.h>

#include <string>
#include <type_traits>
#include <vector>

#include "base/aligned.h"
#include "solvers/dispatch.h"
#include "support/constraint_states.h"
#include "support/nasty_floats.h"

using namespace pliant;
using namespace pliant::test;

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

// A few blocks and single visits of different particles.
template <class Visit>
struct Constraints {
    static constexpr std::size_t blocks = 3, singles = 5;
    AlignedVector<std::uint32_t> block_offsets, single_offsets;
    AlignedVector<float> block_parameters, single_parameters, block_multipliers, single_multipliers;

    explicit Constraints(RandomSource& random, Numbers numbers)
        : block_multipliers(blocks * Visit::stages * block_size, 0.0f),
          single_multipliers(singles * Visit::stages, 0.0f) {
        const auto offset = [](std::size_t particle) {
            return static_cast<std::uint32_t>(particle % particles * bytes_per_particle);
        };
        for (std::size_t b = 0; b < blocks; ++b) {
            // All of all blocks differ: 3 does not divide 512.
            constexpr std::size_t members = Visit::arity * block_size;
            static_assert(blocks * members <= particles);
            for (std::size_t i = 0; i < members; ++i)
                block_offsets.push_back(offset((b * members + i) * 3 + 5));
            for (std::size_t i = 0; i < Visit::parameters * block_size; ++i)
                block_parameters.push_back(numbers == Numbers::any_bits ? any_float(random)
                                                                        : random.real_float(0.1, 1));
        }
        for (std::size_t s = 0; s < singles; ++s) {
            const std::size_t first = random.below(particles);
            for (std::size_t i = 0; i < Visit::arity; ++i) single_offsets.push_back(offset(first + i * 7));
            for (std::size_t i = 0; i < Visit::parameters; ++i)
                single_parameters.push_back(random.real_float(0.1, 1));
        }
    }
};

template <class Visit>
struct Outcome {
    AlignedVector<float> position, block_multipliers, single_multipliers;
};

// Three sweeps.
template <class Visit>
Outcome<Visit> project(const Kernels& kernels, std::size_t visit, ProjectionForm form, Numbers numbers,
                       const Law<float>& law, const Law<float>& other) {
    RandomSource random(21);
    Outcome<Visit> outcome{positions(random, numbers), {}, {}};
    AlignedVector<float> predicted = positions(random, numbers), displacement = positions(random, numbers);
    Constraints<Visit> constraints(random, numbers);
    ProjectionRun run;
    run.particles = {outcome.position.data(), predicted.data(), displacement.data()};
    run.block_offsets = constraints.block_offsets.data();
    run.block_parameters = constraints.block_parameters.data();
    run.block_multipliers = constraints.block_multipliers.data();
    run.blocks = constraints.blocks;
    run.single_offsets = constraints.single_offsets.data();
    run.single_parameters = constraints.single_parameters.data();
    run.single_multipliers = constraints.single_multipliers.data();
    run.singles = constraints.singles;
    run.laws[0] = law;
    run.laws[1] = other;
    for (int sweep = 0; sweep < 3; ++sweep) kernels.project[visit][static_cast<std::size_t>(form)](run);
    outcome.block_multipliers = constraints.block_multipliers;
    outcome.single_multipliers = constraints.single_multipliers;
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

TEST_CASE("every sort of visit projects the same bits on every instruction set") {
    for_every_target_and_numbers([](const Kernels& scalar, const Kernels& kernels, Numbers numbers) {
        std::size_t visit = 0;
        AllVisits::for_each([&]<class Visit>() {
            CAPTURE(visit);
            for (int f = 0; f < projection_forms; ++f) {
                const ProjectionForm form = static_cast<ProjectionForm>(f);
                CAPTURE(static_cast<int>(form));
                for (const Law<float>& law :
                     {Law<float>{0, 0, 0, -1, -1}, Law<float>{0.01f, 0, 2, -1, -1},
                      Law<float>{0, 0.5f, 0.1f, -1, -1}, Law<float>{0, 0, 0, -0.25f, -4}}) {
                    const Law<float> other{0.02f, 0.1f, 0.3f, -0.5f, -2};
                    const auto expected = project<Visit>(scalar, visit, form, numbers, law, other);
                    const auto outcome = project<Visit>(kernels, visit, form, numbers, law, other);
                    CHECK(same_numbers(outcome.position, expected.position));
                    CHECK(same_numbers(outcome.block_multipliers, expected.block_multipliers));
                    CHECK(same_numbers(outcome.single_multipliers, expected.single_multipliers));
                }
            }
            ++visit;
        });
    });
}

TEST_CASE("a visit of several constraints does what they would do one after the other") {
    const Kernels& scalar = *find_kernels("scalar");
    std::size_t visit = 0, pairs = 0, volumes = 0;
    AllVisits::for_each([&]<class Visit>() {
        if (std::is_same_v<Visit, Alone<kinds::Distance>>) pairs = visit;
        if (std::is_same_v<Visit, Alone<kinds::Volume>>) volumes = visit;
        ++visit;
    });
    visit = 0;
    AllVisits::for_each([&]<class Visit>() {
        RandomSource random(24);
        AlignedVector<float> together = positions(random, Numbers::ordinary), alone = together,
                             predicted = positions(random, Numbers::ordinary), displacement = predicted;
        Constraints<Visit> constraints(random, Numbers::ordinary);
        ProjectionRun run;
        run.particles = {together.data(), predicted.data(), displacement.data()};
        run.single_offsets = constraints.single_offsets.data();
        run.single_parameters = constraints.single_parameters.data();
        run.single_multipliers = constraints.single_multipliers.data();
        run.singles = 1;
        run.laws[0] = {0.01f, 0.2f, 0.5f, -1, -1};
        run.laws[1] = {0.03f, 0, 0.1f, -1, -1};
        const auto damped = static_cast<std::size_t>(ProjectionForm::damped);
        scalar.project[visit++][damped](run);

        Visit::for_each_stage([&]<class Stage, int, int parameter>() {
            if constexpr (!std::is_same_v<typename Stage::Kind, kinds::Attachment>) {
                std::vector<std::uint32_t> members;
                for (const int k : Stage::members)
                    members.push_back(constraints.single_offsets[static_cast<std::size_t>(k)]);
                float multiplier = 0;
                ProjectionRun single = run;
                single.particles.position = alone.data();
                single.single_offsets = members.data();
                single.single_parameters = constraints.single_parameters.data() + parameter;
                single.single_multipliers = &multiplier;
                single.laws[0] = run.laws[Stage::slot];
                scalar.project[members.size() == 2 ? pairs : volumes][damped](single);
            } else {
                alone = together;
            }
        });
        CHECK(same_numbers(together, alone));
    });
}

TEST_CASE("a projection of finite numbers gives finite numbers on every instruction set") {
    for (const Kernels* kernels : usable_kernels()) {
        std::size_t visit = 0;
        AllVisits::for_each([&]<class Visit>() {
            for (const Numbers numbers : {Numbers::ordinary, Numbers::coincident, Numbers::tiny}) {
                CAPTURE(std::string(kernels->name));
                CAPTURE(visit);
                const auto outcome = project<Visit>(*kernels, visit, ProjectionForm::damped, numbers,
                                                    {0.01f, 0, 2, -1, -1}, {0.01f, 0, 2, -1, -1});
                std::size_t wrong = 0;
                for (const float a : outcome.position) wrong += !std::isfinite(a);
                for (const float a : outcome.block_multipliers) wrong += !std::isfinite(a);
                CHECK(wrong == 0);
            }
            ++visit;
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
                    range.sails = forces.data();
                    range.wind_step[2] = 0.3f;
                    range.half_air_density = 0.6f;
                    range.reach = 0.5f;
                    range.resting_step = 0.02f;
                    range.colliders = {{&plane, 1}, {&sphere, 1}, {&box, 1}, {&capsule, 1}};
                    const Kernels& chosen = side == 0 ? scalar : kernels;
                    void (*const passes[])(const ParticleRange&) = {chosen.begin,          chosen.finish,
                                                                    chosen.finish_begin,   chosen.collide,
                                                                    chosen.collide_finish, chosen.blow};
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
