// The lab given what it may not expect: links, files, bad values, steps without an end, a lost graphics card.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { deflateRawSync } from 'node:zlib';

import { anew, brightness, colorsIn, drop, load, loadsOf, lowest, now, openLab, plain, step } from './lab_page.mjs';
import { web } from './reference.mjs';

describe('the lab, given', () => {
  let lab;
  const onPage = (use, more) => lab.onPage(use, more);
  before(async () => (lab = await openLab()));
  after(() => lab?.close());

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
      assert.match(await page.getByRole('alert').textContent(), /1 tet of ten nodes.*corners/);
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
