#include "output/video/png_file.h"

#include <png.h>

#include <cerrno>
#include <csetjmp>
#include <cstdio>
#include <string>

#include "base/files/partial_file.h"
#include "base/format.h"

namespace pliant::output {
namespace {

// libpng reports by a long jump: nothing with a destructor may live in this function.
bool encode(std::FILE* out, png_structp png, png_infop info, int width, int height, const std::uint8_t* rgb) {
    if (setjmp(png_jmpbuf(png)) != 0) return false;
    png_init_io(png, out);
    // Rows differ little from those above; harder compression takes several times as long for a tenth less.
    png_set_filter(png, 0, PNG_FILTER_UP);
    png_set_compression_level(png, 2);
    png_set_IHDR(png, info, static_cast<png_uint_32>(width), static_cast<png_uint_32>(height), 8,
                 PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    png_set_sRGB(png, info, PNG_sRGB_INTENT_PERCEPTUAL);
    png_write_info(png, info);
    for (int y = 0; y < height; ++y) {
        png_write_row(png, rgb + 3 * static_cast<std::size_t>(width) * static_cast<std::size_t>(y));
    }
    png_write_end(png, info);
    return true;
}

void ignore(png_structp, png_const_charp) {}

[[noreturn]] void fail(png_structp png, png_const_charp) { png_longjmp(png, 1); }

}  // namespace

Status write_png(const std::filesystem::path& file, int width, int height,
                 std::span<const std::uint8_t> rgb) {
    if (width < 1 || height < 1 ||
        rgb.size() != 3 * static_cast<std::size_t>(width) * static_cast<std::size_t>(height)) {
        return Error{file.string(),
                     fmt::format("{} bytes are no picture of {} × {}", rgb.size(), width, height)};
    }
    errno = 0;
    std::FILE* out = std::fopen(file.c_str(), "wb");
    if (out == nullptr) return cannot_write(file, errno);
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, fail, ignore);
    png_infop info = png != nullptr ? png_create_info_struct(png) : nullptr;
    bool written = info != nullptr && encode(out, png, info, width, height, rgb.data());
    int code = errno;
    png_destroy_write_struct(&png, &info);
    if (std::fclose(out) != 0) {
        code = written ? errno : code;
        written = false;
    }
    return written ? Status{} : Status{cannot_write(file, code)};
}

}  // namespace pliant::output
