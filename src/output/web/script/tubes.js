// ---- Round tubes along paths, smoothed between their points ----------------------------------------
const sectors = 12, piecesBetween = 4;

// The point of a Catmull–Rom spline between b and c.
function between(a, b, c, d, t) {
  return b.map((x, i) => x + .5 * ((c[i] - a[i]) * t + (2 * a[i] - 5 * x + 4 * c[i] - d[i]) * t * t +
                                   (3 * (x - c[i]) + d[i] - a[i]) * t * t * t));
}
function stations(path) {
  if (path.length === 2) return path;
  const made = [], last = path.length - 1;
  for (let i = 0; i < last; i++) for (let k = 0; k < piecesBetween; k++) {
    made.push(between(path[Math.max(i - 1, 0)], path[i], path[i + 1], path[Math.min(i + 2, last)], k / piecesBetween));
  }
  return [...made, path[last]];
}
const stationCount = path => path.length === 2 ? 2 : piecesBetween * (path.length - 1) + 1;

// Rings around all paths, of which each is turned from the one before as little as possible. The first and
// the last ring of a path are single points that close it.
function makeTubes(paths) {
  const index = [];
  let rings = 0;
  for (const path of paths) {
    const count = stationCount(path) + 2;
    for (let r = 0; r + 1 < count; r++) for (let s = 0; s < sectors; s++) {
      const a = (rings + r) * sectors + s, b = (rings + r) * sectors + (s + 1) % sectors;
      index.push(a, b + sectors, a + sectors, a, b, b + sectors);
    }
    rings += count;
  }
  const p = new Float32Array(3 * sectors * rings), n = new Float32Array(p.length);
  const points = changing(p), directions = changing(n);
  function place(positions, thickness) {
    let at = 0, side = [1, 0, 0], along = [0, 1, 0];
    const ring = (point, outward, forward) => {
      const third = cross(along, side);
      for (let s = 0; s < sectors; s++) {
        const angle = 2 * Math.PI * s / sectors, c = Math.cos(angle) * outward, d = Math.sin(angle) * outward;
        for (let i = 0; i < 3; i++) {
          n[at] = side[i] * c + third[i] * d + along[i] * forward;
          p[at++] = point[i] + (side[i] * c + third[i] * d) * thickness;
        }
      }
    };
    for (const path of paths) {
      const line = stations(path.map(v => [...positions.subarray(3 * v, 3 * v + 3)]));
      line.forEach((point, i) => {
        const step = add(line[Math.min(i + 1, line.length - 1)], line[Math.max(i - 1, 0)], -1);
        if (Math.hypot(...step) > 0) along = unit(step);
        const across = add(side, along, -dot(side, along));
        side = unit(Math.hypot(...across) > 1e-3 ? across : cross(along, Math.abs(along[0]) < .8 ? [1, 0, 0] : [0, 1, 0]));
        if (i === 0) ring(point, 0, -1);
        ring(point, 1, 0);
        if (i + 1 === line.length) ring(point, 0, 1);
      });
    }
    update(points, p); update(directions, n);
  }
  return {...mesh(points, directions, new Uint32Array(index)), place};
}
