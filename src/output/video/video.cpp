#include <pliant/output/video.h>

#include "base/format.h"
#include "output/video/bounded_queue.h"
#include "output/video/film_encoder.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <thread>
#include <utility>

namespace pliant::output {

struct Video::Implementation {
    Implementation(std::filesystem::path path, const VideoOptions& o, std::unique_ptr<FilmEncoder> made)
        : file(std::move(path)),
          options(o),
          encoder(std::move(made)),
          frames(std::max<std::size_t>(o.queue_length, 1)) {
        thread = std::thread([this] { encode(); });
    }
    ~Implementation() {
        frames.abandon();
        if (thread.joinable()) thread.join();
    }

    void encode() {
        while (const auto frame = frames.pop()) {
            const Status added = encoder->add(*frame);
            if (added) continue;
            status = about_file(added.error());
            frames.abandon();
            return;
        }
    }

    // Names the file too where only the encoder is named.
    Error about_file(const Error& error) const {
        const bool encoder_named = error.path == "ffmpeg";
        return encoder_named ? Error{file.string(), error.text()} : error;
    }

    // Waits for the thread; from then on the status is ours.
    Status ended() {
        frames.close();
        if (thread.joinable()) thread.join();
        return status;
    }

    std::filesystem::path file;
    VideoOptions options;
    std::unique_ptr<FilmEncoder> encoder;
    BoundedQueue<std::vector<std::uint8_t>> frames;
    Status status;  // the thread's, until it is joined
    std::size_t count = 0;
    std::thread thread;
};

Video::Video(std::unique_ptr<Implementation> implementation) : implementation_(std::move(implementation)) {}
Video::Video(Video&&) noexcept = default;
Video& Video::operator=(Video&&) noexcept = default;
Video::~Video() = default;

Result<Video> Video::create(const std::filesystem::path& file, const VideoOptions& options) {
    Result<std::unique_ptr<FilmEncoder>> encoder = make_film_encoder(file, options);
    if (!encoder) return encoder.error();
    return Video(std::make_unique<Implementation>(file, options, std::move(*encoder)));
}

Status Video::add(std::vector<std::uint8_t> rgb) {
    Implementation& i = *implementation_;
    const std::size_t needed =
        3 * static_cast<std::size_t>(i.options.width) * static_cast<std::size_t>(i.options.height);
    if (rgb.size() != needed) {
        return Error{i.file.string(), fmt::format("a frame of {} × {} has {} bytes, got {}", i.options.width,
                                                  i.options.height, needed, rgb.size())};
    }
    ++i.count;
    if (i.frames.push(std::move(rgb))) return {};
    const Status status = i.ended();
    return status ? Status{Error{i.file.string(), "is finished: no frame can be added"}} : status;
}

Result<std::vector<std::filesystem::path>> Video::finish() {
    Implementation& i = *implementation_;
    if (const Status status = i.ended(); !status) {
        i.encoder.reset();  // nothing half-written stays
        return status.error();
    }
    if (!i.encoder) return Error{i.file.string(), "is finished already"};
    const std::unique_ptr<FilmEncoder> encoder = std::move(i.encoder);
    if (i.count == 0) return Error{i.file.string(), "there is no frame to write"};
    Result<std::vector<std::filesystem::path>> files = encoder->finish();
    if (!files) return i.about_file(files.error());
    return files;
}

}  // namespace pliant::output
