// What fragment shaders share besides.
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
