// ---- What is drawn -----------------------------------------------------------------------------------
const linear = color => color.map(x => Math.pow(x, 2.2));
const still = [0, 0, 0, 1];

function makeBall(columns, rows) {
  const p = [], index = [];
  for (let r = 0; r <= rows; r++) for (let c = 0; c <= columns; c++) {
    const a = 2 * Math.PI * c / columns, b = Math.PI * r / rows, i = r * (columns + 1) + c;
    p.push(Math.cos(a) * Math.sin(b), Math.cos(b), Math.sin(a) * Math.sin(b));
    if (r < rows && c < columns) index.push(i, i + 1, i + columns + 1, i + 1, i + columns + 2, i + columns + 1);
  }
  const points = buffer(new Float32Array(p));
  return mesh(points, points, new Uint32Array(index));
}

const glosses = {jelly: 1, cloth: .12, matte: .7};
function makeSurface(item, pane) {
  const triangles = indices(item.triangles).map(v => v + item.first), wire = [];
  for (let t = 0; t < triangles.length; t += 3) for (let e = 0; e < 3; e++) {
    wire.push(triangles[t + e], triangles[t + (e + 1) % 3]);
  }
  return {...mesh(pane.points, pane.directions, triangles), triangles, wire: mesh(pane.points, pane.directions, new Uint32Array(wire)),
          gloss: glosses[item.finish], solid: item.finish !== 'cloth', size: 1};
}
function makeBeads(item, pane) {
  const beads = {...makeBall(20, 12), gloss: .7, size: item.radius, instances: item.count};
  gl.bindVertexArray(beads.vao); attribute(2, pane.points, 1, 12 * item.first); gl.bindVertexArray(null);
  return beads;
}
function makeItem(item, pane) {
  const made = item.kind === 'surface' ? makeSurface(item, pane) : item.kind === 'beads' ? makeBeads(item, pane) :
      {...makeTubes(item.paths.map(path => path.map(v => v + item.first))), gloss: .7, size: 1, radius: item.radius};
  return {...made, kind: item.kind, color: linear(item.color), turn: still, offset: [0, 0, 0]};
}

// The mesh of a collider and where it is while it has that mesh: from one frame up to another.
function makeCollider(collider) {
  const points = floats(collider.positions), triangles = indices(collider.triangles), directions = new Float32Array(points.length);
  addNormals(triangles, points, directions);
  return {...mesh(buffer(points), buffer(directions), triangles), kind: 'collider', poses: collider.poses,
          frames: collider.frames, color: [.74, .75, .77], gloss: .25, solid: collider.inverted, lets: collider.inverted};
}
function placeCollider(item, moment) {
  const {first, second, share} = around(moment), [from, end] = item.frames;
  item.hidden = first < from || first >= end;
  if (item.hidden) return;
  const a = entry(item.poses, first - from), b = entry(item.poses, Math.min(second, end - 1) - from);
  item.offset = mix(a.center, b.center, share);
  item.turn = mixTurns(a.rotation, b.rotation, share);
  item.size = a.scale + (b.scale - a.scale) * share;
}

const panes = model.panes.map((recorded, number) => {
  const pane = {number, recorded, positions: new Float32Array(3 * recorded.vertices), normals: new Float32Array(3 * recorded.vertices)};
  pane.points = changing(pane.positions); pane.directions = changing(pane.normals);
  pane.items = [...recorded.items.map(item => makeItem(item, pane)), ...recorded.colliders.map(makeCollider)];
  pane.label = document.body.appendChild(document.createElement('p'));
  pane.label.className = 'label'; pane.label.textContent = recorded.label;
  return pane;
});

function place(pane, moment) {
  pose(pane.number, moment, pane.positions);
  pane.normals.fill(0);
  for (const item of pane.items) if (item.triangles) addNormals(item.triangles, pane.positions, pane.normals);
  update(pane.points, pane.positions); update(pane.directions, pane.normals);
  for (const item of pane.items) {
    if (item.kind === 'tubes') item.place(pane.positions, item.radius);
    if (item.kind === 'collider') placeCollider(item, moment);
  }
}
