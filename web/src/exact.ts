// Closed forms: what a scene should do if steps cost nothing.
import type { Triple } from './protocol';

export interface Measured {
  curve: Triple[]; // m, to be drawn over the scene
  marks: Triple[]; // m, where points should be
  error: number; // m, of the point that is worst off
  // What is plotted now: over time, or along the body.
  simulated: [number, number][];
  exact: [number, number][];
}

// The value of a field at a path.
export type Values = (path: string) => number | number[];

export interface Exact {
  formula: string;
  over: 'time' | 'place'; // what is to the right in the plot
  up: string; // what is upward, with its unit
  radius: number; // m, of the marks
  // points of body 0 at the start and now: x, y, z one after the other
  measure(start: number[], now: number[], time: number, values: Values): Measured;
}

const distance = (a: number[], b: number[]) => Math.hypot(a[0] - b[0], a[1] - b[1], (a[2] ?? 0) - (b[2] ?? 0));
const point = (points: number[], i: number): Triple => [points[3 * i], points[3 * i + 1], points[3 * i + 2]];

// The elliptic sine sn(u; k), by the descending Landen transformation of the arithmetic-geometric mean.
export function ellipticSine(u: number, k: number): number {
  let a = 1, b = Math.sqrt(1 - k * k), c = k;
  const as = [a], cs = [c];
  while (Math.abs(c) > 1e-15 && as.length < 40) {
    [a, b, c] = [(a + b) / 2, Math.sqrt(a * b), (a - b) / 2];
    as.push(a);
    cs.push(c);
  }
  let phi = 2 ** (as.length - 1) * a * u;
  for (let n = as.length - 1; n > 0; n--) phi = (phi + Math.asin((cs[n] / as[n]) * Math.sin(phi))) / 2;
  return Math.sin(phi);
}

// The quarter period K(k).
export function quarterPeriod(k: number): number {
  let a = 1, b = Math.sqrt(1 - k * k);
  while (Math.abs(a - b) > 1e-15 * a) [a, b] = [(a + b) / 2, Math.sqrt(a * b)];
  return Math.PI / (2 * a);
}

// A point on a circle, let go at rest. θ from the lowest point: sin(θ/2) = k·sn(K − t·√(g/L)), k = sin(θ₀/2).
const circle: Exact = {
  formula: 'sin(θ/2) = k·sn(K − t·√(g/L), k)', over: 'time', up: 'angle, °', radius: 0.075,
  measure(start, now, time, values) {
    const center = point(start, 0), from = point(start, 1), at = point(now, 1);
    const g = Math.abs((values('/solver/gravity') as number[])[1]), length = distance(center, from);
    const first = Math.atan2(from[0] - center[0], center[1] - from[1]), k = Math.sin(Math.abs(first) / 2);
    const u = quarterPeriod(k) - time * Math.sqrt(g / length);
    const angle = 2 * Math.asin(Math.max(-1, Math.min(1, k * ellipticSine(u, k)))) * Math.sign(first);
    const place = (a: number): Triple => [center[0] + length * Math.sin(a), center[1] - length * Math.cos(a), center[2]];
    const reach = Math.abs(first), curve = Array.from({ length: 61 }, (_, i) => place(-reach + (reach * i) / 30));
    const degrees = 180 / Math.PI, simulated = Math.atan2(at[0] - center[0], center[1] - at[1]);
    return {
      curve, marks: [place(angle)], error: distance(place(angle), at),
      simulated: [[time, simulated * degrees]], exact: [[time, angle * degrees]],
    };
  },
};

// A mass m on a spring of compliance α: x = L + (x₀ − L)·cos(t/√(αm)).
const oscillator: Exact = {
  formula: 'x = L + (x₀ − L)·cos(t/√(αm))', over: 'time', up: 'length, m', radius: 0.09,
  measure(start, now, time, values) {
    const rest = 1, mass = 1, compliance = values('/bodies/0/particles/link/compliance') as number;
    const held = point(start, 0), length = distance(held, point(start, 1)), omega = 1 / Math.sqrt(compliance * mass);
    const exact = compliance > 0 ? rest + (length - rest) * Math.cos(omega * time) : rest, at = point(now, 1);
    const place: Triple = [held[0] + exact, held[1], held[2]];
    return {
      curve: [[held[0] + 2 * rest - length, held[1], held[2]], [held[0] + length, held[1], held[2]]], marks: [place],
      error: distance(place, at), simulated: [[time, distance(held, at)]], exact: [[time, exact]],
    };
  },
};

