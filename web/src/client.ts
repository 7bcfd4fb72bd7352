// The page's side of the worker: calls are promises.
import { makeWorker } from '#make_worker';
import { ownBuffers, type CallName, type Calls, type EngineError, type Frame, type Reply, type Start } from './protocol';

export class CallFailure extends Error {
  constructor(readonly error: EngineError, readonly fatal: boolean) {
    super(error.text);
  }
}

// The engine was ended while it was at it: whoever ended it says why.
export class Ended extends Error {}

interface Waiting {
  since: number; // ms
  resolve: (gives: never) => void;
  reject: (failure: Error) => void;
}

const most = 8; // threads: the scenes of a page have no work for more

const built = import.meta.env.VITE_THREADS === '1'; // whether there is a module that has them

// Only a page that no other origin can reach into may share memory between threads.
function wantedThreads(): number {
  return built && globalThis.crossOriginIsolated && typeof SharedArrayBuffer === 'function' ? Math.min(navigator.hardwareConcurrency || 1, most) : 1;
}

export class Client {
  private readonly worker = makeWorker();
  private readonly waiting = new Map<number, Waiting>();
  private next = 1;
  readonly ready: Promise<void>;
  onProgress: (share: number, stage: string) => void = () => undefined;

  constructor(threads = wantedThreads()) {
    this.ready = new Promise((resolve, reject) => {
      this.worker.onerror = (event) => reject(new Error(event.message || 'the worker could not be started'));
      this.worker.onmessage = ({ data }: MessageEvent<Reply>) => {
        if ('ready' in data) resolve();
        else if ('unable' in data) reject(new Error(data.unable));
        else if ('progress' in data) this.onProgress(data.progress, data.stage);
        else this.settle(data);
      };
    });
    this.worker.postMessage({ threads, base: new URL('.', document.baseURI).href } satisfies Start);
  }

  call<N extends CallName>(name: N, takes: Calls[N]['takes'], pane = 0): Promise<Calls[N]['gives']> {
    const id = this.next++;
    const spare = (takes as { spare?: Frame | null }).spare;
    this.worker.postMessage({ id, pane, name, takes }, spare ? ownBuffers(spare) : []);
    return new Promise((resolve, reject) => this.waiting.set(id, { since: performance.now(), resolve, reject }));
  }

  // s, for which the oldest call has had no answer.
  get waited(): number {
    for (const { since } of this.waiting.values()) return (performance.now() - since) / 1000; // in the order of calls
    return 0;
  }

  end(): void {
    this.worker.terminate();
    for (const { reject } of this.waiting.values()) reject(new Ended());
    this.waiting.clear();
  }

  private settle(reply: Extract<Reply, { id: number }>): void {
    const one = this.waiting.get(reply.id);
    this.waiting.delete(reply.id);
    if ('error' in reply) one?.reject(new CallFailure(reply.error, reply.fatal === true));
    else one?.resolve(reply.gives as never);
  }
}
