// Editing, sharing, saving, opening.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { native, open, pliant, readings, stand, step } from './browser.mjs';
import { shots, test } from './cases.mjs';

test('broken JSON names its line, and the page goes on', async ({ page }) => {
  await stand(page, 'rope');
  await page.click('#tab-scene');
  await page.fill('#editor', '{\n  "bodies": [],\n  "colider": []\n}');
  await page.click('#apply');
  await page.waitForFunction(() => document.querySelector('#editor-error').textContent !== '');
  assert.match(await page.textContent('#editor-error'), /line 3:3: \/colider: unknown key; did you mean "colliders"\?/);
  assert.equal(await page.$eval('#editor', (e) => e.value.slice(e.selectionStart, e.selectionEnd)), '  "colider": []');
  await step(page, 5);
  await page.fill('#editor', '{\n  "bodies": [\n    { "rope": { "line": {} } },,\n  ]\n}');
  await page.click('#apply');
  await page.waitForFunction(() => /line 3:/.test(document.querySelector('#editor-error').textContent), null, { timeout: 10000 });
  await page.fill('#editor', '{ "bodies": [{ "name": "ball", "soft": { "ball": {} }, "position": [0, 1, 0] }], "colliders": [{ "plane": {} }] }');
  await page.click('#apply');
  await page.waitForFunction(() => window.pliant.bodies[0] === 'ball');
});

test('the editor completes keys and values from the schema', async ({ page }) => {
  await stand(page, 'rope');
  await page.click('#tab-scene');
  await page.fill('#editor', '{ "solver": {  } }');
  await page.$eval('#editor', (e) => e.setSelectionRange(14, 14));
  await page.keyboard.type('"meth');
  await page.waitForSelector('#completions:not([hidden])');
  await page.keyboard.press('Enter');
  assert.equal(await page.inputValue('#editor'), '{ "solver": { "method": "xpbd" } }');
  await page.fill('#editor', '{ "bodies": [{ "so": 1 }] }');
  await page.$eval('#editor', (e) => e.setSelectionRange(18, 18));
  await page.keyboard.press('Control+Space');
  await page.waitForSelector('#completions:not([hidden])');
  assert.deepEqual(await page.$$eval('#completions b', (all) => all.map((b) => b.textContent)), ['soft']);
  await page.keyboard.press('Escape');
  await page.fill('#editor', '{ "solver": { "method":  } }');
  await page.$eval('#editor', (e) => e.setSelectionRange(23, 23));
  await page.keyboard.press('Control+Space');
  await page.waitForSelector('#completions:not([hidden])');
  assert.deepEqual(await page.$$eval('#completions b', (all) => all.map((b) => b.textContent)), ['xpbd', 'pbd']);
  await page.keyboard.press('Escape');
});

test('a shared link restores the same state', async ({ page, browser, address }) => {
  for (const own of [false, true]) {
    await stand(page, 'jelly');
    await page.evaluate(() => window.pliant.set('/solver/substeps', '7'));
    await page.click('#tab-scene');
    if (own) {
      await page.fill('#editor', '{ "bodies": [{ "cloth": { "sheet": {} }, "position": [0, 1, 0] }], "colliders": [{ "sphere": { "center": [0, 0.3, 0], "radius": 0.3 } }] }');
      await page.click('#apply');
      await page.waitForFunction(() => window.pliant.bodies[0] === 'body0');
      await page.evaluate(() => window.pliant.set('/bodies/0/cloth/bending/compliance', '0.5'));
    }
    await page.click('#share');
    await page.waitForFunction(() => location.hash.length > 5);
    const hash = await page.evaluate(() => location.hash);
    await page.evaluate(() => window.pliant.restart());
    await step(page, 50);
    const other = await open(browser, address.split('#')[0] + hash);
    await other.page.evaluate(async () => {
      window.pliant.run(false);
      await window.pliant.restart();
    });
    await step(other.page, 50);
    assert.equal((await readings(other.page)).hash, (await readings(page)).hash);
    assert.deepEqual(other.problems, []);
    await other.page.close();
    await page.evaluate(() => history.replaceState(null, '', '#'));
  }
});

