// Reports of steps, which come as rows of numbers.

/** The objective at an iterate, in double precision. */
export interface Evaluation {
  /** [J] */
  energy: number;
  /** [N] 2-norm of the forces out of balance */
  residual: number;
  /** [N] the largest on one vertex */
  residualMax: number;
  /** elements with det F <= 0 */
  inverted: number;
  /** the smallest det F */
  minJ: number;
  finite: boolean;
  contactEnergy: number;
  frictionWork: number;
  contacts: number;
  penetrations: number;
  smallestGap: number;
  deepest: number;
}

export type SolveStatus = 'converged' | 'stalled' | 'diverged' | 'budget';

export interface CurvePoint {
  /** 0 is the initial guess. */
  iteration: number;
  /** of solver and accelerator since the start of the step */
  milliseconds: number;
  /** [N] */
  residual: number;
  /** [J] */
  energy: number;
}

export interface StepReport {
  /** steps taken so far */
  step: number;
  /** [s] */
  time: number;
  iterations: number;
  status: SolveStatus;
  /** Whether `evaluation` is of the final iterate. */
  evaluated: boolean;
  evaluation: Evaluation;
  milliseconds: {
    predict: number;
    solve: number;
    evaluate: number;
    velocities: number;
    detect: number;
    total: number;
  };
  corrections: { nodes: number; matrices: number; lengths: number };
  contactTimes: { broad: number; narrow: number; limits: number };
  detections: number;
  candidates: number;
  limited: number;
  undivided: number;
  unreached: number;
  /** [N] of the initial guess; NaN: not evaluated */
  firstResidual: number;
  /** The iterations, if observe('iterations') asked for them. */
  curve?: CurvePoint[];
}

const statuses: SolveStatus[] = ['converged', 'stalled', 'diverged', 'budget'];

type Parts = Record<string, unknown>;

/** Puts rows of numbers together again. `fields`: the names of the numbers; "a.b" is member b of a. */
export class ReportReader {
  readonly #fields: [string, string?][];
  readonly #ofEvaluation: string[];

  constructor(fields: string[]) {
    this.#fields = fields.map((field) => field.split('.') as [string, string?]);
    this.#ofEvaluation = this.#fields.filter(([part]) => part === 'evaluation').map(([, name]) => name ?? '');
  }

  get length(): number {
    return this.#fields.length;
  }

  report(numbers: Float64Array, row: number): StepReport {
    const report: Parts = {};
    this.#fields.forEach(([part, name], k) => {
      const value = numbers[row * this.length + k];
      if (name === undefined) report[part] = value;
      else ((report[part] ??= {}) as Parts)[name] = value;
    });
    report.status = statuses[report.status as number];
    report.evaluated = report.evaluated === 1;
    (report.evaluation as Parts).finite = (report.evaluation as Parts).finite === 1;
    return report as unknown as StepReport;
  }

  evaluation(numbers: Float64Array): Evaluation {
    const evaluation: Parts = {};
    this.#ofEvaluation.forEach((name, k) => (evaluation[name] = numbers[k]));
    evaluation.finite = evaluation.finite === 1;
    return evaluation as unknown as Evaluation;
  }
}

/** Gives each report its part of the curves: rows of step, iteration, milliseconds, residual and energy. */
export function addCurves(reports: StepReport[], rows: Float64Array): void {
  const byStep = new Map(reports.map((report) => [report.step, (report.curve = [] as CurvePoint[])]));
  for (let k = 0; k + 5 <= rows.length; k += 5) {
    const [step, iteration, milliseconds, residual, energy] = rows.subarray(k, k + 5) as unknown as [
      number, number, number, number, number,
    ];
    byStep.get(step)?.push({ iteration, milliseconds, residual, energy });
  }
}
