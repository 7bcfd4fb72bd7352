// The page's side of the worker: calls are promises.
import { makeWorker } from '#make_worker';
import type { CallName, Calls, EngineError, Frame, Reply } from './protocol';

export class CallFailure extends Error {
  constructor(readonly error: EngineError, readonly fatal: boolean) {
    super(error.text);
  }
}

interface Waiting {
  resolve: (gives: never) => void;
  reject: (failure: CallFailure) => void;
}

export class Client {
  private readonly worker = makeWorker();
  private readonly waiting = new Map<number, Waiting>();
  private next = 1;
  readonly ready: Promise<void>;

  constructor() {
    this.ready = new Promise((resolve, reject) => {
      this.worker.onerror = (event) => reject(new Error(event.message || 'the worker could not be started'));
      this.worker.onmessage = ({ data }: MessageEvent<Reply>) => {
        if ('ready' in data) resolve();
        else if ('unable' in data) reject(new Error(data.unable));
        else this.settle(data);
      };
    });
  }

  call<N extends CallName>(name: N, takes: Calls[N]['takes']): Promise<Calls[N]['gives']> {
    const id = this.next++;
    const spare = (takes as { spare?: Frame | null }).spare;
    const transfer = spare ? [spare.positions, spare.normals, spare.colors, spare.poses].filter((a) => a.byteLength > 0).map((a) => a.buffer) : [];
    this.worker.postMessage({ id, name, takes }, transfer);
    return new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject }));
  }

  end(): void {
    this.worker.terminate();
  }

  private settle(reply: Exclude<Reply, { ready: true } | { unable: string }>): void {
    const one = this.waiting.get(reply.id);
    this.waiting.delete(reply.id);
    if ('error' in reply) one?.reject(new CallFailure(reply.error, reply.fatal === true));
    else one?.resolve(reply.gives as never);
  }
}
