// Every scene, as natively.
import assert from 'node:assert/strict';
import { nativeAsync, open, readings, stand } from './browser.mjs';
import { test } from './cases.mjs';

const frames = 120;

async function checked(page, name) {
  await stand(page, name);
  const start = Date.now();
  const { failed, hash } = await page.evaluate((n) => window.pliant.client.call('check', { frames: n }), frames);
  const here = await readings(page), seconds = (Date.now() - start) / 1000;
  assert.equal(hash, (await nativeAsync('run', name, '--frames', String(frames))).state_hash, name);
  assert.ok(here.frame >= frames, name);
  assert.ok(Number.isFinite(here.total_energy) && Number.isFinite(here.worst_error), name);
  assert.equal(here.repaired, 0, name);
  assert.deepEqual(failed, [], name);
  return seconds;
}

// Two at a time, each on one thread: scenes of one island have no work for two.
test('every scene runs 120 frames to the same bits as natively, and does what it expects', async ({ page, browser, address }) => {
  const names = await page.evaluate(() => window.pliant.gallery.names);
  await page.evaluate(() => window.pliant.run(false)); // the machine is for the others
  assert.ok(names.length >= 60, `${names.length} scenes`);
  const waiting = [...names], times = [];
  const work = async () => {
    const { page: plain, problems } = await open(browser, address, {}, () => delete globalThis.SharedArrayBuffer);
    for (let name; (name = waiting.shift()); ) times.push([await checked(plain, name), name]);
    assert.deepEqual(problems, []);
    await plain.close();
  };
  await Promise.all([work(), work()]);
  times.sort(([a], [b]) => b - a);
  console.log(`        ${times.length} scenes; the longest: ${times.slice(0, 6).map(([s, name]) => `${name} ${s.toFixed(1)} s`).join(', ')}`);
});
