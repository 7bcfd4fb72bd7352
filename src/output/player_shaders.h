// The shaders of the page: script that defines them, for player_page.h.
#pragma once

#include <string_view>

namespace pliant::output {

inline constexpr std::string_view player_shaders = R"page(const common = `#version 300 es
precision highp float; precision highp sampler2D; precision highp sampler2DShadow;
uniform mat4 camera, lamp; uniform vec3 eye, light, groundPoint, groundNormal, center; uniform vec2 screen; uniform float radius;
uniform sampler2D depths; uniform sampler2DShadow shades;`;
const helpers = common + `
vec3 backdrop() {
  vec2 u = gl_FragCoord.xy / screen - vec2(.5, .56);
  return mix(vec3(.94, .955, .965), vec3(.52, .60, .68), smoothstep(.05, 1.05, length(u * vec2(1.1, 1.25))));
}
vec3 shown(vec3 c) {  // a shoulder on the strongest channel, which keeps the hue, then sRGB
  float peak = max(c.r, max(c.g, c.b));
  return pow(clamp(c * (1. + .22 * peak) / (1. + .68 * peak), 0., 1.), vec3(1. / 2.2));
}
vec2 disc(int i, int n, float turn) {
  float r = sqrt((float(i) + .5) / float(n)), a = float(i) * 2.39996 + turn; return r * vec2(cos(a), sin(a));
}
float lit(vec3 p, vec3 n) {  // 1 in the light; the penumbra widens with the distance to what casts it
  vec3 q = (lamp * vec4(p + n * radius * .006, 1)).xyz * .5 + .5;
  if (any(greaterThan(abs(q.xy - .5), vec2(.49)))) return 1.;
  float turn = 6.2832 * fract(52.9829 * fract(dot(gl_FragCoord.xy, vec2(.06711056, .00583715))));
  float bias = .0015, sum = 0., count = 0.;
  for (int i = 0; i < 16; i++) {
    float z = texture(depths, q.xy + disc(i, 16, turn) * .05).r;
    if (z < q.z - bias) { sum += z; count++; }
  }
  if (count < .5) return 1.;
  float width = clamp((q.z - sum / count) * .33, .0022, .05), open = 0.;
  for (int i = 0; i < 28; i++) open += texture(shades, vec3(q.xy + disc(i, 28, turn) * width, q.z - bias));
  return open / 28.;
}`;
const bodyVertex = common + `
layout(location=0) in vec3 position; layout(location=1) in vec3 normal; layout(location=2) in vec3 offset;
uniform float size, pull; out vec3 p, n;
void main() {
  p = position * size + offset; n = normal;
  gl_Position = camera * vec4(p, 1); gl_Position.z -= pull * gl_Position.w;
}`;
const bodyFragment = helpers + `
uniform vec3 color; uniform float gloss, ink; in vec3 p, n; out vec4 result;
void main() {
  if (ink > 0.) { result = vec4(shown(color * .12), ink); return; }
  vec3 m = normalize(gl_FrontFacing ? n : -n), v = normalize(eye - p), h = normalize(light + v);
  vec3 facet = normalize(cross(dFdx(p), dFdy(p)));  // where creases turn the smooth normal away
  m = normalize(mix(facet, m, smoothstep(-.1, .25, dot(m, facet))));
  float shade = lit(p, m), facing = dot(m, light), rim = pow(1. - max(dot(m, v), 0.), 4.);
  float near = 1. - .55 * exp(-max(dot(p - groundPoint, groundNormal), 0.) / (.09 * radius)) * (.5 - .5 * dot(m, groundNormal));
  vec3 sky = mix(vec3(.50, .44, .42), vec3(.80, .90, 1.02), m.y * .5 + .5) * near;
  // Light that enters a soft body comes out again beyond the shadow's edge, tinted by it.
  vec3 key = vec3(1.05, 1., .93) * max(facing, 0.) * shade;
  vec3 inner = color * (.25 + .55 * gloss) * max((facing + .6) / 1.6, 0.) * (.45 + .55 * shade);
  float shine = max(dot(m, h), 0.), above = .5 + .5 * m.y;
  vec3 c = color * (sky * .62 + key * .84 + inner);
  c += (pow(shine, 90.) * .7 * shade + pow(shine, 18.) * .05 * shade + rim * .14 * near * above) * gloss;
  result = vec4(shown(c), 1);
}`;
const groundVertex = common + `
layout(location=0) in vec3 position; out vec3 p;
void main() {
  vec3 s = normalize(cross(groundNormal, vec3(0, 0, 1))), t = cross(s, groundNormal);
  vec3 o = center - groundNormal * dot(center - groundPoint, groundNormal);
  p = o + (s * position.x + t * position.y) * 14. * radius; gl_Position = camera * vec4(p, 1);
}`;
const groundFragment = helpers + `
uniform float spacing; in vec3 p; out vec4 result;
uniform vec4 blobs[8];
float lines(vec2 u, float width) {
  vec2 w = fwidth(u), d = abs(fract(u - .5) - .5);
  vec2 l = (1. - smoothstep(w * width * .5, w * (width * .5 + 1.), d)) * clamp(.5 / w - .6, 0., 1.);
  return max(l.x, l.y);
}
void main() {
  vec3 s = normalize(cross(groundNormal, vec3(0, 0, 1))), t = cross(s, groundNormal), d = p - groundPoint;
  vec2 u = vec2(dot(d, s), dot(d, t)) / spacing;
  float far = length(p - center) / radius, fade = 1. - smoothstep(1.6, 6.5, far);
  float soft = 1.;  // each body darkens the ground below as a ball of its size would
  for (int i = 0; i < 8; i++) {
    vec3 to = blobs[i].xyz - p; float r = blobs[i].w, e = max(length(to), r);
    soft *= 1. - .8 * clamp(dot(to, groundNormal) / e, 0., 1.) * r * r / (e * e);
  }
  vec3 c = vec3(.78, .81, .84) * (.52 * soft + .58 * lit(p, groundNormal) * max(dot(groundNormal, light), 0.));
  c *= 1. - .09 * lines(u * 5., .5) - .16 * lines(u, 1.);
  result = vec4(mix(backdrop(), shown(c * 1.36), fade), 1);
}`;
const skyFragment = helpers + 'out vec4 result; void main() { result = vec4(backdrop(), 1); }';
const skyVertex = common + 'layout(location=0) in vec3 position; void main() { gl_Position = vec4(position.xy, .9999, 1); }';
)page";

}  // namespace pliant::output
