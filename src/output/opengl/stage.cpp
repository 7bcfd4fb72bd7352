#include "output/opengl/stage.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>

#include "base/convert.h"

namespace pliant::output::opengl {
namespace {

// How far the lamp's map reaches to each side, and how deep.
constexpr float lamp_reach = 1.08f, lamp_depth = 1.5f;

StageBlock::Vector four(Vec3 v, float w = 0) { return {v.x, v.y, v.z, w}; }

// Spread evenly over the upper half of the sphere, none very low.
Vec3 direction_of_sky(int k) {
    const double height = 0.08 + 0.92 * (k + 0.5) / sky_directions, around = 2.399963229728653 * k;
    const double level = std::sqrt(1 - height * height);
    return to_float({level * std::cos(around), height, level * std::sin(around)});
}

void set_camera(StageBlock& block, const Camera& camera, const Geometry& geometry, double aspect) {
    const Vec3 eye = to_float((camera.eye - geometry.center) * (1 / geometry.radius));
    const double slope = std::tan(std::clamp(camera.field_of_view, 1.0, 150.0) * std::numbers::pi / 360);
    const float away = std::sqrt(dot(eye, eye));
    const float near = std::max(0.05f * (away - 1.5f), 0.01f);
    block.camera = perspective(static_cast<float>(slope), static_cast<float>(aspect), near, away + 60) *
                   look(eye, to_float(camera.target - camera.eye));
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
    block.ground_point = four(to_float((foot - geometry.center) * (1 / geometry.radius)), 1);
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

}  // namespace

StageBlock make_stage(const Picture& picture, const Geometry& geometry, int width, int height) {
    StageBlock block{};
    const auto w = static_cast<float>(width), h = static_cast<float>(height);
    set_camera(block, picture.camera, geometry, static_cast<double>(width) / height);
    set_lights(block, picture.light);
    if (picture.ground) set_ground(block, *picture.ground, geometry);
    block.screen = {w, h, 1 / w, 1 / h};
    return block;
}

}  // namespace pliant::output::opengl
