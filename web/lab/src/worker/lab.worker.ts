// The Worker: owns the engine and the lanes, takes steps in between messages, and sends a frame whenever the page has
// drawn the last one.
import { loadEngine, type Engine } from '@sinew/engine';

import { failureOf, Lane } from './lane.ts';
import type { Action, FromWorker, LabEvent, LaneFrame, LaneRequest, Quantity, ToWorker } from './protocol.ts';

declare const self: {
  onmessage: ((event: MessageEvent<ToWorker>) => void) | null;
  postMessage(message: FromWorker, transfer?: Transferable[]): void;
};

const tell = (message: FromWorker, transfer: Transferable[] = []): void => self.postMessage(message, transfer);

let engine: Engine | null = null;
let lanes: Lane[] = [];
let colliders: { move: boolean } = { move: false };
let show: { quantity: Quantity | null; contacts: boolean } = { quantity: null, contacts: false };
let playing = false;
let speed = 1;
let waiting = false; // for the page to draw
let changed = false; // since the last frame
const answers: number[] = []; // steps that were asked for, and whose frame is to come
let replay: LabEvent[] = [];
let next = 0; // of `replay`
let wall = 0; // [ms] of a step of all lanes

// [s] A page that falls behind the clock by more does not run to catch up.
const mostBehind = 0.2;
let clock = { wall: 0, simulated: 0 };

// A lane that has ended does not go on; the others do.
const lead = (): Lane | undefined => lanes.find((lane) => lane.failure === null) ?? lanes[0];
const taken = (): number => lead()?.simulation.stepsTaken ?? 0;
const time = (): number => lead()?.simulation.time ?? 0;

function setClock(): void {
  clock = { wall: performance.now(), simulated: time() };
}

/** `again`: from a recording. */
function act(action: Action, again = false): void {
  // All lanes or none: what the first refuses, the others would.
  try {
    for (const lane of lanes) if (!lane.failure) lane.act(action);
  } catch (error) {
    tell({ kind: 'refused', action, failure: failureOf(error) });
    return;
  }
  tell({ kind: 'acted', event: { ...action, step: taken() } as LabEvent, again });
  changed = true;
}

/** `last`: of several that the page waits for. */
function step(last = false): void {
  for (; next < replay.length; ++next) {
    const event = replay[next];
    if (!event || event.step > taken()) break;
    act(event, true);
  }
  const began = performance.now();
  const watch = last || !waiting;
  for (const lane of lanes) lane.step(watch);
  wall = performance.now() - began;
  changed = true;
}

const everyLaneEnded = (): boolean => lanes.every((lane) => lane.failure !== null);

function sendFrame(): void {
  if (waiting || lanes.length === 0) return;
  const shared = engine?.memory.buffer instanceof ArrayBuffer === false;
  const first = lead()?.simulation;
  const frames: LaneFrame[] = lanes.map((lane) => lane.frame(show.quantity, show.contacts, shared));
  const transfer = shared
    ? []
    : frames.flatMap((f) => [f.points.buffer, f.normals.buffer, ...(f.values ? [f.values.buffer] : [])]);
  tell(
    {
      kind: 'frame',
      frame: {
        time: time(),
        step: taken(),
        wall,
        colliders: colliders.move && first ? first.colliders().map(({ handle }) => first.collider(handle)) : null,
        lanes: frames,
      },
    },
    transfer as Transferable[],
  );
  waiting = true;
  changed = false;
  for (const id of answers.splice(0)) tell({ kind: 'stepped', id });
}

// Messages are received between two turns. A turn of an earlier play does nothing.
const channel = new MessageChannel();
let play = 0;
channel.port1.onmessage = ({ data }: MessageEvent<number>): void => turn(data);
function turn(of: number): void {
  if (!playing || of !== play) return;
  const due = speed === 0 ? Infinity : clock.simulated + (speed * (performance.now() - clock.wall)) / 1000;
  const size = lanes[0]?.simulation.stepSize ?? 0;
  if (time() + size <= due) {
    step();
    if (speed > 0 && due - time() > mostBehind * speed) setClock();
  }
  if (changed) sendFrame();
  if (everyLaneEnded()) playing = false;
  const ahead = time() + size - due;
  if (ahead > 0 && speed > 0) setTimeout(turn, Math.max(1, (1000 * ahead) / speed), of);
  else channel.port2.postMessage(of);
}

