// pliant render: a film or a picture of a scene.
#include <charconv>
#include <cstdio>
#include <string_view>
#include <utility>

#include <fmt/format.h>

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
    double rate = 0;  // frames a second; 0: as the scene steps
    bool wireframe = false, tetrahedra = false, no_caption = false, force = false;
};

struct Size {
    int width, height;
};

Result<Size> size_of(const RenderOptions& options) {
    if (options.size.empty()) return options.out.extension() == ".gif" ? Size{800, 450} : Size{1280, 720};
    Size size{};
    const std::string_view text = options.size;
    const char* const end = text.data() + text.size();
    const auto width = std::from_chars(text.data(), end, size.width);
    if (width.ec == std::errc() && width.ptr != end && *width.ptr == 'x') {
        const auto height = std::from_chars(width.ptr + 1, end, size.height);
        if (height.ec == std::errc() && height.ptr == end && size.width >= 16 && size.width <= 8192 &&
            size.height >= 16 && size.height <= 8192) {
            return size;
        }
    }
    return Error{"--size",
                 fmt::format("must be WIDTHxHEIGHT, each 16 … 8192, as 1280x720, got \"{}\"", text)};
}

Result<output::PictureOptions> picture_options(const RenderOptions& options, const scene::File& file,
                                               Size size) {
    output::PictureOptions wished;
    wished.wireframe = options.wireframe;
    wished.tetrahedra = options.tetrahedra;
    wished.aspect = static_cast<double>(size.width) / size.height;
    if (options.show == "strain") wished.quantity = output::Quantity::strain;
    if (options.show == "speed") wished.quantity = output::Quantity::speed;
    if (wished.quantity == output::Quantity::none && options.show != "bodies") {
        return Error{"--show", fmt::format("must be bodies, strain or speed, got \"{}\"", options.show)};
    }
    if (file.camera) {
        wished.camera = {file.camera->position, file.camera->target, file.camera->field_of_view};
    }
    for (const scene::Body& body : file.bodies) {
        auto& color = wished.colors.emplace_back();
        if (body.color) color = output::Color{body.color->x, body.color->y, body.color->z};
    }
    if (!file.about.empty() && !options.no_caption)
        wished.captions.push_back({file.about, output::Corner::bottom_left});
    return wished;
}

// Takes a picture whenever the film's next frame is due.
class Film {
public:
    Film(const Player& player, const output::PictureOptions& wished, output::FramePipeline& pipeline,
         double rate)
        : maker_(player.scene().description, player.view(), wished), pipeline_(pipeline), rate_(rate) {
        if (player.scene().file.light) light_ = player.scene().file.light->direction;
    }

    Status show(const Player& player, double frame_length) {
        const View view = player.view();
        while (static_cast<double>(taken_) / rate_ <= view.time + frame_length / 2) {
            output::Picture picture = maker_.make(view, player.simulation().colliders());
            if (light_) picture.light = *light_;
            if (Status submitted = pipeline_.submit(std::move(picture)); !submitted) return submitted;
            ++taken_;
        }
        return {};
    }

private:
    output::PictureMaker maker_;
    output::FramePipeline& pipeline_;
    double rate_;
    std::uint64_t taken_ = 1;  // the first shows the end of the first frame
    std::optional<Vec3> light_{};
};

ExitCode render(const RenderOptions& options) {
    const auto size = size_of(options);
    if (!size) return complain(size.error());
    if (!(options.rate >= 0 && options.rate <= 1000))
        return complain({"--fps", fmt::format("must be above 0 and at most 1000, got {}", options.rate)});
    const std::string ending = options.out.extension().string();
    if (ending != ".gif" && ending != ".mp4" && ending != ".png") {
        return complain(
            {options.out.string(), fmt::format("must end in .mp4, .gif or .png, not \"{}\"", ending)});
    }
    auto scene = load(options.play);
    if (!scene) return complain(scene.error());
    const auto wished = picture_options(options, scene->file, *size);
    if (!wished) return complain(wished.error());

    // Without the program that makes films, pictures are better than nothing.
    std::filesystem::path out = options.out;
    if (out.extension() != ".png" && !output::has_video_encoder()) {
        out = output::as_pictures(out);
        fmt::print(stderr, "{} ffmpeg is not installed: writing pictures, {}, instead of a film\n",
                   styled("pliant: warning:", Style::warning), out.string());
    }
    if (const Status status = check_output(out, options.force); !status) return complain(status.error());
    auto player =
        Player::create(std::move(*scene), {.threads = options.play.threads, .target = {}, .runner = {}});
    if (!player) return complain(player.error());

    const double frame_length = player->simulation().settings().time_step;
    output::VideoOptions format;
    format.width = size->width;
    format.height = size->height;
    format.frames_per_second = output::playable_rate(out, options.rate > 0 ? options.rate : 1 / frame_length);
    format.sequence = options.play.frames.value_or(player->scene().file.frames) > 1;
    auto pipeline = output::FramePipeline::create(out, format);
    if (!pipeline) return complain(pipeline.error(), failed);

    Film film(*player, *wished, *pipeline, format.frames_per_second);
    const auto played = play(*player, options.play, [&](double) { return film.show(*player, frame_length); });
    if (!played) return complain(played.error(), failed);
    const auto files = pipeline->finish();
    if (!files) return complain(files.error(), failed);
    if (files->empty()) return complain({out.string(), "no frame was due; ask for more --frames"}, failed);
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
    command->add_flag("--wireframe", options->wireframe, "The edges of surfaces too");
    command->add_flag("--tetrahedra", options->tetrahedra, "Each tetrahedron by itself");
    command->add_flag("--no-caption", options->no_caption, "Leave out what the scene says of itself");
    command->add_flag("--force", options->force, "Write over what is there");
    command->callback([options, &exit_code] { exit_code = render(*options); });
}

}  // namespace pliant::app
