// The page, played with as a user would: what is seen, controls that change the physics as they should, hands, links,
// files, keys. It runs in Chromium without a graphics card, on a machine that may be busy: times decide nothing.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { deflateRawSync } from 'node:zlib';

import { anew, brightness, changeBy, colorsIn, load, loadsOf, meanX, now, openLab, phone, step } from './lab_page.mjs';
import { web } from './reference.mjs';

const scenes = ['xpbd', 'block', 'pile', 'ring', 'pendulum', 'bar', 'beam'];

describe('the lab', () => {
  let lab;
  const onPage = (use, more) => lab.onPage(use, more);
  before(async () => (lab = await openLab()));
  after(() => lab?.close());

  // [m] of the cloth's lower edge, where the rope does not count
  const edge = ({ points }) => points.slice(0, 3 * 21).reduce((sum, y, k) => sum + (k % 3 === 1 ? y / 21 : 0), 0);
  const lowest = ({ points }) => points.reduce((least, y, k) => (k % 3 === 1 ? Math.min(least, y) : least), Infinity);

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
  const plain = (type) => ({ type, accelerator: 'none', options: {}, acceleratorOptions: {} });

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

  it('comes back from its link', () =>
    onPage(async (page) => {
      await load(page, 'block');
      await page.evaluate(() => window.lab.set('E', 3e6));
      const before = await page.evaluate(() => window.lab.state());
      const link = await page.evaluate(() => window.lab.link());
      await onPage(
        async (other) => {
          await step(other, 1); // what was changed before the first step is changed again
          const after = await other.evaluate(() => window.lab.state());
          assert.deepEqual({ ...after, events: [] }, { ...before, events: [], view: after.view });
          assert.equal(await other.locator('nav [aria-current]').textContent(), 'Stretch and twist');
        },
        { hash: new URL(link).hash },
      );
    }));
  for (const [what, hash] of [
    ['damaged', '#1.abcdefgh'],
    ['foreign', '#somewhere'],
    ['of another kind', `#1.${'y'.repeat(50)}`],
  ]) {
    it(`says that a link is ${what}, and shows the first scene`, () =>
      onPage(
        async (page) => {
          assert.match(await page.getByRole('alert').textContent(), /link|address/i);
          await step(page, 3);
          assert.ok((await now(page)).step >= 3);
        },
        { hash },
      ));
  }

  const linkOf = (state) => `#1.${deflateRawSync(JSON.stringify(state)).toString('base64url')}`;
  for (const [what, change, says] of [
    ['a camera that is where it looks at', { view: { camera: { position: [1, 2, 3], target: [1, 2, 3] } } }, /camera/],
    ['a camera at the end of the world', { view: { camera: { position: [1e300, 0, 0], target: [0, 0, 0] } } }, /camera/],
    ['half a vertex', { events: [{ step: 0, kind: 'grab', id: 1, vertices: [1.5], offsets: [0, 0, 0], stiffness: 1, target: [0, 0, 0] }] }, /recording/],
  ]) {
    it(`refuses ${what} in a link`, () =>
      onPage(async (page) => {
        const state = await page.evaluate(() => window.lab.state());
        await onPage(
          async (other) => {
            assert.match(await other.getByRole('alert').textContent(), says);
            assert.ok((await colorsIn(other)) > 20);
          },
          { hash: linkOf({ ...state, ...change, view: { ...state.view, ...change.view } }) },
        );
      }));
  }

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

  const drop = (page, files) =>
    page.evaluate(async (list) => {
      await window.lab.open(list.map(([name, text]) => new File([text], name)));
    }, files);
  // A scene of the repository, with less to compute.
  const fewer = (text) => text.replaceAll('[33, 4, 4]', '[12, 2, 2]').replaceAll('0.036', '0.09').replaceAll('0.045', '0.12').replaceAll('"count": [1, 3, 1]', '"count": [1, 1, 1]');
  const tetrahedron = 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n';
  it('opens a surface and fills it with tetrahedra', () =>
    onPage(async (page) => {
      await drop(page, [['corner.obj', tetrahedron]]);
      await page.evaluate(() => window.lab.pause());
      await step(page, 20);
      const [lane] = (await now(page)).lanes;
      assert.ok(lane.vertices > 500, `${lane.vertices} vertices`);
      assert.ok(lowest(lane) > -0.05, 'it lies on the floor');
      assert.match(await page.title(), /corner\.obj/);
    }));
  it('opens a scene', () =>
    onPage(async (page) => {
      const scene = { sinew: 1, materials: { m: {} }, objects: { b: { mesh: { ball: { shells: 3 } }, material: 'm' } }, gravity: [0, -1, 0] };
      await drop(page, [['ball.json', `// with a comment\n${JSON.stringify(scene)}`]]);
      await step(page, 5);
      assert.equal((await now(page)).lanes[0].failure, null);
      const about = await page.getByRole('region', { name: 'About' }).textContent();
      assert.match(about, /^ball\.json/);
      assert.doesNotMatch(about, /cannot hold/);
    }));
  it('opens a scene with its solver', () =>
    onPage(async (page) => {
      const solver = { type: 'vbd', iterations: 7, initial_guess: 'inertia', accelerator: { type: 'chebyshev', rho: 0.9 } };
      const scene = { sinew: 1, materials: { m: {} }, objects: { b: { mesh: { ball: { shells: 3 } }, material: 'm' } }, solver };
      await drop(page, [['ball.json', JSON.stringify(scene)]]);
      await step(page, 2);
      const { methods, budget } = await page.evaluate(() => window.lab.state());
      assert.deepEqual(budget, { kind: 'iterations', value: 7 });
      const [{ options, ...method }] = methods;
      assert.deepEqual(method, { type: 'vbd', accelerator: 'chebyshev', acceleratorOptions: { rho: 0.9 } });
      assert.equal(options.initial_guess, 'inertia');
      assert.equal((await now(page)).lanes[0].iterations, 7);
    }));
  it('says that a mesh of ten nodes an element is read by its corners', () =>
    onPage(async (page) => {
      const nodes = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [0.5, 0, 0], [0.5, 0.5, 0], [0, 0.5, 0], [0, 0, 0.5], [0, 0.5, 0.5], [0.5, 0, 0.5]];
      const lines = nodes.map((xyz, k) => `${k + 1} ${xyz.join(' ')}`).join('\n');
      const mesh = `$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n10\n${lines}\n$EndNodes\n$Elements\n1\n1 11 2 1 1 1 2 3 4 5 6 7 8 9 10\n$EndElements\n`;
      await drop(page, [['ten.msh', mesh]]);
      assert.match(await page.getByRole('alert').textContent(), /ten\.msh.*ten nodes.*corners/);
    }));
  it('says what is missing to who opens files', () =>
    onPage(async (page) => {
      const scene = { sinew: 1, materials: { m: {} }, objects: { b: { mesh: { file: 'part.node' }, material: 'm' } } };
      await drop(page, [['machine.json', JSON.stringify(scene)]]);
      const text = await page.getByRole('alert').textContent();
      assert.match(text, /part\.node.*open it together/);
      assert.doesNotMatch(text, /own:|bytes|--/);
    }));
  for (const name of ['four_bars.json', 'thirty_bodies.json', 'grid_muscles.json']) {
    it(`opens ${name}, whose bodies are in a grid`, () =>
      onPage(async (page) => {
        await drop(page, [[name, fewer(readFileSync(join(web, '../scenes', name), 'utf8'))]]);
        await page.evaluate(() => window.lab.pause());
        await step(page, 2);
        assert.ok(await page.getByRole('alert').isHidden(), await page.locator('[role=alert]').textContent());
        const [lane] = (await now(page)).lanes;
        assert.equal(lane.label, 'b_pxpbd');
        assert.equal(lane.failure, null);
        const vbd = page.locator('option', { hasText: 'vbd' }).first();
        assert.match(await vbd.textContent(), /no bodies in a grid/);
        assert.ok(await vbd.isDisabled());
      }));
  }
  it('opens a scene with a grid that names no solver', () =>
    onPage(async (page) => {
      const scene = { sinew: 1, materials: { m: {} }, grid: { spacing: 0.2 }, objects: { b: { mesh: { ball: { shells: 3 } }, material: 'm' } } };
      await drop(page, [['ball.json', JSON.stringify(scene)]]);
      await step(page, 2);
      assert.equal((await now(page)).lanes[0].label, 'xpbd');
    }));
  for (const [name, text, says] of [
    ['broken.obj', 'v 0 0\nf 1 2 3\n', /broken\.obj/],
    ['broken.json', '{ "sinew": 1, "objects": { "b": { "mesh": { "bal": {} } } } }', /bal/],
    ['holiday.jpeg', 'x', /holiday\.jpeg/],
  ]) {
    it(`says what is wrong with ${name}, and goes on`, () =>
      onPage(async (page) => {
        await drop(page, [[name, text]]);
        assert.match(await page.getByRole('alert').textContent(), says);
        const before = (await now(page)).step;
        await step(page, 3);
        assert.ok((await now(page)).step >= before + 3);
        await page.getByRole('button', { name: 'Close' }).click();
        assert.ok(await page.getByRole('alert').isHidden());
      }));
  }

  it('keeps the last good state where one would not be finite, and can be reset', () =>
    onPage(async (page) => {
      await load(page, 'beam');
      await step(page, 5);
      await page.evaluate(() => window.lab.act({ kind: 'set', path: 'gravity', value: '[0, -1e18, 0]', name: '' }));
      await step(page, 50);
      const { lanes } = await now(page);
      const ended = lanes.filter(({ failure }) => failure !== null);
      assert.ok(ended.length > 0, 'no lane has ended');
      for (const lane of lanes) assert.ok(lane.points.every(Number.isFinite));
      assert.match(await page.getByRole('alert').textContent(), /last good state/);
      await page.evaluate(() => window.lab.reset());
      await step(page, 5);
      for (const lane of (await now(page)).lanes) assert.equal(lane.failure, null);
    }));

  it('refuses what a scene does not allow, and goes on with the one before', () =>
    onPage(async (page) => {
      await load(page, 'pile');
      assert.equal(await page.locator('option:disabled', { hasText: 'xpbd_primary' }).count() > 0, true);
      await assert.rejects(page.evaluate(() => window.lab.take({ ...window.lab.state(), methods: [{ type: 'xpbd_primary', accelerator: 'none', options: {}, acceleratorOptions: {} }] }).catch((f) => { throw new Error(f.what ?? f); })));
      await step(page, 3);
      assert.equal((await now(page)).lanes[0].label, 'vbd');
    }));

  it('takes back what the engine refuses, and can be reset', () =>
    onPage(async (page) => {
      const loads = await loadsOf(page);
      await page.evaluate(() => window.lab.set('dt', 1e9));
      await page.getByRole('alert').waitFor();
      assert.ok((await page.evaluate(() => window.lab.state().values.dt)) < 1);
      await page.getByRole('button', { name: 'Reset' }).click();
      await anew(page, loads);
      assert.ok(await page.getByRole('alert').isHidden());
      await step(page, 2);
      assert.equal((await now(page)).step, 2);
    }));
  it('refuses steps without an end', () =>
    onPage(async (page) => {
      const entry = page.getByLabel('iterations a step').last();
      const before = await page.evaluate(() => window.lab.state().budget.value);
      await entry.fill('100000000');
      await entry.press('Enter');
      assert.equal(await page.evaluate(() => window.lab.state().budget.value), before);
      assert.equal(await entry.evaluate((e) => e.validity.customError), true);
    }));
  it('starts the engine anew where a step does not end', () =>
    onPage(async (page) => {
      await load(page, 'pendulum');
      await page.evaluate(() => {
        window.lab.act({ kind: 'set', path: 'solver.iterations', value: '1000000000', name: '' });
        void window.lab.step(1);
      });
      await page.evaluate(() => void window.lab.load('pendulum'));
      await page.getByRole('alert').filter({ hasText: 'has not answered' }).waitFor();
      const before = await loadsOf(page);
      await page.evaluate(() => void window.lab.load('pendulum'));
      await anew(page, before);
      await step(page, 3);
      assert.equal((await now(page)).lanes.length, 4);
    }));
  it('goes on where one solver ends', () =>
    onPage(async (page) => {
      await load(page, 'beam');
      const before = await loadsOf(page);
      const chebyshev = { type: 'vbd', accelerator: 'chebyshev', options: {}, acceleratorOptions: { rho: 0.9999 } };
      await page.evaluate((m) => window.lab.take({ ...window.lab.state(), methods: m }), [chebyshev, plain('multilevel')]);
      await anew(page, before);
      await page.evaluate(() => window.lab.pause());
      await page.evaluate(() => window.lab.reset());
      await step(page, 60);
      const { step: taken, lanes } = await now(page);
      assert.equal(taken, 60);
      assert.deepEqual(lanes.map(({ failure }) => failure !== null), [true, false]);
      await page.getByRole('button', { name: 'Close' }).click();
      await step(page, 2);
      assert.ok(await page.getByRole('alert').isHidden(), 'told twice');
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

  it('does not grow over changes of scene', () =>
    onPage(async (page) => {
      const visit = async (count) => {
        for (let k = 0; k < count; ++k) await page.evaluate((id) => window.lab.load(id), ['xpbd', 'pendulum', 'bar', 'xpbd'][k % 4]);
        await page.waitForTimeout(300);
        return page.evaluate(() => window.lab.memory);
      };
      const first = await visit(8);
      const last = await visit(92);
      assert.deepEqual(last, first);
    }));

  it('draws again when the graphics card comes back', () =>
    onPage(async (page) => {
      await load(page, 'bar');
      await step(page, 5);
      await page.evaluate(async () => {
        const gl = document.querySelector('canvas').getContext('webgl2');
        const lose = gl.getExtension('WEBGL_lose_context');
        lose.loseContext();
        await new Promise((done) => setTimeout(done, 200));
        window.alertText = document.querySelector('[role=alert]').textContent;
        lose.restoreContext();
        await new Promise((done) => setTimeout(done, 300));
      });
      assert.match(await page.evaluate(() => window.alertText), /graphics/);
      await step(page, 5);
      await page.waitForTimeout(500);
      for (let lane = 0; lane < 4; ++lane) {
        const colors = await colorsIn(page, lane);
        assert.ok(colors > 20, `lane ${lane} has ${colors} colours`);
      }
      // The bar hangs in the middle.
      assert.ok((await brightness(page, 0)) > 200, 'the background is black');
    }));

  it('says that the picture is lost as long as it is', () =>
    onPage(async (page) => {
      await load(page, 'pendulum');
      const texts = await page.evaluate(async () => {
        const lose = document.querySelector('canvas').getContext('webgl2').getExtension('WEBGL_lose_context');
        const alert = document.querySelector('[role=alert]');
        const wait = () => new Promise((done) => setTimeout(done, 300));
        lose.loseContext();
        await wait();
        await window.lab.reset();
        const lost = !alert.hidden;
        lose.restoreContext();
        await wait();
        return { lost, back: alert.hidden };
      });
      assert.deepEqual(texts, { lost: true, back: true });
    }));
});
