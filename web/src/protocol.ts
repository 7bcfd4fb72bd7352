// What page and worker say to each other.

export interface EngineError {
  path: string;
  message: string;
  text: string;
}

export interface Item {
  kind: 'surface' | 'beads';
  first_vertex: number;
  count: number;
  color: [number, number, number];
  first_index?: number;
  index_count?: number;
  finish?: 'jelly' | 'cloth' | 'matte';
  faceted?: boolean;
  radius?: number;
  collider?: boolean; // nothing to hold
}

export interface ColliderMesh {
  positions: number[];
  normals: number[];
  triangles: number[];
  inverted: boolean; // it faces inward
}

export type Triple = [number, number, number];

export interface Layout {
  items: Item[];
  colliders: ColliderMesh[];
  ground: { point: Triple; normal: Triple } | null;
  camera: { position: Triple; target: Triple; field_of_view: number };
  light: Triple;
  stage: { low: Triple; high: Triple };
  scale: { low: number; high: number } | null; // of the colours, where they mean a quantity
}

export interface Loaded {
  about: string;
  frames: number;
  runs: { label: string; changes: string[] }[]; // that the scene compares, row after row
  columns: number; // of them
  quantities: string[]; // that colours may mean
  threads: number;
  warnings: string[];
  target: string;
  version: string;
  time_step: number;
  bodies: string[];
  layout: Layout;
}

export interface Parameter {
  path: string;
  name: string;
  type: string;
  unit: string;
  range: string;
  summary: string;
  low?: number;
  high?: number;
  low_excluded?: boolean;
  choices: string[];
  value: number | boolean | string | number[];
}

export interface Readings {
  frame: number;
  time: number;
  particles: number;
  constraints: number;
  kinetic_energy: number | null;
  total_energy: number | null;
  volume_ratio: number | null;
  worst_error: number | null;
  mean_error: number | null;
  stretch: number | null; // of the edge that is stretched most
  inverted: number;
  repaired: number;
  rescues: number;
  hash: string;
}

// Where page and engine share memory, these are places in it: what is uploaded to the graphics card is what the engine
// wrote. Elsewhere they are copies that travel by transfer, and come back to be filled again.
export interface Frame {
  positions: Float32Array;
  normals: Float32Array;
  colors: Float32Array;
  poses: Float32Array;
}

// Of a frame that was copied.
export const ownBuffers = (frame: Frame): ArrayBuffer[] =>
  [frame.positions, frame.normals, frame.colors, frame.poses].map((a) => a.buffer).filter((b): b is ArrayBuffer => b instanceof ArrayBuffer && b.byteLength > 0);

export interface Ticked {
  frame: Frame;
  milliseconds: number; // of one step
}

export interface MeshFile {
  path: string; // as the scene names it
  content: Uint8Array<ArrayBuffer>;
}

export interface Show {
  wireframe: boolean;
  tetrahedra: boolean;
  quantity: string; // 'none', or one that the engine lists
}

// Calls of the worker: what each takes, and what it answers.
export interface Calls {
  load: { takes: { name: string; text: string; changes: string[]; files: MeshFile[] }; gives: Loaded & { indices: Uint32Array<ArrayBuffer>; frame: Frame } };
  show: { takes: Show; gives: Loaded & { indices: Uint32Array<ArrayBuffer>; frame: Frame } };
  tick: { takes: { steps: number; spare: Frame | null }; gives: Ticked };
  reset: { takes: Record<string, never>; gives: { frame: Frame } };
  set: { takes: { path: string; value: string }; gives: { effect: 'at once' | 'after restart' } };
  perform: { takes: { event: unknown }; gives: { frame: Frame } };
  grab: { takes: { origin: Triple; reach: Triple }; gives: { particle: number; point: Triple } };
  drag: { takes: { particle: number; point: Triple }; gives: object };
  release: { takes: { particle: number }; gives: object };
  parameters: { takes: Record<string, never>; gives: { parameters: Parameter[] } };
  readings: { takes: Record<string, never>; gives: Readings };
  points: { takes: { body: number; stride: number }; gives: { points: number[]; time: number } };
  check: { takes: { frames: number }; gives: { failed: string[]; hash: string; frame: Frame } }; // hash: after so many frames
  forget: { takes: Record<string, never>; gives: object };
  file: { takes: Record<string, never>; gives: { text: string } };
  surface: { takes: Record<string, never>; gives: { text: string } };
  measure: { takes: { files: MeshFile[] }; gives: { low: Triple; high: Triple; report: string } }; // of the first
  schema: { takes: Record<string, never>; gives: { text: string } };
}

export type CallName = keyof Calls;

export interface Request<N extends CallName = CallName> {
  id: number;
  pane: number; // which of the scenes that run beside each other
  name: N;
  takes: Calls[N]['takes'];
}

export type Reply =
  | { id: number; gives: unknown }
  | { id: number; error: EngineError; fatal?: boolean }
  | { ready: true; threads: number }
  | { progress: number; stage: string } // of filling a mesh
  | { unable: string };

// What a worker is told first.
export interface Start {
  threads: number; // 1: the plain module
  base: string; // address of the page's folder
}
