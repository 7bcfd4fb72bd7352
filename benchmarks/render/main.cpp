// pliant_bench_render: seconds to simulate, to draw, and to do both and encode a film at once.
#include <pliant/output/frame_pipeline.h>
#include <pliant/output/picture_maker.h>
#include <pliant/output/renderer.h>
#include <pliant/pliant.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/format.h"
#include "scenes/scenes.h"

namespace {

using namespace pliant;

struct Options {
    std::string scene = "c100";
    int frames = 300, runs = 3, width = 1280, height = 720;
};

double seconds(const std::function<Status()>& work, Status& status) {
    const auto begin = std::chrono::steady_clock::now();
    status = work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

class Benchmark {
public:
    Benchmark(const Options& options, Description description)
        : options_(options), description_(std::move(description)) {
        film_.width = options.width;
        film_.height = options.height;
    }

    Status simulate() {
        return run([](const View&) { return Status(); });
    }
    // All that is drawn later; takes no part in what is timed.
    Status record() {
        output::PictureMaker maker(start_view());
        return run([&](const View& view) {
            pictures_.push_back(maker.make(view));
            return Status();
        });
    }
    Status draw() {
        auto renderer = output::Renderer::create(film_.width, film_.height);
        if (!renderer) return renderer.error();
        std::vector<std::uint8_t> rgb(renderer->bytes());
        for (const output::Picture& picture : pictures_) {
            if (Status drawn = renderer->draw(picture, rgb); !drawn) return drawn;
        }
        return {};
    }
    Status all() {
        const std::filesystem::path file = std::filesystem::temp_directory_path() / "pliant_bench_render.mp4";
        auto pipeline = output::FramePipeline::create(file, film_);
        if (!pipeline) return pipeline.error();
        output::PictureMaker maker(start_view());
        Status status = run([&](const View& view) { return pipeline->submit(maker.make(view)); });
        if (!status) return status;
        const auto files = pipeline->finish();
        std::error_code ignored;
        std::filesystem::remove(file, ignored);
        return files ? Status() : files.error();
    }

private:
    View start_view() {
        if (!start_) start_.emplace(std::move(*Simulation::create(description_)));
        return start_->view();
    }
    Status run(const std::function<Status(const View&)>& after_frame) const {
        auto simulation = Simulation::create(description_);
        if (!simulation) return simulation.error();
        for (int i = 0; i < options_.frames; ++i) {
            simulation->step();
            if (Status status = after_frame(simulation->view()); !status) return status;
        }
        return {};
    }

    Options options_;
    Description description_;
    output::VideoOptions film_{};
    std::optional<Simulation> start_;
    std::vector<output::Picture> pictures_;
};

int measure(const Options& options) {
    const auto fail = [](const Error& error) {
        fmt::print(stderr, "pliant_bench_render: {}\n", error.text());
        return 2;
    };
    auto description = scenes::make(options.scene);
    if (!description) return fail({options.scene, "no such scene"});
    Benchmark benchmark(options, std::move(*description));
    if (const Status recorded = benchmark.record(); !recorded) return fail(recorded.error());
    double simulating = 1e300, drawing = 1e300, all = 1e300;
    for (int i = 0; i < options.runs; ++i) {
        Status status;
        simulating = std::min(simulating, seconds([&] { return benchmark.simulate(); }, status));
        if (status) drawing = std::min(drawing, seconds([&] { return benchmark.draw(); }, status));
        if (status) all = std::min(all, seconds([&] { return benchmark.all(); }, status));
        if (!status) return fail(status.error());
        fmt::print(stderr, "run {} of {}\n", i + 1, options.runs);
    }
    fmt::print(
        "{} frames of {} at {}x{}: simulating {:.2f} s, drawing {:.2f} s, a film {:.2f} s: {:.2f} of the "
        "slower\n",
        options.frames, options.scene, options.width, options.height, simulating, drawing, all,
        all / std::max(simulating, drawing));
    return 0;
}

}  // namespace

int main(int count, char** values) {
    Options options;
    CLI::App program("Simulating, drawing, and both at once.", "pliant_bench_render");
    program.add_option("--scene", options.scene, "One of the gallery, c<N> or j<N> (default: c100)");
    program.add_option("--frames", options.frames, "How many (default: 300)")->check(CLI::Range(1, 100000));
    program.add_option("--runs", options.runs, "How many, of which the best counts (default: 3)")
        ->check(CLI::Range(1, 1000));
    program.add_option("--width", options.width, "Pixels (default: 1280)")->check(CLI::Range(16, 8192));
    program.add_option("--height", options.height, "Pixels (default: 720)")->check(CLI::Range(16, 8192));
    CLI11_PARSE(program, count, values);
    return measure(options);
}
