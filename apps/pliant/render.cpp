// pliant render: a film or a picture of a scene.
#include <charconv>
#include <cstdio>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "base/extension.h"
#include "base/format.h"
#include "output/frame_pipeline.h"
#include "output/picture_maker.h"
#include "output/video.h"
#include "pliant/commands.h"
#include "pliant/play.h"
#include "pliant/terminal.h"

namespace pliant::app {
namespace {

struct RenderOptions {
    PlayOptions play{};
    std::filesystem::path out{};
    std::string size{}, show = "bodies";
    std::optional<double> rate{};  // frames a second; else as the scene steps
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
    return Error{"--show", fmt::format("must be bodies, strain or speed, got \"{}\"", name)};
}

output::PictureOptions picture_options(const RenderOptions& options, const Scene& scene, double aspect,
                                       const std::string& label) {
    const scene::File& file = scene.file;
    output::PictureOptions wished;
    wished.wireframe = options.wireframe;
    wished.tetrahedra = options.tetrahedra;
    wished.quantity = *quantity_of(options.show);
    wished.aspect = aspect;
    if (file.camera) {
        wished.camera = {file.camera->position, file.camera->target, file.camera->field_of_view};
    }
    for (const scene::Body& body : file.bodies) {
        auto& color = wished.colors.emplace_back();
        if (body.color) color = output::Color{body.color->x, body.color->y, body.color->z};
    }
    wished.skins = output::make_skins(scene.description, scene.skins);
    // Beside others, what tells a run from them.
    const std::string caption = !label.empty() ? label : options.no_caption ? "" : file.about;
    if (!caption.empty()) wished.captions.push_back({caption, output::Corner::bottom_left});
    return wished;
}

// Takes a picture whenever the film's next frame is due.
class Film {
public:
    Film(std::span<Player> players, const RenderOptions& options, const Comparison& comparison,
         output::FramePipeline& pipeline, double rate)
        : players_(players), pipeline_(pipeline), rate_(rate) {
        for (std::size_t i = 0; i < players.size(); ++i) {
            const Scene& scene = players[i].scene();
            makers_.emplace_back(
                scene.description, players[i].view(),
                picture_options(options, scene, pipeline.pane_aspect(), comparison.runs[i].label));
        }
    }

    Status show(double frame_length) {
        while (static_cast<double>(taken_) / rate_ <= players_[0].view().time + frame_length / 2) {
            std::vector<output::Picture> frame;
            for (std::size_t i = 0; i < players_.size(); ++i) frame.push_back(picture(i));
            if (Status submitted = pipeline_.submit(std::move(frame)); !submitted) return submitted;
            ++taken_;
        }
        return {};
    }

    std::uint64_t pictures() const { return taken_ - 1; }

private:
    output::Picture picture(std::size_t i) {
        const Player& player = players_[i];
        output::Picture picture = makers_[i].make(player.view(), player.simulation().colliders());
        if (const auto& light = player.scene().file.light) picture.light = light->direction;
        return picture;
    }

