#include "output/svg_to_png.h"

#include "base/output_file.h"

#include <cerrno>
#include <fstream>
#include <string>
#include <system_error>

#ifndef __EMSCRIPTEN__
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
#endif

namespace pliant::output {

#ifdef __EMSCRIPTEN__

Status svg_to_png(std::string_view, const std::filesystem::path& file) {
    return Error{file.string(), "WebAssembly cannot write .png: use .svg"};
}

#else

namespace {

// A file that is gone at the end.
struct Temporary {
    std::filesystem::path path;
    ~Temporary() {
        std::error_code ignored;
        std::filesystem::remove(path, ignored);
    }
};

// Its exit code; 127 if there is no such program.
int run_rsvg_convert(const std::filesystem::path& svg, const std::filesystem::path& png) {
    const std::string input = svg.string(), output = png.string();
    const char* arguments[] = {"rsvg-convert", "--zoom=2", "--format=png", "--output",
                               output.c_str(), "--",       input.c_str(),  nullptr};
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    pid_t child = 0;
    const int failed =
        posix_spawnp(&child, arguments[0], &actions, nullptr, const_cast<char**>(arguments), environ);
    posix_spawn_file_actions_destroy(&actions);
    if (failed != 0) return 127;
    int status = 0;
    while (waitpid(child, &status, 0) < 0) {
        if (errno != EINTR) return 1;
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

}  // namespace

Status svg_to_png(std::string_view svg, const std::filesystem::path& file) {
    const Temporary drawing{file.string() + ".drawing.svg"}, picture{file.string() + ".drawing.png"};
    OutputFile out(file);
    OutputFile input(drawing.path);
    input.write(svg);
    if (const Status written = input.commit(); !written) return Error{file.string(), written.error().message};
    const int code = run_rsvg_convert(drawing.path, picture.path);
    if (code == 127) {
        return Error{file.string(),
                     "needs the program rsvg-convert (Debian package librsvg2-bin); .svg needs nothing"};
    }
    std::ifstream in(picture.path, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(in), {}};
    if (code != 0 || bytes.empty()) {
        return Error{file.string(), fmt::format("rsvg-convert failed with exit code {}", code)};
    }
    out.write(bytes);
    return out.commit();
}

#endif

}  // namespace pliant::output
