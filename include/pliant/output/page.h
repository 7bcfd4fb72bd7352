// Records pictures and writes them as one web page that plays them anywhere, offline.
#pragma once

#include <pliant/error.h>
#include <pliant/output/picture.h>

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace pliant::output {

struct PageOptions {
    std::string caption{};           // may have several lines; the first is the title
    double interval = 1.0 / 60;      // s, between two frames
    Panes panes{};                   // all are seen by one camera, which the viewer turns
    std::optional<Camera> camera{};  // at the start; if not given, one that shows everything
};

class PageWriter {
public:
    explicit PageWriter(PageOptions options);

    PageWriter(PageWriter&&) noexcept;
    PageWriter& operator=(PageWriter&&) noexcept;
    ~PageWriter();

    // A picture for each pane, every time with surfaces, tubes, beads and colliders as many and as large as
    // in the first. Its captions are shown in the pane; its camera and its scale of values are not shown.
    Status add(const std::vector<Picture>& frame);
    Status add(const Picture& frame);

    std::size_t frames() const;

    // Appears under its name only when it is complete. Needs a frame.
    Status write(const std::filesystem::path& file) const;

private:
    struct Implementation;
    std::unique_ptr<Implementation> implementation_;
};

}  // namespace pliant::output
