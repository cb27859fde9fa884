// What the page and its Worker tell each other. The Worker owns the engine: the page shows what it sends. Each load of a
// scene has a number, `load`, that all carry which is about that scene: what is of an older one is dropped.
import type { CurvePoint, Lists, PlacedCollider, Vec3 } from '@sinew/engine';

/** What a user does to all lanes at once. `step`: the steps that had been taken. */
export type LabEvent =
  /** A handful of vertices, each at its offset from the hand; stiffness [N/m] of each, 0: what suits the body. */
  | { step: number; kind: 'grab'; id: number; vertices: number[]; offsets: number[]; stiffness: number; target: Vec3 }
  | { step: number; kind: 'drag'; id: number; target: Vec3 }
  | { step: number; kind: 'drop'; id: number }
  /** name: of the scene's parameter, or `budget`, that it belongs to */
  | { step: number; kind: 'set'; path: string; value: string; name: string }
  /** What is fixed in a simulation: another is built with it, in which bodies go on from where they are. */
  | { step: number; kind: 'rebuild'; changes: Change[]; name: string; value: number };
/** A value of the scene by its path. */
export type Change = readonly [path: string, value: string];
export type Action = LabEvent extends infer E ? (E extends LabEvent ? Omit<E, 'step'> : never) : never;

export interface LaneRequest {
  label: string;
  solver: Record<string, unknown>;
}

export type Quantity = 'strain' | 'von_mises';

export type ToWorker =
  | { kind: 'start'; base: string; threads?: number }
  | {
      kind: 'load';
      load: number;
      scene: string;
      name: string;
      lanes: LaneRequest[];
      files: Record<string, Uint8Array>;
      events: LabEvent[];
    }
  /** What a scene is with all its defaults. */
  | { kind: 'resolve'; id: number; scene: string; name: string }
  | { kind: 'play'; speed: number }
  | { kind: 'pause' }
  | { kind: 'step'; load: number; id: number; count: number }
  | { kind: 'act'; load: number; action: Action }
  | { kind: 'show'; quantity: Quantity | null; contacts: boolean }
  /** `frame`: the last that is drawn; of those before nothing is read any more */
  | { kind: 'drawn'; frame: number }
  | { kind: 'ping' };

export interface Failure {
  where: string;
  what: string;
  remedy: string;
}

/** A lane's mesh: what is drawn of it. */
export interface LaneMesh {
  triangles: Uint32Array;
  edges: Uint32Array;
  /** The vertex of each point. */
  vertices: Int32Array;
  objects: { name: string; firstTriangle: number; triangleCount: number; firstPoint: number; pointCount: number }[];
}

export interface LaneInfo {
  label: string;
  vertexCount: number;
  elementCount: number;
  springCount: number;
  /** [kg] of each vertex */
  masses: Float64Array;
  rest: Float64Array;
  /** [kg] of each object */
  objectMasses: number[];
  mesh: LaneMesh;
}

export interface LaneFrame {
  /** With shared memory the engine's own: valid until the page answers `drawn`. */
  points: Float32Array;
  normals: Float32Array;
  values: Float32Array | null;
  /** x, y, z of the place, then of the force [N], of each contact */
  contacts: Float32Array | null;
  /** [ms] of the last step's solver */
  milliseconds: number;
  iterations: number;
  /** [N]; NaN: not evaluated */
  residual: number;
  /** over that of the step's initial guess */
  relative: number;
  energy: number;
  inverted: number;
  touching: number;
  /** Of the last step that was evaluated. */
  curve: CurvePoint[] | null;
  /** The lane has ended: its state is the last good one. */
  failure: Failure | null;
}

export interface Frame {
  /** They count on from scene to scene. */
  number: number;
  time: number;
  step: number;
  /** [s] */
  stepSize: number;
  /** [ms] of all lanes for a step, with reading and writing */
  wall: number;
  colliders: PlacedCollider[] | null;
  lanes: LaneFrame[];
}

export type FromWorker =
  | { kind: 'progress'; stage: string; share: number }
  | { kind: 'started'; lists: Lists; version: string; lanes: number; threads: number; shared: boolean }
  | {
      kind: 'loaded';
      load: number;
      lanes: LaneInfo[];
      colliders: PlacedCollider[];
      warnings: string[];
      /** The scene with all defaults. */
      resolved: Record<string, unknown>;
    }
  | { kind: 'frame'; load: number; frame: Frame }
  | { kind: 'resolved'; id: number; scene: Record<string, unknown> }
  | { kind: 'resolved'; id: number; failure: Failure }
  | { kind: 'stepped'; id: number }
  /** again: from a recording */
  | { kind: 'acted'; load: number; event: LabEvent; again: boolean }
  | { kind: 'refused'; load: number; action: Action; again: boolean; failure: Failure }
  /** In answer to a ping, and now and then while it takes many steps. */
  | { kind: 'alive' }
  | { kind: 'failed'; load: number | null; failure: Failure };

export const mostEvents = 200_000;
/** Vertices in a hand. */
export const mostHeld = 32;
const mostChanges = 16; // of one rebuild

/** Events from a link. `fail` says what is wrong with them. */
export function checkEvents(list: unknown, fail: (what: string) => never): LabEvent[] {
  if (!Array.isArray(list) || list.length > mostEvents) return fail('its recording is damaged');
  const isNumber = (v: unknown): v is number => typeof v === 'number' && Number.isFinite(v);
  const isIndex = (v: unknown): v is number => Number.isInteger(v) && Number(v) >= 0;
  const isVec = (v: unknown): v is Vec3 => Array.isArray(v) && v.length === 3 && v.every(isNumber);
  const isHandful = ({ vertices, offsets, stiffness }: Record<string, unknown>): boolean =>
    Array.isArray(vertices) && Array.isArray(offsets) && offsets.length === 3 * vertices.length &&
    vertices.length <= mostHeld && vertices.every(isIndex) && [...offsets, stiffness].every(isNumber);
  const isChange = (v: unknown): boolean => Array.isArray(v) && v.length === 2 && v.every((text) => typeof text === 'string');
  const isRebuild = ({ changes, name, value }: Record<string, unknown>): boolean =>
    Array.isArray(changes) && changes.length <= mostChanges && changes.every(isChange) && typeof name === 'string' && isNumber(value);
  let last = 0;
  for (const item of list as Record<string, unknown>[]) {
    const { step, kind, id } = item ?? {};
    const ordered = isIndex(step) && step >= last;
    const good =
      (kind === 'grab' && isNumber(id) && isHandful(item) && isVec(item.target)) ||
      (kind === 'drag' && isNumber(id) && isVec(item.target)) ||
      (kind === 'drop' && isNumber(id)) ||
      (kind === 'rebuild' && isRebuild(item)) ||
      (kind === 'set' && [item.path, item.value, item.name].every((text) => typeof text === 'string'));
    if (!ordered || !good) return fail('its recording is damaged');
    last = step;
  }
  return list as LabEvent[];
}
