// Bad input gives an Error that names the place and the value; never a crash, never a silent guess.
#include <doctest/doctest.h>

#include <functional>
#include <limits>

#include "support/mixed_scene.h"

using namespace pliant;
using namespace pliant::test;

namespace {

constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();
constexpr float infinity = std::numeric_limits<float>::infinity();

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

template <class T>
T& shape(Description& scene, std::size_t body) {
    return std::get<T>(scene.bodies[body].shape);
}

SoftMaterial& springs(Description& scene) {
    SoftMaterial& material = shape<SoftBody>(scene, 0).material;
    material.energy = Energy::springs;
    return material;
}

// One change that makes the mixed scene wrong, and what the error must say.
struct BadScene {
    const char* place;
    const char* value;  // "": there is none to tell
    std::function<void(Description&)> spoil;
};

const BadScene bad_settings[] = {
    {"/settings/substeps", "0", [](Description& d) { d.settings.substeps = 0; }},
    {"/settings/substeps", "-3", [](Description& d) { d.settings.substeps = -3; }},
    {"/settings/iterations", "0", [](Description& d) { d.settings.iterations = 0; }},
    {"/settings/time_step", "0", [](Description& d) { d.settings.time_step = 0; }},
    {"/settings/time_step", "-0.1", [](Description& d) { d.settings.time_step = -0.1f; }},
    {"/settings/time_step", "nan", [](Description& d) { d.settings.time_step = not_a_number; }},
    {"/settings/gravity/y", "nan", [](Description& d) { d.settings.gravity.y = not_a_number; }},
    {"/settings/gravity/z", "-inf", [](Description& d) { d.settings.gravity.z = -infinity; }},
    {"/settings/gravity/x", "1e-26", [](Description& d) { d.settings.gravity.x = 1e-26f; }},
    {"/settings/damping", "1.5", [](Description& d) { d.settings.damping = 1.5f; }},
    {"/settings/damping", "-0.5", [](Description& d) { d.settings.damping = -0.5f; }},
    {"/settings/method", "7", [](Description& d) { d.settings.method = Method(7); }},
};

const BadScene bad_bodies[] = {
    {"/bodies", "", [](Description& d) { d = {}; }},
    {"/bodies/3/name", "jelly", [](Description& d) { d.bodies[3].name = "jelly"; }},
    {"/bodies/1/position/x", "nan", [](Description& d) { d.bodies[1].position.x = double(not_a_number); }},
    {"/bodies/1/position/y", "inf", [](Description& d) { d.bodies[1].position.y = double(infinity); }},
    {"/bodies/0/velocity/z", "nan", [](Description& d) { d.bodies[0].velocity.z = not_a_number; }},
    {"/bodies/0/radius", "-1", [](Description& d) { d.bodies[0].radius = -1; }},
    {"/bodies/1/pinned/2", "25", [](Description& d) { d.bodies[1].pinned.push_back(25); }},
    // Soft bodies.
    {"/bodies/0", "3.90625e-27", [](Description& d) { shape<SoftBody>(d, 0).material.density = 1e-24f; }},
    {"/bodies/0/shape/mesh/tetrahedra/0", "4.33013e-13",
     [](Description& d) {
         for (Vec3& p : shape<SoftBody>(d, 0).mesh.positions) p = p * 1e-12f;
     }},
    {"/bodies/0/shape/mesh/tetrahedra/0", "1e-30 … 1e30",
     [](Description& d) {
         for (Vec3& p : shape<SoftBody>(d, 0).mesh.positions) p = p * 1e8f;
         shape<SoftBody>(d, 0).material.density = 1e-28f;
     }},
    {"/bodies/0/shape/material/density", "0",
     [](Description& d) { shape<SoftBody>(d, 0).material.density = 0; }},
    {"/bodies/0/shape/material/density", "-5",
     [](Description& d) { shape<SoftBody>(d, 0).material.density = -5; }},
    {"/bodies/0/shape/material/density", "inf",
     [](Description& d) { shape<SoftBody>(d, 0).material.density = infinity; }},
    {"/bodies/0/shape/material/edges/compliance", "-1",
     [](Description& d) { springs(d).edges.compliance = -1; }},
    {"/bodies/0/shape/material/volumes/compliance", "nan",
     [](Description& d) { springs(d).volumes.compliance = not_a_number; }},
    {"/bodies/0/shape/material/edges/damping", "-1", [](Description& d) { springs(d).edges.damping = -1; }},
    {"/bodies/0/shape/material/edges/stiffness", "2", [](Description& d) { springs(d).edges.stiffness = 2; }},
    {"/bodies/0/shape/material/young_modulus", "0",
     [](Description& d) { shape<SoftBody>(d, 0).material.young_modulus = 0; }},
    {"/bodies/0/shape/material/young_modulus", "1e+20",
     [](Description& d) { shape<SoftBody>(d, 0).material.young_modulus = 1e20f; }},
    {"/bodies/0/shape/material/poisson_ratio", "0.5",
     [](Description& d) { shape<SoftBody>(d, 0).material.poisson_ratio = 0.5f; }},
    {"/bodies/0/shape/material/poisson_ratio", "-1",
     [](Description& d) { shape<SoftBody>(d, 0).material.poisson_ratio = -1; }},
    {"/bodies/0/shape/material/energy", "9",
     [](Description& d) { shape<SoftBody>(d, 0).material.energy = Energy(9); }},
    {"/bodies/0/shape/edges", "arap",
     [](Description& d) { springs(d) = {.energy = Energy::arap, .edges = {.compliance = 1}}; }},
    {"/bodies/0/shape/mesh/positions/4", "nan",
     [](Description& d) { shape<SoftBody>(d, 0).mesh.positions[4].y = not_a_number; }},
    {"/bodies/0/shape/mesh/positions", "0", [](Description& d) { shape<SoftBody>(d, 0).mesh = {}; }},
    {"/bodies/0/shape/mesh/tetrahedra", "",
     [](Description& d) { shape<SoftBody>(d, 0).mesh.tetrahedra.clear(); }},
    {"/bodies/0/shape/mesh/tetrahedra/3", "27",
     [](Description& d) { shape<SoftBody>(d, 0).mesh.tetrahedra[3][2] = 27; }},
    {"/bodies/0/shape/mesh/tetrahedra/3", "itself",
     [](Description& d) {
         Tetrahedron& t = shape<SoftBody>(d, 0).mesh.tetrahedra[3];
         t[2] = t[0];
     }},
    {"/bodies/0/shape/mesh/tetrahedra/5", "inverted",
     [](Description& d) {
         Tetrahedron& t = shape<SoftBody>(d, 0).mesh.tetrahedra[5];
         std::swap(t[0], t[1]);
     }},
    {"/bodies/0/shape/mesh/tetrahedra/0", "flat",
     [](Description& d) {
         shape<SoftBody>(d, 0).mesh.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}};
         shape<SoftBody>(d, 0).mesh.tetrahedra = {{0, 1, 2, 3}};
     }},
    {"/bodies/0/shape/mesh/positions/27", "",
     [](Description& d) {
         shape<SoftBody>(d, 0).mesh.positions.push_back({0, 0, 0});
     }},
    // Cloths.
    {"/bodies/1/shape/material/area_density", "-1",
     [](Description& d) { shape<Cloth>(d, 1).material.area_density = -1; }},
    {"/bodies/1/shape/material/stretch/compliance", "-2",
     [](Description& d) { shape<Cloth>(d, 1).material.stretch.compliance = -2; }},
    {"/bodies/1/shape/material/bending/compliance", "inf",
     [](Description& d) { shape<Cloth>(d, 1).material.bending.compliance = infinity; }},
    {"/bodies/1/shape/mesh/positions", "0", [](Description& d) { shape<Cloth>(d, 1).mesh = {}; }},
    {"/bodies/1/shape/mesh/triangles", "", [](Description& d) { shape<Cloth>(d, 1).mesh.triangles.clear(); }},
    {"/bodies/1/shape/mesh/triangles/2", "99",
     [](Description& d) { shape<Cloth>(d, 1).mesh.triangles[2][1] = 99; }},
    {"/bodies/1/shape/mesh/triangles/0", "",
     [](Description& d) {
         shape<Cloth>(d, 1).mesh.triangles[0] = {0, 1, 2};
     }},  // on a line
    {"/bodies/1/shape/mesh/positions/25", "",
     [](Description& d) {
         shape<Cloth>(d, 1).mesh.positions.push_back({9, 9, 9});
     }},
    // Ropes.
    {"/bodies/2/shape/positions", "1", [](Description& d) { shape<Rope>(d, 2).positions.resize(1); }},
    {"/bodies/2/shape/positions/3/x", "inf",
     [](Description& d) { shape<Rope>(d, 2).positions[3].x = infinity; }},
    {"/bodies/2/shape/positions/5", "4",
     [](Description& d) { shape<Rope>(d, 2).positions[5] = shape<Rope>(d, 2).positions[4]; }},
    {"/bodies/2/shape/material/linear_density", "0",
     [](Description& d) { shape<Rope>(d, 2).material.linear_density = 0; }},
    // Particles.
    {"/bodies/3/shape/positions", "0", [](Description& d) { d.bodies[3].shape = Particles{}; }},
    {"/bodies/3/shape/material/mass", "-1",
     [](Description& d) { shape<Particles>(d, 3).material.mass = -1; }},
    {"/bodies/3/shape/material/mass", "nan",
     [](Description& d) { shape<Particles>(d, 3).material.mass = not_a_number; }},
    {"/bodies/3/shape/masses", "2",
     [](Description& d) {
         shape<Particles>(d, 3).masses = {1, 1};
     }},
    {"/bodies/3/shape/masses/1", "0",
     [](Description& d) {
         shape<Particles>(d, 3).masses = {1, 0, 1};
     }},
    {"/bodies/3/shape/links/1/b", "3", [](Description& d) { shape<Particles>(d, 3).links[1].b = 3; }},
    {"/bodies/3/shape/links/1", "itself", [](Description& d) { shape<Particles>(d, 3).links[1].b = 1; }},
    {"/bodies/3/shape/links/0/rest_length", "-1",
     [](Description& d) { shape<Particles>(d, 3).links[0].rest_length = -1; }},
    {"/bodies/3/shape/links/0/rest_length", "inf",
     [](Description& d) { shape<Particles>(d, 3).links[0].rest_length = infinity; }},
    {"/bodies/3/shape/links/0", "",
     [](Description& d) { shape<Particles>(d, 3).positions[1] = shape<Particles>(d, 3).positions[0]; }},
    {"/bodies/3/shape/triangles/0", "8",
     [](Description& d) {
         shape<Particles>(d, 3).triangles = {{0, 1, 8}};
     }},
    {"/bodies/3", "kg", [](Description& d) { shape<Particles>(d, 3).material.mass = 1e-35f; }},
};

