#include <pliant/output/picture_maker.h>
#include <pliant/pliant.h>

#include "output/picture/camera.h"
#include "scenes/scenes.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

using namespace pliant;
using namespace pliant::output;

namespace {

Picture picture_of(const Description& scene, const PictureOptions& options = {}, int frames = 0) {
    auto simulation = Simulation::create(scene);
    REQUIRE(simulation);
    PictureMaker maker(simulation->view(), options);
    Picture picture = maker.make(simulation->view());
    for (int i = 0; i < frames; ++i) {
        simulation->step();
        picture = maker.make(simulation->view());
    }
    return picture;
}

}  // namespace

TEST_CASE("a soft body is shown by its surface, a rope by a tube, loose particles by beads") {
    const Picture jelly = picture_of(*scenes::make("jelly"));
    REQUIRE(jelly.surfaces.size() == 1);
    CHECK(jelly.surfaces[0].finish == Finish::jelly);
    CHECK(jelly.surfaces[0].triangles->size() == 6 * 8 * 8 * 2);
    CHECK(jelly.surfaces[0].positions.size() == 9 * 9 * 9 - 7 * 7 * 7);  // none of the inside
    CHECK(jelly.ground);

    const Picture rope = picture_of(*scenes::make("rope"));
    REQUIRE(rope.tubes.size() == 1);
    REQUIRE(rope.tubes[0].paths->size() == 1);
    CHECK((*rope.tubes[0].paths)[0].size() == 41);
    CHECK(rope.beads.empty());
    CHECK(rope.ground);  // an imaginary one, below all that can happen
    CHECK(rope.ground->point.y < 1);

    Description loose;
    Particles particles;
    particles.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    particles.links = {{0, 1}};
    loose.bodies.push_back({.name = "loose", .shape = particles});
    const Picture beads = picture_of(loose);
    REQUIRE(beads.beads.size() == 1);
    CHECK(beads.beads[0].positions.size() == 3);
    REQUIRE(beads.tubes.size() == 1);
    CHECK(!beads.ground);
}

TEST_CASE("links are shown beside triangles, and particles beside both") {
    Description scene;
    Particles kite;
    kite.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, -2, 0}, {5, 0, 0}};
    kite.triangles = {{0, 1, 2}};
    kite.links = {{0, 1}, {2, 0}, {0, 3}, {3, 4}};  // two are between corners
    scene.bodies.push_back({.name = "kite", .shape = kite, .radius = 0.03f});
    const Picture picture = picture_of(scene);
    REQUIRE(picture.surfaces.size() == 1);
    CHECK(picture.surfaces[0].positions.size() == 3);
    REQUIRE(picture.tubes.size() == 1);
    CHECK(picture.tubes[0].paths->size() == 2);
    CHECK(picture.tubes[0].positions == std::vector<Vec3>{{0, 0, 0}, {0, -1, 0}, {0, -2, 0}});
    REQUIRE(picture.beads.size() == 1);
    CHECK(picture.beads[0].positions == std::vector<Vec3>{{0, -1, 0}, {0, -2, 0}, {5, 0, 0}});
    CHECK(picture.beads[0].radius >= 0.03f);
}

