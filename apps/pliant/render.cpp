// pliant render: a film or a picture of a scene.
#include "output/renderer.h"

#include <cstdio>
#include <utility>

#include <fmt/format.h>

#include "output/picture_maker.h"
#include "output/video.h"
#include "pliant/commands.h"
#include "pliant/play.h"

namespace pliant::app {
namespace {

struct RenderOptions {
    PlayOptions play{};
    std::filesystem::path out{};
    int width = 1280, height = 720;
    std::string show = "bodies";
    bool wireframe = false, tetrahedra = false, force = false;
};

Result<output::PictureOptions> picture_options(const RenderOptions& options, const scene::File& file) {
    output::PictureOptions wished;
    wished.wireframe = options.wireframe;
    wished.tetrahedra = options.tetrahedra;
    wished.aspect = static_cast<double>(options.width) / options.height;
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
    if (!file.about.empty()) wished.captions.push_back({file.about, output::Corner::bottom_left});
    return wished;
}

// Takes a picture whenever the film's next frame is due.
class Film {
public:
    Film(const Scene& scene, const View& start, const output::PictureOptions& wished,
         output::Renderer& renderer, output::Video& video, double rate)
        : maker_(scene.description, start, wished), renderer_(renderer), video_(video), rate_(rate) {
        if (scene.file.light) light_ = scene.file.light->direction;
    }

    Status show(const Player& player, double frame_length) {
        const View view = player.view();
        output::Picture picture = maker_.make(view, player.simulation().colliders());
        if (light_) picture.light = *light_;
        while (static_cast<double>(taken_) / rate_ <= view.time + frame_length / 2) {
            std::vector<std::uint8_t> pixels(renderer_.bytes());
            if (Status drawn = renderer_.draw(picture, pixels); !drawn) return drawn;
            if (Status added = video_.add(std::move(pixels)); !added) return added;
            ++taken_;
        }
        return {};
    }

private:
    output::PictureMaker maker_;
    output::Renderer& renderer_;
    output::Video& video_;
    double rate_;
    std::uint64_t taken_ = 1;  // the first shows the end of the first frame
    std::optional<Vec3> light_{};
};

ExitCode render(const RenderOptions& options) {
    auto scene = load(options.play);
    if (!scene) return complain(scene.error());
    const auto wished = picture_options(options, scene->file);
    if (!wished) return complain(wished.error());
    if (const Status status = check_output(options.out, options.force); !status)
        return complain(status.error());
    auto player =
        Player::create(std::move(*scene), {.threads = options.play.threads, .target = {}, .runner = {}});
    if (!player) return complain(player.error());

    const double frame_length = player->simulation().settings().time_step;
    output::VideoOptions format;
    format.width = options.width;
    format.height = options.height;
    format.frames_per_second = output::playable_rate(options.out, 1 / frame_length);
    format.sequence = options.play.frames.value_or(player->scene().file.frames) > 1;
    auto renderer = output::Renderer::create(options.width, options.height);
    if (!renderer) return complain(renderer.error(), failed);
    auto video = output::Video::create(options.out, format);
    if (!video) return complain(video.error());

    Film film(player->scene(), player->view(), *wished, *renderer, *video, format.frames_per_second);
    const auto played = play(*player, options.play, [&](double) { return film.show(*player, frame_length); });
    if (!played) return complain(played.error(), failed);
    const auto files = video->finish();
    if (!files) return complain(files.error(), failed);
    fmt::print("wrote {}{}\n", files->front().string(),
               files->size() > 1 ? fmt::format(" … {}", files->back().string()) : "");
    return played->interrupted ? interrupt : success;
}

}  // namespace

void add_render(CLI::App& program, ExitCode& exit_code) {
    CLI::App* command = program.add_subcommand("render", "Makes a film or pictures of a scene");
    command->footer(
        "Ctrl-C ends after the current frame; the film up to there is kept.\n"
        "Example: pliant render jelly --out jelly.mp4");
    const auto options = std::make_shared<RenderOptions>();
    add_play_options(*command, options->play);
    command->add_option("--out", options->out, "An .mp4, .gif or .png file")->required();
    command->add_option("--width", options->width, "Pixels (default: 1280)")->check(CLI::Range(16, 8192));
    command->add_option("--height", options->height, "Pixels (default: 720)")->check(CLI::Range(16, 8192));
    command->add_option("--show", options->show, "What colours show: bodies, strain or speed");
    command->add_flag("--wireframe", options->wireframe, "The edges of surfaces too");
    command->add_flag("--tetrahedra", options->tetrahedra, "Each tetrahedron by itself");
    command->add_flag("--force", options->force, "Write over what is there");
    command->callback([options, &exit_code] { exit_code = render(*options); });
}

}  // namespace pliant::app
