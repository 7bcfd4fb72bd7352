// In place of opengl/renderer.cpp where the headers of EGL and OpenGL were not found.
#include <pliant/output/renderer.h>

namespace pliant::output {
namespace {

constexpr const char* advice = "this build cannot draw: install libegl-dev and libgl-dev, and build again";

}  // namespace

struct Renderer::Implementation {};

Renderer::Renderer(std::unique_ptr<Implementation> implementation)
    : implementation_(std::move(implementation)) {}
Renderer::Renderer(Renderer&&) noexcept = default;
Renderer& Renderer::operator=(Renderer&&) noexcept = default;
Renderer::~Renderer() = default;

Result<Renderer> Renderer::create(int, int) { return Error{"pictures", advice}; }
int Renderer::width() const { return 0; }
int Renderer::height() const { return 0; }
std::size_t Renderer::bytes() const { return 0; }
std::string Renderer::device() const { return ""; }
Status Renderer::resize(int, int) { return Error{"pictures", advice}; }
Status Renderer::draw(const Picture&, std::span<std::uint8_t>) { return Error{"pictures", advice}; }

}  // namespace pliant::output
