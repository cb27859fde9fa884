// The Worker: owns the engine and the lanes, takes steps in between messages, and sends a frame whenever the page has
// drawn the last one.
import { loadEngine, type Engine, type PlacedCollider, type Simulation } from '@sinew/engine';

import { failureOf, forPage, Lane } from './lane.ts';
import type { Action, FromWorker, LabEvent, LaneFrame, LaneRequest, Quantity, ToWorker } from './protocol.ts';

declare const self: {
  onmessage: ((event: MessageEvent<ToWorker>) => void) | null;
  postMessage(message: FromWorker, transfer?: Transferable[]): void;
};

const tell = (message: FromWorker, transfer: Transferable[] = []): void => self.postMessage(message, transfer);

let engine: Engine | null = null;
let lanes: Lane[] = [];
let moving = false; // some colliders, by keyframes
let show: { quantity: Quantity | null; contacts: boolean } = { quantity: null, contacts: false };
let playing = false;
let speed = 1;
let current = 0; // number of the load that is shown
let sent = 0; // frames
let drawn = 0; // the last of them that is
let changed = false; // since the last frame
const answers: number[] = []; // steps that were asked for, and whose frame is to come
let replay: LabEvent[] = [];
let next = 0; // of `replay`
let wall = 0; // [ms] of a step of all lanes

/** What the page may still read in the memory of both: until it has drawn a frame after `frame`, or had another load. */
let retired: { old: { dispose(): void }; load: number; frame: number }[] = [];
const retire = (old: { dispose(): void }): void => void retired.push({ old, load: current, frame: sent });
function free(isUnread: (of: { load: number; frame: number }) => boolean): void {
  for (const { old } of retired.filter(isUnread)) old.dispose();
  retired = retired.filter((of) => !isUnread(of));
}

const waiting = (): boolean => drawn < sent;

// [s] A page that falls behind the clock by more does not run to catch up.
const mostBehind = 0.2;
let clock = { wall: 0, simulated: 0 };

// A lane that has ended does not go on; the others do.
const lead = (): Lane | undefined => lanes.find((lane) => lane.failure === null) ?? lanes[0];
const taken = (): number => lead()?.stepsTaken ?? 0;
const time = (): number => lead()?.time ?? 0;

function setClock(): void {
  clock = { wall: performance.now(), simulated: time() };
}

/** `again`: from a recording. */
function act(action: Action, again = false): void {
  // All lanes or none: what the first refuses, the others would.
  try {
    for (const lane of lanes) if (!lane.failure) lane.act(action);
  } catch (error) {
    tell({ kind: 'refused', load: current, action, again, failure: failureOf(error) });
    return;
  }
  tell({ kind: 'acted', load: current, event: { ...action, step: taken() } as LabEvent, again });
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
  const watch = last || !waiting();
  for (const lane of lanes) lane.step(watch);
  wall = performance.now() - began;
  changed = true;
}

const everyLaneEnded = (): boolean => lanes.every((lane) => lane.failure !== null);

function sendFrame(): void {
  if (waiting() || lanes.length === 0) return;
  const shared = engine?.memory.buffer instanceof ArrayBuffer === false;
  const first = lead()?.simulation;
  const frames: LaneFrame[] = lanes.map((lane) => lane.frame(show.quantity, show.contacts, shared));
  const transfer = shared
    ? []
    : frames.flatMap((f) => [f.points.buffer, f.normals.buffer, ...(f.values ? [f.values.buffer] : [])]);
  tell(
    {
      kind: 'frame',
      load: current,
      frame: {
        number: ++sent,
        time: time(),
        step: taken(),
        stepSize: first?.stepSize ?? 0,
        wall,
        colliders: moving && first ? placed(first) : null,
        lanes: frames,
      },
    },
    transfer as Transferable[],
  );
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

const placed = (of: Simulation): PlacedCollider[] => of.colliders().map(({ handle }) => of.collider(handle));

function load(
  number: number,
  text: string,
  name: string,
  requests: LaneRequest[],
  files: Record<string, Uint8Array>,
  events: LabEvent[],
): void {
  if (!engine) return;
  // The page asks for a load when it has shown the last: of those before it reads nothing.
  free((of) => of.load < current);
  const made: Lane[] = [];
  try {
    // Read once for its errors, as JSON with comments; with the solver of the first lane, which has the others' keys.
    const resolved = engine.resolve(text, { name, files: {} }) as unknown as Record<string, unknown>;
    for (const [k, request] of requests.entries()) {
      const onProgress = ({ stage, share }: { stage: string; share: number }): void =>
        tell({ kind: 'progress', stage, share: (k + share) / requests.length });
      made.push(new Lane(engine, resolved, request, { name, files, onProgress }, retire));
    }
    const first = made[0];
    if (!first) return;
    const { simulation } = first;
    const loaded: FromWorker = {
      kind: 'loaded',
      load: number,
      lanes: made.map((lane) => lane.info()),
      colliders: placed(simulation),
      warnings: simulation.warnings.map(forPage),
      resolved,
    };
    for (const lane of lanes) retire(lane);
    lanes = made;
    current = number;
    drawn = sent; // what is left of the scene before is not drawn any more
    replay = events;
    next = 0;
    const described = resolved.colliders as Record<string, { motion?: { keyframes?: unknown[] } }> | undefined;
    moving = Object.values(described ?? {}).some((c) => (c.motion?.keyframes?.length ?? 0) > 0);
    tell(loaded);
    wall = 0;
    setClock();
    changed = true;
    sendFrame();
  } catch (error) {
    // The scene before goes on.
    if (lanes !== made) for (const lane of made) lane.dispose();
    tell({ kind: 'failed', load: number, failure: failureOf(error) });
  }
}

function resolve(id: number, text: string, name: string): void {
  if (!engine) return;
  try {
    tell({ kind: 'resolved', id, scene: engine.resolve(text, { name }) as unknown as Record<string, unknown> });
  } catch (error) {
    tell({ kind: 'resolved', id, failure: failureOf(error) });
  }
}

const mostSilent = 1000; // [ms]
function takeSteps(id: number, count: number): void {
  let spoke = performance.now();
  for (let k = 0; k < count && !everyLaneEnded(); ++k) {
    step(k === count - 1);
    if (performance.now() - spoke < mostSilent) continue;
    tell({ kind: 'alive' });
    spoke = performance.now();
  }
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
        .catch((error: unknown) => tell({ kind: 'failed', load: null, failure: failureOf(error) }));
      break;
    case 'load':
      load(data.load, data.scene, data.name, data.lanes, data.files, data.events);
      break;
    case 'resolve':
      resolve(data.id, data.scene, data.name);
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
      if (data.load === current) takeSteps(data.id, data.count);
      else tell({ kind: 'stepped', id: data.id });
      break;
    case 'act':
      if (data.load === current) act(data.action);
      break;
    case 'show':
      show = { quantity: data.quantity, contacts: data.contacts };
      changed = true;
      sendFrame();
      break;
    case 'drawn':
      drawn = Math.max(drawn, data.frame);
      free(({ frame }) => frame < data.frame);
      if ((changed || answers.length > 0) && !playing) sendFrame();
      break;
    case 'ping':
      tell({ kind: 'alive' });
      break;
  }
};
