layout(location=0) in vec3 position; out vec3 p;
void main() {
  vec3 s = normalize(cross(groundNormal, vec3(0, 0, 1))), t = cross(s, groundNormal);
  vec3 o = center - groundNormal * dot(center - groundPoint, groundNormal);
  p = o + (s * position.x + t * position.y) * 14. * radius; gl_Position = camera * vec4(p, 1);
}
