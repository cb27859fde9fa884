// Which solvers run side by side, with their accelerators and options, all from the engine's tables.
import type { Lists, ParameterInfo, SolverDescription } from '@sinew/engine';

import { labelOf, mostBudget, method, mostMethods, spelled, type Budget, type Method, type Values } from '../state.ts';
import { element } from './dom.ts';
import { field, type FieldInfo } from './field.ts';

/** What a scene asks of a solver. */
export interface Needs {
  springs: boolean;
  quasistatic: boolean;
  contact: boolean;
  damping: boolean;
  fibres: boolean;
  /** Bodies in a shared grid. */
  grid: boolean;
  /** Elements of ten nodes. */
  quadratic: boolean;
  /** Models of its materials. */
  materials: string[];
}

export const nothingNeeded: Needs = {
  springs: false,
  quasistatic: false,
  contact: false,
  damping: false,
  fibres: false,
  grid: false,
  quadratic: false,
  materials: [],
};

function takesMaterial(solver: SolverDescription, model: string, lists: Lists): boolean {
  const material = lists.materials.find(({ name }) => name === model);
  if (!material) return true;
  const constrained = material.constraints > 0 || (material.strainConstraint && solver.strainConstraints);
  if (solver.needsConstraints && !constrained) return false;
  return !solver.needsZeroAtRest || (material.zeroAtRest && material.isotropic);
}

/** Why a solver cannot treat a scene; null: it can. */
export function refusal(solver: SolverDescription, needs: Needs, lists: Lists): string | null {
  if (needs.springs && !solver.springs) return 'no springs';
  if (needs.quasistatic && !solver.quasistatic) return 'no equilibria';
  if (!needs.quasistatic && !solver.dynamic) return 'equilibria only';
  if (needs.contact && !solver.contact) return 'no contact';
  if (needs.damping && !solver.damping) return 'no damping';
  if (needs.fibres && !solver.fibres) return 'no fibres';
  if (solver.name === 'xpbd_primary') return 'an experiment: unstable';
  if (needs.grid && !solver.grid) return 'no bodies in a grid';
  if (needs.quadratic && !solver.quadratic) return 'no elements of ten nodes';
  const foreign = needs.materials.find((model) => !takesMaterial(solver, model, lists));
  if (foreign) return `not for ${spelled(foreign)}`;
  return null;
}

/** Patterns of lines, so that curves can be told apart without colours. */
export const dashes: number[][] = [[], [8, 4], [2, 3], [10, 3, 2, 3]];

/** A colour that is seen on paper of the theme: as it is, or nearer to the middle. */
function visible(color: string, dark: boolean): string {
  const rgb = [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16));
  const light = [0.3, 0.59, 0.11].reduce((sum, weight, c) => sum + (weight * (rgb[c] ?? 0)) / 255, 0);
  const [least, most] = dark ? [0.5, 1] : [0, 0.6];
  if (light >= least && light <= most) return color;
  const mixed = light < least ? (c: number) => c + ((least - light) / (1 - light)) * (255 - c) : (c: number) => (c * most) / light;
  return `#${rgb.map((c) => Math.round(mixed(c)).toString(16).padStart(2, '0')).join('')}`;
}

/** Colours of the lanes: those of their solvers, and others where a solver comes twice; as the theme shows them. */
export function colorsOf(methods: Method[], lists: Lists, dark: boolean): string[] {
  const spare = ['#c2571a', '#5b3fa0', '#1b7f4d', '#b3256e'];
  const used = new Set<string>();
  return methods.map(({ type }) => {
    let color = lists.solvers.find(({ name }) => name === type)?.color ?? '#888888';
    if (used.has(color)) color = spare.find((c) => !used.has(c)) ?? color;
    used.add(color);
    return visible(color, dark);
  });
}

// The page decides over these for all lanes.
const decided = new Set(['iterations', 'time_budget', 'tolerance', 'relative_tolerance', 'check_every', 'lanes', 'device']);

export class MethodsPanel {
  readonly root = element('section', { class: 'panel', 'aria-label': 'Solvers' });
  #methods: Method[] = [];
  #budget: Budget = { kind: 'iterations', value: 10 };
  #needs: Needs = nothingNeeded;
  #dark = false;
  readonly #lists: Lists;
  /** live: all that has changed is how much of its budget each may spend */
  readonly #change: (methods: Method[], budget: Budget, live: boolean) => void;

  constructor(lists: Lists, change: (methods: Method[], budget: Budget, live: boolean) => void) {
    this.#lists = lists;
    this.#change = change;
  }

  show(methods: Method[], budget: Budget, needs: Needs, dark: boolean): void {
    this.#dark = dark;
    this.#methods = methods.map((m) => ({ ...m }));
    this.#budget = { ...budget };
    this.#needs = needs;
    this.#draw();
  }

