// Cloth as a material in scene files and descriptions: what is given, implied and refused.
#include <doctest/doctest.h>
#include <pliant/presets.h>
#include <pliant/shapes.h>

#include <string>

#include "support/simulations.h"

using namespace pliant;
using namespace pliant::test;

namespace {

Result<Scene> read(const std::string& cloth) {
    return parse_scene(R"({"bodies": [{"cloth": {"sheet": {"columns": 4, "rows": 4}, )" + cloth + "}}]}");
}

ClothMaterial material_of(const std::string& cloth) {
    const Result<Scene> scene = read(cloth);
    if (!scene) FAIL(scene.error().text());
    return std::get<Cloth>(scene->description.bodies[0].shape).material;
}

std::string error_of(const std::string& cloth) {
    const Result<Scene> scene = read(cloth);
    return scene ? "" : scene.error().text();
}

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("cloth without a material is of links, as it always was") {
    const ClothMaterial material = material_of(R"("area_density": 0.3, "bending": {"compliance": 0.5})");
    CHECK(material.membrane.model == MembraneModel::links);
    CHECK(material.bending.model == BendingModel::links);
    CHECK(material.bending.compliance == 0.5f);
}

TEST_CASE("stiffnesses imply models, and a fabric brings all of them") {
    const ClothMaterial own =
        material_of(R"("membrane": {"warp": 500, "weft": 200, "shear": 30}, "bending": {"warp": 1e-5})");
    CHECK(own.membrane.model == MembraneModel::orthotropic);
    CHECK(own.membrane.weft == 200);
    CHECK(own.bending.model == BendingModel::isometric);
    CHECK(own.bending.warp == 1e-5f);
    const ClothMaterial arap = material_of(R"("membrane": {"model": "arap", "warp": 500})");
    CHECK(arap.membrane.model == MembraneModel::arap);
    const ClothMaterial denim = material_of(R"("fabric": "denim", "bending": {"model": "dihedral"})");
    CHECK(denim.membrane.warp == fabric("denim")->membrane.warp);
    CHECK(denim.area_density == fabric("denim")->area_density);
    CHECK(denim.bending.model == BendingModel::dihedral);
    CHECK(denim.bending.warp == fabric("denim")->bending.warp);
}

TEST_CASE("every fabric is there, with a source, and runs") {
    for (const char* name :
         {"silk", "cotton", "wool", "denim", "jersey", "leather", "paper", "rubber_sheet"}) {
        CAPTURE(name);
        REQUIRE(bool(fabric(name)));
        Cloth cloth;
        cloth.mesh = *make_sheet(0.5f, 0.5f, 8, 8);
        cloth.material = *fabric(name);
        Description scene;
        scene.bodies.push_back({.name = "cloth", .shape = std::move(cloth), .pinned = {0}});
        Simulation simulation = start(scene);
        run(simulation, 30);
        CHECK(all_finite(simulation.view()));
    }
    for (const Fabric& one : fabrics()) CHECK(!one.source.empty());
    CHECK(fabric("silk")->bending.warp < fabric("denim")->bending.warp);
    CHECK(fabric("jersey")->membrane.warp < fabric("cotton")->membrane.warp);
}

TEST_CASE("what cloth cannot be is an Error with its path and what is allowed") {
    CHECK(contains(error_of(R"("fabric": "denm")"), "did you mean \"denim\""));
    CHECK(contains(error_of(R"("fabric": "denim", "stretch": {"compliance": 1})"), "/cloth/stretch"));
    CHECK(contains(error_of(R"("fabric": "denim", "bending": {"compliance": 1})"), "/bending/compliance"));
    CHECK(contains(error_of(R"("membrane": {"warp": -5})"), "must be > 0, got -5"));
    CHECK(contains(error_of(R"("bending": {"warp": -1e-5})"), "must be ≥ 0"));
    CHECK(contains(error_of(R"("bending": {"rest_angle": 3.5})"), "must be at most 3.14159, got 3.5"));
    CHECK(contains(error_of(R"("membrane": {"model": "woven"})"), "\"orthotropic\""));
    CHECK(contains(error_of(R"("fabric": "silk", "warp_direction": [0, 1, 0])"), "normal to triangle"));
    CHECK(contains(error_of(R"("membrane": {"model": "arap", "shear": 3})"), "orthotropic"));
    CHECK(contains(error_of(R"("strain_limit": 0.1)"), "orthotropic"));
    CHECK(contains(error_of(R"("membrane": {"warp": 10, "weft": 1000, "poisson_ratio": 0.5})"),
                   "must be below the root of warp/weft"));
}

TEST_CASE("a panel says which way its warp runs") {
    const Result<Scene> scene = parse_scene(R"({"bodies": [{"cloth": {"fabric": "cotton", "panels": {
        "edge_length": 0.2, "pieces": [{"outline": [[0, 0], [1, 0], [1, 1], [0, 1]], "warp": [1, 0],
        "rotation": [0, 90, 0]}]}}}]})");
    if (!scene) FAIL(scene.error().text());
    const Cloth& cloth = std::get<Cloth>(scene->description.bodies[0].shape);
    REQUIRE(cloth.warp_directions.size() == cloth.mesh.triangles.size());
    CHECK(std::fabs(std::fabs(cloth.warp_directions[0].z) - 1) < 1e-5);
}

