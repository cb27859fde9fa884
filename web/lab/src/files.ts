// Scenes from files that a user opens: a scene, a mesh, or what this page has saved.
import type { Scene } from '@sinew/engine';

const surfaces = ['obj', 'stl', 'ply', 'off'];
const meshes = ['msh', 'mesh', 't', 'vtk', 'node'];

export type Opened =
  | { kind: 'scene'; name: string; text: string; files: Record<string, Uint8Array> }
  | { kind: 'mesh'; name: string; scene: Scene; files: Record<string, Uint8Array> }
  | { kind: 'state'; json: unknown };

export class OpenError extends Error {
  override readonly name = 'OpenError';
}

/** All files at once: a scene with its meshes, or a mesh. */
export async function open(list: File[]): Promise<Opened> {
  const files: Record<string, Uint8Array> = {};
  for (const file of list) files[file.name] = new Uint8Array(await file.arrayBuffer());
  const names = Object.keys(files);
  const endsWith = (endings: string[]): string | undefined => names.find((n) => endings.includes(n.split('.').at(-1)?.toLowerCase() ?? ''));

  const scene = endsWith(['json', 'jsonc']);
  if (scene !== undefined) {
    const text = new TextDecoder().decode(files[scene]);
    const saved = readSaved(text);
    if (saved !== null) return { kind: 'state', json: saved };
    delete files[scene];
    return { kind: 'scene', name: scene, text, files };
  }
  const surface = endsWith(surfaces);
  const mesh = surface ?? endsWith(meshes);
  if (mesh === undefined) {
    throw new OpenError(
      `${names.join(', ')}: this page opens scenes (.json), meshes of tetrahedra (${meshes.map((m) => `.${m}`).join(', ')}) and surfaces (${surfaces.map((m) => `.${m}`).join(', ')}).`,
    );
  }
  const body = surface === undefined ? { file: mesh } : { surface: { file: surface, tets: 12_000 } };
  return {
    kind: 'mesh',
    name: mesh,
    files,
    scene: {
      sinew: 1,
      name: mesh,
      time: { fps: 60, substeps: 2, duration: 1e6 },
      materials: { rubber: { youngs_modulus: 5e4, poisson_ratio: 0.4, density: 1000, damping: 2e-3 } },
      objects: { body: { mesh: body, material: 'rubber' } },
    } as Scene,
  };
}

/** The same scene with the body a metre in size, above a floor. `rest`: its vertices. */
export function onFloor(scene: Scene, rest: Float64Array): Scene {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (let k = 0; k < rest.length; ++k) {
    low[k % 3] = Math.min(low[k % 3] ?? 0, rest[k] ?? 0);
    high[k % 3] = Math.max(high[k % 3] ?? 0, rest[k] ?? 0);
  }
  const size = Math.max(...[0, 1, 2].map((c) => (high[c] ?? 0) - (low[c] ?? 0)));
  const scale = 1 / size;
  const middle = (c: number): number => ((low[c] ?? 0) + (high[c] ?? 0)) / 2;
  const body = (scene.objects as Record<string, object>).body;
  return {
    ...scene,
    objects: {
      body: {
        ...body,
        transform: { scale, translate: [-scale * middle(0), 0.2 - scale * (low[1] ?? 0), -scale * middle(2)] },
      },
    },
    contact: { friction: 0.4 },
    colliders: { floor: { shape: { half_space: {} } } },
  } as unknown as Scene;
}

const savedBy = 'sinew lab 1';
export function save(state: unknown): Blob {
  return new Blob([JSON.stringify({ saved_by: savedBy, state })], { type: 'application/json' });
}
function readSaved(text: string): unknown {
  try {
    const json = JSON.parse(text) as { saved_by?: unknown; state?: unknown };
    return json.saved_by === savedBy ? (json.state ?? null) : null;
  } catch {
    return null; // perhaps a scene with comments, which the engine reads
  }
}
