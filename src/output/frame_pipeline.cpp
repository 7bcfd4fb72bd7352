#include "output/frame_pipeline.h"

#include "output/bounded_queue.h"
#include "output/renderer.h"

#include <cstdint>
#include <thread>
#include <utility>

namespace pliant::output {

struct FramePipeline::Implementation {
    Implementation(Renderer r, Video v) : renderer(std::move(r)), video(std::move(v)), pictures(3) {
        thread = std::thread([this] { draw(); });
    }
    ~Implementation() {
        pictures.abandon();
        if (thread.joinable()) thread.join();
    }

    void draw() {
        while (const auto picture = pictures.pop()) {
            std::vector<std::uint8_t> rgb(renderer.bytes());
            status = renderer.draw(*picture, rgb);
            if (status) status = video.add(std::move(rgb));
            if (status) continue;
            pictures.abandon();
            return;
        }
    }

    // Waits for the thread; from then on the status is ours.
    Status ended() {
        pictures.close();
        if (thread.joinable()) thread.join();
        return status;
    }

    Renderer renderer;
    Video video;
    BoundedQueue<Picture> pictures;
    Status status;  // the thread's, until it is joined
    std::thread thread;
};

FramePipeline::FramePipeline(std::unique_ptr<Implementation> implementation)
    : implementation_(std::move(implementation)) {}
FramePipeline::FramePipeline(FramePipeline&&) noexcept = default;
FramePipeline& FramePipeline::operator=(FramePipeline&&) noexcept = default;
FramePipeline::~FramePipeline() = default;

Result<FramePipeline> FramePipeline::create(const std::filesystem::path& file, const VideoOptions& options) {
    Result<Renderer> renderer = Renderer::create(options.width, options.height);
    if (!renderer) return renderer.error();
    Result<Video> video = Video::create(file, options);
    if (!video) return video.error();
    return FramePipeline(std::make_unique<Implementation>(std::move(*renderer), std::move(*video)));
}

Status FramePipeline::submit(Picture picture) {
    if (implementation_->pictures.push(std::move(picture))) return {};
    const Status status = implementation_->ended();
    return status ? Status{Error{"pictures", "the film is finished: no frame can be added"}} : status;
}

Result<std::vector<std::filesystem::path>> FramePipeline::finish() {
    const Status status = implementation_->ended();
    Result<std::vector<std::filesystem::path>> files = implementation_->video.finish();
    if (!status) return status.error();
    return files;
}

}  // namespace pliant::output
