// Every scene, as natively.
import assert from 'node:assert/strict';
import { native, readings, stand, step } from './browser.mjs';
import { test } from './cases.mjs';

const frames = 120;

test('every scene runs 120 frames to the same bits as natively, and does what it expects', async ({ page }) => {
  const names = await page.evaluate(() => window.pliant.gallery.names);
  assert.ok(names.length >= 37, `${names.length} scenes`);
  for (const name of names) {
    await stand(page, name);
    await step(page, frames);
    const here = await readings(page), there = native('run', name, '--frames', String(frames));
    assert.equal(here.hash, there.state_hash, name);
    assert.equal(here.frame, frames, name);
    assert.ok(Number.isFinite(here.total_energy) && Number.isFinite(here.worst_error), name);
    const { failed } = await page.evaluate(() => window.pliant.client.call('check', {}));
    assert.deepEqual(failed, [], name);
  }
});
