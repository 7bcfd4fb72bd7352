in vec3 p, n, albedo, corner;
in vec2 from_sky, yarns;
flat in float weave;  // 0: none
uniform vec4 material;  // gloss, how far light goes through, open: seen from both sides, wireframe (−1: strands)
out vec4 result;

// How bright a weave is here: yarns are round, the warp shines more than the weft, and what is smaller than a
// pixel is grey. 1: plain, 2: twill, 3: satin, 4: herringbone.
float woven(vec2 at) {
    vec2 yarn = floor(at), across = 2.0 * fract(at) - 1.0;
    float i = yarn.x, j = yarn.y;
    bool over = mod(i + j, 2.0) < 1.0;
    if (weave > 1.5) over = mod(i + j, 4.0) < 2.0;
    if (weave > 2.5) over = mod(2.0 * i + j, 5.0) > 0.5;
    if (weave > 3.5) over = mod((mod(i, 16.0) < 8.0 ? i : -i - 1.0) + j, 4.0) < 2.0;
    float side = over ? across.x : across.y;
    float bright = (over ? 1.1 : 0.78) * (1.08 - 0.3 * side * side);
    float mean = weave > 2.5 && weave < 3.5 ? 1.01 : 0.93;
    return mix(bright, mean, smoothstep(0.35, 1.0, max(fwidth(at.x), fwidth(at.y))));
}

void main() {
    float gloss = material.x, clear = material.y;
    vec3 color = albedo * (weave > 0.5 ? woven(yarns) : 1.0);
    vec3 view = normalize(eye.xyz - p);
    // Smooth, but where creases turn it away from the eye, of the triangle itself.
    vec3 facet = normalize(cross(dFdx(p), dFdy(p)));
    facet *= sign(dot(facet, view));
    bool back = !gl_FrontFacing;
    vec3 m = normalize(back ? -n : n);
    m = normalize(mix(facet, m, smoothstep(-0.1, 0.25, dot(m, facet))));

    float facing = dot(m, light.xyz), shade = 1.0, shine = 0.0;
    shade = lit(p + m * 0.012, 0.0015);
    if (material.w < 0.0) {
        // A strand scatters light to all sides, and mirrors it into a cone about itself (Kajiya & Kay,
        // "Rendering fur with three dimensional textures", 1989). Normals turn around it, not along it.
        vec3 x = dFdx(n), y = dFdy(n), along = cross(m, dot(x, x) > dot(y, y) ? x : y);
        if (dot(along, along) > 1e-12) {
            along = normalize(along);
            vec2 c = vec2(dot(along, light.xyz), dot(along, view)), s = sqrt(max(1.0 - c * c, 0.0));
            facing = mix(facing, 0.8 * s.x, 0.7);
            shine = 0.35 * pow(max(s.x * s.y - c.x * c.y, 0.0), 24.0);
        }
    }
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
    vec3 through = clear * exp(-depth * (0.9 + 3.2 * (1.0 - color))) * (0.15 + 0.85 * away) * 1.25;
    vec3 wrapped = clear * color * max(0.4 + 0.6 * facing, 0.0) * (0.15 + 0.25 * shade);
    // A cloth lets through some of the light that falls on its other side.
    float thin = material.z * 0.20 * max(-facing, 0.0);
    vec3 c = color * (sky_light + bounce + key * 0.86 + through + wrapped + thin * vec3(1.1, 1.03, 0.95));

    // The lamp is a large disc, mirrored as one by what is smooth and spread by what is rough.
    vec3 mirror = reflect(-view, m);
    float grazing = 1.0 - max(dot(m, view), 0.0), toward = dot(mirror, light.xyz);
    float fresnel = 0.04 + 0.96 * grazing * grazing * grazing * grazing * grazing;
    float sharp = smoothstep(0.94, 0.985, toward) * 0.5 + smoothstep(0.6, 1.0, toward) * 0.035;
    float rough = pow(max(toward, 0.0), 6.0) * 0.07 + 0.5 * fresnel * (0.3 + 0.7 * open);
    float sky_mirrored = fresnel * smoothstep(-0.2, 0.9, mirror.y) * (0.25 + 0.75 * open) * 0.8;
    c += mix(rough * 0.30 * (0.3 + 0.7 * shade) * (0.4 + color), vec3(sharp * shade + sky_mirrored), gloss);
    c += shine * shade * mix(vec3(1), color, 0.4);
    if (material.w > 0.0) {
        vec3 w = fwidth(corner), e = smoothstep(w * 0.35, w * 1.25, corner);
        float fine = clamp(1.6 - 4.5 * max(w.x, max(w.y, w.z)), 0.25, 1.0);
        c = mix(c, c * 0.16, (1.0 - min(e.x, min(e.y, e.z))) * material.w * fine);
    }
    result = vec4(shown(c), 1);
}
