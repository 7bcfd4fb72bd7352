layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec4 color;  // w: the number of the weave
layout(location = 3) in vec2 yarn;
out vec3 p, n, albedo, corner;
out vec2 yarns;
flat out float weave;
out vec2 from_sky;  // on the side that the normal points to, and on the other
void main() {
    p = position; n = normal; albedo = linear(color.rgb);
    yarns = yarn; weave = round(color.a * 255.0);
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
