// Random use of the page for some minutes: no error in the console, and memory stays flat.
//
//   node web/tests/soak.mjs [minutes]
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { launch, open, readings, serve } from './browser.mjs';

// MB in memory, of all processes that draw and run pages.
async function memoryOf(session) {
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  const pages = processInfo.filter(({ type }) => type === 'renderer' || type === 'GPU');
  return pages.reduce((sum, { id }) => sum + Number(readFileSync(`/proc/${id}/statm`, 'utf8').split(' ')[1]) * 4096 / 1e6, 0);
}

// scenes: which are opened; none: all of the gallery. The same use every time.
export async function soak(minutes, scenes = []) {
  let seed = 1;
  const random = (n) => (seed = (seed * 48271) % 2147483647) % n;
  const pick = (list) => list[random(list.length)];
  const server = await serve(), browser = await launch();
  const { page, problems } = await open(browser, server.address);
  const session = await browser.newBrowserCDPSession();

  async function drag() {
    const at = () => [random(500) + 20, random(380) + 40];
    await page.mouse.move(...at());
    await page.mouse.down();
    for (let i = 0; i < 4; i++) await page.mouse.move(...at());
    await page.mouse.up();
  }
  async function slide() {
    const parameter = pick((await page.evaluate(() => window.pliant.parameters())).filter((one) => typeof one.value === 'number' && one.path.startsWith('/solver/')));
    await page.evaluate(async ([path, value]) => window.pliant.set(path, value).catch(() => 0), [parameter.path, String(parameter.value * (1 + random(3)) / 2)]);
  }
  const colour = () => page.evaluate((quantity) => window.pliant.setShow({ wireframe: quantity !== 'none', tetrahedra: false, quantity }), pick(['none', 'none', 'strain', 'blocks']));
  const names = scenes.length > 0 ? scenes : await page.evaluate(() => window.pliant.gallery.names);
  const acts = [drag, drag, drag, slide, colour, ...['#squash', '#gravity', '#wind', '#restart', '#compare'].map((id) => () => page.click(id)),
    () => page.evaluate((name) => window.pliant.open(name), pick(names))];

  const end = Date.now() + minutes * 60e3, samples = [];
  let count = 0;
  while (Date.now() < end || count < 60) {
    await pick(acts)();
    await page.evaluate(() => {
      document.querySelector('#notice').hidden = true;
      window.pliant.run(true);
    });
    await page.waitForTimeout(100);
    if (count++ % 10 === 0) samples.push(await memoryOf(session));
  }
  const { total_energy, hash } = await readings(page);
  await browser.close();
  server.end();
  const third = Math.floor(samples.length / 3), mean = (list) => list.reduce((a, b) => a + b, 0) / list.length;
  const middle = mean(samples.slice(third, 2 * third)), last = mean(samples.slice(2 * third));
  if (!Number.isFinite(total_energy)) problems.push('the energy is no number');
  if (last > 1.1 * middle) problems.push('memory grows');
  return { problems, report: `${count} acts in ${minutes} minutes; ${middle.toFixed(0)} MB in the second third, ${last.toFixed(0)} MB in the last; state ${hash}` };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { report, problems } = await soak(Number(process.argv[2] ?? 10));
  console.log([report, ...problems].join('\n'));
  process.exit(problems.length > 0 ? 1 : 0);
}
