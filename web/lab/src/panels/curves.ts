// Curves of the residual: over the iterations of the last step, and over time.
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';

import type { LaneFrame } from '../worker/protocol.ts';
import { element } from './dom.ts';
import { dashes } from './methods.ts';

const mostPoints = 600; // over time
const height = 190;
const mostLines = 6; // of the grid

export class Curves {
  readonly root = element('section', { class: 'panel', 'aria-label': 'Residuals' });
  #iterations: uPlot | null = null;
  #history: uPlot | null = null;
  readonly #hosts = [element('div', { class: 'plot' }), element('div', { class: 'plot' })] as const;
  #times: number[] = [];
  #series: (number | null)[][] = [];
  #labels: string[] = [];
  #colors: string[] = [];

  constructor() {
    this.root.append(
      element('h2', {}, 'Residuals'),
      element('p', { class: 'note' }, 'Forces out of balance over those of the first guess, in the iterations of the last step:'),
      this.#hosts[0],
      element('p', { class: 'note' }, 'and what is left of them [N] at the end of each step, over time:'),
      this.#hosts[1],
    );
    new ResizeObserver(() => this.#resize()).observe(this.root);
  }

  load(labels: string[], colors: string[]): void {
    this.#labels = labels;
    this.#colors = colors;
    this.clear();
  }
  clear(): void {
    this.#times = [];
    this.#series = this.#labels.map(() => []);
    this.redraw(this.#colors);
  }

  /** Plots anew with other colours. */
  redraw(colors: string[]): void {
    this.#colors = colors;
    this.#iterations?.destroy();
    this.#history?.destroy();
    const empty = (): uPlot.AlignedData => [[], ...this.#labels.map(() => [])] as unknown as uPlot.AlignedData;
    this.#iterations = this.#plot(this.#hosts[0], 'iteration', false, empty());
    this.#history = this.#plot(this.#hosts[1], 'time [s]', false, empty());
    this.#showHistory();
  }

  update(time: number, lanes: LaneFrame[]): void {
    if (lanes.length !== this.#labels.length) return;
    const most = Math.max(0, ...lanes.map(({ curve }) => curve?.length ?? 0));
    if (most > 0) {
      const x = Array.from({ length: most }, (_, k) => k);
      const rows = lanes.map(({ curve }) => {
        const first = curve?.[0]?.residual ?? NaN;
        return x.map((k) => positive((curve?.[k]?.residual ?? NaN) / first));
      });
      this.#iterations?.setData([x, ...rows] as uPlot.AlignedData);
    }
    if (time > (this.#times.at(-1) ?? -1)) {
      this.#times.push(time);
      lanes.forEach(({ residual }, k) => this.#series[k]?.push(positive(residual)));
      if (this.#times.length > mostPoints) {
        this.#times.shift();
        for (const row of this.#series) row.shift();
      }
      this.#showHistory();
    }
  }
  #showHistory(): void {
    if (this.#times.length > 0) this.#history?.setData([this.#times, ...this.#series] as uPlot.AlignedData);
  }

  #plot(host: HTMLElement, x: string, time: boolean, data: uPlot.AlignedData): uPlot {
    const style = getComputedStyle(document.documentElement);
    const ink = style.getPropertyValue('--ink-soft').trim();
    const grid = style.getPropertyValue('--line').trim();
    const axis = { stroke: ink, grid: { stroke: grid, width: 1 }, ticks: { stroke: grid, width: 1 }, font: '11px system-ui' };
    return new uPlot(
      {
        width: Math.max(200, host.clientWidth),
        height,
        scales: { x: { time }, y: { distr: 3 } },
        axes: [
          { ...axis, label: x, labelSize: 18, labelFont: '11px system-ui', size: 30 },
          { ...axis, size: 52, splits: (_, __, low, high) => decades(low, high), values: (_, splits) => splits.map((v) => `1e${Math.round(Math.log10(v))}`) },
        ],
        legend: { show: false },
        cursor: { show: false },
        series: [
          {},
          ...this.#labels.map((label, k) => ({ label, stroke: this.#colors[k] ?? ink, width: 2, dash: dashes[k] ?? [], points: { show: (_plot: uPlot, _series: number, first: number, last: number) => last - first < 2, size: 6 } })),
        ],
      },
      data,
      host,
    );
  }
  #resize(): void {
    for (const [plot, host] of [[this.#iterations, this.#hosts[0]], [this.#history, this.#hosts[1]]] as const) {
      const width = host.clientWidth;
      if (plot && width > 0 && Math.abs(width - plot.width) > 1) plot.setSize({ width, height });
    }
  }
}

/** Powers of ten from a number to another: a handful, however far they are apart. */
function decades(low: number, high: number): number[] {
  const [first, last] = [Math.ceil(Math.log10(low) - 1e-9), Math.floor(Math.log10(high) + 1e-9)];
  const by = Math.ceil((last - first + 1) / mostLines);
  return Array.from({ length: Math.floor((last - first) / by) + 1 }, (_, k) => 10 ** (first + k * by));
}

/** For an axis of powers of ten. */
function positive(value: number): number | null {
  return Number.isFinite(value) && value > 0 ? value : null;
}
