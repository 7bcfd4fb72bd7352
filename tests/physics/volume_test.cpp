// Tetrahedra come back from flat and from inside out.
#include <pliant/shapes.h>

#include <doctest/doctest.h>

#include "constraints/volume.h"
#include "support/projection_in_double.h"
#include "support/simulations.h"

using namespace pliant;
using namespace pliant::test;
using constraints::kinds::Volume;

namespace {

// A tetrahedron with a right corner, of volume size³/6, without weight.
Simulation lone_tetrahedron(float size, float edge_compliance) {
    SoftBody body;
    body.material.energy = Energy::springs;
    body.mesh.positions = {{0, 0, 0}, {size, 0, 0}, {0, size, 0}, {0, 0, size}};
    body.mesh.tetrahedra = {{0, 1, 2, 3}};
    body.material.edges.compliance = edge_compliance;
    Settings settings;
    settings.gravity = {};
    return start(scene_of(body_of(std::move(body)), settings));
}

// Moves particle 3 so that the volume becomes `share` of what it was, everything else staying.
void turn_to(Simulation& simulation, double share) {
    const Vec3d tip = to_double(simulation.view().positions[3]);
    for (std::uint32_t i = 0; i < 3; ++i) succeed(simulation.pin(i));
    const Result<std::uint32_t> grabbed = simulation.grab(tip);
    REQUIRE(bool(grabbed));
    REQUIRE(*grabbed == 3);
    succeed(simulation.drag(3, {tip.x, tip.y, tip.z * share}));
    simulation.step();
    succeed(simulation.release(3));
    succeed(simulation.set_velocity(3, {}));
    for (std::uint32_t i = 0; i < 3; ++i) succeed(simulation.unpin(i));
}

}  // namespace

TEST_CASE("one projection of a free tetrahedron removes the volume error to first order") {
    // With C in place of 6·C, α̃ in place of −α̃, or 1 in place of |∇C|², it would not.
    Vec3d rest[4] = {{0.1, 0.2, 0.3}, {1.1, 0.3, 0.2}, {0.2, 1.4, 0.1}, {0.3, 0.1, 0.9}};
    const double w[4] = {1, 0.5, 2, 0.25};
    const double v0 = Volume::evaluate<double>(rest, {0}, {}).value;
    double last = 0;
    for (const double change : {0.1, 0.01, 0.001, -0.001, -0.01}) {
        CAPTURE(change);
        const double target = v0 * (1 + change);
        Vec3d x[4] = {rest[0], rest[1], rest[2], rest[3]};
        project<Volume>(x, w, {target});
        const double left = Volume::evaluate<double>(x, {target}, {}).value / v0;
        CHECK(std::abs(left) < change * change);  // second order
        if (change == 0.01) CHECK(std::abs(left / last) == doctest::Approx(0.01).epsilon(0.1));
        last = left;
    }
}

TEST_CASE("a tetrahedron turned inside out comes back to its volume") {
    for (const float size : {0.001f, 1.0f, 1000.0f}) {
        for (const float compliance : {0.0f, 1e-5f}) {
            for (const double share : {-0.1, -0.5, -1.0, -1.1, -2.0, -5.0, 0.0}) {
                CAPTURE(size);
                CAPTURE(compliance);
                CAPTURE(share);
                // A modulus that grows with the square of the size gives the same motion in the same time.
                Simulation simulation = lone_tetrahedron(size, compliance / (size * size));
                const double rest = simulation.diagnostics().rest_volume;
                turn_to(simulation, share);
                CHECK(std::abs(simulation.diagnostics().volume / rest - share) < 1e-5);
                CHECK(simulation.diagnostics().inverted_tetrahedra == 1);
                run(simulation, 180);
                CHECK(simulation.diagnostics().inverted_tetrahedra == 0);
                CHECK(relative_error(simulation.diagnostics().volume, rest) < 0.01);
            }
        }
    }
}

TEST_CASE("a squashed box recovers: nothing inverted, the volume within 1 %") {
    for (const int cells : {1, 2, 3, 5, 8}) {
        for (const float compliance : {0.0f, 1e-5f}) {
            CAPTURE(cells);
            CAPTURE(compliance);
            SoftBody box;
            box.material.energy = Energy::springs;
            box.mesh = *make_box({0.5f, 0.5f, 0.5f}, {cells, cells, cells});
            box.material.edges = compliant(compliance);
            Description scene = scene_of(body_of(std::move(box), {0, 1, 0}));
            scene.bodies[0].name = "box";
            scene.colliders.push_back({Plane{}});
            Simulation simulation = start(scene);
            succeed(simulation.squash("box", 0));
            CHECK(simulation.diagnostics().volume == 0);
            run(simulation, 300);
            const Diagnostics after = simulation.diagnostics();
            CHECK(after.inverted_tetrahedra == 0);
            CHECK(relative_error(after.volume, after.rest_volume) < 0.01);
            CHECK(after.repaired_particles == 0);
        }
    }
}
