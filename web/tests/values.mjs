// Parameters, runs beside each other, overlays.
import assert from 'node:assert/strict';
import { native, readings, stand, step } from './browser.mjs';
import { test } from './cases.mjs';

// Moves a slider; answers what stood beside it and in the engine, before and after.
async function slide(page, path) {
  const value = async () => (await page.evaluate(() => window.pliant.parameters())).find((one) => one.path === path).value;
  const readOut = () => page.inputValue(`[data-path="${path}"] input[type=text]`);
  const before = { value: await value(), shown: await readOut() };
  await page.$eval(`[data-path="${path}"] input[type=range]`, (slider) => {
    slider.closest('details').open = true;
    slider.value = String(Number(slider.value) > 120 ? 100 : 140);
    slider.dispatchEvent(new Event('input', { bubbles: true }));
    slider.dispatchEvent(new Event('change', { bubbles: true }));
  });
  const deadline = Date.now() + 10000;
  while ((await value()) === before.value && !(await page.isVisible('#notice')) && Date.now() < deadline) await page.waitForTimeout(50);
  await page.waitForTimeout(100);
  return { before, after: { value: await value(), shown: await readOut() } };
}

// What goes only with some values of others.
const refusable = new Set(['curl', 'rest_curvature', 'twist', 'edge_bending', 'width', 'thickness'].map((name) => `/bodies/0/rope/${name}`));

// Of the solver, and of a body of each sort with what is around it.
for (const [scene, ...starts] of [
  ['three_jellies', '/solver/', '/bodies/0/', '/colliders/0'], ['playground', '/bodies/2/'], ['drape', '/bodies/0/'], ['telephone_cord', '/bodies/0/', '/attachments/0/'],
  ['nodding_head', '/bodies/0/', '/colliders/0'], ['sand_column', '/bodies/0/'],
]) {
  test(`each slider of ${scene} changes its value in the engine, at once or by a restart`, async ({ page }) => {
    await stand(page, scene);
    await page.click('#tab-parameters');
    const paths = await page.$$eval('.parameter:has(input[type=range])', (rows) => rows.map((row) => row.dataset.path));
    const wanted = paths.filter((path) => starts.some((start) => path.startsWith(start)));
    assert.ok(wanted.length >= 2 * starts.length, `${wanted.length} sliders`);
    for (const path of wanted) {
      const { before, after } = await slide(page, path);
      // What does not go with other values is refused in words, and stands as it stood.
      if (refusable.has(path) && (await page.isVisible('#notice'))) {
        const said = await page.textContent('#notice-text');
        assert.match(said, /\/bodies\/0\/\S*: must be/, `${path}: ${said}`);
        assert.deepEqual(after, before, path);
        await page.click('#notice-close');
        continue;
      }
      assert.equal(await page.isVisible('#notice'), false, `${path}: ${await page.textContent('#notice-text')}`);
      assert.notEqual(after.value, before.value, path);
      assert.notEqual(after.shown, before.shown, `${path}: what stands beside it`);
      assert.ok(Math.abs(Number(after.shown) - after.value) <= 1e-3 * Math.abs(after.value), `${path}: the same as in the engine`);
      await page.waitForTimeout(50);
    }
    await step(page, 5);
  });
}

// Each of these changes what a body does: its state some frames later is another one.
test('sliders act while it runs', async ({ page }) => {
  await page.click('#tab-parameters');
  const run = async (path, position) => {
    await page.evaluate(() => window.pliant.restart());
    await step(page, 30);
    if (path) {
      await page.$eval(`[data-path="${path}"] input[type=range]`, (slider, value) => {
        slider.closest('details').open = true;
        slider.value = String(value);
        slider.dispatchEvent(new Event('input', { bubbles: true }));
      }, position);
      assert.equal((await readings(page)).frame, 30, `${path}: at once, without a restart`);
    }
    await step(page, 20);
    return (await readings(page)).hash;
  };
  for (const [scene, ...paths] of [
    ['jelly', '/solver/substeps', '/solver/iterations', '/solver/damping', '/bodies/0/soft/edges/compliance', '/bodies/0/soft/edges/damping', '/colliders/0/friction'],
    ['bunny', '/bodies/0/soft/young_modulus', '/bodies/0/soft/poisson_ratio', '/bodies/0/soft/damping'],
    ['drape', '/bodies/0/cloth/bending/compliance', '/colliders/0/friction'],
  ]) {
    await stand(page, scene);
    const plain = await run('', 0);
    for (const path of paths) {
      await stand(page, scene);
      assert.notEqual(await run(path, 170), plain, `${scene}${path}`);
    }
  }
});

