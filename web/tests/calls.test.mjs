// Every member of the interface does what it says; errors have a place and a remedy.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';

import { Comparison, Engine, Simulation, SinewError, loadEngine } from '../engine/dist/index.js';
import { balls, bar, cloth } from './scenes.mjs';

// Which members were used.
const used = new Set();
const members = [];
for (const Type of [Engine, Simulation, Comparison]) {
  for (const [name, member] of Object.entries(Object.getOwnPropertyDescriptors(Type.prototype))) {
    if (name === 'constructor') continue;
    const label = `${Type.name}.${name}`;
    members.push(label);
    const kind = member.get ? 'get' : 'value';
    const original = member[kind];
    const counted = function (...words) {
      used.add(label);
      return original.apply(this, words);
    };
    Object.defineProperty(Type.prototype, name, { ...member, [kind]: counted });
  }
}

let engine;
before(async () => {
  const stages = new Set();
  engine = await loadEngine({ threads: 2, onProgress: ({ stage }) => stages.add(stage) });
  assert.deepEqual([...stages], ['download', 'start']);
});
after(() => {
  engine.dispose();
  assert.throws(() => engine.create(bar()), /disposed/);
  assert.deepEqual(members.filter((member) => !used.has(member)), []);
});

function made(scene, options) {
  return engine.create(scene, options);
}
function isError(where, what, remedy) {
  return (error) => {
    assert.ok(error instanceof SinewError, String(error));
    assert.match(error.where, where);
    assert.match(error.what, what);
    assert.match(error.remedy, remedy);
    assert.equal(error.name, 'SinewError');
    assert.ok(error.message.startsWith(error.where) && error.message.endsWith(error.remedy));
    return true;
  };
}
const near = (a, b, tolerance) => a.forEach((c, k) => assert.ok(Math.abs(c - b[k]) <= tolerance, `${a} is not ${b}`));

describe('engine', () => {
  it('describes itself', () => {
    assert.match(engine.version, /^\d+\.\d+\.\d+$/);
    assert.match(engine.commit, /^([0-9a-f]{12}|unknown)$/);
    assert.equal(engine.lanes, 4);
    assert.equal(engine.threads, 2);
    assert.ok(engine.memoryBytes >= 64 * 2 ** 20 && engine.memory.buffer.byteLength === engine.memoryBytes);
    assert.ok(engine.usedBytes > 0 && engine.usedBytes < engine.memoryBytes);
  });
  it('lists what scenes can name', () => {
    const { solvers, accelerators, materials, elements } = engine.lists;
    const vbd = solvers.find(({ name }) => name === 'vbd');
    assert.ok(vbd.contact && vbd.intersectionFree && /^#[0-9a-f]{6}$/.test(vbd.color));
    const iterations = vbd.commonOptions.find(({ name }) => name === 'iterations');
    assert.equal(iterations.kind, 'whole');
    assert.equal(iterations.range.low, 1);
    assert.equal(accelerators[0].name, 'none');
    assert.ok(materials.some(({ forms }) => forms[0].some(({ name, unit }) => name === 'youngs_modulus' && unit === 'Pa')));
    assert.ok(elements.some(({ name, vertices }) => name === 'tetrahedron' && vertices === 4));
  });
  it('has a schema, and writes out defaults', () => {
    assert.equal(engine.schema.title, 'Sinew scene');
    const resolved = engine.resolve(bar(), { overrides: ['time.fps=50'] });
    assert.equal(resolved.materials.rubber.density, 1000);
    assert.equal(resolved.time.frame_dt, 0.02);
    assert.equal(made(resolved).stepSize, 0.02);
  });
  it('names the key of a faulty scene', () => {
    const scene = bar();
    scene.materials.rubber.poisson_ratio = 0.5;
    assert.throws(() => made(scene, { name: 'bar.json' }), isError(/^bar\.json/, /0\.5/, /0\.49/));
    assert.throws(() => made('{ "sinew": 1, '), isError(/scene:1:14/, /look for a missing }/, /^$/));
    assert.throws(() => made({ sinew: 1 }), isError(/scene/, /objects: missing.*\n.*materials/, /^$/));
    assert.throws(() => made(bar({ solver: { type: 'vdb' } })), isError(/scene/, /vdb/, /vbd/));
    assert.throws(() => made(bar({ cells: [400, 400, 400] })), isError(/scene/, /GB of memory/, /fewer cells/));
  });
  it('tells of its progress, and gives up', () => {
    const stages = [];
    made(bar(), { onProgress: ({ stage, share }) => void stages.push([stage, share]) }).dispose();
    assert.ok(stages.length > 2 && stages.every(([, share]) => share >= 0 && share <= 1));
    assert.throws(() => made(bar(), { onProgress: () => false }), isError(/simulation/, /interrupted/, /^$/));
    assert.throws(
      () =>
        made(bar(), {
          onProgress: () => {
            throw new RangeError('mine');
          },
        }),
      RangeError,
    );
  });
  it('never has more threads than its module', () => {
    const several = [4, 4, 2, 1, 0].map((threads) => made(bar(), { threads }));
    assert.deepEqual(several.map(({ threads }) => threads), [2, 2, 2, 1, 2]);
    several.forEach((simulation) => simulation.dispose());
  });
});