const BadScene bad_surroundings[] = {
    {"/attachments/0/particle/body", "9", [](Description& d) { d.attachments[0].particle.body = 9; }},
    {"/attachments/0/particle/particle", "13",
     [](Description& d) { d.attachments[0].particle.particle = 13; }},
    {"/attachments/0/target/particle", "3",
     [](Description& d) {
         d.attachments[0].target = ParticleReference{3, 3};
     }},
    {"/attachments/0/target/body", "4",
     [](Description& d) {
         d.attachments[0].target = ParticleReference{4, 0};
     }},
    {"/attachments/0", "itself",
     [](Description& d) {
         d.attachments[0].target = ParticleReference{2, 12};
     }},
    {"/attachments/1/target/y", "nan",
     [](Description& d) {
         d.attachments[1].target = Vec3d{0, double(not_a_number), 0};
     }},
    {"/attachments/1/elasticity/compliance", "-1",
     [](Description& d) { d.attachments[1].elasticity.compliance = -1; }},
    {"/colliders/0/shape/normal", "0",
     [](Description& d) { std::get<Plane>(d.colliders[0].shape).normal = {}; }},
    {"/colliders/0/shape/normal/x", "nan",
     [](Description& d) { std::get<Plane>(d.colliders[0].shape).normal.x = not_a_number; }},
    {"/colliders/0/shape/point/z", "inf",
     [](Description& d) { std::get<Plane>(d.colliders[0].shape).point.z = double(infinity); }},
    {"/colliders/0/friction", "-1", [](Description& d) { d.colliders[0].friction = -1; }},
    {"/colliders/0/restitution", "1.5", [](Description& d) { d.colliders[0].restitution = 1.5f; }},
    {"/colliders/1/shape/radius", "0",
     [](Description& d) { std::get<Sphere>(d.colliders[1].shape).radius = 0; }},
    {"/colliders/1/shape/center/x", "nan",
     [](Description& d) { std::get<Sphere>(d.colliders[1].shape).center.x = double(not_a_number); }},
    {"/colliders/2/shape/half_extents/y", "-1",
     [](Description& d) { std::get<Box>(d.colliders[2].shape).half_extents.y = -1; }},
    {"/colliders/2/shape/rotation", "0",
     [](Description& d) {
         std::get<Box>(d.colliders[2].shape).rotation = {0, 0, 0, 0};
     }},
    {"/colliders/2/shape/rotation/w", "nan",
     [](Description& d) { std::get<Box>(d.colliders[2].shape).rotation.w = not_a_number; }},
    {"/colliders/3/shape/radius", "0",
     [](Description& d) { std::get<Capsule>(d.colliders[3].shape).radius = 0; }},
    {"/colliders/3/shape/b/y", "inf",
     [](Description& d) { std::get<Capsule>(d.colliders[3].shape).b.y = double(infinity); }},
};

