// The WebAssembly module behind typed calls. It knows no page and no worker: tests run it under node.
import type { Frame, Loaded, MeshFile, Parameter, Readings, Show, Triple, EngineError } from './protocol';

export interface Module {
  ccall(name: string, result: string | null, types: string[], values: unknown[]): unknown;
  FS: {
    analyzePath(path: string): { exists: boolean };
    mkdirTree(path: string): void;
    writeFile(path: string, content: Uint8Array): void;
    unlink(path: string): void;
  };
  HEAPF32: Float32Array<ArrayBuffer>;
  HEAPU32: Uint32Array<ArrayBuffer>;
}

export class EngineFailure extends Error {
  constructor(readonly error: EngineError) {
    super(error.text);
  }
}

const directory = '/scenes';

// Where a file stands that a scene names: beside the scene, or above its folder.
function resolved(path: string): string {
  const parts: string[] = [];
  for (const part of `${path.startsWith('/') ? '' : directory}/${path}`.split('/')) {
    if (part === '..') parts.pop();
    else if (part && part !== '.') parts.push(part);
  }
  return '/' + parts.join('/');
}

export class Engine {
  private written = new Set<string>(); // files of the scene that was loaded last

  // memory: of a module with threads, where it may grow by another's hand.
  constructor(private readonly module: Module, threads = 1, private readonly memory?: WebAssembly.Memory) {
    module.FS.mkdirTree(directory);
    if (threads > 1) module.ccall('pliant_threads', null, ['number'], [threads]);
  }

  load(name: string, text: string, changes: string[], files: MeshFile[]): Loaded {
    this.write(files);
    return this.ask('pliant_load', ['string', 'string', 'string'], [name, text, JSON.stringify(changes)]);
  }
  show(options: Show): Loaded {
    return this.ask('pliant_show', ['string'], [JSON.stringify(options)]);
  }
  step(frames: number): void {
    this.ask('pliant_step', ['number'], [frames]);
  }
  reset(): void {
    this.ask('pliant_reset');
  }
  set(path: string, value: string): { effect: 'at once' | 'after restart' } {
    return this.ask('pliant_set', ['string', 'string'], [path, value]);
  }
  perform(event: unknown): void {
    this.ask('pliant_perform', ['string'], [JSON.stringify(event)]);
  }
  grab(origin: Triple, reach: Triple): { particle: number; point: Triple } {
    return this.ask('pliant_grab', Array(6).fill('number'), [...origin, ...reach]);
  }
  drag(particle: number, point: Triple): void {
    this.ask('pliant_drag', Array(4).fill('number'), [particle, ...point]);
  }
  release(particle: number): void {
    this.ask('pliant_release', ['number'], [particle]);
  }
  parameters(): { parameters: Parameter[] } {
    return this.ask('pliant_parameters');
  }
  readings(): Readings {
    return this.ask('pliant_readings');
  }
  file(): { text: string } {
    return this.ask('pliant_file');
  }
  surface(): { text: string } {
    return this.ask('pliant_surface');
  }
  measure(files: MeshFile[]): { low: Triple; high: Triple; report: string } {
    this.write(files);
    return this.ask('pliant_measure', ['string'], [resolved(files[0].path)]);
  }
  points(body: number, stride: number): { points: number[]; time: number } {
    return this.ask('pliant_points', ['number', 'number'], [body, stride]);
  }
  check(frames: number): { failed: string[]; hash: string } {
    return this.ask('pliant_check', ['number'], [frames]);
  }
  // Talk to this one of the scenes that run beside each other from now on.
  choose(pane: number): void {
    this.module.ccall('pliant_choose', null, ['number'], [pane]);
  }
  forget(pane: number): void {
    this.module.ccall('pliant_forget', null, ['number'], [pane]);
  }
  schema(): { text: string } {
    return { text: this.module.ccall('pliant_schema', 'string', [], []) as string };
  }

  // Where the page sees the engine's memory, the places of the frame in it. Elsewhere a copy, into a spare one if it has
  // the right sizes.
  frame(spare: Frame | null): Frame {
    const count = this.number('pliant_position_count');
    const copy = (name: string, length: number, into?: Float32Array) => {
      const start = this.number(name);
      if (this.memory) return new Float32Array(this.memory.buffer, start, length);
      const target = into?.length === length && into.buffer.byteLength > 0 ? into : new Float32Array(length);
      if (length > 0) target.set(this.module.HEAPF32.subarray(start / 4, start / 4 + length));
      return target;
    };
    return {
      positions: copy('pliant_positions', count, spare?.positions),
      normals: copy('pliant_normals', count, spare?.normals),
      colors: copy('pliant_colors', this.number('pliant_color_count'), spare?.colors),
      poses: copy('pliant_poses', this.number('pliant_pose_count'), spare?.poses),
    };
  }

  indices(): Uint32Array<ArrayBuffer> {
    const start = this.number('pliant_indices') / 4;
    const heap = this.memory ? new Uint32Array(this.memory.buffer) : this.module.HEAPU32;
    return new Uint32Array(heap.subarray(start, start + this.number('pliant_index_count')));
  }

  // Those of scenes before take no memory any more.
  private write(files: MeshFile[]): void {
    const paths = files.map((file) => resolved(file.path));
    for (const path of this.written) if (!paths.includes(path)) this.module.FS.unlink(path);
    this.written = new Set(paths);
    for (const [i, file] of files.entries()) {
      const path = paths[i];
      this.module.FS.mkdirTree(path.slice(0, path.lastIndexOf('/')) || '/');
      this.module.FS.writeFile(path, file.content);
    }
  }

  private number(name: string): number {
    return (this.module.ccall(name, 'number', [], []) as number) >>> 0;
  }

  private ask<T>(name: string, types: string[] = [], values: unknown[] = []): T {
    const said = JSON.parse(this.module.ccall(name, 'string', types, values) as string);
    if (said.error) throw new EngineFailure(said.error);
    return said as T;
  }
}
