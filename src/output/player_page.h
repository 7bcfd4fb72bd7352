// The page that plays recorded frames: WebGL 2, no libraries. {{…}} marks what is filled in.
#pragma once

#include <string_view>

namespace pliant::output {

inline constexpr std::string_view player_page = R"page(<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{{title}}</title>
<style>
  :root { --ink: #1c2733; --accent: #e8503f }
  * { box-sizing: border-box }
  body { margin: 0; height: 100vh; height: 100dvh; overflow: hidden; color: var(--ink); background: #dfe6ec;
         font: 14px/1.4 system-ui, "Segoe UI", Roboto, "Helvetica Neue", sans-serif }
  canvas { position: fixed; inset: 0; width: 100%; height: 100%; touch-action: none; cursor: grab }
  canvas:active { cursor: grabbing }
  #caption { position: fixed; left: 28px; top: 22px; max-width: 60ch; margin: 0; pointer-events: none; white-space: pre-line }
  #caption::first-line { font-size: 20px; font-weight: 600; letter-spacing: -.01em }
  #bar { position: fixed; left: 50%; bottom: 22px; transform: translateX(-50%); width: min(680px, calc(100% - 32px));
         display: flex; align-items: center; gap: 14px; padding: 9px 16px 9px 10px; border-radius: 999px;
         background: rgba(255, 255, 255, .72); backdrop-filter: blur(14px) saturate(1.4);
         box-shadow: 0 8px 30px rgba(28, 39, 51, .14), inset 0 0 0 1px rgba(255, 255, 255, .6) }
  button { flex: none; border: 0; border-radius: 999px; height: 34px; padding: 0 12px; color: inherit; background: none;
           font: inherit; cursor: pointer }
  button:hover { background: rgba(28, 39, 51, .08) } button[aria-pressed=true] { color: var(--accent) }
  #play { width: 34px; padding: 0; color: #fff; background: var(--ink) } #play:hover { background: #33475b }
  #play svg { display: block; margin: auto; fill: currentColor }
  :focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
  #scrub { flex: 1; min-width: 60px; height: 20px; margin: 0; appearance: none; background: none; cursor: pointer }
  #scrub::-webkit-slider-runnable-track { height: 4px; border-radius: 2px;
    background: linear-gradient(to right, var(--accent) var(--done, 0%), rgba(28, 39, 51, .18) var(--done, 0%)) }
  #scrub::-moz-range-track { height: 4px; border-radius: 2px; background: rgba(28, 39, 51, .18) }
  #scrub::-moz-range-progress { height: 4px; border-radius: 2px; background: var(--accent) }
  #scrub::-webkit-slider-thumb { appearance: none; width: 16px; height: 16px; margin-top: -6px; border-radius: 50%;
    background: #fff; box-shadow: 0 1px 5px rgba(28, 39, 51, .4) }
  #scrub::-moz-range-thumb { width: 16px; height: 16px; border: 0; border-radius: 50%; background: #fff;
    box-shadow: 0 1px 5px rgba(28, 39, 51, .4) }
  #clock { flex: none; min-width: 13ch; text-align: right; font-variant-numeric: tabular-nums; opacity: .75 }
  @media (max-width: 520px) { #clock { display: none } #caption::first-line { font-size: 16px } }
</style>
<canvas aria-label="Recorded simulation: drag to turn, wheel to zoom, shift-drag to move"></canvas>
<p id="caption">{{caption}}</p>
<div id="bar">
  <button id="play" aria-label="Play or pause"></button>
  <input id="scrub" type="range" min="0" value="0" step="1" aria-label="Frame">
  <span id="clock"></span>
  <button id="mesh" aria-pressed="false" title="Show the mesh (M)">mesh</button>
</div>
<script type="application/json" id="model">{{model}}</script>
<script type="text/plain" id="frames">{{frames}}</script>
<script>
'use strict';
const find = id => document.getElementById(id), canvas = document.querySelector('canvas');
const model = JSON.parse(find('model').textContent);
const frames = find('frames').textContent.trim().split('\n');
const bytes = text => Uint8Array.from(atob(text), c => c.charCodeAt(0));
const triangles = new Uint32Array(bytes(model.triangles).buffer);
const gl = canvas.getContext('webgl2', {antialias: true, alpha: false});
if (!gl) find('caption').textContent = 'This page needs WebGL 2, which this browser does not offer.';

// ---- Frames -----------------------------------------------------------------------------------
const bounds = frames.map(line => line.split(',', 6).map(Number));
const decoded = new Map();  // the two frames around the present moment
function decode(index) {
  if (!decoded.has(index)) {
    if (decoded.size > 3) decoded.clear();
    const line = frames[index], b = bounds[index];
    const q = new Uint16Array(bytes(line.slice(line.lastIndexOf(',') + 1)).buffer), p = new Float32Array(q.length);
    for (let i = 0; i < p.length; i++) p[i] = b[i % 3] + (b[3 + i % 3] - b[i % 3]) * (q[i] / 65535);
    decoded.set(index, p);
  }
  return decoded.get(index);
}
const positions = new Float32Array(3 * model.vertices), normals = new Float32Array(3 * model.vertices);
function pose(moment) {
  const first = Math.min(Math.floor(moment), frames.length - 1), share = moment - first;
  const a = decode(first), b = share > 0 && first + 1 < frames.length ? decode(first + 1) : a;
  for (let i = 0; i < positions.length; i++) positions[i] = a[i] + (b[i] - a[i]) * share;
  // Normals of the corners: the sum of the cross products around each, so that large triangles count more.
  normals.fill(0);
  for (let t = 0; t < triangles.length; t += 3) {
    const i = 3 * triangles[t], j = 3 * triangles[t + 1], k = 3 * triangles[t + 2], p = positions;
    const ux = p[j] - p[i], uy = p[j + 1] - p[i + 1], uz = p[j + 2] - p[i + 2];
    const vx = p[k] - p[i], vy = p[k + 1] - p[i + 1], vz = p[k + 2] - p[i + 2];
    const x = uy * vz - uz * vy, y = uz * vx - ux * vz, z = ux * vy - uy * vx;
    for (const c of [i, j, k]) { normals[c] += x; normals[c + 1] += y; normals[c + 2] += z; }
  }
}

// ---- Small vectors and 4 × 4 matrices, column after column -------------------------------------
const add = (a, b, s = 1) => a.map((x, i) => x + b[i] * s), scaled = (a, s) => a.map(x => x * s);
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const unit = a => scaled(a, 1 / (Math.hypot(...a) || 1));
function times(a, b) {
  const m = new Float32Array(16);
  for (let i = 0; i < 16; i++) for (let k = 0; k < 4; k++) m[i] += a[k * 4 + i % 4] * b[(i >> 2) * 4 + k];
  return m;
}
function look(eye, target) {
  const z = unit(add(eye, target, -1)), x = unit(cross(Math.abs(z[1]) > .999 ? [0, 0, -1] : [0, 1, 0], z)), y = cross(z, x);
  return [x[0], y[0], z[0], 0, x[1], y[1], z[1], 0, x[2], y[2], z[2], 0, -dot(x, eye), -dot(y, eye), -dot(z, eye), 1];
}
function perspective(f, aspect, near, far) {
  return [f / aspect, 0, 0, 0, 0, f, 0, 0, 0, 0, (far + near) / (near - far), -1, 0, 0, 2 * far * near / (near - far), 0];
}

// ---- The stage: a ball around all that happens, the ground, the light ---------------------------
const low = [0, 1, 2].map(i => Math.min(...bounds.map(b => b[i])));
const high = [0, 1, 2].map(i => Math.max(...bounds.map(b => b[3 + i])));
for (const c of model.colliders) if (!c.plane) {
  const middle = c.sphere || c.box || c.center, r = c.sphere ? c.radius : Math.hypot(...c.half);
  for (let i = 0; i < 3; i++) { low[i] = Math.min(low[i], middle[i] - r); high[i] = Math.max(high[i], middle[i] + r); }
}
const center = scaled(add(low, high), .5), radius = Math.max(Math.hypot(...add(high, low, -1)) / 2, 1e-6);
const up = c => unit(c.normal)[1];
const floor = model.colliders.filter(c => c.plane && up(c) > .2).sort((a, b) => up(b) - up(a))[0];
const ground = floor ? {point: floor.plane, normal: unit(floor.normal)}
                     : {point: [center[0], low[1] - .06 * radius, center[2]], normal: [0, 1, 0]};
const light = unit([-.3, 1, .52]);
const lightMatrix = (() => {
  const m = look(add(center, light, 3 * radius), center), r = 1.25 * radius;
  return times([1 / r, 0, 0, 0, 0, 1 / r, 0, 0, 0, 0, -1 / (3 * radius), 0, 0, 0, -1, 1], m);
})();

// ---- Shaders ------------------------------------------------------------------------------------
{{shaders}}
function program(vertex, fragment) {
  const made = gl.createProgram();
  for (const [kind, source] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
    const shader = gl.createShader(kind);
    gl.shaderSource(shader, source); gl.compileShader(shader); gl.attachShader(made, shader);
    if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw Error(gl.getShaderInfoLog(shader));
  }
  gl.linkProgram(made);
  const places = {};
  return {
    use(values) {
      gl.useProgram(made);
      for (const [name, value] of Object.entries(values)) {
        const at = places[name] ??= gl.getUniformLocation(made, name);
        if (value.length === 16) gl.uniformMatrix4fv(at, false, value);
        else if (value.length === 32) gl.uniform4fv(at, value);
        else if (value.length) gl['uniform' + value.length + 'fv'](at, value);
        else if (name === 'depths' || name === 'shades') gl.uniform1i(at, value);
        else gl.uniform1f(at, value);
      }
    }
  };
}
const bodyProgram = program(bodyVertex, bodyFragment), groundProgram = program(groundVertex, groundFragment),
      skyProgram = program(skyVertex, skyFragment), shadowProgram = program(bodyVertex, '#version 300 es\nvoid main() {}');

// ---- What is drawn --------------------------------------------------------------------------------
const buffer = (data, target = gl.ARRAY_BUFFER, usage = gl.STATIC_DRAW) => {
  const made = gl.createBuffer();
  gl.bindBuffer(target, made); gl.bufferData(target, data, usage);
  return made;
};
const attribute = (place, source, divisor = 0) => {
  gl.bindBuffer(gl.ARRAY_BUFFER, source); gl.enableVertexAttribArray(place);
  gl.vertexAttribPointer(place, 3, gl.FLOAT, false, 0, 0); gl.vertexAttribDivisor(place, divisor);
};
function mesh(points, directions, indices) {
  const vao = gl.createVertexArray();
  gl.bindVertexArray(vao); attribute(0, points); attribute(1, directions);
  const elements = buffer(indices, gl.ELEMENT_ARRAY_BUFFER);
  gl.bindVertexArray(null);
  return {vao, elements, count: indices.length};
}
function ball(columns, rows) {
  const p = [], index = [];
  for (let r = 0; r <= rows; r++) for (let c = 0; c <= columns; c++) {
    const a = 2 * Math.PI * c / columns, b = Math.PI * r / rows, i = r * (columns + 1) + c;
    p.push(Math.cos(a) * Math.sin(b), Math.cos(b), Math.sin(a) * Math.sin(b));
    if (r < rows && c < columns) index.push(i, i + 1, i + columns + 1, i + 1, i + columns + 2, i + columns + 1);
  }
  const source = buffer(new Float32Array(p));
  return mesh(source, source, new Uint32Array(index));
}
function brick(c) {
  const q = scaled(c.rotation, 1 / Math.hypot(...c.rotation)), p = [], n = [], index = [];
  const turn = v => { const w = scaled(cross(q, v), 2); return add(add(v, w, q[3]), cross(q, w)); };
  for (let axis = 0; axis < 3; axis++) for (const side of [-1, 1]) {
    const first = p.length / 3;
    for (const [s, t] of [[-1, -1], [1, -1], [1, 1], [-1, 1]]) {
      const v = [0, 0, 0]; v[axis] = side; v[(axis + 1) % 3] = s * side; v[(axis + 2) % 3] = t;
      p.push(...turn(v.map((x, i) => x * c.half[i]))); n.push(...turn([0, 1, 2].map(i => i === axis ? side : 0)));
    }
    index.push(first, first + 1, first + 2, first, first + 2, first + 3);
  }
  return mesh(buffer(new Float32Array(p)), buffer(new Float32Array(n)), new Uint32Array(index));
}
// Half the usual distance to the nearest neighbour: beads of a chain just touch.
function beadSize([first, count]) {
  const p = decode(0), nearest = [];
  for (let i = first; i < first + Math.min(count, 60); i++) {
    let best = Infinity;
    for (let j = first; j < first + count; j++) if (j !== i)
      best = Math.min(best, Math.hypot(p[3 * i] - p[3 * j], p[3 * i + 1] - p[3 * j + 1], p[3 * i + 2] - p[3 * j + 2]));
    nearest.push(best);
  }
  const middle = nearest.sort((a, b) => a - b)[nearest.length >> 1] / 2;
  return middle > 0 && middle < radius ? middle : radius / 50;
}
const positionBuffer = buffer(positions, gl.ARRAY_BUFFER, gl.DYNAMIC_DRAW);
const normalBuffer = buffer(normals, gl.ARRAY_BUFFER, gl.DYNAMIC_DRAW);
const palette = [[.86, .075, .07], [.03, .36, .55], [.93, .49, .05], [.08, .44, .23], [.38, .15, .55], [.80, .22, .42]];
const items = model.bodies.map((body, i) => {
  const color = palette[i % palette.length], [first, count] = body.vertices;
  if (body.triangles[1] > 0) {
    const surface = triangles.subarray(3 * body.triangles[0], 3 * (body.triangles[0] + body.triangles[1])), wire = [];
    let open = 0;  // stays 0 where every edge has a triangle on either side: a solid, else a cloth
    for (let t = 0; t < surface.length; t += 3) for (let e = 0; e < 3; e++) {
      const a = surface[t + e], b = surface[t + (e + 1) % 3];
      wire.push(a, b); open += a < b ? a * 7919 + b : -b * 7919 - a;
    }
    return {...mesh(positionBuffer, normalBuffer, surface), wire: mesh(positionBuffer, normalBuffer, new Uint32Array(wire)),
            color, gloss: open ? .12 : 1, solid: !open, size: 1, offset: [0, 0, 0]};
  }
  const beads = {...ball(20, 12), color, gloss: .7, size: beadSize(body.vertices), instances: count};
  gl.bindVertexArray(beads.vao); attribute(2, positionBuffer, 1);
  gl.vertexAttribPointer(2, 3, gl.FLOAT, false, 0, 12 * first); gl.bindVertexArray(null);
  return beads;
});
for (const c of model.colliders) {
  if (c.sphere) items.push({...ball(96, 64), color: [.74, .75, .77], gloss: .25, size: c.radius, offset: c.sphere});
  if (c.box) items.push({...brick(c), color: [.74, .75, .77], gloss: .25, size: 1, offset: c.box});
  if (c.positions) {
    const [p, n] = [c.positions, c.normals].map(text => buffer(new Float32Array(bytes(text).buffer)));
    const surface = mesh(p, n, new Uint32Array(bytes(c.triangles).buffer));
    items.push({...surface, color: [.74, .75, .77], gloss: .25, size: 1, offset: c.center});
  }
}
const corners = buffer(new Float32Array([-1, -1, 0, 1, -1, 0, -1, 1, 0, 1, 1, 0]));
const quad = mesh(corners, corners, new Uint32Array([0, 1, 2, 2, 1, 3]));

// ---- The shadow map, read as depths and as comparisons ---------------------------------------------
const shadowSize = 2048, shadowMap = gl.createTexture(), shadowFrame = gl.createFramebuffer();
gl.bindTexture(gl.TEXTURE_2D, shadowMap);
gl.texStorage2D(gl.TEXTURE_2D, 1, gl.DEPTH_COMPONENT24, shadowSize, shadowSize);
gl.bindFramebuffer(gl.FRAMEBUFFER, shadowFrame);
gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.TEXTURE_2D, shadowMap, 0);
for (const unit of [0, 1]) {
  const sampler = gl.createSampler(), filter = unit ? gl.LINEAR : gl.NEAREST;
  gl.samplerParameteri(sampler, gl.TEXTURE_MIN_FILTER, filter); gl.samplerParameteri(sampler, gl.TEXTURE_MAG_FILTER, filter);
  for (const wrap of [gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T]) gl.samplerParameteri(sampler, wrap, gl.CLAMP_TO_EDGE);
  if (unit) gl.samplerParameteri(sampler, gl.TEXTURE_COMPARE_MODE, gl.COMPARE_REF_TO_TEXTURE);
  gl.activeTexture(gl.TEXTURE0 + unit); gl.bindTexture(gl.TEXTURE_2D, shadowMap); gl.bindSampler(unit, sampler);
}

