// Draws pictures without a window or a screen, on the graphics card if there is one, else on the CPU.
#pragma once

#include <pliant/error.h>
#include <pliant/output/picture.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace pliant::output {

class Renderer {
public:
    // Fails if EGL or an OpenGL driver is missing; the error names the packages to install.
    static Result<Renderer> create(int width, int height);

    Renderer(Renderer&&) noexcept;
    Renderer& operator=(Renderer&&) noexcept;
    ~Renderer();

    int width() const;
    int height() const;
    std::size_t bytes() const;  // of a picture
    std::string device() const;

    Status resize(int width, int height);

    // Red, green, blue for each pixel, row after row from the top. The same picture gives the same bytes
    // each time on the same device. One thread at a time, but not always the same.
    Status draw(const Picture& picture, std::span<std::uint8_t> rgb);

private:
    struct Implementation;
    explicit Renderer(std::unique_ptr<Implementation> implementation);
    std::unique_ptr<Implementation> implementation_;
};

}  // namespace pliant::output