TEST_CASE("a body of which nothing else is known shows its particles, each as large as it is") {
    const std::vector<Vec3> points{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const std::vector<float> radii(4, 0.25f);
    const std::vector<Tetrahedron> tetrahedra{{0, 1, 2, 3}};
    for (const std::uint32_t count : {0u, 1u}) {
        const std::vector<BodyView> bodies{{.name = "new", .particle_count = 4, .tetrahedron_count = count}};
        const View view{.positions = points,
                        .velocities = points,
                        .radii = radii,
                        .tetrahedra = std::span(tetrahedra).first(count),
                        .bodies = bodies};
        const Picture picture = PictureMaker(view).make(view);
        CHECK(picture.surfaces.empty());
        REQUIRE(picture.beads.size() == 1);
        CHECK(picture.beads[0].positions == points);
        CHECK(picture.beads[0].radius == 0.25f);
    }
}

TEST_CASE("a floor is below what hangs, also by another body, but not below what falls") {
    const auto floor = [](bool pinned) {
        Description scene;
        Rope rope;
        rope.positions = {{0, 0, 0}, {1, 0, 0}};
        scene.bodies.push_back({.name = "upper", .shape = rope, .position = {0, 2, 0}});
        scene.bodies.push_back({.name = "lower", .shape = rope, .position = {1, 2, 0}});
        scene.attachments.push_back({.particle = {1, 0}, .target = ParticleReference{0, 1}});
        if (pinned) scene.bodies[0].pinned = {0};
        return picture_of(scene).ground.has_value();
    };
    CHECK(floor(true));
    CHECK(!floor(false));
}

TEST_CASE("shrunken tetrahedra fill the share of the volume that their size gives") {
    PictureOptions options;
    options.tetrahedra = true;
    const Description scene = *scenes::make("jelly");
    const Picture picture = picture_of(scene, options);
    REQUIRE(picture.surfaces.size() == 1);
    const Surface& s = picture.surfaces[0];
    const std::size_t count = std::get<SoftBody>(scene.bodies[0].shape).mesh.tetrahedra.size();
    CHECK(s.positions.size() == 4 * count);
    CHECK(s.triangles->size() == 4 * count);
    // By the divergence theorem, outward faces add up to the volume.
    double volume = 0;
    for (const auto& [a, b, c] : *s.triangles) {
        volume += static_cast<double>(dot(s.positions[a], cross(s.positions[b], s.positions[c]))) / 6;
    }
    CHECK(volume == doctest::Approx(0.125 * std::pow(0.82, 3)).epsilon(1e-3));
}

TEST_CASE("a skin is shown in place of its body, follows it, and takes its colours") {
    Description scene;
    SoftBody box;
    box.mesh = *make_box({1, 1, 1}, {2, 2, 2});
    const TriangleMesh ball = *make_icosphere(0.4f, 6);
    scene.bodies.push_back({.name = "box", .shape = box, .skin = ball});
    auto simulation = Simulation::create(scene);
    REQUIRE(simulation);
    PictureOptions options;
    options.quantity = Quantity::speed;
    PictureMaker maker(simulation->view(), options);

    // An affine motion goes over to the skin as it is.
    const auto moved = [](Vec3 p) { return Vec3{2 * p.x + 0.5f * p.y, p.y + 3, p.z - p.x}; };
    View view = simulation->view();
    std::vector<Vec3> positions, velocities;
    for (const Vec3& p : view.positions) {
        positions.push_back(moved(p));
        velocities.push_back({0, 1 + p.x, 0});
    }
    view.positions = positions;
    view.velocities = velocities;
    const Picture picture = maker.make(view);
    REQUIRE(picture.surfaces.size() == 1);
    const Surface& skin = picture.surfaces[0];
    CHECK(*skin.triangles == ball.triangles);
    REQUIRE(skin.positions.size() == ball.positions.size());
    for (std::size_t i = 0; i < skin.positions.size(); ++i) {
        const Vec3 off = skin.positions[i] - moved(ball.positions[i]);
        CHECK(dot(off, off) < 1e-11f);
        CHECK(skin.values[i] == doctest::Approx(1 + ball.positions[i].x).epsilon(1e-5));
    }

    options.wireframe = true;  // the mesh that is simulated
    CHECK(picture_of(scene, options).surfaces[0].positions.size() == 26);
}

TEST_CASE("colliders are shown where they are now") {
    const Description scene = *scenes::make("drape");
    auto simulation = Simulation::create(scene);
    REQUIRE(simulation);
    PictureMaker maker(simulation->view());
    REQUIRE(simulation->move_collider(0, Sphere{{0.1, 0.5, 0}, 0.25f}));
    simulation->step();
    const Picture picture = maker.make(simulation->view());
    CHECK(std::get<Sphere>(picture.colliders[0].shape).center == Vec3d{0.1, 0.5, 0});
}

TEST_CASE("strain is the mean change of length of the edges at a particle") {
    Description scene;
    Rope rope;
    rope.positions = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}};
    scene.bodies.push_back({.name = "rope", .shape = rope});
    PictureOptions options;
    options.quantity = Quantity::strain;
    options.highest = 0.5;
    auto simulation = Simulation::create(scene);
    REQUIRE(simulation);
    PictureMaker maker(simulation->view(), options);
    View view = simulation->view();
    const std::vector<Vec3> stretched{{0, 0, 0}, {1.2f, 0, 0}, {2.1f, 0, 0}};  // + 20 %, − 10 %
    view.positions = stretched;
    const Picture picture = maker.make(view);
    REQUIRE(picture.tubes.size() == 1);
    const std::vector<float>& values = picture.tubes[0].values;
    CHECK(values[0] == doctest::Approx(0.2).epsilon(1e-5));
    CHECK(values[1] == doctest::Approx(0.15).epsilon(1e-5));
    CHECK(values[2] == doctest::Approx(0.1).epsilon(1e-5));
    REQUIRE(picture.scale);
    CHECK(picture.scale->high == 0.5);
}

TEST_CASE("numbers that are given are shown as they are") {
    Description scene;
    Rope rope;
    rope.positions = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}};
    scene.bodies.push_back({.name = "rope", .shape = rope});
    PictureOptions options;
    options.quantity = Quantity::given;
    auto simulation = Simulation::create(scene);
    REQUIRE(simulation);
    PictureMaker maker(simulation->view(), options);
    const std::vector<float> numbers{0.25f, 0.5f, 1};
    const Picture picture = maker.make(simulation->view(), numbers);
    CHECK(picture.tubes[0].values == numbers);
    CHECK(picture.scale->high == 1);
    CHECK(maker.make(simulation->view()).tubes[0].values == std::vector<float>(3));  // none given: 0
}

TEST_CASE("nothing is ever cut off") {
    for (const char* name : {"jelly", "drape", "rope", "c20"}) {
        const Description scene = *scenes::make(name);
        auto simulation = Simulation::create(scene);
        REQUIRE(simulation);
        PictureMaker maker(simulation->view());
        for (int frame = 0; frame < 150; ++frame) {
            const Picture picture = maker.make(simulation->view());
            bool whole = true;
            for (const Vec3& p : simulation->view().positions) {
                const auto at = project(picture.camera, 16.0 / 9, {p.x, p.y, p.z});
                whole = whole && at && std::min(at->x, at->y) > 0 && std::max(at->x, at->y) < 1;
            }
            CHECK_MESSAGE(whole, std::string(name), " in frame ", frame);
            simulation->step();
        }
    }
}
