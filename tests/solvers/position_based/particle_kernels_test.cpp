// Passes over particles: every instruction set's kernels against the scalar ones, bit by bit.
#include <doctest/doctest.h>

#include <pliant/collider_mesh.h>
#include <pliant/shapes.h>

#include <cmath>
#include <string>

#include "solvers/position_based/dispatch.h"
#include "support/kernel_inputs.h"

using namespace pliant;
using namespace pliant::test;
using namespace pliant::solvers::position_based;

namespace {

// Random particles with forces and a radius, among one collider of each shape.
struct PassInput {
    AlignedVector<float> position, predicted, displacement, forces, air_loads;
    AlignedVector<float> radii = AlignedVector<float>(particles, 0.05f);
    collision::LocalPlane plane{{0.4f, 0.3f}, {0, 1, 0}, -0.1f};
    collision::LocalSphere sphere{{0.2f, 0.1f}, {0.1f, 0.2f, 0.3f}, 0.4f};
    collision::LocalBox box{
        {0.9f, 0.5f}, {-0.2f, 0, 0.1f}, {{0.6f, 0.8f, 0}, {-0.8f, 0.6f, 0}, {0, 0, 1}}, {0.3f, 0.2f, 0.4f}};
    collision::LocalCapsule capsule{{0.3f, 0.2f}, {0.2f, -0.1f, 0}, {0, 0.6f, 0.8f}, {1, 0, 0}, 0.5f, 0.1f};
    collision::LocalCylinder cylinder =
        collision::CylinderCollider::localize({{0.3, -0.2, 0.1}, {0.4, 0.5, 0}, 0.15f}, {});
    collision::LocalCone cone =
        collision::ConeCollider::localize({{-0.3, -0.4, -0.1}, {-0.4, 0.3, 0}, 0.2f, 0.05f}, {});
    collision::LocalTorus torus =
        collision::TorusCollider::localize({{0, 0.3, -0.2}, {0.2f, 1, 0.1f}, 0.3f, 0.1f}, {});
    ColliderMeshPointer surface = *make_collider_mesh(*make_box_surface({0.4f, 0.3f, 0.2f}, {2, 2, 2}));
    collision::LocalMesh mesh =
        collision::MeshCollider::localize(SolidMesh{{}, surface, {-0.1, 0.1, 0.3}, {0.1f, 0, 0, 1}, 0}, {});

    template <class Kind>
    static void give(ParticleRange& range, const typename Kind::Local& local) {
        static_cast<collision::LocalSpan<Kind>&>(range.colliders) = {&local, 1};
    }

    explicit PassInput(Numbers numbers) {
        RandomSource random(22);
        for (AlignedVector<float>* array : {&position, &predicted, &displacement}) {
            *array = positions(random, numbers);
            // As a state has them: no −0, which x + 0 turns into 0; fourth floats that stay.
            for (float& a : *array) a = bits_of(a) == bits_of(-0.0f) ? 0.0f : a;
        }
        forces = positions(random, Numbers::ordinary);
        air_loads = forces;  // three times as long
        for (int i = 0; i < 2; ++i) air_loads.insert(air_loads.end(), forces.begin(), forces.end());
        for (std::size_t i = 3; i < forces.size(); i += floats_per_particle) {
            predicted[i] = position[i];
            displacement[i] = forces[i] = 0;
        }
        sphere.moves = capsule.moves = true;
        sphere.shift = {0.01f, 0.02f, -0.03f};
        sphere.spin = {0.2f, 0, 0.1f};
        sphere.pivot = sphere.center;
        capsule.spin = {0, 0, 0.3f};
        torus.friction = cone.friction = 0.4f;
        cone.inverted = true;
        cylinder.drags = true;
        cylinder.belt = {0.5f, 0, 0.2f};
    }

