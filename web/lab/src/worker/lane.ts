// One solver on the scene: its simulation, and what the page is shown of it.
import { SinewError, type Engine, type Grab, type Simulation, type StepReport, type Vec3 } from '@sinew/engine';

import type { Action, Change, Failure, LaneFrame, LaneInfo, LaneRequest, Quantity } from './protocol.ts';

/** [s] With the stiffness of hand.ts, a held body does not swing. */
const handDamping = 0.063;

/** What the engine says to those who call it or type commands, in words for who opens files in a page. */
export function forPage(text: string): string {
  return text
    .replaceAll(' (by --set)', '')
    .replaceAll(/ \(--[\w-]+\)/g, '')
    .replaceAll(/give its bytes, files: \{.*?\}/g, 'open it together with the file that names it');
}

export function failureOf(error: unknown): Failure {
  if (error instanceof SinewError) return { where: forPage(error.where), what: forPage(error.what), remedy: forPage(error.remedy) };
  return { where: 'the page', what: String(error), remedy: 'reload it' };
}

type Options = Parameters<Engine['create']>[1];
/** Takes what the page may still read, to dispose of it later. */
export type Retire = (old: { dispose(): void }) => void;

export class Lane {
  readonly label: string;
  simulation: Simulation;
  failure: Failure | null = null;
  #report: StepReport | null = null;
  #relative = NaN;
  #residual = NaN;
  #curve: LaneFrame['curve'] = null;
  #held = new Map<number, { grab: Grab; offset: Vec3 }[]>();
  #hands = new Map<number, Extract<Action, { kind: 'grab' }>>();
  #changes = new Map<string, string>(); // since it was made
  #before = { steps: 0, time: 0 }; // of the simulations that it had
  readonly #make: () => Simulation;
  readonly #retire: Retire;

  constructor(engine: Engine, scene: Record<string, unknown>, request: LaneRequest, options: Options, retire: Retire) {
    this.label = request.label;
    this.#retire = retire;
    this.#make = () => {
      const overrides = [...this.#changes].map(([path, value]) => `${path}=${value}`);
      const made = engine.create({ ...scene, solver: request.solver } as Parameters<Engine['create']>[0], { ...options, overrides });
      made.keepChanges(false); // the page keeps its own record, of all lanes
      return made;
    };
    this.simulation = this.#make();
  }

  get stepsTaken(): number {
    return this.#before.steps + this.simulation.stepsTaken;
  }
  /** [s] */
  get time(): number {
    return this.#before.time + this.simulation.time;
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

  /** Another simulation with changes, in which bodies go on from where they are, and hands hold on. */
  #rebuild(changes: Change[]): void {
    const kept = new Map(this.#changes);
    const old = this.simulation;
    const before = { steps: this.stepsTaken, time: this.time };
    for (const [path, value] of changes) this.#changes.set(path, value);
    let next: Simulation | null = null;
    try {
      next = this.#make();
      next.setState(old.positions64().slice(), old.velocities64().slice());
    } catch (error) {
      next?.dispose();
      this.#changes = kept;
      throw error;
    }
    this.simulation = next;
    this.#before = before;
    this.#retire(old);
    this.#held.clear();
    for (const hand of this.#hands.values()) this.#hold(hand);
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
      case 'grab':
        this.act({ kind: 'drop', id: action.id });
        this.#hold(action);
        this.#hands.set(action.id, action);
        break;
      case 'drag': {
        const hand = this.#hands.get(action.id);
        if (hand) this.#hands.set(action.id, { ...hand, target: action.target });
        this.#carry(action.id, action.target);
        break;
      }
      case 'drop':
        for (const { grab } of this.#held.get(action.id) ?? []) s.removeGrab(grab);
        this.#held.delete(action.id);
        this.#hands.delete(action.id);
        break;
      case 'set':
        s.set(action.path, action.value);
        this.#changes.set(action.path, action.value);
        break;
      case 'rebuild':
        this.#rebuild(action.changes);
        break;
    }
  }

  #hold({ id, vertices, offsets, stiffness, target }: Extract<Action, { kind: 'grab' }>): void {
    const options = stiffness > 0 ? { stiffness, damping: handDamping } : {};
    this.#held.set(
      id,
      vertices.map((vertex, k) => ({
        grab: this.simulation.addGrab(vertex, options),
        offset: [0, 1, 2].map((c) => offsets[3 * k + c] ?? 0) as Vec3,
      })),
    );
    this.#carry(id, target);
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
    this.simulation.dispose();
  }
}
