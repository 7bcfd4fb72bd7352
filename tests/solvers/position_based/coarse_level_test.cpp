// The coarse level of solids: how it is built, and what its parts compute.
#include <doctest/doctest.h>

#include <cmath>
#include <random>
#include <set>

#include "scene/assemble/assemble.h"
#include "solvers/position_based/coarse/coarse_level.h"
#include "support/simulations.h"

namespace pliant::test {
namespace {

using namespace solvers::position_based;

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

constexpr Vec3d box_size{0.5, 0.4, 0.3};

// A box that is full of points.
std::vector<PointInBox> full_box() {
    constexpr int along = 10;
    std::vector<PointInBox> points;
    for (int i = 0; i < along * along * along; ++i) {
        const Vec3d at{(i % along + 0.5) / along, (i / along % along + 0.5) / along,
                       (i / along / along + 0.5) / along};
        points.push_back({at, box_size.x * box_size.y * box_size.z / (along * along * along)});
    }
    return points;
}

// ½·uᵀ·K·u for E = 1 and a displacement of the corners, whose places count from the middle.
template <class Displacement>
double energy_of(const BoxStiffness& box, double poisson_ratio, const Displacement& displacement) {
    std::vector<double> k(box_values * box_values), u(box_values);
    combine(box, poisson_ratio, 1, k);
    for (std::size_t c = 0; c < box_corners; ++c) {
        const Vec3d x{(c & 1 ? 0.5 : -0.5) * box_size.x, (c & 2 ? 0.5 : -0.5) * box_size.y,
                      (c & 4 ? 0.5 : -0.5) * box_size.z};
        const Vec3d d = displacement(x);
        u[3 * c] = d.x, u[3 * c + 1] = d.y, u[3 * c + 2] = d.z;
    }
    double sum = 0;
    for (std::size_t i = 0; i < box_values; ++i) {
        for (std::size_t j = 0; j < box_values; ++j) sum += 0.5 * u[i] * k[i * box_values + j] * u[j];
    }
    return sum;
}

}  // namespace

TEST_CASE("a factor of a matrix solves its equations; what depends on earlier rows is 0") {
    std::mt19937 random(1);
    std::uniform_real_distribution<double> number(-1, 1);
    const SkylineLayout layout({0, 0, 1, 0, 2, 5, 4, 3});
    std::vector<double> matrix(layout.entries()), solution(layout.rows()), x(layout.rows(), 0.0);
    for (double& value : matrix) value = number(random);
    for (double& value : solution) value = number(random);
    for (std::size_t i = 0; i < layout.rows(); ++i) layout.row(matrix.data(), i)[i] = 6 + number(random);
    for (std::size_t i = 0; i < layout.rows(); ++i) {
        for (std::size_t j = layout.first(i); j <= i; ++j) {
            const double value = layout.row(matrix.data(), i)[j];
            x[i] += value * solution[j];
            if (j < i) x[j] += value * solution[i];
        }
    }
    factorize(layout, matrix);
    solve(layout, matrix, x);
    for (std::size_t i = 0; i < x.size(); ++i) CHECK(x[i] == doctest::Approx(solution[i]));

    const SkylineLayout pair({0, 0});
    std::vector<double> singular{2, 2, 2}, y{4, 4};
    factorize(pair, singular);
    solve(pair, singular, y);
    CHECK(y[0] == doctest::Approx(2));
    CHECK(y[1] == 0);
}

TEST_CASE("a box resists uniform strains as its material does, and no rigid motion") {
    const BoxStiffness box = box_stiffness(full_box(), box_size);
    const double volume = box_size.x * box_size.y * box_size.z;
    for (const double nu : {-0.3, 0.0, 0.3, 0.45}) {
        CAPTURE(nu);
        const double mu = 0.5 / (1 + nu), lambda = nu / ((1 + nu) * (1 - 2 * nu));
        CHECK(energy_of(box, nu, [](const Vec3d& x) {
                  return Vec3d{0.1 - x.y, 0.2 + x.x, 0.3};
              }) == doctest::Approx(0).epsilon(1e-7));
        CHECK(energy_of(box, nu, [](const Vec3d& x) {
                  return Vec3d{x.x, 0, 0};
              }) == doctest::Approx(volume * (mu + lambda / 2)).epsilon(1e-5));
        CHECK(energy_of(box, nu, [](const Vec3d& x) {
                  return Vec3d{x.y, x.x, 0};
              }) == doctest::Approx(volume * 2 * mu).epsilon(1e-5));
    }
}

TEST_CASE("a box bends as a beam does: ½·E·I·κ² per length") {
    const BoxStiffness box = box_stiffness(full_box(), box_size);
    const double second_moment = box_size.z * std::pow(box_size.y, 3) / 12;
    for (const double nu : {0.0, 0.3, 0.45}) {
        CAPTURE(nu);
        // u = −κ·x·y along the beam. Ten points across see 99 % of y².
        const double energy = energy_of(box, nu, [](const Vec3d& x) { return Vec3d{-x.x * x.y, 0, 0}; });
        CHECK(energy == doctest::Approx(0.5 * second_moment * box_size.x).epsilon(0.02));
    }
}

TEST_CASE("masses of nodes sum up to the mass of the body, and to the rows of its mass matrix") {
    const CoarseLevel level = level_of(*make_ball(0.5f, 8));
    REQUIRE(level.bodies.size() == 1);
    const CoarseBody& body = level.bodies[0];
    double mass = 0;
    for (const double m : level.node_masses) mass += m;
    CHECK(mass == doctest::Approx(1000 * 4.0 / 3 * 3.14159 * 0.125).epsilon(0.03));
    std::vector<double> rows(body.nodes, 0.0);
    for (std::uint32_t i = 0; i < body.nodes; ++i) {
        for (std::size_t j = body.layout.first(i); j <= i; ++j) {
            const double m = body.layout.row(body.mass.data(), i)[j];
            rows[i] += m;
            if (j < i) rows[j] += m;
        }
    }
    for (std::uint32_t i = 0; i < body.nodes; ++i)
        CHECK(rows[i] == doctest::Approx(level.node_masses[i]).epsilon(1e-6));
}

TEST_CASE("parts that are near but not connected share no node") {
    const CoarseLevel apart = level_of(towers(false)), joined = level_of(towers(true));
    std::set<std::uint32_t> left, right;
    // The first half of the elements is the left tower's.
    const std::size_t half = apart.element_boxes.size() / 2;
    for (std::size_t e = 0; e < apart.element_boxes.size(); ++e) {
        const auto& nodes = apart.box_nodes[apart.element_boxes[e]];
        (e < half ? left : right).insert(nodes.begin(), nodes.end());
    }
    for (const std::uint32_t node : left) CHECK(right.count(node) == 0);
    CHECK(apart.nodes() > joined.nodes());
}

TEST_CASE("a body that is one edge thick has no coarse level") {
    CHECK(level_of(*make_box({1, 0.1f, 1}, {10, 1, 10})).empty());
    CHECK(!level_of(*make_box({1, 0.2f, 1}, {10, 2, 10})).empty());
}

TEST_CASE("solving for the nodes takes no longer than a sweep over the elements") {
    for (const std::array<int, 3>& cells :
         {std::array{10, 10, 10}, std::array{60, 4, 60}, std::array{40, 40, 40}, std::array{100, 2, 10}}) {
        const CoarseLevel level = level_of(*make_box({1, 1, 1}, cells));
        REQUIRE(level.bodies.size() == 1);
        CHECK(level.bodies[0].values.cost() < 10.0 * level.bodies[0].elements + 4e4);
    }
}

}  // namespace pliant::test
