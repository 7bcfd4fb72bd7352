#include "output/figures/svg_to_png.h"

#ifndef __EMSCRIPTEN__
#include "base/files/partial_file.h"
#include "output/video/process.h"

#include <cstdint>
#include <span>
#endif

namespace pliant::output {

#ifdef __EMSCRIPTEN__

Status svg_to_png(std::string_view, const std::filesystem::path& file) {
    return Error{file.string(), "WebAssembly cannot write .png: use .svg"};
}

#else

Status svg_to_png(std::string_view svg, const std::filesystem::path& file) {
    Result<PartialFile> picture = PartialFile::create(file);
    if (!picture) return picture.error();
    const auto program = find_program("rsvg-convert");
    if (!program) {
        return Error{file.string(),
                     "needs the program rsvg-convert (Debian package librsvg2-bin); .svg needs nothing"};
    }
    const auto about_file = [&](const Error& error) { return Error{file.string(), error.text()}; };
    Result<Process> process = Process::start(
        {program->string(), "--zoom=2", "--format=png", "--output=" + picture->path().string()});
    if (!process) return about_file(process.error());
    const Status fed = process->write({reinterpret_cast<const std::uint8_t*>(svg.data()), svg.size()});
    if (!fed) return about_file(fed.error());
    if (const Status drawn = process->finish(); !drawn) return about_file(drawn.error());
    return picture->complete();
}

#endif

}  // namespace pliant::output
