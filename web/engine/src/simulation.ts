import { SinewError } from './errors.js';
import type { Motion, SceneCollider, SceneObject } from './generated/scene.js';
import type { Native } from './native.js';
import { addCurves, type Evaluation, type ReportReader, type StepReport } from './reports.js';
import type {
  Collider,
  ColliderInfo,
  ContactPoint,
  Coordinates,
  ElementQuantity,
  Energies,
  Force,
  Grab,
  GrabOptions,
  ObjectInfo,
  Pin,
  PlacedCollider,
  Pose,
  Snapshot,
  Surface,
  SurfaceObject,
  SurfacePoint,
  SurfaceQuantity,
  Vec3,
} from './values.js';

const elementQuantities: ElementQuantity[] = [
  'det_f', 'strain', 'energy_density', 'von_mises', 'principal_stress', 'stress',
];
const surfaceQuantities: SurfaceQuantity[] = ['strain', 'von_mises', 'det_f', 'energy_density'];
const observations = ['none', 'steps', 'iterations'] as const;
export type Observation = (typeof observations)[number];

// What frees simulations and snapshots that nobody has any more.
const collected = new FinalizationRegistry<() => void>((free) => free());

/**
 * A scene that takes steps. Vertices are in the user's order: objects in the order of the scene, vertices in that of
 * their meshes. All is in SI units.
 *
 * The arrays that reading returns are views of the engine's memory. They are filled by the call, and valid until the
 * same call again, or until the next call that may allocate (steps, changes, creations): fetch them anew each frame.
 */
export class Simulation {
  readonly #native: Native;
  readonly #reader: ReportReader;
  readonly #handle: number;
  #observation: Observation = 'none';
  #surfaceObjects: SurfaceObject[] = [];
  #surfaceRevision = 0;
  #gone = false;

  /** Use Engine.create. */
  constructor(native: Native, reader: ReportReader, handle: number) {
    this.#native = native;
    this.#reader = reader;
    this.#handle = handle;
    collected.register(this, disposing(native, handle), this);
  }

