// ns per element (or spring) and iteration of each kernel: in headless Chromium, in a Worker on one thread, against the
// program with 4 lanes on one thread, one right after the other; the time that multilevel descent takes to a residual of
// 1e-2 of the first guess on a stiff octopus, stretched by 1.3; the time until the page shows its first picture; and the
// sizes of what it downloads.
//
//   node bench.mjs [PART...] [--threads N] [--size N]     PART: vbd, xpbd, pbd, multilevel, materials, octopus, first, size;
//                                            by default all
//
// Both take as many steps to warm up as are timed. The program's time is CPU time, the page's is the clock's: on a busy
// machine the page looks slower than it is. The best of three rounds.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { chromium } from 'playwright-core';

import { serve } from '../serve.mjs';
import { ask, web } from './reference.mjs';
import { cloth, cube, octopus } from './scenes.mjs';

const words = process.argv.slice(2);
const numberAfter = (word) => (words.includes(word) ? Number(words.splice(words.indexOf(word), 2)[1]) : null);
const threads = numberAfter('--threads') ?? 1;
const size = numberAfter('--size'); // of elements
const wanted = (part) => words.length === 0 || words.includes(part);

const iterations = 20;
const sizes = size === null ? [20_000, 61_000, 164_000] : [size];
const materials = {
  'neo-Hookean': {},
  'stable neo-Hookean': { model: 'stable_neo_hookean' },
  'fixed corotated': { model: 'fixed_corotated' },
  'Mooney-Rivlin': { model: 'mooney_rivlin', youngs_modulus: undefined, poisson_ratio: undefined },
  ARAP: { model: 'arap', youngs_modulus: undefined, poisson_ratio: undefined },
  StVK: { model: 'stvk' },
  linear: { model: 'linear' },
};

const rows = [];
const add = (name, size, scene) => rows.push({ name, size, scene, steps: Math.ceil(1.2e6 / size) });
for (const size of sizes) {
  if (wanted('vbd')) add('VBD, neo-Hookean', size, cube(size));
  if (wanted('materials')) {
    for (const [name, material] of Object.entries(materials).slice(1)) add(`VBD, ${name}`, size, cube(size, { material }));
  }
  if (wanted('xpbd')) add('XPBD, two constraints', size, cube(size, { solver: { type: 'xpbd' } }));
  if (wanted('pbd')) add('PBD, springs', size, cloth(Math.round(Math.sqrt(size / 4))));
  if (wanted('multilevel')) add('multilevel', size, cube(size, { solver: { type: 'multilevel' } }));
}

if (rows.length > 0 || wanted('octopus')) {
  const { server, address } = await serve(web);
  const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find((path) => existsSync(path));
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  const page = await browser.newPage();
  await page.goto(`${address}tests/page/index.html`);
  const inPage = (what, argument) => page.evaluate(([w, a]) => window.ask(w, a), [what, argument]);
  const loaded = await inPage('load', { threads });
  console.log(`Chromium ${browser.version()}, ${loaded.threads} thread${loaded.threads > 1 ? 's' : ''}; ns per element and iteration`);
  if (rows.length > 0) console.log(`${'kernel'.padEnd(26)}${'elements'.padStart(9)}${'page'.padStart(9)}${'program'.padStart(9)}${'program/page'.padStart(14)}`);
  for (const { name, scene, steps } of rows) {
    let here = Infinity;
    let there = Infinity;
    let parts = 0;
    for (let round = 0; round < 3; ++round) {
      const [time] = await ask('time', [[scene, steps]]);
      there = Math.min(there, Number(time));
      const measured = await inPage('time', { scene, steps });
      here = Math.min(here, measured.time);
      parts = measured.parts;
    }
    const each = (milliseconds) => ((1e6 * milliseconds) / parts / iterations).toFixed(2);
    console.log(
      name.padEnd(26) + String(parts).padStart(9) + each(here).padStart(9) + each(there).padStart(9) + (there / here).toFixed(2).padStart(14),
    );
  }
  if (wanted('octopus')) {
    for (const [youngs_modulus, poisson_ratio] of [[1e6, 0.3], [1e7, 0.45]]) {
      const { iteration, milliseconds, elements } = await inPage('until', {
        scene: octopus({ youngs_modulus, poisson_ratio }),
        share: 0.01,
      });
      console.log(
        `octopus, ${elements} tets, E ${youngs_modulus} Pa, nu ${poisson_ratio}: ` +
          `${iteration} iterations, ${milliseconds.toFixed(1)} ms`,
      );
    }
  }
  await browser.close();
  server.close();
}

if (wanted('first')) {
  const { server, address } = await serve(join(web, 'lab/dist'));
  const args = ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist'];
  const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find((path) => existsSync(path));
  const times = [];
  for (let round = 0; round < 5; ++round) {
    const browser = await chromium.launch({ executablePath, args });
    const page = await browser.newPage();
    await page.goto(address);
    times.push(
      await page.evaluate(async () => {
        await window.lab.ready;
        for (let frame = 0; frame < 2; ++frame) await new Promise(requestAnimationFrame);
        return performance.now();
      }),
    );
    await browser.close();
  }
  server.close();
  const list = times.map((time) => time.toFixed(0)).join(', ');
  console.log(`\nfirst picture of the page, by a browser just begun, without a graphics card: ${list} ms`);
}

if (wanted('size')) {
  console.log(`\n${'file'.padEnd(26)}${'bytes'.padStart(9)}${'brotli'.padStart(9)}`);
  const packed = (path) => {
    const { stdout, status } = spawnSync('brotli', ['-q', '11', '-w', '24', '-c', path], { maxBuffer: 1 << 28 });
    return status === 0 ? stdout.length : NaN;
  };
  const dist = join(web, 'lab/dist');
  const page = ['index.html', ...readdirSync(join(dist, 'assets')).map((file) => `assets/${file}`)];
  const row = (name, paths) => {
    const sum = (of) => String(paths.reduce((total, path) => total + of(join(dist, path)), 0)).padStart(9);
    console.log(name.padEnd(26) + sum((path) => statSync(path).size) + sum(packed));
  };
  const plain = ['engine/sinew.wasm', 'engine/sinew.js'];
  const threaded = ['engine/sinew-threads.wasm', 'engine/sinew-threads.js', 'engine/sinew-threads.worker.js'];
  for (const file of [...page, ...plain, ...threaded]) row(file, [file]);
  row('page, one thread', [...page, ...plain]);
  row('page, threads', [...page, ...threaded]);
}
