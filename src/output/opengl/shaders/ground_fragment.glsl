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