template <std::size_t N>
void check_all(const BadScene (&cases)[N]) {
    for (const BadScene& bad : cases) {
        CAPTURE(bad.place);
        CAPTURE(bad.value);
        Description scene = mixed_scene();
        bad.spoil(scene);
        const Result<Simulation> simulation = Simulation::create(scene, on_threads(1));
        REQUIRE(!simulation);
        const Error& error = simulation.error();
        CAPTURE(error.text());
        CHECK(error.path.substr(0, std::string(bad.place).size()) == bad.place);
        CHECK(contains(error.message, bad.value));
        CHECK(!error.message.empty());
    }
}

// A call on a running simulation that must be refused.
struct BadCall {
    const char* place;
    const char* value;
    std::function<Status(Simulation&)> call;
};

template <class T>
Status status_of(const Result<T>& result) {
    return result ? Status() : Status(result.error());
}

}  // namespace

TEST_CASE("the scene that is spoilt below is itself good") {
    CHECK(bool(Simulation::create(mixed_scene(), on_threads(1))));
}

TEST_CASE("bad settings are errors") { check_all(bad_settings); }
TEST_CASE("bad bodies are errors") { check_all(bad_bodies); }
TEST_CASE("bad attachments and colliders are errors") { check_all(bad_surroundings); }

TEST_CASE("bad execution is an error") {
    for (const int threads : {-1, -100, 100000}) {
        const Result<Simulation> simulation = Simulation::create(mixed_scene(), on_threads(threads));
        REQUIRE(!simulation);
        CHECK(contains(simulation.error().text(), "/execution/threads"));
        CHECK(contains(simulation.error().text(), std::to_string(threads)));
    }
    Execution execution;
    execution.target = "abacus";
    const Result<Simulation> simulation = Simulation::create(mixed_scene(), execution);
    REQUIRE(!simulation);
    CHECK(contains(simulation.error().text(), "/execution/target"));
    CHECK(contains(simulation.error().text(), "abacus"));
    CHECK(contains(simulation.error().text(), "scalar"));
}

