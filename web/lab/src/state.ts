// What the page shows, and how: all that a link holds.
import type { Lists } from '@sinew/engine';

import type { LabEvent } from './worker/protocol.ts';

export type Value = number | string | boolean;
export type Values = Record<string, Value>;

/** One solver, with the options that differ from its defaults. */
export interface Method {
  type: string;
  accelerator: string;
  options: Values;
  acceleratorOptions: Values;
}

/** What each solver may spend on a step: so many iterations, or so many milliseconds. */
export interface Budget {
  kind: 'iterations' | 'milliseconds';
  value: number;
}

export const colorings = ['object', 'strain', 'von_mises'] as const;
export type Coloring = (typeof colorings)[number];

export interface View {
  color: Coloring;
  wireframe: boolean;
  contacts: boolean;
  /** Seconds of simulated time in one of the clock; 0: as fast as it goes. */
  speed: number;
  camera: { position: Triple; target: Triple } | null;
}
export type Triple = [number, number, number];

export interface LabState {
  scene: string;
  values: Values;
  /** A scene as JSON, for the scene "own". */
  own: string | null;
  /** Of the file that it came from. */
  name: string;
  methods: Method[];
  budget: Budget;
  view: View;
  /** What was done to the bodies, to be done again. */
  events: LabEvent[];
}

export const mostMethods = 4;
/** Iterations or milliseconds: a step that takes longer is no longer played with. */
export const mostBudget = 10_000;
export const speeds = [0.1, 0.25, 0.5, 1, 2, 0] as const;

export function method(type: string, options: Values = {}, accelerator = 'none', acceleratorOptions: Values = {}): Method {
  return { type, accelerator, options, acceleratorOptions };
}

/** A name of the engine as people write it. */
export function spelled(name: string): string {
  return name.replaceAll('_', ' ');
}

/** The name of a method in legends: with what sets it apart from others of its type. */
export function labelOf(m: Method): string {
  const settings = [...Object.entries(m.options), ...Object.entries(m.acceleratorOptions)];
  const name = m.accelerator === 'none' ? m.type : `${m.type} + ${m.accelerator}`;
  return settings.length === 0 ? name : `${name}, ${settings.map(([key, value]) => `${spelled(key)} ${spelled(String(value))}`).join(', ')}`;
}

/** `solver` of a scene. */
export function solverOf(m: Method, budget: Budget): Record<string, unknown> {
  const limit =
    budget.kind === 'iterations' ? { iterations: budget.value } : { time_budget: budget.value, iterations: 1_000_000 };
  const solver: Record<string, unknown> = { ...m.options, type: m.type, ...limit };
  if (m.accelerator !== 'none') solver.accelerator = { type: m.accelerator, ...m.acceleratorOptions };
  return solver;
}

/** The other way round: what a scene with all defaults has as its solver. */
export function methodOf(solver: Record<string, unknown>, lists: Lists): Method {
  const chosen = (from: Record<string, unknown>, options: { name: string; defaultValue?: unknown }[]): Values =>
    Object.fromEntries(
      options.filter(({ name, defaultValue }) => name in from && from[name] !== defaultValue).map(({ name }) => [name, from[name] as Value]),
    );
  const type = String(solver.type);
  const described = lists.solvers.find((s) => s.name === type);
  // When a step ends is the matter of the budget.
  const common = (described?.commonOptions ?? []).filter(({ name }) => !/iterations|tolerance|check_every|time_budget/.test(name));
  const { accelerator } = solver;
  const accelerated = typeof accelerator === 'object' && accelerator !== null ? (accelerator as Record<string, unknown>) : {};
  const name = String(accelerated.type ?? accelerator ?? 'none');
  return {
    type,
    accelerator: name,
    options: chosen(solver, [...(described?.options ?? []), ...common]),
    acceleratorOptions: chosen(accelerated, lists.accelerators.find((a) => a.name === name)?.options ?? []),
  };
}