    std::span<Player> players_;
    std::vector<output::PictureMaker> makers_;
    output::FramePipeline& pipeline_;
    double rate_;
    std::uint64_t taken_ = 1;  // the first shows the end of the first frame
};

// What a picture shows: the scene as it is, or its runs side by side.
Result<std::vector<Player>> load_runs(const RenderOptions& options, Comparison& comparison) {
    auto scene = load_player(options.play);
    if (!scene) return scene.error();
    auto wished = compare(options.compare.empty() ? scene->scene().file.compare : options.compare);
    if (!wished) return Error{"--compare", wished.error().text()};
    comparison = std::move(*wished);
    std::vector<Player> players;
    if (comparison.runs.size() == 1 && comparison.runs[0].changes.empty()) {
        players.push_back(std::move(*scene));
        return players;
    }
    const float time_step = scene->simulation().settings().time_step;
    for (const Comparison::Run& run : comparison.runs) {
        PlayOptions play = options.play;
        play.set.insert(play.set.end(), run.changes.begin(), run.changes.end());
        play.quiet = true;  // its warnings are said
        auto player = load_player(play);
        if (!player) return player.error();
        if (const float step = player->simulation().settings().time_step; step != time_step) {
            return Error{"--compare", fmt::format("the time_step must be as in the scene, {} s, got {} s",
                                                  time_step, step)};
        }
        players.push_back(std::move(*player));
    }
    return players;
}

ExitCode render(const RenderOptions& options) {
    const auto size = size_of(options);
    if (!size) return complain(size.error());
    if (options.rate && !(*options.rate > 0 && *options.rate <= 1000))
        return complain({"--fps", fmt::format("must be above 0 and at most 1000, got {}", *options.rate)});
    const std::string ending = extension_of(options.out);
    if (ending != ".gif" && ending != ".mp4" && ending != ".png") {
        return complain(
            {options.out.string(), fmt::format("must end in .mp4, .gif or .png, not \"{}\"", ending)});
    }
    if (const auto quantity = quantity_of(options.show); !quantity) return complain(quantity.error());

    // Without the program that makes films, pictures are better than nothing.
    std::filesystem::path out = options.out;
    if (extension_of(out) != ".png" && !output::has_video_encoder()) {
        out = output::as_pictures(out);
        if (!options.play.quiet) {
            fmt::print(stderr, "{} ffmpeg is not installed: writing pictures, {}, instead of a film\n",
                       styled("pliant: warning:", Style::warning), out.string());
        }
    }
    if (const Status status = check_output_file(out, options.force); !status) return complain(status.error());
    Comparison comparison;
    auto players = load_runs(options, comparison);
    if (!players) return complain(players.error());
    if (interrupted()) return interrupt;

    const double frame_length = players->front().simulation().settings().time_step;
    output::VideoOptions format;
    format.width = size->width;
    format.height = size->height;
    format.frames_per_second = output::playable_rate(out, options.rate.value_or(1 / frame_length));
    format.sequence = options.play.frames.value_or(players->front().scene().file.frames) > 1;
    if (const Status good = output::check_video(out, format); !good) return complain(good.error());
    if (format.sequence && extension_of(out) == ".png") {
        const Status status = check_output_file(output::picture_name(out, 1), options.force);
        if (!status) return complain(status.error());
    }
    auto pipeline = output::FramePipeline::create(out, format, {comparison.columns, comparison.rows});
    if (!pipeline) return complain(pipeline.error(), failed);

    Film film(*players, options, comparison, *pipeline, format.frames_per_second);
    const auto played = play(*players, options.play, [&](double) { return film.show(frame_length); });
    if (!played) return complain(played.error(), failed);
    if (film.pictures() == 0) {
        if (played->interrupted) return interrupt;
        return complain(
            {"--frames", fmt::format("no picture is due at {} frames a second; ask for more frames",
                                     format.frames_per_second)});
    }
    const auto files = pipeline->finish();
    if (!files) return complain(files.error(), failed);
    if (options.json) {
        print_summary(players->front(), *played, *files);
        return played->interrupted ? interrupt : success;
    }
    fmt::print("wrote {}{}\n", files->front().string(),
               files->size() > 1 ? fmt::format(" … {}", files->back().string()) : "");
    return played->interrupted ? interrupt : success;
}

}  // namespace

void add_render(CLI::App& program, ExitCode& exit_code) {
    CLI::App* command = program.add_subcommand("render", "Makes a film or pictures of a scene");
    command->footer(
        "Ctrl-C ends after the current frame; the film up to there is kept.\n"
        "Example: pliant render jelly -o jelly.gif --frames 120");
    const auto options = std::make_shared<RenderOptions>();
    add_play_options(*command, options->play);
    command->add_option("-o,--out", options->out, "A .gif, .mp4 or .png file")->required();
    command->add_option("--size", options->size, "WIDTHxHEIGHT (default: 1280x720; a .gif: 800x450)");
    command->add_option("--fps", options->rate, "Frames a second of the film (default: as the scene steps)");
    command->add_option("--show", options->show, "What colours show: bodies, strain or speed");
    command
        ->add_option("--compare", options->compare,
                     "Runs side by side, as solver/iterations=1,5,20; two lists give a grid")
        ->type_name("PATH=VALUE,...")
        ->allow_extra_args(false);
    command->add_flag("--wireframe", options->wireframe, "The edges of surfaces too");
    command->add_flag("--tetrahedra", options->tetrahedra, "Each tetrahedron by itself");
    command->add_flag("--no-caption", options->no_caption, "Leave out what the scene says of itself");
    command->add_flag("--force", options->force, "Write over what is there");
    command->add_flag("--json", options->json, "One JSON object that sums it up");
    command->callback([options, &exit_code] { exit_code = render(*options); });
}

}  // namespace pliant::app
