// The demo of the page on XPBD by Bender et al.: a cloth and a rope of distance constraints.
import { method } from '../state.ts';
import { numberOf, type GalleryScene } from './scene.ts';

/** [N/m] For k = 0: a compliance that is 0 to all digits, as the document has it. */
const rigid = 1e12;
const stiffnessOf = (k: number): number => (k === 0 ? rigid : k);

const columns = 21;
const rows = 15;

export const xpbd: GalleryScene = {
  id: 'xpbd',
  title: 'Distance constraints',
  text:
    'A cloth and a rope of points that distance constraints hold together, as in the live page on XPBD by Bender and ' +
    'others. Under XPBD each constraint is a spring of stiffness k, whatever the time step and the iterations. PBD ' +
    'knows no stiffness: how far it stretches depends on how often its constraints are visited.',
  hints: [
    'Raise k: the cloth hangs higher. k = 0 stands for constraints without compliance.',
    'Put 1, then 50 iterations: PBD becomes stiffer and stiffer, XPBD comes to rest at the stretch of its springs.',
    'Halve the time step: PBD hangs higher, XPBD does not.',
    'Pull the cloth at any point and let go.',
  ],
  parameters: [
    {
      name: 'k',
      label: 'stiffness k',
      help: 'of each constraint',
      unit: 'N/m',
      kind: 'number',
      low: 1,
      high: 1e5,
      log: true,
      zero: 'without compliance, rigid',
      value: 60,
      rebuild: (k) =>
        ['cloth.mesh.grid.stiffness', 'cloth.mesh.grid.shear_stiffness', 'rope.mesh.chain.stiffness'].map(
          (path) => [`objects.${path}`, String(stiffnessOf(k))] as const,
        ),
    },
    {
      name: 'dt',
      label: 'time step Δt',
      help: 'of each step; a frame is one step',
      unit: 's',
      kind: 'number',
      low: 0.001,
      high: 0.05,
      log: true,
      value: 0.01,
      live: (dt) => [['time.frame_dt', String(dt)]],
    },
  ],
  methods: [method('xpbd'), method('pbd')],
  budget: { kind: 'iterations', value: 5 },
  build: (values) => ({
    sinew: 1,
    name: 'distance constraints',
    time: { frame_dt: numberOf(values, 'dt'), substeps: 1, duration: 1e6 },
    objects: {
      cloth: {
        mesh: {
          grid: {
            columns,
            rows,
            spacing: 0.1,
            origin: [-1.2, 0, 0],
            mass: (columns * rows) / 200,
            stiffness: stiffnessOf(numberOf(values, 'k')),
            shear_stiffness: stiffnessOf(numberOf(values, 'k')),
          },
        },
      },
      rope: {
        mesh: {
          chain: {
            links: 20,
            spacing: 0.08,
            origin: [1.7, 1.4, 0],
            direction: [0.5, -0.87, 0],
            point_mass: 0.01,
            stiffness: stiffnessOf(numberOf(values, 'k')),
          },
        },
      },
    },
    pins: [
      { object: 'cloth', select: { indices: [columns * (rows - 1), columns * rows - 1] } },
      { object: 'rope', select: { indices: [0] } },
    ],
  }),
  camera: { position: [0.7, 0.35, 6], target: [0.7, 0.15, 0] },
  sheet: () => ({ object: 'cloth', columns, rows }),
  equations: true,
};
