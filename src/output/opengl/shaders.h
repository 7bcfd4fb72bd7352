// The shaders of the renderer. Lengths are in radii of the stage, whose middle is the origin.
//
// Light comes from a large lamp, with a shadow map, and from the sky. What the sky gives is not guessed from
// the screen: the scene is drawn small from sixteen directions, and a vertex or a spot of the ground adds up
// the sky of those from which it is seen. That costs little on a CPU, since almost nothing of it is done per
// pixel, and gives soft contact shadows and dark folds.
#pragma once

#include <string_view>

namespace pliant::output::opengl {

constexpr int sky_directions = 16;  // drawn into 4 × 4 tiles of one texture

// How far the lamp's map reaches to each side, and how deep.
constexpr float lamp_reach = 1.08f, lamp_depth = 1.5f;

inline constexpr std::string_view common_shader = R"glsl(#version 330 core
layout(std140) uniform Stage {
    mat4 camera, lamp;
    vec4 eye, light;
    vec4 ground_point, ground_normal, ground_u, ground_v;  // ground_u.w: the grid's spacing
    vec4 grid_shift;                                       // in xy: where the grid's lines are
    vec4 screen;
    mat4 sky[16];
    vec4 sky_direction[16];  // w: its share of the light on level ground
};
uniform sampler2D lamp_depths;
uniform sampler2DShadow lamp_shades, sky_shades;
uniform sampler2D ground_sky, lamp_marks;  // marks: 0 where nothing can cast a shadow

vec3 linear(vec3 c) { return c * (c * (c * 0.305306 + 0.682171) + 0.012523); }

// Whether direction k sees the point, softened a little.
float seen(int k, vec3 p, float softness) {
    vec3 q = (sky[k] * vec4(p, 1)).xyz * 0.5 + 0.5;
    if (any(greaterThan(abs(q.xy - 0.5), vec2(0.49)))) return 1.0;
    q.xy = (q.xy + vec2(k & 3, k >> 2)) * 0.25;
    float s = 0.0, e = softness / 512.0;
    s += textureLod(sky_shades, vec3(q.xy + vec2(e, 0.4 * e), q.z), 0.0);
    s += textureLod(sky_shades, vec3(q.xy + vec2(-0.4 * e, e), q.z), 0.0);
    s += textureLod(sky_shades, vec3(q.xy + vec2(-e, -0.4 * e), q.z), 0.0);
    s += textureLod(sky_shades, vec3(q.xy + vec2(0.4 * e, -e), q.z), 0.0);
    return 0.25 * s;
}
)glsl";

// What fragment shaders share besides.
inline constexpr std::string_view fragment_shader = R"glsl(
// Different from pixel to pixel, evenly spread (Jimenez, "Next generation post processing", 2014).
float noise() { return fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715)))); }

// Hides the steps of eight bits in smooth gradients.
vec4 dithered(vec3 c) { return vec4(c + (noise() - 0.5) / 255.0, 1); }

vec3 backdrop() {
    vec2 u = gl_FragCoord.xy * screen.zw - vec2(0.5, 0.50);
    float d = length(u * vec2(0.95, 1.15));
    return mix(vec3(0.905, 0.915, 0.925), vec3(0.535, 0.60, 0.665), smoothstep(0.10, 0.92, d));
}

// A shoulder on the strongest channel, which keeps the hue but for a hint of white in the brightest, then the
// curve of sRGB.
vec3 shown(vec3 c) {
    float peak = max(c.r, max(c.g, c.b));
    c = mix(c, vec3(peak), 0.10 * smoothstep(0.7, 2.0, peak));
    c *= (1.0 + 0.16 * peak) / (1.0 + 0.60 * peak);
    return pow(clamp(c, 0.0, 1.0), vec3(1.0 / 2.2));
}

