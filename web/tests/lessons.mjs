// Simulated against exact, and runs beside each other.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { native, readings, stand, step } from './browser.mjs';
import { shots, test } from './cases.mjs';

const apart = (page) => page.evaluate(() => window.pliant.lesson.error); // m

// m, after each of so many frames
const apartOver = (page, frames) => page.evaluate(async (count) => {
  const errors = [];
  for (let i = 0; i < count; i++) {
    await window.pliant.step(1);
    errors.push(window.pliant.lesson.error);
  }
  return errors;
}, frames);

async function substeps(page, count) {
  await page.$eval('#lesson-substeps', (slider, value) => {
    slider.value = String(Math.log10(value));
    slider.dispatchEvent(new Event('input', { bubbles: true }));
  }, count);
  await page.waitForFunction(async (n) => (await window.pliant.parameters()).find((p) => p.path === '/solver/substeps').value === n, count);
  await page.evaluate(() => window.pliant.restart());
}

// What steps of h cost, to first order in h, so that the distance from the exact motion is known in advance.
//
// A weight on a link: each substep moves along the last chord and is drawn back to the circle. That takes the speed
// away like friction in proportion to the tension: θ¨ = −(g/L)·sin θ − h·θ˙·(θ˙² + (g/L)·cos θ). The first step has the
// speed of its end, as if let go half a step ahead: θ˙(0) = −(h/2)·(g/L)·sin θ(0).
function swing(from, h) {
  const g = 9.81, slope = ([a, w], loss) => [w, -g * Math.sin(a) - loss * w * (w * w + g * Math.cos(a))];
  const moved = (y, k, d) => y.map((v, i) => v + d * k[i]), d = 1 / 3000;
  const advanced = (y, loss) => { // by d, as Runge and Kutta do
    const k1 = slope(y, loss), k2 = slope(moved(y, k1, d / 2), loss), k3 = slope(moved(y, k2, d / 2), loss), k4 = slope(moved(y, k3, d), loss);
    return y.map((v, i) => v + (d / 6) * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]));
  };
  let exact = [from, 0], stepped = [from, (-h / 2) * g * Math.sin(from)];
  return () => { // of the next frame, L = 1 m
    for (let i = 0; i < 50; i++) [exact, stepped] = [advanced(exact, 0), advanced(stepped, h)];
    return 2 * Math.abs(Math.sin((exact[0] - stepped[0]) / 2));
  };
}

// A weight on a spring: steps are implicit, so the swing of 0.5 m dies away by exp(−ω²ht/2); ω² = 1/αm = 50/s².
function spring(h) {
  let frame = 0;
  return () => {
    const t = ++frame / 60;
    return 0.5 * (1 - Math.exp(-25 * h * t)) * Math.abs(Math.cos(Math.sqrt(50) * t));
  };
}

// Beyond 30 substeps rounding of single precision grows: steps of 1/6000 s move the bead by a few hundred units of it.
const expected = {
  one_weight: (h) => swing(Math.atan2(0.8, 0.6), h), bead_on_wire: (h) => swing(Math.atan2(0.28, -0.96), h), oscillator: spring,
};
for (const name of Object.keys(expected)) {
  test(`${name}: substeps lead to the exact motion as fast as theory says`, async ({ page }) => {
    await stand(page, name);
    assert.ok(await page.isVisible('#lesson'));
    for (const count of [3, 10, 30]) {
      await substeps(page, count);
      const next = expected[name](1 / 60 / count);
      const errors = await apartOver(page, 120), worst = Math.max(...errors), foreseen = Math.max(...errors.map(next));
      console.log(`        ${count} substeps: ${(1000 * worst).toFixed(1)} mm, foreseen ${(1000 * foreseen).toFixed(1)} mm`);
      assert.ok(Math.abs(worst / foreseen - 1) < 0.05, `${count} substeps: ${worst} m, foreseen ${foreseen} m`);
    }
    await page.screenshot({ path: join(shots, `${name}.png`) });
  });
}

test('catenary: the rope settles on the exact curve', async ({ page }) => {
  await stand(page, 'catenary');
  assert.ok((await apart(page)) > 0.03, 'it starts elsewhere');
  await step(page, 600);
  const error = await apart(page);
  assert.ok(error < 0.003, `${error} m`);
  await page.screenshot({ path: join(shots, 'catenary.png') });
});

