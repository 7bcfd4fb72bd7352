// The engine's worker within the page, for a page of one file.
import InlineWorker from './worker.ts?worker&inline';

export const makeWorker = (): Worker => new InlineWorker();