// ---- Drawing --------------------------------------------------------------------------------------
const lens = 3.2, home = {yaw: .62, pitch: .27, distance: 1, target: center};
let view = {...home}, untouched = true, moment = 0, playing = true, showMesh = false, dirty = true;
function camera(aspect) {
  const far = view.distance * 3 * radius, cp = Math.cos(view.pitch);
  const eye = add(view.target, [Math.sin(view.yaw) * cp, Math.sin(view.pitch), Math.cos(view.yaw) * cp], far);
  return {eye, matrix: times(perspective(lens, aspect, far * .02, far + 20 * radius), look(eye, view.target))};
}
function fit(aspect) {  // all that will happen, clear of the caption and the bar
  view = {...home, distance: .5};
  for (let i = 0; i < 60; i++) {
    const m = camera(aspect).matrix, x = [], y = [];
    for (let corner = 0; corner < 8; corner++) {
      const p = [0, 1, 2].map(k => corner >> k & 1 ? high[k] : low[k]);
      const [cx, cy, , cw] = [0, 1, 2, 3].map(r => m[r] * p[0] + m[4 + r] * p[1] + m[8 + r] * p[2] + m[12 + r]);
      x.push(Math.abs(cx / cw)); y.push(cy / cw);
    }
    const top = Math.max(...y), bottom = Math.min(...y), off = (top + bottom) / 2 - .08;
    if (top - bottom > 1.5 || Math.max(...x) > .9) view.distance *= 1.04;
    else if (Math.abs(off) < .01) break;
    view.target = add(view.target, [0, off * view.distance * 3 * radius / lens, 0]);
  }
}
function draw(item, indices = item, mode = gl.TRIANGLES) {
  gl.bindVertexArray(indices.vao);
  if (item.instances) return gl.drawElementsInstanced(mode, indices.count, gl.UNSIGNED_INT, 0, item.instances);
  gl.vertexAttrib3f(2, ...(item.offset || [0, 0, 0]));
  gl.drawElements(mode, indices.count, gl.UNSIGNED_INT, 0);
}
function blobs() {  // a ball about each body, of the volume that it seems to fill
  const out = new Float32Array(32);
  model.bodies.slice(0, 8).forEach((body, k) => {
    const [first, count] = body.vertices, mean = [0, 0, 0], spread = [0, 0, 0];
    for (let i = 3 * first; i < 3 * (first + count); i++) mean[i % 3] += positions[i] / count;
    for (let i = 3 * first; i < 3 * (first + count); i++) spread[i % 3] += (positions[i] - mean[i % 3]) ** 2 / count;
    out.set([...mean, 1.5 * Math.pow(spread[0] * spread[1] * spread[2], 1 / 6)], 4 * k);
  });
  return out;
}
function render() {
  const ratio = Math.min(devicePixelRatio || 1, 2), aspect = innerWidth / innerHeight;
  const width = Math.round(innerWidth * ratio), height = Math.round(innerHeight * ratio);
  if (canvas.width !== width || canvas.height !== height) [canvas.width, canvas.height] = [width, height];
  pose(moment);
  for (const [target, data] of [[positionBuffer, positions], [normalBuffer, normals]]) {
    gl.bindBuffer(gl.ARRAY_BUFFER, target); gl.bufferSubData(gl.ARRAY_BUFFER, 0, data);
  }
  if (untouched) fit(aspect);
  const {eye, matrix} = camera(aspect);
  const shared = {camera: matrix, lamp: lightMatrix, eye, light, groundPoint: ground.point, groundNormal: ground.normal, center, radius,
                  screen: [width, height], depths: 0, shades: 1};

  gl.enable(gl.DEPTH_TEST);
  gl.bindFramebuffer(gl.FRAMEBUFFER, shadowFrame); gl.viewport(0, 0, shadowSize, shadowSize); gl.clear(gl.DEPTH_BUFFER_BIT);
  gl.enable(gl.POLYGON_OFFSET_FILL); gl.polygonOffset(1.5, 4);
  for (const item of items) { shadowProgram.use({camera: lightMatrix, size: item.size, pull: 0}); draw(item); }
  gl.disable(gl.POLYGON_OFFSET_FILL);

  gl.bindFramebuffer(gl.FRAMEBUFFER, null); gl.viewport(0, 0, width, height); gl.clear(gl.DEPTH_BUFFER_BIT);
  gl.depthMask(false); skyProgram.use(shared); draw(quad); gl.depthMask(true);
  groundProgram.use({...shared, spacing: 10 ** Math.round(Math.log10(.6 * radius)), blobs: blobs()}); draw(quad);
  for (const item of items) {
    bodyProgram.use({...shared, color: item.color, gloss: item.gloss, size: item.size, pull: 0, ink: 0});
    if (item.solid) gl.enable(gl.CULL_FACE);
    draw(item); gl.disable(gl.CULL_FACE);
  }
  if (!showMesh) return;
  gl.enable(gl.BLEND); gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
  for (const item of items) if (item.wire) {
    bodyProgram.use({...shared, color: item.color, gloss: 1, size: 1, pull: .0004, ink: .3}); draw(item, item.wire, gl.LINES);
  }
  gl.disable(gl.BLEND);
}

