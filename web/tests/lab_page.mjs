// A page of the lab in Chromium, for tests.
import assert from 'node:assert/strict';
import { join } from 'node:path';

import { chromium } from 'playwright-core';

import { chromiumPath } from './chromium.mjs';
import { serve } from '../serve.mjs';
import { web } from './reference.mjs';

export const desktop = { width: 1280, height: 800 };
export const phone = { width: 390, height: 844 };
const drawing = ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist'];

/** Chromium and a server of the lab; `flags`: further ones of Chromium. */
export async function openLab({ flags = [], isolated = true } = {}) {
  const browser = await chromium.launch({ executablePath: chromiumPath, args: [...drawing, ...flags] });
  const { server, address } = await serve(join(web, 'lab/dist'), 0, isolated);
  return {
    address,
    browser,
    /** A page at rest before its first step; errors of the console fail the test. */
    async onPage(use, { hash = '', options = {}, faults: expected = [] } = {}) {
      const context = await browser.newContext({ viewport: desktop, ...options });
      await context.grantPermissions(['clipboard-read', 'clipboard-write']);
      const page = await context.newPage();
      const faults = [];
      page.on('pageerror', (error) => faults.push(String(error)));
      const isFault = (message) => message.type() === 'error' || /^THREE(?!.*Context)/.test(message.text());
      page.on('console', (message) => isFault(message) && faults.push(message.text()));
      await page.goto(address + hash);
      await page.evaluate(() => window.lab.ready);
      await page.evaluate(() => window.lab.pause());
      await use(page);
      assert.deepEqual(faults, expected);
      await context.close();
    },
    async close() {
      await browser.close();
      server.close();
    },
  };
}

export async function load(page, scene) {
  await page.evaluate((id) => window.lab.load(id), scene);
  await page.evaluate(() => window.lab.pause());
  await page.evaluate(() => window.lab.reset());
}
export const step = (page, count) => page.evaluate((n) => window.lab.step(n), count);
export const now = (page) => page.evaluate(() => window.lab.now());
export const loadsOf = (page) => page.evaluate(() => window.lab.loads);
/** Until a scene that was asked for is there, and has taken no step. */
export const anew = (page, before) =>
  page.waitForFunction((loads) => window.lab.loads > loads && window.lab.now().lanes.length > 0, before);
/** A method without options or accelerator. */
export const plain = (type) => ({ type, accelerator: 'none', options: {}, acceleratorOptions: {} });
export const lowest = ({ points }) => points.reduce((least, y, k) => (k % 3 === 1 ? Math.min(least, y) : least), Infinity);
export const meanX = ({ points }) => points.reduce((sum, x, k) => sum + (k % 3 === 0 ? (3 * x) / points.length : 0), 0);

/** Drops files, [name, text] each, onto the page. */
export const drop = (page, files) =>
  page.evaluate(async (list) => {
    await window.lab.open(list.map(([name, text]) => new File([text], name)));
  }, files);

const pictureOf = async (page) => (await page.locator('.picture canvas').screenshot()).toString('base64');
/** The picture's points as bytes: red, green, blue, alpha; of one lane, or of all of them. */
const pointsOf = async (page, lane = null) =>
  page.evaluateHandle(
    async ([base64, k]) => {
      const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${base64}`)).blob());
      const whole = document.querySelector('.picture').getBoundingClientRect();
      const box = k === null ? whole : document.querySelectorAll('.lane')[k].getBoundingClientRect();
      const context = new OffscreenCanvas(image.width, image.height).getContext('2d');
      context.drawImage(image, 0, 0);
      return context.getImageData(box.left - whole.left, box.top - whole.top, box.width, box.height).data;
    },
    [await pictureOf(page), lane],
  );
/** How many colours the picture has, of 32,768. */
export const colorsIn = async (page, lane) =>
  (await pointsOf(page, lane)).evaluate((data) => {
    const colors = new Set();
    for (let k = 0; k < data.length; k += 4) colors.add(((data[k] >> 3) << 10) | ((data[k + 1] >> 3) << 5) | (data[k + 2] >> 3));
    return colors.size;
  });
/** Of its upper left corner, from 0 to 255. */
export const brightness = async (page, lane) => (await pointsOf(page, lane)).evaluate((data) => data[1]);
/** What share of the picture's points change by `action`: as soon as it is more than `enough`, and at last after 20 s. */
export async function changeBy(page, action, enough) {
  const before = await pictureOf(page);
  await action();
  let share = 0;
  for (let k = 0; k < 40 && share <= enough; ++k) {
    await page.waitForTimeout(500);
    share = await difference(page, before, await pictureOf(page));
  }
  return share;
}
function difference(page, before, after) {
  return page.evaluate(async (pictures) => {
    const [a, b] = await Promise.all(
      pictures.map(async (base64) => {
        const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${base64}`)).blob());
        const context = new OffscreenCanvas(image.width, image.height).getContext('2d');
        context.drawImage(image, 0, 0);
        return context.getImageData(0, 0, image.width, image.height).data;
      }),
    );
    let changed = 0;
    for (let k = 0; k < a.length; k += 4) {
      changed += [0, 1, 2].some((c) => Math.abs(a[k + c] - b[k + c]) > 16) ? 1 : 0;
    }
    return (4 * changed) / a.length;
  }, [before, after]);
}
