// What the page and its Worker tell each other. The Worker owns the engine: the page shows what it sends.
import type { CurvePoint, Lists, PlacedCollider, Vec3 } from '@sinew/engine';

/** What a user does to all lanes at once. `step`: the steps that had been taken. */
export type LabEvent =
  /** A handful of vertices, each at its offset from the hand; stiffness [N/m] of each, 0: what suits the body. */
  | { step: number; kind: 'grab'; id: number; vertices: number[]; offsets: number[]; stiffness: number; target: Vec3 }
  | { step: number; kind: 'drag'; id: number; target: Vec3 }
  | { step: number; kind: 'drop'; id: number }
  /** name: of the scene's parameter, or `budget`, that it belongs to */
  | { step: number; kind: 'set'; path: string; value: string; name: string };
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
      id: number;
      scene: string;
      name: string;
      lanes: LaneRequest[];
      files: Record<string, Uint8Array>;
      events: LabEvent[];
      /** Bodies go on from where they are, if the new scene has as many vertices. */
      carry: boolean;
    }
  | { kind: 'play'; speed: number }
  | { kind: 'pause' }
  | { kind: 'step'; id: number; count: number }
  | { kind: 'reset' }
  | { kind: 'act'; action: Action }
  | { kind: 'show'; quantity: Quantity | null; contacts: boolean }
  | { kind: 'drawn' };

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
  time: number;
  step: number;
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
      id: number;
      stepSize: number;
      lanes: LaneInfo[];
      colliders: PlacedCollider[];
      warnings: string[];
      /** The scene with all defaults. */
      resolved: Record<string, unknown>;
    }
  | { kind: 'frame'; frame: Frame }
  | { kind: 'stepped'; id: number }
  /** again: from a recording */
  | { kind: 'acted'; event: LabEvent; again: boolean }
  | { kind: 'refused'; action: Action; failure: Failure }
  | { kind: 'failed'; id: number | null; failure: Failure };

export const mostEvents = 200_000;
/** Vertices in a hand. */
export const mostHeld = 32;

/** Events from a link. `fail` says what is wrong with them. */
export function checkEvents(list: unknown, fail: (what: string) => never): LabEvent[] {
  if (!Array.isArray(list) || list.length > mostEvents) return fail('its recording is damaged');
  const isNumber = (v: unknown): v is number => typeof v === 'number' && Number.isFinite(v);
  const isVec = (v: unknown): v is Vec3 => Array.isArray(v) && v.length === 3 && v.every(isNumber);
  const isHandful = ({ vertices, offsets, stiffness }: Record<string, unknown>): boolean =>
    Array.isArray(vertices) && Array.isArray(offsets) && offsets.length === 3 * vertices.length &&
    vertices.length <= mostHeld && [...vertices, ...offsets, stiffness].every(isNumber);
  let last = 0;
  for (const item of list as Record<string, unknown>[]) {
    const { step, kind, id } = item ?? {};
    const ordered = isNumber(step) && step >= last;
    const good =
      (kind === 'grab' && isNumber(id) && isHandful(item) && isVec(item.target)) ||
      (kind === 'drag' && isNumber(id) && isVec(item.target)) ||
      (kind === 'drop' && isNumber(id)) ||
      (kind === 'set' && [item.path, item.value, item.name].every((text) => typeof text === 'string'));
    if (!ordered || !good) return fail('its recording is damaged');
    last = step;
  }
  return list as LabEvent[];
}
