layout(location=0) in vec3 position; layout(location=1) in vec3 normal; layout(location=2) in vec3 offset;
uniform vec4 turn;  // a quaternion
uniform float size, pull;
out vec3 p, n;
vec3 turned(vec3 v) { return v + 2. * cross(turn.xyz, cross(turn.xyz, v) + turn.w * v); }
void main() {
  p = turned(position) * size + offset; n = turned(normal);
  gl_Position = camera * vec4(p, 1); gl_Position.z -= pull * gl_Position.w;
}
