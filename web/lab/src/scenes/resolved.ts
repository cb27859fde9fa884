// What the page has to know of a scene, read from the scene with all defaults.
import type { Vec3 } from '@sinew/engine';

import type { Needs } from '../panels/methods.ts';

/** What a solver has to be able to do. */
export function needsOf(resolved: Record<string, unknown>): Needs {
  const scene = resolved as {
    time?: { integrator?: string };
    objects?: Record<string, { mesh?: Record<string, unknown>; fibres?: unknown; element?: string }>;
    materials?: Record<string, { damping?: number; model?: string }>;
    grid?: unknown;
    bindings?: unknown[];
    contact?: unknown;
    colliders?: Record<string, unknown>;
  };
  const objects = Object.values(scene.objects ?? {});
  const materials = Object.values(scene.materials ?? {});
  const onGrid = typeof scene.grid === 'object' && scene.grid !== null;
  const hasColliders = Object.keys(scene.colliders ?? {}).length > 0;
  return {
    springs: objects.some(({ mesh }) => mesh?.chain !== undefined || mesh?.grid !== undefined) || (scene.bindings?.length ?? 0) > 0,
    quasistatic: scene.time?.integrator === 'quasistatic',
    contact: typeof scene.contact === 'object' || (scene.contact !== 'none' && hasColliders && !onGrid),
    damping: materials.some(({ damping }) => (damping ?? 0) > 0),
    fibres: objects.some(({ fibres }) => typeof fibres === 'object' && fibres !== null),
    grid: onGrid,
    quadratic: objects.some(({ element }) => element === 'quadratic'),
    materials: [...new Set(materials.flatMap(({ model }) => model ?? []))],
  };
}

/** Points of objects of springs that pins hold by their numbers. */
export function pinnedPoints(resolved: Record<string, unknown>, objects: { name: string; firstPoint: number }[]): number[] {
  const { pins = [] } = resolved as { pins?: { object: string; select: { indices?: number[] } }[] };
  return pins.flatMap(({ object, select }) => {
    const first = objects.find(({ name }) => name === object)?.firstPoint ?? 0;
    return (select.indices ?? []).map((k) => first + k);
  });
}

/** The colours that a scene gives its objects, by name. */
export function colorsOfObjects(resolved: Record<string, unknown>): Map<string, Vec3> {
  const objects = (resolved as { objects?: Record<string, { color?: Vec3 }> }).objects ?? {};
  return new Map(Object.entries(objects).flatMap(([name, { color }]) => (color ? [[name, color] as [string, Vec3]] : [])));
}
