// Buttons, keys, mouse and fingers.
import assert from 'node:assert/strict';
import { readings, stand, step } from './browser.mjs';
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

test('grabbing answers in the next frame, and the point stays under the cursor', async ({ page }) => {
  await stand(page, 'jelly');
  await step(page, 90);
  await drawn(page);
  const { x, y } = await middle(page);
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.waitForFunction(() => [...window.pliant.hand.holds.values()][0]?.particle >= 0);
  const before = await page.evaluate(() => [...window.pliant.hand.holds.values()][0].target.x);
  await page.mouse.move(x + 60, y - 60);
  await page.waitForFunction((was) => [...window.pliant.hand.holds.values()][0].target.x !== was, before);
  await step(page, 1);
  // The particle is where the hand wants it after one frame, and on the screen where the cursor is.
  const off = await page.evaluate(async ([cx, cy]) => {
    const [hold] = window.pliant.hand.holds.values(), { stage, canvas } = window.pliant;
    const { points } = await window.pliant.client.call('points', { body: 0, stride: 1 });
    const at = hold.target.clone().set(...points.slice(3 * hold.particle, 3 * hold.particle + 3));
    const box = canvas.getBoundingClientRect(), seen = at.clone().sub(hold.offset).project(stage.camera);
    return { target: at.distanceTo(hold.target.clone().add(hold.offset)), screen: Math.hypot(box.left + (seen.x + 1) / 2 * box.width - cx, box.top + (1 - seen.y) / 2 * box.height - cy) };
  }, [x + 60, y - 60]);
  await page.mouse.up();
  assert.ok(off.target < 1e-4, `${off.target} m from the hand after one frame`);
  assert.ok(off.screen < 2, `${off.screen} pixels from the cursor`);
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