  #call(name: string, ...numbers: number[]): number {
    return this.#native.call(name, this.#handle, ...numbers);
  }
  #callWith(name: string, pass: Parameters<Native['callWith']>[1]): number {
    return this.#native.callWith(name, (a) => [this.#handle, ...pass(a)]);
  }

  /** Takes one time step. On an error (a state that is not finite) the state from before it is kept. */
  step(): StepReport {
    const [report] = this.#steps('step');
    if (!report) throw new SinewError('step', 'has no report', '');
    return report;
  }
  /** Takes the steps up to the next frame. */
  advanceFrame(): StepReport[] {
    return this.#steps('advance_frame');
  }
  #steps(name: string): StepReport[] {
    this.#call(name);
    const numbers = this.#native.doubles();
    const reports: StepReport[] = [];
    for (let row = 0; row < numbers.length / this.#reader.length; ++row) {
      reports.push(this.#reader.report(numbers, row));
    }
    if (this.#observation === 'iterations') {
      this.#call('curve');
      addCurves(reports, this.#native.doubles());
    }
    return reports;
  }

  #count(which: number): number {
    this.#call('counts');
    return this.#native.doubles()[which] ?? 0;
  }
  /** [s] */
  get time(): number {
    return this.#count(0);
  }
  get stepsTaken(): number {
    return this.#count(1);
  }
  get framesTaken(): number {
    return this.#count(2);
  }
  /** in the scene's duration */
  get frameCount(): number {
    return this.#count(3);
  }
  get stepsPerFrame(): number {
    return this.#count(4);
  }
  /** [s] */
  get stepSize(): number {
    return this.#count(5);
  }
  get vertexCount(): number {
    return this.#count(6);
  }
  /** of tets and triangles */
  get elementCount(): number {
    return this.#count(7);
  }
  /** Those that it has: fewer than were asked for where other simulations have them. */
  get threads(): number {
    return this.#call('threads');
  }

  /** [m] */
  positions(): Float32Array {
    this.#call('vertices', 0);
    return this.#native.floats();
  }
  /** [m/s] */
  velocities(): Float32Array {
    this.#call('vertices', 1);
    return this.#native.floats();
  }
  positions64(): Float64Array {
    return this.#vertices64(0);
  }
  velocities64(): Float64Array {
    return this.#vertices64(1);
  }
  restPositions(): Float64Array {
    return this.#vertices64(2);
  }
  /** [kg] of each vertex */
  masses(): Float64Array {
    return this.#vertices64(3);
  }
  /** [N] of the pins on each vertex */
  reactions(): Float64Array {
    return this.#vertices64(4);
  }
  #vertices64(what: number): Float64Array {
    this.#call('vertices64', what);
    return this.#native.doubles();
  }
  /** Four vertices each; the fourth of a triangle is -1. */
  tets(): Int32Array {
    this.#call('tets');
    return this.#native.integers();
  }
  /** Of each of tets() the vertices at the middles of the edges 01 02 03 12 13 23; empty where no tet is quadratic. */
  middles(): Int32Array {
    this.#call('middles');
    return this.#native.integers();
  }

  /** What is drawn, with points and normals of the present state. These lie in one of two buffers, by turns. */
  surface(): Surface {
    this.#call('surface');
    const at = this.#native.integers().slice();
    const revision = at[10] ?? 0;
    if (revision !== this.#surfaceRevision) {
      this.#call('surface_objects');
      const ranges = this.#native.integers().slice();
      this.#surfaceObjects = this.objects().map(({ name }, k) => ({
        name,
        firstTriangle: ranges[4 * k] ?? 0,
        triangleCount: ranges[4 * k + 1] ?? 0,
        firstPoint: ranges[4 * k + 2] ?? 0,
        pointCount: ranges[4 * k + 3] ?? 0,
      }));
      this.#surfaceRevision = revision;
    }
    const { buffer } = this.#native.memory;
    type Views<T> = new (of: ArrayBufferLike, from: number, length: number) => T;
    const view = <T>(Type: Views<T>, k: number): T => new Type(buffer, (at[k] ?? 0) >>> 0, at[k + 1] ?? 0);
    return {
      points: view(Float32Array as Views<Float32Array>, 0),
      normals: view(Float32Array as Views<Float32Array>, 2),
      triangles: view(Uint32Array as Views<Uint32Array>, 4),
      edges: view(Uint32Array as Views<Uint32Array>, 6),
      vertices: view(Int32Array as Views<Int32Array>, 8),
      objects: this.#surfaceObjects,
      revision,
    };
  }
  /** One number per surface point, averaged from the elements around it; of springs their strain. */
  surfaceQuantity(quantity: SurfaceQuantity): Float32Array {
    this.#call('surface_quantity', numberOf(surfaceQuantities, quantity, 'quantity'));
    return this.#native.floats();
  }
  /** One number an element, in the order of tets(); principal stresses are three, stresses six. */
  elements(quantity: ElementQuantity): Float64Array {
    this.#call('elements', numberOf(elementQuantities, quantity, 'quantity'));
    return this.#native.doubles();
  }
  /** Points and triangles of an object's skin; null: it has none. */
  skin(object: number): { points: Float32Array; triangles: Uint32Array } | null {
    if (!this.objects()[object]?.hasSkin) return null;
    this.#call('skin_triangles', object);
    const { buffer, byteOffset, length } = this.#native.integers();
    this.#call('skin_points', object);
    return { points: this.#native.floats(), triangles: new Uint32Array(buffer, byteOffset, length) };
  }
  /** The probes of the scene. */
  probes(): { name: string; position: Vec3 }[] {
    this.#call('probes');
    return this.#native.json();
  }
  energies(): Energies {
    this.#call('energies');
    const [kinetic, elastic, ties, gravity, loads, grabs, contact] = this.#native.doubles() as unknown as [
      number, number, number, number, number, number, number,
    ];
    return { kinetic, elastic, ties, gravity, loads, grabs, contact };
  }
  /** What touches now, with forces. Empty where a scene has no contact. */
  contacts(): ContactPoint[] {
    this.#call('contacts');
    const numbers = this.#native.doubles();
    const points: ContactPoint[] = [];
    for (let k = 0; k < numbers.length; k += 12) {
      points.push({
        position: vec3(numbers, k),
        normal: vec3(numbers, k + 3),
        force: vec3(numbers, k + 6),
        gap: numbers[k + 9] ?? 0,
        first: numbers[k + 10] ?? 0,
        second: numbers[k + 11] ?? 0,
      });
    }
    return points;
  }
  /** The objective of the last step at the present positions. */
  evaluate(): Evaluation {
    this.#call('evaluate');
    return this.#reader.evaluation(this.#native.doubles());
  }

  /** The first point of the surfaces, front or back, that the ray meets. */
  castRay(origin: Vec3, direction: Vec3): SurfacePoint | null {
    this.#call('cast_ray', ...origin, ...direction);
    return this.#point();
  }
  nearestPoint(point: Vec3): SurfacePoint | null {
    this.#call('nearest_point', ...point);
    return this.#point();
  }
  #point(): SurfacePoint | null {
    const numbers = this.#native.doubles();
    if (numbers.length === 0) return null;
    return {
      object: numbers[0] ?? 0,
      vertices: vec3(numbers, 1),
      weights: vec3(numbers, 4),
      position: vec3(numbers, 7),
      distance: numbers[10] ?? 0,
    };
  }

  /** Holds a point of a surface, or a vertex, by a damped spring: what a hand does. */
  addGrab(at: SurfacePoint | number, options: GrabOptions = {}): Grab {
    const { stiffness = NaN, damping = NaN } = options;
    if (at === null || at === undefined) {
      throw new SinewError('addGrab', 'there is no point to grab', 'give a vertex, or what castRay returns where it hits');
    }
    if (typeof at === 'number') return this.#call('add_vertex_grab', at, stiffness, damping) - 1;
    return this.#callWith('add_grab', (a) => [a.doubles([...at.vertices, ...at.weights]), stiffness, damping]) - 1;
  }
  /** Where the target is at the end of the next step, and how fast it moves. */
  moveGrab(grab: Grab, target: Vec3, velocity: Vec3 = [0, 0, 0]): void {
    this.#call('move_grab', grab, ...target, ...velocity);
  }
  removeGrab(grab: Grab): void {
    this.#call('remove_grab', grab);
  }
  /** [N] on the body */
  grabForce(grab: Grab): Vec3 {
    this.#call('grab_force', grab);
    return vec3(this.#native.doubles(), 0);
  }

  /** Holds vertices where they are. The pins of the scene are 0, 1, ... */
  addPin(vertices: ArrayLike<number>): Pin {
    return this.#callWith('add_pin', (a) => [a.integers(vertices), vertices.length]) - 1;
  }
  /** To a pose, or to a place for each of its vertices: x, y, z of each. */
  movePin(pin: Pin, to: Pose | Coordinates): void {
    if ('length' in to) {
      const count = thirdOf(to, 'places');
      this.#callWith('place_pin', (a) => [pin, a.doubles(to), count]);
    } else {
      this.#callWith('pose_pin', (a) => [pin, a.doubles(poseNumbers(to))]);
    }
  }
  removePin(pin: Pin): void {
    this.#call('remove_pin', pin);
  }

  /** [N] In all, on vertices, shared by mass, or at a point of a surface. */
  addForce(at: ArrayLike<number> | SurfacePoint, force: Vec3): Force {
    if ('weights' in at) {
      return this.#callWith('add_point_force', (a) => [a.doubles([...at.vertices, ...at.weights]), ...force]) - 1;
    }
    return this.#callWith('add_force', (a) => [a.integers(at), at.length, ...force]) - 1;
  }
  setForce(force: Force, value: Vec3): void {
    this.#call('set_force', force, ...value);
  }
  moveForce(force: Force, to: SurfacePoint): void {
    this.#callWith('move_force', (a) => [force, a.doubles([...to.vertices, ...to.weights])]);
  }
  removeForce(force: Force): void {
    this.#call('remove_force', force);
  }

  /** [m/s^2] */
  setGravity(gravity: Vec3): void {
    this.#call('set_gravity', ...gravity);
  }
  /** [m/s] x, y, z of each vertex. */
  setVelocities(velocities: Coordinates): void {
    const count = thirdOf(velocities, 'velocities');
    this.#callWith('set_velocities', (a) => [a.doubles(velocities), count]);
  }
  setState(positions: Coordinates, velocities: Coordinates): void {
    const count = thirdOf(positions, 'positions');
    if (thirdOf(velocities, 'velocities') !== count) {
      throw new SinewError('velocities', 'are not as many as positions', 'give x, y, z for each vertex');
    }
    this.#callWith('set_state', (a) => [a.doubles(positions), a.doubles(velocities), count]);
  }
  /** How strongly the muscle fibres of an object pull, from 0 to 1. */
  setActivation(object: string, activation: number): void {
    this.#callWith('set_activation', (a) => [...a.text(object), activation]);
  }
  /** A value of the scene by its path, as `sinew run --set` takes it: set('solver.iterations', 40). */
  set(path: string, value: string | number | boolean | Vec3 | object): void {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    this.#callWith('set', (a) => [...a.text(path), ...a.text(text)]);
  }

  objects(): ObjectInfo[] {
    this.#call('objects');
    return this.#native.json();
  }
  switchObject(name: string, on: boolean): void {
    this.#callWith('switch_object', (a) => [...a.text(name), on ? 1 : 0]);
  }
  /** Adds an object behind all others. `files`: what it names. */
  addObject(name: string, object: SceneObject | string, files: Record<string, Uint8Array> = {}): void {
    this.#addFiles(files);
    this.#callWith('add_object', (a) => [...a.text(name), ...a.text(jsonOf(object))]);
  }
  removeObject(name: string): void {
    this.#callWith('remove_object', (a) => a.text(name));
  }

  colliders(): ColliderInfo[] {
    this.#call('colliders');
    return this.#native.json();
  }
  /** Where a collider is. */
  collider(collider: Collider): PlacedCollider {
    this.#call('collider', collider);
    const { vertices, triangles, planes } = this.#native.json<{
      vertices: number[];
      triangles: number[];
      planes: PlacedCollider['planes'];
    }>();
    return { vertices: Float32Array.from(vertices), triangles: Uint32Array.from(triangles), planes };
  }
  /** To a pose, within the next step or straight and steadily until `arrival` [s]; or by keyframes. */
  moveCollider(collider: Collider, to: Pose | Motion, arrival?: number): void {
    if ('keyframes' in to) {
      this.#callWith('drive_collider', (a) => [collider, ...a.text(JSON.stringify(to))]);
    } else {
      this.#callWith('pose_collider', (a) => [collider, a.doubles(poseNumbers(to as Pose)), arrival ?? NaN]);
    }
  }
  addCollider(name: string, collider: SceneCollider | string, files: Record<string, Uint8Array> = {}): Collider {
    this.#addFiles(files);
    return this.#callWith('add_collider', (a) => [...a.text(name), ...a.text(jsonOf(collider))]) - 1;
  }
  removeCollider(collider: Collider): void {
    this.#call('remove_collider', collider);
  }
  #addFiles(files: Record<string, Uint8Array>): void {
    if (Object.keys(files).length === 0) return;
    this.#native.giveFiles(files);
    this.#call('add_files');
  }

  /** Keeps the state with all that was changed; restore() returns to it bit for bit. */
  save(): Snapshot {
    const number = this.#call('save');
    const free = this.#forgetting(number);
    const snapshot: Snapshot = {
      number,
      dispose: () => {
        collected.unregister(snapshot);
        free();
      },
    };
    collected.register(snapshot, free, snapshot);
    return snapshot;
  }
  // Made here, where there is no snapshot that it would hold and keep from being collected.
  #forgetting(number: number): () => void {
    return () => {
      if (!this.#gone && !this.#native.stopped) this.#call('forget', number);
    };
  }
  restore(snapshot: Snapshot): void {
    this.#call('restore', snapshot.number);
  }
  /** All of it as bytes, from which Engine.resume goes on. */
  checkpoint(): Uint8Array {
    this.#call('checkpoint');
    return this.#native.ownBytes();
  }
  /** Every change since the creation with its step, as JSON. */
  changes(): string {
    this.#call('changes');
    return this.#native.text();
  }
  /** The same steps and changes on a new simulation of the same scene, which then has the same bits. */
  replay(log: string): void {
    this.#callWith('replay', (a) => a.text(log));
  }
  /** Off: for loops that run for days. */
  keepChanges(on: boolean): void {
    this.#call('keep_changes', on ? 1 : 0);
  }

  /** A fingerprint of positions, velocities and the clock: 16 hex digits. */
  hash(): string {
    this.#call('hash');
    return this.#native.text();
  }
  /** Repairs made to the meshes, and suspicious input. */
  get warnings(): string[] {
    this.#call('warnings');
    return this.#native.json();
  }
  /** What reports of steps hold of the objective: nothing, its final value, or the curve of the iterations. */
  observe(wants: Observation): void {
    this.#call('observe', numberOf(observations, wants, 'observe'));
    this.#observation = wants;
  }

  /** Frees its memory. */
  dispose(): void {
    if (this.#gone) return;
    this.#gone = true;
    collected.unregister(this);
    this.#call('dispose');
  }
}

