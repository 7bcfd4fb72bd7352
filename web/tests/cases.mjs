// The list of tests, in the order in which they are made.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './browser.mjs';

export const shots = join(root, 'build/logs/page'); // screenshots, and what is saved
mkdirSync(shots, { recursive: true });

export const tests = [];
export const test = (name, run) => tests.push({ name, run });
