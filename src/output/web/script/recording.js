// ---- What was recorded: a line for each pane of each frame, of low, high and the coordinates between --
const model = JSON.parse(find('model').textContent);
const lines = find('frames').textContent.trim().split('\n'), frameCount = lines.length / model.panes.length;
const bytes = text => Uint8Array.from(atob(text), c => c.charCodeAt(0));
const floats = text => new Float32Array(bytes(text).buffer), indices = text => new Uint32Array(bytes(text).buffer);
const bounds = lines.map(line => line.split(',', 6).map(Number));

const decoded = new Map();  // the two frames around the present moment, of all panes
function decode(line) {
  if (!decoded.has(line)) {
    if (decoded.size >= 3 * model.panes.length) decoded.clear();
    const text = lines[line], b = bounds[line];
    const q = new Uint16Array(bytes(text.slice(text.lastIndexOf(',') + 1)).buffer), p = new Float32Array(q.length);
    for (let i = 0; i < p.length; i++) p[i] = b[i % 3] + (b[3 + i % 3] - b[i % 3]) * (q[i] / 65535);
    decoded.set(line, p);
  }
  return decoded.get(line);
}

// The frames before and after a moment, and how far it is between them.
function around(moment) {
  const first = Math.min(Math.floor(moment), frameCount - 1), share = moment - first;
  return {first, second: share > 0 && first + 1 < frameCount ? first + 1 : first, share};
}

// Where the vertices of a pane are at a moment.
function pose(pane, moment, positions) {
  const {first, second, share} = around(moment), panes = model.panes.length;
  const a = decode(first * panes + pane), b = decode(second * panes + pane);
  for (let i = 0; i < positions.length; i++) positions[i] = a[i] + (b[i] - a[i]) * share;
}

// Of a list with an entry for each frame, or a single one for all.
const entry = (list, frame) => list[Math.min(frame, list.length - 1)];

// The sum of the cross products around each vertex, so that large triangles count more.
function addNormals(triangles, p, normals) {
  for (let t = 0; t < triangles.length; t += 3) {
    const i = 3 * triangles[t], j = 3 * triangles[t + 1], k = 3 * triangles[t + 2];
    const ux = p[j] - p[i], uy = p[j + 1] - p[i + 1], uz = p[j + 2] - p[i + 2];
    const vx = p[k] - p[i], vy = p[k + 1] - p[i + 1], vz = p[k + 2] - p[i + 2];
    const x = uy * vz - uz * vy, y = uz * vx - ux * vz, z = ux * vy - uy * vx;
    for (const c of [i, j, k]) { normals[c] += x; normals[c + 1] += y; normals[c + 2] += z; }
  }
}