// How much of the lamp is seen, with a penumbra that widens with the distance to what hides it
// (Fernando, "Percentage-closer soft shadows", 2005). Samples lie on a spiral of golden angles, turned
// differently for each pixel. The counts are variables: a CPU leaves such loops early where no pixel needs
// them, but would unroll fixed ones.
float lit(vec3 p, float bias) {
    vec3 q = (lamp * vec4(p, 1)).xyz * 0.5 + 0.5;
    const mat2 golden = mat2(-0.7373688, 0.6754903, -0.6754903, -0.7373688);
    float angle = 6.2832 * noise();
    vec2 turn = vec2(cos(angle), sin(angle));
    float z = min(q.z - bias, 0.9999), sum = 0.0, count = 0.0;
    // Nothing around here casts a shadow from nearer to the lamp than this.
    float mark = textureLod(lamp_marks, q.xy, 0.0).r, most = clamp((q.z - 1.0 + mark) * 0.22, 0.0014, 0.035);
    bool near = mark > 0.0 && all(lessThan(abs(q.xy - 0.5), vec2(0.5)));
    float n = near ? 11.0 : 0.0;
    for (float i = 0.5; i < n; i += 1.0) {
        float blocker = textureLod(lamp_depths, q.xy + turn * sqrt(i / 11.0) * most, 0.0).r;
        if (blocker < z) { sum += blocker; count += 1.0; }
        turn = golden * turn;
    }
    float width = clamp((q.z - sum / max(count, 1.0)) * 0.22, 0.0014, most), open = 0.0;
    n = count > 0.5 && count < 10.5 ? 18.0 : 0.0;
    for (float i = 0.5; i < n; i += 1.0) {
        open += textureLod(lamp_shades, vec3(q.xy + turn * sqrt(i / 18.0) * width, z), 0.0);
        turn = golden * turn;
    }
    return n > 0.0 ? open / n : count > 0.5 ? 0.0 : 1.0;
}
)glsl";

// Depth alone: for the lamp, and for the directions of the sky.
inline constexpr std::string_view depth_vertex = R"glsl(
layout(location = 0) in vec3 position;
uniform int view;
void main() { gl_Position = (view < 0 ? lamp : sky[max(view, 0)]) * vec4(position, 1); }
)glsl";
inline constexpr std::string_view depth_fragment = "void main() {}\n";

inline constexpr std::string_view body_vertex = R"glsl(
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec4 color;
out vec3 p, n, albedo, corner;
out vec2 from_sky;  // on the side that the normal points to, and on the other
void main() {
    p = position; n = normal; albedo = linear(color.rgb);
    int k = gl_VertexID % 3;
    corner = vec3(k == 0, k == 1, k == 2);
    from_sky = vec2(0);
    for (int i = 0; i < 16; i++) {
        float facing = dot(normal, sky_direction[i].xyz);
        float open = seen(i, position + normal * (facing > 0.0 ? 0.026 : -0.026), 1.0);
        float light = abs(facing) * sky_direction[i].w * open;
        if (facing > 0.0) from_sky.x += light; else from_sky.y += light;
    }
    gl_Position = camera * vec4(position, 1);
}
)glsl";

inline constexpr std::string_view body_fragment = R"glsl(
in vec3 p, n, albedo, corner;
in vec2 from_sky;
uniform vec4 material;  // gloss, how far light goes through, open: seen from both sides, wireframe
out vec4 result;
void main() {
    float gloss = material.x, clear = material.y;
    vec3 view = normalize(eye.xyz - p);
    // Smooth, but where creases turn it away from the eye, of the triangle itself.
    vec3 facet = normalize(cross(dFdx(p), dFdy(p)));
    facet *= sign(dot(facet, view));
    bool back = !gl_FrontFacing;
    vec3 m = normalize(back ? -n : n);
    m = normalize(mix(facet, m, smoothstep(-0.1, 0.25, dot(m, facet))));

    float facing = dot(m, light.xyz), shade = 1.0;
    shade = lit(p + m * 0.012, 0.0015);
    float height = dot(p - ground_point.xyz, ground_normal.xyz);
    float near = ground_point.w > 0.0 ? exp(-max(height, 0.0) * 5.0) : 0.0;
    float open = back ? from_sky.y : from_sky.x;
    float down = 0.5 - 0.5 * dot(m, ground_normal.xyz);

    vec3 sky_light = vec3(0.80, 0.89, 1.0) * open * 0.62;
    vec3 bounce = vec3(0.56, 0.53, 0.50) * down * (1.0 - 0.75 * near) * 0.55;
    vec3 key = vec3(1.12, 1.05, 0.95) * max(facing, 0.0) * shade;
    // Light that entered a soft body comes out again beyond the shadow's edge, tinted by it.
    vec3 q = (lamp * vec4(p - m * 0.03, 1)).xyz * 0.5 + 0.5;
    float depth = max(q.z - textureLod(lamp_depths, q.xy, 0.0).r, 0.0) * 3.0;
    float away = 1.0 - max(facing, 0.0) * shade;
    vec3 through = clear * exp(-depth * (0.9 + 3.2 * (1.0 - albedo))) * (0.15 + 0.85 * away) * 1.25;
    vec3 wrapped = clear * albedo * max(0.4 + 0.6 * facing, 0.0) * (0.15 + 0.25 * shade);
    // A cloth lets through some of the light that falls on its other side.
    float thin = material.z * 0.20 * max(-facing, 0.0);
    vec3 c = albedo * (sky_light + bounce + key * 0.86 + through + wrapped + thin * vec3(1.1, 1.03, 0.95));

    // The lamp is a large disc, mirrored as one by what is smooth and spread by what is rough.
    vec3 mirror = reflect(-view, m);
    float grazing = 1.0 - max(dot(m, view), 0.0), toward = dot(mirror, light.xyz);
    float fresnel = 0.04 + 0.96 * grazing * grazing * grazing * grazing * grazing;
    float sharp = smoothstep(0.94, 0.985, toward) * 0.5 + smoothstep(0.6, 1.0, toward) * 0.035;
    float rough = pow(max(toward, 0.0), 6.0) * 0.07 + 0.5 * fresnel * (0.3 + 0.7 * open);
    float sky_mirrored = fresnel * smoothstep(-0.2, 0.9, mirror.y) * (0.25 + 0.75 * open) * 0.8;
    c += mix(rough * 0.30 * (0.3 + 0.7 * shade) * (0.4 + albedo), vec3(sharp * shade + sky_mirrored), gloss);
    if (material.w > 0.0) {
        vec3 w = fwidth(corner), e = smoothstep(w * 0.35, w * 1.25, corner);
        float fine = clamp(1.6 - 4.5 * max(w.x, max(w.y, w.z)), 0.25, 1.0);
        c = mix(c, c * 0.16, (1.0 - min(e.x, min(e.y, e.z))) * material.w * fine);
    }
    result = vec4(shown(c), 1);
}
)glsl";

