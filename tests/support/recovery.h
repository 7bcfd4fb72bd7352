// Bodies of tetrahedra that were ill-treated, and how well they come back: a table of bodies × ways × gravity
// × seeds, for any material.
#pragma once

#include <pliant/mesh_io.h>
#include <pliant/shapes.h>
#include <pliant/tetrahedralize.h>

#include <algorithm>

#include "base/rotation.h"
#include "scene/runtime.h"
#include "solvers/rigid_fit.h"
#include "support/random_source.h"
#include "support/simulations.h"

namespace pliant::test {

enum class TestBody { box6, box10, bunny_lattice, bunny_delaunay, torus };
enum class Illness { squashed, random, mirrored, half_inverted, thrown, torn, pressed };

inline constexpr const char* body_names[] = {"box 6³", "box 10³", "bunny, lattice", "bunny, delaunay",
                                             "torus"};
inline constexpr const char* illness_names[] = {"squashed flat", "random positions",   "mirrored",
                                                "half inverted", "thrown at 1000 m/s", "vertex 100 m away",
                                                "pressed to 5 %"};
inline constexpr int test_bodies = 5, illnesses = 7;

struct RecoveryCase {
    TestBody body{};
    Illness illness{};
    bool gravity = false;
    int seed = 0;
};

struct Recovery {
    // In all of the frames 286 to 300. A corner that is pressed flat as a body bounces is not stuck.
    std::uint64_t inverted = ~std::uint64_t(0);
    double rms = 0;             // m: distance to the rest shape, best fitted, at rest without load
    double leap = 0;            // m: how high the centre rose above where it was let go
    double speed = 0;           // m/s: of the fastest particle, ever
    std::uint64_t rescues = 0;  // frames
};

inline TetrahedralMesh filled_bunny(TetrahedralizeMethod method) {
    auto surface = read_surface(PLIANT_SOURCE_DIR "/assets/bunny.obj");
    REQUIRE(bool(surface));
    TetrahedralizeOptions options;
    options.method = method;
    options.resolution = 12;
    Result<Tetrahedralized> filled = tetrahedralize(surface->mesh, options);
    REQUIRE(bool(filled));
    return std::move(filled->mesh);
}

// Of 1 m, about the origin.
inline TetrahedralMesh unit_mesh(TestBody body) {
    TetrahedralMesh mesh;
    switch (body) {
        case TestBody::box6:
            mesh = *make_box({1, 1, 1}, {6, 6, 6});
            break;
        case TestBody::box10:
            mesh = *make_box({1, 1, 1}, {10, 10, 10});
            break;
        case TestBody::bunny_lattice:
            mesh = filled_bunny(TetrahedralizeMethod::lattice);
            break;
        case TestBody::bunny_delaunay:
            mesh = filled_bunny(TetrahedralizeMethod::delaunay);
            break;
        case TestBody::torus:
            mesh = *make_torus(0.35f, 0.15f, 2, 20);
            break;
    }
    Vec3 low{1e9f, 1e9f, 1e9f}, high{-1e9f, -1e9f, -1e9f};
    for (const Vec3& p : mesh.positions) {
        low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
        high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
    }
    const Vec3 extent = high - low, center = (low + high) * 0.5f;
    const float scale = 1 / std::max({extent.x, extent.y, extent.z});
    for (Vec3& p : mesh.positions) p = (p - center) * scale;
    return mesh;
}

inline Vec3d random_direction(RandomSource& random) {
    for (;;) {
        const Vec3d p = random.point();
        const double square = dot(p, p);
        if (square > 0.01 && square < 1) return p * (1 / std::sqrt(square));
    }
}

// A body, what happens to it, and what becomes of it in 300 frames.
class RecoveryRun {
public:
    RecoveryRun(const TetrahedralMesh& mesh, const SoftMaterial& material, const RecoveryCase& wanted)
        : case_(wanted),
          random_(1 + static_cast<std::uint64_t>(wanted.seed)),
          simulation_(start(scene(mesh, material))) {}

    Recovery run() {
        Recovery result;
        treat();
        // What is thrown is on the ground within 10 frames, and is given a second to lose its speed.
        const bool is_thrown = case_.illness == Illness::thrown;
        const double height = is_thrown ? 0.5 : center().y;
        for (int frame = 0; frame < 300; ++frame) {
            simulation_.step();
            if (!is_thrown || frame >= 10) result.leap = std::max(result.leap, center().y - height);
            if (frame >= 285)
                result.inverted = std::min(result.inverted, simulation_.diagnostics().inverted_tetrahedra);
            if (is_thrown && frame < 60) continue;
            for (const Vec3& v : simulation_.view().velocities)
                result.speed = std::max(result.speed, length(v));
        }
        result.rescues = simulation_.diagnostics().rescues;
        rest_unloaded();
        result.rms = distance_to_rest_shape();
        return result;
    }

    Simulation& simulation() { return simulation_; }

