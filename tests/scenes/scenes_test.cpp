#include "scenes/scenes.h"

#include <doctest/doctest.h>

#include <cstddef>
#include <set>
#include <utility>

using namespace pliant;

namespace {

const Particles& particles_of(const Description& scene) {
    return std::get<Particles>(scene.bodies.at(0).shape);
}

}  // namespace

TEST_CASE("every listed scene can be made") {
    for (const std::string_view name : scenes::names()) {
        CAPTURE(std::string(name));
        const auto scene = scenes::make(name);
        REQUIRE(scene.has_value());
        CHECK(!scene->bodies.empty());
    }
}

TEST_CASE("names that are no scenes give nothing") {
    for (const char* name : {"", "c", "j", "c2", "c0", "c-5", "c03", "c1e3", "c100 ", "c99999999999", "j0",
                             "j+3", "j257", "x100", "Jelly", "c4097"}) {
        CAPTURE(name);
        CHECK(!scenes::make(name).has_value());
    }
}

TEST_CASE("linked cloth has the known number of links, each once") {
    struct Known {
        const char* name;
        std::uint32_t n, links;
    };
    for (const Known& known : {Known{"c3", 3, 26}, {"c100", 100, 59002}, {"c300", 300, 537002}}) {
        CAPTURE(known.name);
        const std::uint32_t n = known.n, count = known.links;
        const Description scene = *scenes::make(known.name);
        const Particles& cloth = particles_of(scene);
        CHECK(cloth.positions.size() == std::size_t{n} * n);
        CHECK(cloth.links.size() == count);
        CHECK(cloth.triangles.size() == std::size_t{2} * (n - 1) * (n - 1));
        CHECK(cloth.material.mass * static_cast<float>(n * n) == doctest::Approx(0.8));
        CHECK(cloth.material.link.compliance == 0);
        CHECK(scene.bodies[0].pinned == std::vector<std::uint32_t>{0, n - 1});
        if (n > 100) continue;
        std::set<std::pair<std::uint32_t, std::uint32_t>> distinct;
        for (const Link& link : cloth.links) {
            CHECK(link.a < n * n);
            CHECK(link.b < n * n);
            CHECK(link.a < link.b);
            distinct.insert({link.a, link.b});
        }
        CHECK(distinct.size() == count);
    }
}

TEST_CASE("links of a cloth stand by kind") {
    const Description scene = *scenes::make("c10");
    const std::vector<Link>& links = particles_of(scene).links;
    std::size_t next = 0;
    const std::pair<std::size_t, std::uint32_t> kinds[] = {{90, 1}, {90, 10}, {81, 11},
                                                           {81, 9}, {80, 2},  {80, 20}};
    for (const auto& [count, step] : kinds) {
        for (std::size_t i = 0; i < count; ++i, ++next) CHECK(links[next].b - links[next].a == step);
    }
    CHECK(next == links.size());
}

TEST_CASE("hanging boxes are held at their top corners") {
    const Description scene = *scenes::make("j20");
    const SoftBody& box = std::get<SoftBody>(scene.bodies.at(0).shape);
    CHECK(box.mesh.positions.size() == 9261);
    CHECK(box.mesh.tetrahedra.size() == 48000);
    CHECK(box.material.edges.compliance == 0);
    CHECK(box.material.volumes.compliance == 0);
    REQUIRE(scene.bodies[0].pinned.size() == 4);
    std::set<std::pair<float, float>> corners;
    for (const std::uint32_t p : scene.bodies[0].pinned) {
        CHECK(box.mesh.positions[p].y == 0.5f);
        corners.insert({box.mesh.positions[p].x, box.mesh.positions[p].z});
    }
    CHECK(corners == std::set<std::pair<float, float>>{{-.5f, -.5f}, {-.5f, .5f}, {.5f, -.5f}, {.5f, .5f}});
}

TEST_CASE("the tilted jelly keeps its size and starts above the plane") {
    const Description scene = *scenes::make("jelly");
    const Body& body = scene.bodies.at(0);
    const SoftBody& jelly = std::get<SoftBody>(body.shape);
    double volume = 0;
    const auto point = [&](std::uint32_t i) {
        const Vec3 p = jelly.mesh.positions[i];
        return Vec3d{p.x, p.y, p.z};
    };
    for (const Tetrahedron& t : jelly.mesh.tetrahedra) {
        const Vec3d a = point(t[0]);
        volume += dot(cross(point(t[1]) - a, point(t[2]) - a), point(t[3]) - a) / 6;
    }
    CHECK(volume == doctest::Approx(0.125).epsilon(1e-6));
    for (const Vec3& p : jelly.mesh.positions) CHECK(static_cast<double>(p.y) + body.position.y > 0.9);
}
