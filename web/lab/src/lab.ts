// The page as a whole: its state, the Worker, the picture and the panels.
import type { Lists, PlacedCollider, Vec3 } from '@sinew/engine';

import { onFloor, open, OpenError, save } from './files.ts';
import { EngineLink, type Loaded, type LoadRequest } from './engine_link.ts';
import { Hand } from './hand.ts';
import { check, decode, encode, LinkError, longestLink } from './link.ts';
import { Page } from './page.ts';
import { Curves } from './panels/curves.ts';
import { digits, element } from './panels/dom.ts';
import { Equations, lengthOf } from './panels/equations.ts';
import { field } from './panels/field.ts';
import { colorsOf, MethodsPanel, type Needs } from './panels/methods.ts';
import { inWords, Readout, type LabelledLane } from './panels/readout.ts';
import { viewPanel } from './panels/view.ts';
import { gallery, sceneOf } from './scenes/index.ts';
import { colorsOfObjects, needsOf } from './scenes/resolved.ts';
import type { GalleryScene } from './scenes/scene.ts';
import { labelOf, methodOf, mostBudget, solverOf, type LabState, type Value } from './state.ts';
import { Stage } from './view/stage.ts';
import { roundUp } from './view/colors.ts';
import type { Action, Failure, Frame, LabEvent, LaneInfo, ToWorker } from './worker/protocol.ts';

const reloadDelay = 250; // [ms] after the last move of a slider
const addressDelay = 400;
const wordsEvery = 4000;

function stateOf(scene: GalleryScene): LabState {
  return {
    scene: scene.id,
    own: null,
    values: Object.fromEntries(scene.parameters.map(({ name, value }) => [name, value])),
    methods: scene.methods.map((m) => ({ ...m, options: { ...m.options }, acceleratorOptions: { ...m.acceleratorOptions } })),
    budget: { ...scene.budget },
    view: { color: scene.id === 'block' ? 'strain' : 'object', wireframe: false, contacts: false, speed: 1, camera: null },
    events: [],
  };
}

export class Lab {
  /** When the first scene is there. */
  readonly ready: Promise<void>;
  #state: LabState = stateOf(gallery[0]!);
  #stage!: Stage;
  #hand!: Hand;
  #lists!: Lists;
  #playing = false;
  #began: Pick<LabState, 'values' | 'budget'> | null = null; // what a recording begins with
  #accepted: Pick<LabState, 'values' | 'methods' | 'budget'> | null = null; // by the engine, most lately
  #announced = new Set<number>(); // lanes whose end was told
  #shown = 0; // scenes that have come
  #files: Record<string, Uint8Array> = {};
  #needs: Needs = { springs: false, quasistatic: false, contact: false, damping: false, fibres: false };
  #fileSolver: Record<string, unknown> = {}; // of the scene itself, with its defaults
  #lanes: LaneInfo[] = [];
  #colliders: PlacedCollider[] = [];
  #lengths = new Float64Array();
  #pointMasses = new Float64Array();
  #frame: Frame | null = null;
  #top = 0;
  #timers = new Map<string, number>();
  #saidAt = 0;

  readonly #page: Page;
  readonly #engine: EngineLink;
  readonly #curves = new Curves();
  readonly #equations = new Equations();
  readonly #readout = new Readout();
  readonly #parameters = element('section', { class: 'panel', 'aria-label': 'Parameters' });
  #methods!: MethodsPanel;

