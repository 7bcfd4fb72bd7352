#include "output/renderer.h"

#include "base/format.h"
#include "output/annotate.h"
#include "output/opengl/context.h"
#include "output/opengl/geometry.h"
#include "output/opengl/matrix.h"
#include "output/opengl/resources.h"
#include "output/opengl/shaders.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>

namespace pliant::output {

using namespace opengl;

namespace {

constexpr int lamp_size = 1024, sky_tile = 128, patch_size = 112, mark_size = 64;

// As the shaders lay it out (std140).
struct StageBlock {
    using Vector = std::array<float, 4>;
    Matrix camera, lamp;
    Vector eye, light;
    Vector ground_point, ground_normal, ground_u, ground_v, grid_shift, screen;
    std::array<Matrix, sky_directions> sky;
    std::array<Vector, sky_directions> sky_direction;
};

StageBlock::Vector four(Vec3 v, float w = 0) { return {v.x, v.y, v.z, w}; }

Vec3 in_float(Vec3d v) { return {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)}; }

// Spread evenly over the upper half of the sphere, none very low.
Vec3 direction_of_sky(int k) {
    const double height = 0.08 + 0.92 * (k + 0.5) / sky_directions, around = 2.399963229728653 * k;
    const double level = std::sqrt(1 - height * height);
    return in_float({level * std::cos(around), height, level * std::sin(around)});
}

void set_camera(StageBlock& block, const Camera& camera, const Geometry& geometry, double aspect) {
    const Vec3 eye = in_float((camera.eye - geometry.center) * (1 / geometry.radius));
    const double slope = std::tan(std::clamp(camera.field_of_view, 1.0, 150.0) * std::numbers::pi / 360);
    const float away = std::sqrt(dot(eye, eye));
    const float near = std::max(0.05f * (away - 1.5f), 0.01f);
    block.camera = perspective(static_cast<float>(slope), static_cast<float>(aspect), near, away + 60) *
                   look(eye, in_float(camera.target - camera.eye));
    block.eye = four(eye);
}

void set_lights(StageBlock& block, Vec3 light) {
    const Vec3 towards = unit(light, {0, 1, 0});
    block.light = four(towards);
    block.lamp = parallel(towards, lamp_reach, lamp_depth);
    float level = 0;
    for (int k = 0; k < sky_directions; ++k) level += direction_of_sky(k).y;
    for (int k = 0; k < sky_directions; ++k) {
        const Vec3 d = direction_of_sky(k);
        const auto i = static_cast<std::size_t>(k);
        block.sky[i] = parallel(d, 1.05f, 4);
        block.sky_direction[i] = four(d, 1 / level);
    }
}

void set_ground(StageBlock& block, const Plane& plane, const Geometry& geometry) {
    const Vec3 n = unit(plane.normal, {0, 1, 0});
    const Vec3 u = unit(cross(n, Vec3{0, 0, 1}), {1, 0, 0}), v = cross(u, n);
    const Vec3d nd{n.x, n.y, n.z}, ud{u.x, u.y, u.z}, vd{v.x, v.y, v.z};
    // Below the middle of the stage; a little deeper than it is, so that what lies on it is seen.
    const Vec3d foot =
        geometry.center - nd * (dot(geometry.center - plane.point, nd) + 0.0015 * geometry.radius);
    block.ground_point = four(in_float((foot - geometry.center) * (1 / geometry.radius)), 1);
    block.ground_normal = four(n);
    // The grid keeps to round lengths and to the world.
    const double spacing = std::pow(10, std::round(std::log10(0.6 * geometry.radius)));
    block.ground_u = four(u, static_cast<float>(spacing / geometry.radius));
    block.ground_v = four(v);
    const auto shift = [&](Vec3d axis) {
        const double cells = dot(foot - plane.point, axis) / spacing;
        return static_cast<float>(cells - std::floor(cells));
    };
    block.grid_shift = {shift(ud), shift(vd), 0, 0};
}

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
    const std::pair<Program*, std::pair<std::string_view, std::string_view>> programs[] = {
        {&depth, {depth_vertex, depth_fragment}},        {&body, {body_vertex, body_fragment}},
        {&backdrop, {screen_vertex, backdrop_fragment}}, {&ground, {ground_vertex, ground_fragment}},
        {&patch, {screen_vertex, patch_fragment}},
    };
    for (const auto& [program, sources] : programs) {
        Result<Program> made = make_program(gl, sources.first, sources.second);
        if (!made) return made.error();
        *program = *made;
    }
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
    return make_screen(gl, screen, width, height);
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
    for (const Part& part : geometry.parts) {
        if (!part.shadow) continue;
        for (std::size_t i = part.first_coarse; i < part.first_coarse + part.coarse_count; i += 3) {
            const std::uint32_t* t = &geometry.indices[i];
            const auto range = [&](std::size_t row, float size) {
                return std::minmax(
                    {scaled(t[0], row, size), scaled(t[1], row, size), scaled(t[2], row, size)});
            };
            const auto [left, right] = range(0, mark_size);
            const auto [low, high] = range(1, mark_size);
            const auto mark = static_cast<std::uint8_t>(255 - range(2, 255).first);
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
    for (const Part& part : geometry.parts) {
        const std::size_t count = coarse ? part.coarse_count : part.count;
        if (count == 0 || !part.shadow) continue;
        const std::size_t first = coarse ? part.first_coarse : part.first;
        gl.DrawElements(GL_TRIANGLES, static_cast<GLsizei>(count), GL_UNSIGNED_INT,
                        reinterpret_cast<const void*>(first * sizeof(std::uint32_t)));
    }
}

void Renderer::Implementation::draw_bodies() {
    gl.UseProgram(body.id);
    for (const Part& part : geometry.parts) {
        if (part.count == 0) continue;
        const Look look = look_of(part.finish);
        gl.Uniform4f(body.material, look.gloss, look.clear, look.open, part.wireframe ? 0.75f : 0.0f);
        if (look.open == 0) {
            gl.Enable(GL_CULL_FACE);
        } else {
            gl.Disable(GL_CULL_FACE);
        }
        if (part.wireframe) {
            gl.DrawArrays(GL_TRIANGLES, static_cast<GLint>(part.first_vertex),
                          static_cast<GLsizei>(part.count));
        } else {
            gl.DrawElements(GL_TRIANGLES, static_cast<GLsizei>(part.count), GL_UNSIGNED_INT,
                            reinterpret_cast<const void*>(part.first * sizeof(std::uint32_t)));
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
    const Context::Use use(implementation_->context);
    if (!use) return Error{"pictures", "the OpenGL context cannot be used"};
    return make_screen(implementation_->gl, implementation_->screen, width, height);
}

Status Renderer::draw(const Picture& picture, std::span<std::uint8_t> rgb) {
    Implementation& i = *implementation_;
    if (rgb.size() != bytes()) {
        return Error{"pictures", fmt::format("a picture of {} × {} needs {} bytes, got {}", width(), height(),
                                             bytes(), rgb.size())};
    }
    const Context::Use use(i.context);
    if (!use) return Error{"pictures", "the OpenGL context is in use by another thread"};
    build(picture, i.geometry);
    StageBlock block{};
    set_camera(block, picture.camera, i.geometry, static_cast<double>(width()) / height());
    set_lights(block, picture.light);
    if (picture.ground) set_ground(block, *picture.ground, i.geometry);
    block.screen = {static_cast<float>(width()), static_cast<float>(height()),
                    1.0f / static_cast<float>(width()), 1.0f / static_cast<float>(height())};
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
