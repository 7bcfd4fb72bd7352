// The page in Chromium: every scene, every slider, hands, files, links, sizes.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { launch, native, open, pliant, readings, root, serve, stand, step } from './browser.mjs';

const shots = join(root, 'build/logs/page');
mkdirSync(shots, { recursive: true });
const tests = [];
const test = (name, run) => tests.push({ name, run });

const frames = 120;

test('every scene runs 120 frames to the same bits as natively', async ({ page }) => {
  const names = await page.evaluate(() => window.pliant.gallery.names);
  assert.ok(names.length >= 32, `${names.length} scenes`);
  for (const name of names) {
    await stand(page, name);
    await step(page, frames);
    const here = await readings(page), there = native('run', name, '--frames', String(frames));
    assert.equal(here.hash, there.state_hash, name);
    assert.equal(here.frame, frames, name);
    assert.ok(Number.isFinite(here.total_energy) && Number.isFinite(here.worst_error), name);
  }
});

test('run, pause, step and restart', async ({ page }) => {
  await stand(page, 'rope');
  await page.click('#run');
  await page.waitForFunction(async () => (await window.pliant.readings()).frame > 10);
  await page.click('#run');
  await page.waitForTimeout(300);
  const { frame } = await readings(page);
  await page.waitForTimeout(300);
  assert.equal((await readings(page)).frame, frame, 'it pauses');
  await page.click('#step');
  await page.waitForFunction(async (n) => (await window.pliant.readings()).frame === n, frame + 1);
  await page.keyboard.press('r');
  await page.waitForFunction(async () => (await window.pliant.readings()).frame === 0);
});

test('squash and wait brings the volume back', async ({ page }) => {
  await stand(page, 'jelly');
  await step(page, 60);
  await page.click('#squash');
  await page.waitForFunction(async () => (await window.pliant.readings()).volume_ratio < 0.2);
  await step(page, 200);
  const { volume_ratio, inverted } = await readings(page);
  assert.ok(Math.abs(volume_ratio - 1) < 0.01, `volume ${volume_ratio}`);
  assert.equal(inverted, 0);
});

test('gravity and wind are switched', async ({ page }) => {
  await stand(page, 'drape');
  await page.click('#gravity');
  await page.waitForFunction(() => document.querySelector('#gravity').getAttribute('aria-pressed') === 'false');
  await step(page, 30);
  assert.ok((await readings(page)).kinetic_energy < 1e-9, 'nothing falls');
  await page.click('#wind');
  await page.waitForFunction(() => document.querySelector('#wind').getAttribute('aria-pressed') === 'true');
  await step(page, 30);
  assert.ok((await readings(page)).kinetic_energy > 1e-3, 'the wind blows');
});

// Where the middle of what is drawn stands on the screen, and how high it is.
const middle = (page) => page.evaluate(() => {
  const { shown, stage, canvas } = window.pliant, p = shown.positions;
  const sum = [0, 0, 0];
  for (let i = 0; i < p.length; i++) sum[i % 3] += p[i] / (p.length / 3);
  const at = stage.controls.target.clone().set(...sum).project(stage.camera), box = canvas.getBoundingClientRect();
  return { x: box.left + (at.x + 1) / 2 * box.width, y: box.top + (1 - at.y) / 2 * box.height, height: sum[1] };
});

test('a mouse drag lifts the body, and a throw leaves it with velocity', async ({ page }) => {
  await stand(page, 'jelly');
  await step(page, 90);
  await page.waitForTimeout(200);
  const before = await middle(page);
  await page.evaluate(() => window.pliant.run(true));
  await page.mouse.move(before.x, before.y);
  await page.mouse.down();
  for (let i = 1; i <= 20; i++) {
    await page.mouse.move(before.x + 4 * i, before.y - 10 * i);
    await page.waitForTimeout(30);
  }
  const lifted = await middle(page);
  assert.ok(lifted.height > before.height + 0.1, `${before.height} → ${lifted.height}`);
  await page.mouse.up();
  await page.evaluate(() => window.pliant.run(false));
  assert.ok((await readings(page)).kinetic_energy > 0.5, 'it flies');
});

test('a drag beside the body turns the view', async ({ page }) => {
  await stand(page, 'jelly');
  const position = () => page.evaluate(() => window.pliant.stage.camera.position.toArray());
  await page.waitForTimeout(500);
  const before = await position();
  await page.mouse.move(40, 380);
  await page.mouse.down();
  await page.mouse.move(240, 350, { steps: 5 });
  await page.mouse.up();
  await page.waitForTimeout(500);
  assert.notDeepEqual(await position(), before);
});