// y = a·cosh(x/a) with the a at which a rope of its length spans from end to end: 2a·sinh(d/2a) = L.
const catenary: Exact = {
  formula: 'y = a·cosh(x/a), 2a·sinh(d/2a) = L', over: 'place', up: 'height, m', radius: 0.02,
  measure(start, now) {
    const count = now.length / 3, left = point(now, 0), right = point(now, count - 1);
    let length = 0;
    for (let i = 1; i < count; i++) length += distance(point(start, i - 1), point(start, i));
    const span = right[0] - left[0];
    let low = 1e-3, high = 1e3; // of d/2a: sinh(s)/s grows with s
    for (let i = 0; i < 80; i++) {
      const s = (low + high) / 2;
      if (s < 700 && Math.sinh(s) / s < length / span) low = s;
      else high = s;
    }
    const a = span / (2 * low), middle = (left[0] + right[0]) / 2, lowest = left[1] - a * Math.cosh(span / (2 * a));
    const height = (x: number) => lowest + a * Math.cosh((x - middle) / a);
    // Equal pieces of the curve, as the links are: x = a·asinh(s/a).
    const along = (i: number) => middle + a * Math.asinh((i / (count - 1) - 0.5) * (length / a));
    const curve = Array.from({ length: count }, (_, i): Triple => [along(i), height(along(i)), left[2]]);
    const points = Array.from({ length: count }, (_, i) => point(now, i));
    return {
      curve, marks: [], error: Math.max(...points.map((p, i) => distance(p, curve[i]))),
      simulated: points.map(([x, y]) => [x, y]), exact: curve.map(([x, y]) => [x, y]),
    };
  },
};

// w = ρgA·(x²(6L² − 4Lx + x²)/24EI + (Lx − x²/2)/κGA), Timoshenko; κ = 5/6, G = E/2(1 + ν).
const cantilever: Exact = {
  formula: 'w = ρgA·(x²(6L²−4Lx+x²)/24EI + (Lx−x²/2)/κGA)', over: 'place', up: 'height, m', radius: 0.022,
  measure(start, now, _, values) {
    const E = values('/bodies/0/soft/young_modulus') as number, nu = values('/bodies/0/soft/poisson_ratio') as number;
    const rho = values('/bodies/0/soft/density') as number, g = -(values('/solver/gravity') as number[])[1];
    const sections = new Map<number, { sum: Triple; rest: Triple; count: number }>();
    let low = Infinity, high = -Infinity;
    for (let i = 0; i < start.length / 3; i++) {
      const rest = point(start, i), at = point(now, i), key = Math.round(rest[0] * 1e4);
      const one = sections.get(key) ?? { sum: [0, 0, 0], rest: [0, 0, 0], count: 0 };
      sections.set(key, one);
      for (const c of [0, 1, 2]) {
        one.sum[c] += at[c];
        one.rest[c] += rest[c];
      }
      one.count++;
      [low, high] = [Math.min(low, rest[1]), Math.max(high, rest[1])];
    }
    const h = high - low, all = [...sections.entries()].sort(([a], [b]) => a - b).map(([, s]) => s);
    const mean = (s: Triple, n: number): Triple => [s[0] / n, s[1] / n, s[2] / n];
    const rests = all.map((s) => mean(s.rest, s.count)), points = all.map((s) => mean(s.sum, s.count));
    const first = rests[0][0], L = rests[rests.length - 1][0] - first, G = E / (2 * (1 + nu));
    const load = rho * g; // over A: ρgA/EI = 12ρg/Eh², ρgA/κGA = ρg/κG
    const sink = (x: number) => ((load * 12) / (E * h * h)) * ((x * x * (6 * L * L - 4 * L * x + x * x)) / 24) + (load / ((5 / 6) * G)) * (L * x - (x * x) / 2);
    const curve = rests.map(([x, y, z]): Triple => [x, y - sink(x - first), z]);
    return {
      curve, marks: [curve[curve.length - 1]], error: Math.max(...points.map((p, i) => Math.abs(p[1] - curve[i][1]))),
      simulated: points.map(([x, y]) => [x, y]), exact: curve.map(([x, y]) => [x, y]),
    };
  },
};

// By the names of scenes.
export const exactOf: Record<string, Exact | undefined> = { one_weight: circle, bead_on_wire: circle, oscillator, catenary, cantilever };
