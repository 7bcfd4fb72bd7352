// The engine's worker, in a file of its own.
export const makeWorker = (): Worker => new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
