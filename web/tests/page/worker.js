import { loadEngine } from '/engine/dist/index.js';

let engine;
const asked = {
  async load(options) {
    engine = await loadEngine(options);
    return { threads: engine.threads, lanes: engine.lanes, isolated: self.crossOriginIsolated };
  },
  hash({ scene, steps }) {
    const simulation = engine.create(scene);
    for (let k = 0; k < steps; ++k) simulation.step();
    const hash = simulation.hash();
    simulation.dispose();
    return hash;
  },
  // Iterations and milliseconds of a first step to a residual of `share` of the first guess; the least of some rounds.
  until({ scene, share }) {
    let best = { milliseconds: Infinity };
    for (let round = 0; round < 5; ++round) {
      const simulation = engine.create(scene);
      simulation.observe('iterations');
      const { curve } = simulation.step();
      const { elementCount } = simulation;
      simulation.dispose();
      const there = curve.find(({ residual }) => residual <= share * curve[0].residual);
      if (there && there.milliseconds < best.milliseconds) best = { ...there, elements: elementCount };
    }
    return best;
  },
  // The mean time of a step [ms] after as many steps to warm up, by what the engine's clock says.
  time({ scene, steps }) {
    const simulation = engine.create(scene);
    for (let k = 0; k < steps; ++k) simulation.step();
    const begin = performance.now();
    for (let k = 0; k < steps; ++k) simulation.step();
    const time = (performance.now() - begin) / steps;
    const { elementCount } = simulation;
    const springs = simulation.surface().edges.length / 2;
    simulation.dispose();
    return { time, parts: elementCount || springs };
  },
};

self.onmessage = async ({ data: { number, what, argument } }) => {
  try {
    self.postMessage({ number, value: await asked[what](argument) });
  } catch (error) {
    self.postMessage({ number, error: String(error) });
  }
};
