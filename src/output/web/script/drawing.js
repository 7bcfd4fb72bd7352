// ---- Drawing: all panes are seen by one camera -------------------------------------------------------
const home = {yaw: .62, pitch: .27, distance: 1, target: center};
let view = {...home}, untouched = true, moment = 0, playing = true, showMesh = false, dirty = true;

// One over the slope of the picture's upper edge; a narrow pane shows as much from left to right as 4 : 3.
function lens(aspect) {
  if (!model.camera) return 3.2;
  return 1 / (Math.tan(model.camera.fieldOfView * Math.PI / 360) * Math.max(4 / 3 / aspect, 1));
}
function camera(aspect) {
  const far = view.distance * 3 * radius, cp = Math.cos(view.pitch);
  const eye = add(view.target, [Math.sin(view.yaw) * cp, Math.sin(view.pitch), Math.cos(view.yaw) * cp], far);
  return {eye, matrix: times(perspective(lens(aspect), aspect, far * .02, far + 20 * radius), look(eye, view.target))};
}
function asRecorded({eye, target}) {
  const away = add(eye, target, -1), far = Math.hypot(...away);
  return {yaw: Math.atan2(away[0], away[2]), pitch: Math.asin(away[1] / far), distance: far / (3 * radius), target};
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
    view.target = add(view.target, [0, off * view.distance * 3 * radius / lens(aspect), 0]);
  }
}
function draw(item, elements = item, mode = gl.TRIANGLES) {
  gl.bindVertexArray(elements.vao);
  if (item.instances) return gl.drawElementsInstanced(mode, elements.count, gl.UNSIGNED_INT, 0, item.instances);
  gl.vertexAttrib3f(2, ...(item.offset || [0, 0, 0]));
  gl.drawElements(mode, elements.count, gl.UNSIGNED_INT, 0);
}
function blobs(pane) {  // a ball about each body, of the volume that it seems to fill
  const out = new Float32Array(32), positions = pane.positions;
  pane.recorded.items.slice(0, 8).forEach(({first, count}, k) => {
    const mean = [0, 0, 0], spread = [0, 0, 0];
    for (let i = 3 * first; i < 3 * (first + count); i++) mean[i % 3] += positions[i] / count;
    for (let i = 3 * first; i < 3 * (first + count); i++) spread[i % 3] += (positions[i] - mean[i % 3]) ** 2 / count;
    out.set([...mean, 1.5 * Math.pow(spread[0] * spread[1] * spread[2], 1 / 6)], 4 * k);
  });
  return out;
}

function drawShadows(items) {
  gl.bindFramebuffer(gl.FRAMEBUFFER, shadowFrame); gl.viewport(0, 0, shadowSize, shadowSize);
  gl.disable(gl.SCISSOR_TEST); gl.clear(gl.DEPTH_BUFFER_BIT);
  gl.enable(gl.POLYGON_OFFSET_FILL); gl.polygonOffset(1.5, 4);
  for (const item of items) {
    if (item.lets) continue;  // light comes in as the view does
    shadowProgram.use({camera: lightMatrix, size: item.size, turn: item.turn, pull: 0}); draw(item);
  }
  gl.disable(gl.POLYGON_OFFSET_FILL);
}
function drawItems(items, shared) {
  for (const item of items) {
    bodyProgram.use({...shared, color: item.color, gloss: item.gloss, size: item.size, turn: item.turn, pull: 0, ink: 0});
    if (item.solid) gl.enable(gl.CULL_FACE);
    draw(item); gl.disable(gl.CULL_FACE);
  }
  if (!showMesh) return;
  gl.enable(gl.BLEND); gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
  for (const item of items) if (item.wire) {
    bodyProgram.use({...shared, color: item.color, gloss: 1, size: 1, turn: still, pull: .0004, ink: .3});
    draw(item, item.wire, gl.LINES);
  }
  gl.disable(gl.BLEND);
}
function drawPane(pane, [x, y, width, height]) {
  place(pane, moment);
  const items = pane.items.filter(item => !item.hidden);
  drawShadows(items);
  const {eye, matrix} = camera(width / height), ground = groundAt(pane.recorded, Math.round(moment));
  const shared = {camera: matrix, lamp: lightMatrix, eye, light, groundPoint: ground.point, groundNormal: ground.normal,
                  center, radius, corner: [x, y], screen: [width, height], depths: 0, shades: 1};
  gl.bindFramebuffer(gl.FRAMEBUFFER, null); gl.viewport(x, y, width, height);
  gl.enable(gl.SCISSOR_TEST); gl.scissor(x, y, width, height); gl.clear(gl.DEPTH_BUFFER_BIT);
  gl.depthMask(false); skyProgram.use(shared); draw(quad); gl.depthMask(true);
  groundProgram.use({...shared, spacing: 10 ** Math.round(Math.log10(.6 * radius)), blobs: blobs(pane)}); draw(quad);
  drawItems(items, shared);
}

// Where a pane is, in pixels from the lower left corner. One fills the window; several stand between the
// caption and the bar, with narrow gaps.
function rectangle(number, width, height, ratio) {
  const {columns, rows} = model, gap = 4, column = number % columns, row = Math.floor(number / columns);
  const several = panes.length > 1, below = several ? 76 * ratio : 0;
  const above = several ? (find('caption').offsetHeight + 40) * ratio : 0;
  const w = Math.floor((width - gap * (columns - 1)) / columns);
  const h = Math.max(Math.floor((height - above - below - gap * (rows - 1)) / rows), 1);
  return [column * (w + gap), Math.round(below) + (rows - 1 - row) * (h + gap), w, h];
}
function render() {
  const ratio = Math.min(devicePixelRatio || 1, 2);
  const width = Math.round(innerWidth * ratio), height = Math.round(innerHeight * ratio);
  if (canvas.width !== width || canvas.height !== height) [canvas.width, canvas.height] = [width, height];
  const [, , w, h] = rectangle(0, width, height, ratio);
  if (untouched) { if (model.camera) view = asRecorded(model.camera); else fit(w / h); }
  gl.enable(gl.DEPTH_TEST); gl.disable(gl.SCISSOR_TEST);
  gl.bindFramebuffer(gl.FRAMEBUFFER, null); gl.clearColor(.93, .95, .97, 1); gl.clear(gl.COLOR_BUFFER_BIT);
  for (const pane of panes) {
    const at = rectangle(pane.number, width, height, ratio), style = pane.label.style;
    drawPane(pane, at);
    style.left = at[0] / ratio + 12 + 'px'; style.bottom = at[1] / ratio + 8 + 'px';
    style.maxWidth = at[2] / ratio - 24 + 'px';
  }
}
