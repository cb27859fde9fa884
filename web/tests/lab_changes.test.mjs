// One scene after the other, faster than they come: what belongs to one does not land in another.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';

import { load, now, openLab, step } from './lab_page.mjs';

describe('the lab, hurried,', () => {
  let lab;
  const onPage = (use, more) => lab.onPage(use, more);
  before(async () => (lab = await openLab()));
  after(() => lab?.close());

  it('keeps a good scene apart from a refused one before it', () =>
    onPage(async (page) => {
      await load(page, 'beam');
      const refused = await page.evaluate(async () => {
        const state = window.lab.state();
        const bad = window.lab.take({ ...state, methods: [{ ...state.methods[0], type: 'nonsense' }] }).then(() => 'taken', () => 'refused');
        const good = window.lab.load('pendulum');
        await good;
        return bad;
      });
      assert.equal(refused, 'refused');
      assert.equal(await page.evaluate(() => window.lab.state().scene), 'pendulum');
      assert.equal(await page.locator('nav [aria-current]').textContent(), 'Four first guesses');
      await page.evaluate(() => window.lab.set('k', 2e4));
      await page.evaluate(() => window.lab.reset());
      await step(page, 2);
      assert.equal((await now(page)).lanes.length, 4);
    }));

  it('drops what was set in a scene that is left', () =>
    onPage(async (page) => {
      await load(page, 'block');
      await page.evaluate(async () => {
        const coming = window.lab.load('pendulum');
        const slider = document.querySelector('input[type=range][aria-label="Young’s modulus"]');
        for (const value of [100, 500, 900]) {
          slider.value = String(value);
          slider.dispatchEvent(new Event('input'));
        }
        window.lab.set('cells', 6); // begins anew, a little later
        await coming;
      });
      await page.waitForTimeout(600);
      const { scene, values, events } = await page.evaluate(() => window.lab.state());
      assert.equal(scene, 'pendulum');
      assert.deepEqual(Object.keys(values), ['k']);
      assert.deepEqual(events, []);
    }));

  it('shows the last of ten scenes, and reads nothing of those before', () =>
    onPage(async (page) => {
      await page.evaluate(async () => {
        const ids = ['block', 'pendulum', 'xpbd', 'ring', 'beam'];
        await Promise.all(Array.from({ length: 10 }, (_, k) => window.lab.load(ids[k % 5])));
      });
      assert.equal(await page.evaluate(() => window.lab.state().scene), 'beam');
      await page.waitForTimeout(500);
      await step(page, 2);
      assert.ok((await now(page)).lanes.every(({ points }) => points.every(Number.isFinite)));
    }));

  it('goes on where the stiffness of springs is changed, and plays that back', () =>
    onPage(async (page) => {
      await load(page, 'xpbd');
      await step(page, 20);
      const before = await now(page);
      await page.evaluate(() => window.lab.set('k', 500));
      await page.evaluate(() => window.lab.set('dt', 0.005));
      await page.evaluate(() => window.lab.set('k', 700));
      await step(page, 20);
      const { step: taken, time, lanes } = await now(page);
      assert.equal(taken, 40);
      assert.ok(Math.abs(time - before.time - 0.1) < 1e-9, `${time} s`);
      const link = await page.evaluate(() => window.lab.link());
      await onPage(
        async (other) => {
          await other.evaluate(() => window.lab.replay(false));
          await step(other, taken);
          const again = await now(other);
          assert.equal(again.time, time);
          assert.deepEqual(again.lanes.map(({ points }) => points), lanes.map(({ points }) => points));
          assert.equal(await other.evaluate(() => window.lab.state().values.k), 700);
        },
        { hash: new URL(link).hash },
      );
    }));

  it('says that a step does not end while it plays, and goes on with Reset', () =>
    onPage(async (page) => {
      await load(page, 'pendulum');
      await page.evaluate(() => {
        window.lab.play();
        window.lab.act({ kind: 'set', path: 'solver.iterations', value: '1000000000', name: '' });
      });
      await page.getByRole('alert').filter({ hasText: 'has not answered' }).waitFor();
      await page.evaluate(() => window.lab.reset());
      assert.ok(await page.getByRole('alert').isHidden());
      await step(page, 3);
      assert.equal((await now(page)).lanes.length, 4);
    }));
});
