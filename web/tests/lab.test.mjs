// The page, played with as a user would: what is seen, controls that change the physics as they should, hands, keys. It
// runs in Chromium without a graphics card, on a machine that may be busy: times decide nothing.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';

import { anew, changeBy, colorsIn, drop, load, loadsOf, meanX, now, openLab, phone, plain, step } from './lab_page.mjs';

const scenes = ['xpbd', 'block', 'pile', 'ring', 'pendulum', 'bar', 'beam'];

describe('the lab', () => {
  let lab;
  const onPage = (use, more) => lab.onPage(use, more);
  before(async () => (lab = await openLab()));
  after(() => lab?.close());

  // [m] of the cloth's lower edge, where the rope does not count
  const edge = ({ points }) => points.slice(0, 3 * 21).reduce((sum, y, k) => sum + (k % 3 === 1 ? y / 21 : 0), 0);

  for (const scene of scenes) {
    it(`shows ${scene} after 100 steps`, () =>
      onPage(async (page) => {
        await load(page, scene);
        await step(page, 100);
        const { step: taken, time, lanes } = await now(page);
        assert.equal(taken, 100);
        assert.ok(time > 0);
        for (const lane of lanes) {
          assert.equal(lane.failure, null);
          assert.ok(lane.points.length > 0 && lane.points.every(Number.isFinite));
          assert.ok(lane.residual >= 0, `${lane.label}: ${lane.residual}`);
        }
        // The background, labels and a line have few.
        const colors = await colorsIn(page);
        assert.ok(colors > 20, `the picture has ${colors} colours`);
      }));
  }

  const sag = async (page, values, methods, iterations, steps) => {
    const before = await loadsOf(page);
    await page.evaluate(
      ([v, m, i]) => window.lab.take({ ...window.lab.state(), values: { ...window.lab.state().values, ...v }, methods: m, budget: { kind: 'iterations', value: i }, events: [] }),
      [values, methods, iterations],
    );
    await anew(page, before);
    await page.evaluate(() => window.lab.pause());
    await page.evaluate(() => window.lab.reset());
    await step(page, steps);
    return (await now(page)).lanes.map(edge);
  };

  it('hangs higher under XPBD the larger k is', () =>
    onPage(async (page) => {
      const [soft] = await sag(page, { k: 20 }, [plain('xpbd')], 20, 200);
      const [stiff] = await sag(page, { k: 200 }, [plain('xpbd')], 20, 200);
      assert.ok(stiff > soft + 0.1, `${soft} to ${stiff} m`);
    }));
  it('becomes stiffer with iterations under PBD, and not under XPBD', () =>
    onPage(async (page) => {
      const methods = [plain('pbd'), plain('xpbd')];
      const values = { k: 20, dt: 0.01 };
      const few = await sag(page, values, methods, 3, 400);
      const many = await sag(page, values, methods, 60, 400);
      assert.ok(many[0] - few[0] > 0.02, `PBD: ${few[0]} to ${many[0]} m`);
      assert.ok(many[1] - few[1] < 0.25 * (many[0] - few[0]), `XPBD: ${few[1]} to ${many[1]} m`);
    }));
  it('arrives under multilevel descent where sweeps crawl', () =>
    onPage(async (page) => {
      await load(page, 'beam');
      await step(page, 20);
      const [vbd, , multilevel] = (await now(page)).lanes;
      assert.ok(multilevel.relative < 0.1 * vbd.relative, `${multilevel.relative} against ${vbd.relative}`);
    }));

  it('lets a hand pull and throw a body', () =>
    onPage(async (page) => {
      await load(page, 'ring');
      await step(page, 1);
      const box = await page.locator('.picture canvas').boundingBox();
      const middle = await page.evaluate(() => {
        const { points } = window.lab.now().lanes[0];
        const mean = [0, 0, 0];
        points.forEach((x, k) => (mean[k % 3] += (3 * x) / points.length));
        return { mean, at: window.lab.project(0, mean) };
      });
      assert.ok(middle.at.x > box.x && middle.at.x < box.x + box.width);
      await page.mouse.move(middle.at.x, middle.at.y);
      await page.mouse.down();
      for (let k = 1; k <= 6; ++k) {
        const before = await page.evaluate(() => window.lab.state().events.length);
        await page.mouse.move(middle.at.x + 40 * k, middle.at.y - 20 * k);
        await page.waitForFunction((n) => window.lab.state().events.length > n, before);
        await step(page, 4); // a hand in motion
      }
      const held = meanX((await now(page)).lanes[0]);
      assert.ok(held > middle.mean[0] + 0.05, `pulled from ${middle.mean[0]} to ${held} m`);
      await page.mouse.up();
      await page.waitForFunction(() => window.lab.state().events.at(-1)?.kind === 'drop');
      await step(page, 8);
      const thrown = meanX((await now(page)).lanes[0]);
      assert.ok(thrown > held + 0.02, `flew on from ${held} to ${thrown} m`);
      const kinds = await page.evaluate(() => window.lab.state().events.map(({ kind }) => kind));
      assert.ok(kinds.includes('grab') && kinds.includes('drag') && kinds.at(-1) === 'drop', kinds.join());

      // The same again, from the link.
      const link = await page.evaluate(() => window.lab.link());
      const { step: taken, lanes } = await now(page);
      await onPage(
        async (other) => {
          await other.evaluate(() => window.lab.replay(false));
          await step(other, taken);
          const again = await now(other);
          assert.equal(again.step, taken);
          assert.deepEqual(again.lanes[0].points, lanes[0].points);
        },
        { hash: new URL(link).hash },
      );
    }));

  it('takes equal milliseconds', () =>
    onPage(async (page) => {
      await load(page, 'beam');
      const before = await loadsOf(page);
      await page.evaluate(() => window.lab.take({ ...window.lab.state(), budget: { kind: 'milliseconds', value: 4 } }));
      await anew(page, before);
      await step(page, 20);
      const { lanes } = await now(page);
      for (const { label, iterations, failure } of lanes) {
        assert.equal(failure, null);
        assert.ok(iterations >= 1 && iterations < 10_000, `${label}: ${iterations} iterations`);
      }
    }));

  it('colours by strain and stress, and draws edges and contacts', () =>
    onPage(async (page) => {
      await load(page, 'pile');
      await step(page, 120); // until they lie on the floor and on one another
      const legend = page.locator('.legend');
      for (const quantity of ['strain', 'von_mises']) {
        // From those of bodies, which are other colours altogether.
        await page.getByLabel('colours').selectOption('object');
        await page.waitForTimeout(2000);
        const changed = await changeBy(page, () => page.getByLabel('colours').selectOption(quantity), 0.005);
        assert.ok(changed > 0.005, `${quantity}: ${changed} of the picture`);
        assert.match(await legend.textContent(), quantity === 'strain' ? /strain/i : /stress.*Pa/i);
      }
      for (const toggle of ['wireframe', 'contacts']) {
        const changed = await changeBy(page, () => page.getByLabel(toggle).check(), 0.0005);
        assert.ok(changed > 0.0005, `${toggle}: ${changed} of the picture`);
      }
    }));

  it('brings bodies back into view', () =>
    onPage(async (page) => {
      await load(page, 'ring');
      const away = { position: [50, 1, 2], target: [50, 1, 0] };
      await page.evaluate((camera) => window.lab.take({ ...window.lab.state(), view: { ...window.lab.state().view, camera } }), away);
      await page.evaluate(() => window.lab.pause());
      await step(page, 1);
      const box = await page.locator('.picture canvas').boundingBox();
      const isSeen = () =>
        page.evaluate(({ x, width }) => {
          const { points } = window.lab.now().lanes[0];
          const at = window.lab.project(0, points.slice(0, 3));
          return at.x > x && at.x < x + width;
        }, box);
      assert.equal(await isSeen(), false);
      await page.locator('body').press('f');
      assert.equal(await isSeen(), true);
      await page.evaluate((camera) => window.lab.take({ ...window.lab.state(), view: { ...window.lab.state().view, camera } }), away);
      assert.equal(await isSeen(), false);
      await page.evaluate(() => window.lab.reset());
      assert.equal(await isSeen(), true);
    }));

  it('fills in the equations of a constraint with a pinned end', () =>
    onPage(async (page) => {
      await load(page, 'xpbd');
      const panel = page.getByRole('region', { name: 'The algorithm' });
      const value = async (name) => panel.locator(`[data-val=${name}]`).first().textContent();
      const number = async (name) => Number(await value(name));
      // Of springs that are all but slack, those at the pins are stretched most: all others fall alike.
      await page.evaluate(() => window.lab.set('k', 1));
      await step(page, 3);
      const weights = await number('weights');
      assert.ok([100, 200].some((w) => Math.abs(weights - w) < 1), `${weights} 1/kg`); // of a point of the rope, or the cloth
      const expected = -(await number('stretch')) / (weights + 1e4);
      assert.ok(Math.abs((await number('lambda')) - expected) < 0.01 * Math.abs(expected));

      await page.evaluate((methods) => window.lab.take({ ...window.lab.state(), methods }), [plain('pbd')]);
      await page.evaluate(() => window.lab.pause());
      await step(page, 1);
      assert.match(await panel.textContent(), /those of pbd/);
      assert.match(await value('alpha'), /PBD has none/);
    }));

  it('can be used by keyboard alone', () =>
    onPage(async (page) => {
      await page.locator('body').press('Space');
      assert.equal(await page.evaluate(() => window.lab.playing), true);
      await page.locator('body').press('Space');
      assert.equal(await page.evaluate(() => window.lab.playing), false);
      // Also where a button has the focus, which Enter presses.
      await page.getByRole('button', { name: 'Step' }).focus();
      await page.keyboard.press('Space');
      assert.equal(await page.evaluate(() => window.lab.playing), true);
      await page.keyboard.press('Space');
      assert.equal(await page.evaluate(() => window.lab.playing), false);
      await step(page, 0); // the Worker has paused
      const before = (await now(page)).step;
      await page.locator('body').press('ArrowRight');
      await page.waitForFunction((s) => window.lab.now().step === s + 1, before);
      await page.locator('.picture canvas').focus();
      await page.keyboard.press('g');
      for (let k = 0; k < 10; ++k) await page.keyboard.press('ArrowDown');
      await step(page, 20);
      await page.keyboard.press('g');
      await page.waitForFunction(() => window.lab.state().events.some(({ kind }) => kind === 'drop'));
      const slider = page.getByRole('slider', { name: 'stiffness k' });
      await slider.focus();
      await page.keyboard.press('PageUp');
      await page.waitForFunction(() => window.lab.state().events.at(-1)?.kind === 'rebuild');
      assert.ok((await page.evaluate(() => window.lab.state().values.k)) > 60);
    }));

  it('shows equations whole', () =>
    onPage(async (page) => {
      await load(page, 'xpbd');
      await step(page, 1);
      const cut = await page.evaluate(() =>
        [...document.querySelectorAll('.equation, .now')].filter((e) => e.scrollWidth > e.clientWidth).map((e) => e.textContent),
      );
      assert.deepEqual(cut, []);
    }));
  it('offers all solvers of contact for bodies that touch', () =>
    onPage(async (page) => {
      for (const scene of ['ring', 'pile']) {
        await load(page, scene);
        const refused = await page.getByLabel('Solver 1', { exact: true }).locator('option:disabled').evaluateAll((options) => options.map((o) => o.value));
        assert.deepEqual(refused.sort(), ['xpbd_primary', 'xpbd_qs']);
      }
    }));
  it('says which solvers cannot treat a material', () =>
    onPage(async (page) => {
      await load(page, 'block');
      const option = (name) => page.getByLabel('Solver 1', { exact: true }).locator(`option[value=${name}]`);
      assert.match(await option('pbd').textContent(), /not for neo hookean/);
      assert.ok(await option('pbd').isDisabled());
      assert.ok(await option('xpbd_primary').isDisabled());
      assert.ok(await option('xpbd').isEnabled());
    }));

  it('fits a phone', () =>
    onPage(
      async (page) => {
        for (const scene of ['xpbd', 'beam']) {
          await load(page, scene);
          await step(page, 10);
          const wide = await page.evaluate(() => document.documentElement.scrollWidth);
          assert.ok(wide <= phone.width, `${wide} px`);
          assert.ok(await page.getByRole('button', { name: 'Play', exact: true }).isVisible());
        }
      },
      { options: { viewport: phone, isMobile: true, hasTouch: true } },
    ));

  for (const viewport of [{ width: 844, height: 390 }, { width: 1280, height: 300 }]) {
    it(`has a picture of ${viewport.width} x ${viewport.height}`, () =>
      onPage(
        async (page) => {
          const { width, height } = await page.locator('.picture canvas').boundingBox();
          assert.ok(width >= 400 && height >= 200, `${width} x ${height}`);
          assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
        },
        { options: { viewport } },
      ));
  }
  it('leaves room beside a picture that stays, with a message too', () =>
    onPage(
      async (page) => {
        await load(page, 'bar');
        await step(page, 3);
        const heights = () => page.evaluate(() => ['.stage', '.picture'].map((part) => document.querySelector(part).clientHeight));
        const [stage, picture] = await heights();
        assert.ok(stage < 0.62 * phone.height, `${stage} px`);
        await drop(page, [['holiday.jpeg', 'x']]);
        assert.ok(await page.getByRole('alert').isVisible());
        assert.deepEqual(await heights(), [stage, picture]);
      },
      { options: { viewport: phone, isMobile: true, hasTouch: true } },
    ));

  it('says in words what is seen', () =>
    onPage(async (page) => {
      await load(page, 'beam');
      await step(page, 10);
      await page.waitForTimeout(200);
      assert.match(await page.locator('[aria-live=polite]').textContent(), /multilevel: residual .* N, .* of the first guess’s, after 10 iterations/);
    }));
});
