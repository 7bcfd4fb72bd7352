// Time of a step, and memory over random use.
import assert from 'node:assert/strict';
import { open, stand } from './browser.mjs';
import { test } from './cases.mjs';
import { soak } from './soak.mjs';

// The least of many single steps: whatever else runs on the machine takes part in most of them. With coarse levels and
// contact, as every scene has them; the plain module, which has one thread.
test('c100 and j20 take at most 8 ms per frame on one core', async ({ browser, address }) => {
  const { page } = await open(browser, address, {}, () => delete globalThis.SharedArrayBuffer);
  for (const name of ['c100', 'j20']) {
    await stand(page, name);
    assert.equal(await page.evaluate(() => window.pliant.loaded.threads), 1);
    const best = await page.evaluate(async () => {
      const times = [];
      for (let i = 0; i < 120; i++) times.push((await window.pliant.client.call('tick', { steps: 1, spare: null })).milliseconds);
      return Math.min(...times.slice(20));
    });
    console.log(`        ${name}: ${best.toFixed(2)} ms`);
    assert.ok(best <= 8, `${name}: ${best} ms`);
  }
  await page.close();
});

test('half a minute of random use leaves the memory flat', async () => {
  const { report, problems } = await soak(0.5, ['jelly', 'rope', 'drape']);
  console.log(`        ${report}`);
  assert.deepEqual(problems, []);
});
