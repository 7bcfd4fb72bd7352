vec3 backdrop() {
  vec2 u = (gl_FragCoord.xy - corner) / screen - vec2(.5, .56);
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
}