// Made here, where there is no simulation that it would hold.
function disposing(native: Native, handle: number): () => void {
  return () => {
    if (!native.stopped) native.call('dispose', handle);
  };
}

function vec3(numbers: Float64Array, at: number): Vec3 {
  return [numbers[at] ?? 0, numbers[at + 1] ?? 0, numbers[at + 2] ?? 0];
}

function thirdOf(numbers: Coordinates, what: string): number {
  if (numbers.length % 3 === 0) return numbers.length / 3;
  throw new SinewError(what, `= ${numbers.length} numbers`, 'give x, y, z of each vertex');
}

function poseNumbers({ translate, axis, rotateDegrees, scale, center }: Pose): number[] {
  return [
    ...(translate ?? [0, 0, 0]),
    ...(axis ?? [0, 0, 1]),
    rotateDegrees ?? 0,
    ...(scale ?? [1, 1, 1]),
    ...(center ?? [NaN, NaN, NaN]),
  ];
}

function numberOf<T extends string>(words: readonly T[], word: T, where: string): number {
  const number = words.indexOf(word);
  if (number < 0) throw new SinewError(where, `= "${word}": is not known`, `use one of ${words.join(', ')}`);
  return number;
}

function jsonOf(part: object | string): string {
  return typeof part === 'string' ? part : JSON.stringify(part);
}
