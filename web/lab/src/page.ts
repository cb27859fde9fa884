// The elements of the page that are not panels: scenes, picture, transport, messages and words.
import { digits, element } from './panels/dom.ts';
import type { LabelledLane } from './panels/readout.ts';
import { gallery } from './scenes/index.ts';
import { speeds, type LabState } from './state.ts';
import { colorAt } from './view/colors.ts';
import type { Box } from './view/stage.ts';
import type { Failure } from './worker/protocol.ts';

export interface PageActions {
  toggle(): void;
  step(): void;
  reset(): void;
  look(): void;
  speed(speed: LabState['view']['speed']): void;
  choose(id: string): void;
  open(files: File[]): void;
  share(): void;
  replay(): void;
  theme(): void;
  dismiss(): void;
}

// Where a browser keeps nothing for pages, asking it to throws.
function keepTheme(theme: string): void {
  try {
    localStorage.setItem('theme', theme);
  } catch {
    // It lasts until the page is left.
  }
}
function keptTheme(): string | null {
  try {
    return ['light', 'dark'].find((theme) => theme === localStorage.getItem('theme')) ?? null;
  } catch {
    return null;
  }
}

export class Page {
  readonly canvas = element('canvas', {
    tabindex: 0,
    role: 'img',
    'aria-label': 'The bodies. Arrows turn the picture, plus and minus come nearer and go away, f brings all bodies into view, g takes hold of a body.',
  });
  readonly #nav = element('nav', { 'aria-label': 'Scenes' });
  readonly #overlay = element('div', { class: 'overlay' });
  readonly #legend = element('div', { class: 'legend', hidden: true });
  readonly #message = element('div', { class: 'message', role: 'alert', hidden: true });
  readonly #words = element('p', { class: 'words', 'aria-live': 'polite' });
  readonly #progress = element('div', { class: 'progress', hidden: true }, element('span'), element('progress', { max: 1 }));
  readonly #clock = element('output', { class: 'clock' });
  readonly #engine = element('span', { class: 'engine' });
  readonly #panels = element('aside', { 'aria-label': 'Controls and measurements' });
  readonly #play;
  readonly #speed = element('select', { 'aria-label': 'Speed' });
  #labels: HTMLElement[] = [];
  #toldUntil = 0;
  #hasEnded = false;
  readonly #root: HTMLElement;

