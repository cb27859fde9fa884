// Numbers of each lane, and what is seen in words.
import type { LaneFrame } from '../worker/protocol.ts';
import { digits, element } from './dom.ts';

export interface LabelledLane {
  label: string;
  frame: LaneFrame;
  /** [m] of its points */
  lowest: number;
  highest: number;
}

export class Readout {
  readonly root = element('section', { class: 'panel', 'aria-label': 'Numbers' });
  readonly #body = element('tbody');
  readonly #counts = element('p', { class: 'note' });

  constructor() {
    const heads = ['solver', 'ms a step', 'residual [N]', 'of first', 'inverted', 'contacts'];
    this.root.append(
      element('h2', {}, 'Numbers'),
      this.#counts,
      element(
        'div',
        { class: 'scroll' },
        element('table', {}, element('thead', {}, element('tr', {}, ...heads.map((h) => element('th', { scope: 'col' }, h)))), this.#body),
      ),
    );
  }

  /** `counts`: of what there is, in words */
  update(lanes: LabelledLane[], counts: string): void {
    if (this.#counts.textContent !== counts) this.#counts.textContent = counts;
    const rows = lanes.map(({ label, frame }) => [
      label,
      digits(frame.milliseconds, 2),
      digits(frame.residual, 2),
      digits(frame.relative, 2),
      String(frame.inverted),
      String(frame.touching),
    ]);
    while (this.#body.rows.length > rows.length) this.#body.deleteRow(-1);
    rows.forEach((cells, r) => {
      const row = this.#body.rows[r] ?? this.#body.insertRow();
      cells.forEach((text, c) => {
        const cell = row.cells[c] ?? row.insertCell();
        if (cell.textContent !== text) cell.textContent = text;
      });
    });
  }
}

/** What a person who does not see the picture would want to be told. */
export function inWords(time: number, lanes: LabelledLane[]): string {
  const parts = lanes.map(({ label, frame, lowest, highest }) => {
    if (frame.failure) return `${label} has ended: ${frame.failure.what}.`;
    const reached = Number.isFinite(frame.relative)
      ? `residual ${digits(frame.residual, 2)} N, ${digits(frame.relative, 2)} of the first guess’s, after ${frame.iterations} ${frame.iterations === 1 ? 'iteration' : 'iterations'}`
      : `no residual yet`;
    const contact = frame.touching > 0 ? `, ${frame.touching} contacts` : '';
    const inverted = frame.inverted > 0 ? `, ${frame.inverted} elements inside out` : '';
    return `${label}: ${reached}; from ${digits(lowest, 2)} to ${digits(highest, 2)} m in height${contact}${inverted}.`;
  });
  return `${time.toFixed(2)} s. ${parts.join(' ')}`;
}
