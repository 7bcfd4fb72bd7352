// A browser at the page that pliant view serves.
import { execFile, execFileSync, spawn } from 'node:child_process';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { chromium } from 'playwright-core';

export const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
export const pliant = process.env.PLIANT_PROGRAM ?? join(root, 'build/release/bin/pliant');

export function native(...args) {
  return JSON.parse(execFileSync(pliant, [...args, '--quiet', '--json'], { encoding: 'utf8' }));
}

export async function nativeAsync(...args) {
  const { stdout } = await promisify(execFile)(pliant, [...args, '--quiet', '--json'], { encoding: 'utf8' });
  return JSON.parse(stdout);
}

export async function serve(...args) {
  const server = spawn(pliant, ['view', '--port', '0', '--no-browser', ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const address = await new Promise((done, fail) => {
    server.stdout.once('data', (data) => done(String(data).split('\n')[0]));
    server.once('exit', (code) => fail(new Error(`pliant view ended with ${code}`)));
  });
  return { address, end: () => server.kill('SIGTERM') };
}

export function launch(...more) {
  return chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader',
      '--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run', ...more],
  });
}

// Every message of the console that is an error ends up in problems. before: runs in the page ahead of its own scripts.
export async function open(browser, address, options = {}, before = undefined) {
  const context = await browser.newContext({ viewport: { width: 860, height: 480 }, ...options });
  const page = await context.newPage(), problems = [];
  if (before) await page.addInitScript(before);
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  page.on('pageerror', (error) => problems.push(error.message));
  page.setDefaultTimeout(120000); // a busy machine
  await page.goto(address);
  await page.waitForFunction(() => window.pliant?.current);
  return { page, problems };
}

// Loads a scene and stands still at its start.
export async function stand(page, name) {
  await page.evaluate(async (scene) => {
    window.pliant.run(false);
    await window.pliant.open(scene);
    window.pliant.run(false);
  }, name);
}

export const step = (page, frames) => page.evaluate((n) => window.pliant.step(n), frames);
export const readings = (page) => page.evaluate(() => window.pliant.readings());
