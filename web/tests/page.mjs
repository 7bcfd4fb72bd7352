// The page in Chromium: every scene, every slider, hands, files, links, sizes.
//
//   node web/tests/page.mjs [part of a test's name]
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { launch, open, serve } from './browser.mjs';
import { shots, tests } from './cases.mjs';
import './hands.mjs';
import './values.mjs';
import './lessons.mjs';
import './files.mjs';
import './trouble.mjs';
import './looks.mjs';
import './speed.mjs';
import './scenes.mjs';

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