describe('files', () => {
  const tet = 'MeshVersionFormatted 2\nDimension 3\nVertices\n4\n0 0 0 0\n1e-1 0 0 0\n0 .1 0 0\n0 0 0.1 0\nTetrahedra\n1\n1 2 3 4 0\nEnd\n';
  const cubeOff =
    'OFF\n8 6 0\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n0 0 1\n1 0 1\n1 1 1\n0 1 1\n4 3 2 1 0\n4 4 5 6 7\n4 0 1 5 4\n4 1 2 6 5\n4 2 3 7 6\n4 3 0 4 7\n';
  const bytes = (text) => new TextEncoder().encode(text);
  const withMesh = (mesh) => bar({ pins: [], objects: { bar: { mesh, material: 'rubber' } } });
  it('come from memory', () => {
    const simulation = made(withMesh({ file: './meshes/tet.mesh' }), { files: { 'meshes/tet.mesh': bytes(tet) } });
    assert.equal(simulation.vertexCount, 4);
    near(simulation.restPositions().slice(3, 6), [0.1, 0, 0], 0);
  });
  it('may be TetGen’s pairs', () => {
    const node = bytes('4 3 0 0\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n');
    const files = { 'a.node': node, 'a.ele': bytes('1 4 0\n1 1 2 3 4\n') };
    assert.equal(made(withMesh({ file: 'a.node' }), { files }).elementCount, 1);
    assert.equal(made(withMesh({ file: 'a' }), { files }).elementCount, 1);
  });
  it('hold surfaces, which are filled with tets', () => {
    const files = { 'cube.off': bytes(cubeOff) };
    const simulation = made(withMesh({ surface: { file: 'cube.off', cells: 6 } }), { files });
    const volume = simulation.masses().reduce((sum, mass) => sum + mass, 0) / 1000;
    assert.ok(Math.abs(volume - 1) < 0.05, String(volume));
    assert.throws(
      () => made(withMesh({ surface: { file: 'cube.off', cells: 6, mesher: 'tetgen' } }), { files }),
      isError(/./, /tetgen.*programs/, /stuffing/),
    );
  });
  it('may be missing or of another kind', () => {
    assert.throws(() => made(withMesh({ file: 'b.mesh' })), isError(/./, /b\.mesh.*not among the files/, /files:/));
    const files = { 'b.vtu': bytes('<VTKFile/>') };
    assert.throws(() => made(withMesh({ file: 'b.vtu' }), { files }), isError(/./, /XML/, /\.vtk/));
  });
  it('come with objects that are added', () => {
    const simulation = made(bar());
    simulation.addObject('tet', { mesh: { file: 'tet.mesh' }, material: 'rubber' }, { 'tet.mesh': bytes(tet) });
    assert.deepEqual(simulation.objects().map(({ name }) => name), ['bar', 'tet']);
  });
});