test('each slider changes its value in the engine, at once or by a restart', async ({ page }) => {
  await stand(page, 'three_jellies');
  await page.click('#tab-parameters');
  const paths = await page.$$eval('.parameter:has(input[type=range])', (rows) => rows.map((row) => row.dataset.path));
  assert.ok(paths.length > 20, `${paths.length} sliders`);
  const wanted = paths.filter((path) => path.startsWith('/solver/') || path.startsWith('/bodies/0/') || path.startsWith('/colliders/0'));
  for (const path of wanted) {
    const value = async () => (await page.evaluate(() => window.pliant.parameters())).find((one) => one.path === path).value;
    const before = await value();
    await page.$eval(`[data-path="${path}"] input[type=range]`, (slider) => {
      slider.closest('details').open = true;
      slider.value = String(Number(slider.value) > 120 ? 100 : 140);
      slider.dispatchEvent(new Event('input', { bubbles: true }));
      slider.dispatchEvent(new Event('change', { bubbles: true }));
    });
    const deadline = Date.now() + 10000;
    while ((await value()) === before && Date.now() < deadline) await page.waitForTimeout(50);
    assert.notEqual(await value(), before, path);
    await page.waitForTimeout(50);
  }
  assert.equal(await page.isVisible('#notice'), false, await page.textContent('#notice-text'));
  await step(page, 30);
});

test('a value out of range is refused with the range, and the page goes on', async ({ page }) => {
  await stand(page, 'rope');
  await page.click('#tab-parameters');
  await page.fill('[data-path="/solver/substeps"] input[type=text]', '-3');
  await page.press('[data-path="/solver/substeps"] input[type=text]', 'Enter');
  await page.waitForSelector('#notice:not([hidden])');
  assert.match(await page.textContent('#notice-text'), /\/solver\/substeps: must be ≥ 1, got -3/);
  await page.click('#notice-close');
  await step(page, 5);
});

test('a scene that compares runs has them to choose from', async ({ page }) => {
  await stand(page, 'iterations');
  const labels = await page.$$eval('#runs option', (options) => options.map((o) => o.textContent));
  assert.equal(labels.length, 6);
  await page.selectOption('#runs', { label: 'method pbd, iterations 20' });
  await page.waitForFunction(async () => (await window.pliant.parameters()).find((p) => p.path === '/solver/iterations').value === 20);
  await page.evaluate(() => window.pliant.restart());
  await step(page, 40);
  const there = native('run', 'iterations', '--set', 'solver/method=pbd', '--set', 'solver/iterations=20', '--frames', '40');
  assert.equal((await readings(page)).hash, there.state_hash);
  await stand(page, 'rope');
  assert.equal(await page.isVisible('#runs'), false);
});

test('overlays show edges, tetrahedra and strain, and change no bit', async ({ page }) => {
  await stand(page, 'bunny');
  await step(page, 10);
  await page.click('#tab-meters');
  await page.check('#show-tetrahedra');
  await page.selectOption('#show-quantity', 'strain');
  await page.waitForFunction(() => window.pliant.shown.colors.length > 0);
  await step(page, 10);
  assert.equal((await readings(page)).hash, native('run', 'bunny', '--frames', '20').state_hash);
  await page.uncheck('#show-tetrahedra');
  await page.selectOption('#show-quantity', 'none');
});

test('broken JSON names its line, and the page goes on', async ({ page }) => {
  await stand(page, 'rope');
  await page.click('#tab-scene');
  await page.fill('#editor', '{\n  "bodies": [],\n  "colider": []\n}');
  await page.click('#apply');
  await page.waitForFunction(() => document.querySelector('#editor-error').textContent !== '');
  assert.match(await page.textContent('#editor-error'), /line 3:3: \/colider: unknown key; did you mean "colliders"\?/);
  assert.equal(await page.$eval('#editor', (e) => e.value.slice(e.selectionStart, e.selectionEnd)), '  "colider": []');
  await step(page, 5);
  await page.fill('#editor', '{ "bodies": [{ "name": "ball", "soft": { "ball": {} }, "position": [0, 1, 0] }], "colliders": [{ "plane": {} }] }');
  await page.click('#apply');
  await page.waitForFunction(() => window.pliant.bodies[0] === 'ball');
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
  const positions = Float32Array.from([...cube.matchAll(/v (\d) (\d) (\d)/g)].flatMap((m) => m.slice(1).map(Number)));
  const quads = [...cube.matchAll(/f (\d) (\d) (\d) (\d)/g)].map((m) => m.slice(1).map((i) => i - 1));
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

test('a dropped OBJ or GLB becomes a body, a broken one a message', async ({ page }) => {
  await stand(page, 'rope');
  await page.click('#tab-scene');
  const drop = (name, content) => page.evaluate(([file, base64]) => {
    const data = new DataTransfer();
    data.items.add(new File([Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))], file));
    window.dispatchEvent(new DragEvent('drop', { dataTransfer: data }));
  }, [name, Buffer.from(content).toString('base64')]);
  await drop('cube.obj', cube);
  await page.waitForFunction(() => window.pliant.bodies[0] === 'mesh', null, { timeout: 30000 });
  await page.evaluate(() => window.pliant.run(false));
  await step(page, 60);
  assert.ok((await readings(page)).particles > 100);
  assert.match(await page.textContent('#drop-report'), /cube\.obj/);
  await drop('cube.glb', cubeGlb());
  await page.waitForFunction(() => window.pliant.current.name === 'cube' && window.pliant.current.text.includes('glb'));
  await page.evaluate(() => window.pliant.run(false));
  await step(page, 10);
  for (const [name, text, words] of [['bad.glb', 'x', /bad\.glb: cannot be read/], ['bad.obj', 'v 0 0 zero\nf 1 2 3\n', /bad\.obj/], ['photo.jpg', 'x', /must be a mesh/]]) {
    await drop(name, text);
    await page.waitForSelector('#notice:not([hidden])');
    assert.match(await page.textContent('#notice-text'), words);
    await page.click('#notice-close');
  }
  await step(page, 5);
});

