// The page as a whole: its state, the Worker, the picture and the panels.
import type { Lists, PlacedCollider, Scene, Vec3 } from '@sinew/engine';

import { onFloor, open, OpenError, save } from './files.ts';
import { EngineLink, type Loaded } from './engine_link.ts';
import { Hand } from './hand.ts';
import { check, decode, encode, LinkError, longestLink } from './link.ts';
import { Page } from './page.ts';
import { Curves } from './panels/curves.ts';
import { digits, element } from './panels/dom.ts';
import { Equations, lengthOf } from './panels/equations.ts';
import { field } from './panels/field.ts';
import { colorsOf, MethodsPanel, nothingNeeded, refusal, type Needs } from './panels/methods.ts';
import { inWords, Readout, type LabelledLane } from './panels/readout.ts';
import { viewPanel } from './panels/view.ts';
import { gallery, sceneOf } from './scenes/index.ts';
import { colorsOfObjects, needsOf, pinnedPoints } from './scenes/resolved.ts';
import type { GalleryScene } from './scenes/scene.ts';
import { labelOf, method, methodOf, mostBudget, solverOf, type Budget, type LabState, type Value } from './state.ts';
import { Stage } from './view/stage.ts';
import { highOf, roundUp } from './view/colors.ts';
import type { Action, Failure, Frame, LabEvent, LaneInfo, ToWorker } from './worker/protocol.ts';

const reloadDelay = 250; // [ms] after the last move of a slider
const addressDelay = 400;
const wordsEvery = 4000;
const fall = 0.98; // of the top of the scale of colours, from frame to frame

function galleryOf(state: LabState): GalleryScene | null {
  return state.own === null ? (sceneOf(state.scene) ?? null) : null;
}
function settingsOf({ values, methods, budget }: LabState): Settings {
  return structuredClone({ values, methods, budget });
}
function budgetAction({ kind, value }: Budget): Action {
  return { kind: 'set', path: kind === 'iterations' ? 'solver.iterations' : 'solver.time_budget', value: String(value), name: 'budget' };
}

function stateOf(scene: GalleryScene): LabState {
  return {
    scene: scene.id,
    own: null,
    name: '',
    values: Object.fromEntries(scene.parameters.map(({ name, value }) => [name, value])),
    methods: scene.methods.map((m) => ({ ...m, options: { ...m.options }, acceleratorOptions: { ...m.acceleratorOptions } })),
    budget: { ...scene.budget },
    view: { color: scene.id === 'block' ? 'strain' : 'object', wireframe: false, contacts: false, speed: 1, camera: null },
    events: [],
  };
}

type Files = Record<string, Uint8Array>;
type Settings = Pick<LabState, 'values' | 'methods' | 'budget'>;

/** What the page becomes when a scene that was asked for is there. */
interface Request {
  state: LabState;
  events: LabEvent[];
  files: Files;
  /** Another scene, or the same with what was changed in it. */
  kind: 'taken' | 'again';
  camera: boolean;
}

const lostPicture: Failure = {
  where: 'the graphics card',
  what: 'took its memory back',
  remedy: 'the picture returns when it can; the simulation goes on',
};

/** Of a scene from a file. */
function ownState(name: string, own: string): LabState {
  const settings = { values: {}, methods: [method('vbd')], budget: { kind: 'iterations' as const, value: 15 } };
  return { ...stateOf(gallery[0]!), scene: 'own', own, name, ...settings };
}