    // f(state), on a copy of all that moves.
    template <class F>
    void change(F&& f) {
        auto changed = std::make_shared<Simulation::Snapshot>(*simulation_.save());
        f(changed->state);
        succeed(simulation_.restore(changed));
    }

private:
    Description scene(const TetrahedralMesh& mesh, const SoftMaterial& material) {
        SoftBody soft;
        soft.mesh = mesh;
        soft.material = material;
        const Vec3d direction = random_direction(random_), axis = direction * random_.real(0, 2);
        const Quaternion turn{static_cast<float>(axis.x), static_cast<float>(axis.y),
                              static_cast<float>(axis.z), 1};
        double lowest = 1e9;
        for (Vec3& p : soft.mesh.positions) {
            p = to_float(rotate(turn, to_double(p)));
            lowest = std::min(lowest, double(p.y));
            highest_ = std::max(highest_, double(p.y));
        }
        rest_ = soft.mesh.positions;
        top_ = highest_ - lowest + 0.2;
        Settings settings;
        if (!case_.gravity) settings.gravity = {};
        Description scene = scene_of(body_of(std::move(soft), {0, 0.1 - lowest, 0}), settings);
        scene.bodies[0].name = "body";
        scene.colliders.push_back({Plane{}});
        if (case_.illness == Illness::pressed) scene.colliders.push_back({plate(top_)});
        return scene;
    }

    static Plane plate(double height) {
        Plane plane;
        plane.point = {0, height, 0};
        plane.normal = {0, -1, 0};
        return plane;
    }

    Vec3d center() const {
        Vec3d sum{};
        const std::span<const Vec3> positions = simulation_.view().positions;
        for (const Vec3& p : positions) sum = sum + to_double(p);
        return sum * (1.0 / static_cast<double>(positions.size()));
    }

    double distance_to_rest_shape() const {
        const std::span<const Vec3> positions = simulation_.view().positions;
        solvers::FitSums sums;
        for (std::size_t i = 0; i < rest_.size(); ++i)
            sums.add(to_double(positions[i]), to_double(rest_[i]), 1);
        const solvers::RigidFit fit = solvers::best_fit(sums);
        double square = 0;
        for (std::size_t i = 0; i < rest_.size(); ++i) {
            const Vec3d away = to_double(positions[i]) - fit.place(to_double(rest_[i]));
            square += dot(away, away);
        }
        return std::sqrt(square / static_cast<double>(rest_.size()));
    }

    // Every particle to place(where it is, relative to the centre), at rest.
    template <class F>
    void displace(F&& place) {
        const Vec3d middle = center();
        const std::vector<std::uint32_t> slots = simulation_.save()->plan->plan.slot_of;
        change([&](model::State& state) {
            for (const std::uint32_t slot : slots) {
                float* x = state.position_based.position.data() + slot * floats_per_particle;
                const Vec3d to_middle = middle - state.origins[0];
                const Vec3d moved = to_middle + place(Vec3d{x[0], x[1], x[2]} - to_middle);
                x[0] = static_cast<float>(moved.x);
                x[1] = static_cast<float>(moved.y);
                x[2] = static_cast<float>(moved.z);
                std::fill_n(state.position_based.displacement.data() + slot * floats_per_particle, 3, 0.0f);
            }
        });
    }

    void treat() {
        const Vec3d n = random_direction(random_);
        const auto reflected = [n](const Vec3d& x) { return x - n * (2 * dot(x, n)); };
        switch (case_.illness) {
            case Illness::squashed:
                displace([n](const Vec3d& x) { return x - n * dot(x, n); });
                break;
            case Illness::random:
                displace([this](const Vec3d&) { return random_.point(0.5); });
                break;
            case Illness::mirrored:
                displace(reflected);
                break;
            case Illness::half_inverted:
                displace([&](const Vec3d& x) { return dot(x, n) > 0 ? reflected(x) : x; });
                break;
            case Illness::thrown:
                hurl();
                break;
            case Illness::torn:
                tear(n);
                break;
            case Illness::pressed:
                press();
                break;
        }
    }

    // From some height, which decides when in a frame it meets the ground, and in which frame.
    void hurl() {
        succeed(simulation_.translate("body", {0, random_.real(0, 100), 0}));
        const Vec3 velocity{random_.real_float(-10, 10), -1000, random_.real_float(-10, 10)};
        for (std::uint32_t i = 0; i < rest_.size(); ++i) succeed(simulation_.set_velocity(i, velocity));
    }

    // One vertex is 100 m away.
    void tear(const Vec3d& n) {
        std::uint32_t left = random_.index(rest_.size());
        displace([&](const Vec3d& x) {
            return left-- == 0 ? x + Vec3d{n.x, std::abs(n.y), n.z} * 100.0 : x;
        });
    }

    void press() {
        const auto move = [&](double height) {
            succeed(simulation_.move_collider(1, plate(height)));
            simulation_.step();
        };
        const double closed = 0.05 * (top_ - 0.2);
        for (int frame = 1; frame <= 60; ++frame) move(top_ + (closed - top_) * frame / 60);
        run_frames(30);
        for (int frame = 1; frame <= 30; ++frame) move(closed + (top_ + 2 - closed) * frame / 30);
    }

    // Neither weight nor vibration is a wrong shape.
    void rest_unloaded() {
        Settings settings = simulation_.settings();
        settings.gravity = {};
        settings.drag = 0.2f;  // what spins is stretched
        succeed(simulation_.configure(settings));
        run_frames(30);
        settings.drag = 0;
        settings.damping = 0.2f;
        succeed(simulation_.configure(settings));
        run_frames(90);
    }

    void run_frames(int frames) { test::run(simulation_, frames); }

    const RecoveryCase case_;
    RandomSource random_;
    std::vector<Vec3> rest_;
    double highest_ = 0, top_ = 0;
    Simulation simulation_;
};

}  // namespace pliant::test