describe('reading', () => {
  it('counts', () => {
    const simulation = made(bar({ time: { fps: 50, substeps: 2, duration: 1 } }));
    assert.equal(simulation.advanceFrame().length, 2);
    const { time, stepsTaken, framesTaken, frameCount, stepsPerFrame, stepSize, vertexCount, elementCount } = simulation;
    assert.ok(Math.abs(time - 0.02) < 1e-12);
    assert.deepEqual([stepsTaken, framesTaken, frameCount, stepsPerFrame, stepSize], [2, 1, 50, 2, 0.01]);
    assert.deepEqual([vertexCount, elementCount], [21 * 36, 2500]);
    assert.equal(simulation.warnings.length, 0);
    assert.match(simulation.hash(), /^[0-9a-f]{16}$/);
  });
  it('has one set of numbers in single and double precision', () => {
    const simulation = made(bar());
    for (let k = 0; k < 5; ++k) simulation.step();
    const [x, v] = [simulation.positions64(), simulation.velocities64()];
    assert.deepEqual(simulation.positions(), Float32Array.from(x));
    assert.deepEqual(simulation.velocities(), Float32Array.from(v));
    assert.ok(v.some((c) => c !== 0));
    // What another reading leaves alone.
    const kept = x.slice();
    simulation.restPositions();
    assert.deepEqual(x, kept);
    const weight = simulation.masses().reduce((sum, mass) => sum + mass, 0);
    assert.ok(Math.abs(weight - 62.5) < 1e-9);
    const tets = simulation.tets();
    assert.equal(tets.length, 4 * simulation.elementCount);
    assert.ok(tets.every((vertex) => vertex >= 0 && vertex < simulation.vertexCount));
    assert.equal(simulation.middles().length, 0);
  });
  it('balances the weight by reactions in equilibrium', () => {
    const simulation = made(
      bar({ time: { integrator: 'quasistatic' }, material: { youngs_modulus: 1e6 }, solver: { type: 'newton', relative_tolerance: 1e-9, iterations: 50 } }),
    );
    const report = simulation.step();
    assert.equal(report.status, 'converged');
    const reactions = simulation.reactions();
    let up = 0;
    for (let k = 1; k < reactions.length; k += 3) up += reactions[k];
    assert.ok(Math.abs(up - 62.5 * 9.81) < 1e-3, String(up));
  });
  it('draws surfaces', () => {
    const simulation = made(bar());
    const { points, normals, triangles, edges, vertices, objects, revision } = simulation.surface();
    assert.equal(triangles.length, 3 * 2 * (2 * 25 + 4 * 100));
    assert.equal(edges.length, 0);
    assert.deepEqual(objects, [
      { name: 'bar', firstTriangle: 0, triangleCount: triangles.length / 3, firstPoint: 0, pointCount: points.length / 3 },
    ]);
    assert.equal(points.length, 3 * vertices.length);
    const rest = simulation.restPositions();
    vertices.forEach((v, p) => near(points.subarray(3 * p, 3 * p + 3), rest.subarray(3 * v, 3 * v + 3), 1e-6));
    // Outwards, of length 1.
    for (let p = 0; p < points.length; p += 3) {
      const from = [points[p] - 0.5, points[p + 1] - 0.125, points[p + 2] - 0.125];
      const n = normals.subarray(p, p + 3);
      assert.ok(n[0] * from[0] + n[1] * from[1] + n[2] * from[2] > 0);
      assert.ok(Math.abs(Math.hypot(...n) - 1) < 1e-5);
    }
    // The last points stay where they are, for a page that still draws them.
    const before = points.slice();
    simulation.step();
    const later = simulation.surface();
    assert.deepEqual(points, before);
    assert.notDeepEqual(later.points, before);
    assert.equal(later.revision, revision);
  });
  it('draws springs', () => {
    const simulation = made(cloth(10));
    for (let k = 0; k < 20; ++k) simulation.step();
    const { points, triangles, edges } = simulation.surface();
    assert.equal(points.length, 300);
    assert.equal(triangles.length, 3 * 2 * 81);
    assert.equal(edges.length, 2 * (2 * 90 + 2 * 81));
    assert.ok(Math.max(...simulation.surfaceQuantity('strain')) > 0);
    const chain = made(bar({ objects: { bar: { mesh: { chain: { links: 5 } } } }, pins: [], materials: undefined }));
    assert.equal(chain.surface().edges.length, 10);
    assert.equal(chain.surface().triangles.length, 0);
  });
  it('averages what elements have', () => {
    const simulation = made(bar());
    for (let k = 0; k < 10; ++k) simulation.step();
    const { vertices } = simulation.surface();
    const tets = simulation.tets();
    for (const quantity of ['strain', 'von_mises', 'det_f', 'energy_density']) {
      const values = simulation.elements(quantity).slice();
      assert.equal(values.length, simulation.elementCount);
      const averages = simulation.surfaceQuantity(quantity);
      assert.equal(averages.length, vertices.length);
      const around = values.filter((_, e) => tets.subarray(4 * e, 4 * e + 4).includes(vertices[100]));
      const mean = around.reduce((sum, value) => sum + value, 0) / around.length;
      assert.ok(Math.abs(averages[100] - mean) <= 1e-5 * Math.abs(mean) + 1e-12, quantity);
    }
    assert.equal(simulation.elements('principal_stress').length, 3 * simulation.elementCount);
    assert.equal(simulation.elements('stress').length, 6 * simulation.elementCount);
    assert.throws(() => simulation.elements('colour'), isError(/quantity/, /colour/, /von_mises/));
  });
  it('has probes, energies, and evaluations', () => {
    const simulation = made(bar({ probes: { tip: { object: 'bar', select: { plane: { point: [1, 0, 0], normal: [1, 0, 0] } } } } }));
    const [tip] = simulation.probes();
    assert.equal(tip.name, 'tip');
    near(tip.position, [1, 0.125, 0.125], 1e-12);
    simulation.step();
    const energies = simulation.energies();
    assert.deepEqual(Object.keys(energies), ['kinetic', 'elastic', 'ties', 'gravity', 'loads', 'grabs', 'contact']);
    assert.ok(energies.kinetic > 0 && energies.elastic > 0 && energies.gravity < 0);
    const evaluation = simulation.evaluate();
    assert.ok(evaluation.residual > 0 && evaluation.finite === true && evaluation.inverted === 0 && evaluation.minJ > 0.5);
  });
  it('has skins', () => {
    const obj = 'v .01 .01 .01\nv .2 .01 .01\nv .01 .2 .01\nv .01 .01 .2\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n';
    const scene = bar();
    scene.objects.bar.skin = 'skin.obj';
    const simulation = made(scene, { files: { 'skin.obj': new TextEncoder().encode(obj) } });
    const { points, triangles } = simulation.skin(0);
    near(points.subarray(0, 3), [0.01, 0.01, 0.01], 1e-6);
    assert.equal(triangles.length, 12);
    assert.equal(made(bar()).skin(0), null);
  });
  it('watches iterations', () => {
    const simulation = made(bar());
    assert.equal(simulation.step().evaluated, false);
    simulation.observe('steps');
    const report = simulation.step();
    assert.ok(report.evaluated && report.evaluation.residual > 0 && report.curve === undefined);
    simulation.observe('iterations');
    const [{ curve, step, iterations, milliseconds }] = simulation.advanceFrame();
    assert.deepEqual([step, iterations, curve.length], [3, 10, 11]);
    assert.deepEqual(curve.map(({ iteration }) => iteration), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    assert.ok(curve[10].residual < curve[0].residual && curve.every(({ energy }) => Number.isFinite(energy)));
    assert.ok(milliseconds.total > 0);
    simulation.observe('none');
    assert.equal(simulation.step().curve, undefined);
    assert.throws(() => simulation.observe('all'), isError(/observe/, /all/, /iterations/));
  });
  it('says what touches', () => {
    const simulation = made(balls());
    for (let k = 0; k < 60; ++k) simulation.step();
    const contacts = simulation.contacts();
    assert.ok(contacts.length > 0);
    for (const { normal, force, first, second } of contacts) {
      assert.ok(Math.abs(Math.hypot(...normal) - 1) < 1e-6);
      assert.ok(force.every(Number.isFinite) && first >= 0 && second >= 0);
    }
  });
});

describe('changes', () => {
  it('grabs what a ray meets', () => {
    const simulation = made(bar());
    const hit = simulation.castRay([0.9, 1, 0.1], [0, -1, 0]);
    near(hit.position, [0.9, 0.25, 0.1], 1e-9);
    assert.ok(Math.abs(hit.distance - 0.75) < 1e-9 && Math.abs(hit.weights[0] + hit.weights[1] + hit.weights[2] - 1) < 1e-12);
    assert.equal(simulation.castRay([0, 5, 0], [0, 1, 0]), null);
    assert.throws(() => simulation.castRay([0, 5, 0], [0, 0, 0]), isError(/direction/, /no direction/, /e\.g\./));
    near(simulation.nearestPoint([0.5, 1, 0.1]).position, [0.5, 0.25, 0.1], 1e-9);
    const grab = simulation.addGrab(hit, { stiffness: 1e4, damping: 0.01 });
    simulation.moveGrab(grab, [0.9, 0.6, 0.1], [0, 0, 0]);
    for (let k = 0; k < 30; ++k) simulation.step();
    assert.ok(simulation.nearestPoint([0.9, 2, 0.1]).position[1] > 0.3);
    assert.ok(simulation.grabForce(grab)[1] > 0);
    simulation.removeGrab(grab);
    assert.throws(() => simulation.removeGrab(grab), isError(/grab/, /./, /./));
    const other = simulation.addGrab(5);
    assert.notEqual(other, grab);
  });
  it('pins', () => {
    const simulation = made(bar({ pins: [] }));
    const pin = simulation.addPin([0, 1, 2]);
    simulation.movePin(pin, { translate: [0, 0.1, 0] });
    simulation.step();
    near(simulation.positions64().slice(0, 3), [0, 0.1, 0], 1e-9);
    simulation.movePin(pin, [0, 0, 0, 0.05, 0, 0, 0.1, 0, 0]);
    simulation.step();
    near(simulation.positions64().slice(0, 3), [0, 0, 0], 1e-9);
    assert.throws(() => simulation.movePin(pin, [0, 0]), isError(/places/, /2 numbers/, /x, y, z/));
    assert.throws(() => simulation.movePin(pin, { scale: [NaN, 1, 1] }), isError(/./, /./, /./));
    simulation.removePin(pin);
    assert.throws(() => simulation.addPin([1e6]), isError(/./, /./, /./));
  });
  it('pushes', () => {
    const simulation = made(bar({ pins: [], gravity: [0, 0, 0] }));
    const mean = () => simulation.velocities64().filter((_, k) => k % 3 === 1).reduce((sum, c) => sum + c, 0);
    const force = simulation.addForce([0, 1, 2, 3], [0, 100, 0]);
    simulation.step();
    assert.ok(mean() > 0);
    simulation.setForce(force, [0, 0, 0]);
    simulation.removeForce(force);
    const point = simulation.nearestPoint([1, 0, 0]);
    const other = simulation.addForce(point, [0, -1e3, 0]);
    simulation.moveForce(other, simulation.nearestPoint([0, 0, 0]));
    for (let k = 0; k < 5; ++k) simulation.step();
    assert.ok(mean() < 0);
  });
  it('sets gravity, velocities, states and values', () => {
    const simulation = made(bar({ pins: [] }));
    const count = 3 * simulation.vertexCount;
    simulation.setGravity([0, 0, 0]);
    simulation.setVelocities(new Float64Array(count).fill(1));
    simulation.step();
    near(simulation.velocities64(), new Float64Array(count).fill(1), 1e-4);
    const x = simulation.restPositions().slice();
    simulation.setState(x, new Float64Array(count));
    assert.deepEqual(simulation.positions64().slice(), x);
    assert.throws(() => simulation.setState(x, [0, 0, 0]), isError(/velocities/, /as many/, /x, y, z/));
    assert.throws(() => simulation.setVelocities([0, 0, 0]), isError(/velocities/, /entries/, /one per vertex/));
    simulation.set('solver.iterations', 7);
    assert.equal(simulation.step().iterations, 7);
    simulation.set('solver.type', 'multilevel');
    simulation.set('solver.accelerator', 'none');
    simulation.set('gravity', [0, 0, -9.81]);
    simulation.set('materials.rubber.youngs_modulus', 2e5);
    simulation.step();
    assert.throws(() => simulation.set('objects.bar.mesh', 1), isError(/scene/, /objects\.bar\.mesh.*must be an object/, /^$/));
  });
  it('activates muscles', () => {
    const scene = bar();
    scene.objects.bar.fibres = { direction: [1, 0, 0], peak_stress: 3e4 };
    const simulation = made(scene);
    simulation.setActivation('bar', 1);
    for (let k = 0; k < 20; ++k) simulation.step();
    assert.ok(Math.max(...simulation.positions()) < 1);
    assert.throws(() => simulation.setActivation('bar', 2), isError(/./, /2/, /./));
  });
  it('adds, switches and removes objects', () => {
    const simulation = made(bar());
    const { revision } = simulation.surface();
    simulation.addObject('ball', { mesh: { ball: { radius: 0.1, shells: 2, center: [0, 2, 0] } }, material: 'rubber' });
    const drawn = simulation.surface();
    assert.notEqual(drawn.revision, revision);
    assert.deepEqual(drawn.objects.map(({ name }) => name), ['bar', 'ball']);
    const info = simulation.objects()[1];
    assert.equal(info.lastVertex, simulation.vertexCount);
    assert.deepEqual([info.on, info.hasSkin], [true, false]);
    simulation.switchObject('ball', false);
    assert.equal(simulation.objects()[1].on, false);
    simulation.step();
    simulation.removeObject('ball');
    assert.equal(simulation.surface().objects.length, 1);
    assert.throws(() => simulation.removeObject('ball'), isError(/./, /ball/, /./));
  });
  it('moves, adds and removes colliders', () => {
    const simulation = made(balls());
    assert.deepEqual(simulation.colliders(), [{ name: 'floor', handle: 0 }]);
    const floor = simulation.collider(0);
    near(floor.planes[0].normal, [0, 1, 0], 1e-12);
    simulation.moveCollider(0, { translate: [0, -0.1, 0] });
    simulation.step();
    near(simulation.collider(0).planes[0].point, [0, -0.1, 0], 1e-12);
    const sphere = simulation.addCollider('sphere', { shape: { sphere: { center: [2, 0, 0], radius: 0.2 } } });
    const before = simulation.collider(sphere);
    assert.ok(before.triangles.length > 0);
    simulation.moveCollider(sphere, { translate: [1, 0, 0] }, simulation.time + 2 * simulation.stepSize);
    simulation.step();
    assert.ok(Math.abs(simulation.collider(sphere).vertices[0] - before.vertices[0] - 0.5) < 1e-5);
    const { time } = simulation;
    simulation.moveCollider(sphere, { keyframes: [{ time }, { time: time + 1, translate: [0, 1, 0] }] });
    simulation.step();
    simulation.removeCollider(sphere);
    assert.throws(() => simulation.collider(sphere), isError(/collider/, /./, /./));
  });
});

describe('states', () => {
  const run = (simulation, steps) => {
    for (let k = 0; k < steps; ++k) simulation.step();
    return simulation.hash();
  };
  it('come back', () => {
    const simulation = made(bar());
    run(simulation, 5);
    const snapshot = simulation.save();
    const later = run(simulation, 5);
    simulation.restore(snapshot);
    assert.equal(run(simulation, 5), later);
    snapshot.dispose();
    assert.throws(() => simulation.restore(snapshot), isError(/snapshot/, /forgotten/, /save/));
    assert.throws(() => made(bar()).restore(simulation.save()), isError(/snapshot/, /./, /./));
  });
  it('bring objects back', () => {
    const simulation = made(bar());
    const snapshot = simulation.save();
    const drawn = simulation.surface().revision;
    run(simulation, 2);
    simulation.set('gravity', [0, 0, 0]);
    simulation.restore(snapshot);
    assert.ok(simulation.surface().revision >= drawn);
  });
  it('are replayed', () => {
    const simulation = made(bar());
    run(simulation, 3);
    const grab = simulation.addGrab(simulation.castRay([0.9, 1, 0.1], [0, -1, 0]));
    simulation.moveGrab(grab, [1, 0.5, 0]);
    run(simulation, 3);
    simulation.set('solver.iterations', 5);
    const hash = run(simulation, 3);
    const again = made(bar(), { threads: 1 });
    again.replay(simulation.changes());
    assert.equal(again.hash(), hash);
    assert.throws(() => again.replay('{}'), isError(/./, /./, /./));
    simulation.keepChanges(false);
    assert.throws(() => simulation.changes(), isError(/changes/, /not kept/, /new simulation/));
  });
  it('go on from a checkpoint', () => {
    const simulation = made(balls());
    run(simulation, 20);
    const grab = simulation.addGrab(7);
    simulation.moveGrab(grab, [0, 1, 0]);
    const checkpoint = simulation.checkpoint();
    const hash = run(simulation, 10);
    const again = engine.resume(checkpoint, { threads: 1 });
    assert.equal(run(again, 10), hash);
    again.removeGrab(grab);
    assert.throws(() => engine.resume(checkpoint.subarray(0, 100)), isError(/./, /./, /./));
    assert.throws(() => engine.resume(new Uint8Array(0)), isError(/./, /./, /./));
  });
  it('are gone with the simulation', () => {
    const simulation = made(bar());
    simulation.dispose();
    simulation.dispose();
    assert.throws(() => simulation.step(), isError(/simulation/, /disposed/, /create/));
  });
});

describe('comparison', () => {
  const methods = [
    { solver: { type: 'vbd' } },
    { solver: { type: 'vbd', accelerator: { type: 'chebyshev', rho: 0.9 } } },
    { label: 'two levels', solver: { type: 'multilevel' } },
  ];
  it('gives all as many iterations', () => {
    const comparison = new Comparison(engine, bar(), methods, { iterations: 6 });
    assert.deepEqual(comparison.labels, ['vbd', 'vbd+chebyshev', 'two levels']);
    assert.deepEqual(comparison.step().map(({ iterations }) => iterations), [6, 6, 6]);
    for (const curve of comparison.curves) {
      assert.equal(curve.length, 7);
      assert.equal(curve[0].relative, 1);
      assert.ok(curve[6].relative < 1);
    }
    assert.equal(comparison.simulations.length, 3);
    comparison.dispose();
  });
  it('gives all as much time', () => {
    const comparison = new Comparison(engine, JSON.stringify(bar()), methods.slice(0, 2), { milliseconds: 20 });
    for (const { milliseconds, status } of comparison.step()) {
      assert.equal(status, 'budget');
      assert.ok(milliseconds.solve >= 19, String(milliseconds.solve));
    }
    comparison.dispose();
  });
  it('ends where a method cannot solve the scene', () => {
    const scene = bar({ material: { damping: 0.01 } });
    assert.throws(() => new Comparison(engine, scene, [{ solver: { type: 'xpbd' } }]), isError(/scene/, /damping/, /./));
  });
});
