import type { Scene } from '@sinew/engine';

import { method } from '../state.ts';
import { numberOf, type GalleryScene, type Parameter } from './scene.ts';

const stiffness: Parameter = {
  name: 'E',
  label: 'Young’s modulus',
  help: 'of the bodies',
  unit: 'Pa',
  kind: 'number',
  low: 3e3,
  high: 3e6,
  log: true,
  value: 3e4,
  live: (E) => [['materials.rubber.youngs_modulus', String(E)]],
};
const friction: Parameter = {
  name: 'friction',
  label: 'friction μ',
  help: 'Coulomb’s coefficient, of everything that touches',
  unit: '',
  kind: 'number',
  low: 0,
  high: 1,
  value: 0.4,
  live: (mu) => [['contact.friction', String(mu)]],
};

type Objects = Scene['objects'];
// Of a kind that all solvers of contact know: with constraints that vanish at rest, and without damping.
const rubber = (E: number): Scene['materials'] => ({
  rubber: { model: 'fixed_corotated', youngs_modulus: E, poisson_ratio: 0.4, density: 1000 },
});

export const pile: GalleryScene = {
  id: 'pile',
  title: 'A pile to play with',
  text: 'Soft balls, a ring, a star-like urchin and an octopus fall on a floor. Grab any of them, pull, and throw it.',
  hints: [
    'Throw the octopus: it flies on with the speed that your hand had.',
    'Without friction the pile spreads.',
    'Switch on the contacts: lines show where bodies touch, and how hard.',
  ],
  parameters: [stiffness, friction],
  methods: [method('vbd')],
  budget: { kind: 'iterations', value: 20 },
  build: (values) => {
    const shape = (of: Record<string, unknown>, cells: number) => ({ shape: { of, cells } });
    const objects: Record<string, unknown> = {
      octopus: {
        mesh: shape({ octopus: { size: 0.45, arms: 6, arm_radius: 0.13, curl: 0.45, eyes: false } }, 24),
        material: 'rubber',
        transform: { translate: [0, 0.55, 0] },
        color: [0.85, 0.36, 0.3],
      },
      ring: {
        mesh: shape({ torus: { radius: 0.2, tube_radius: 0.07 } }, 14),
        material: 'rubber',
        transform: { rotation_axis: [1, 0, 0], rotation_degrees: 70, translate: [0.35, 1.1, 0.1] },
        color: [0.2, 0.55, 0.75],
      },
      urchin: {
        mesh: shape({ ball_with_tentacles: { radius: 0.12, tentacles: 24, tentacle_length: 0.09, tentacle_radius: 0.027 } }, 20),
        material: 'rubber',
        transform: { translate: [-0.3, 1.25, 0.05] },
        color: [0.55, 0.4, 0.75],
      },
      balls: {
        mesh: { ball: { radius: 0.13, shells: 4 } },
        material: 'rubber',
        transform: { translate: [-0.35, 1.8, -0.15] },
        copies: { count: [3, 1, 1], spacing: [0.34, 0.3, 0.3] },
        color: [0.93, 0.7, 0.25],
      },
    };
    return {
      sinew: 1,
      name: 'a pile to play with',
      time: { fps: 60, substeps: 2, duration: 1e6 },
      materials: rubber(numberOf(values, 'E')),
      objects: objects as Objects,
      contact: { friction: numberOf(values, 'friction') },
      colliders: {
        floor: { shape: { half_space: {} } },
        room: { shape: { inward_box: { min: [-1.4, -1, -1.4], max: [1.4, 6, 1.4] } } },
      },
    } as Scene;
  },
  camera: { position: [1.2, 1.3, 2.5], target: [0, 0.45, 0] },
};

export const ring: GalleryScene = {
  id: 'ring',
  title: 'A ball through a ring',
  text:
    'A soft ball falls onto a rigid ring that is narrower than it. Press it through with the pointer, or make it softer ' +
    'until its own weight does.',
  hints: [
    'Lower the modulus, or the friction, until the ball slips through.',
    'Pull it back up through the ring from below.',
    'Colour by stress: it is largest where the ring pinches.',
  ],
  parameters: [
    { ...stiffness, value: 2e5 },
    { ...friction, value: 0.1 },
    {
      name: 'hole',
      label: 'radius of the hole',
      help: 'the ball has a radius of 0.3 m',
      unit: 'm',
      kind: 'number',
      low: 0.15,
      high: 0.35,
      value: 0.22,
    },
  ],
  methods: [method('multilevel')],
  budget: { kind: 'iterations', value: 10 },
  build: (values) => {
    const tube = 0.06;
    return {
      sinew: 1,
      name: 'a ball through a ring',
      time: { fps: 60, substeps: 2, duration: 1e6 },
      materials: rubber(numberOf(values, 'E')),
      objects: {
        ball: { mesh: { ball: { radius: 0.3, shells: 7 } }, material: 'rubber', transform: { translate: [0, 1.15, 0] }, color: [0.9, 0.45, 0.3] },
      },
      contact: { friction: numberOf(values, 'friction') },
      colliders: {
        floor: { shape: { half_space: {} } },
        ring: {
          shape: { solid: { of: { torus: { radius: numberOf(values, 'hole') + tube, tube_radius: tube } }, cells: 40 } },
          transform: { translate: [0, 0.75, 0] },
          color: [0.45, 0.5, 0.55],
        },
      },
    } as Scene;
  },
  camera: { position: [1.1, 1.25, 2.0], target: [0, 0.58, 0] },
};
