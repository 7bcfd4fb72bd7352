#version 330 core
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