namespace {

constexpr std::uint32_t none = 1000000;
const double bad = double(not_a_number);

const BadCall bad_calls[] = {
    {"particle", "1000000", [](Simulation& s) { return s.set_force(none, {}); }},
    {"force/y", "nan",
     [](Simulation& s) {
         return s.set_force(0, {0, not_a_number, 0});
     }},
    {"force/x", "inf",
     [](Simulation& s) {
         return s.set_force(0, {infinity, 0, 0});
     }},
    {"particle", "1000000", [](Simulation& s) { return s.set_velocity(none, {}); }},
    {"velocity/z", "nan",
     [](Simulation& s) {
         return s.set_velocity(0, {0, 0, not_a_number});
     }},
    {"particle", "1000000", [](Simulation& s) { return s.pin(none); }},
    {"particle", "1000000", [](Simulation& s) { return s.unpin(none); }},
    {"attachment", "2",
     [](Simulation& s) {
         return s.move_attachment(2, {0, 0, 0});
     }},
    {"target/x", "nan",
     [](Simulation& s) {
         return s.move_attachment(1, {bad, 0, 0});
     }},
    {"/attachments/0", "two particles",
     [](Simulation& s) {
         return s.move_attachment(0, {0, 0, 0});
     }},
    {"attachment", "7", [](Simulation& s) { return s.set_attachment_elasticity(7, {}); }},
    {"/attachments/1/compliance", "-1",
     [](Simulation& s) { return s.set_attachment_elasticity(1, compliant(-1)); }},
    {"offset/z", "nan",
     [](Simulation& s) {
         return s.translate("jelly", {0, 0, bad});
     }},
    {"height", "nan", [](Simulation& s) { return s.squash("jelly", bad); }},
    {"body", "nobody", [](Simulation& s) { return s.squash("nobody", 0); }},
    {"point/x", "nan",
     [](Simulation& s) {
         return status_of(s.grab({bad, 0, 0}));
     }},
    {"origin/y", "nan",
     [](Simulation& s) {
         return status_of(s.grab_ray({0, bad, 0}, {0, 1, 0}));
     }},
    {"direction/x", "nan",
     [](Simulation& s) {
         return status_of(s.grab_ray({0, 0, 0}, {not_a_number, 0, 0}));
     }},
    {"direction", "0",
     [](Simulation& s) {
         return status_of(s.grab_ray({0, 0, 0}, {0, 0, 0}));
     }},
    {"direction", "",
     [](Simulation& s) {
         return status_of(s.grab_ray({0, 90, 0}, {0, 1, 0}));
     }},
    {"grabbed", "5",
     [](Simulation& s) {
         return s.drag(5, {0, 0, 0});
     }},
    {"grabbed", "5", [](Simulation& s) { return s.release(5); }},
    {"particle", "1000000",
     [](Simulation& s) {
         return s.drag(none, {0, 0, 0});
     }},
    {"snapshot", "null", [](Simulation& s) { return s.restore(nullptr); }},
    {"snapshot", "another",
     [](Simulation& s) { return s.restore(start(scene_of(lone_particle({}))).save()); }},
};

}  // namespace