test('what is saved loads again: JSON, OBJ, PNG, WebM', async ({ page }) => {
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

test('pliant demo writes one file in which the scene runs to the same bits', async ({ browser }) => {
  for (const [name, options] of [['bunny', ['--set', 'solver/substeps=8']], ['c20', ['--set', 'solver/substeps=8']]]) {
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

test('without WebGL the page says so, and what to do', async ({ address }) => {
  const poor = await launch('--disable-3d-apis');
  const page = await poor.newPage();
  await page.goto(address);
  await page.waitForSelector('#notice:not([hidden])');
  assert.match(await page.textContent('#notice-text'), /WebGL 2 is not available.*hardware acceleration/);
  await poor.close();
});

test('a phone has all of it without overflow', async ({ browser, address }) => {
  const { page, problems } = await open(browser, address, { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });
  for (const tab of ['gallery', 'parameters', 'meters', 'scene']) {
    await page.click(`#tab-${tab}`);
    const wide = await page.evaluate(() => [document.documentElement, ...document.querySelectorAll('#side, [role=tabpanel]:not([hidden]), #bar')]
      .filter((e) => e.scrollWidth > e.clientWidth + 1).map((e) => e.id || e.tagName));
    assert.deepEqual(wide, [], tab);
  }
  await page.click('#tab-gallery');
  await page.waitForTimeout(1500);
  await page.screenshot({ path: join(shots, 'phone.png') });
  assert.deepEqual(problems, []);
  await page.close();
});

test('light and dark have no serious accessibility fault', async ({ browser, address }) => {
  const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  for (const colorScheme of ['light', 'dark']) {
    const { page } = await open(browser, address, { colorScheme, viewport: { width: 1200, height: 760 } });
    await page.evaluate(() => window.pliant.run(false));
    await step(page, 120);
    await page.evaluate(axe);
    for (const tab of ['gallery', 'parameters', 'meters', 'scene']) {
      await page.click(`#tab-${tab}`);
      const { violations } = await page.evaluate(() => window.axe.run());
      const serious = violations.filter((v) => v.impact === 'serious' || v.impact === 'critical');
      assert.deepEqual(serious.map((v) => `${v.id}: ${v.nodes[0].html}`), [], `${colorScheme}, ${tab}`);
    }
    await page.click(colorScheme === 'dark' ? '#tab-meters' : '#tab-parameters');
    await page.waitForTimeout(500);
    await page.screenshot({ path: join(shots, `${colorScheme}.png`) });
    await page.close();
  }
});

const only = process.argv[2];
const server = await serve('jelly'), browser = await launch();
let failed = 0;
try {
  const { page, problems } = await open(browser, server.address);
  for (const { name, run } of tests) {
    if (only && !name.includes(only)) continue;
    const start = Date.now();
    try {
      await run({ page, browser, address: server.address });
      assert.deepEqual(problems.splice(0), [], 'errors in the console');
      console.log(`ok      ${name} (${Date.now() - start} ms)`);
    } catch (error) {
      failed++;
      console.log(`FAILED  ${name}\n${error.stack}`);
      await page.screenshot({ path: join(shots, 'failed.png') });
      await page.evaluate(() => (document.querySelector('#notice').hidden = true));
    }
  }
} finally {
  await browser.close();
  server.end();
}
process.exit(failed ? 1 : 0);