const cube = 'v 0 0 0\nv 3 0 0\nv 3 3 0\nv 0 3 0\nv 0 0 3\nv 3 0 3\nv 3 3 3\nv 0 3 3\n' +
  'f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n';

// The same cube as the least of GLB files: a header, JSON, and the bytes of positions and indices.
function cubeGlb() {
  const positions = Float32Array.from(corners.flat());
  const indices = Uint16Array.from(quads.flatMap(([a, b, c, d]) => [a, b, c, a, c, d]));
  const bytes = Buffer.concat([Buffer.from(positions.buffer), Buffer.from(indices.buffer)]);
  const json = JSON.stringify({
    asset: { version: '2.0' }, scene: 0, scenes: [{ nodes: [0] }], nodes: [{ mesh: 0, scale: [1, 2, 1] }],
    meshes: [{ primitives: [{ attributes: { POSITION: 0 }, indices: 1 }] }], buffers: [{ byteLength: bytes.length }],
    bufferViews: [{ buffer: 0, byteLength: positions.byteLength }, { buffer: 0, byteOffset: positions.byteLength, byteLength: indices.byteLength }],
    accessors: [{ bufferView: 0, componentType: 5126, count: 8, type: 'VEC3', min: [0, 0, 0], max: [3, 3, 3] },
      { bufferView: 1, componentType: 5123, count: indices.length, type: 'SCALAR' }],
  });
  const padded = Buffer.from(json.padEnd(Math.ceil(json.length / 4) * 4));
  const words = (...numbers) => Buffer.from(Uint32Array.from(numbers).buffer);
  return Buffer.concat([words(0x46546c67, 2, 28 + padded.length + bytes.length), words(padded.length, 0x4e4f534a), padded,
    words(bytes.length, 0x004e4942), bytes]);
}

const corners = [...cube.matchAll(/v (\d) (\d) (\d)/g)].map((m) => m.slice(1).map(Number));
const quads = [...cube.matchAll(/f (\d) (\d) (\d) (\d)/g)].map((m) => m.slice(1).map((i) => i - 1));

// Triangles with corners of their own, as STL has them: they must be welded.
function cubeStl() {
  const triangles = quads.flatMap(([a, b, c, d]) => [[a, b, c], [a, c, d]]);
  const bytes = Buffer.alloc(84 + 50 * triangles.length);
  bytes.writeUInt32LE(triangles.length, 80);
  triangles.forEach((triangle, i) => triangle.flatMap((k) => corners[k]).forEach((x, k) => bytes.writeFloatLE(x, 84 + 50 * i + 12 + 4 * k)));
  return bytes;
}

const cubePly = ['ply', 'format ascii 1.0', `element vertex ${corners.length}`, ...['x', 'y', 'z'].map((c) => `property float ${c}`),
  `element face ${quads.length}`, 'property list uchar int vertex_indices', 'end_header',
  ...corners.map((v) => v.join(' ')), ...quads.map((q) => `4 ${q.join(' ')}`), ''].join('\n');

const drop = (page, ...files) => page.evaluate((all) => {
  const data = new DataTransfer();
  for (const [name, base64] of all) data.items.add(new File([Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))], name));
  window.dispatchEvent(new DragEvent('drop', { dataTransfer: data }));
}, files.map(([name, content]) => [name, Buffer.from(content).toString('base64')]));

