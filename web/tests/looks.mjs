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
