// What a scene can name, as the engine describes it (include/sinew/lists.h).

export interface NumberRange {
  /** Without one: no limit. */
  low?: number;
  high?: number;
  lowOpen: boolean;
  highOpen: boolean;
  /** "above 0, at most 1"; empty without limits */
  text: string;
}

export interface ParameterInfo {
  name: string;
  meaning: string;
  kind: 'number' | 'whole' | 'toggle' | 'choice';
  /** "m", "Pa", "-"; empty: none */
  unit: string;
  range: NumberRange;
  choices: string[];
  /** Without one: required. */
  defaultValue?: boolean | number | string;
}

/** A value of solver.type. */
export interface SolverDescription {
  name: string;
  summary: string;
  /** "#rrggbb" in figures */
  color: string;
  options: ParameterInfo[];
  commonOptions: ParameterInfo[];
  dynamic: boolean;
  quasistatic: boolean;
  damping: boolean;
  springs: boolean;
  fibres: boolean;
  contact: boolean;
  intersectionFree: boolean;
  /** Bodies in a background grid. */
  grid: boolean;
  /** Tets with a vertex at the middle of each edge. */
  quadratic: boolean;
  accelerators: boolean;
  singlePrecision: boolean;
  needsConstraints: boolean;
  /** Takes materials with a constraint for their strain too. */
  strainConstraints: boolean;
  needsZeroAtRest: boolean;
}

/** A value of solver.accelerator. */
export interface AcceleratorDescription {
  name: string;
  summary: string;
  options: ParameterInfo[];
}

/** A value of a material's `model`. */
export interface MaterialDescription {
  name: string;
  summary: string;
  /** Sets of parameters, of which a scene gives one. */
  forms: ParameterInfo[][];
  constraints: number;
  strainConstraint: boolean;
  /** Its energy vanishes at rest. */
  zeroAtRest: boolean;
  isotropic: boolean;
}

export interface ElementDescription {
  name: string;
  summary: string;
  vertices: number;
  where: string;
  parameters: ParameterInfo[];
}

export interface Lists {
  solvers: SolverDescription[];
  accelerators: AcceleratorDescription[];
  materials: MaterialDescription[];
  elements: ElementDescription[];
}
