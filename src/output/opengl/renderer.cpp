#include <pliant/output/renderer.h>

#include "base/floating_point.h"
#include "base/format.h"
#include "output/opengl/context.h"
#include "output/opengl/geometry.h"
#include "output/opengl/resources.h"
#include "output/opengl/shaders/backdrop_fragment.glsl.h"
#include "output/opengl/shaders/body_fragment.glsl.h"
#include "output/opengl/shaders/body_vertex.glsl.h"
#include "output/opengl/shaders/depth_fragment.glsl.h"
#include "output/opengl/shaders/depth_vertex.glsl.h"
#include "output/opengl/shaders/ground_fragment.glsl.h"
#include "output/opengl/shaders/ground_vertex.glsl.h"
#include "output/opengl/shaders/patch_fragment.glsl.h"
#include "output/opengl/shaders/screen_vertex.glsl.h"
#include "output/opengl/stage.h"
#include "output/picture/annotate.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace pliant::output {

using namespace opengl;

namespace {

constexpr int lamp_size = 1024, sky_tile = 128, patch_size = 112, mark_size = 64;

struct Look {
    float gloss, clear, open;
};

Look look_of(Finish finish) {
    switch (finish) {
        case Finish::jelly:
            return {1, 0.6f, 0};
        case Finish::cloth:
            return {0, 0, 1};
        case Finish::matte:
            break;
    }
    return {0.3f, 0, 0};
}

}  // namespace

struct Renderer::Implementation {
    explicit Implementation(Context made) : context(std::move(made)), gl(context.functions()) {}

    Status prepare(int width, int height);
    Status make_programs();
    void make_textures();
    void make_buffers();
    void upload(const StageBlock& block);
    void mark_shadows(const StageBlock& block);
    void draw_shadows(bool coarse);
    void draw_bodies();
    void draw_depths();
    void draw_screen(bool ground);
    void read(std::span<std::uint8_t> rgb);

    Context context;
    const Functions& gl;
    Program depth, body, backdrop, ground, patch;
    Target lamp, sky, ground_sky;
    Screen screen;
    GLuint compare = 0, plain = 0, nearest = 0;  // samplers
    GLuint array = 0, nothing = 0;               // vertex arrays
    GLuint vertices = 0, indices = 0, stage = 0;
    GLuint lamp_marks = 0;
    Geometry geometry;
    std::vector<std::uint8_t> rgba, marks;
};

Status Renderer::Implementation::prepare(int width, int height) {
    const Context::Use use(context);
    if (!use) return Error{"pictures", "the OpenGL context cannot be used"};
    if (const Status made = make_programs(); !made) return made;
    make_textures();
    make_buffers();
    return make_screen(gl, screen, width, height);
}

Status Renderer::Implementation::make_programs() {
    using namespace embedded;
    const struct {
        Program* program;
        std::string_view vertex, fragment;
    } sources[] = {
        {&depth, depth_vertex_glsl, depth_fragment_glsl},
        {&body, body_vertex_glsl, body_fragment_glsl},
        {&backdrop, screen_vertex_glsl, backdrop_fragment_glsl},
        {&ground, ground_vertex_glsl, ground_fragment_glsl},
        {&patch, screen_vertex_glsl, patch_fragment_glsl},
    };
    for (const auto& source : sources) {
        Result<Program> made = make_program(gl, source.vertex, source.fragment);
        if (!made) return made.error();
        *source.program = *made;
    }
    return {};
}

