// One solver on the scene: its simulation, and what the page is shown of it.
import { SinewError, type Engine, type Grab, type Simulation, type StepReport, type Vec3 } from '@sinew/engine';

import type { Action, Failure, LaneFrame, LaneInfo, LaneRequest, Quantity } from './protocol.ts';

/** [s] With the stiffness of hand.ts, a held body does not swing. */
const handDamping = 0.063;

export function failureOf(error: unknown): Failure {
  if (error instanceof SinewError) return { where: error.where, what: error.what, remedy: error.remedy };
  return { where: 'the page', what: String(error), remedy: 'reload it' };
}

export class Lane {
  readonly label: string;
  readonly simulation: Simulation;
  failure: Failure | null = null;
  #report: StepReport | null = null;
  #relative = NaN;
  #residual = NaN;
  #curve: LaneFrame['curve'] = null;
  #held = new Map<number, { grab: Grab; offset: Vec3 }[]>();
  #start;

  constructor(engine: Engine, scene: Record<string, unknown>, request: LaneRequest, options: Parameters<Engine['create']>[1]) {
    this.label = request.label;
    this.simulation = engine.create({ ...scene, solver: request.solver } as Parameters<Engine['create']>[0], options);
    this.simulation.keepChanges(false); // the page keeps its own record, of all lanes
    this.#start = this.simulation.save();
  }

  info(): LaneInfo {
    const s = this.simulation;
    const masses = s.masses().slice();
    const rest = s.restPositions().slice();
    const { triangles, edges, vertices, objects } = s.surface();
    return {
      label: this.label,
      vertexCount: s.vertexCount,
      elementCount: s.elementCount,
      springCount: edges.length / 2,
      masses,
      rest,
      objectMasses: s.objects().map((o) => masses.subarray(o.firstVertex, o.lastVertex).reduce((sum, m) => sum + m, 0)),
      mesh: { triangles: triangles.slice(), edges: edges.slice(), vertices: vertices.slice(), objects },
    };
  }

  /** Takes over positions and velocities; where it cannot, it starts anew. */
  goOnFrom(other: Lane | undefined): void {
    const from = other?.simulation;
    if (!from || other.failure || from.vertexCount !== this.simulation.vertexCount) return;
    try {
      this.simulation.setState(from.positions64().slice(), from.velocities64().slice());
    } catch {
      // Pins have moved on in the other.
    }
  }

  reset(): void {
    this.simulation.restore(this.#start);
    this.#held.clear();
    this.failure = null;
    this.#report = null;
    this.#curve = null;
    this.#residual = this.#relative = NaN;
  }

  /** A lane whose state would no longer be finite ends, and keeps the last good one. */
  step(watch: boolean): void {
    if (this.failure) return;
    try {
      // Residuals cost as much as a few sweeps: only those that are shown are evaluated.
      this.simulation.observe(watch ? 'iterations' : 'none');
      this.#report = this.simulation.step();
    } catch (error) {
      this.failure = failureOf(error);
      return;
    }
    const curve = this.#report.curve;
    if (!watch || !curve || curve.length === 0) return;
    this.#curve = curve;
    this.#residual = curve[curve.length - 1]?.residual ?? NaN;
    this.#relative = this.#residual / (curve[0]?.residual ?? NaN);
  }

  act(action: Action): void {
    const s = this.simulation;
    switch (action.kind) {
      case 'grab': {
        this.act({ kind: 'drop', id: action.id });
        const options = action.stiffness > 0 ? { stiffness: action.stiffness, damping: handDamping } : {};
        this.#held.set(
          action.id,
          action.vertices.map((vertex, k) => ({
            grab: s.addGrab(vertex, options),
            offset: [0, 1, 2].map((c) => action.offsets[3 * k + c] ?? 0) as Vec3,
          })),
        );
        this.#carry(action.id, action.target);
        break;
      }
      case 'drag':
        this.#carry(action.id, action.target);
        break;
      case 'drop':
        for (const { grab } of this.#held.get(action.id) ?? []) s.removeGrab(grab);
        this.#held.delete(action.id);
        break;
      case 'set':
        s.set(action.path, action.value);
        break;
    }
  }

  #carry(id: number, [x, y, z]: Vec3): void {
    for (const { grab, offset } of this.#held.get(id) ?? []) {
      this.simulation.moveGrab(grab, [x + offset[0], y + offset[1], z + offset[2]]);
    }
  }

  /** `shared`: its arrays may be read by the page where they are; else they are copied. */
  frame(quantity: Quantity | null, contacts: boolean, shared: boolean): LaneFrame {
    const s = this.simulation;
    const own = (array: Float32Array): Float32Array => (shared ? array : array.slice());
    const values = quantity ? own(s.surfaceQuantity(quantity)) : null;
    const { points, normals } = s.surface();
    const evaluation = this.#report?.evaluated ? this.#report.evaluation : null;
    return {
      points: own(points),
      normals: own(normals),
      values,
      contacts: contacts
        ? Float32Array.from(s.contacts().flatMap(({ position, force }) => [...position, ...force]))
        : null,
      milliseconds: this.#report?.milliseconds.solve ?? 0,
      iterations: this.#report?.iterations ?? 0,
      residual: this.#residual,
      relative: this.#relative,
      energy: evaluation?.energy ?? NaN,
      inverted: evaluation?.inverted ?? 0,
      touching: evaluation?.contacts ?? 0,
      curve: this.#curve,
      failure: this.failure,
    };
  }

  dispose(): void {
    this.#start.dispose();
    this.simulation.dispose();
  }
}
