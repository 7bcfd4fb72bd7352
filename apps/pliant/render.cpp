// pliant render: a film or a picture of a scene.
#include <pliant/output/frame_pipeline.h>
#include <pliant/output/picture_maker.h>
#include <pliant/output/video.h>

#include <charconv>
#include <cmath>
#include <cstdio>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "base/files/extension.h"
#include "base/format.h"
#include "pliant/commands.h"
#include "pliant/play.h"
#include "pliant/runs.h"
#include "pliant/terminal.h"

namespace pliant::app {
namespace {

struct RenderOptions {
    PlayOptions play{};
    std::filesystem::path out{};
    std::string size{}, show = "bodies";
    std::optional<double> rate{};  // pictures per second of the scene's time; else one for every frame
    bool wireframe = false, tetrahedra = false, no_caption = false, force = false, json = false;
    std::vector<std::string> compare{};  // if none, as the scene says
};

struct Size {
    int width, height;
};

Result<Size> size_of(const RenderOptions& options) {
    if (options.size.empty()) return extension_of(options.out) == ".gif" ? Size{800, 450} : Size{1280, 720};
    Size size{};
    const std::string_view text = options.size;
    const char* const end = text.data() + text.size();
    const auto width = std::from_chars(text.data(), end, size.width);
    if (width.ec == std::errc() && width.ptr != end && (*width.ptr == 'x' || *width.ptr == 'X')) {
        const auto height = std::from_chars(width.ptr + 1, end, size.height);
        if (height.ec == std::errc() && height.ptr == end && size.width >= 16 && size.width <= 8192 &&
            size.height >= 16 && size.height <= 8192) {
            return size;
        }
    }
    return Error{"--size",
                 fmt::format("must be WIDTHxHEIGHT, each 16 … 8192, as 1280x720, got \"{}\"", text)};
}

Result<output::Quantity> quantity_of(const std::string& name) {
    if (name == "bodies") return output::Quantity::none;
    if (name == "strain") return output::Quantity::strain;
    if (name == "speed") return output::Quantity::speed;
    if (name == "contacts") return output::Quantity::given;
    return Error{"--show", fmt::format("must be bodies, strain, speed or contacts, got \"{}\"", name)};
}

output::PictureOptions pane_options(const RenderOptions& options, const Scene& scene, double aspect,
                                    const std::string& label) {
    output::PictureOptions wished = picture_options(scene);
    wished.wireframe = options.wireframe;
    wished.tetrahedra = options.tetrahedra;
    wished.quantity = *quantity_of(options.show);
    wished.aspect = aspect;
    // Beside others, what tells a run from them.
    const std::string caption = !label.empty() ? label : options.no_caption ? "" : scene.file.about;
    if (!caption.empty()) wished.captions.push_back({caption, output::Corner::bottom_left});
    return wished;
}

// Takes a picture after every frame or, where a rate is asked for, whenever the film's next one is due.
class Film {
public:
    Film(const Runs& runs, const RenderOptions& options, output::FramePipeline& pipeline,
         std::optional<double> rate)
        : players_(runs.players),
          pipeline_(pipeline),
          rate_(rate),
          shows_contacts_(*quantity_of(options.show) == output::Quantity::given) {
        for (std::size_t i = 0; i < players_.size(); ++i) {
            makers_.emplace_back(players_[i].view(),
                                 pane_options(options, players_[i].scene(), pipeline.pane_aspect(),
                                              runs.comparison.runs[i].label));
        }
    }

    Status show(double frame_length) {
        if (!rate_) return take();
        // The first picture shows the end of the first frame.
        const double now = players_[0].view().time + frame_length / 2;
        while (static_cast<double>(pictures_ + 1) / *rate_ <= now) {
            if (Status taken = take(); !taken) return taken;
        }
        return {};
    }

    std::uint64_t pictures() const { return pictures_; }

private:
    Status take() {
        std::vector<output::Picture> frame;
        for (std::size_t i = 0; i < players_.size(); ++i) {
            std::vector<float> given;
            if (shows_contacts_) given = players_[i].simulation().traits(Trait::contact);
            frame.push_back(makers_[i].make(players_[i].view(), given));
        }
        ++pictures_;
        return pipeline_.submit(std::move(frame));
    }

