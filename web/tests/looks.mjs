// Phones, light and dark, accessibility.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { open, step } from './browser.mjs';
import { shots, test } from './cases.mjs';

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
  for (const tab of ['parameters', 'meters', 'scene']) {
    await page.click(`#tab-${tab}`);
    await page.screenshot({ path: join(shots, `phone_${tab}.png`) });
  }
  await page.evaluate(() => window.pliant.open('one_weight'));
  await page.waitForTimeout(1000);
  await page.screenshot({ path: join(shots, 'phone_lesson.png') });
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

// What has the focus, and whether that is seen.
const focused = (page) => page.evaluate(() => {
  const e = document.activeElement, style = getComputedStyle(e), around = getComputedStyle(e.parentElement);
  return { id: e.id || e.dataset.scene || e.tagName, seen: style.outlineStyle !== 'none' || around.outlineStyle !== 'none' };
});

test('without a mouse all can be reached, seen and used', async ({ browser, address }) => {
  const { page, problems } = await open(browser, address.replace('jelly', 'rope'));
  const reached = [];
  const to = async (id) => {
    for (let i = 0; i < 150; i++) {
      await page.keyboard.press('Tab');
      const now = await focused(page);
      assert.ok(now.seen || now.id === 'BODY', `the focus is seen at ${now.id}`);
      reached.push(now.id);
      if (now.id === id) return;
    }
    assert.fail(`${id} is not reached: ${reached.join()}`);
  };
  await to('canvas');
  for (const id of ['run', 'step', 'restart', 'squash', 'gravity', 'wind', 'compare', 'help-open', 'tab-gallery']) await to(id);
  await to('jelly');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => window.pliant.current.name === 'jelly');
  await page.keyboard.press('Space'); // on a button it is that button's
  await page.focus('#tab-gallery');
  await page.keyboard.press('ArrowRight');
  assert.ok(await page.isVisible('#panel-parameters'));
  await to('p-solver-substeps');
  const substeps = () => page.evaluate(async () => (await window.pliant.parameters()).find(({ path }) => path === '/solver/substeps').value);
  const before = await substeps();
  for (let i = 0; i < 5; i++) await page.keyboard.press('ArrowRight');
  await page.waitForFunction(async (was) => (await window.pliant.parameters()).find(({ path }) => path === '/solver/substeps').value > was, before);
  await page.focus('#canvas');
  await page.keyboard.press('g');
  await page.waitForFunction(() => document.querySelector('#gravity').getAttribute('aria-pressed') === 'false');
  assert.deepEqual(problems, []);
  await page.close();
});
