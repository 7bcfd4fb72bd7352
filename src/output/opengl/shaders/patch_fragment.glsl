// How much of the sky a spot of the ground sees.
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
