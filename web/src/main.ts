import './style.css';
import { App } from './app';
import { byId } from './dom';

function say(text: string): void {
  byId('about').textContent = text;
  byId('notice-text').textContent = text;
  byId('notice').hidden = false;
}

// What the page cannot do without, and what to do about it.
function missing(): string | null {
  if (typeof WebAssembly !== 'object') return 'This browser has no WebAssembly. Any browser of the last years has it; please update.';
  // A function that returns the 128-bit constant 0.
  const simd = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11]);
  if (!WebAssembly.validate(simd)) return 'This browser has no SIMD in WebAssembly, which the engine needs. Chrome 91, Firefox 89, Safari 16.4 and later have it.';
  if (!document.createElement('canvas').getContext('webgl2')) return 'WebGL 2 is not available, so nothing can be drawn. Please allow hardware acceleration in the settings of the browser, or try another one.';
  return null;
}

const problem = missing();
if (problem) {
  say(problem);
} else {
  const app = new App(say);
  (window as unknown as { pliant: App }).pliant = app; // for the console, and for tests
  app.start().catch((failure: unknown) => say(`The engine could not be started: ${failure instanceof Error ? failure.message : failure}\nPlease reload the page.`));
}
