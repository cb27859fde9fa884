// What lives on: ten thousand steps, a hundred scenes, snapshots that nobody has any more.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';

import { loadEngine } from '../engine/dist/index.js';
import { balls, bar, cloth } from './scenes.mjs';

let engine;
before(async () => (engine = await loadEngine({ threads: 1 })));
after(() => engine.dispose());

const small = (more) => bar({ cells: [4, 2, 2], ...more });

describe('memory', () => {
  it('does not grow in ten thousand steps that draw', () => {
    const simulation = engine.create(small({ solver: { type: 'vbd', iterations: 2 } }));
    const grab = simulation.addGrab(10);
    simulation.keepChanges(false);
    simulation.observe('iterations');
    const run = (steps) => {
      for (let k = 0; k < steps; ++k) {
        simulation.moveGrab(grab, [1, Math.sin(k), 0]);
        simulation.step();
        simulation.surface();
        simulation.surfaceQuantity('von_mises');
        simulation.castRay([0.5, 2, 0.1], [0, -1, 0]);
      }
    };
    run(1000);
    const [used, all] = [engine.usedBytes, engine.memoryBytes];
    run(9000);
    assert.ok(engine.usedBytes <= used + 4096, `${used} to ${engine.usedBytes}`);
    assert.equal(engine.memoryBytes, all);
    simulation.dispose();
  });
  it('does not grow with a hundred scenes', () => {
    const scenes = [small(), cloth(12), balls({ shells: 2 }), small({ solver: { type: 'multilevel' } })];
    const change = (k) => {
      const simulation = engine.create(scenes[k % scenes.length]);
      simulation.step();
      simulation.surface();
      simulation.save();
      simulation.dispose();
      assert.throws(() => engine.create({ sinew: 1 }));
    };
    for (let k = 0; k < 8; ++k) change(k);
    const [used, all] = [engine.usedBytes, engine.memoryBytes];
    for (let k = 0; k < 100; ++k) change(k);
    assert.ok(engine.usedBytes <= used + 4096, `${used} to ${engine.usedBytes}`);
    assert.equal(engine.memoryBytes, all);
  });
  it('of snapshots that nobody has is freed', { skip: !globalThis.gc }, async () => {
    const simulation = engine.create(bar());
    simulation.keepChanges(false);
    const used = engine.usedBytes;
    for (let k = 0; k < 50; ++k) simulation.save();
    assert.ok(engine.usedBytes > used + 50 * 10_000);
    for (let k = 0; k < 20 && engine.usedBytes > used + 100_000; ++k) {
      globalThis.gc();
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    assert.ok(engine.usedBytes <= used + 100_000, `${used} to ${engine.usedBytes}`);
    simulation.dispose();
  });
  it('of simulations that nobody has is freed', { skip: !globalThis.gc }, async () => {
    const used = engine.usedBytes;
    for (let k = 0; k < 20; ++k) engine.create(bar());
    assert.ok(engine.usedBytes > used + 20 * 100_000);
    for (let k = 0; k < 20 && engine.usedBytes > used + 100_000; ++k) {
      globalThis.gc();
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    assert.ok(engine.usedBytes <= used + 100_000, `${used} to ${engine.usedBytes}`);
  });
  it('that does not suffice is an error, after which all goes on', () => {
    const one = engine.create(small());
    const hash = one.step() && one.hash();
    const scene = bar({ cells: [10, 4, 4] });
    scene.objects.bar.mesh = { shape: { ball: { radius: 1 } }, cells: 100000 };
    assert.throws(() => engine.create(scene), { name: 'SinewError' });
    const other = engine.create(small());
    other.step();
    assert.equal(other.hash(), hash);
  });
});
