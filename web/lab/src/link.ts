// Links that hold the state of the page: JSON, deflated, in the part of the address behind #.
import { colorings, mostBudget, mostMethods, speeds, type LabState, type Method, type Triple, type Value, type Values } from './state.ts';
import { checkEvents } from './worker/protocol.ts';

const mark = '#1.';
/** Browsers and messengers cut longer addresses. */
export const longestLink = 16_000;

export class LinkError extends Error {
  override readonly name = 'LinkError';
}

export async function encode(state: LabState): Promise<string> {
  const bytes = await pump(new TextEncoder().encode(JSON.stringify(state)), new CompressionStream('deflate-raw'));
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return mark + btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** null: the address holds no state. Throws a LinkError where it is damaged. */
export async function decode(hash: string, known: (scene: string) => boolean): Promise<LabState | null> {
  if (hash === '' || hash === '#') return null;
  if (!hash.startsWith(mark)) throw new LinkError('The address is not one of this page.');
  let json: unknown;
  try {
    const text = atob(hash.slice(mark.length).replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(text, (c) => c.charCodeAt(0));
    json = JSON.parse(new TextDecoder().decode(await pump(bytes, new DecompressionStream('deflate-raw'))));
  } catch {
    throw new LinkError('The link is damaged: a part of it is missing or was changed.');
  }
  return check(json, known);
}

async function pump(bytes: Uint8Array<ArrayBuffer>, through: CompressionStream | DecompressionStream): Promise<Uint8Array> {
  const stream = new Blob([bytes]).stream().pipeThrough(through);
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** The same state from any JSON, or a LinkError that says what is wrong. */
export function check(json: unknown, known: (scene: string) => boolean): LabState {
  const state = object(json, 'the link');
  const scene = text(state.scene, 'scene');
  const own = state.own === null || state.own === undefined ? null : text(state.own, 'own');
  if (!known(scene) && !(scene === 'own' && own !== null)) fail(`there is no scene "${scene}"`);
  if (!Array.isArray(state.methods) || state.methods.length < 1 || state.methods.length > mostMethods) {
    fail(`it has to have 1 to ${mostMethods} methods`);
  }
  const methods = (state.methods as unknown[]).map((item): Method => {
    const m = object(item, 'a method');
    return {
      type: text(m.type, 'type'),
      accelerator: text(m.accelerator, 'accelerator'),
      options: values(m.options),
      acceleratorOptions: values(m.acceleratorOptions),
    };
  });
  const budget = object(state.budget, 'budget');
  const kind = oneOf(budget.kind, ['iterations', 'milliseconds'] as const, 'budget.kind');
  const amount = number(budget.value, 'budget.value');
  if (!(amount > 0 && amount <= mostBudget) || (kind === 'iterations' && !Number.isInteger(amount))) {
    fail(`budget.value has to be above 0, and ${mostBudget} at most`);
  }
  const view = object(state.view, 'view');
  const camera = view.camera === null ? null : cameraOf(object(view.camera, 'view.camera'));
  return {
    scene,
    own,
    name: typeof state.name === 'string' ? state.name : '',
    values: values(state.values),
    methods,
    budget: { kind, value: amount },
    view: {
      color: oneOf(view.color, colorings, 'view.color'),
      wireframe: view.wireframe === true,
      contacts: view.contacts === true,
      speed: oneOf(view.speed, speeds, 'view.speed'),
      camera,
    },
    events: checkEvents(state.events, fail),
  };
}

function fail(what: string): never {
  throw new LinkError(`The link cannot be used: ${what}.`);
}
function object(value: unknown, what: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) fail(`${what} is missing`);
  return value as Record<string, unknown>;
}
function text(value: unknown, what: string): string {
  if (typeof value !== 'string') fail(`${what} is not a word`);
  return value;
}
function number(value: unknown, what: string): number {
  if (typeof value !== 'number' || !Number.isFinite(value)) fail(`${what} is not a number`);
  return value;
}
function triple(value: unknown): Triple {
  if (!Array.isArray(value) || value.length !== 3) fail('the camera has no place');
  const [x, y, z] = value as unknown[];
  return [number(x, 'camera'), number(y, 'camera'), number(z, 'camera')];
}
const farthest = 1e4; // [m] of a camera from the origin
function cameraOf({ position, target }: Record<string, unknown>): { position: Triple; target: Triple } {
  const camera = { position: triple(position), target: triple(target) };
  if (![...camera.position, ...camera.target].every((c) => Math.abs(c) <= farthest)) fail('its camera is too far away');
  const away = Math.hypot(...camera.position.map((c, k) => c - (camera.target[k] ?? 0)));
  if (!(away > 1e-6)) fail('its camera is where it looks at');
  return camera;
}
function oneOf<T>(value: unknown, allowed: readonly T[], what: string): T {
  if (!allowed.includes(value as T)) fail(`${what} is none of ${allowed.join(', ')}`);
  return value as T;
}
function values(value: unknown): Values {
  const all = object(value, 'a list of values');
  for (const [key, item] of Object.entries(all)) {
    const finite = typeof item === 'number' && Number.isFinite(item);
    if (!finite && typeof item !== 'string' && typeof item !== 'boolean') fail(`${key} has no value`);
  }
  return all as Record<string, Value>;
}
