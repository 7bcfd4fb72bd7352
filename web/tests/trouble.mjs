// What goes wrong is said, and the page goes on.
import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { launch, open, readings, root, stand, step } from './browser.mjs';
import { test } from './cases.mjs';

const notice = async (page, words, timeout = 60000) => {
  await page.waitForSelector('#notice:not([hidden])', { timeout });
  assert.match(await page.textContent('#notice-text'), words);
  await page.click('#notice-close');
};

test('without WebGL the page says so, and what to do', async ({ address }) => {
  const poor = await launch('--disable-3d-apis');
  const page = await poor.newPage();
  await page.goto(address);
  await notice(page, /WebGL 2 is not available.*hardware acceleration/);
  await poor.close();
});

test('without SIMD the page says so, and which browsers have it', async ({ browser, address }) => {
  const page = await browser.newPage();
  await page.addInitScript(() => (WebAssembly.validate = () => false));
  await page.goto(address);
  await notice(page, /no SIMD in WebAssembly.*Chrome 91/);
  await page.close();
});

test('without SharedArrayBuffer the plain module gives the same bits', async ({ page, browser, address }) => {
  await stand(page, 'jelly');
  await step(page, 40);
  assert.ok(await page.evaluate(() => crossOriginIsolated));
  if (existsSync(join(root, 'build/web/threads/pliant.mjs'))) assert.ok(await page.evaluate(() => window.pliant.loaded.threads > 1), 'threads where the page is isolated');
  const context = await browser.newContext();
  const plain = await context.newPage();
  await plain.addInitScript(() => delete globalThis.SharedArrayBuffer);
  plain.setDefaultTimeout(120000);
  await plain.goto(address);
  await plain.waitForFunction(() => window.pliant?.current, null, { timeout: 60000 });
  assert.equal(await plain.evaluate(() => window.pliant.loaded.threads), 1);
  await stand(plain, 'jelly');
  await step(plain, 40);
  assert.equal((await readings(plain)).hash, (await readings(page)).hash);
  await context.close();
});

test('a lost graphics context is told, and comes back', async ({ page }) => {
  await stand(page, 'jelly');
  await page.evaluate(() => {
    window.pliant.run(true);
    window.lost = window.pliant.stage.renderer.getContext().getExtension('WEBGL_lose_context');
    window.lost.loseContext();
  });
  await page.waitForSelector('#notice:not([hidden])');
  assert.match(await page.textContent('#notice-text'), /graphics context.*reload/s);
  assert.equal(await page.evaluate(() => window.pliant.running), false);
  await page.evaluate(() => window.lost.restoreContext());
  await page.waitForFunction(() => window.pliant.running && document.querySelector('#notice').hidden);
  const { frame } = await readings(page);
  await page.waitForFunction(async (n) => (await window.pliant.readings()).frame > n + 5, frame);
  await page.evaluate(() => window.pliant.run(false));
});

test('out of memory: the engine is started again with what was there', async ({ page }) => {
  await stand(page, 'rope');
  await page.click('#tab-scene');
  // Five boxes of a quarter of a million cells need more than the 2 GB that a module may have.
  const bodies = Array.from({ length: 5 }, (_, i) => ({ soft: { box: { cells: [58, 58, 58] } }, position: [2 * i, 1, 0] }));
  await page.fill('#editor', JSON.stringify({ bodies }));
  await page.click('#apply');
  await notice(page, /The engine stopped: most likely for want of memory[^]*something smaller/, 300000);
  await page.waitForFunction(() => window.pliant.current?.name === 'rope', null, { timeout: 60000 });
  await page.evaluate(() => window.pliant.run(false));
  await step(page, 5);
});

test('what takes too long is told, and can be stopped', async ({ page }) => {
  await stand(page, 'rope');
  await page.evaluate(() => void window.pliant.guard(window.pliant.step(100000000)));
  await page.waitForSelector('#wait:not([hidden])', { timeout: 30000 });
  assert.match(await page.textContent('#wait-text'), /at work for \d+ s/);
  await page.click('#wait-stop');
  await notice(page, /stopped, and started again[^]*Fewer substeps/);
  await page.waitForFunction(() => window.pliant.current?.name === 'rope' && document.querySelector('#wait').hidden, null, { timeout: 60000 });
  assert.equal(await page.evaluate(() => window.pliant.running), false);
  await step(page, 5);
  assert.equal((await readings(page)).frame, 5);
});

