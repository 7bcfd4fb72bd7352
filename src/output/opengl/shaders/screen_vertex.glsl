// Three corners that cover the whole picture.
out vec2 at;
void main() {
    at = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - 1.0;
    gl_Position = vec4(at, 1.0, 1);
}
