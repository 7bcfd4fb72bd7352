#include <pliant/output/frame_pipeline.h>
#include <pliant/output/video.h>

#include "output/video/film_encoder.h"
#include "output/video/process.h"
#include "support/files.h"
#include "support/pictures.h"

#include <doctest/doctest.h>
#include <png.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

using namespace pliant;
using namespace pliant::output;
namespace fs = std::filesystem;

namespace {

std::string content(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

// A frame with a bright column that moves.
std::vector<std::uint8_t> frame(const VideoOptions& o, int number) {
    std::vector<std::uint8_t> rgb(3 * static_cast<std::size_t>(o.width) * static_cast<std::size_t>(o.height),
                                  40);
    for (int y = 0; y < o.height; ++y) {
        rgb[3 * static_cast<std::size_t>(y * o.width + (5 * number) % o.width)] = 250;
    }
    return rgb;
}

// What ffprobe says of the film: width, height, rate, frames.
std::string probed(const fs::path& file) {
    const std::string command =
        "ffprobe -v error -count_frames -select_streams v -show_entries "
        "stream=width,height,r_frame_rate,nb_read_frames -of csv=p=0 'file:" +
        file.string() + "'";
    std::FILE* pipe = popen(command.c_str(), "r");
    REQUIRE(pipe != nullptr);
    std::string text;
    for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) text += static_cast<char>(c);
    CHECK(pclose(pipe) == 0);
    return text;
}

// PATH as it is given, until the end of the scope.
class Path {
public:
    explicit Path(const std::string& value) : before_(std::getenv("PATH")) {
        setenv("PATH", value.c_str(), 1);
    }
    ~Path() { setenv("PATH", before_.c_str(), 1); }
    Path(const Path&) = delete;
    Path& operator=(const Path&) = delete;

private:
    std::string before_;
};

// A program called ffmpeg that does what the script says.
void write_fake_encoder(const fs::path& directory, const std::string& script) {
    std::ofstream(directory / "ffmpeg") << "#!/bin/sh\n" << script;
    fs::permissions(directory / "ffmpeg", fs::perms::owner_all);
}

std::vector<std::uint8_t> read_png(const fs::path& file) {
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    REQUIRE(png_image_begin_read_from_file(&image, file.c_str()) != 0);
    image.format = PNG_FORMAT_RGB;
    std::vector<std::uint8_t> rgb(PNG_IMAGE_SIZE(image));
    REQUIRE(png_image_finish_read(&image, nullptr, rgb.data(), 0, nullptr) != 0);
    return rgb;
}

}  // namespace

TEST_CASE("films have the size, the rate and the frames that were asked for, whatever their names") {
    const test::Directory directory("video");
    VideoOptions options{.width = 96, .height = 64, .frames_per_second = 30};
    for (const std::string name : {"-dash: and space.mp4", "per%dcent [1].gif"}) {
        const fs::path file = directory.path / name;
        const bool gif = name.ends_with(".gif");
        options.frames_per_second = gif ? 25 : 30;
        Result<Video> video = Video::create(file, options);
        REQUIRE_MESSAGE(video, video.error().text());
        for (int i = 0; i < 12; ++i) REQUIRE(video->add(frame(options, i)));
        CHECK(!fs::exists(file));
        const auto files = video->finish();
        REQUIRE_MESSAGE(files, files.error().text());
        CHECK(*files == std::vector<fs::path>{file});
        CHECK(probed(file) == (gif ? "96,64,25/1,12\n" : "96,64,30/1,12\n"));
        CHECK(!video->finish());
        CHECK(!video->add(frame(options, 0)));
    }
    CHECK(directory.entries() == 2);
}

TEST_CASE("a relative name with a dash in front is no option") {
    const test::Directory directory("video_dash");
    const fs::path before = fs::current_path();
    fs::current_path(directory.path);
    const VideoOptions options{.width = 16, .height = 16};
    Result<Video> video = Video::create("-y.mp4", options);
    REQUIRE(video);
    REQUIRE(video->add(frame(options, 0)));
    const auto files = video->finish();
    fs::current_path(before);
    REQUIRE_MESSAGE(files, files.error().text());
    CHECK(fs::file_size(directory.path / "-y.mp4") > 0);
}