  constructor(root: HTMLElement) {
    this.#page = new Page(root, {
      toggle: () => (this.#playing ? this.pause() : this.play()),
      step: () => void this.step(1),
      reset: () => this.#try(this.reset()),
      speed: (speed) => {
        this.#state.view.speed = speed;
        if (this.#playing) this.play();
        this.#remember();
      },
      choose: (id) => this.#try(this.load(id)),
      open: (files) => void this.open(files),
      share: () => void this.#share(),
      replay: () => this.#try(this.replay()),
      theme: () => this.#retheme(),
      dismiss: () => this.#page.message(null),
    });
    this.#engine = new EngineLink({
      progress: (stage, share) => this.#page.progress(stage, share),
      started: (words) => this.#page.engine(words),
      loaded: (message) => this.#loaded(message),
      frame: (frame) => this.#draw(frame),
      acted: (event, again) => this.#acted(event, again),
      refused: (action, failure) => {
        if (action.kind === 'set') this.#takeBack();
        this.#show(failure);
      },
      silent: (failure) => this.#show(failure),
      ended: (failure) => this.#page.end(failure),
    });
    document.addEventListener('visibilitychange', () => {
      if (this.#playing) this.#send(document.hidden ? { kind: 'pause' } : { kind: 'play', speed: this.#state.view.speed });
    });
    this.ready = this.#begin();
  }

  #try(work: Promise<void>): void {
    work.catch((failure: Failure) => this.#show(failure));
  }

  async #begin(): Promise<void> {
    try {
      this.#stage = new Stage(this.#page.canvas);
    } catch {
      const failure = { where: 'WebGL', what: 'is not there: nothing can be drawn', remedy: 'switch on hardware acceleration, or use another browser' };
      this.#page.end(failure);
      throw new Error(failure.what);
    }
    this.#stage.onResize = () => {
      if (this.#frame) this.#page.place(this.#stage.boxes(), this.#labelled(this.#frame));
    };
    this.#stage.onDrawn = () => this.#send({ kind: 'drawn' });
    this.#stage.onCamera = () => this.#later('camera', addressDelay, () => this.#rememberCamera());
    this.#stage.onLost = (lost) =>
      lost
        ? this.#show({ where: 'the graphics card', what: 'took its memory back', remedy: 'the picture returns when it can; the simulation goes on' })
        : this.#page.message(null);
    this.#hand = new Hand(this.#stage, (action) => this.act(action), (words) => this.#page.tell(words));
    this.#page.progress('engine', 0);
    try {
      this.#lists = await this.#engine.start();
    } catch (failure) {
      this.#page.end(failure as Failure);
      throw new Error((failure as Failure).what);
    }
    this.#methods = new MethodsPanel(this.#lists, (methods, budget, live) => {
      this.#state.methods = methods;
      this.#state.budget = budget;
      this.#remember();
      // What all lanes have in common can change while they run.
      if (live) this.act({ kind: 'set', path: live[0], value: live[1], name: 'budget' });
      else this.#reload(false);
    });
    window.addEventListener('hashchange', () => void this.#fromAddress());
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.#retheme());
    await this.#fromAddress();
  }

  async #fromAddress(): Promise<void> {
    let state: LabState | null = null;
    let damaged: string | null = null;
    try {
      state = await decode(location.hash, (id) => sceneOf(id) !== undefined);
    } catch (error) {
      damaged = error instanceof LinkError ? error.message : String(error);
    }
    try {
      await this.take(state ?? stateOf(gallery[0]!), true);
    } catch (error) {
      // A link from another version, say: its scene is refused. The page begins as without it.
      if (state === null) throw error;
      damaged = `The link’s scene is refused: ${String((error as Failure).what ?? error)}.`;
      await this.take(stateOf(gallery[0]!), true);
    }
    if (damaged) this.#show({ where: 'the link', what: damaged, remedy: 'ask for it again; this is the first scene of the gallery' });
  }

  /** How many scenes have been there. */
  get loads(): number {
    return this.#shown;
  }
  /** Makes a state the page's, as a link does. Throws a Failure where the engine refuses it; then the page stays as it was. */
  async take(state: LabState, camera = true): Promise<void> {
    const before = this.#state;
    this.#state = state;
    try {
      await this.#load(state.events, false);
    } catch (failure) {
      this.#state = before;
      throw failure;
    }
    if (camera) this.#look();
    this.#showAll();
    this.#remember();
    this.play();
  }

  get #gallery(): GalleryScene | null {
    return this.#state.own === null ? (sceneOf(this.#state.scene) ?? null) : null;
  }

  async #load(events: LabEvent[], carry: boolean): Promise<void> {
    const scene = this.#gallery;
    const text = scene ? JSON.stringify(scene.build(this.#state.values)) : (this.#state.own ?? '');
    this.#page.progress('scene', 0);
    const before = { state: this.#state, events: this.#state.events, began: this.#began };
    const request: LoadRequest = {
      scene: text,
      name: this.#state.scene,
      lanes: this.#state.methods.map((m) => ({ label: labelOf(m), solver: solverOf(m, this.#state.budget) })),
      files: this.#files,
      events,
      carry,
    };
    this.#state.events = events;
    this.#began = { values: { ...this.#state.values }, budget: { ...this.#state.budget } };
    try {
      await this.#engine.load(request);
    } catch (failure) {
      // What was recorded goes on with the scene.
      this.#page.progress(null, 0);
      before.state.events = before.events;
      this.#began = before.began;
      throw failure;
    }
  }
  /** Settings that the engine refused become again what they were. */
  #takeBack(): void {
    if (!this.#accepted) return;
    Object.assign(this.#state, structuredClone(this.#accepted));
    this.#showParameters();
    this.#showMethods();
    this.#remember();
  }
  #accept(): void {
    const { values, methods, budget } = this.#state;
    this.#accepted = structuredClone({ values, methods, budget });
  }

  /** The scene anew with other settings; the old one goes on where they are refused. */
  #reload(carry: boolean): void {
    this.#later('reload', reloadDelay, () => {
      this.#load([], carry).then(
        () => {
          if (this.#playing) this.play();
        },
        (failure: Failure) => {
          this.#takeBack();
          this.#show(failure);
        },
      );
    });
  }

  #acted(event: LabEvent, again: boolean): void {
    if (again) return this.#follow(event);
    this.#record(event);
    if (event.kind === 'set') this.#accept();
  }
  /** Parameters that a recording changes. */
  #follow(event: LabEvent): void {
    if (event.kind !== 'set') return;
    if (event.name === 'budget') {
      this.#state.budget.value = Number(event.value);
      this.#showMethods();
    } else if (event.name in this.#state.values) {
      this.#state.values[event.name] = Number(event.value);
      this.#showParameters();
    }
  }
  /** In the order of steps: the rest of a recording that is played back may be yet to come. */
  #record(event: LabEvent): void {
    const { events } = this.#state;
    const later = events.findIndex(({ step }) => step > event.step);
    events.splice(later < 0 ? events.length : later, 0, event);
  }

  #loaded(message: Loaded): void {
    ++this.#shown;
    this.#accept();
    this.#announced.clear();
    this.#saidAt = 0;
    this.#page.progress(null, 0);
    this.#page.message(null);
    this.#lanes = message.lanes;
    this.#colliders = message.colliders;
    this.#frame = null;
    this.#top = 0;
    this.#needs = needsOf(message.resolved);
    this.#fileSolver = message.resolved.solver as Record<string, unknown>;
    const scene = this.#gallery;
    const sheet = scene?.sheet?.(this.#state.values) ?? null;
    this.#stage.setInfos(message.lanes);
    this.#stage.load(message.lanes, message.colliders, sheet, colorsOfObjects(message.resolved));
    this.#hand.forget(Math.max(0, ...this.#state.events.map((event) => ('id' in event ? event.id : 0))));
    const first = message.lanes[0];
    if (first) {
      const { edges, vertices } = first.mesh;
      this.#lengths = Float64Array.from({ length: edges.length / 2 }, (_, e) =>
        lengthOf(first.rest, vertices[edges[2 * e] ?? 0] ?? 0, vertices[edges[2 * e + 1] ?? 0] ?? 0),
      );
      this.#pointMasses = Float64Array.from(vertices, (v) => first.masses[v] ?? 0);
      const springs = first.springCount > 0 ? `${first.springCount} constraints, ` : '';
      const elements = first.elementCount > 0 ? `${first.elementCount} elements, ` : '';
      this.#readout.load(`${elements}${springs}${first.vertexCount} particles; a step is ${digits(message.stepSize)} s.`);
    }
    this.#curves.load(
      this.#state.methods.map(labelOf),
      colorsOf(this.#state.methods, this.#lists),
    );
    this.#page.labels(this.#state.methods.map(labelOf), colorsOf(this.#state.methods, this.#lists));
    if (message.warnings.length > 0) {
      const more = message.warnings.length > 1 ? ` (and ${message.warnings.length - 1} more)` : '';
      this.#page.message({ where: 'warning', what: `${message.warnings[0] ?? ''}${more}`, remedy: '' }, true);
    }
    this.#showView();
  }

  #draw(frame: Frame): void {
    if (frame.lanes.length !== this.#lanes.length) {
      this.#send({ kind: 'drawn' }); // of a scene before
      return;
    }
    this.#frame = frame;
    this.#scale(frame);
    this.#stage.update(frame);
    this.#curves.update(frame.time, frame.lanes);
    const lanes = this.#labelled(frame);
    this.#readout.update(lanes);
    this.#page.time(frame.time, frame.wall, this.#lanes[0]?.springCount ?? 0, this.#lanes[0]?.vertexCount ?? 0);
    this.#page.place(this.#stage.boxes(), lanes);
    const first = this.#lanes[0];
    const points = frame.lanes[0]?.points;
    if (this.#gallery?.equations && first && points) {
      this.#equations.update({
        dt: Number(this.#state.values.dt),
        iterations: this.#state.budget.kind === 'iterations' ? this.#state.budget.value : (frame.lanes[0]?.iterations ?? 0),
        k: Number(this.#state.values.k),
        time: frame.time,
        edges: first.mesh.edges,
        lengths: this.#lengths,
        masses: this.#pointMasses,
        points,
      });
    }
    lanes.forEach(({ label, frame: { failure } }, k) => {
      if (!failure || this.#announced.has(k)) return;
      this.#announced.add(k);
      const { where, what, remedy } = failure;
      this.#show({ where: `${label}, ${where}`, what: `${what}. Its last good state is kept`, remedy: remedy || 'reset, or change what led there' });
    });
    if (this.#playing && lanes.every(({ frame: { failure } }) => failure)) this.pause();
    const now = performance.now();
    if (now - this.#saidAt > wordsEvery || !this.#playing) {
      this.#saidAt = now;
      const { kind, value } = this.#state.budget;
      this.#page.say(inWords(frame.time, lanes, kind === 'iterations' ? `${value} iterations` : `${digits(value)} ms`));
    }
  }

  #labelled(frame: Frame): LabelledLane[] {
    return frame.lanes.map((lane, k) => {
      let lowest = Infinity;
      let highest = -Infinity;
      for (let p = 1; p < lane.points.length; p += 3) {
        const y = lane.points[p] ?? 0;
        if (y < lowest) lowest = y;
        if (y > highest) highest = y;
      }
      return { label: this.#lanes[k]?.label ?? '', frame: lane, lowest, highest };
    });
  }

  /** The scale of colours grows with the largest value, and starts anew with the scene. */
  #scale(frame: Frame): void {
    if (this.#state.view.color === 'object') {
      this.#stage.setScale(0);
      this.#page.legend(null, 0);
      return;
    }
    let most = 0;
    for (const { values } of frame.lanes) if (values) for (const v of values) if (v > most) most = v;
    if (most > this.#top) this.#top = roundUp(most);
    this.#stage.setScale(this.#top);
    this.#page.legend(this.#state.view.color, this.#top);
  }

  // What users, tests and the console do.

  play(): void {
    this.#playing = true;
    this.#page.playing(true);
    this.#send({ kind: 'play', speed: this.#state.view.speed });
  }
  pause(): void {
    this.#playing = false;
    this.#page.playing(false);
    this.#send({ kind: 'pause' });
  }
  /** Takes steps, however long they take, and pauses. */
  step(count = 1): Promise<void> {
    this.pause();
    return this.#engine.step(count);
  }
  /** Back to the start, with the present settings. What was recorded is forgotten. */
  async reset(): Promise<void> {
    this.#page.message(null);
    await this.#load([], false);
    if (this.#playing) this.play();
  }
  /** Back to the start, and all that was done to the bodies once more; `play`: at once. */
  async replay(play = true): Promise<void> {
    if (!play) this.pause();
    Object.assign(this.#state, structuredClone(this.#began));
    this.#showParameters();
    this.#showMethods();
    await this.#load(this.#state.events, false);
    if (play) this.play();
  }
  /** A scene of the gallery, by its id. */
  async load(id: string): Promise<void> {
    const scene = sceneOf(id);
    if (!scene) throw new Error(`there is no scene "${id}"; there are ${gallery.map((s) => s.id).join(', ')}`);
    this.#files = {};
    await this.take({ ...stateOf(scene), view: { ...stateOf(scene).view, speed: this.#state.view.speed } }, true);
  }
  /** A parameter of the scene. */
  set(name: string, value: Value): void {
    const parameter = this.#gallery?.parameters.find((p) => p.name === name);
    if (!parameter) throw new Error(`the scene has no parameter "${name}"`);
    this.#state.values[name] = value;
    this.#remember();
    if (parameter.live && this.#lanes.length > 0) {
      for (const [path, text] of parameter.live(Number(value))) this.act({ kind: 'set', path, value: text, name });
    } else {
      this.#page.tell(`${parameter.label}: the scene ${this.#gallery?.carry ? 'goes on' : 'begins anew'}.`);
      this.#reload(this.#gallery?.carry ?? false);
    }
  }
  act(action: Action): void {
    this.#engine.act(action);
  }
  async open(files: File[]): Promise<void> {
    if (files.length === 0) return;
    try {
      const opened = await open(files);
      if (opened.kind === 'state') {
        this.#files = {};
        await this.take(check(opened.json, (id) => sceneOf(id) !== undefined), true);
        return;
      }
      const before = this.#files;
      this.#files = opened.files;
      try {
        const base = { ...stateOf(gallery[0]!), scene: 'own', values: {}, methods: [{ type: 'vbd', accelerator: 'none', options: {}, acceleratorOptions: {} }], budget: { kind: 'iterations' as const, value: 15 } };
        if (opened.kind === 'scene') {
          await this.take({ ...base, own: opened.text }, true);
          // Its own solver, if it names one; what it leaves out is the page's.
          if (/"solver"\s*:/.test(opened.text)) {
            const own = this.#fileSolver;
            const iterations = Math.min(mostBudget, Number(own.iterations));
            await this.take({ ...base, own: opened.text, methods: [methodOf(own, this.#lists)], budget: { kind: 'iterations', value: iterations } }, true);
          }
        } else {
          // Loaded once for its size.
          await this.take({ ...base, own: JSON.stringify(opened.scene) }, false);
          const rest = this.#lanes[0]?.rest ?? new Float64Array();
          await this.take({ ...base, own: JSON.stringify(onFloor(opened.scene, rest)) }, true);
        }
        this.#page.own(opened.name);
      } catch (error) {
        this.#files = before;
        throw error;
      }
    } catch (error) {
      if (error instanceof OpenError || error instanceof LinkError) this.#show({ where: '', what: error.message, remedy: '' });
      else this.#show(error as Failure);
    }
  }
  /** The address of the page as it is, with what was recorded. */
  async link(): Promise<string> {
    await this.#engine.answered();
    return new URL(await encode(this.#recorded()), location.href).href;
  }
  #recorded(): LabState {
    return { ...this.#state, ...this.#began };
  }
  state(): LabState {
    return structuredClone(this.#state);
  }
  get playing(): boolean {
    return this.#playing;
  }
  /** What is shown now, for tests and the console. */
  now(): { time: number; step: number; lanes: { label: string; vertices: number; points: number[]; residual: number; relative: number; iterations: number; failure: Failure | null }[] } {
    const frame = this.#frame;
    return {
      time: frame?.time ?? 0,
      step: frame?.step ?? 0,
      lanes: (frame?.lanes ?? []).map((lane, k) => ({
        label: this.#lanes[k]?.label ?? '',
        vertices: this.#lanes[k]?.vertexCount ?? 0,
        points: Array.from(lane.points),
        residual: lane.residual,
        relative: lane.relative,
        iterations: lane.iterations,
        failure: lane.failure,
      })),
    };
  }
  /** Where a point of a lane is seen, in pixels of the page. */
  project(lane: number, point: Vec3): { x: number; y: number } | null {
    const at = this.#stage.project(lane, point);
    const box = this.#page.canvas.getBoundingClientRect();
    return at && { x: at.x + box.left, y: at.y + box.top };
  }
  get memory(): { geometries: number; textures: number } {
    return this.#stage.memory;
  }
  picture(): Promise<Blob | null> {
    return this.#stage.picture();
  }

  // Showing.

  #showAll(): void {
    const scene = this.#gallery;
    this.#page.scene(scene, this.#state.scene);
    this.#showParameters();
    this.#page.panels([
      this.#about(scene),
      scene ? this.#parameters : null,
      this.#methods.root,
      this.#readout.root,
      this.#curves.root,
      scene?.equations ? this.#equations.root : null,
      viewPanel(this.#state.view, () => {
        this.#top = 0;
        this.#showView();
        this.#remember();
      }),
    ]);
    this.#showMethods();
    this.#page.speed(this.#state.view.speed);
  }
  #showParameters(): void {
    const list = this.#gallery?.parameters ?? [];
    this.#parameters.replaceChildren(
      element('h2', {}, 'Parameters'),
      ...list.map((p) => field({ ...p, value: this.#state.values[p.name] ?? p.value }, (value) => this.set(p.name, value))),
    );
  }
  #showMethods(): void {
    this.#methods.show(this.#state.methods, this.#state.budget, this.#needs);
  }
  #about(scene: GalleryScene | null): HTMLElement {
    return element(
      'section',
      { class: 'panel about', 'aria-label': 'About' },
      element('h2', {}, scene?.title ?? 'Your scene'),
      element('p', {}, scene?.text ?? 'A scene from your files. A link cannot hold files; whoever gets it has to open them, too.'),
      scene ? element('ul', {}, ...scene.hints.map((hint) => element('li', {}, hint))) : null,
    );
  }
  #showView(): void {
    const { color, wireframe, contacts } = this.#state.view;
    this.#stage.setWireframe(wireframe);
    this.#send({ kind: 'show', quantity: color === 'object' ? null : color, contacts });
    this.#retheme();
  }
  #retheme(): void {
    this.#stage.setTheme(this.#page.dark, this.#colliders);
    this.#curves.redraw();
  }
  #look(): void {
    const camera = this.#state.view.camera ?? this.#gallery?.camera;
    if (camera) this.#stage.look(camera.position, camera.target);
    else this.#stage.lookAtAll(this.#lanes[0]?.rest ?? new Float64Array());
  }

  #rememberCamera(): void {
    const triple = (v: { x: number; y: number; z: number }): Vec3 => [v.x, v.y, v.z].map((c) => Number(c.toPrecision(4))) as Vec3;
    this.#state.view.camera = { position: triple(this.#stage.camera.position), target: triple(this.#stage.controls.target) };
    this.#remember();
  }
  /** The address always has the page's state, without what was recorded. */
  #remember(): void {
    this.#later('address', addressDelay, () => {
      void encode({ ...this.#state, events: [] }).then((hash) => {
        if (hash.length < longestLink) history.replaceState(null, '', hash);
      });
    });
  }
  async #share(): Promise<void> {
    const link = await this.link();
    if (link.length > longestLink) {
      const address = URL.createObjectURL(save(this.#recorded()));
      element('a', { href: address, download: 'sinew-lab.json' }).click();
      URL.revokeObjectURL(address);
      this.#page.tell('The recording is too long for a link: it was saved as sinew-lab.json, which this page opens.');
      return;
    }
    history.replaceState(null, '', link);
    try {
      await navigator.clipboard.writeText(link);
      const all = 'The link is copied. It holds the scene, the settings and what was done to the bodies.';
      const without = 'The link is copied, but it cannot hold your files: it works only for scenes of the gallery.';
      this.#page.tell(Object.keys(this.#files).length === 0 ? all : without);
    } catch {
      this.#page.tell('The link is in the address bar.');
    }
  }

  #show(failure: Failure): void {
    this.#page.message(failure);
  }
  #later(what: string, delay: number, action: () => void): void {
    clearTimeout(this.#timers.get(what));
    this.#timers.set(what, setTimeout(action, delay) as unknown as number);
  }
  #send(message: ToWorker): void {
    this.#engine.send(message);
  }
}
