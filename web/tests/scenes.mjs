// Scenes whose bits, and whose speed, are compared with those of the program.

const end = (x) => ({ box: { min: [x - 1e-6, -1, -1], max: [x + 1e-6, 1, 1] } });
const held = { object: 'bar', select: end(0) };
const turned = {
  object: 'bar',
  select: end(1),
  motion: { axis: [1, 0, 0], keyframes: [{ time: 0 }, { time: 1, translate: [0.2, 0, 0], rotate_degrees: 180 }] },
};

export function bar({ material = {}, solver = {}, cells = [20, 5, 5], pins = [held], ...more } = {}) {
  return {
    sinew: 1,
    materials: { rubber: { youngs_modulus: 1e5, poisson_ratio: 0.4, ...material } },
    objects: { bar: { mesh: { box: { size: [1, 0.25, 0.25], cells } }, material: 'rubber' } },
    pins,
    solver: { type: 'vbd', iterations: 10, ...solver },
    ...more,
  };
}

// A cube of about so many tets, five a cell.
export function cube(tets, { material = {}, solver = {} } = {}) {
  const cells = Math.round(Math.cbrt(tets / 5));
  return bar({
    material,
    solver: { iterations: 20, precision: 'single', ...solver },
    pins: [{ object: 'bar', select: { box: { min: [-1e-6, -1, -1], max: [1e-6, 2, 2] } } }],
    objects: { bar: { mesh: { box: { size: 1, cells } }, material: 'rubber' } },
  });
}

export function cloth(points, solver = {}) {
  return {
    sinew: 1,
    time: { fps: 60, substeps: 4 },
    objects: {
      cloth: {
        mesh: {
          grid: { columns: points, rows: points, spacing: 1 / points, mass: 0.2, stiffness: 500, shear_stiffness: 50 },
        },
      },
    },
    pins: [{ object: 'cloth', select: { indices: [points * (points - 1), points * points - 1] } }],
    solver: { type: 'pbd', iterations: 20, ...solver },
  };
}

export function balls({ contact = { friction: 0.3 }, solver = {}, shells = 3 } = {}) {
  return {
    sinew: 1,
    time: { fps: 60, substeps: 2 },
    materials: { soft: { youngs_modulus: 5e4, poisson_ratio: 0.4, damping: 0.002 } },
    objects: {
      balls: {
        mesh: { ball: { radius: 0.1, shells, center: [0, 0.12, 0] } },
        material: 'soft',
        copies: { count: [2, 3, 1], spacing: [0.23, 0.22, 0] },
      },
    },
    contact,
    colliders: { floor: { shape: { half_space: { point: [0, 0, 0], normal: [0, 1, 0] } } } },
    solver: { type: 'vbd', iterations: 15, ...solver },
  };
}

const linear = { relative_tolerance: 0, iterations: 8 };
const soft = { poisson_ratio: 0.3 };

// Of 60 thousand tets, held in its middle.
export function octopus(material) {
  return {
    sinew: 1,
    time: { fps: 60 },
    materials: { flesh: material },
    objects: {
      octopus: { mesh: { shape: { of: { octopus: {} }, cell: 0.0282 } }, material: 'flesh', stretch: [1.3, 1, 1] },
    },
    pins: [{ object: 'octopus', select: { sphere: { center: [0, 0.2, 0], radius: 0.15 } } }],
    solver: { type: 'multilevel', iterations: 20, precision: 'single' },
  };
}

// Shapes without sines, cut and filled with tetrahedra.
const filled = {
  sinew: 1,
  materials: { rubber: { youngs_modulus: 1e5 } },
  objects: {
    bead: {
      mesh: {
        shape: {
          of: {
            difference: {
              parts: [
                { ball: { radius: 0.5 } },
                { box: { size: [0.3, 2, 0.4], translate: [0.1, 0.1, 0.2] } },
                { torus: { translate: [0.1, 0.2, 0.1] } },
              ],
              blend: 0.05,
            },
          },
          cell: 0.1,
        },
      },
      material: 'rubber',
    },
  },
  solver: { type: 'vbd', iterations: 10 },
};

// name -> [scene, steps]
export const comparedBits = {
  'VBD, Neo-Hookean': [bar(), 40],
  'VBD, stable Neo-Hookean': [bar({ material: { model: 'stable_neo_hookean' } }), 40],
  'VBD, fixed corotated': [bar({ material: { model: 'fixed_corotated' } }), 40],
  'VBD, Mooney-Rivlin': [
    bar({ material: { model: 'mooney_rivlin', youngs_modulus: undefined, poisson_ratio: undefined } }),
    40,
  ],
  'VBD, ARAP': [bar({ material: { model: 'arap', youngs_modulus: undefined, poisson_ratio: undefined } }), 40],
  'VBD, StVK': [bar({ material: { model: 'stvk' } }), 40],
  'VBD, linear': [bar({ material: { model: 'linear' } }), 40],
  'VBD, double precision': [bar({ solver: { precision: 'double' } }), 40],
  'VBD, damping': [bar({ material: { damping: 0.01 } }), 40],
  'VBD, Chebyshev': [bar({ solver: { accelerator: 'chebyshev' } }), 40],
  'VBD, SOR': [bar({ solver: { accelerator: 'sor' } }), 40],
  'VBD, Anderson': [bar({ solver: { accelerator: 'anderson' } }), 40],
  'VBD, scripted twist': [bar({ pins: [held, turned] }), 40],
  XPBD: [bar({ solver: { type: 'xpbd' } }), 40],
  'XPBD, fixed corotated': [bar({ material: { model: 'fixed_corotated' }, solver: { type: 'xpbd' } }), 40],
  'PBD, springs': [cloth(20), 40],
  'XPBD, springs': [cloth(20, { type: 'xpbd' }), 40],
  PBNG: [bar({ material: { model: 'fixed_corotated' }, solver: { type: 'pbng' } }), 40],
  'block Jacobi': [bar({ solver: { type: 'block_jacobi' } }), 40],
  'B-PXPBD': [bar({ material: { model: 'fixed_corotated', ...soft }, solver: { type: 'b_pxpbd' } }), 40],
  'FP-PXPBD': [bar({ material: { model: 'fixed_corotated', ...soft }, solver: { type: 'fp_pxpbd' } }), 40],
  'a mesh filled from shapes': [filled, 5],
  multilevel: [bar({ solver: { type: 'multilevel' } }), 40],
  'multilevel, twist': [bar({ pins: [held, turned], solver: { type: 'multilevel' } }), 40],
  'quasi-Newton': [bar({ solver: { type: 'quasi_newton', ...linear } }), 12],
  'contact, balls on a floor': [balls(), 40],
  'contact, guaranteed': [balls({ contact: { friction: 0.3, guarantee: 'intersection_free' } }), 40],
  'contact, penalty': [balls({ contact: { law: 'penalty' } }), 40],
  'contact, multilevel': [balls({ solver: { type: 'multilevel' } }), 40],
};