    ParticleRange range(bool with_forces) {
        ParticleRange range;
        range.particles = {position.data(), predicted.data(), displacement.data()};
        range.forces = with_forces ? forces.data() : nullptr;
        range.radii = radii.data();
        range.first = 32;
        range.count = particles - 48;
        range.gravity_step[1] = -0.01f;
        range.h2 = 1e-4f;
        range.air_loads = air_loads.data();
        range.substep = 0.01f;
        range.half_air_density = 0.6f;
        range.max_correction = 0.5f;
        range.resting_step = 0.02f;
        give<collision::PlaneCollider>(range, plane);
        give<collision::SphereCollider>(range, sphere);
        give<collision::BoxCollider>(range, box);
        give<collision::CapsuleCollider>(range, capsule);
        give<collision::CylinderCollider>(range, cylinder);
        give<collision::ConeCollider>(range, cone);
        give<collision::TorusCollider>(range, torus);
        give<collision::MeshCollider>(range, mesh);
        return range;
    }
};

// The fourth float of predicted positions and displacements means nothing.
std::size_t count_different(const PassInput& a, const PassInput& b) {
    std::size_t different = 0;
    for (std::size_t i = 0; i < particles * floats_per_particle; ++i) {
        different += !same_number(a.position[i], b.position[i]);
        if (i % floats_per_particle == 3) continue;
        different += !same_number(a.predicted[i], b.predicted[i]);
        different += !same_number(a.displacement[i], b.displacement[i]);
    }
    return different;
}

}  // namespace

TEST_CASE("passes over particles give the same bits on every instruction set") {
    for_every_target_and_numbers([&](const Kernels& scalar, const Kernels& kernels, Numbers numbers) {
        for (const auto pass :
             {&Kernels::begin, &Kernels::finish, &Kernels::finish_begin, &Kernels::apply_wind}) {
            for (const bool with_forces : {false, true}) {
                CAPTURE(with_forces);
                PassInput expected(numbers), outcome(numbers);
                (scalar.*pass)(expected.range(with_forces));
                (kernels.*pass)(outcome.range(with_forces));
                CHECK(count_different(outcome, expected) == 0);
            }
        }
        for (const auto pass : {&Kernels::collide, &Kernels::collide_finish}) {
            for (const float body_size : {0.01f, 1.0f}) {
                CAPTURE(body_size);
                PassInput expected(numbers), outcome(numbers);
                ParticleRange range = expected.range(false), other = outcome.range(false);
                range.body_size = other.body_size = body_size;
                CHECK((scalar.*pass)(range) == (kernels.*pass)(other));
                CHECK(count_different(outcome, expected) == 0);
            }
        }
    });
}

TEST_CASE("moments, bounds and added motions have the same bits on every instruction set") {
    for_every_target_and_numbers([&](const Kernels& scalar, const Kernels& kernels, Numbers numbers) {
        PassInput expected(numbers), outcome(numbers);
        ParticleRange range = expected.range(false), other = outcome.range(false);
        for (ParticleRange* one : {&range, &other}) {
            one->keep = 0.9f;
            one->reference[1] = one->shift[0] = 0.25f;
            one->spin[0] = one->spin[2] = 0.1f;
        }
        double sums[moment_count], other_sums[moment_count];
        scalar.moments(range, sums);
        kernels.moments(other, other_sums);
        for (int k = 0; k < moment_count; ++k)
            CHECK((sums[k] == other_sums[k] || (std::isnan(sums[k]) && std::isnan(other_sums[k]))));
        float bounds[8], other_bounds[8];
        scalar.bounds(range, bounds);
        kernels.bounds(other, other_bounds);
        for (const int k : {0, 1, 2, 4, 5, 6}) CHECK(bounds[k] == other_bounds[k]);
        scalar.add_motion(range);
        kernels.add_motion(other);
        CHECK(count_different(outcome, expected) == 0);
    });
}

TEST_CASE("the fastest particle of a range is found on every instruction set") {
    for (const Kernels* kernels : usable_kernels()) {
        CAPTURE(std::string(kernels->name));
        for (const std::size_t fastest : {32u, 57u, 495u}) {
            PassInput input(Numbers::ordinary);
            for (std::size_t i = 3; i < input.displacement.size(); i += floats_per_particle)
                input.displacement[i] = 9;                     // means nothing
            input.displacement[20 * floats_per_particle] = 8;  // outside
            input.displacement[fastest * floats_per_particle + 1] = -5;
            CHECK(kernels->fastest(input.range(false)) == 5);
        }
    }
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