test('readings tell what the engine tells, with plots', async ({ page }) => {
  await stand(page, 'jelly');
  await page.click('#tab-meters');
  await page.evaluate(async () => {
    for (let i = 0; i < 40; i++) await window.pliant.step(1);
  });
  const now = await readings(page), shown = async (key) => Number((await page.textContent(`#meter-${key}`)).replace(/[^\d.e-]/g, ''));
  const percent = (value) => Number((100 * value).toFixed(2));
  assert.equal(await shown('particles'), now.particles);
  assert.equal(await shown('constraints'), now.constraints);
  assert.equal(await shown('inverted'), now.inverted);
  assert.equal(await shown('volume_ratio'), percent(now.volume_ratio));
  assert.equal(await shown('stretch'), percent(now.stretch));
  assert.ok(Math.abs((await shown('total_energy')) - now.total_energy) < 1e-3 * Math.abs(now.total_energy));
  assert.ok((await shown('milliseconds')) > 0);
  const inked = await page.$$eval('#meters canvas', (all) => all.map((canvas) => {
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    return data.some((value, i) => i % 4 === 3 && value > 0);
  }));
  assert.ok(inked.length >= 7 && inked.every(Boolean), `plots: ${inked}`);
});

test('a value out of range is refused with the range, and the page goes on', async ({ page }) => {
  await stand(page, 'rope');
  await page.click('#tab-parameters');
  await page.fill('[data-path="/solver/substeps"] input[type=text]', '-3');
  await page.press('[data-path="/solver/substeps"] input[type=text]', 'Enter');
  await page.waitForSelector('#notice:not([hidden])');
  assert.match(await page.textContent('#notice-text'), /\/solver\/substeps: must be ≥ 1, got -3/);
  assert.equal(await page.inputValue('[data-path="/solver/substeps"] input[type=text]'), String((await page.evaluate(() => window.pliant.parameters())).find((one) => one.path === '/solver/substeps').value), 'what it was');
  await page.click('#notice-close');
  await step(page, 5);
});

test('a scene that compares runs has them to choose from', async ({ page }) => {
  await stand(page, 'iterations');
  const labels = await page.$$eval('#runs option', (options) => options.map((o) => o.textContent));
  assert.deepEqual(labels.shift(), 'all, beside each other');
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

test('an event of any kind can be let happen', async ({ page }) => {
  await stand(page, 'jelly');
  await page.click('#tab-parameters');
  await page.$eval('#events', (details) => (details.open = true));
  const kinds = await page.$$eval('#event-kind option', (options) => options.map((o) => o.value));
  for (const kind of ['squash', 'translate', 'grab', 'pin', 'solver']) assert.ok(kinds.includes(kind), kind);
  await page.selectOption('#event-kind', 'translate');
  await page.fill('#event-offset', '[0, 2, 0]');
  const height = () => page.evaluate(() => window.pliant.shown.positions[1]);
  const before = await height();
  await page.click('#event-do');
  await page.waitForFunction((y) => window.pliant.shown.positions[1] > y + 1.9, before);
  await page.fill('#event-offset', '[0, 2]');
  await page.click('#event-do');
  await page.waitForSelector('#notice:not([hidden])');
  assert.match(await page.textContent('#notice-text'), /offset/);
  await page.click('#notice-close');
});

test('every overlay colours the body, and changes no bit', async ({ page }) => {
  for (const scene of ['jelly', 'drape']) {
    await stand(page, scene);
    await step(page, 240); // it rests: something touches
    const names = await page.evaluate(() => window.pliant.loaded.quantities);
    assert.ok(names.length >= 6, names.join());
    for (const quantity of names) {
      const shades = await page.evaluate(async (name) => {
        await window.pliant.setShow({ wireframe: false, tetrahedra: false, quantity: name });
        const { colors } = window.pliant.shown;
        return new Set(Array.from({ length: colors.length / 3 }, (_, i) => colors.slice(3 * i, 3 * i + 3).join())).size;
      }, quantity);
      assert.ok(shades > 1, `${scene}, ${quantity}: ${shades} shades`);
    }
    await page.evaluate(() => window.pliant.setShow({ wireframe: false, tetrahedra: false, quantity: 'none' }));
    await step(page, 10);
    assert.equal((await readings(page)).hash, native('run', scene, '--frames', '250').state_hash);
  }
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
