// The engine in WebAssembly beside the literal loop in JavaScript, both under node and in turn, and beside the
// native engine on one thread. Each figure is the least of several rounds, in ms per frame.
//
//   node benchmarks/web/main.mjs [rounds]
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cloth, jelly } from './literal.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const module = join(root, 'build/wasm/web/pliant.mjs'), native = join(root, 'build/release/bin/pliant');
const rounds = Number(process.argv[2] ?? 5), frames = 10;

const { default: create } = await import(module);
const engine = await create({ wasmBinary: readFileSync(module.replace(/mjs$/, 'wasm')) });
function ask(name, types = [], values = []) {
  const said = JSON.parse(engine.ccall(name, 'string', types, values));
  if (said.error) throw new Error(said.error.text);
  return said;
}

function timed(run) {
  const start = performance.now();
  run();
  return (performance.now() - start) / frames;
}

function nativeTime(scene) {
  const summary = execFileSync(native, ['run', scene, '--threads', '1', '--frames', '20', '--quiet', '--json'],
    { encoding: 'utf8', env: { ...process.env, PLIANT_TARGET: 'avx2' } });
  return JSON.parse(summary).ms_per_frame;
}

const least = (list) => Math.min(...list);
console.log('scene   WebAssembly   literal JavaScript   native, AVX2   literal ÷ ours   ours ÷ native');
for (const [scene, make, constraints] of [['c100', () => cloth(100), 59002], ['j20', () => jelly(20), 107660]]) {
  const times = { ours: [], literal: [], native: [] };
  const body = make();
  if (body.lengths.length + body.volumes.length !== constraints) throw new Error(`${scene} has ${body.lengths.length} edges and ${body.volumes.length} volumes`);
  if (ask('pliant_load', ['string', 'string', 'string'], [scene, '', '[]']) && ask('pliant_readings').constraints !== constraints) throw new Error('not the same problem');
  ask('pliant_step', ['number'], [frames]); // V8 compiles what runs
  for (let i = 0; i < frames; i++) body.frame();
  for (let round = 0; round < rounds; round++) {
    times.ours.push(timed(() => ask('pliant_step', ['number'], [frames])));
    times.literal.push(timed(() => { for (let i = 0; i < frames; i++) body.frame(); }));
    if (existsSync(native)) times.native.push(nativeTime(scene));
  }
  if (![...body.positions].every(Number.isFinite)) throw new Error('the literal loop left the range of numbers');
  const ours = least(times.ours), literal = least(times.literal), there = least(times.native);
  console.log(`${scene.padEnd(7)} ${ours.toFixed(2).padStart(11)} ${literal.toFixed(2).padStart(20)} ${there.toFixed(2).padStart(14)} ${(literal / ours).toFixed(1).padStart(16)} ${(ours / there).toFixed(2).padStart(15)}`);
}