  #emit(live = false): void {
    this.#change(this.#methods, this.#budget, live);
  }

  #draw(): void {
    const colors = colorsOf(this.#methods, this.#lists, this.#dark);
    this.root.replaceChildren(
      element('h2', {}, 'Solvers'),
      ...this.#methods.map((m, k) => this.#card(m, k, colors[k] ?? '')),
      this.#methods.length < mostMethods
        ? element('button', { class: 'add', onclick: () => this.#add() }, '+ another solver beside')
        : element('p', { class: 'note' }, `${mostMethods} are the most.`),
      this.#budgetFields(),
    );
  }

  #card(m: Method, k: number, color: string): HTMLElement {
    const solver = this.#lists.solvers.find(({ name }) => name === m.type);
    const type = element('select', { 'aria-label': `Solver ${k + 1}` });
    for (const s of this.#lists.solvers) {
      const why = refusal(s, this.#needs, this.#lists);
      type.append(
        element('option', { value: s.name, selected: s.name === m.type, disabled: why !== null }, why ? `${s.name} (${why})` : s.name),
      );
    }
    type.addEventListener('change', () => {
      this.#methods[k] = method(type.value);
      this.#draw();
      this.#emit();
    });
    const accelerator = element('select', { 'aria-label': `Accelerator of solver ${k + 1}` });
    for (const { name } of this.#lists.accelerators) {
      const can = name === 'none' || (solver?.accelerators ?? false);
      accelerator.append(element('option', { value: name, selected: name === m.accelerator, disabled: !can }, name === 'none' ? 'plain' : `+ ${name}`));
    }
    accelerator.addEventListener('change', () => {
      this.#methods[k] = { ...m, accelerator: accelerator.value, acceleratorOptions: {} };
      this.#draw();
      this.#emit();
    });
    const swatch = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
    swatch.setAttribute('viewBox', '0 0 36 10');
    swatch.setAttribute('class', 'swatch');
    swatch.setAttribute('aria-hidden', 'true');
    swatch.innerHTML = `<line x1="1" y1="5" x2="35" y2="5" stroke="${color}" stroke-width="3" stroke-dasharray="${(dashes[k] ?? []).join(' ')}"/>`;
    return element(
      'div',
      { class: 'method' },
      element(
        'div',
        { class: 'method-head' },
        swatch,
        type,
        accelerator,
        this.#methods.length > 1
          ? element('button', { class: 'icon', 'aria-label': `Remove ${labelOf(m)}`, title: 'Remove', onclick: () => this.#remove(k) }, '×')
          : null,
      ),
      element('p', { class: 'note' }, solver?.summary ?? ''),
      this.#options(m, solver),
    );
  }

  #options(m: Method, solver: SolverDescription | undefined): HTMLElement | null {
    const own = [...(solver?.options ?? []), ...(solver?.commonOptions ?? [])].filter(({ name }) => !decided.has(name));
    const accelerated = this.#lists.accelerators.find(({ name }) => name === m.accelerator)?.options ?? [];
    if (own.length + accelerated.length === 0) return null;
    const fieldOf = (p: ParameterInfo, values: Values): HTMLElement =>
      field(infoOf(p, values), (value) => {
        if (value === p.defaultValue) delete values[p.name];
        else values[p.name] = value;
        this.#emit();
      });
    const details = element('details', { class: 'options' }, element('summary', {}, 'options'));
    // Made when they are opened: most never are.
    details.addEventListener(
      'toggle',
      () =>
        details.append(
          ...own.map((p) => fieldOf(p, m.options)),
          ...accelerated.map((p) => fieldOf(p, m.acceleratorOptions)),
        ),
      { once: true },
    );
    return details;
  }

  #budgetFields(): HTMLElement {
    const { kind, value } = this.#budget;
    const choose = (to: Budget['kind']): void => {
      if (to === kind) return;
      this.#budget = { kind: to, value: to === 'iterations' ? 10 : 4 };
      this.#draw();
      this.#emit();
    };
    const option = (of: Budget['kind'], text: string): HTMLElement => {
      const input = element('input', { type: 'radio', name: 'budget', value: of, onchange: () => choose(of) });
      input.checked = of === kind;
      return element('label', { class: 'radio' }, input, text);
    };
    const info: FieldInfo =
      kind === 'iterations'
        ? { label: 'iterations a step', help: 'of each solver', unit: '', kind: 'whole', low: 1, high: 400, most: mostBudget, log: true, value }
        : { label: 'time a step', help: 'of each solver; results then depend on the machine', unit: 'ms', kind: 'number', low: 0.1, high: 100, most: mostBudget, log: true, value };
    return element(
      'fieldset',
      { class: 'budget' },
      element('legend', {}, 'Each may spend'),
      option('iterations', 'equal iterations'),
      option('milliseconds', 'equal milliseconds'),
      field(info, (to) => {
        this.#budget = { kind, value: Number(to) };
        this.#emit(true);
      }),
    );
  }

  #add(): void {
    const taken = new Set(this.#methods.map(({ type }) => type));
    const free = this.#lists.solvers.filter((s) => refusal(s, this.#needs, this.#lists) === null);
    const next = free.find(({ name }) => !taken.has(name)) ?? free[0];
    if (!next) return;
    this.#methods.push(method(next.name));
    this.#draw();
    this.#emit();
  }
  #remove(k: number): void {
    this.#methods.splice(k, 1);
    this.#draw();
    this.#emit();
  }
}

function infoOf(p: ParameterInfo, values: Values): FieldInfo {
  const { low, high, lowOpen } = p.range;
  const info: FieldInfo = {
    label: spelled(p.name),
    help: p.meaning + (p.range.text ? `; ${p.range.text}` : ''),
    unit: p.unit,
    kind: p.kind,
    choices: p.choices,
    value: values[p.name] ?? p.defaultValue ?? (p.kind === 'toggle' ? false : 0),
  };
  // A slider where the range is of a size to slide through.
  if (p.kind === 'number' || p.kind === 'whole') {
    if (low !== undefined) info.low = low;
    if (lowOpen) info.lowOpen = true;
    if (low !== undefined && high !== undefined && high - low <= 1000) info.high = high;
  }
  return info;
}
