import type { CreateOptions, Engine } from './engine.js';
import type { Scene, SolverSettings } from './generated/scene.js';
import type { CurvePoint, StepReport } from './reports.js';
import type { Simulation } from './simulation.js';

/** One way to solve: the scene's `solver`, without what the comparison decides over. */
export interface Method {
  /** By default the solver's name, with its accelerator. */
  label?: string;
  solver: SolverSettings;
}

export interface ComparisonOptions extends CreateOptions {
  /** Of each method in each step. By default those of the scene. */
  iterations?: number;
  /** [ms] Instead: the solver time of each method in each step. */
  milliseconds?: number;
}

/** Residuals over the one of the step's initial guess. */
export interface ComparisonPoint extends CurvePoint {
  relative: number;
}

// What decides when a step ends is the same for all.
const decided = ['iterations', 'tolerance', 'relative_tolerance', 'check_every', 'time_budget'];
const mostIterations = 1_000_000;

/**
 * Methods on the same scene, step by step, each on its own trajectory, with equal iterations or equal milliseconds.
 * The curves of the last step are in `curves`, in the order of the methods.
 */
export class Comparison {
  readonly labels: string[];
  readonly simulations: Simulation[] = [];
  curves: ComparisonPoint[][] = [];

  constructor(engine: Engine, scene: Scene | string, methods: Method[], options: ComparisonOptions = {}) {
    const { iterations, milliseconds, ...create } = options;
    // With files the scene is checked as it is created; defaults are those of each method.
    const base = typeof scene === 'string' ? engine.resolve(scene, create) : scene;
    const given = (base.solver ?? {}) as Record<string, unknown>;
    this.labels = methods.map(({ label, solver }) => label ?? labelOf(solver));
    try {
      for (const method of methods) {
        const solver: Record<string, unknown> = Object.fromEntries(
          Object.entries(method.solver).filter(([name]) => !decided.includes(name)),
        );
        if (milliseconds !== undefined) {
          Object.assign(solver, { time_budget: milliseconds, iterations: mostIterations });
        } else if (iterations !== undefined) {
          solver.iterations = iterations;
        } else if (given.iterations !== undefined) {
          solver.iterations = given.iterations;
        }
        const simulation = engine.create({ ...base, solver: solver as SolverSettings }, create);
        this.simulations.push(simulation);
        simulation.observe('iterations');
      }
    } catch (error) {
      this.dispose();
      throw error;
    }
  }

  /** A step of each. */
  step(): StepReport[] {
    const reports = this.simulations.map((simulation) => simulation.step());
    this.curves = reports.map(({ curve = [] }) => {
      const first = curve[0]?.residual ?? NaN;
      return curve.map((point) => ({ ...point, relative: point.residual / first }));
    });
    return reports;
  }

  dispose(): void {
    for (const simulation of this.simulations) simulation.dispose();
  }
}

function labelOf(solver: SolverSettings): string {
  const { accelerator } = solver;
  const name = typeof accelerator === 'string' ? accelerator : accelerator?.type;
  return (solver.type ?? 'multilevel') + (name === undefined || name === 'none' ? '' : `+${name}`);
}
