import { method } from '../state.ts';
import { numberOf, type GalleryScene } from './scene.ts';

export const block: GalleryScene = {
  id: 'block',
  title: 'Stretch and twist',
  text:
    'A rubber block is stretched to 1.8 times its length, squeezed and wrung by a quarter turn at each end. Colours ' +
    'show the largest strain.',
  hints: [
    'Compare: add XPBD or PBNG with the same iterations and watch the residual.',
    'Make the rubber a hundred times as stiff: multilevel descent takes no more iterations than before.',
    'Watch where elements turn inside out with one iteration a step.',
  ],
  parameters: [
    {
      name: 'cells',
      label: 'cells an edge',
      help: 'five tetrahedra each',
      unit: '',
      kind: 'whole',
      low: 4,
      high: 22,
      value: 12,
    },
    {
      name: 'E',
      label: 'Young’s modulus',
      help: 'stress per strain of the rubber',
      unit: 'Pa',
      kind: 'number',
      low: 1e4,
      high: 1e8,
      log: true,
      value: 1e5,
      live: (E) => [['materials.rubber.youngs_modulus', String(E)]],
    },
  ],
  methods: [method('vbd')],
  budget: { kind: 'iterations', value: 15 },
  build: (values) => {
    const keys = (sign: number): { time: number; translate?: [number, number, number]; rotate_degrees?: number }[] => [
      { time: 0 },
      { time: 1.2, translate: [sign * 0.4, 0, 0] },
      { time: 2.2, translate: [sign * -0.1, 0, 0] },
      { time: 3.0, translate: [sign * 0.2, 0, 0], rotate_degrees: sign * 20 },
      { time: 3.7, translate: [sign * 0.3, 0, 0], rotate_degrees: sign * 90 },
      { time: 3.9, translate: [sign * 0.3, 0, 0], rotate_degrees: sign * 90 },
      { time: 5.0 },
    ];
    const end = (sign: number) => ({
      object: 'block',
      select: { box: { min: [sign * 0.5, -1, -1] as [number, number, number], max: [sign * 0.5, 1, 1] as [number, number, number] } },
      motion: { axis: [1, 0, 0] as [number, number, number], keyframes: keys(sign) },
    });
    return {
      sinew: 1,
      name: 'stretch and twist',
      time: { fps: 60, substeps: 2, duration: 1e6 },
      materials: { rubber: { model: 'neo_hookean', youngs_modulus: numberOf(values, 'E'), poisson_ratio: 0.4, density: 1000 } },
      objects: {
        block: {
          mesh: { box: { size: 1, cells: numberOf(values, 'cells'), origin: [-0.5, -0.5, -0.5] } },
          material: 'rubber',
        },
      },
      pins: [end(-1), end(1)],
    };
  },
  camera: { position: [1.3, 1.0, 2.3], target: [0, 0, 0] },
};
