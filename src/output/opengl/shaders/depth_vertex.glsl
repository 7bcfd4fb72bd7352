// Depth alone: for the lamp, and for the directions of the sky.
layout(location = 0) in vec3 position;
uniform int view;
void main() { gl_Position = (view < 0 ? lamp : sky[max(view, 0)]) * vec4(position, 1); }