void Renderer::Implementation::make_textures() {
    lamp = make_depth_target(gl, lamp_size);
    sky = make_depth_target(gl, 4 * sky_tile);
    ground_sky = make_gray_target(gl, patch_size);
    const auto sampler = [&](GLint filter) {
        GLuint id = 0;
        gl.GenSamplers(1, &id);
        gl.SamplerParameteri(id, GL_TEXTURE_MIN_FILTER, filter);
        gl.SamplerParameteri(id, GL_TEXTURE_MAG_FILTER, filter);
        gl.SamplerParameteri(id, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
        gl.SamplerParameteri(id, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
        return id;
    };
    compare = sampler(GL_LINEAR);
    gl.SamplerParameteri(compare, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
    gl.SamplerParameteri(compare, GL_TEXTURE_COMPARE_FUNC, GL_LEQUAL);
    plain = sampler(GL_LINEAR);
    nearest = sampler(GL_NEAREST);
    const auto bind = [&](GLenum unit, GLuint texture, GLuint with) {
        gl.ActiveTexture(GL_TEXTURE0 + unit);
        gl.BindTexture(GL_TEXTURE_2D, texture);
        gl.BindSampler(unit, with);
    };
    bind(lamp_depths_unit, lamp.texture, nearest);
    bind(lamp_shades_unit, lamp.texture, compare);
    bind(sky_shades_unit, sky.texture, compare);
    bind(ground_sky_unit, ground_sky.texture, plain);
    gl.GenTextures(1, &lamp_marks);
    bind(lamp_marks_unit, lamp_marks, nearest);
}

void Renderer::Implementation::make_buffers() {
    gl.GenBuffers(1, &vertices);
    gl.GenBuffers(1, &indices);
    gl.GenBuffers(1, &stage);
    gl.GenVertexArrays(1, &nothing);
    gl.GenVertexArrays(1, &array);
    gl.BindVertexArray(array);
    gl.BindBuffer(GL_ARRAY_BUFFER, vertices);
    gl.BindBuffer(GL_ELEMENT_ARRAY_BUFFER, indices);
    const auto attribute = [&](GLuint place, GLint count, GLenum type, GLboolean scaled, std::size_t offset) {
        gl.EnableVertexAttribArray(place);
        gl.VertexAttribPointer(place, count, type, scaled, sizeof(Vertex),
                               reinterpret_cast<const void*>(offset));
    };
    attribute(0, 3, GL_FLOAT, GL_FALSE, offsetof(Vertex, position));
    attribute(1, 3, GL_FLOAT, GL_FALSE, offsetof(Vertex, normal));
    attribute(2, 4, GL_UNSIGNED_BYTE, GL_TRUE, offsetof(Vertex, color));
    attribute(3, 2, GL_FLOAT, GL_FALSE, offsetof(Vertex, yarn));
}

void Renderer::Implementation::upload(const StageBlock& block) {
    const auto send = [&](GLenum kind, GLuint buffer, std::size_t size, const void* data) {
        gl.BindBuffer(kind, buffer);
        gl.BufferData(kind, static_cast<GLsizeiptr>(size), data, GL_STREAM_DRAW);
    };
    gl.BindVertexArray(array);
    send(GL_ARRAY_BUFFER, vertices, geometry.vertices.size() * sizeof(Vertex), geometry.vertices.data());
    send(GL_ELEMENT_ARRAY_BUFFER, indices, geometry.indices.size() * sizeof(std::uint32_t),
         geometry.indices.data());
    send(GL_UNIFORM_BUFFER, stage, sizeof block, &block);
    gl.BindBufferBase(GL_UNIFORM_BUFFER, 0, stage);
}

// Marks the cells of the lamp's map into which a shadow can fall, those under the triangles and around them
// as far as penumbras go, with the nearness to the lamp of the nearest corner.
void Renderer::Implementation::mark_shadows(const StageBlock& block) {
    constexpr int border = 3;  // cells; more than 0.035 of the map
    marks.assign(mark_size * mark_size, 0);
    const Matrix& m = block.lamp;
    const auto scaled = [&](std::uint32_t vertex, std::size_t row, float size) {
        const auto& p = geometry.vertices[vertex].position;
        const float x = m[row] * p[0] + m[4 + row] * p[1] + m[8 + row] * p[2];
        const float at = (0.5f * x + 0.5f) * size;
        return at > 0 ? static_cast<int>(std::min(at, size - 1)) : 0;
    };
    for (const DrawRange& range : geometry.ranges) {
        if (!range.shadow) continue;
        for (std::size_t i = range.first_coarse; i < range.first_coarse + range.coarse_count; i += 3) {
            const std::uint32_t* t = &geometry.indices[i];
            const auto cells = [&](std::size_t row, float size) {
                return std::minmax(
                    {scaled(t[0], row, size), scaled(t[1], row, size), scaled(t[2], row, size)});
            };
            const auto [left, right] = cells(0, mark_size);
            const auto [low, high] = cells(1, mark_size);
            const auto mark = static_cast<std::uint8_t>(255 - cells(2, 255).first);
            for (int y = std::max(low - border, 0); y <= std::min(high + border, mark_size - 1); ++y) {
                for (int x = std::max(left - border, 0); x <= std::min(right + border, mark_size - 1); ++x) {
                    std::uint8_t& at = marks[static_cast<std::size_t>(y * mark_size + x)];
                    at = std::max(at, mark);
                }
            }
        }
    }
    gl.ActiveTexture(GL_TEXTURE0 + lamp_marks_unit);
    gl.TexImage2D(GL_TEXTURE_2D, 0, GL_R8, mark_size, mark_size, 0, GL_RED, GL_UNSIGNED_BYTE, marks.data());
}

void Renderer::Implementation::draw_shadows(bool coarse) {
    for (const DrawRange& range : geometry.ranges) {
        const std::size_t count = coarse ? range.coarse_count : range.count;
        if (count == 0 || !range.shadow) continue;
        const std::size_t first = coarse ? range.first_coarse : range.first;
        gl.DrawElements(GL_TRIANGLES, static_cast<GLsizei>(count), GL_UNSIGNED_INT,
                        reinterpret_cast<const void*>(first * sizeof(std::uint32_t)));
    }
}

void Renderer::Implementation::draw_bodies() {
    gl.UseProgram(body.id);
    for (const DrawRange& range : geometry.ranges) {
        if (range.count == 0) continue;
        const Look look = look_of(range.finish);
        const float edges = range.wireframe ? 0.75f : range.strands ? -1.0f : 0.0f;
        gl.Uniform4f(body.material, look.gloss, look.clear, look.open, edges);
        if (look.open == 0) {
            gl.Enable(GL_CULL_FACE);
        } else {
            gl.Disable(GL_CULL_FACE);
        }
        if (range.wireframe) {
            gl.DrawArrays(GL_TRIANGLES, static_cast<GLint>(range.first_vertex),
                          static_cast<GLsizei>(range.count));
        } else {
            gl.DrawElements(GL_TRIANGLES, static_cast<GLsizei>(range.count), GL_UNSIGNED_INT,
                            reinterpret_cast<const void*>(range.first * sizeof(std::uint32_t)));
        }
    }
    gl.Disable(GL_CULL_FACE);
}

void Renderer::Implementation::draw_depths() {
    gl.Enable(GL_DEPTH_TEST);
    gl.DepthFunc(GL_LEQUAL);
    gl.UseProgram(depth.id);
    gl.Enable(GL_POLYGON_OFFSET_FILL);
    gl.PolygonOffset(1.5f, 4);
    gl.BindFramebuffer(GL_FRAMEBUFFER, lamp.frame);
    gl.Viewport(0, 0, lamp_size, lamp_size);
    gl.Clear(GL_DEPTH_BUFFER_BIT);
    gl.Uniform1i(depth.view, -1);
    draw_shadows(false);
    gl.BindFramebuffer(GL_FRAMEBUFFER, sky.frame);
    gl.Clear(GL_DEPTH_BUFFER_BIT);
    for (int k = 0; k < sky_directions; ++k) {
        gl.Viewport(k % 4 * sky_tile, k / 4 * sky_tile, sky_tile, sky_tile);
        gl.Uniform1i(depth.view, k);
        draw_shadows(true);
    }
    gl.Disable(GL_POLYGON_OFFSET_FILL);
}

// Bodies first: what they hide needs no light.
void Renderer::Implementation::draw_screen(bool with_ground) {
    if (with_ground) {
        gl.BindVertexArray(nothing);
        gl.Disable(GL_DEPTH_TEST);
        gl.BindFramebuffer(GL_FRAMEBUFFER, ground_sky.frame);
        gl.Viewport(0, 0, patch_size, patch_size);
        gl.UseProgram(patch.id);
        gl.DrawArrays(GL_TRIANGLES, 0, 3);
        gl.Enable(GL_DEPTH_TEST);
        gl.BindVertexArray(array);
    }
    gl.BindFramebuffer(GL_FRAMEBUFFER, screen.samples_frame);
    gl.Viewport(0, 0, screen.width, screen.height);
    gl.Clear(GL_DEPTH_BUFFER_BIT);
    draw_bodies();
    gl.BindVertexArray(nothing);
    if (with_ground) {
        gl.UseProgram(ground.id);
        gl.DrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    }
    gl.UseProgram(backdrop.id);
    gl.DrawArrays(GL_TRIANGLES, 0, 3);
}

void Renderer::Implementation::read(std::span<std::uint8_t> rgb) {
    gl.BindFramebuffer(GL_READ_FRAMEBUFFER, screen.samples_frame);
    gl.BindFramebuffer(GL_DRAW_FRAMEBUFFER, screen.frame);
    gl.BlitFramebuffer(0, 0, screen.width, screen.height, 0, 0, screen.width, screen.height,
                       GL_COLOR_BUFFER_BIT, GL_NEAREST);
    gl.BindFramebuffer(GL_FRAMEBUFFER, screen.frame);
    const auto width = static_cast<std::size_t>(screen.width),
               height = static_cast<std::size_t>(screen.height);
    rgba.resize(4 * width * height);
    gl.PixelStorei(GL_PACK_ALIGNMENT, 1);
    gl.ReadPixels(0, 0, screen.width, screen.height, GL_RGBA, GL_UNSIGNED_BYTE, rgba.data());
    // OpenGL's first row is the lowest.
    for (std::size_t y = 0; y < height; ++y) {
        const std::uint8_t* from = &rgba[4 * width * (height - 1 - y)];
        std::uint8_t* to = &rgb[3 * width * y];
        for (std::size_t x = 0; x < width; ++x, from += 4, to += 3) {
            to[0] = from[0];
            to[1] = from[1];
            to[2] = from[2];
        }
    }
}

Renderer::Renderer(std::unique_ptr<Implementation> implementation)
    : implementation_(std::move(implementation)) {}
Renderer::Renderer(Renderer&&) noexcept = default;
Renderer& Renderer::operator=(Renderer&&) noexcept = default;
Renderer::~Renderer() = default;  // all that the driver holds goes with its context

Result<Renderer> Renderer::create(int width, int height) {
    const StandardFloatingPoint floating_point;
    Result<Context> context = Context::create();
    if (!context) return context.error();
    auto implementation = std::make_unique<Implementation>(std::move(*context));
    if (const Status prepared = implementation->prepare(width, height); !prepared) return prepared.error();
    return Renderer(std::move(implementation));
}

int Renderer::width() const { return implementation_->screen.width; }
int Renderer::height() const { return implementation_->screen.height; }
std::size_t Renderer::bytes() const {
    return 3 * static_cast<std::size_t>(width()) * static_cast<std::size_t>(height());
}
std::string Renderer::device() const { return implementation_->context.description(); }

Status Renderer::resize(int width, int height) {
    const StandardFloatingPoint floating_point;
    const Context::Use use(implementation_->context);
    if (!use) return Error{"pictures", "the OpenGL context cannot be used"};
    return make_screen(implementation_->gl, implementation_->screen, width, height);
}

Status Renderer::draw(const Picture& picture, std::span<std::uint8_t> rgb) {
    const StandardFloatingPoint floating_point;
    Implementation& i = *implementation_;
    if (rgb.size() != bytes()) {
        return Error{"pictures", fmt::format("a picture of {} × {} needs {} bytes, got {}", width(), height(),
                                             bytes(), rgb.size())};
    }
    const Context::Use use(i.context);
    if (!use) return Error{"pictures", "the OpenGL context is in use by another thread"};
    build(picture, i.geometry);
    const StageBlock block = make_stage(picture, i.geometry, width(), height());
    i.upload(block);
    i.mark_shadows(block);
    i.draw_depths();
    i.draw_screen(picture.ground.has_value());
    i.read(rgb);
    if (const GLenum error = i.gl.GetError(); error != GL_NO_ERROR) {
        return Error{"pictures", fmt::format("the driver reports OpenGL error 0x{:x}", error)};
    }
    annotate(picture, width(), height(), rgb);
    return {};
}

}  // namespace pliant::output