// Linear tetrahedra bend too little: with n of them across a bar is stiffer by 1 + c/n², so 1/w = (1 + c/n²)/w∞ for its
// sag w. Two meshes tell w∞, which must be the beam's; 80 substeps solve either to the end.
test('cantilever: finer meshes lead to the curve of the beam', async ({ page }) => {
  const sags = [];
  let beam = 0;
  for (const n of [2, 4]) {
    await page.evaluate(async (across) => {
      window.pliant.run(false);
      await window.pliant.open('cantilever', new Map([['/bodies/0/soft/box/cells', `[${5 * across},${across},${across}]`], ['/solver/substeps', '80']]));
      window.pliant.run(false);
    }, n);
    const height = (curve) => page.evaluate((name) => window.pliant.lesson.last[name].at(-1)[1], curve); // of the tip
    const start = await height('simulated');
    await step(page, 300);
    sags.push(start - (await height('simulated')));
    beam = start - (await height('exact'));
  }
  const limit = 3 / (4 / sags[1] - 1 / sags[0]);
  console.log(`        ${sags.map((w) => (1000 * w).toFixed(1)).join(' and ')} mm lead to ${(1000 * limit).toFixed(1)} mm; the beam: ${(1000 * beam).toFixed(1)} mm`);
  assert.ok(sags[0] < sags[1] && sags[1] < beam, 'from the stiff side');
  assert.ok(Math.abs(limit / beam - 1) < 0.05, `${limit} m, beam ${beam} m`);
  await page.screenshot({ path: join(shots, 'cantilever.png') });
});

test('substeps against iterations run beside each other, each to its own bits', async ({ page }) => {
  await page.evaluate(async () => {
    window.pliant.run(false);
    await window.pliant.open('budget', undefined, true);
    window.pliant.run(false);
    await window.pliant.restart();
  });
  await step(page, 40);
  const runs = await page.evaluate(() => window.pliant.loaded.runs);
  assert.equal(runs.length, 6);
  assert.deepEqual(await page.$$eval('#labels .label', (all) => all.length), 6);
  for (const [i, { changes }] of runs.entries()) {
    const here = await page.evaluate((pane) => window.pliant.readings(pane), i);
    assert.equal(here.hash, native('run', 'budget', ...changes.flatMap((c) => ['--set', c]), '--frames', '40').state_hash, changes.join());
  }
  await page.waitForTimeout(300);
  await page.screenshot({ path: join(shots, 'budget.png') });
});

test('compare: one stays as it was, the other takes the change', async ({ page }) => {
  await stand(page, 'jelly');
  await page.click('#compare');
  await page.waitForFunction(() => window.pliant.panes.length === 2);
  await page.click('#tab-parameters');
  await page.selectOption('[data-path="/solver/method"] select', 'pbd');
  await page.waitForFunction(() => [...document.querySelectorAll('.label')].some((l) => l.textContent.includes('method pbd')));
  await page.evaluate(() => window.pliant.restart());
  await step(page, 60);
  const here = await Promise.all([0, 1].map((pane) => page.evaluate((i) => window.pliant.readings(i), pane)));
  assert.equal(here[0].hash, native('run', 'jelly', '--frames', '60').state_hash);
  assert.equal(here[1].hash, native('run', 'jelly', '--set', 'solver/method=pbd', '--frames', '60').state_hash);
  // The block, which is red, is seen in either half.
  const red = await page.evaluate(async () => {
    await new Promise(requestAnimationFrame).then(() => new Promise(requestAnimationFrame));
    const { canvas } = window.pliant, copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d');
    copy.drawImage(canvas, 0, 0);
    return [0, canvas.width / 2].map((left) => {
      const { data } = copy.getImageData(left, 0, canvas.width / 2, canvas.height);
      let count = 0;
      for (let i = 0; i < data.length; i += 4) if (data[i] > 1.4 * data[i + 1] && data[i] > 80) count++;
      return count;
    });
  });
  assert.ok(red[0] > 300 && red[1] > 300, `${red} red pixels`);
  await page.screenshot({ path: join(shots, 'compare.png') });
  await page.click('#compare');
  await page.waitForFunction(() => window.pliant.panes.length === 1);
  assert.equal((await readings(page)).frame, 0);
});