function clear(): void {
  for (const lane of lanes) lane.dispose();
  lanes = [];
}

function load(
  id: number,
  text: string,
  name: string,
  requests: LaneRequest[],
  files: Record<string, Uint8Array>,
  events: LabEvent[],
  carry: boolean,
): void {
  if (!engine) return;
  const made: Lane[] = [];
  try {
    // Read once for its errors, as JSON with comments; with the solver of the first lane, which has the others' keys.
    const resolved = engine.resolve(text, { name, files: {} }) as unknown as Record<string, unknown>;
    for (const [k, request] of requests.entries()) {
      const onProgress = ({ stage, share }: { stage: string; share: number }): void =>
        tell({ kind: 'progress', stage, share: (k + share) / requests.length });
      made.push(new Lane(engine, resolved, request, { name, files, onProgress }));
    }
    if (carry && made.length === lanes.length) made.forEach((lane, k) => lane.goOnFrom(lanes[k]));
    clear();
    lanes = made;
    replay = events;
    next = 0;
    const first = made[0];
    if (!first) return;
    const described = resolved.colliders as Record<string, { motion?: { keyframes?: unknown[] } }> | undefined;
    colliders = { move: Object.values(described ?? {}).some((c) => (c.motion?.keyframes?.length ?? 0) > 0) };
    const infos = made.map((lane) => lane.info());
    tell({
      kind: 'loaded',
      id,
      stepSize: first.simulation.stepSize,
      lanes: infos,
      colliders: first.simulation.colliders().map(({ handle }) => first.simulation.collider(handle)),
      warnings: first.simulation.warnings,
      resolved,
    });
    wall = 0;
    setClock();
    changed = true;
    sendFrame();
  } catch (error) {
    // The scene before goes on.
    if (lanes !== made) for (const lane of made) lane.dispose();
    tell({ kind: 'failed', id, failure: failureOf(error) });
  }
}

function takeSteps(id: number, count: number): void {
  for (let k = 0; k < count && !everyLaneEnded(); ++k) step(k === count - 1);
  answers.push(id);
  sendFrame();
}

self.onmessage = ({ data }): void => {
  switch (data.kind) {
    case 'start':
      loadEngine({ base: data.base, ...(data.threads ? { threads: data.threads } : {}), onProgress: (p) => tell({ kind: 'progress', ...p }) })
        .then((loaded) => {
          engine = loaded;
          const shared = !(loaded.memory.buffer instanceof ArrayBuffer);
          const { lists, version, threads } = loaded;
          tell({ kind: 'started', lists, version, lanes: loaded.lanes, threads, shared });
        })
        .catch((error: unknown) => tell({ kind: 'failed', id: null, failure: failureOf(error) }));
      break;
    case 'load':
      load(data.id, data.scene, data.name, data.lanes, data.files, data.events, data.carry);
      break;
    case 'play':
      speed = data.speed;
      setClock();
      playing = true;
      channel.port2.postMessage(++play);
      break;
    case 'pause':
      playing = false;
      break;
    case 'step':
      takeSteps(data.id, data.count);
      break;
    case 'reset':
      for (const lane of lanes) lane.reset();
      replay = [];
      next = 0;
      setClock();
      changed = true;
      sendFrame();
      break;
    case 'act':
      act(data.action);
      break;
    case 'show':
      show = { quantity: data.quantity, contacts: data.contacts };
      changed = true;
      sendFrame();
      break;
    case 'drawn':
      waiting = false;
      if ((changed || answers.length > 0) && !playing) sendFrame();
      break;
  }
};