TEST_CASE("bad calls on a running simulation are errors and change nothing") {
    Simulation simulation = start(mixed_scene());
    run(simulation, 3);
    const std::uint64_t before = simulation.state_hash();
    for (const BadCall& bad_call : bad_calls) {
        CAPTURE(bad_call.place);
        CAPTURE(bad_call.value);
        const Status status = bad_call.call(simulation);
        REQUIRE(!status);
        CAPTURE(status.error().text());
        CHECK(contains(status.error().text(), bad_call.place));
        CHECK(contains(status.error().text(), bad_call.value));
        CHECK(simulation.state_hash() == before);
    }
    Simulation untouched = start(mixed_scene());
    run(untouched, 6);
    run(simulation, 3);
    CHECK(simulation.state_hash() == untouched.state_hash());
}

TEST_CASE("a grabbed particle can neither be grabbed again nor pinned") {
    Simulation simulation = start(scene_of(lone_particle({0, 0, 0})));
    REQUIRE(bool(simulation.grab({0, 0, 0})));
    const Result<std::uint32_t> again = simulation.grab({0, 0, 0});
    REQUIRE(!again);
    CHECK(contains(again.error().text(), "point"));
    CHECK(!simulation.pin(0));
    CHECK(!simulation.unpin(0));
    CHECK(!simulation.drag(0, {double(not_a_number), 0, 0}));
    succeed(simulation.release(0));
    CHECK(!simulation.release(0));
}

TEST_CASE("a name that equals the default name of an unnamed body is refused") {
    Description scene;
    scene.bodies = {lone_particle({0, 0, 0}), lone_particle({1, 0, 0})};
    scene.bodies[1].name = "body0";
    CHECK(!Simulation::create(scene, on_threads(1)));
}
