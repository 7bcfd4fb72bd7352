out vec3 p;
out vec2 u;
void main() {
    u = (vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0) * 40.0;
    p = ground_point.xyz + ground_u.xyz * u.x + ground_v.xyz * u.y;
    gl_Position = camera * vec4(p, 1);
}
