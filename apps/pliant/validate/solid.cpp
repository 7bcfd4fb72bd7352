#include "pliant/validate/solid.h"

#include <pliant/shapes.h>
#include <pliant/tetrahedralize.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <utility>

namespace pliant::app::validation {
namespace {

Vec3d to_double(Vec3 v) { return {v.x, v.y, v.z}; }

// Trapezoidal weights: the mean of a linear field over a layer is its value at the middle.
double layer_weight(Vec3 x, Vec3 size) {
    const auto half_at_faces = [](float coordinate, float width) {
        return std::fabs(coordinate) > 0.4999f * width ? 0.5 : 1.0;
    };
    return half_at_faces(x.x, size.x) * half_at_faces(x.z, size.z);
}

Status stop_all(Solid& solid) {
    for (std::size_t i = 0; i < solid.rest.size(); ++i) {
        if (solid.is_held[i]) continue;
        const Status status = solid.simulation.set_velocity(static_cast<std::uint32_t>(i), {});
        if (!status) return status;
    }
    return {};
}

double squared_speeds(const View& view) {
    double sum = 0;
    for (const Vec3 v : view.velocities) sum += dot(to_double(v), to_double(v));
    return sum;
}

}  // namespace

SoftMaterial material_of(const Setup& setup) {
    SoftMaterial material;
    material.energy = setup.energy;
    material.density = static_cast<float>(density);
    if (setup.energy == Energy::springs) {
        material.edges.compliance = 1 / setup.young_modulus;
        material.volumes.compliance = 3 * (1 - 2 * setup.poisson_ratio) / setup.young_modulus;
        return material;
    }
    material.young_modulus = setup.young_modulus;
    material.poisson_ratio = setup.poisson_ratio;
    return material;
}

Vec3d Solid::displacement(std::size_t particle) const {
    return to_double(simulation.view().positions[particle]) - to_double(rest[particle]);
}

std::vector<double> Solid::layer_means(const std::function<double(std::size_t)>& f) const {
    std::vector<double> sums(static_cast<std::size_t>(layers)), weights(sums.size());
    for (std::size_t i = 0; i < rest.size(); ++i) {
        const auto at = static_cast<std::size_t>(layer[i]);
        sums[at] += weight[i] * f(i);
        weights[at] += weight[i];
    }
    for (std::size_t at = 0; at < sums.size(); ++at) sums[at] /= weights[at];
    return sums;
}

double Solid::mean_over_layer(int wished, const std::function<double(std::size_t)>& f) const {
    double sum = 0, weights = 0;
    for (std::size_t i = 0; i < rest.size(); ++i) {
        if (layer[i] != wished) continue;
        sum += weight[i] * f(i);
        weights += weight[i];
    }
    return sum / weights;
}

namespace {

// A box of cubes, or its surface filled with tetrahedra whose edges are as long as the cubes'.
Result<TetrahedralMesh> make_mesh(const Setup& setup, const SolidOptions& options) {
    if (setup.cells == Cells::cubes) return make_box(options.size, options.cells);
    const auto surface = make_box_surface(options.size, options.cells);
    if (!surface) return surface.error();
    TetrahedralizeOptions filling;
    filling.method =
        setup.cells == Cells::lattice ? TetrahedralizeMethod::lattice : TetrahedralizeMethod::delaunay;
    filling.edge_length = options.size.x / static_cast<float>(options.cells[0]);
    auto filled = tetrahedralize(*surface, filling);
    if (!filled) return filled.error();
    return std::move(filled->mesh);
}

// The area that particles have of the end faces, and 1 of all others.
std::vector<double> areas_of_ends(const TetrahedralMesh& mesh, const std::vector<int>& layer, int layers) {
    std::vector<double> areas(mesh.positions.size(), 1.0);
    for (std::size_t i = 0; i < areas.size(); ++i) areas[i] = layer[i] > 0 && layer[i] + 1 < layers;
    for (const Triangle& t : surface_triangles(mesh.tetrahedra)) {
        const int at = layer[t[0]];
        if ((at > 0 && at + 1 < layers) || layer[t[1]] != at || layer[t[2]] != at) continue;
        const Vec3d a = to_double(mesh.positions[t[0]]),
                    normal = cross(to_double(mesh.positions[t[1]]) - a, to_double(mesh.positions[t[2]]) - a);
        for (const std::uint32_t corner : t) areas[corner] += std::sqrt(dot(normal, normal)) / 6;
    }
    return areas;
}

}  // namespace

Result<Solid> make_solid(const Setup& setup, SolidOptions options, const Execution& execution) {
    auto mesh = make_mesh(setup, options);
    if (!mesh) return mesh.error();
    Body body;
    body.name = "solid";
    body.position = options.position;
    std::vector<char> is_held;
    std::vector<double> weight;
    std::vector<int> layer;
    for (const Vec3 x : mesh->positions) {
        const double height = double(x.y) / options.size.y + 0.5;  // 0 … 1
        layer.push_back(static_cast<int>(std::lround(height * options.cells[1])));
        // Of other meshes, only what lies in the end faces is of their layers.
        if (setup.cells != Cells::cubes && std::fabs(x.y) < 0.4999f * options.size.y)
            layer.back() = std::clamp(layer.back(), 1, options.cells[1] - 1);
        weight.push_back(layer_weight(x, options.size));
        is_held.push_back(options.held == Held::lowest_layer && layer.back() == 0);
        if (is_held.back()) body.pinned.push_back(static_cast<std::uint32_t>(layer.size() - 1));
    }
    if (setup.cells != Cells::cubes) weight = areas_of_ends(*mesh, layer, options.cells[1] + 1);
    body.shape = SoftBody{std::move(*mesh), material_of(setup)};

    Description description;
    description.settings = options.settings;
    description.settings.substeps = setup.substeps;
    description.bodies.push_back(std::move(body));
    if (options.on_floor) description.colliders.push_back({Plane{}, 0, 0});
    auto simulation = Simulation::create(description, execution);
    if (!simulation) return simulation.error();
    const auto start = simulation->view().positions;
    std::vector<Vec3> rest(start.begin(), start.end());
    return Solid{std::move(*simulation), std::move(rest),  std::move(is_held),
                 std::move(weight),      std::move(layer), options.cells[1] + 1};
}

Result<Solid> make_bar(const Setup& setup, Vec3 gravity, const Execution& execution) {
    SolidOptions options;
    options.size = {bar_width, bar_length, bar_width};
    options.cells = {setup.across, 8 * setup.across, setup.across};
    options.position = {0, bar_length / 2, 0};
    options.held = Held::lowest_layer;
    options.settings.gravity = gravity;
    return make_solid(setup, options, execution);
}

std::vector<double> top_areas(const Solid& solid) {
    std::vector<double> areas(solid.rest.size());
    for (const Triangle& t : solid.simulation.view().triangles) {
        const auto is_top = [&](std::uint32_t corner) { return solid.layer[corner] == solid.layers - 1; };
        if (!std::all_of(t.begin(), t.end(), is_top)) continue;
        const Vec3d a = to_double(solid.rest[t[0]]), b = to_double(solid.rest[t[1]]),
                    c = to_double(solid.rest[t[2]]), normal = cross(b - a, c - a);
        for (const std::uint32_t corner : t) areas[corner] += std::sqrt(dot(normal, normal)) / 6;
    }
    return areas;
}

Status set_forces(Solid& solid, std::span<const Vec3d> forces) {
    for (std::size_t i = 0; i < forces.size(); ++i) {
        if (forces[i] == Vec3d{}) continue;
        const Vec3 force{static_cast<float>(forces[i].x), static_cast<float>(forces[i].y),
                         static_cast<float>(forces[i].z)};
        const Status status = solid.simulation.set_force(static_cast<std::uint32_t>(i), force);
        if (!status) return status;
    }
    return {};
}

Status settle(Solid& solid, const std::function<double()>& probe, double scale, const Execution& execution) {
    constexpr int most_frames = 1800;
    constexpr std::size_t frames_at_rest = 60;
    std::deque<double> recent;
    double largest = 0;
    for (int frame = 0; frame < most_frames && !stopped(execution); ++frame) {
        solid.simulation.step();
        const double now = squared_speeds(solid.simulation.view());
        largest = std::max(largest, now);
        if (now < 0.9 * largest) {  // clearly past it: fast small waves must not stop the slow large one
            if (const Status status = stop_all(solid); !status) return status;
            largest = 0;
        }
        recent.push_back(probe());
        if (!(std::fabs(recent.back()) < 1e3 * std::fabs(scale))) break;  // it has burst
        if (recent.size() <= frames_at_rest) continue;
        recent.pop_front();
        const auto [low, high] = std::minmax_element(recent.begin(), recent.end());
        if (*high - *low < 1e-3 * std::fabs(scale)) break;
    }
    return {};
}

}  // namespace pliant::app::validation
