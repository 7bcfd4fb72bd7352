// The XPBD loop as anyone would write it in JavaScript: Float32Array, small helper functions, one constraint
// after the other. The same problems as c<N> and j<N>: compliance 0, 10 substeps, one iteration.

const setDifference = (a, i, b, j, c, k) => {
  a[3 * i] = b[3 * j] - c[3 * k];
  a[3 * i + 1] = b[3 * j + 1] - c[3 * k + 1];
  a[3 * i + 2] = b[3 * j + 2] - c[3 * k + 2];
};
const addScaled = (a, i, b, j, s) => {
  a[3 * i] += b[3 * j] * s;
  a[3 * i + 1] += b[3 * j + 1] * s;
  a[3 * i + 2] += b[3 * j + 2] * s;
};
const scale = (a, i, s) => {
  a[3 * i] *= s;
  a[3 * i + 1] *= s;
  a[3 * i + 2] *= s;
};
const lengthSquared = (a, i) => a[3 * i] ** 2 + a[3 * i + 1] ** 2 + a[3 * i + 2] ** 2;
const setCross = (a, i, b, j, c, k) => {
  a[3 * i] = b[3 * j + 1] * c[3 * k + 2] - b[3 * j + 2] * c[3 * k + 1];
  a[3 * i + 1] = b[3 * j + 2] * c[3 * k] - b[3 * j] * c[3 * k + 2];
  a[3 * i + 2] = b[3 * j] * c[3 * k + 1] - b[3 * j + 1] * c[3 * k];
};
const dot = (a, i, b, j) => a[3 * i] * b[3 * j] + a[3 * i + 1] * b[3 * j + 1] + a[3 * i + 2] * b[3 * j + 2];

// The three other corners, in the order in which their cross product is a corner's gradient.
const opposite = [[1, 3, 2], [0, 2, 3], [0, 3, 1], [0, 1, 2]];

export class LiteralBody {
  constructor(positions, inverseMasses, edges, tetrahedra) {
    this.positions = positions;
    this.previous = positions.slice();
    this.velocities = new Float32Array(positions.length);
    this.inverseMasses = inverseMasses;
    this.edges = edges;
    this.tetrahedra = tetrahedra;
    this.difference = new Float32Array(3);
    this.temporary = new Float32Array(6);
    this.gradients = new Float32Array(12);
    this.lengths = new Float32Array(edges.length / 2);
    this.volumes = new Float32Array(tetrahedra.length / 4);
    for (let i = 0; i < this.lengths.length; i++) {
      setDifference(this.difference, 0, positions, edges[2 * i], positions, edges[2 * i + 1]);
      this.lengths[i] = Math.sqrt(lengthSquared(this.difference, 0));
    }
    for (let i = 0; i < this.volumes.length; i++) this.volumes[i] = this.volume(i);
  }

  volume(i) {
    const t = this.tetrahedra, x = this.positions, d = this.temporary;
    setDifference(d, 0, x, t[4 * i + 1], x, t[4 * i]);
    setDifference(d, 1, x, t[4 * i + 2], x, t[4 * i]);
    setCross(this.difference, 0, d, 0, d, 1);
    setDifference(d, 0, x, t[4 * i + 3], x, t[4 * i]);
    return dot(this.difference, 0, d, 0) / 6;
  }

  frame(substeps = 10, time = 1 / 60) {
    const h = time / substeps;
    for (let step = 0; step < substeps; step++) {
      this.predict(h);
      this.solveEdges();
      this.solveVolumes();
      this.finish(h);
    }
  }

  predict(h) {
    for (let i = 0; i < this.inverseMasses.length; i++) {
      if (this.inverseMasses[i] === 0) continue;
      this.velocities[3 * i + 1] -= 9.81 * h;
      for (let c = 0; c < 3; c++) this.previous[3 * i + c] = this.positions[3 * i + c];
      addScaled(this.positions, i, this.velocities, i, h);
    }
  }

  solveEdges() {
    for (let i = 0; i < this.lengths.length; i++) {
      const a = this.edges[2 * i], b = this.edges[2 * i + 1];
      const w0 = this.inverseMasses[a], w1 = this.inverseMasses[b], w = w0 + w1;
      if (w === 0) continue;
      setDifference(this.difference, 0, this.positions, a, this.positions, b);
      const length = Math.sqrt(lengthSquared(this.difference, 0));
      if (length === 0) continue;
      scale(this.difference, 0, 1 / length);
      const s = -(length - this.lengths[i]) / w;
      addScaled(this.positions, a, this.difference, 0, s * w0);
      addScaled(this.positions, b, this.difference, 0, -s * w1);
    }
  }