test('a dropped OBJ, STL, PLY or GLB becomes a body, a broken one a message', async ({ page }) => {
  await stand(page, 'rope');
  await page.click('#tab-scene');
  await drop(page, ['cube.obj', cube]);
  await page.waitForFunction(() => window.pliant.bodies[0] === 'mesh', null, { timeout: 30000 });
  await page.evaluate(() => window.pliant.run(false));
  await step(page, 60);
  assert.ok((await readings(page)).particles > 100);
  assert.match(await page.textContent('#drop-report'), /cube\.obj/);
  assert.match(await page.textContent('#drop-report'), /closed|triangles/, 'the report');
  const { particles } = await readings(page);
  for (const [file, content] of [['cube.stl', cubeStl()], ['cube.ply', cubePly], ['cube.glb', cubeGlb()]]) {
    await drop(page, [file, content]);
    await page.waitForFunction((name) => window.pliant.current.name === 'cube' && window.pliant.current.text.includes(name.slice(-3)), file);
    await page.waitForFunction((name) => document.querySelector('#drop-report').textContent.includes(name), file);
    await page.evaluate(() => window.pliant.run(false));
    await step(page, 10);
    if (!file.endsWith('glb')) assert.equal((await readings(page)).particles, particles, file); // that one is stretched
  }
  for (const [name, text, words] of [['bad.glb', 'x', /bad\.glb: cannot be read/], ['bad.obj', 'v 0 0 zero\nf 1 2 3\n', /bad\.obj/], ['empty.obj', '', /empty\.obj/], ['bad.stl', 'x', /bad\.stl/], ['bad.ply', 'ply\nformat ascii 1.0\nend_header\n', /bad\.ply/], ['photo.jpg', 'x', /must be a mesh/]]) {
    await drop(page, [name, text]);
    await page.waitForSelector('#notice:not([hidden])');
    assert.match(await page.textContent('#notice-text'), words);
    await page.click('#notice-close');
  }
  await step(page, 5);
});

// A cube without its last side, and one triangle twice: what a model from elsewhere may have.
test('a mesh with faults is repaired with progress, and the report says what was done', async ({ page }) => {
  await stand(page, 'rope');
  await page.evaluate(() => {
    window.seen = [];
    new MutationObserver(() => window.seen.push(document.querySelector('#about').textContent)).observe(document.querySelector('#about'), { childList: true });
  });
  await drop(page, ['torn.obj', cube.replace('f 4 1 5 8\n', 'f 1 4 3\n')]);
  await page.waitForFunction(() => window.pliant.current.name === 'torn' && document.querySelector('#drop-report').textContent !== '', null, { timeout: 60000 });
  await page.evaluate(() => window.pliant.run(false));
  const told = await page.evaluate(() => window.seen);
  assert.ok(told.some((text) => /Filling torn\.obj with tetrahedra: .+, \d+ %/.test(text)), told.join(' | '));
  assert.equal(await page.isVisible('#progress'), false);
  assert.match(await page.textContent('#drop-report'), /hole|open|closed/i);
  await step(page, 60);
  const { particles, volume_ratio } = await readings(page);
  assert.ok(particles > 100 && Math.abs(volume_ratio - 1) < 0.1, `${particles} particles, volume ${volume_ratio}`);
});

test('what is saved loads again: JSON, OBJ, GLB, PNG, WebM', async ({ page }) => {
  await stand(page, 'jelly');
  await page.evaluate(() => window.pliant.set('/solver/substeps', '6'));
  await page.click('#tab-scene');
  const saved = async (button) => {
    const [download] = await Promise.all([page.waitForEvent('download'), page.click(button)]);
    return download.path();
  };
  const scene = join(shots, 'saved.json');
  writeFileSync(scene, readFileSync(await saved('#save-json')));
  await page.evaluate(() => window.pliant.restart());
  await step(page, 40);
  assert.equal((await readings(page)).hash, native('run', scene, '--frames', '40').state_hash);
  assert.match(readFileSync(await saved('#save-obj'), 'utf8'), /\nv [-\d.e]+ [-\d.e]+ [-\d.e]+\n[^]*\nf \d+ \d+ \d+\n/);
  const glb = readFileSync(await saved('#save-glb')), json = JSON.parse(glb.subarray(20, 20 + glb.readUInt32LE(12)).toString());
  assert.equal(glb.readUInt32LE(8), glb.length);
  assert.ok(json.accessors[json.meshes[0].primitives[0].attributes.POSITION].count > 100);
  await page.setInputFiles('#open', { name: 'again.glb', mimeType: 'model/gltf-binary', buffer: glb });
  await page.waitForFunction(() => window.pliant.current.name === 'again', null, { timeout: 60000 });
  await stand(page, 'jelly');
  assert.equal(readFileSync(await saved('#save-png')).subarray(1, 4).toString(), 'PNG');
  await page.click('#record');
  for (let i = 0; i < 10; i++) {
    await step(page, 1);
    await page.waitForTimeout(100);
  }
  const film = readFileSync(await saved('#record'));
  assert.equal(film.readUInt32BE(0), 0x1a45dfa3, 'WebM'); // EBML
  assert.ok(film.length > 1000, `${film.length} bytes`);
});

