'use strict';
const find = id => document.getElementById(id), canvas = document.querySelector('canvas');

// ---- Small vectors, quaternions and 4 × 4 matrices, column after column --------------------------
const add = (a, b, s = 1) => a.map((x, i) => x + b[i] * s), scaled = (a, s) => a.map(x => x * s);
const mix = (a, b, share) => a.map((x, i) => x + (b[i] - x) * share);
const dot = (a, b) => a.reduce((sum, x, i) => sum + x * b[i], 0);
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const unit = a => scaled(a, 1 / (Math.hypot(...a) || 1));

// Between two rotations, the shorter way.
function mixTurns(a, b, share) {
  a = unit(a); b = unit(b);
  return unit(mix(a, dot(a, b) < 0 ? scaled(b, -1) : b, share));
}

function times(a, b) {
  const m = new Float32Array(16);
  for (let i = 0; i < 16; i++) for (let k = 0; k < 4; k++) m[i] += a[k * 4 + i % 4] * b[(i >> 2) * 4 + k];
  return m;
}
function look(eye, target) {
  const z = unit(add(eye, target, -1));
  const x = unit(cross(Math.abs(z[1]) > .999 ? [0, 0, -1] : [0, 1, 0], z)), y = cross(z, x);
  return [x[0], y[0], z[0], 0, x[1], y[1], z[1], 0, x[2], y[2], z[2], 0, -dot(x, eye), -dot(y, eye), -dot(z, eye), 1];
}
function perspective(f, aspect, near, far) {
  const d = near - far;
  return [f / aspect, 0, 0, 0, 0, f, 0, 0, 0, 0, (far + near) / d, -1, 0, 0, 2 * far * near / d, 0];
}
