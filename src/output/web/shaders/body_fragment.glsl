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
}