TEST_CASE("pictures hold the very pixels, alone or as a sequence") {
    const test::Directory directory("pictures");
    VideoOptions options{.width = 33, .height = 17};
    Result<Video> single = Video::create(directory.path / "one.png", options);
    REQUIRE(single);
    REQUIRE(single->add(frame(options, 3)));
    REQUIRE(single->finish());
    CHECK(read_png(directory.path / "one.png") == frame(options, 3));

    options.sequence = true;
    Result<Video> several = Video::create(directory.path / "many.png", options);
    REQUIRE(several);
    for (int i = 0; i < 3; ++i) REQUIRE(several->add(frame(options, i)));
    CHECK(!fs::exists(directory.path / "many_0001.png"));
    const auto files = several->finish();
    REQUIRE(files);
    CHECK(files->size() == 3);
    CHECK(fs::exists(directory.path / "many_0003.png"));
    CHECK(directory.entries() == 4);
}

TEST_CASE("a single picture takes one frame") {
    const test::Directory directory("single");
    const VideoOptions options{.width = 8, .height = 8};
    Result<Video> video = Video::create(directory.path / "one.png", options);
    REQUIRE(video);
    REQUIRE(video->add(frame(options, 0)));
    // Frames are written by a thread of their own, so that the error may come now or at the end.
    const Status second = video->add(frame(options, 1));
    CHECK((second || second.error().message.find("sequence") != std::string::npos));
    const auto files = video->finish();
    REQUIRE(!files);
    CHECK(files.error().message.find("sequence") != std::string::npos);
    CHECK(directory.entries() == 0);
}

TEST_CASE("what cannot be written is refused before the first frame") {
    const test::Directory directory("refused");
    const VideoOptions good{.width = 64, .height = 48};
    const auto message = [&](const fs::path& file, const VideoOptions& options) {
        const Result<Video> video = Video::create(file, options);
        REQUIRE(!video);
        CHECK(video.error().path == file.string());
        return video.error().message;
    };
    CHECK(message(directory.path / "film.avi", good).find(".mp4, .gif or .png") != std::string::npos);
    CHECK(message(directory.path / "missing" / "film.mp4", good) ==
          "cannot be written: No such file or directory");
    CHECK(message(directory.path / "film.mp4", {.width = 63, .height = 48}).find("even") !=
          std::string::npos);
    CHECK(message(directory.path / "film.gif", {.width = 63, .height = 48, .frames_per_second = 60})
              .find("50") != std::string::npos);
    CHECK(message(directory.path / "film.png", {.width = 0, .height = 48}).find("pixels") !=
          std::string::npos);
    CHECK(message(directory.path / "film.mp4", {.width = 64, .height = 48, .frames_per_second = 0})
              .find("second") != std::string::npos);
    fs::create_directory(directory.path / "taken.mp4");
    CHECK(message(directory.path / "taken.mp4", good).find("not a regular file") != std::string::npos);
    CHECK(directory.entries() == 1);
    CHECK(playable_rate("x.gif", 60) == 50);
    CHECK(playable_rate("x.gif", 24) == 25);
    CHECK(playable_rate("x.mp4", 60) == 60);
    if (geteuid() != 0) {  // nothing is forbidden to root
        fs::permissions(directory.path, fs::perms::owner_read | fs::perms::owner_exec);
        CHECK(message(directory.path / "film.mp4", good) == "cannot be written: Permission denied");
        fs::permissions(directory.path, fs::perms::owner_all);
    }
}

TEST_CASE("without ffmpeg there is an error for films, and pictures can still be written") {
    const test::Directory directory("no_ffmpeg");
    const Path nowhere((directory.path / "none").string());
    CHECK(!has_video_encoder());
    VideoOptions options{.width = 16, .height = 16};
    const Result<Video> film = Video::create(directory.path / "film.mp4", options);
    REQUIRE(!film);
    CHECK(film.error().message.find("ffmpeg") != std::string::npos);
    options.sequence = true;
    Result<Video> pictures = Video::create(as_pictures(directory.path / "film.mp4"), options);
    REQUIRE(pictures);
    REQUIRE(pictures->add(frame(options, 0)));
    REQUIRE(pictures->finish());
    CHECK(fs::exists(directory.path / "film_0001.png"));
    CHECK(directory.entries() == 1);
}

TEST_CASE("when the encoder fails, the old file stays whole and nothing else is left") {
    const test::Directory directory("failing"), programs("fake_ffmpeg");
    const fs::path file = directory.path / "film.mp4";
    std::ofstream(file) << "precious";
    const VideoOptions options{.width = 320, .height = 240};
    struct Case {
        const char *script, *message;
    };
    for (const Case& c :
         {Case{"echo 'No space left on device' >&2; exit 1\n",
               "ffmpeg: failed with code 1: No space left on device"},
          Case{"head -c 1000 >/dev/null; kill -9 $$\n", "ffmpeg: was ended by signal 9"},
          Case{"head -c 1000 >/dev/null; exit 0\n", "ffmpeg: ended before it had read everything"}}) {
        write_fake_encoder(programs.path, c.script);
        const Path fake(programs.path.string() + ":" + std::getenv("PATH"));
        Result<Video> video = Video::create(file, options);
        REQUIRE(video);
        Status added;
        for (int i = 0; i < 100 && added; ++i) added = video->add(frame(options, i));
        REQUIRE(!added);
        CHECK(added.error().path == file.string());
        CHECK(added.error().message == c.message);
        const auto files = video->finish();
        REQUIRE(!files);
        CHECK(files.error().message == c.message);
        CHECK(content(file) == "precious");
        CHECK(directory.entries() == 1);
    }
}