    std::span<const Player> players_;
    std::vector<output::PictureMaker> makers_;
    output::FramePipeline& pipeline_;
    std::optional<double> rate_;
    const bool shows_contacts_;
    std::uint64_t pictures_ = 0;
};

Status check_options(const RenderOptions& options) {
    if (const auto size = size_of(options); !size) return size.error();
    if (options.rate && !(*options.rate > 0 && *options.rate <= 1000))
        return Error{"--fps", fmt::format("must be above 0 and at most 1000, got {}", *options.rate)};
    const std::string ending = extension_of(options.out);
    if (ending != ".gif" && ending != ".mp4" && ending != ".png") {
        return Error{options.out.string(), fmt::format("must end in .mp4, .gif or .png, not \"{}\"", ending)};
    }
    if (const auto quantity = quantity_of(options.show); !quantity) return quantity.error();
    return {};
}

// Without the program that makes films, pictures are better than nothing.
std::filesystem::path choose_file(const RenderOptions& options) {
    if (extension_of(options.out) == ".png" || output::has_video_encoder()) return options.out;
    std::filesystem::path out = output::as_pictures(options.out);
    if (!options.play.quiet) {
        fmt::print(stderr, "{} ffmpeg is not installed: writing pictures, {}, instead of a film\n",
                   styled("pliant: warning:", Style::warning), out.string());
    }
    return out;
}

// How the film is written, once all that can be checked beforehand is checked.
Result<output::VideoOptions> video_options(const RenderOptions& options, const std::filesystem::path& out,
                                           const Player& player) {
    const auto size = size_of(options);
    const double frame_length = player.simulation().settings().time_step;
    output::VideoOptions format;
    format.width = size->width;
    format.height = size->height;
    format.frames_per_second = output::playable_rate(out, options.rate.value_or(1 / frame_length));
    format.sequence = options.play.frames.value_or(player.scene().file.frames) > 1;
    if (const Status good = output::check_video(out, format); !good) return good.error();
    if (format.sequence && extension_of(out) == ".png") {
        const Status status = check_output_file(output::picture_name(out, 1), options.force);
        if (!status) return status.error();
    }
    return format;
}

ExitCode report(const RenderOptions& options, const Player& player, const Played& played,
                const std::vector<std::filesystem::path>& files) {
    if (options.json) {
        print_summary(player, played, files);
    } else {
        fmt::print("wrote {}{}\n", files.front().string(),
                   files.size() > 1 ? fmt::format(" … {}", files.back().string()) : "");
    }
    return played.interrupted ? interrupt : success;
}

ExitCode render(const RenderOptions& options) {
    if (const Status good = check_options(options); !good) return complain(good.error());
    const std::filesystem::path out = choose_file(options);
    if (const Status status = check_output_file(out, options.force); !status) return complain(status.error());
    auto runs = load_runs(options.play, options.compare);
    if (!runs) return complain(runs.error());
    if (interrupted()) return interrupt;
    const auto format = video_options(options, out, runs->players.front());
    if (!format) return complain(format.error());
    auto pipeline = output::FramePipeline::create(out, *format, runs->panes());
    if (!pipeline) return complain(pipeline.error(), failed);

    // A film at the rate of the scene, or as near to it as the format can play, has a picture for every
    // frame.
    const double frame_length = runs->players.front().simulation().settings().time_step;
    const bool resampled = options.rate && std::abs(*options.rate * frame_length - 1) > 0.01;
    std::optional<double> rate;
    if (resampled) rate = format->frames_per_second;
    Film film(*runs, options, *pipeline, rate);
    const auto played = play(runs->players, options.play, [&](double) { return film.show(frame_length); });
    if (!played) return complain(played.error(), failed);
    if (film.pictures() == 0) {
        if (played->interrupted) return interrupt;
        return complain(
            {"--frames", fmt::format("no picture is due at {} frames per second; ask for more frames",
                                     format->frames_per_second)});
    }
    const auto files = pipeline->finish();
    if (!files) return complain(files.error(), failed);
    return report(options, runs->players.front(), *played, *files);
}

}  // namespace

void add_render(CLI::App& program, ExitCode& exit_code) {
    CLI::App* command = program.add_subcommand("render", "Makes a film or pictures of a scene");
    command->footer(
        "Ctrl-C ends at once; the film up to there is kept.\n"
        "Example: pliant render jelly -o jelly.gif --frames 120");
    const auto options = std::make_shared<RenderOptions>();
    add_play_options(*command, options->play);
    command->add_option("-o,--out", options->out, "A .gif, .mp4 or .png file")->required();
    command->add_option("--size", options->size, "WIDTHxHEIGHT (default: 1280x720; a .gif: 800x450)");
    command->add_option("--fps", options->rate,
                        "Pictures per second of the scene's time (default: one for every frame)");
    command->add_option("--show", options->show, "What colours show: bodies, strain, speed or contacts");
    add_compare_option(*command, options->compare);
    command->add_flag("--wireframe", options->wireframe, "The edges of surfaces too");
    command->add_flag("--tetrahedra", options->tetrahedra, "Each tetrahedron by itself");
    command->add_flag("--no-caption", options->no_caption, "Leave out what the scene says of itself");
    command->add_flag("--force", options->force, "Write over what is there");
    command->add_flag("--json", options->json, "One JSON object that sums it up");
    command->callback([options, &exit_code] { exit_code = render(*options); });
}

}  // namespace pliant::app
