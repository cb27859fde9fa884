// The lab in browsers and on hosts that lack something, and under fingers.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { load, meanX, now, openLab, phone, step } from './lab_page.mjs';

const says = async (options, text) => {
  const lab = await openLab(options);
  const page = await lab.browser.newPage();
  await page.goto(lab.address);
  await page.getByRole('alert').waitFor();
  assert.match(await page.getByRole('alert').textContent(), text);
  assert.ok(await page.getByRole('button', { name: 'Reset' }).isDisabled());
  await lab.close();
};

describe('the lab', () => {
  it('says that there is no WebGL', () => says({ flags: ['--disable-gpu', '--disable-3d-apis'] }, /WebGL.*hardware/));
  it('says that there is no SIMD', () => says({ flags: ['--js-flags=--no-enable-sse4-1'] }, /SIMD.*browser of 2023/));

  it('runs where the host does not isolate pages, with the same bits', async () => {
    const points = [];
    for (const isolated of [true, false]) {
      const lab = await openLab({ isolated });
      await lab.onPage(async (page) => {
        assert.equal(await page.evaluate(() => crossOriginIsolated), isolated);
        await load(page, 'pile');
        await step(page, 40);
        const { lanes } = await now(page);
        points.push(lanes.map((lane) => lane.points));
      });
      await lab.close();
    }
    assert.deepEqual(points[0], points[1]);
  });

  it('lets a finger pull and throw a body', async () => {
    const lab = await openLab();
    await lab.onPage(
      async (page) => {
        await load(page, 'ring');
        await step(page, 1);
        await page.locator('.picture canvas').scrollIntoViewIfNeeded();
        const middle = await page.evaluate(() => {
          const { points } = window.lab.now().lanes[0];
          const mean = [0, 0, 0];
          points.forEach((x, k) => (mean[k % 3] += (3 * x) / points.length));
          return { mean, at: window.lab.project(0, mean) };
        });
        const session = await page.context().newCDPSession(page);
        const touch = (type, points) => session.send('Input.dispatchTouchEvent', { type, touchPoints: points });
        const scrolled = () => page.evaluate(() => document.scrollingElement.scrollTop);
        const top = await scrolled();
        await touch('touchStart', [middle.at]);
        for (let k = 1; k <= 6; ++k) {
          const before = await page.evaluate(() => window.lab.state().events.length);
          await touch('touchMove', [{ x: middle.at.x + 20 * k, y: middle.at.y - 15 * k }]);
          await page.waitForFunction((n) => window.lab.state().events.length > n, before);
          await step(page, 4);
        }
        const held = meanX((await now(page)).lanes[0]);
        assert.ok(held > middle.mean[0] + 0.03, `pulled from ${middle.mean[0]} to ${held} m`);
        await touch('touchEnd', []);
        await page.waitForFunction(() => window.lab.state().events.at(-1)?.kind === 'drop');
        await step(page, 8);
        assert.ok(meanX((await now(page)).lanes[0]) > held + 0.01, 'it does not fly on');
        assert.equal(await scrolled(), top, 'the page has moved with the finger');
      },
      { options: { viewport: phone, isMobile: true, hasTouch: true } },
    );
    await lab.close();
  });
});
