#include "options.h"

#include "base/format.h"
#include "scenes/scenes.h"

#include <pliant/shapes.h>

#include <time.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace pliant::benchmarks {
namespace {

struct Case {
    std::string option, scene;
    Description without, with;
};

template <class Change>
Case change_scene(const char* option, const char* scene, const Change& change) {
    Case result{option, scene, *scenes::make(scene), *scenes::make(scene)};
    change(result.with);
    return result;
}

void damp_velocities(Description& scene) { scene.settings.damping = 0.1f; }

void damp_constraints(Description& scene) {
    for (Body& body : scene.bodies) {
        if (auto* soft = std::get_if<SoftBody>(&body.shape)) soft->material.edges.damping = 0.005f;
        if (auto* linked = std::get_if<Particles>(&body.shape)) linked->material.link.damping = 0.005f;
    }
}

// Of every shape, a dozen metres away.
void add_far_colliders(Description& scene) {
    for (int i = 0; i < 5; ++i) {
        const double x = 12.0 + i;
        scene.colliders.push_back({Plane{{0, -x, 0}, {0, 1, 0}}});
        scene.colliders.push_back({Sphere{{x, 0, 0}, 0.5f}});
        scene.colliders.push_back({Box{{0, 0, x}, {0.5f, 0.5f, 0.5f}, {0.1f, 0.2f, 0.3f, 0.9f}}});
        scene.colliders.push_back({Capsule{{-x, 0, 0}, {-x, 1, 0}, 0.5f}});
    }
}

// As j20, of springs alone: they do not meet, and neither levels nor contact are what is measured.
Description many_boxes(int count, int cells) {
    Description scene;
    scene.settings.gravity = {};
    scene.settings.levels = Levels::off;
    scene.settings.contact_quality = ContactQuality::off;
    for (int i = 0; i < count; ++i) {
        SoftBody box;
        box.mesh = *make_box({1, 1, 1}, {cells, cells, cells});
        box.material.energy = Energy::springs;
        box.material.edges = {};
        Body body;
        body.shape = std::move(box);
        body.position = {1.5 * (i % 10), 1.5 * (i / 10 % 10), 1.5 * (i / 100)};
        scene.bodies.push_back(std::move(body));
    }
    return scene;
}

Case keep_momentum() {
    Case result{"keep_momentum", "free j20", *scenes::make("j20"), {}};
    result.without.bodies[0].pinned.clear();
    result.without.settings.keep_momentum = false;
    result.with = result.without;
    result.with.settings.keep_momentum = true;
    return result;
}

std::vector<Case> make_cases() {
    std::vector<Case> cases;
    for (const char* scene : {"c100", "j20"}) {
        cases.push_back(change_scene("damping 0.1", scene, damp_velocities));
        cases.push_back(change_scene("damped constraints", scene, damp_constraints));
        cases.push_back(change_scene("20 far colliders", scene, add_far_colliders));
    }
    cases.push_back(keep_momentum());
    cases.push_back({"1,000 boxes of 125 particles", "j20", *scenes::make("j20"), many_boxes(1000, 4)});
    return cases;
}

// Of this thread alone, which does all the work: other programs disturb less.
double thread_seconds() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

double seconds_of(Engine& engine, int frames) {
    const double start = thread_seconds();
    for (int i = 0; i < frames; ++i) engine.frame();
    return thread_seconds() - start;
}

// One scene, ready to run.
struct Contender {
    std::unique_ptr<Engine> engine;
    double projections = 0;  // in a frame
    int frames = 1;
    double best = std::numeric_limits<double>::infinity();

    explicit Contender(const Description& scene) : engine(make_pliant(scene, 1)) {
        projections = static_cast<double>(engine->constraints()) * scene.settings.substeps;
        seconds_of(*engine, 2);
        frames = static_cast<int>(std::ceil(0.03 / seconds_of(*engine, 1)));
    }
    void run() { best = std::min(best, seconds_of(*engine, frames) * 1e9 / (frames * projections)); }
};

}  // namespace

std::vector<OptionRow> measure_options(int runs, const Progress& progress) {
    std::vector<OptionRow> rows;
    for (const Case& one : make_cases()) {
        Contender without(one.without), with(one.with);
        for (int round = 0; round < runs; ++round) {
            progress(fmt::format("{}, {}: round {} of {}", one.scene, one.option, round + 1, runs));
            without.run();
            with.run();
        }
        rows.push_back({one.option, one.scene, without.best, with.best});
    }
    return rows;
}

void write_options(std::ostream& out, const std::vector<OptionRow>& rows) {
    constexpr auto line = "{:30}{:10}{:>12}{:>12}{:>9}\n";
    out << fmt::format(line, "option", "scene", "ns without", "ns with", "ratio");
    for (const OptionRow& row : rows) {
        out << fmt::format(line, row.option, row.scene, fmt::format("{:.2f}", row.without),
                           fmt::format("{:.2f}", row.with), fmt::format("{:.2f}", row.with / row.without));
    }
}

}  // namespace pliant::benchmarks
