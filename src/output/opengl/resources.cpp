#include "output/opengl/resources.h"

#include "base/format.h"
#include "output/opengl/shaders/common.glsl.h"
#include "output/opengl/shaders/fragment_common.glsl.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <string>

namespace pliant::output::opengl {
namespace {

Result<GLuint> compile(const Functions& gl, GLenum kind, std::string_view source) {
    const GLuint shader = gl.CreateShader(kind);
    const std::array<std::string_view, 3> pieces{
        embedded::common_glsl, kind == GL_FRAGMENT_SHADER ? embedded::fragment_common_glsl : "", source};
    std::array<const char*, 3> texts{};
    std::array<GLint, 3> lengths{};
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        texts[i] = pieces[i].data();
        lengths[i] = static_cast<GLint>(pieces[i].size());
    }
    gl.ShaderSource(shader, 3, texts.data(), lengths.data());
    gl.CompileShader(shader);
    GLint compiled = 0;
    gl.GetShaderiv(shader, GL_COMPILE_STATUS, &compiled);
    if (compiled != 0) return shader;
    std::array<char, 500> log{};
    gl.GetShaderInfoLog(shader, static_cast<GLsizei>(log.size()), nullptr, log.data());
    gl.DeleteShader(shader);
    return Error{"pictures", fmt::format("the driver refuses a shader: {}", log.data())};
}

}  // namespace

Result<Program> make_program(const Functions& gl, std::string_view vertex, std::string_view fragment) {
    const Result<GLuint> first = compile(gl, GL_VERTEX_SHADER, vertex);
    if (!first) return first.error();
    const Result<GLuint> second = compile(gl, GL_FRAGMENT_SHADER, fragment);
    if (!second) return second.error();
    Program program{gl.CreateProgram()};
    for (const GLuint shader : {*first, *second}) {
        gl.AttachShader(program.id, shader);
        gl.DeleteShader(shader);  // once the program goes
    }
    gl.LinkProgram(program.id);
    GLint linked = 0;
    gl.GetProgramiv(program.id, GL_LINK_STATUS, &linked);
    if (linked == 0) {
        std::array<char, 500> log{};
        gl.GetProgramInfoLog(program.id, static_cast<GLsizei>(log.size()), nullptr, log.data());
        return Error{"pictures", fmt::format("the driver refuses to join shaders: {}", log.data())};
    }
    program.material = gl.GetUniformLocation(program.id, "material");
    program.view = gl.GetUniformLocation(program.id, "view");
    const GLuint block = gl.GetUniformBlockIndex(program.id, "Stage");
    if (block != GL_INVALID_INDEX) gl.UniformBlockBinding(program.id, block, 0);
    gl.UseProgram(program.id);
    constexpr const char* names[] = {"lamp_depths", "lamp_shades", "sky_shades", "ground_sky", "lamp_marks"};
    for (GLint unit = 0; unit < static_cast<GLint>(std::size(names)); ++unit) {
        gl.Uniform1i(gl.GetUniformLocation(program.id, names[unit]), unit);
    }
    return program;
}

Target make_depth_target(const Functions& gl, int size) {
    Target target;
    gl.GenTextures(1, &target.texture);
    gl.BindTexture(GL_TEXTURE_2D, target.texture);
    gl.TexImage2D(GL_TEXTURE_2D, 0, GL_DEPTH_COMPONENT32F, size, size, 0, GL_DEPTH_COMPONENT, GL_FLOAT,
                  nullptr);
    gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
    gl.GenFramebuffers(1, &target.frame);
    gl.BindFramebuffer(GL_FRAMEBUFFER, target.frame);
    gl.FramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, target.texture, 0);
    gl.DrawBuffer(GL_NONE);
    gl.ReadBuffer(GL_NONE);
    return target;
}

Target make_gray_target(const Functions& gl, int size) {
    Target target;
    gl.GenTextures(1, &target.texture);
    gl.BindTexture(GL_TEXTURE_2D, target.texture);
    gl.TexImage2D(GL_TEXTURE_2D, 0, GL_R16F, size, size, 0, GL_RED, GL_FLOAT, nullptr);
    gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
    gl.GenFramebuffers(1, &target.frame);
    gl.BindFramebuffer(GL_FRAMEBUFFER, target.frame);
    gl.FramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, target.texture, 0);
    return target;
}

Status make_screen(const Functions& gl, Screen& screen, int width, int height) {
    // 16 times as many bytes as pixels, four times over: 8K takes one gigabyte, and more is a mistake.
    constexpr int longest = 8192, most = 7680 * 4320;
    if (width < 1 || height < 1 || width > longest || height > longest || width > most / height) {
        return Error{"pictures", fmt::format("must be from 1 × 1 to {} × {} pixels, with at most {} in all, "
                                             "got {} × {}",
                                             longest, longest, most, width, height)};
    }
    GLint offered = 1;
    gl.GetIntegerv(GL_MAX_SAMPLES, &offered);
    const GLint samples = std::clamp<GLint>(offered, 1, 4);
    Screen made{width, height};
    const auto renderbuffer = [&](GLuint& id, GLsizei count, GLenum format) {
        gl.GenRenderbuffers(1, &id);
        gl.BindRenderbuffer(GL_RENDERBUFFER, id);
        gl.RenderbufferStorageMultisample(GL_RENDERBUFFER, count, format, width, height);
    };
    while (gl.GetError() != GL_NO_ERROR) {
    }
    renderbuffer(made.samples_color, samples, GL_RGBA8);
    renderbuffer(made.samples_depth, samples, GL_DEPTH_COMPONENT32F);
    renderbuffer(made.color, 0, GL_RGBA8);
    gl.GenFramebuffers(1, &made.samples_frame);
    gl.BindFramebuffer(GL_FRAMEBUFFER, made.samples_frame);
    gl.FramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, made.samples_color);
    gl.FramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, made.samples_depth);
    const bool first = gl.CheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
    gl.GenFramebuffers(1, &made.frame);
    gl.BindFramebuffer(GL_FRAMEBUFFER, made.frame);
    gl.FramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, made.color);
    const bool second = gl.CheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
    if (!first || !second || gl.GetError() != GL_NO_ERROR) {
        free_screen(gl, made);
        return Error{"pictures", fmt::format("there is no memory for {} × {} pixels", width, height)};
    }
    free_screen(gl, screen);
    screen = made;
    return {};
}

void free_screen(const Functions& gl, Screen& screen) {
    // Names that are 0 are ignored.
    gl.DeleteFramebuffers(1, &screen.samples_frame);
    gl.DeleteFramebuffers(1, &screen.frame);
    gl.DeleteRenderbuffers(1, &screen.samples_color);
    gl.DeleteRenderbuffers(1, &screen.samples_depth);
    gl.DeleteRenderbuffers(1, &screen.color);
    screen = {};
}

}  // namespace pliant::output::opengl