  constructor(root: HTMLElement, actions: PageActions) {
    this.#root = root;
    const button = (text: string, title: string, action: () => void, cls = ''): HTMLButtonElement =>
      element('button', { type: 'button', title, class: cls, onclick: action }, text);
    for (const { id, title } of gallery) {
      this.#nav.append(element('button', { type: 'button', 'data-scene': id, onclick: () => actions.choose(id) }, title));
    }
    for (const speed of speeds) {
      this.#speed.append(element('option', { value: speed }, speed === 0 ? 'as fast as it goes' : `${speed} × real time`));
    }
    this.#speed.addEventListener('change', () => actions.speed(Number(this.#speed.value) as LabState['view']['speed']));
    this.#play = button('Pause', 'Space', actions.toggle, 'play');
    const picker = element('input', { type: 'file', multiple: true, hidden: true, 'aria-hidden': true });
    picker.addEventListener('change', () => {
      actions.open([...(picker.files ?? [])]);
      picker.value = '';
    });
    const themeButton = button('◐', 'Dark or light', () => {
      keepTheme((document.documentElement.dataset.theme = this.dark ? 'light' : 'dark'));
      actions.theme();
    });
    themeButton.setAttribute('aria-label', 'Dark or light');
    this.#message.addEventListener('click', (event) => {
      if ((event.target as HTMLElement).closest('button')) actions.dismiss();
    });
    const theme = keptTheme();
    if (theme) document.documentElement.dataset.theme = theme;
    root.append(
      element(
        'header',
        {},
        element('h1', {}, element('span', { class: 'mark', 'aria-hidden': true }), 'Sinew lab'),
        this.#nav,
        element('div', { class: 'tools' }, button('Open…', 'A scene, a mesh or a surface; they can be dropped on the page, too', () => picker.click()), picker, button('Copy link', 'With all settings and what was done to the bodies', actions.share), themeButton),
      ),
      element(
        'main',
        {},
        element(
          'section',
          { class: 'stage', 'aria-label': 'Picture' },
          element('div', { class: 'picture' }, this.canvas, this.#overlay, this.#progress, this.#message),
          this.#legend,
          element(
            'div',
            { class: 'transport' },
            this.#play,
            button('Step', 'Arrow to the right', actions.step),
            button('Reset', 'r: to the start', actions.reset),
            button('Show all', 'f: all bodies into view', actions.look),
            button('Replay', 'To the start, and what was done to the bodies once more', actions.replay),
            this.#speed,
            this.#clock,
          ),
          this.#words,
          this.#engine,
        ),
        this.#panels,
      ),
    );
    document.addEventListener('keydown', (event) => {
      const on = event.target as HTMLElement;
      if (this.#hasEnded) return;
      if (event.ctrlKey || event.metaKey || event.altKey || on.closest('input, select, textarea')) return;
      // Enter presses a button that has the focus.
      if (event.key === ' ' && !on.closest('summary')) actions.toggle();
      else if (event.key === 'ArrowRight' && on !== this.canvas) actions.step();
      else if (event.key === 'r') actions.reset();
      else if (event.key === 'f') actions.look();
      else return;
      event.preventDefault();
    });
    // Buttons are pressed as the space bar comes up.
    document.addEventListener('keyup', (event) => {
      if (event.key === ' ' && (event.target as HTMLElement).closest('button')) event.preventDefault();
    });
    root.addEventListener('dragover', (event) => {
      event.preventDefault();
      root.classList.add('dropping');
    });
    root.addEventListener('dragleave', () => root.classList.remove('dropping'));
    root.addEventListener('drop', (event) => {
      event.preventDefault();
      root.classList.remove('dropping');
      actions.open([...(event.dataTransfer?.files ?? [])]);
    });
  }

  get dark(): boolean {
    const { theme } = document.documentElement.dataset;
    return theme ? theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  }

  scene(title: string, id: string): void {
    document.title = `${title} – Sinew lab`;
    for (const item of this.#nav.querySelectorAll('button')) {
      if (item.dataset.scene === id) {
        item.setAttribute('aria-current', 'page');
        item.scrollIntoView({ block: 'nearest', inline: 'nearest' });
      } else item.removeAttribute('aria-current');
    }
  }
  panels(panels: (HTMLElement | null)[]): void {
    this.#panels.replaceChildren(...panels.filter((p) => p !== null));
  }
  playing(on: boolean): void {
    this.#play.textContent = on ? 'Pause' : 'Play';
  }
  speed(speed: number): void {
    this.#speed.value = String(speed);
  }
  time(time: number, wall: number, constraints: number, particles: number): void {
    const counts = constraints > 0 ? ` · ${constraints} constraints · ${particles} particles` : '';
    this.#clock.textContent = `${time.toFixed(2)} s · ${wall.toFixed(2)} ms a step${counts}`;
  }
  engine(text: string): void {
    this.#engine.textContent = text;
  }
  /** What is seen; waits while something is told. */
  say(words: string): void {
    if (performance.now() > this.#toldUntil) this.#words.textContent = words;
  }
  /** What has just been done. */
  tell(words: string): void {
    this.#words.textContent = words;
    this.#toldUntil = performance.now() + 5000;
  }
  /** Nothing works any more: the message stays, and nothing can be pressed. */
  end(failure: Failure): void {
    this.progress(null, 0);
    this.message(failure);
    for (const control of this.#root.querySelectorAll<HTMLButtonElement | HTMLSelectElement>('button, select')) control.disabled = true;
    this.#hasEnded = true;
  }
  progress(stage: string | null, share: number): void {
    this.#progress.hidden = stage === null;
    if (stage === null) return;
    (this.#progress.firstChild as HTMLElement).textContent = stage === 'download' ? 'loading the engine' : stage;
    (this.#progress.lastChild as HTMLProgressElement).value = share;
  }
  message(failure: Failure | null, isWarning = false): void {
    this.#message.hidden = failure === null;
    this.#message.classList.toggle('warning', isWarning);
    if (!failure) return;
    const { where, what, remedy } = failure;
    this.#message.replaceChildren(
      element('p', {}, where ? element('strong', {}, `${where}${what.startsWith('= ') ? ' ' : ': '}`) : null, what, remedy ? element('span', { class: 'remedy' }, ` → ${remedy}`) : null),
      element('button', { type: 'button', class: 'icon', 'aria-label': 'Close' }, '×'),
    );
  }

  labels(labels: string[], colors: string[]): void {
    this.#labels = labels.map((label, k) => element('div', { class: 'lane-label', style: `--lane: ${colors[k]}` }, element('b', {}, label), element('span')));
    this.#overlay.replaceChildren(...this.#labels.map((label) => element('div', { class: 'lane' }, label)));
  }
  recolor(colors: string[]): void {
    this.#labels.forEach((label, k) => label.style.setProperty('--lane', colors[k] ?? ''));
  }
  place(boxes: Box[], lanes: LabelledLane[]): void {
    lanes.forEach(({ frame }, k) => {
      const label = this.#labels[k];
      const box = boxes[k];
      if (!label || !box) return;
      const { style } = label.parentElement as HTMLElement;
      for (const side of ['left', 'top', 'width', 'height'] as const) style[side] = `${box[side]}px`;
      const residual = Number.isFinite(frame.residual) ? ` · residual ${digits(frame.residual, 2)} N` : '';
      (label.lastChild as HTMLElement).textContent = frame.failure ? 'has ended' : `${digits(frame.milliseconds, 2)} ms${residual}`;
      label.classList.toggle('ended', frame.failure !== null);
    });
  }
  legend(color: string | null, top: number): void {
    this.#legend.hidden = color === null;
    if (color === null) return;
    const text = color === 'strain' ? 'largest strain' : 'von Mises stress [Pa]';
    const ends = `${text} 0 ${digits(top)}`;
    if (this.#legend.dataset.ends === ends) return;
    this.#legend.dataset.ends = ends;
    const stops = Array.from({ length: 9 }, (_, k) => colorAt(k / 8)).join(', ');
    this.#legend.replaceChildren(
      element('span', {}, text),
      element('i', { style: `background: linear-gradient(to right, ${stops})` }),
      element('span', { class: 'ends' }, element('span', {}, '0'), element('span', { title: 'of 99 in 100 points; those above have the last colour' }, `${digits(top)} and above`)),
    );
  }
}
