// Films (.mp4, .gif, by the program ffmpeg) and pictures (.png) from frames of pixels.
#pragma once

#include <pliant/error.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <vector>

namespace pliant::output {

struct VideoOptions {
    int width = 1280, height = 720;
    double frames_per_second = 50;
    bool sequence = false;         // .png: NAME_0001.png, NAME_0002.png …, else NAME.png, a single frame
    std::size_t queue_length = 4;  // frames that may wait for the encoder
};

// Whether the program that .mp4 and .gif need is there. Without it a sequence of pictures can be written.
bool has_video_encoder();

// Whether such a film can be made at all.
Status check_video(const std::filesystem::path& file, const VideoOptions& options);

// NAME_0001.png for NAME.png, the first picture of a sequence.
std::filesystem::path picture_name(const std::filesystem::path& file, std::size_t number);

// NAME.png for NAME.mp4, for a caller that falls back to a sequence.
std::filesystem::path as_pictures(std::filesystem::path file);

// The rate nearest to the wanted one that the format can keep: a GIF counts in hundredths of a second.
double playable_rate(const std::filesystem::path& file, double frames_per_second);

// Encoding runs in a thread of its own. Files appear under their names only when all is complete; if anything
// fails, or if it is destroyed before, nothing is left behind and older files stay.
class Video {
public:
    // The extension decides the format.
    static Result<Video> create(const std::filesystem::path& file, const VideoOptions& options);

    Video(Video&&) noexcept;
    Video& operator=(Video&&) noexcept;
    ~Video();

    // Red, green, blue for each pixel, row after row from the top. Waits only while the queue is full.
    // Fails as soon as encoding has failed.
    Status add(std::vector<std::uint8_t> rgb);

    // Waits until everything is written and returns the files.
    Result<std::vector<std::filesystem::path>> finish();

private:
    struct Implementation;
    explicit Video(std::unique_ptr<Implementation> implementation);
    std::unique_ptr<Implementation> implementation_;
};

}  // namespace pliant::output
