// The engine in WebAssembly beside the literal loop in JavaScript and npm's jolt-physics, all under node and in turn,
// and beside the native engine; one thread each. Each figure is the least of many single frames, in ms: whatever else
// runs on the machine takes part in most of them.
// The loop and Jolt have neither coarse levels nor contact between bodies, so the engine leaves them out too; the last
// column is what it takes with both, as scenes have them. What a page draws after a step is left out: the time of no
// step at all is taken off. jolt-physics is installed into build/peers if it is missing.
//
//   node benchmarks/web/main.mjs [rounds]
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { joltBody, loadJolt } from './jolt.mjs';
import { cloth, jelly } from './literal.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const module = join(root, 'build/wasm/web/pliant.mjs'), native = join(root, 'build/release/bin/pliant');
const rounds = Number(process.argv[2] ?? 20), framesOfRound = 6;
const alike = ['solver/levels=off', 'solver/contact_quality=off'];

const { default: create } = await import(module);
const engine = await create({ wasmBinary: readFileSync(module.replace(/mjs$/, 'wasm')) });
function ask(name, types = [], values = []) {
  const said = JSON.parse(engine.ccall(name, 'string', types, values));
  if (said.error) throw new Error(said.error.text);
  return said;
}

// ms, of each frame of a round
function timed(run) {
  return Array.from({ length: framesOfRound }, () => {
    const start = performance.now();
    run();
    return performance.now() - start;
  });
}

function nativeTimes(scene) {
  const changes = alike.flatMap((change) => ['--set', change]), table = join(tmpdir(), `pliant_${process.pid}.csv`);
  execFileSync(native, ['run', scene, ...changes, '--threads', '1', '--frames', '40', '--quiet', '--force', '--stats', table],
    { env: { ...process.env, PLIANT_TARGET: 'avx2' }, stdio: 'ignore' });
  const [head, ...rows] = readFileSync(table, 'utf8').trim().split('\r\n').map((row) => row.split(','));
  rmSync(table);
  return rows.map((row) => Number(row[head.indexOf('step_ms')]));
}

// One of several scenes in the module. Answers a function that runs so many frames of it.
function load(number, scene, changes, constraints) {
  const choose = () => engine.ccall('pliant_choose', null, ['number'], [number]);
  choose();
  ask('pliant_load', ['string', 'string', 'string'], [scene, '', JSON.stringify(changes)]);
  if (ask('pliant_readings').constraints !== constraints) throw new Error('not the same problem');
  return (count) => () => {
    choose();
    ask('pliant_step', ['number'], [count]);
  };
}

const peers = join(root, 'build/peers');
if (!existsSync(join(peers, 'node_modules/jolt-physics')))
  execFileSync('npm', ['install', '--silent', '--no-audit', '--no-fund', '--prefix', peers, 'jolt-physics@1.1.0']);
const Jolt = await loadJolt(peers);

const least = (list) => Math.min(...list), cell = (value, digits, width) => value.toFixed(digits).padStart(width);
console.log('scene   WebAssembly   literal JavaScript   jolt-physics   native, AVX2   literal ÷ ours   jolt ÷ ours   ours ÷ native   as scenes have it');
for (const [scene, make, constraints] of [['c100', () => cloth(100), 59002], ['j20', () => jelly(20), 107660]]) {
  const body = make();
  if (body.lengths.length + body.volumes.length !== constraints) throw new Error(`${scene} has ${body.lengths.length} edges and ${body.volumes.length} volumes`);
  const ours = load(0, scene, alike, constraints), all = load(1, scene, [], constraints);
  const runs = { ours: ours(1), all: all(1), drawing: ours(0), literal: () => body.frame(), jolt: Jolt ? joltBody(Jolt, make()) : () => undefined };
  for (let i = 0; i < 10; i++) for (const run of Object.values(runs)) run(); // V8 compiles what runs
  const times = { ours: [], all: [], drawing: [], literal: [], jolt: [], native: [] };
  for (let round = 0; round < rounds; round++) {
    for (const [name, run] of Object.entries(runs)) times[name].push(...timed(run));
    if (existsSync(native)) times.native.push(...nativeTimes(scene));
  }
  if (![...body.positions].every(Number.isFinite)) throw new Error('the literal loop left the range of numbers');
  const drawing = least(times.drawing), here = least(times.ours) - drawing, complete = least(times.all) - drawing;
  const literal = least(times.literal), jolt = Jolt ? least(times.jolt) : NaN, there = least(times.native);
  console.log(`${scene.padEnd(7)} ${cell(here, 2, 11)} ${cell(literal, 2, 20)} ${cell(jolt, 2, 14)} ${cell(there, 2, 14)} ${cell(literal / here, 1, 16)} ${cell(jolt / here, 1, 13)} ${cell(here / there, 2, 15)} ${cell(complete, 2, 19)}`);
}
