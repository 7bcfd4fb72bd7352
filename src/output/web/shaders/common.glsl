#version 300 es
precision highp float; precision highp sampler2D; precision highp sampler2DShadow;
uniform mat4 camera, lamp;
uniform vec3 eye, light, groundPoint, groundNormal, center;
uniform vec2 corner, screen;  // of the pane, in pixels
uniform float radius;         // of the stage
uniform sampler2D depths; uniform sampler2DShadow shades;
