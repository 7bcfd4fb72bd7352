// Simulates a scene, says how it went, and writes a web page that plays it.
#include "output/html_player.h"
#include "scenes/scenes.h"

#include <fmt/format.h>
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

std::string scene_list() { return fmt::format("{}", fmt::join(pliant::scenes::names(), ", ")); }

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

// One third into the run the jelly is pressed flat, held for a quarter of a second, and let go.
// Incompressible, it would regain its height within one substep and shoot off. So its volume starts
// out soft and hardens, frame by frame, until it is incompressible again.
class Press {
public:
    explicit Press(const Options& options)
        : start_(options.scene == "jelly" ? options.frames / 3 : options.frames) {}

    pliant::Status before_step(pliant::Simulation& simulation, int frame) {
        const int let_go = start_ + held, hard = let_go + hardening;
        if (frame < start_ || frame > hard) return {};
        if (frame > let_go) compliance_ *= 0.84f;
        return simulation.set_elasticity("jelly", "volumes", {.compliance = frame == hard ? 0 : compliance_});
    }

    pliant::Status after_step(pliant::Simulation& simulation, int frame) const {
        if (frame < start_ || frame >= start_ + held) return {};
        return simulation.squash("jelly", 0.01);
    }

private:
    static constexpr int held = 15, hardening = 40;  // frames
    int start_;
    float compliance_ = 1e-4f;  // 1/Pa
};

pliant::Result<Run> simulate(const Options& options, pliant::Simulation& simulation,
                             pliant::output::HtmlPlayer& player) {
    Run run;
    Progress progress(options.frames);
    player.add_frame(simulation.view());
    Press press(options);
    while (run.frames < options.frames && interrupted == 0) {
        if (const auto status = press.before_step(simulation, run.frames); !status) return status.error();
        const Clock::time_point start = Clock::now();
        simulation.step();
        run.step_seconds += std::chrono::duration<double>(Clock::now() - start).count();
        if (const auto status = press.after_step(simulation, run.frames); !status) return status.error();
        player.add_frame(simulation.view());
        progress.show(++run.frames);
    }
    progress.finish();
    return run;
}

std::string caption(const Options& options, const pliant::Diagnostics& start) {
    const std::string counts =
        fmt::format("{} particles, {} constraints", grouped(start.particles), grouped(start.constraints));
    if (options.scene == "jelly") return "Dropped, pressed flat, and back in shape\n" + counts;
    return options.scene + "\n" + counts;
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
    const auto scene = pliant::scenes::make(options.scene);
    if (!scene) return fail({options.scene, "no such scene; there are " + scene_list() + ", c<N>, j<N>"}, 2);
    const std::filesystem::path directory = options.out.parent_path();
    std::error_code ignored;
    if (!directory.empty() && !std::filesystem::is_directory(directory, ignored)) {
        return fail({"--out", "there is no directory " + directory.string()}, 2);
    }
    pliant::Execution execution;
    execution.threads = options.threads;
    auto simulation = pliant::Simulation::create(*scene, execution);
    if (!simulation) return fail(simulation.error(), 1);

    std::signal(SIGINT, interrupt);
    std::signal(SIGTERM, interrupt);
    pliant::output::HtmlPlayer player(caption(options, simulation->diagnostics()), scene->colliders);
    const auto run = simulate(options, *simulation, player);
    if (!run) return fail(run.error(), 1);
    report(*simulation, *run);
    if (const pliant::Status written = player.write(options.out); !written) return fail(written.error(), 1);
    fmt::print("\n{} frames in {}: open it in a browser.\n", player.frames(), options.out.string());
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
