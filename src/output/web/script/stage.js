// ---- The stage: a ball around all that happens, the ground, the light ---------------------------
const low = [0, 1, 2].map(i => Math.min(...bounds.map(b => b[i])));
const high = [0, 1, 2].map(i => Math.max(...bounds.map(b => b[3 + i])));
for (const pane of model.panes) for (const c of pane.colliders) for (const p of c.poses) {
  const r = c.reach * p.scale;
  for (let i = 0; i < 3; i++) { low[i] = Math.min(low[i], p.center[i] - r); high[i] = Math.max(high[i], p.center[i] + r); }
}
const center = scaled(add(low, high), .5), radius = Math.max(Math.hypot(...add(high, low, -1)) / 2, 1e-6);
const light = unit(model.light);
const lightMatrix = (() => {
  const m = look(add(center, light, 3 * radius), center), r = 1.25 * radius;
  return times([1 / r, 0, 0, 0, 0, 1 / r, 0, 0, 0, 0, -1 / (3 * radius), 0, 0, 0, -1, 1], m);
})();
function groundAt(pane, frame) {
  const ground = entry(pane.grounds, frame);
  if (ground) return {point: ground.point, normal: unit(ground.normal)};
  return {point: [center[0], low[1] - .06 * radius, center[2]], normal: [0, 1, 0]};
}
