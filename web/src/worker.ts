// The engine in a thread of its own, so that the page never waits for it.
import create from '../generated/pliant.mjs';
import wasmUrl from '../generated/pliant.wasm?url';
import { Engine, EngineFailure, type Module } from './engine';
import { ownBuffers, type CallName, type Calls, type Frame, type Reply, type Request, type Start } from './protocol';

function post(reply: Reply, transfer: Transferable[] = []): void {
  self.postMessage(reply, { transfer });
}

type Handlers = { [N in CallName]: (takes: Calls[N]['takes'], pane: number) => Calls[N]['gives'] };

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
    points: ({ body, stride }) => engine.points(body, stride),
    check: ({ frames }) => ({ ...engine.check(frames), frame: engine.frame(null) }),
    forget: (_, pane) => (engine.forget(pane), {}),
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

const progress = (share: number, stage: string) => post({ progress: share, stage });

// The module with threads stands beside the page, as it is: its threads load it by themselves.
async function threaded({ threads, base }: Start): Promise<Engine> {
  const folder = new URL('threads/', base).href, script = folder + 'pliant.mjs';
  const memory = new WebAssembly.Memory({ initial: 1024, maximum: 32768, shared: true });
  const { default: make } = await import(/* @vite-ignore */ script);
  const module = await make({
    locateFile: (file: string) => folder + file, mainScriptUrlOrBlob: script, wasmMemory: memory, extraThreads: threads - 1, progress,
  });
  return new Engine(module as Module, threads, memory);
}

async function start(wanted: Start): Promise<{ engine: Engine; threads: number }> {
  if (wanted.threads > 1) {
    try {
      return { engine: await threaded(wanted), threads: wanted.threads };
    } catch (failure) {
      console.warn('no threads:', failure); // the plain module does all the same
    }
  }
  return { engine: new Engine((await create({ locateFile: () => wasmUrl, progress })) as Module), threads: 1 };
}

async function serve(wanted: Start): Promise<void> {
  const { engine, threads } = await start(wanted);
  const answers = handlers(engine) as Record<CallName, (takes: unknown, pane: number) => unknown>;
  self.onmessage = ({ data }: MessageEvent<Request>) => {
    try {
      engine.choose(data.pane);
      const gives = answers[data.name](data.takes, data.pane);
      const frame = (gives as { frame?: Frame | number }).frame; // readings count them
      post({ id: data.id, gives }, typeof frame === 'object' ? ownBuffers(frame) : []);
    } catch (failure) {
      post(failed(data.id, failure));
    }
  };
  post({ ready: true, threads });
}

self.onmessage = ({ data }: MessageEvent<Start>) => {
  serve(data).catch((failure: unknown) => post({ unable: failure instanceof Error ? failure.message : String(failure) }));
};
