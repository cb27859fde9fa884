export { Comparison, type ComparisonOptions, type ComparisonPoint, type Method } from './comparison.js';
export { Engine, type CreateOptions } from './engine.js';
export { SinewError } from './errors.js';
export type * from './generated/scene.js';
export type * from './lists.js';
export { loadEngine, type LoadOptions } from './load.js';
export type { CurvePoint, Evaluation, SolveStatus, StepReport } from './reports.js';
export { Simulation, type Observation } from './simulation.js';
export type * from './values.js';