// ---- Time and hands ---------------------------------------------------------------------------------
const last = frames.length - 1, scrub = find('scrub'), clock = find('clock');
scrub.max = last;
function show() {
  const frame = Math.min(Math.round(moment), last);
  scrub.value = frame;
  scrub.style.setProperty('--done', (last ? 100 * moment / last : 100) + '%');
  clock.textContent = (moment * model.interval).toFixed(2) + ' s · ' + frame + ' / ' + last;
  const shape = playing ? 'M2 1h3.5v12H2zM8.5 1H12v12H8.5z' : 'M3 1l10 6-10 6z';
  find('play').innerHTML = '<svg width="14" height="14"><path d="' + shape + '"/></svg>';
  dirty = true;
}
function play(on) { playing = on && last > 0; if (playing && moment >= last) moment = 0; show(); }
function seek(frame) { playing = false; moment = Math.max(0, Math.min(last, frame)); show(); }
function fromAddress() {  // #frame=80 stands still there
  const asked = /frame=(\d+)/.exec(location.hash);
  if (/mesh/.test(location.hash)) setMesh(true);
  if (asked) seek(Number(asked[1]));
}
function setMesh(on) { showMesh = on; find('mesh').setAttribute('aria-pressed', on); dirty = true; }
find('play').onclick = () => play(!playing); find('mesh').onclick = () => setMesh(!showMesh);
scrub.oninput = () => seek(Number(scrub.value));
addEventListener('hashchange', fromAddress); addEventListener('resize', () => dirty = true);
addEventListener('keydown', event => {
  if (event.key === ' ' && event.target.tagName !== 'BUTTON') { event.preventDefault(); play(!playing); }
  if (event.key === 'm') setMesh(!showMesh);
  if (event.target !== scrub && event.key === 'ArrowLeft') seek(Math.ceil(moment) - 1);
  if (event.target !== scrub && event.key === 'ArrowRight') seek(Math.floor(moment) + 1);
});
const fingers = new Map();
function zoom(factor) { untouched = false; view.distance = Math.max(.1, Math.min(4, view.distance * factor)); dirty = true; }
canvas.onpointerdown = event => { fingers.set(event.pointerId, event); canvas.setPointerCapture(event.pointerId); };
canvas.onpointerup = canvas.onpointercancel = event => fingers.delete(event.pointerId);
canvas.onpointermove = event => {
  const before = fingers.get(event.pointerId);
  if (!before) return;
  untouched = false;
  const dx = event.clientX - before.clientX, dy = event.clientY - before.clientY;
  if (fingers.size === 2) {
    const other = [...fingers.values()].find(f => f.pointerId !== event.pointerId);
    const gap = f => Math.hypot(f.clientX - other.clientX, f.clientY - other.clientY);
    zoom(gap(before) / Math.max(gap(event), 1));
  } else if (event.shiftKey || before.buttons & 2) {
    const s = 1.9 * radius * view.distance / innerHeight, right = [Math.cos(view.yaw), 0, -Math.sin(view.yaw)];
    view.target = add(add(view.target, right, -dx * s), [0, 1, 0], dy * s);
  } else {
    view.yaw -= dx * .006; view.pitch = Math.max(.02, Math.min(1.5, view.pitch + dy * .006));
  }
  fingers.set(event.pointerId, event); dirty = true;
};
canvas.oncontextmenu = event => event.preventDefault();
canvas.ondblclick = () => { untouched = true; dirty = true; };
canvas.addEventListener('wheel', event => { event.preventDefault(); zoom(Math.exp(event.deltaY * .0012)); }, {passive: false});

let then = 0;
function tick(now) {
  if (playing) {
    moment += Math.min((now - then) / 1000, .1) / model.interval;
    if (moment > last) moment = 0;
    show();
  }
  then = now;
  if (dirty) { dirty = false; render(); }
  requestAnimationFrame(tick);
}
play(true); fromAddress(); requestAnimationFrame(tick);
</script>
</html>
)page";

}  // namespace pliant::output
