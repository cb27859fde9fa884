// States after some steps are those of the program with 4 lanes, bit for bit, on one thread and on several.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';

import { loadEngine } from '../engine/dist/index.js';
import { ask } from './reference.mjs';
import { comparedBits } from './scenes.mjs';

describe('bits', () => {
  const expected = {};
  const engines = {};
  before(async () => {
    const names = Object.keys(comparedBits);
    const hashes = await ask('hash', Object.values(comparedBits));
    names.forEach((name, k) => (expected[name] = hashes[k]));
    engines.plain = await loadEngine({ threads: 1 });
    engines.threaded = await loadEngine({ threads: 3 });
  });
  after(() => Object.values(engines).forEach((engine) => engine.dispose()));

  for (const [name, [scene, steps]] of Object.entries(comparedBits)) {
    for (const kind of ['plain', 'threaded']) {
      it(`${name}, ${kind}`, () => {
        const simulation = engines[kind].create(scene);
        assert.equal(simulation.threads, kind === 'plain' ? 1 : 3);
        for (let k = 0; k < steps; ++k) simulation.step();
        assert.equal(simulation.hash(), expected[name]);
        simulation.dispose();
      });
    }
  }
});
