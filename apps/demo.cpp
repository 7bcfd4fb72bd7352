// Simulates a scene, says how it went, and writes a web page that plays it.
#include "base/format.h"
#include "output/html_player.h"
#include "scenes/scenes.h"

#include <pliant/pliant.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::string_view help_text = R"(Usage: pliant_demo [SCENE] [OPTION…]

Simulates a scene and writes a web page that plays it.

  SCENE          {} (default: jelly),
                 or c<N>, a cloth of N × N particles, or j<N>, a box of N³ cells
  --frames N     how long: N frames of 1/60 s (default: 300)
  --threads N    how many threads (default: one for each core)
  --out FILE     where to write (default: demo.html)
  --help         this text

Ctrl-C ends early and writes what is there.
)";

struct Options {
    std::string scene = "jelly";
    int frames = 300;
    int threads = 0;
    std::filesystem::path out = "demo.html";
    bool help = false;
};

std::string scene_list() { return pliant::joined(pliant::scenes::names(), ", "); }

pliant::Status read_count(std::string_view option, std::string_view text, int largest, int& count) {
    int value = 0;
    const char* end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc{} || rest != end || value < 1 || value > largest) {
        return pliant::Error{std::string(option),
                             fmt::format("must be a whole number from 1 to {}, got \"{}\"", largest, text)};
    }
    count = value;
    return {};
}

pliant::Result<Options> parse(const std::vector<std::string_view>& arguments) {
    Options options;
    bool scene_given = false;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const std::string_view argument = arguments[i];
        if (argument == "--help" || argument == "-h") {
            options.help = true;
            return options;
        }
        if (!argument.starts_with('-')) {
            if (scene_given) return pliant::Error{std::string(argument), "one scene is enough"};
            options.scene = argument;
            scene_given = true;
            continue;
        }
        if (argument != "--frames" && argument != "--threads" && argument != "--out") {
            return pliant::Error{std::string(argument),
                                 "unknown option; there are --frames N, --threads N, --out FILE and --help"};
        }
        if (++i == arguments.size()) return pliant::Error{std::string(argument), "needs a value after it"};
        pliant::Status status;
        if (argument == "--out") options.out = arguments[i];
        if (argument == "--frames") status = read_count(argument, arguments[i], 100000, options.frames);
        if (argument == "--threads") status = read_count(argument, arguments[i], 1024, options.threads);
        if (!status) return status.error();
    }
    return options;
}

volatile std::sig_atomic_t interrupted = 0;

// The second one ends the program at once.
void interrupt(int number) {
    interrupted = 1;
    std::signal(number, SIG_DFL);
}

// On a terminal a bar that is redrawn, elsewhere a line a second.
class Progress {
public:
    explicit Progress(int total) : total_(total) {}

    void show(int done) {
        const Clock::time_point now = Clock::now();
        const auto interval = terminal_ ? std::chrono::milliseconds(50) : std::chrono::milliseconds(1000);
        if (now - shown_ < interval && !(terminal_ && done == total_)) return;
        shown_ = now;
        if (!terminal_) {
            fmt::print(stderr, "{} of {} frames\n", done, total_);
            return;
        }
        constexpr int width = 40;
        const int full = static_cast<int>(static_cast<long>(width) * done / total_);
        std::string bar;
        for (int i = 0; i < width; ++i) bar += i < full ? "█" : "░";
        fmt::print(stderr, "\r{} {} of {} frames", bar, done, total_);
        std::fflush(stderr);
    }

    void finish() {
        if (terminal_) fmt::print(stderr, "\r\x1b[K");
    }

private:
    int total_;
    bool terminal_ = isatty(STDERR_FILENO) == 1;
    Clock::time_point shown_ = Clock::now();
};

// 1234567 → 1,234,567
std::string grouped(std::uint64_t number) {
    std::string digits = std::to_string(number);
    for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, ",");
    return digits;
}

struct Run {
    int frames = 0;
    double step_seconds = 0;  // of step() alone
};