test('a mesh of 49 MB is filled, or can be stopped, and the page goes on', async ({ page }) => {
  await stand(page, 'rope');
  // A sphere of 400,000 triangles, with corners in many digits.
  const size = await page.evaluate(() => {
    const n = 632, lines = [], at = (i, j) => 1 + i * n + (j % n);
    for (let i = 0; i <= n / 2; i++) {
      for (let j = 0; j < n; j++) {
        const a = (Math.PI * (i + 1e-3)) / (n / 2 + 2e-3), b = (2 * Math.PI * j) / n;
        lines.push('v ' + [Math.sin(a) * Math.cos(b), Math.cos(a), Math.sin(a) * Math.sin(b)].map((c) => c.toFixed(40)).join(' '));
      }
    }
    for (let i = 0; i < n / 2; i++) for (let j = 0; j < n; j++) lines.push(`f ${at(i, j)} ${at(i, j + 1)} ${at(i + 1, j + 1)}`, `f ${at(i, j)} ${at(i + 1, j + 1)} ${at(i + 1, j)}`);
    const file = new File([lines.join('\n')], 'large.obj'), data = new DataTransfer();
    data.items.add(file);
    window.dispatchEvent(new DragEvent('drop', { dataTransfer: data }));
    return file.size;
  });
  assert.ok(size > 35e6 && size < 50e6, `${size} bytes`);
  const start = Date.now();
  await page.waitForFunction(() => window.pliant.current?.name === 'large' || !document.querySelector('#wait').hidden, null, { timeout: 120000 });
  console.log(`        told after ${((Date.now() - start) / 1000).toFixed(1)} s: ${await page.textContent('#about')}`);
  if (await page.isVisible('#wait-stop')) {
    await page.click('#wait-stop');
    await notice(page, /stopped, and started again/);
  }
  await page.waitForFunction(() => window.pliant.current && window.pliant.client.waited === 0, null, { timeout: 60000 });
  await page.evaluate(() => window.pliant.run(false));
  await step(page, 5);
});

test('a mesh of more than 50 MB is refused with what takes it', async ({ page }) => {
  await page.evaluate(() => {
    const data = new DataTransfer();
    data.items.add(new File([new Uint8Array(51e6)], 'huge.obj'));
    window.dispatchEvent(new DragEvent('drop', { dataTransfer: data }));
  });
  await notice(page, /huge\.obj has 51 MB; at most 50 MB.*pliant tetrahedralize/);
  await step(page, 5);
});

test('a scene that explodes stays finite, and the page says what helps', async ({ page }) => {
  await stand(page, 'jelly');
  await page.evaluate(async () => {
    const app = window.pliant;
    const text = JSON.stringify({ solver: { gravity: [0, -1e6, 0], time_step: 1 }, bodies: [{ particles: { points: [[0, 0, 0]] }, velocity: [0, 1e6, 0] }] });
    await app.load({ name: 'explodes', text, files: [], changes: new Map() });
    app.run(false);
    for (let i = 0; i < 400; i++) await app.step(100);
  });
  await notice(page, /Numbers left their range.*set back.*Restart/s);
  assert.ok(await page.evaluate(() => [...window.pliant.shown.positions].every(Number.isFinite)));
});

test('a damaged link is told, and the page goes on', async ({ browser, address }) => {
  const page = await browser.newPage();
  page.setDefaultTimeout(120000);
  await page.goto(address.split('#')[0] + '#text=AAAA');
  await notice(page, /The link is damaged/);
  await page.click('[data-scene=jelly]');
  await page.waitForFunction(() => window.pliant.current?.name === 'jelly');
  await page.close();
});

test('the first load is under 2 MB compressed', async () => {
  const folder = join(root, 'build/web'), sizes = {};
  const add = (file) => (sizes[file] = gzipSync(readFileSync(join(folder, file))).length);
  add('index.html');
  for (const file of readdirSync(join(folder, 'assets'))) add(`assets/${file}`);
  if (existsSync(join(folder, 'threads'))) for (const file of readdirSync(join(folder, 'threads'))) add(`threads/${file}`);
  add('scenes/index.json');
  const pictures = readdirSync(join(folder, 'pictures')).reduce((sum, file) => sum + readFileSync(join(folder, 'pictures', file)).length, 0);
  const modules = Object.entries(sizes).filter(([file]) => file.endsWith('.wasm')).map(([, size]) => size);
  // Of the two modules, one is loaded.
  const spare = modules.length > 1 ? Math.min(...modules) : 0;
  const all = Object.values(sizes).reduce((a, b) => a + b, 0) - spare + pictures;
  console.log(`        ${(all / 1e6).toFixed(2)} MB with all pictures`);
  assert.ok(all < 2e6, JSON.stringify({ ...sizes, pictures }));
});
