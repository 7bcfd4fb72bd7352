#include "output/video/film_encoder.h"

#include "base/files/extension.h"
#include "base/files/partial_file.h"
#include "base/floating_point.h"
#include "base/format.h"
#include "output/video/png_file.h"
#include "output/video/process.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>

namespace pliant::output {
namespace {

namespace fs = std::filesystem;

// With "file:" in front a name may begin with a dash and have colons in it.
std::string argument(const fs::path& file) { return "file:" + file.string(); }

std::vector<std::string> start_of_command() {
    const std::string program = find_program("ffmpeg").value_or("ffmpeg").string();
    return {program, "-hide_banner", "-loglevel", "error", "-xerror", "-y"};
}

std::vector<std::string> reading_frames(const VideoOptions& o) {
    std::vector<std::string> command = start_of_command();
    command.insert(command.end(), {"-f", "rawvideo", "-pixel_format", "rgb24", "-video_size",
                                   fmt::format("{}x{}", o.width, o.height), "-framerate",
                                   fmt::format("{}", o.frames_per_second), "-i", "pipe:0"});
    return command;
}

// H.264 as every browser and phone plays it.
class Mp4 : public FilmEncoder {
public:
    static Result<std::unique_ptr<FilmEncoder>> create(const fs::path& file, const VideoOptions& options) {
        Result<PartialFile> partial = PartialFile::create(file);
        if (!partial) return partial.error();
        std::vector<std::string> command = reading_frames(options);
        command.insert(command.end(), {"-vf", "scale=out_color_matrix=bt709:out_range=tv,format=yuv420p",
                                       "-c:v", "libx264", "-preset", "veryfast", "-crf", "18", "-colorspace",
                                       "bt709", "-color_primaries", "bt709", "-color_trc", "iec61966-2-1",
                                       "-movflags", "+faststart", "-f", "mp4", argument(partial->path())});
        Result<Process> process = Process::start(command);
        if (!process) return process.error();
        return std::unique_ptr<FilmEncoder>(new Mp4(std::move(*partial), std::move(*process)));
    }

    Status add(std::span<const std::uint8_t> rgb) override { return process_.write(rgb); }

    Result<std::vector<fs::path>> finish() override {
        const fs::path file = partial_.file();
        if (const Status done = process_.finish(); !done) return done.error();
        if (const Status named = partial_.complete(); !named) return named.error();
        return std::vector<fs::path>{file};
    }

private:
    Mp4(PartialFile partial, Process process) : partial_(std::move(partial)), process_(std::move(process)) {}
    PartialFile partial_;
    Process process_;
};

// The best 256 colours are known only after the last frame. Until then the frames are kept in a file, without
// loss, rather than in memory: ten seconds in HD are more than a gigabyte.
class Gif : public FilmEncoder {
public:
    static Result<std::unique_ptr<FilmEncoder>> create(const fs::path& file, const VideoOptions& options) {
        const auto beside = [&](const char* what) { return PartialFile::create(fs::path(file) += what); };
        Result<PartialFile> partial = PartialFile::create(file), frames = beside(".frames"),
                            palette = beside(".palette");
        for (const auto* one : {&partial, &frames, &palette}) {
            if (!*one) return one->error();
        }
        std::vector<std::string> command = reading_frames(options);
        command.insert(command.end(), {"-filter_complex",
                                       "[0:v]split[frames][seen];[seen]palettegen=stats_mode=full[palette]",
                                       "-map",
                                       "[frames]",
                                       "-c:v",
                                       "ffv1",
                                       "-level",
                                       "3",
                                       "-slices",
                                       "4",
                                       "-f",
                                       "matroska",
                                       argument(frames->path()),
                                       "-map",
                                       "[palette]",
                                       "-c:v",
                                       "png",
                                       "-f",
                                       "image2pipe",
                                       argument(palette->path())});
        Result<Process> process = Process::start(command);
        if (!process) return process.error();
        return std::unique_ptr<FilmEncoder>(
            new Gif(std::move(*partial), std::move(*frames), std::move(*palette), std::move(*process)));
    }

    Status add(std::span<const std::uint8_t> rgb) override { return process_.write(rgb); }

    Result<std::vector<fs::path>> finish() override {
        if (const Status kept = process_.finish(); !kept) return kept.error();
        std::vector<std::string> command = start_of_command();
        command.insert(command.end(), {"-f", "matroska", "-i", argument(frames_.path()), "-f", "png_pipe",
                                       "-i", argument(palette_.path()), "-filter_complex",
                                       "[0:v][1:v]paletteuse=dither=bayer:bayer_scale=4:diff_mode=rectangle",
                                       "-loop", "0", "-f", "gif", argument(partial_.path())});
        Result<Process> encoding = Process::start(command);
        if (!encoding) return encoding.error();
        if (const Status done = encoding->finish(); !done) return done.error();
        const fs::path file = partial_.file();
        if (const Status named = partial_.complete(); !named) return named.error();
        return std::vector<fs::path>{file};
    }

private:
    Gif(PartialFile partial, PartialFile frames, PartialFile palette, Process process)
        : partial_(std::move(partial)),
          frames_(std::move(frames)),
          palette_(std::move(palette)),
          process_(std::move(process)) {}
    PartialFile partial_, frames_, palette_;
    Process process_;
};

class Pictures : public FilmEncoder {
public:
    static Result<std::unique_ptr<FilmEncoder>> create(const fs::path& file, const VideoOptions& options) {
        std::unique_ptr<Pictures> made(new Pictures(file, options));
        if (const Status begun = made->begin(); !begun) return begun.error();  // may it be written at all?
        return std::unique_ptr<FilmEncoder>(std::move(made));
    }

