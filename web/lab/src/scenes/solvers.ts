// Scenes in which solvers part ways.
import type { Scene } from '@sinew/engine';

import { method } from '../state.ts';
import { numberOf, type GalleryScene } from './scene.ts';

export const pendulum: GalleryScene = {
  id: 'pendulum',
  title: 'Four first guesses',
  text:
    'A pendulum swings under Vertex Block Descent with a few sweeps a step, from four first guesses of each step: the ' +
    'old positions, inertia, inertia with gravity, and the adaptive guess of the paper. The solution is the same; ' +
    'what few sweeps leave of it is not.',
  hints: [
    'With 1 iteration the guess decides all: from the old positions (previous) the pendulum hardly falls.',
    'With 100 iterations the four swing alike.',
    'Lower the stiffness: the differences shrink.',
  ],
  parameters: [
    {
      name: 'k',
      label: 'stiffness of a link',
      help: 'of the springs between its points',
      unit: 'N/m',
      kind: 'number',
      low: 1e2,
      high: 1e7,
      log: true,
      value: 1e4,
    },
  ],
  methods: ['previous', 'inertia', 'target', 'adaptive'].map((initial_guess) => method('vbd', { initial_guess })),
  budget: { kind: 'iterations', value: 3 },
  build: (values) => ({
    sinew: 1,
    name: 'pendulum',
    gravity: [0, -9.8, 0],
    time: { fps: 60, substeps: 1, duration: 1e6 },
    objects: {
      pendulum: {
        mesh: { chain: { links: 6, spacing: 0.2, point_mass: 0.2, end_mass: 2, stiffness: numberOf(values, 'k') } },
      },
    },
    pins: [{ object: 'pendulum', select: { indices: [0] } }],
  }),
  camera: { position: [0, -0.5, 3.4], target: [0, -0.5, 0] },
};

export const bar: GalleryScene = {
  id: 'bar',
  title: 'A hanging bar in equilibrium',
  text:
    'In quasistatics there is no inertia: each frame asks for the equilibrium of a bar under its weight. PBNG and ' +
    'multilevel descent approach it. PBD ends where its constraints leave it, XPBD-QS where the order of its updates ' +
    'leads: more iterations do not bring them there.',
  hints: [
    'Let it run: the residual of PBNG falls from frame to frame, those of PBD and XPBD-QS stay.',
    'Make the bar stiffer: multilevel descent alone still arrives at once.',
  ],
  parameters: [
    {
      name: 'E',
      label: 'Young’s modulus',
      help: 'of the bar',
      unit: 'Pa',
      kind: 'number',
      low: 1e4,
      high: 1e7,
      log: true,
      value: 2e4,
      live: (E) => [['materials.rubber.youngs_modulus', String(E)]],
    },
  ],
  methods: [method('pbng'), method('xpbd_qs'), method('pbd'), method('multilevel')],
  budget: { kind: 'iterations', value: 20 },
  build: (values) => ({
    sinew: 1,
    name: 'a hanging bar',
    time: { integrator: 'quasistatic', fps: 30, duration: 1e6 },
    materials: {
      rubber: { model: 'fixed_corotated', youngs_modulus: numberOf(values, 'E'), poisson_ratio: 0.3, density: 1000 },
    },
    objects: {
      bar: { mesh: { box: { size: [0.25, 1, 0.25], cells: [5, 20, 5], origin: [-0.125, -1, -0.125] } }, material: 'rubber' },
    },
    pins: [{ object: 'bar', select: { box: { min: [-1, 0, -1], max: [1, 0, 1] } } }],
  }) as Scene,
  camera: { position: [0.4, -0.6, 2.3], target: [0, -0.72, 0] },
};

export const beam: GalleryScene = {
  id: 'beam',
  title: 'A stiff beam',
  text:
    'A beam, held at one end, falls under its weight. Sweeps tell each vertex of its neighbours only: on a stiff beam, ' +
    'news from the wall takes hundreds of sweeps to reach its end, and the beam hangs as if it were soft. Multilevel ' +
    'descent corrects the whole beam at once and arrives.',
  hints: [
    'Raise the modulus step by step: the curve of sweeps becomes flat, that of multilevel descent does not.',
    'Give all of them equal milliseconds instead of equal iterations.',
    'Give VBD 400 iterations: after two seconds its end still hangs lower.',
  ],
  parameters: [
    {
      name: 'E',
      label: 'Young’s modulus',
      help: 'of the beam',
      unit: 'Pa',
      kind: 'number',
      low: 1e5,
      high: 1e9,
      log: true,
      value: 1e7,
      live: (E) => [['materials.rubber.youngs_modulus', String(E)]],
    },
    {
      name: 'cells',
      label: 'cells across',
      help: 'of the beam, which is eight times as long',
      unit: '',
      kind: 'whole',
      low: 2,
      high: 12,
      value: 5,
    },
  ],
  methods: [method('vbd'), method('xpbd'), method('multilevel')],
  budget: { kind: 'iterations', value: 10 },
  build: (values) => {
    const cells = numberOf(values, 'cells');
    return {
      sinew: 1,
      name: 'a stiff beam',
      time: { fps: 30, substeps: 4, duration: 1e6 },
      materials: {
        rubber: { model: 'fixed_corotated', youngs_modulus: numberOf(values, 'E'), poisson_ratio: 0.4, density: 1000 },
      },
      objects: {
        beam: { mesh: { box: { size: [2, 0.25, 0.25], cells: [8 * cells, cells, cells], origin: [-1, 0, -0.125] } }, material: 'rubber' },
      },
      pins: [{ object: 'beam', select: { box: { min: [-1, 0, -1], max: [-1, 1, 1] } } }],
    } as Scene;
  },
  camera: { position: [0.5, 0.3, 3.0], target: [-0.05, -0.45, 0] },
};
