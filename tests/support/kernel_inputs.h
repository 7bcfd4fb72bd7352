// Particles to run kernels on: ordinary ones and nasty ones.
#pragma once

#include <doctest/doctest.h>

#include <string>

#include "base/aligned.h"
#include "base/particle_layout.h"
#include "solvers/position_based/dispatch.h"
#include "support/nasty_floats.h"

namespace pliant::test {

inline constexpr std::size_t particles = 512;

enum class Numbers { ordinary, coincident, tiny, huge, any_bits };

// Four floats per particle; every fifth is held.
inline AlignedVector<float> positions(RandomSource& random, Numbers numbers) {
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

inline bool same_numbers(const AlignedVector<float>& a, const AlignedVector<float>& b) {
    std::size_t different = 0;
    for (std::size_t i = 0; i < a.size(); ++i) different += !same_number(a[i], b[i]);
    return different == 0;
}

inline constexpr Numbers all_numbers[] = {Numbers::ordinary, Numbers::coincident, Numbers::tiny,
                                          Numbers::huge, Numbers::any_bits};

template <class F>
void for_every_target_and_numbers(F&& check) {
    const solvers::position_based::Kernels* scalar = solvers::position_based::find_kernels("scalar");
    REQUIRE(scalar != nullptr);
    for (const solvers::position_based::Kernels* kernels : solvers::position_based::usable_kernels()) {
        for (const Numbers numbers : all_numbers) {
            CAPTURE(std::string(kernels->name));
            CAPTURE(static_cast<int>(numbers));
            check(*scalar, *kernels, numbers);
        }
    }
}

}  // namespace pliant::test