export class Lab {
  /** When the first scene is there. */
  readonly ready: Promise<void>;
  #state: LabState = stateOf(gallery[0]!); // of the scene that is shown
  #wanted: LabState = this.#state; // of the one that was asked for most lately
  #stage!: Stage;
  #hand!: Hand;
  #lists!: Lists;
  #playing = false;
  #began: Pick<LabState, 'values' | 'budget'> | null = null; // what a recording begins with
  #accepted: Settings | null = null; // by the engine, most lately
  #announced = new Set<number>(); // lanes whose end was told
  #shown = 0; // scenes that have come
  #counts = ''; // of elements and particles, in words
  #files: Files = {};
  #needs: Needs = nothingNeeded;
  #lanes: LaneInfo[] = [];
  #colliders: PlacedCollider[] = [];
  #lengths = new Float64Array();
  #inverseMasses = new Float64Array();
  #frame: Frame | null = null;
  #most = 0; // of values that are shown as colours, of late
  #top = 0; // of the scale of colours
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
      look: () => this.lookAtBodies(),
      speed: (speed) => {
        this.#state.view.speed = speed;
        if (this.#playing) this.play();
        this.#remember();
      },
      choose: (id) => this.#try(this.load(id)),
      open: (files) => void this.open(files),
      share: () => void this.#share(),
      replay: () => this.#try(this.replay()),
      theme: () => this.#changeTheme(),
      dismiss: () => this.#page.message(null),
    });
    this.#engine = new EngineLink({
      progress: (stage, share) => this.#page.progress(stage, share),
      started: (words) => this.#page.engine(words),
      frame: (frame) => this.#draw(frame),
      acted: (event, again) => this.#acted(event, again),
      refused: (action, failure) => {
        if (action.kind === 'set' || action.kind === 'rebuild') this.#takeBack();
        this.#show(failure);
      },
      silent: (failure) => (failure ? this.#show(failure) : this.#clearMessage()),
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
    this.#stage.onDrawn = () => this.#send({ kind: 'drawn', frame: this.#frame?.number ?? 0 });
    this.#stage.onCamera = () => this.#later('camera', addressDelay, () => this.#rememberCamera());
    this.#stage.onLost = () => this.#clearMessage();
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
      if (live) this.act(budgetAction(budget));
      else this.#reload();
    });
    window.addEventListener('hashchange', () => void this.#fromAddress());
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.#changeTheme());
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
  async take(state: LabState, camera = true, files = this.#files): Promise<void> {
    this.#wanted = state;
    clearTimeout(this.#timers.get('reload'));
    try {
      await this.#load({ state, events: state.events, files, kind: 'taken', camera });
    } catch (failure) {
      if (this.#wanted === state) {
        this.#wanted = this.#state;
        this.#takeBack(); // what was changed meanwhile in the scene before
      }
      throw failure;
    }
  }

  get #gallery(): GalleryScene | null {
    return galleryOf(this.#state);
  }

  async #load(request: Request): Promise<void> {
    const { state, events, files } = request;
    const scene = galleryOf(state);
    const built = settingsOf(state);
    this.#page.progress('scene', 0);
    try {
      await this.#engine.load(
        {
          scene: scene ? JSON.stringify(scene.build(state.values)) : (state.own ?? ''),
          name: state.name || state.scene,
          lanes: state.methods.map((m) => ({ label: labelOf(m), solver: solverOf(m, state.budget) })),
          files,
          events,
        },
        (message) => this.#loaded(message, request, built),
      );
    } catch (failure) {
      if (!this.#engine.isLoading) this.#page.progress(null, 0);
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
    this.#accepted = settingsOf(this.#state);
  }

  /** The scene anew with other settings; the old one goes on where they are refused. */
  #reload(): void {
    const state = this.#state;
    this.#later('reload', reloadDelay, () => {
      if (state !== this.#wanted) return; // another has been asked for
      this.#again([]).catch((failure: Failure) => {
        this.#takeBack();
        this.#show(failure);
      });
    });
  }
  #again(events: LabEvent[]): Promise<void> {
    return this.#load({ state: this.#state, events, files: this.#files, kind: 'again', camera: false });
  }

  #acted(event: LabEvent, again: boolean): void {
    // What the scene before plays back is not for the one that is awaited.
    if (again) return void (this.#engine.isLoading || this.#follow(event));
    this.#record(event);
    if (event.kind === 'set' || event.kind === 'rebuild') this.#accept();
  }
  /** Parameters that a recording changes. */
  #follow(event: LabEvent): void {
    if (event.kind !== 'set' && event.kind !== 'rebuild') return;
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

  #loaded(message: Loaded, { state, events, files, kind, camera }: Request, built: Settings): void {
    ++this.#shown;
    this.#state = state;
    this.#state.events = events;
    this.#files = files;
    this.#began = { values: built.values, budget: built.budget };
    this.#accepted = structuredClone(built);
    this.#announced.clear();
    this.#saidAt = 0;
    this.#page.progress(null, 0);
    this.#clearMessage();
    this.#lanes = message.lanes;
    this.#colliders = message.colliders;
    this.#frame = null;
    this.#most = this.#top = 0;
    this.#needs = needsOf(message.resolved);
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
      this.#inverseMasses = Float64Array.from(vertices, (v) => (first.masses[v] ? 1 / first.masses[v] : 0));
      for (const point of pinnedPoints(message.resolved, first.mesh.objects)) this.#inverseMasses[point] = 0;
      const springs = first.springCount > 0 ? `${first.springCount} constraints, ` : '';
      const elements = first.elementCount > 0 ? `${first.elementCount} elements, ` : '';
      this.#counts = `${elements}${springs}${first.vertexCount} particles`;
    }
    const labels = this.#state.methods.map(labelOf);
    this.#curves.load(labels, this.#colors);
    this.#page.labels(labels, this.#colors);
    if (message.warnings.length > 0) {
      const more = message.warnings.length > 1 ? ` (and ${message.warnings.length - 1} more)` : '';
      this.#page.message({ where: 'warning', what: `${message.warnings[0] ?? ''}${more}`, remedy: '' }, true);
    }
    this.#showView();
    if (kind === 'taken') this.#takeIn(camera);
    else this.#catchUp(built);
  }
  #takeIn(camera: boolean): void {
    if (camera) this.#look();
    this.#showAll();
    this.#remember();
    this.play();
  }
  /** What was changed while the scene was being built anew is changed in it, too. */
  #catchUp(built: Settings): void {
    const { values, budget } = this.#state;
    this.#showMethods();
    for (const [name, value] of Object.entries(values)) if (value !== built.values[name]) this.#change(name, Number(value));
    if (budget.kind === built.budget.kind && budget.value !== built.budget.value) this.act(budgetAction(budget));
    if (this.#playing) this.play();
  }

  #draw(frame: Frame): void {
    this.#frame = frame;
    this.#scale(frame);
    this.#stage.update(frame);
    this.#curves.update(frame.time, frame.lanes);
    const lanes = this.#labelled(frame);
    this.#readout.update(lanes, `${this.#counts}; a step is ${digits(frame.stepSize)} s.`);
    this.#page.time(frame.time, frame.wall, this.#lanes[0]?.springCount ?? 0, this.#lanes[0]?.vertexCount ?? 0);
    this.#page.place(this.#stage.boxes(), lanes);
    if (this.#gallery?.equations) this.#showEquations(frame);
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
      this.#page.say(inWords(frame.time, lanes));
    }
  }

  /** Of the first lane that computes as the equations say: by XPBD, or else by PBD. */
  #showEquations(frame: Frame): void {
    const { methods, budget, values } = this.#state;
    const lane = ['xpbd', 'pbd'].map((type) => methods.findIndex((m) => m.type === type)).find((k) => k >= 0) ?? 0;
    const info = this.#lanes[lane];
    const of = frame.lanes[lane];
    if (!info || !of) return;
    this.#equations.update({
      label: info.label,
      rule: methods[lane]?.type === 'pbd' ? 'PBD' : 'XPBD',
      dt: frame.stepSize,
      iterations: budget.kind === 'iterations' ? budget.value : of.iterations,
      k: Number(values.k),
      time: frame.time,
      edges: info.mesh.edges,
      lengths: this.#lengths,
      inverseMasses: this.#inverseMasses,
      points: of.points,
    });
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

  /** The scale of colours ends at what all but a hundredth of the points stay below, and follows it down slowly. */
  #scale(frame: Frame): void {
    const { color } = this.#state.view;
    if (color === 'object') {
      this.#stage.setScale(0);
      this.#page.legend(null, 0);
      return;
    }
    const most = Math.max(0, ...frame.lanes.map(({ values }) => (values ? highOf(values) : 0)));
    this.#most = Math.max(most, fall * this.#most);
    const top = roundUp(this.#most);
    // It stays where it is until the next lower one is enough by far.
    if (top > this.#top || roundUp(1.2 * this.#most) < this.#top) this.#top = top;
    this.#stage.setScale(this.#top);
    this.#page.legend(color, this.#top);
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
  /** So that all bodies are in view where they are now. */
  lookAtBodies(): void {
    this.#stage.lookAtAll(this.#frame?.lanes.map(({ points }) => points) ?? []);
    this.#rememberCamera();
  }
  /** Back to the start, with the present settings. What was recorded is forgotten. */
  async reset(): Promise<void> {
    this.#clearMessage();
    await this.#again([]);
    if (!this.#stage.isLookingAway(this.#lanes[0]?.rest ?? new Float64Array())) return;
    this.#state.view.camera = null;
    this.#look();
    this.#remember();
  }
  /** Back to the start, and all that was done to the bodies once more; `play`: at once. */
  async replay(play = true): Promise<void> {
    if (!play) this.pause();
    Object.assign(this.#state, structuredClone(this.#began));
    this.#showParameters();
    this.#showMethods();
    await this.#again([...this.#state.events]);
    if (play) this.play();
  }
  /** A scene of the gallery, by its id. */
  async load(id: string): Promise<void> {
    const scene = sceneOf(id);
    if (!scene) throw new Error(`there is no scene "${id}"; there are ${gallery.map((s) => s.id).join(', ')}`);
    await this.take({ ...stateOf(scene), view: { ...stateOf(scene).view, speed: this.#state.view.speed } }, true, {});
  }
  /** A parameter of the scene. */
  set(name: string, value: Value): void {
    const parameter = this.#gallery?.parameters.find((p) => p.name === name);
    if (!parameter) throw new Error(`the scene has no parameter "${name}"`);
    this.#state.values[name] = value;
    this.#remember();
    if ((parameter.live || parameter.rebuild) && this.#lanes.length > 0) {
      this.#change(name, Number(value));
    } else {
      this.#page.tell(`${parameter.label}: the scene begins anew.`);
      this.#reload();
    }
  }
  /** In the scene that runs, where that can be. */
  #change(name: string, value: number): void {
    const parameter = this.#gallery?.parameters.find((p) => p.name === name);
    for (const [path, text] of parameter?.live?.(value) ?? []) this.act({ kind: 'set', path, value: text, name });
    if (parameter?.rebuild) this.act({ kind: 'rebuild', changes: parameter.rebuild(value), name, value });
  }
  act(action: Action): void {
    this.#engine.act(action);
  }
  async open(files: File[]): Promise<void> {
    if (files.length === 0) return;
    try {
      const opened = await open(files);
      if (opened.kind === 'state') await this.take(check(opened.json, (id) => sceneOf(id) !== undefined), true, {});
      else if (opened.kind === 'scene') await this.#openScene(opened.name, opened.text, opened.files);
      else await this.#openMesh(opened.name, opened.scene, opened.files);
    } catch (error) {
      if (error instanceof OpenError || error instanceof LinkError) this.#show({ where: '', what: error.message, remedy: '' });
      else this.#show(error as Failure);
    }
  }
  /** With its own solver, if it names one; else with the first of the page's that can treat it. */
  async #openScene(name: string, text: string, files: Files): Promise<void> {
    const resolved = await this.#engine.resolve(text, name);
    const own = resolved.solver as Record<string, unknown>;
    const namesOne = /"solver"\s*:/.test(text);
    const needs = needsOf(resolved);
    const able = this.#lists.solvers.filter((solver) => refusal(solver, needs, this.#lists) === null).map((solver) => solver.name);
    const type = ['vbd', 'xpbd', ...able].find((candidate) => able.includes(candidate)) ?? 'vbd';
    await this.take(
      {
        ...ownState(name, text),
        methods: [namesOne ? methodOf(own, this.#lists) : method(type)],
        budget: { kind: 'iterations', value: namesOne ? Math.min(mostBudget, Number(own.iterations)) : 15 },
      },
      true,
      files,
    );
  }
  async #openMesh(name: string, scene: Scene, files: Files): Promise<void> {
    // Loaded once for its size.
    await this.take(ownState(name, JSON.stringify(scene)), false, files);
    const rest = this.#lanes[0]?.rest ?? new Float64Array();
    await this.take(ownState(name, JSON.stringify(onFloor(scene, rest))), true, files);
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
    this.#page.scene(this.#title, this.#state.scene);
    this.#showParameters();
    this.#page.panels([
      this.#about(scene),
      scene ? this.#parameters : null,
      this.#methods.root,
      this.#readout.root,
      this.#curves.root,
      scene?.equations ? this.#equations.root : null,
      viewPanel(this.#state.view, () => {
        this.#most = this.#top = 0;
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
    this.#methods.show(this.#state.methods, this.#state.budget, this.#needs, this.#page.dark);
  }
  get #title(): string {
    return this.#gallery?.title ?? (this.#state.name || 'Your scene');
  }
  #about(scene: GalleryScene | null): HTMLElement {
    const hasFiles = Object.keys(this.#files).length > 0;
    return element(
      'section',
      { class: 'panel about', 'aria-label': 'About' },
      element('h2', {}, this.#title),
      element('p', {}, scene?.text ?? (hasFiles ? 'A scene from your files. A link cannot hold files; whoever gets it has to open them, too.' : 'A scene from a file. A link holds all of it.')),
      scene ? element('ul', {}, ...scene.hints.map((hint) => element('li', {}, hint))) : null,
    );
  }
  #showView(): void {
    const { color, wireframe, contacts } = this.#state.view;
    this.#stage.setWireframe(wireframe);
    this.#send({ kind: 'show', quantity: color === 'object' ? null : color, contacts });
    this.#retheme();
  }
  #changeTheme(): void {
    this.#retheme();
    this.#showMethods();
  }
  #retheme(): void {
    this.#stage.setTheme(this.#page.dark, this.#colliders);
    this.#curves.redraw(this.#colors);
    this.#page.recolor(this.#colors);
  }
  get #colors(): string[] {
    return colorsOf(this.#state.methods, this.#lists, this.#page.dark);
  }
  #look(): void {
    const camera = this.#state.view.camera ?? this.#gallery?.camera;
    if (camera) this.#stage.look(camera.position, camera.target);
    else this.#stage.lookAtAll([this.#lanes[0]?.rest ?? new Float64Array()]);
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

  /** As long as there is no picture, the page says so. */
  #clearMessage(): void {
    this.#page.message(this.#stage.isLost ? lostPicture : null);
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
