// Buttons, keys, mouse and fingers.
import assert from 'node:assert/strict';
import { open, readings, stand, step } from './browser.mjs';
import { test } from './cases.mjs';

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

// Two frames of the browser: the first may have been under way.
const drawn = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

// Where the middle of what is drawn stands on the screen, and how high it is.
const middle = (page) => page.evaluate(() => {
  const { shown, stage, canvas } = window.pliant, p = shown.positions;
  const sum = [0, 0, 0];
  for (let i = 0; i < p.length; i++) sum[i % 3] += p[i] / (p.length / 3);
  const at = stage.controls.target.clone().set(...sum).project(stage.camera), box = canvas.getBoundingClientRect();
  return { x: box.left + (at.x + 1) / 2 * box.width, y: box.top + (1 - at.y) / 2 * box.height, height: sum[1] };
});

// Where on the screen the spot is that is held, and where its cursor is.
const heldSpot = (page) => page.evaluate(() => {
  const [hold] = window.pliant.hand.holds.values(), { stage, canvas } = window.pliant, box = canvas.getBoundingClientRect();
  const seen = stage.pictures[0].placeOf(hold.spot).project(stage.camera);
  return { x: box.left + (seen.x + 1) / 2 * box.width, y: box.top + (1 - seen.y) / 2 * box.height, particle: hold.particle };
});

// A point of the canvas where a body is, as near to (x, y) as can be, in pixels from the body's middle.
const onBody = (page, x, y) => page.evaluate(([dx, dy]) => {
  const { shown, stage, canvas, hand } = window.pliant, box = canvas.getBoundingClientRect(), sum = [0, 0, 0];
  shown.positions.forEach((v, i) => (sum[i % 3] += v / (shown.positions.length / 3)));
  const middle = stage.controls.target.clone().set(...sum).project(stage.camera);
  const center = [(middle.x + 1) / 2 * box.width, (1 - middle.y) / 2 * box.height];
  for (let share = 1; share > 0; share -= 0.05) {
    const at = [center[0] + share * dx, center[1] + share * dy];
    stage.aim(hand.ray, ...at, 0);
    if (stage.pictures[0].pick(hand.ray)) return { x: box.left + at[0], y: box.top + at[1] };
  }
  return null;
}, [x, y]);

const near = (a, b) => Math.hypot(a.x - b.x, a.y - b.y);

test('grabbing answers in the next frame', async ({ page }) => {
  await stand(page, 'jelly');
  await step(page, 90);
  await drawn(page);
  const at = await onBody(page, 0, 0);
  await page.mouse.move(at.x, at.y);
  await page.mouse.down();
  await page.waitForFunction(() => [...window.pliant.hand.holds.values()][0]?.particle >= 0);
  const target = () => page.evaluate(() => [...window.pliant.hand.holds.values()][0].target.x);
  const before = await target();
  await page.mouse.move(at.x + 60, at.y - 60);
  await page.waitForFunction((was) => [...window.pliant.hand.holds.values()][0].target.x !== was, before);
  await step(page, 1);
  const off = await page.evaluate(async () => {
    const [hold] = window.pliant.hand.holds.values(), { points } = await window.pliant.client.call('points', { body: 0, stride: 1 });
    const at = hold.target.clone().set(...points.slice(3 * hold.particle, 3 * hold.particle + 3));
    return at.distanceTo(hold.target.clone().add(hold.offset));
  });
  await page.mouse.up();
  assert.ok(off < 1e-4, `${off} m from the hand after one frame`);
});

// The nearest corner of what is drawn or, of a coarse body under a fine skin, what was hit of the skin.
test('the point that was grabbed stays under the cursor, wherever on a body it is', async ({ page }) => {
  for (const [scene, settle, places] of [
    ['jelly', 40, [[0, 0], [60, -50], [-45, 40]]], ['bunny', 60, [[0, 0], [15, -60], [30, 30]]], ['drape', 60, [[0, 0], [-60, 20]]], ['rope_bridge', 30, [[0, 0]]],
  ]) {
    for (const place of places) {
      await stand(page, scene);
      await step(page, settle);
      await drawn(page);
      const from = await onBody(page, ...place);
      assert.ok(from, `${scene}: a body at ${place}`);
      await page.mouse.move(from.x, from.y);
      await page.mouse.down();
      await page.waitForFunction(() => [...window.pliant.hand.holds.values()][0]?.particle >= 0);
      const to = { x: from.x + 40, y: from.y - 50 };
      for (let i = 1; i <= 8; i++) {
        await page.mouse.move(from.x + 5 * i, from.y - 6.25 * i);
        await step(page, 2);
      }
      await page.evaluate(async () => {
        for (let i = 0; i < 20; i++) await window.pliant.step(1);
      });
      const off = near(await heldSpot(page), to);
      await page.mouse.up();
      console.log(`        ${scene} at ${place}: ${off.toFixed(1)} pixels`);
      assert.ok(off < 3, `${scene} at ${place}: ${off} pixels from the cursor`);
    }
  }
});

test('two fingers hold two points', async ({ browser, address }) => {
  const { page, problems } = await open(browser, address, { viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true });
  await stand(page, 'jelly');
  await step(page, 50); // before the scene itself squashes it
  await drawn(page);
  const [left, right] = [await onBody(page, -25, 0), await onBody(page, 25, 0)], session = await page.context().newCDPSession(page);
  const touch = (type, ...points) => session.send('Input.dispatchTouchEvent', { type, touchPoints: points.map(({ x, y }, id) => ({ x, y, id })) });
  await touch('touchStart', left);
  await touch('touchStart', left, right);
  await page.waitForFunction(() => [...window.pliant.hand.holds.values()].filter((hold) => hold.particle !== null).length === 2);
  const before = await middle(page);
  for (let i = 1; i <= 10; i++) {
    await touch('touchMove', { x: left.x, y: left.y - 8 * i }, { x: right.x, y: right.y - 8 * i });
    await step(page, 2);
  }
  assert.ok((await middle(page)).height > before.height + 0.1, 'it is lifted');
  await touch('touchEnd');
  await page.waitForFunction(() => window.pliant.hand.holds.size === 0);
  assert.ok((await readings(page)).kinetic_energy > 0.1, 'it flies');
  assert.deepEqual(problems, []);
  await page.context().close();
});

test('the view turns by keys, and help lists them', async ({ page }) => {
  await stand(page, 'jelly');
  const position = () => page.evaluate(() => window.pliant.stage.camera.position.toArray());
  const before = await position();
  await page.focus('#canvas');
  await page.keyboard.press('ArrowLeft');
  assert.notDeepEqual(await position(), before);
  await page.keyboard.press('?');
  assert.ok(await page.isVisible('#help'));
  await page.keyboard.press('Escape');
  assert.equal(await page.isVisible('#help'), false);
});

test('a mouse drag lifts the body, and a throw leaves it with velocity', async ({ page }) => {
  await stand(page, 'jelly');
  await step(page, 90);
  await drawn(page);
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
