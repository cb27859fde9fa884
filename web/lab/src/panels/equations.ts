// The five steps of the algorithm with their equations and the values of now.
import { constraint, xpbdSteps } from '../equations/xpbd.ts';
import { digits, element } from './dom.ts';

export interface EquationValues {
  /** The lane that the values are of. */
  label: string;
  rule: 'PBD' | 'XPBD';
  dt: number;
  iterations: number;
  /** [N/m] of each constraint; 0: rigid */
  k: number;
  time: number;
  /** the ends of each constraint, by point */
  edges: Uint32Array;
  /** [m] at rest */
  lengths: Float64Array;
  /** [1/kg] by point; 0: pinned */
  inverseMasses: Float64Array;
  points: Float32Array;
}

export class Equations {
  readonly root = element('section', { class: 'panel equations', 'aria-label': 'The algorithm' });
  #places = new Map<string, Element[]>();
  readonly #of = element('p', { class: 'note' });

  constructor() {
    const html = (text: string, name: 'div' | 'span' = 'div', cls = 'equation'): HTMLElement => {
      const host = element(name, { class: cls });
      host.innerHTML = text;
      return host;
    };
    this.root.append(
      element('h2', {}, 'The algorithm, step by step'),
      html(constraint),
      this.#of,
      element(
        'ol',
        {},
        ...xpbdSteps.map(({ title, text, equations, now }) =>
          element('li', {}, element('h3', {}, title), element('p', {}, text), ...equations.map((e) => html(e)), html(`now: ${now}`, 'div', 'now')),
        ),
      ),
      element(
        'p',
        { class: 'note' },
        'M. Macklin, M. Müller, N. Chentanez: XPBD: Position-Based Simulation of Compliant Constrained Dynamics, 2016. ' +
          'J. Bender, M. Müller, M. Macklin: A Survey on Position Based Dynamics, 2017.',
      ),
    );
    for (const place of this.root.querySelectorAll('[data-val]')) {
      const name = place.getAttribute('data-val') ?? '';
      this.#places.set(name, [...(this.#places.get(name) ?? []), place]);
    }
  }

  update(v: EquationValues): void {
    // The constraint that is violated most, as an example.
    let worst = 0;
    let violated = 0;
    for (let e = 0; e < v.lengths.length; ++e) {
      const stretch = lengthOf(v.points, v.edges[2 * e] ?? 0, v.edges[2 * e + 1] ?? 0) - (v.lengths[e] ?? 0);
      if (Math.abs(stretch) > Math.abs(violated)) {
        violated = stretch;
        worst = e;
      }
    }
    const inverse = (end: 0 | 1): number => v.inverseMasses[v.edges[2 * worst + end] ?? 0] ?? 0;
    const [a, b] = [inverse(0), inverse(1)];
    const alpha = v.rule === 'XPBD' && v.k > 0 ? 1 / (v.k * v.dt ** 2) : 0;
    const lambda = -violated / (a + b + alpha);
    const now: Record<string, string> = {
      dt: digits(v.dt),
      iterations: String(v.iterations),
      constraints: String(v.lengths.length),
      alpha: v.rule === 'PBD' ? '– (PBD has none)' : digits(alpha),
      weights: digits(a + b),
      stretch: digits(violated),
      lambda: digits(lambda),
      move: digits(Math.abs(lambda) * Math.max(a, b)),
      time: v.time.toFixed(2),
    };
    const of = `Values of now are those of ${v.label}, for the constraint that is violated most.`;
    if (this.#of.textContent !== of) this.#of.textContent = of;
    for (const [name, places] of this.#places) {
      for (const place of places) if (place.textContent !== now[name]) place.textContent = now[name] ?? '';
    }
  }
}

export function lengthOf(points: ArrayLike<number>, a: number, b: number): number {
  const d = (c: number): number => (points[3 * a + c] ?? 0) - (points[3 * b + c] ?? 0);
  return Math.hypot(d(0), d(1), d(2));
}