test('a scene with meshes is saved with them, as pliant run and the page take it', async ({ page }) => {
  await page.evaluate(() => window.pliant.open('bunny'));
  await page.evaluate(() => window.pliant.run(false));
  await page.click('#tab-scene');
  const folder = join(shots, 'saved');
  mkdirSync(folder, { recursive: true });
  const files = [], take = async (download) => {
    const path = join(folder, download.suggestedFilename());
    await download.saveAs(path);
    files.push(path);
  };
  page.on('download', take);
  await page.click('#save-json');
  for (const end = Date.now() + 20000; files.length < 2 && Date.now() < end; ) await page.waitForTimeout(100);
  page.off('download', take);
  assert.deepEqual(files.map((path) => basename(path)).sort(), ['bunny.json', 'bunny.obj']);
  await page.evaluate(() => window.pliant.restart());
  await step(page, 20);
  const { hash } = await readings(page);
  assert.equal(native('run', join(folder, 'bunny.json'), '--frames', '20').state_hash, hash);
  await stand(page, 'rope');
  await page.setInputFiles('#open', [join(folder, 'bunny.json')]);
  await page.waitForSelector('#notice:not([hidden])');
  assert.match(await page.textContent('#notice-text'), /names bunny\.obj: choose or drop it together/);
  await page.click('#notice-close');
  await page.setInputFiles('#open', files);
  await page.waitForFunction(() => window.pliant.current.name === 'bunny');
  await page.evaluate(async () => {
    window.pliant.run(false);
    await window.pliant.restart();
  });
  await step(page, 20);
  assert.equal((await readings(page)).hash, hash);
});

test('pliant demo writes one file in which the scene runs to the same bits', async ({ browser }) => {
  const changed = ['--set', 'solver/substeps=8'];
  for (const [name, options] of [['bunny', changed], ['c20', changed], ['hand', []]]) {
    const file = join(shots, `${name}.html`);
    execFileSync(pliant, ['demo', name, ...options, '--frames', '2', '--quiet', '--force', '--out', file]);
    const { page, problems } = await open(browser, `file://${file}`);
    await page.evaluate(async () => {
      window.pliant.run(false);
      await window.pliant.restart();
    });
    await step(page, 50);
    assert.equal((await readings(page)).hash, native('run', name, ...options, '--frames', '50').state_hash, name);
    assert.deepEqual(problems, []);
    await page.close();
  }
});

test('pliant demo of a scene that compares runs them all, live', async ({ browser }) => {
  const file = join(shots, 'substeps.html');
  execFileSync(pliant, ['demo', 'substeps', '--frames', '2', '--quiet', '--force', '--out', file]);
  const { page, problems } = await open(browser, `file://${file}`);
  await page.waitForFunction(() => window.pliant.panes.length > 1);
  await page.evaluate(async () => {
    window.pliant.run(false);
    await window.pliant.restart();
  });
  await step(page, 20);
  const runs = await page.evaluate(() => window.pliant.loaded.runs), last = runs.length - 1;
  const { hash } = await page.evaluate((pane) => window.pliant.readings(pane), last);
  assert.equal(hash, native('run', 'substeps', ...runs[last].changes.flatMap((c) => ['--set', c]), '--frames', '20').state_hash);
  assert.deepEqual(problems, []);
  await page.close();
});
