#include "measure.h"

#include "base/format.h"
#include "problem.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

namespace pliant::benchmarks {
namespace {

constexpr int warm_up_frames = 2;

struct Contender {
    Row row;
    std::unique_ptr<Engine> engine;
};

double seconds_of(const std::function<void()>& work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void run(Engine& engine, int frames) {
    for (int i = 0; i < frames; ++i) engine.frame();
}

std::unique_ptr<Engine> make(const std::string& name, const Description& description, int threads) {
    if (name == "pliant") return make_pliant(description, threads);
    if (name == "literal") return make_literal(description);
    if (name == "bullet") return make_bullet(description);
    return make_floor(description);
}

std::vector<Contender> make_contenders(const std::string& scene, const Description& description,
                                       const Plan& plan, const Progress& progress) {
    std::vector<Contender> contenders;
    for (const std::string& name : plan.engines) {
        const std::vector<int> threads = name == "pliant" ? plan.threads : std::vector<int>{1};
        for (const int count : threads) {
            progress(fmt::format("{}: building {}", scene, name));
            Contender contender;
            contender.row.scene = scene;
            contender.row.engine = name;
            contender.row.threads = count;
            contender.row.ms_per_frame = std::numeric_limits<double>::infinity();
            contender.row.build_seconds =
                seconds_of([&] { contender.engine = make(name, description, count); });
            if (contender.engine) contenders.push_back(std::move(contender));
        }
    }
    return contenders;
}

// About 50 ms of Pliant on cloth. All engines run the same number of frames, or their residuals would not
// compare; and it follows from the scene alone, so that it is the same whichever engines take part.
int choose_frames(const Description& description) {
    const double frames = 500e3 / static_cast<double>(particle_count(description));
    return static_cast<int>(std::ceil(std::clamp(frames, 2.0, 500.0)));
}

}  // namespace

std::vector<std::string> engine_names() { return {"pliant", "literal", "bullet", "floor"}; }

std::vector<Row> measure(const std::string& scene, const Description& description, const Plan& plan,
                         const Progress& progress) {
    std::vector<Contender> contenders = make_contenders(scene, description, plan, progress);
    const int substeps = description.settings.substeps;
    const int frames = plan.frames > 0 ? plan.frames : choose_frames(description);

    for (Contender& contender : contenders) run(*contender.engine, warm_up_frames);
    for (int round = 0; round < plan.runs; ++round) {
        for (Contender& contender : contenders) {
            Row& row = contender.row;
            progress(fmt::format("{}: round {} of {}, {}", scene, round + 1, plan.runs, row.engine));
            const double seconds = seconds_of([&] { run(*contender.engine, frames); });
            row.ms_per_frame = std::min(row.ms_per_frame, seconds * 1e3 / frames);
        }
    }

    std::vector<Row> rows;
    for (auto& [row, engine] : contenders) {
        const double projections = static_cast<double>(engine->constraints()) * substeps;
        row.ns_per_constraint = projections > 0 ? row.ms_per_frame * 1e6 / projections : 0;
        row.residual = engine->residual();
        row.bytes_per_constraint = engine->bytes_per_constraint();
        rows.push_back(std::move(row));
    }
    return rows;
}

}  // namespace pliant::benchmarks