pliant::Result<Run> simulate(const Options& options, pliant::Player& scene,
                             pliant::output::HtmlPlayer& page) {
    Run run;
    Progress progress(options.frames);
    page.add_frame(scene.view());
    while (run.frames < options.frames && interrupted == 0) {
        const Clock::time_point start = Clock::now();
        if (const auto status = scene.step(); !status) return status.error();
        run.step_seconds += std::chrono::duration<double>(Clock::now() - start).count();
        page.add_frame(scene.view());
        progress.show(++run.frames);
    }
    progress.finish();
    return run;
}

// A scene file, or a description that is made.
pliant::Result<pliant::Scene> find_scene(const std::string& name) {
    if (const auto file = pliant::scenes::find(name)) return pliant::load_scene(*file);
    auto description = pliant::scenes::make(name);
    if (!description) {
        return pliant::Error{name, "no such scene; there are " + scene_list() + ", c<N>, j<N>"};
    }
    pliant::Scene scene;
    scene.name = scene.file.about = name;
    scene.description = std::move(*description);
    return scene;
}

std::string caption(const pliant::Player& player) {
    const pliant::Diagnostics start = player.diagnostics();
    return fmt::format("{}\n{} particles, {} constraints", player.scene().file.about,
                       grouped(start.particles), grouped(start.constraints));
}

void report(const pliant::Simulation& simulation, const Run& run) {
    const pliant::Diagnostics now = simulation.diagnostics();
    const int threads = simulation.threads();
    fmt::print("particles      {}\n", grouped(now.particles));
    fmt::print("constraints    {}\n", grouped(now.constraints));
    fmt::print("runs on        {}, {} thread{}\n", simulation.target(), threads, threads == 1 ? "" : "s");
    if (run.frames > 0) {
        const double mean = run.step_seconds / run.frames;
        fmt::print("a frame takes  {:.3f} ms, so {} frames a second are possible\n", 1e3 * mean,
                   grouped(static_cast<std::uint64_t>(1 / std::max(mean, 1e-9))));
    }
    if (now.rest_volume > 0) {
        fmt::print("volume kept    {:.2f} %\n", 100 * now.volume / now.rest_volume);
        fmt::print("inverted       {} tetrahedra\n", grouped(now.inverted_tetrahedra));
    }
    fmt::print("largest error  {:.2f} % of a constraint's rest length or volume\n",
               100 * now.worst_constraint_error);
    if (now.repaired_particles > 0) {
        fmt::print("repaired       {} particles that had left the range of numbers\n",
                   grouped(now.repaired_particles));
    }
}

// 0: done, 1: failed, 2: asked for something that there is not, 130: interrupted.
int run_demo(const Options& options) {
    const auto fail = [](const pliant::Error& error, int code) {
        fmt::print(stderr, "pliant_demo: {}\n", error.text());
        return code;
    };
    auto scene = find_scene(options.scene);
    if (!scene) return fail(scene.error(), 2);
    const std::filesystem::path directory = options.out.parent_path();
    std::error_code ignored;
    if (!directory.empty() && !std::filesystem::is_directory(directory, ignored)) {
        return fail({"--out", "there is no directory " + directory.string()}, 2);
    }
    pliant::Execution execution;
    execution.threads = options.threads;
    auto player = pliant::Player::create(std::move(*scene), execution);
    if (!player) return fail(player.error(), 1);

    std::signal(SIGINT, interrupt);
    std::signal(SIGTERM, interrupt);
    pliant::output::HtmlPlayer page(caption(*player), player->scene().description.colliders);
    const auto run = simulate(options, *player, page);
    if (!run) return fail(run.error(), 1);
    report(player->simulation(), *run);
    if (const pliant::Status written = page.write(options.out); !written) return fail(written.error(), 1);
    fmt::print("\n{} frames in {}: open it in a browser.\n", page.frames(), options.out.string());
    return interrupted != 0 ? 130 : 0;
}

}  // namespace

int main(int count, char** values) {
    const auto options = parse({values + 1, values + count});
    if (!options) {
        fmt::print(stderr, "pliant_demo: {}\n", options.error().text());
        return 2;
    }
    if (options->help) {
        fmt::print(fmt::runtime(help_text), scene_list());
        return 0;
    }
    return run_demo(*options);
}
