// What the page has to know of a scene, read from the scene with all defaults.
import type { Vec3 } from '@sinew/engine';

import type { Needs } from '../panels/methods.ts';

/** What a solver has to be able to do. */
export function needsOf(resolved: Record<string, unknown>): Needs {
  const scene = resolved as {
    time?: { integrator?: string };
    objects?: Record<string, { mesh?: Record<string, unknown>; fibres?: unknown }>;
    materials?: Record<string, { damping?: number }>;
    bindings?: unknown[];
    contact?: unknown;
    colliders?: Record<string, unknown>;
  };
  const objects = Object.values(scene.objects ?? {});
  const hasColliders = Object.keys(scene.colliders ?? {}).length > 0;
  return {
    springs: objects.some(({ mesh }) => mesh?.chain !== undefined || mesh?.grid !== undefined) || (scene.bindings?.length ?? 0) > 0,
    quasistatic: scene.time?.integrator === 'quasistatic',
    contact: typeof scene.contact === 'object' || (scene.contact !== 'none' && hasColliders),
    damping: Object.values(scene.materials ?? {}).some(({ damping }) => (damping ?? 0) > 0),
    fibres: objects.some(({ fibres }) => typeof fibres === 'object' && fibres !== null),
  };
}

/** The colours that a scene gives its objects, by name. */
export function colorsOfObjects(resolved: Record<string, unknown>): Map<string, Vec3> {
  const objects = (resolved as { objects?: Record<string, { color?: Vec3 }> }).objects ?? {};
  return new Map(Object.entries(objects).flatMap(([name, { color }]) => (color ? [[name, color] as [string, Vec3]] : [])));
}
