// The hand: grabs what the pointer, a finger or the keyboard takes hold of, in all lanes at once.
import { Vector3 } from 'three';
import type { Vec3 } from '@sinew/engine';

import type { Hit, Stage } from './view/stage.ts';
import type { Action } from './worker/protocol.ts';

/** [N/m/kg] The springs of a hand in all: a body hangs 1 cm below it. */
const handStiffness = 1000;
const keyStep = 0.04; // of the distance to the camera

export class Hand {
  readonly #stage: Stage;
  readonly #act: (action: Action) => void;
  readonly #say: (words: string) => void;
  #held: { id: number; lane: number; pointer: number | null; place: Vector3 } | null = null;
  #count = 0;
  #moved = false;

  constructor(stage: Stage, act: (action: Action) => void, say: (words: string) => void) {
    this.#stage = stage;
    this.#act = act;
    this.#say = say;
    const { canvas } = stage;
    // Before the camera's own listener, which must not turn while a body is held.
    canvas.addEventListener('pointerdown', (e) => this.#down(e), { capture: true });
    canvas.addEventListener('pointermove', (e) => this.#move(e));
    for (const end of ['pointerup', 'pointercancel', 'lostpointercapture'] as const) canvas.addEventListener(end, (e) => this.#up(e));
    canvas.addEventListener('keydown', (e) => this.#key(e));
  }

  /** Bodies are others: nothing is held. `last`: the hands of a recording have numbers up to this. */
  forget(last = this.#count): void {
    this.#held = null;
    this.#count = last;
    this.#stage.controls.enabled = true;
  }

  #down(event: PointerEvent): void {
    if (event.button !== 0 || this.#held) return;
    const { x, y } = this.#at(event);
    const hit = this.#stage.hit(x, y, event.pointerType === 'touch' ? 36 : 20);
    if (!hit) return;
    this.#stage.controls.enabled = false;
    this.#stage.canvas.setPointerCapture(event.pointerId);
    this.#take(hit, event.pointerId);
  }
  #take(hit: Hit, pointer: number | null): void {
    const id = ++this.#count;
    this.#held = { id, lane: hit.lane, pointer, place: hit.position.clone() };
    this.#act({
      kind: 'grab',
      id,
      vertices: hit.vertices,
      offsets: hit.offsets.map(short),
      stiffness: short((handStiffness * hit.mass) / hit.vertices.length),
      target: rounded(hit.position),
    });
  }
  #move(event: PointerEvent): void {
    const held = this.#held;
    if (!held || held.pointer !== event.pointerId) return;
    const { x, y } = this.#at(event);
    held.place.copy(this.#stage.onPlane(held.lane, x, y, held.place));
    this.#drag();
  }
  // Once a picture is often enough.
  #drag(): void {
    if (this.#moved) return;
    this.#moved = true;
    requestAnimationFrame(() => {
      this.#moved = false;
      if (this.#held) this.#act({ kind: 'drag', id: this.#held.id, target: rounded(this.#held.place) });
    });
  }
  #up(event: PointerEvent): void {
    if (!this.#held || this.#held.pointer !== event.pointerId) return;
    this.#drop();
  }
  #drop(): void {
    if (!this.#held) return;
    this.#act({ kind: 'drag', id: this.#held.id, target: rounded(this.#held.place) });
    this.#act({ kind: 'drop', id: this.#held.id });
    this.forget();
  }

  #key(event: KeyboardEvent): void {
    const { camera, controls } = this.#stage;
    const arrows: Record<string, [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
    const arrow = arrows[event.key];
    if (event.key === 'g') {
      if (this.#held) {
        this.#drop();
        this.#say('Let go.');
      } else {
        const box = this.#stage.boxes()[0];
        const hit = box && this.#stage.hit(box.left + box.width / 2, box.top + box.height / 2, Infinity);
        if (!hit) this.#say('There is no body in the middle of the picture.');
        else {
          this.#take(hit, null);
          this.#say('Holding the body in the middle. Arrows pull it, g lets go.');
        }
      }
    } else if (event.key === 'Escape' && this.#held) {
      this.#drop();
    } else if (arrow) {
      const [x, y] = arrow;
      if (this.#held) {
        const far = keyStep * camera.position.distanceTo(this.#held.place);
        const right = new Vector3().setFromMatrixColumn(camera.matrixWorld, 0);
        const up = new Vector3().setFromMatrixColumn(camera.matrixWorld, 1);
        this.#held.place.addScaledVector(right, x * far).addScaledVector(up, y * far);
        this.#drag();
      } else {
        const from = camera.position.clone().sub(controls.target);
        from.applyAxisAngle(new Vector3(0, 1, 0), -0.1 * x);
        const side = new Vector3(0, 1, 0).cross(from).normalize();
        const turned = from.clone().applyAxisAngle(side, -0.1 * y);
        if (Math.abs(turned.y) < 0.99 * turned.length()) from.copy(turned);
        camera.position.copy(controls.target).add(from);
        this.#stage.onCamera();
      }
    } else if (event.key === '+' || event.key === '=' || event.key === '-') {
      camera.position.sub(controls.target).multiplyScalar(event.key === '-' ? 1.1 : 1 / 1.1).add(controls.target);
      this.#stage.onCamera();
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  #at(event: PointerEvent): { x: number; y: number } {
    const box = this.#stage.canvas.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }
}

/** To five digits, so that recordings stay small; what is played back has the same. */
function short(value: number): number {
  return Number(value.toPrecision(5));
}
function rounded(v: Vector3): Vec3 {
  return v.toArray().map(short) as Vec3;
}
