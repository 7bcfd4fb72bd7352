// What turns frames into files, one after the other.
#pragma once

#include <pliant/output/video.h>

#include <pliant/error.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <vector>

namespace pliant::output {

class FilmEncoder {
public:
    virtual ~FilmEncoder() = default;
    virtual Status add(std::span<const std::uint8_t> rgb) = 0;
    virtual Result<std::vector<std::filesystem::path>> finish() = 0;
};

// Checks all that can be checked before the first frame.
Result<std::unique_ptr<FilmEncoder>> make_film_encoder(const std::filesystem::path& file,
                                                       const VideoOptions& options);

}  // namespace pliant::output
