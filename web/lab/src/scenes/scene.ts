// What a scene of the gallery is.
import type { Scene } from '@sinew/engine';

import type { Budget, Method, Triple, Value, Values } from '../state.ts';
import type { Change } from '../worker/protocol.ts';

/** A control of the scene itself; those of solvers come from the engine's tables. */
export interface Parameter {
  name: string;
  label: string;
  help: string;
  unit: string;
  kind: 'number' | 'whole' | 'choice';
  low: number;
  high: number;
  /** Equal steps of the slider are equal factors. 0 can be typed where `zero` says what it means. */
  log?: boolean;
  zero?: string;
  choices?: string[];
  value: Value;
  /** What changes in a running simulation; without it the scene begins anew. */
  live?: (value: number) => Change[];
  /** What is built again, with bodies that go on from where they are. */
  rebuild?: (value: number) => Change[];
}

export interface GalleryScene {
  id: string;
  title: string;
  /** What is seen. */
  text: string;
  /** What to try. */
  hints: string[];
  parameters: Parameter[];
  methods: Method[];
  budget: Budget;
  build(values: Values): Scene;
  camera: { position: Triple; target: Triple };
  /** Points of an object of springs that are the corners of a sheet, drawn as one. */
  sheet?: (values: Values) => { object: string; columns: number; rows: number } | null;
  /** The panel with the steps of the algorithm. */
  equations?: boolean;
}

export function numberOf(values: Values, name: string): number {
  return Number(values[name]);
}
