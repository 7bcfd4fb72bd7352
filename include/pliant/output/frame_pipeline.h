// From pictures to a film: while one frame is simulated, the one before is drawn and the one before that is
// encoded, each in a thread of its own.
#pragma once

#include <pliant/error.h>
#include <pliant/output/picture.h>
#include <pliant/output/video.h>

#include <filesystem>
#include <memory>
#include <vector>

namespace pliant::output {

class FramePipeline {
public:
    // Fails if nothing can be drawn here, or if the file cannot be written.
    static Result<FramePipeline> create(const std::filesystem::path& file, const VideoOptions& options,
                                        Panes panes = {});

    FramePipeline(FramePipeline&&) noexcept;
    FramePipeline& operator=(FramePipeline&&) noexcept;
    ~FramePipeline();  // unless finished, leaves no file

    double pane_aspect() const;  // width over height

    // A picture for each pane. Waits only while several frames wait to be drawn. Fails as soon as drawing or
    // encoding has failed.
    Status submit(std::vector<Picture> frame);
    Status submit(Picture frame);

    // Waits until all is drawn and written, and returns the files.
    Result<std::vector<std::filesystem::path>> finish();

private:
    struct Implementation;
    explicit FramePipeline(std::unique_ptr<Implementation> implementation);
    std::unique_ptr<Implementation> implementation_;
};

}  // namespace pliant::output