  solveVolumes() {
    const x = this.positions, t = this.tetrahedra;
    for (let i = 0; i < this.volumes.length; i++) {
      let w = 0;
      for (let j = 0; j < 4; j++) {
        const [p, q, r] = opposite[j];
        setDifference(this.temporary, 0, x, t[4 * i + q], x, t[4 * i + p]);
        setDifference(this.temporary, 1, x, t[4 * i + r], x, t[4 * i + p]);
        setCross(this.gradients, j, this.temporary, 0, this.temporary, 1);
        scale(this.gradients, j, 1 / 6);
        w += this.inverseMasses[t[4 * i + j]] * lengthSquared(this.gradients, j);
      }
      if (w === 0) continue;
      const s = -(this.volume(i) - this.volumes[i]) / w;
      for (let j = 0; j < 4; j++) addScaled(x, t[4 * i + j], this.gradients, j, s * this.inverseMasses[t[4 * i + j]]);
    }
  }

  finish(h) {
    for (let i = 0; i < this.inverseMasses.length; i++) {
      if (this.inverseMasses[i] === 0) continue;
      setDifference(this.velocities, i, this.positions, i, this.previous, i);
      scale(this.velocities, i, 1 / h);
    }
  }
}

// A cloth of n × n particles, 2 m wide, hung by two corners: structural, diagonal and bending links.
export function cloth(n) {
  const positions = new Float32Array(3 * n * n), edges = [];
  const inverseMasses = new Float32Array(n * n).fill((n * n) / 0.8);
  for (let row = 0; row < n; row++) {
    for (let column = 0; column < n; column++) positions.set([(2 * column) / (n - 1) - 1, 2, (2 * row) / (n - 1) - 1], 3 * (row * n + column));
  }
  for (const [from, column, row] of [[0, 1, 0], [0, 0, 1], [0, 1, 1], [1, 0, 1], [0, 2, 0], [0, 0, 2]]) {
    for (let r = 0; r + row < n; r++) {
      for (let c = 0; c + Math.max(from, column) < n; c++) edges.push(r * n + c + from, (r + row) * n + c + column);
    }
  }
  inverseMasses[0] = inverseMasses[n - 1] = 0;
  return new LiteralBody(positions, inverseMasses, Uint32Array.from(edges), new Uint32Array(0));
}

// A cube of n³ cells, six tetrahedra around the long diagonal of each, hung by its four top corners.
export function jelly(n) {
  const row = n + 1, at = (x, y, z) => (z * row + y) * row + x;
  const positions = new Float32Array(3 * row ** 3), tetrahedra = [], edges = new Set();
  for (let z = 0; z < row; z++) for (let y = 0; y < row; y++) for (let x = 0; x < row; x++) positions.set([x / n, y / n + 2, z / n], 3 * at(x, y, z));
  const steps = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
  for (let z = 0; z < n; z++) for (let y = 0; y < n; y++) for (let x = 0; x < n; x++) {
    for (const [i, j, k] of [[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 2, 1], [2, 1, 0], [1, 0, 2]]) {
      const p = [x, y, z], corners = [at(...p)];
      for (const step of [i, j, k]) {
        p.forEach((_, c) => (p[c] += steps[step][c]));
        corners.push(at(...p));
      }
      const even = (j - i + 3) % 3 === 1;
      tetrahedra.push(...(even ? corners : [corners[0], corners[2], corners[1], corners[3]]));
      for (let a = 0; a < 4; a++) for (let b = a + 1; b < 4; b++) edges.add(Math.min(corners[a], corners[b]) * 2 ** 20 + Math.max(corners[a], corners[b]));
    }
  }
  const masses = new Float32Array(row ** 3), volume = 1 / (6 * n ** 3);
  for (const corner of tetrahedra) masses[corner] += (1000 * volume) / 4;
  const inverseMasses = masses.map((m) => 1 / m);
  for (const [x, z] of [[0, 0], [n, 0], [0, n], [n, n]]) inverseMasses[at(x, n, z)] = 0;
  const pairs = [...edges].flatMap((e) => [Math.floor(e / 2 ** 20), e % 2 ** 20]);
  return new LiteralBody(positions, inverseMasses, Uint32Array.from(pairs), Uint32Array.from(tetrahedra));
}
