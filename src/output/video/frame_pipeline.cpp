#include <pliant/output/frame_pipeline.h>

#include <pliant/output/renderer.h>
#include "base/floating_point.h"
#include "base/format.h"
#include "output/video/bounded_queue.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <utility>

namespace pliant::output {

namespace {

constexpr int gap = 4;  // pixels

// The frame as rows of bytes, in which a pane is drawn at its place.
class Sheet {
public:
    Sheet(const VideoOptions& options, Panes panes)
        : panes_(panes),
          width_((options.width - gap * (panes.columns - 1)) / panes.columns),
          height_((options.height - gap * (panes.rows - 1)) / panes.rows),
          row_(3 * static_cast<std::size_t>(options.width)),
          bytes_(row_ * static_cast<std::size_t>(options.height)) {}

    int width() const { return width_; }  // of a pane
    int height() const { return height_; }
    std::size_t panes() const { return static_cast<std::size_t>(panes_.columns * panes_.rows); }

    Result<std::vector<std::uint8_t>> draw(const std::vector<Picture>& pictures, Renderer& renderer) const {
        std::vector<std::uint8_t> frame(bytes_, 255), pane(renderer.bytes());
        for (std::size_t i = 0; i < pictures.size(); ++i) {
            if (const Status drawn = renderer.draw(pictures[i], pane); !drawn) return drawn.error();
            const auto columns = static_cast<std::size_t>(panes_.columns);
            place(pane, i / columns, i % columns, frame);
        }
        return frame;
    }

private:
    void place(const std::vector<std::uint8_t>& pane, std::size_t row, std::size_t column,
               std::vector<std::uint8_t>& frame) const {
        const auto width = static_cast<std::size_t>(width_), height = static_cast<std::size_t>(height_);
        const std::size_t left = 3 * column * (width + gap), top = row * (height + gap);
        for (std::size_t y = 0; y < height; ++y) {
            std::copy_n(pane.data() + 3 * width * y, 3 * width, frame.data() + row_ * (top + y) + left);
        }
    }

    Panes panes_;
    int width_, height_;
    std::size_t row_, bytes_;
};

}  // namespace

struct FramePipeline::Implementation {
    Implementation(Sheet s, Renderer r, Video v)
        : sheet(s), renderer(std::move(r)), video(std::move(v)), frames(3) {
        thread = std::thread([this] { draw(); });
    }
    ~Implementation() {
        frames.abandon();
        if (thread.joinable()) thread.join();
    }

    void draw() {
        while (const auto pictures = frames.pop()) {
            auto rgb = sheet.draw(*pictures, renderer);
            status = rgb ? video.add(std::move(*rgb)) : rgb.error();
            if (status) continue;
            frames.abandon();
            return;
        }
    }

    // Waits for the thread; from then on the status is ours.
    Status ended() {
        frames.close();
        if (thread.joinable()) thread.join();
        return status;
    }

    Sheet sheet;
    Renderer renderer;
    Video video;
    BoundedQueue<std::vector<Picture>> frames;
    Status status;  // the thread's, until it is joined
    std::thread thread;
};

FramePipeline::FramePipeline(std::unique_ptr<Implementation> implementation)
    : implementation_(std::move(implementation)) {}
FramePipeline::FramePipeline(FramePipeline&&) noexcept = default;
FramePipeline& FramePipeline::operator=(FramePipeline&&) noexcept = default;
FramePipeline::~FramePipeline() = default;

Result<FramePipeline> FramePipeline::create(const std::filesystem::path& file, const VideoOptions& options,
                                            Panes panes) {
    const StandardFloatingPoint floating_point;
    const Sheet sheet(options, panes);
    Result<Renderer> renderer = Renderer::create(sheet.width(), sheet.height());
    if (!renderer) return renderer.error();
    Result<Video> video = Video::create(file, options);
    if (!video) return video.error();
    return FramePipeline(std::make_unique<Implementation>(sheet, std::move(*renderer), std::move(*video)));
}

double FramePipeline::pane_aspect() const {
    const StandardFloatingPoint floating_point;
    return static_cast<double>(implementation_->sheet.width()) / implementation_->sheet.height();
}

Status FramePipeline::submit(Picture frame) {
    std::vector<Picture> pictures;
    pictures.push_back(std::move(frame));
    return submit(std::move(pictures));
}

Status FramePipeline::submit(std::vector<Picture> frame) {
    if (const std::size_t panes = implementation_->sheet.panes(); frame.size() != panes) {
        return Error{"pictures", fmt::format("a frame has {}, got {}", panes, frame.size())};
    }
    if (implementation_->frames.push(std::move(frame))) return {};
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