TEST_CASE("an unfinished film leaves nothing") {
    const test::Directory directory("unfinished");
    const VideoOptions options{.width = 64, .height = 48};
    for (const char* name : {"film.mp4", "film.gif", "film.png"}) {
        Result<Video> video = Video::create(directory.path / name, options);
        REQUIRE(video);
        REQUIRE(video->add(frame(options, 0)));
    }
    Result<Video> empty = Video::create(directory.path / "empty.mp4", options);
    REQUIRE(empty);
    CHECK(!empty->finish());
    CHECK(directory.entries() == 0);
}

TEST_CASE("a pipeline draws and encodes every picture in order") {
    const test::Directory directory("pipeline");
    const VideoOptions options{.width = 96, .height = 64, .sequence = true};
    Result<FramePipeline> pipeline = FramePipeline::create(directory.path / "ball.png", options);
    REQUIRE_MESSAGE(pipeline, pipeline.error().text());
    Picture picture = test::ball_picture();
    std::vector<std::vector<std::uint8_t>> expected;
    Result<Renderer> renderer = Renderer::create(96, 64);
    REQUIRE(renderer);
    for (int i = 0; i < 8; ++i) {
        picture.camera.eye.x = 0.5 * i;
        expected.push_back(test::drawn(*renderer, picture).rgb);
        REQUIRE(pipeline->submit(picture));
    }
    const auto files = pipeline->finish();
    REQUIRE_MESSAGE(files, files.error().text());
    REQUIRE(files->size() == 8);
    for (std::size_t i = 0; i < 8; ++i) {
        CHECK(read_png((*files)[i]) == expected[i]);
    }
    CHECK(!pipeline->submit(picture));
}

TEST_CASE("the panes of a frame stand row after row, each as it is drawn alone") {
    const test::Directory directory("panes");
    const VideoOptions options{.width = 101, .height = 68};
    Result<FramePipeline> pipeline = FramePipeline::create(directory.path / "six.png", options, {3, 2});
    REQUIRE_MESSAGE(pipeline, pipeline.error().text());
    Result<Renderer> renderer = Renderer::create(31, 32);  // 3·31 + 2·4 = 101, 2·32 + 4 = 68
    REQUIRE(renderer);
    CHECK(pipeline->pane_aspect() == doctest::Approx(31.0 / 32));
    std::vector<Picture> pictures(6, test::ball_picture());
    std::vector<std::uint8_t> expected(3 * 101 * 68, 255);
    for (std::size_t i = 0; i < 6; ++i) {
        pictures[i].camera.eye.x = 0.5 * static_cast<double>(i);
        const std::vector<std::uint8_t> pane = test::drawn(*renderer, pictures[i]).rgb;
        for (std::size_t y = 0; y < 32; ++y) {
            for (std::size_t x = 0; x < 3 * 31; ++x) {
                expected[3 * 101 * (y + i / 3 * 36) + 3 * 35 * (i % 3) + x] = pane[3 * 31 * y + x];
            }
        }
    }
    CHECK(!pipeline->submit(pictures[0]));
    REQUIRE(pipeline->submit(pictures));
    const auto files = pipeline->finish();
    REQUIRE(files);
    CHECK(read_png(files->front()) == expected);
}

TEST_CASE("a pipeline whose encoder dies reports it instead of waiting") {
    const test::Directory directory("pipeline_fails"), programs("fake_ffmpeg_2");
    write_fake_encoder(programs.path, "exit 3\n");
    const Path fake(programs.path.string() + ":" + std::getenv("PATH"));
    Result<FramePipeline> pipeline =
        FramePipeline::create(directory.path / "film.gif", {.width = 320, .height = 240});
    REQUIRE(pipeline);
    Status submitted;
    for (int i = 0; i < 100 && submitted; ++i) submitted = pipeline->submit(test::ball_picture());
    REQUIRE(!submitted);
    CHECK(submitted.error().message == "ffmpeg: failed with code 3");
    CHECK(!pipeline->finish());
    CHECK(directory.entries() == 0);
}