// Three corners that cover the whole picture.
inline constexpr std::string_view screen_vertex = R"glsl(
out vec2 at;
void main() {
    at = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - 1.0;
    gl_Position = vec4(at, 1.0, 1);
}
)glsl";
inline constexpr std::string_view backdrop_fragment = R"glsl(
out vec4 result;
void main() { result = dithered(backdrop()); }
)glsl";

// How much of the sky a spot of the ground sees.
inline constexpr std::string_view patch_fragment = R"glsl(
in vec2 at;
out vec4 result;
void main() {
    vec3 p = ground_point.xyz + (ground_u.xyz * at.x + ground_v.xyz * at.y) * 2.2 + ground_normal.xyz * 0.004;
    float sum = 0.0, all = 0.0;
    for (int i = 0; i < 16; i++) {
        float light = max(dot(ground_normal.xyz, sky_direction[i].xyz), 0.0) * sky_direction[i].w;
        sum += light * seen(i, p, 4.5);
        all += light;
    }
    result = vec4(sum / max(all, 1e-6));
}
)glsl";

inline constexpr std::string_view ground_vertex = R"glsl(
out vec3 p;
out vec2 u;
void main() {
    u = (vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0) * 40.0;
    p = ground_point.xyz + ground_u.xyz * u.x + ground_v.xyz * u.y;
    gl_Position = camera * vec4(p, 1);
}
)glsl";
inline constexpr std::string_view ground_fragment = R"glsl(
in vec3 p;
in vec2 u;
out vec4 result;
float lines(vec2 x, float width) {
    vec2 w = fwidth(x), d = abs(fract(x - 0.5) - 0.5);
    vec2 l = (1.0 - smoothstep(w * width * 0.5, w * (width * 0.5 + 1.0), d)) * clamp(0.5 / w - 0.6, 0.0, 1.0);
    return max(l.x, l.y);
}
void main() {
    float far = length(u), fade = 1.0 - smoothstep(1.5, 6.5, far);
    float open = 0.0;
    vec2 at = u / 4.4 + 0.5, e = vec2(0.7, 0.3) / 112.0;
    open += texture(ground_sky, at + e).r + texture(ground_sky, at - e).r;
    open += texture(ground_sky, at + vec2(-e.y, e.x)).r + texture(ground_sky, at + vec2(e.y, -e.x)).r;
    open = mix(1.0, 0.25 * open, smoothstep(2.2, 1.6, max(abs(u.x), abs(u.y))));
    float shade = lit(p, 0.0006);
    vec3 c = vec3(0.60, 0.607, 0.628) * (vec3(0.93, 0.97, 1.0) * 0.68 * open +
             vec3(1.10, 1.05, 0.98) * 0.86 * shade * max(dot(ground_normal.xyz, light.xyz), 0.0));
    vec2 x = u / ground_u.w + grid_shift.xy;
    c *= 1.0 - 0.07 * lines(x * 5.0, 0.5) - 0.13 * lines(x, 1.0);
    result = dithered(mix(backdrop(), shown(c), fade));
}
)glsl";

}  // namespace pliant::output::opengl
