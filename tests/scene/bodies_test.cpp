// What holds for every kind of body of the list.
#include "scene/bodies/all.h"

#include <doctest/doctest.h>

#include <set>
#include <string>
#include <type_traits>

#include "scene/assemble/assemble.h"
#include "support/mixed_scene.h"

using namespace pliant;
using namespace pliant::test;

namespace {

// The mixed scene, its rope with all elasticities that ropes may have, and hair, which PBD does not run.
Description scene_of_all_kinds() {
    Description scene = mixed_scene();
    for (Body& body : scene.bodies) {
        if (auto* rope = std::get_if<Rope>(&body.shape)) rope->material.bending_model = RopeBending::links;
    }
    Hair tuft;
    tuft.points = 5;
    for (int i = 0; i < 15; ++i)
        tuft.positions.push_back({0.02f * static_cast<float>(i / 5), -0.05f * static_cast<float>(i % 5), 0});
    scene.bodies.push_back(body_of(std::move(tuft), {3, 3, 1}));
    scene.bodies.back().name = "tuft";
    return scene;
}

}  // namespace

TEST_CASE("the scene of all kinds has a body of every kind") {
    std::set<std::size_t> kinds;
    for (const Body& body : scene_of_all_kinds().bodies) kinds.insert(body.shape.index());
    CHECK(kinds.size() == bodies::AllBodies::size);
}

TEST_CASE("every elasticity of a material is a part of its body, and there is no other") {
    const Description scene = scene_of_all_kinds();
    Simulation simulation = start(scene);
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
        const std::string name = simulation.view().bodies[i].name;
        CAPTURE(name);
        bodies::visit_kind(scene.bodies[i].shape, [&]<class Kind>(const typename Kind::Shape& shape) {
            visit_fields(shape.material, [&](const auto& field, const auto& member) {
                if constexpr (std::is_same_v<decltype(member), const Elasticity&>) {
                    CAPTURE(std::string(field.name));
                    succeed(simulation.set_elasticity(name, field.name, member));
                }
            });
        });
        CHECK_FALSE(simulation.set_elasticity(name, "nonsense", {}));
    }
    const auto assembly = assemble(scene);
    REQUIRE(bool(assembly));
    // Hair has three, which its material gives as numbers.
    CHECK(assembly->model.parts.size() == 2 + 3 + 2 + 1 + 3 + scene.attachments.size());
}

TEST_CASE("assembling collects tetrahedra, triangles and lines of all bodies, by the scene's particles") {
    const Description scene = mixed_scene();
    const auto assembly = assemble(scene);
    REQUIRE(bool(assembly));
    const auto& soft = std::get<SoftBody>(scene.bodies[0].shape);
    const auto& sheet = std::get<Cloth>(scene.bodies[1].shape);
    REQUIRE(assembly->model.tetrahedra.size() == soft.mesh.tetrahedra.size());
    CHECK(assembly->model.tetrahedra.back() == soft.mesh.tetrahedra.back());
    const auto first = assembly->model.bodies[1].first_particle;
    const Triangle last = sheet.mesh.triangles.back();
    CHECK(assembly->model.triangles.back() == Triangle{first + last[0], first + last[1], first + last[2]});
    CHECK(assembly->model.lines.size() == 12 + 2);
    CHECK(assembly->model.lines[0] ==
          Edge{assembly->model.bodies[2].first_particle, assembly->model.bodies[2].first_particle + 1});
    CHECK(assembly->model.lines.back() ==
          Edge{assembly->model.bodies[3].first_particle + 1, assembly->model.bodies[3].first_particle + 2});
}
