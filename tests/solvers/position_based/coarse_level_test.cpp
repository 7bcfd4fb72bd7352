// The coarse level of solids: how it is built.
#include <doctest/doctest.h>

#include <set>

#include "scene/assemble/assemble.h"
#include "solvers/position_based/coarse/coarse_level.h"
#include "support/simulations.h"

namespace pliant::test {
namespace {

using solvers::position_based::CoarseLevel;

CoarseLevel level_of(TetrahedralMesh mesh) {
    SoftBody body;
    body.mesh = std::move(mesh);
    Result<Assembly> assembly = assemble(scene_of(body_of(std::move(body))));
    REQUIRE(assembly);
    return assembly->plan.coarse;
}

// Two towers that stand side by side, one cell apart, and a beam that joins them at the foot, or not.
TetrahedralMesh towers(bool are_joined) {
    TetrahedralMesh all;
    const auto add = [&](const TetrahedralMesh& part, Vec3 offset) {
        const auto first = static_cast<std::uint32_t>(all.positions.size());
        for (const Vec3& p : part.positions) all.positions.push_back(p + offset);
        for (Tetrahedron t : part.tetrahedra) {
            for (std::uint32_t& p : t) p += first;
            all.tetrahedra.push_back(t);
        }
    };
    add(*make_box({0.4f, 1.6f, 0.8f}, {4, 16, 8}), {-0.25f, 0, 0});
    add(*make_box({0.4f, 1.6f, 0.8f}, {4, 16, 8}), {0.25f, 0, 0});
    if (are_joined) all = *make_box({0.9f, 1.6f, 0.8f}, {9, 16, 8});
    return all;
}

}  // namespace

TEST_CASE("the gradients of a cell sum up to zero, and see a uniform strain as it is") {
    const CoarseLevel level = level_of(*make_box({1, 2, 1}, {10, 20, 10}));
    REQUIRE(level.bodies.size() == 1);
    for (std::size_t cell = 0; cell < level.cells(); ++cell) {
        for (std::size_t axis = 0; axis < 3; ++axis) {
            float sum = 0, largest = 0;
            for (std::size_t c = 0; c < 8; ++c) {
                const float g = level.cell_gradients[(cell * 3 + axis) * 8 + c];
                sum += g;
                largest = std::max(largest, std::abs(g));
            }
            CHECK(std::abs(sum) < 1e-5f * largest);
        }
    }
    // The terms of particles: Σ G = 0 in every cell.
    for (std::size_t cell = 0; cell < level.cells(); ++cell) {
        for (std::size_t axis = 0; axis < 3; ++axis) {
            float sum = 0, largest = 0;
            for (std::size_t block = level.cell_terms[cell]; block < level.cell_terms[cell + 1]; ++block) {
                for (std::size_t i = 0; i < 16; ++i) {
                    const float g = level.term_gradients[(block * 3 + axis) * 16 + i];
                    sum += g;
                    largest = std::max(largest, std::abs(g));
                }
            }
            CHECK(std::abs(sum) < 1e-4f * largest);
        }
    }
}

TEST_CASE("masses of nodes sum up to the mass of the body") {
    const CoarseLevel level = level_of(*make_ball(0.5f, 8));
    double mass = 0;
    for (const float w : level.node_inverse_masses) mass += w > 0 ? 1 / double(w) : 0;
    CHECK(mass == doctest::Approx(1000 * 4.0 / 3 * 3.14159 * 0.125).epsilon(0.03));
}

TEST_CASE("parts that are near but not connected share no node") {
    const CoarseLevel apart = level_of(towers(false)), joined = level_of(towers(true));
    std::set<std::uint32_t> left, right;
    // The first half of the elements is the left tower's.
    const std::size_t half = apart.element_cells.size() / 2;
    for (std::size_t box = 0; box < apart.box_nodes.size(); ++box) {
        std::set<bool> sides;
        for (std::size_t e = 0; e < apart.element_cells.size(); ++e) {
            const std::uint32_t cell = apart.element_cells[e];
            if (cell >= apart.box_cells[box] && cell < apart.box_cells[box + 1]) sides.insert(e < half);
        }
        REQUIRE(sides.size() == 1);
        (*sides.begin() ? left : right).insert(apart.box_nodes[box].begin(), apart.box_nodes[box].end());
    }
    for (const std::uint32_t node : left) CHECK(right.count(node) == 0);
    CHECK(apart.nodes() > joined.nodes());
}

TEST_CASE("a body that is thinner than four edges has no coarse level") {
    CHECK(level_of(*make_box({1, 0.3f, 1}, {10, 3, 10})).empty());
    CHECK(!level_of(*make_box({1, 0.4f, 1}, {10, 4, 10})).empty());
}

}  // namespace pliant::test
