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
}