TEST_CASE("a weave is one of four, of woven cloth alone, and is shown") {
    CHECK(material_of(R"("fabric": "wool", "weave": "satin")").weave == Weave::satin);
    CHECK(contains(error_of(R"("fabric": "wool", "weave": "twil")"), "/bodies/0/cloth/weave: "));
    CHECK(contains(error_of(R"("fabric": "wool", "weave": "twil")"), "herringbone"));
    CHECK(contains(error_of(R"("weave": "twill")"),
                   "/bodies/0/cloth/weave: is of the membrane \"orthotropic\""));
    auto scene = read(R"("fabric": "wool", "weave": "twill")");
    auto player = Player::create(std::move(*scene), on_threads(1));
    REQUIRE(player);
    CHECK(player->view().bodies[0].weave == Weave::twill);
}

TEST_CASE("satin shears more easily than plain weave, and stretches less") {
    // Pulled, or with its sides pulled against each other.
    const auto with = [](Weave weave, bool shears) {
        Cloth cloth;
        cloth.mesh = *make_sheet(1, 1, 8, 8);
        cloth.material.membrane = {MembraneModel::orthotropic, 4, 4, 1, 0, 0};
        cloth.material.bending.model = BendingModel::isometric;  // links would pull too
        cloth.material.weave = weave;
        Settings settings = with_substeps(20);
        settings.gravity = {};
        settings.drag = 0.1f;
        Description scene = scene_of(body_of(cloth), settings);
        std::vector<std::uint32_t> pulled;
        for (std::uint32_t i = 0; i < cloth.mesh.positions.size(); ++i) {
            if (cloth.mesh.positions[i].x < -0.49f) scene.bodies[0].pinned.push_back(i);
            if (cloth.mesh.positions[i].x > 0.49f) pulled.push_back(i);
        }
        Simulation simulation = start(scene);
        for (const std::uint32_t i : pulled) {
            const bool is_corner = std::abs(std::abs(cloth.mesh.positions[i].z) - 0.5f) < 1e-3f;
            const float force = 0.02f / 8 * (is_corner ? 0.5f : 1.0f);
            succeed(simulation.set_force(i, shears ? Vec3{0, 0, force} : Vec3{force, 0, 0}));
        }
        run(simulation, 600);
        double moved = 0;
        for (const std::uint32_t i : pulled) {
            const Vec3 d = simulation.view().positions[i] - cloth.mesh.positions[i];
            moved += (shears ? d.z : d.x) / double(pulled.size());
        }
        return moved;
    };
    CHECK(with(Weave::plain, false) / with(Weave::satin, false) == doctest::Approx(1.3).epsilon(0.05));
    CHECK(with(Weave::plain, false) == doctest::Approx(with(Weave::none, false)));
    CHECK(with(Weave::satin, true) > 1.5 * with(Weave::plain, true));
}

TEST_CASE("what cannot be a cloth is an Error at its place in the file") {
    CHECK(contains(error_of(R"("fabric": "silk", "warp_direction": [0, 1, 0])"),
                   "/bodies/0/cloth/warp_direction: is 0 or normal to triangle 0"));
    CHECK(contains(error_of(R"("membrane": {"warp": -5})"),
                   "/bodies/0/cloth/membrane/warp: must be > 0, got -5"));
    CHECK(contains(error_of(R"("bending": {"model": "dihedral", "rest_angle": 4})"),
                   "/bodies/0/cloth/bending/rest_angle: must be at most 3.14159, got 4"));
    CHECK(contains(error_of(R"("fabric": "silk", "stretch": {"compliance": 1})"),
                   "cannot be beside \"fabric\""));
    CHECK(contains(error_of(R"("membrane": {"warp": 100}, "stretch": {"compliance": 1e-5})"),
                   "/bodies/0/cloth/stretch: is of the membrane \"links\""));
    const auto panels = [](const std::string& piece) {
        const auto scene = parse_scene(
            R"({"bodies": [{"cloth": {"fabric": "silk", "panels": {"edge_length": 0.2, "pieces": [{)" +
            piece + "}]}}}]}");
        return scene ? std::string() : scene.error().text();
    };
    CHECK(panels(R"("outline": [[0, 0], [1, 0], [1, 1]])") == "");
    CHECK(contains(panels(R"("outline": [[0, 0, 0], [1, 0, 0], [1, 1, 0.2]])"),
                   "/bodies/0/cloth/panels/pieces/0/outline/0: must have 2 numbers, got 3"));
    CHECK(contains(panels(R"("outline": [[0, 0], [1, 0], [1, 1]], "warp": [0, 0])"),
                   "/bodies/0/cloth/panels/pieces/0/warp: must not have length 0"));
}