    Status add(std::span<const std::uint8_t> rgb) override {
        if (written_ > 0 && !options_.sequence) {
            return Error{file_.string(), "is one picture, but there is a second frame: ask for a sequence"};
        }
        if (written_ == partials_.size()) {
            if (const Status begun = begin(); !begun) return begun;
        }
        const PartialFile& partial = partials_[written_++];
        const Status done = write_png(partial.path(), options_.width, options_.height, rgb);
        return done ? done : Status{Error{partial.file().string(), done.error().message}};
    }

    Result<std::vector<fs::path>> finish() override {
        std::vector<fs::path> files;
        for (PartialFile& partial : partials_) {
            files.push_back(partial.file());
            if (const Status named = partial.complete(); !named) return named.error();
        }
        // What a longer sequence of that name left would seem to belong to this one.
        std::error_code failed;
        std::size_t next = files.size() + 1;
        while (options_.sequence && fs::remove(picture_name(file_, next), failed)) ++next;
        return files;
    }

private:
    Pictures(fs::path file, const VideoOptions& options) : file_(std::move(file)), options_(options) {}

    Status begin() {
        const fs::path name = options_.sequence ? picture_name(file_, partials_.size() + 1) : file_;
        Result<PartialFile> partial = PartialFile::create(name);
        if (!partial) return partial.error();
        partials_.push_back(std::move(*partial));
        return {};
    }

    fs::path file_;
    VideoOptions options_;
    std::vector<PartialFile> partials_;
    std::size_t written_ = 0;
};

}  // namespace

fs::path picture_name(const fs::path& file, std::size_t number) {
    fs::path name = file;
    return name.replace_filename(
        fmt::format("{}_{:04}{}", file.stem().string(), number, file.extension().string()));
}

Status check_video(const fs::path& file, const VideoOptions& o) {
    const StandardFloatingPoint floating_point;
    constexpr int longest = 8192;
    const std::string ending = extension_of(file);
    const auto bad = [&](const std::string& message) { return Error{file.string(), message}; };
    if (ending != ".mp4" && ending != ".gif" && ending != ".png") {
        return bad(fmt::format("must end in .mp4, .gif or .png, not \"{}\"", ending));
    }
    if (o.width < 1 || o.height < 1 || o.width > longest || o.height > longest) {
        return bad(fmt::format("must be from 1 × 1 to {} × {} pixels, got {} × {}", longest, longest, o.width,
                               o.height));
    }
    if (ending == ".mp4" && (o.width % 2 != 0 || o.height % 2 != 0)) {
        return bad(fmt::format("an MP4 needs an even width and height, got {} × {}", o.width, o.height));
    }
    if (!(o.frames_per_second > 0 && o.frames_per_second <= 1000)) {
        return bad(fmt::format("must have more than 0 and at most 1000 frames per second, got {}",
                               o.frames_per_second));
    }
    const double playable = playable_rate(file, o.frames_per_second);
    if (std::abs(playable - o.frames_per_second) > 0.01 * playable) {
        return bad(fmt::format(
            "a GIF shows a frame for whole hundredths of a second: {:.4g} frames per second can be "
            "kept, {} cannot",
            playable, o.frames_per_second));
    }
    if (ending != ".png" && !has_video_encoder()) {
        return bad(
            "needs the program ffmpeg, which is not in PATH: install the package ffmpeg, or write pictures "
            "(.png)");
    }
    return {};
}

bool has_video_encoder() { return find_program("ffmpeg").has_value(); }

fs::path as_pictures(fs::path file) { return file.replace_extension(".png"); }

double playable_rate(const fs::path& file, double frames_per_second) {
    const StandardFloatingPoint floating_point;
    if (extension_of(file) != ".gif" || !(frames_per_second > 0)) return frames_per_second;
    // Browsers slow frames shorter than two hundredths down to ten.
    return 100 / std::max(std::round(100 / frames_per_second), 2.0);
}

Result<std::unique_ptr<FilmEncoder>> make_film_encoder(const fs::path& file, const VideoOptions& options) {
    const StandardFloatingPoint floating_point;
    const std::string ending = extension_of(file);
    if (const Status good = check_video(file, options); !good) return good.error();
    if (ending == ".mp4") return Mp4::create(file, options);
    if (ending == ".gif") return Gif::create(file, options);
    return Pictures::create(file, options);
}

}  // namespace pliant::output
