// The engine in a thread of its own, so that the page never waits for it.
import create from '../generated/pliant.mjs';
import wasmUrl from '../generated/pliant.wasm?url';
import { Engine, EngineFailure, type Module } from './engine';
import type { CallName, Calls, Frame, Reply, Request } from './protocol';

const buffers = (frame: Frame): ArrayBuffer[] =>
  [frame.positions, frame.normals, frame.colors, frame.poses].filter((a) => a.length > 0).map((a) => a.buffer);

function post(reply: Reply, transfer: Transferable[] = []): void {
  self.postMessage(reply, { transfer });
}

type Handlers = { [N in CallName]: (takes: Calls[N]['takes']) => Calls[N]['gives'] };

function handlers(engine: Engine): Handlers {
  const drawn = <T extends object>(said: T) => ({ ...said, indices: engine.indices(), frame: engine.frame(null) });
  return {
    load: ({ name, text, changes, files }) => drawn(engine.load(name, text, changes, files)),
    show: (options) => drawn(engine.show(options)),
    tick: ({ steps, spare }) => {
      const start = performance.now();
      engine.step(steps);
      const milliseconds = (performance.now() - start) / Math.max(steps, 1);
      return { frame: engine.frame(spare), milliseconds };
    },
    reset: () => (engine.reset(), { frame: engine.frame(null) }),
    set: ({ path, value }) => engine.set(path, value),
    perform: ({ event }) => (engine.perform(event), { frame: engine.frame(null) }),
    grab: ({ origin, reach }) => engine.grab(origin, reach),
    drag: ({ particle, point }) => (engine.drag(particle, point), {}),
    release: ({ particle }) => (engine.release(particle), {}),
    parameters: () => engine.parameters(),
    readings: () => engine.readings(),
    file: () => engine.file(),
    surface: () => engine.surface(),
    measure: ({ files }) => engine.measure(files),
    schema: () => engine.schema(),
  };
}

// What is not an Error of the engine ended it: out of memory, above all.
function failed(id: number, failure: unknown): Reply {
  if (failure instanceof EngineFailure) return { id, error: failure.error };
  const message = failure instanceof Error ? failure.message : String(failure);
  return { id, error: { path: '', message, text: message }, fatal: true };
}

async function start(): Promise<void> {
  const module = (await create({ locateFile: () => wasmUrl })) as Module;
  const answers = handlers(new Engine(module)) as Record<CallName, (takes: unknown) => unknown>;
  self.onmessage = ({ data }: MessageEvent<Request>) => {
    try {
      const gives = answers[data.name](data.takes);
      const frame = (gives as { frame?: Frame | number }).frame; // readings count them
      post({ id: data.id, gives }, typeof frame === 'object' ? buffers(frame) : []);
    } catch (failure) {
      post(failed(data.id, failure));
    }
  };
  post({ ready: true });
}

start().catch((failure: unknown) => post({ unable: failure instanceof Error ? failure.message : String(failure) }));
