// Reads what pliant_write_sequences wrote with the Khronos glTF validator and two readers of USD:
// tinyusdz, which is strict about syntax and types, and three.js, whose time samples are compared.
// Usage: node check_formats.mjs DIRECTORY; the packages are found from the working directory.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const require = createRequire(pathToFileURL(join(process.cwd(), 'package.json')));
const load = (name) => import(pathToFileURL(require.resolve(name)));
const directory = process.argv[2];
const scenes = { jelly: ['jelly'], drape: ['cloth'], rope: ['rope'], mixture: ['a_b_c', 'A_B_C_2', '_t_'] };
const fail = (message) => { console.error(message); process.exit(1); };

// Corners of the triangles; where there are none, lines or the particles themselves.
const shown = (mesh) => {
    const used = mesh.triangles.length ? [...new Set(mesh.triangles.flat())].sort((a, b) => a - b)
        : mesh.positions.map((_, i) => i);
    return used.map((i) => mesh.positions[i]);
};

async function checkGltf(scene, frames) {
    const validator = require('gltf-validator');
    const bytes = new Uint8Array(readFileSync(join(directory, `${scene}.glb`)));
    const { issues, info } = await validator.validateBytes(bytes);
    // A texture coordinate that no texture uses is only worth an information.
    if (issues.numErrors || issues.numWarnings) fail(`${scene}.glb: ${JSON.stringify(issues.messages)}`);
    if (info.animationCount !== 1 || !info.hasMorphTargets) fail(`${scene}.glb: ${frames.length} frames, no animation`);
}

async function strictUsd() {
    process.type = 'renderer';  // it was built for browsers
    globalThis.window = globalThis;
    const file = require.resolve('tinyusdz/tinyusdz.js');
    const { default: start } = await import(pathToFileURL(file));
    const module = await start({ wasmBinary: readFileSync(file.replace(/js$/, 'wasm')) });
    return (text) => {
        const usd = new module.TinyUSDZLoaderNative();
        const error = usd.loadFromBinary(new TextEncoder().encode(text), 'x.usda') ? '' : usd.error();
        usd.delete();
        return error;
    };
}

function checkSamples(file, spec, frames, expected) {
    const samples = spec?.fields.timeSamples;
    if (!samples) fail(`${file}: no time samples`);
    frames.forEach((frame, i) => {
        const code = Math.round(frame.time * 60);
        if (samples.times[i] !== code) fail(`${file}: time code ${samples.times[i]}, expected ${code}`);
        const wanted = expected(frame).flat(), found = Array.from(samples.values[i]);
        if (found.length !== wanted.length || found.some((x, k) => Math.fround(x) !== Math.fround(wanted[k]))) {
            fail(`${file}: frame ${i} differs`);
        }
    });
}

const usdError = await strictUsd();
const { USDAParser } = await load('three/examples/jsm/loaders/usd/USDAParser.js');
if (!usdError('#usda 1.0\ndef Mesh "m"\n{\n    point3f[] points.timeSamples = {\n        0: [1],\n    }\n}\n')) {
    fail('tinyusdz takes what is no USD');
}
for (const [scene, names] of Object.entries(scenes)) {
    const frames = JSON.parse(readFileSync(join(directory, `${scene}.json`)));
    await checkGltf(scene, frames);
    const file = `${scene}.usda`, text = readFileSync(join(directory, file), 'utf8');
    const error = usdError(text);
    if (error) fail(`${file}: ${error}`);
    const { specsByPath } = new USDAParser().parseData(text);
    names.forEach((name, i) => {
        if (frames[0].meshes[i].lines.length && scene === 'mixture') {
            const curve = [0, 1, 2, 1, 3], prim = `/pliant/${name}`;  // two strips
            checkSamples(file, specsByPath[`${prim}/lines.points`], frames,
                (frame) => curve.map((k) => frame.meshes[i].positions[k]));
            checkSamples(file, specsByPath[`${prim}/points.points`], frames,
                (frame) => [frame.meshes[i].positions[4]]);
        } else {
            checkSamples(file, specsByPath[`/pliant/${name}.points`], frames, (frame) => shown(frame.meshes[i]));
        }
    });
    console.log(`${scene}: glTF is valid, USD is as it was written`);
}
