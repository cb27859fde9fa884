// The engine in its Worker, as the page sees it: what is asked and awaited, and another Worker in place of one that does
// not come back.
import type { Lists } from '@sinew/engine';

import type { Action, Failure, Frame, FromWorker, LabEvent, ToWorker } from './worker/protocol.ts';

const pulse = 2000; // [ms] from one question whether the Worker is there to the next
const patience = 6000; // [ms] without a word of it

export type Loaded = Extract<FromWorker, { kind: 'loaded' }>;
export type LoadRequest = Omit<Extract<ToWorker, { kind: 'load' }>, 'kind' | 'load'>;

export interface EngineHooks {
  progress(stage: string, share: number): void;
  started(words: string): void;
  frame(frame: Frame): void;
  /** again: from a recording */
  acted(event: LabEvent, again: boolean): void;
  refused(action: Action, failure: Failure): void;
  /** Nothing is heard, as in a step that does not end; null: it has answered after all. */
  silent(failure: Failure | null): void;
  /** The Worker itself has failed: nothing works any more. */
  ended(failure: Failure): void;
}

/** A scene that was asked for. */
interface Asked {
  request: LoadRequest;
  /** When it is there. */
  arrived: (message: Loaded) => void;
  /** When it is known what has become of it. */
  done: () => void;
  failed: (failure: Failure) => void;
}

export class EngineLink {
  readonly #hooks: EngineHooks;
  #worker!: Worker;
  #silence: number | undefined; // a timer, while an answer is awaited
  #stuck = false; // in a step that does not end
  #starting = false; // anew
  #loads = 0;
  #shown = 0; // number of the load that the page shows
  #loading: Asked | null = null;
  #next: Asked | null = null; // the one that was asked for most lately
  #steps = 0;
  #questions = 0;
  #unanswered = 0; // actions of which it is not known at which step they came
  #onStarted: { done: (lists: Lists) => void; failed: (failure: Failure) => void } | null = null;
  #onResolved = new Map<number, { done: (scene: Record<string, unknown>) => void; failed: (failure: Failure) => void }>();
  #onStepped = new Map<number, () => void>();
  #onAnswered: (() => void)[] = [];

  constructor(hooks: EngineHooks) {
    this.#hooks = hooks;
    this.#connect();
    window.setInterval(() => this.#ask(), pulse);
  }

  start(): Promise<Lists> {
    this.send({ kind: 'start', base: new URL('engine/', document.baseURI).href });
    return new Promise((done, failed) => (this.#onStarted = { done, failed }));
  }
  /**
   * One after the other: of those that are asked for meanwhile, the last comes, and the others are dropped. Rejects with a
   * Failure where the scene is refused; the one before goes on.
   */
  async load(request: LoadRequest, arrived: (message: Loaded) => void): Promise<void> {
    const asked = new Promise<void>((done, failed) => {
      this.#next?.done();
      this.#next = { request, arrived, done, failed };
    });
    if (this.#stuck) void this.#restart();
    this.#loadNext();
    await asked;
  }
  /** Whether a scene is awaited. */
  get isLoading(): boolean {
    return this.#loading !== null || this.#next !== null;
  }
  /** A scene with all its defaults. Rejects with a Failure. */
  resolve(scene: string, name: string): Promise<Record<string, unknown>> {
    const id = ++this.#questions;
    this.send({ kind: 'resolve', id, scene, name });
    return new Promise((done, failed) => this.#onResolved.set(id, { done, failed }));
  }
  step(count: number): Promise<void> {
    const id = ++this.#steps;
    this.send({ kind: 'step', load: this.#shown, id, count });
    return new Promise((done) => this.#onStepped.set(id, done));
  }
  act(action: Action): void {
    ++this.#unanswered;
    this.send({ kind: 'act', load: this.#shown, action });
  }
  /** When it is known of every action at which step it came. */
  async answered(): Promise<void> {
    if (this.#unanswered > 0) await new Promise<void>((done) => this.#onAnswered.push(done));
  }
  send(message: ToWorker): void {
    this.#worker.postMessage(message);
  }

  #connect(): void {
    this.#worker = new Worker(new URL('./worker/lab.worker.ts', import.meta.url), { type: 'module', name: 'sinew' });
    this.#worker.onmessage = ({ data }: MessageEvent<FromWorker>) => this.#receive(data);
    this.#worker.onerror = (event) =>
      this.#hooks.ended({ where: 'the engine', what: event.message || 'has stopped', remedy: 'reload the page' });
  }
  async #restart(): Promise<void> {
    this.#worker.terminate();
    this.#hear();
    // Who waits for the old one waits no longer.
    for (const done of this.#onStepped.values()) done();
    this.#onStepped.clear();
    this.#loading?.done();
    this.#loading = null;
    this.#forgetActions();
    this.#connect();
    this.#starting = true;
    await this.start();
    this.#starting = false;
    this.#loadNext();
  }
  #loadNext(): void {
    if (this.#starting || this.#loading !== null || this.#next === null) return;
    this.#loading = this.#next;
    this.#next = null;
    this.send({ kind: 'load', load: ++this.#loads, ...this.#loading.request });
    this.#ask();
  }

  /** Whether it is there: between two steps it answers. */
  #ask(): void {
    if (this.#silence !== undefined || this.#stuck || this.#loads === 0) return;
    this.send({ kind: 'ping' });
    this.#silence = window.setTimeout(() => {
      this.#stuck = true;
      this.#hooks.silent({
        where: 'the engine',
        what: `has not answered for ${patience / 1000} s, since a step takes that long`,
        remedy: 'wait, or choose smaller numbers and press Reset, which starts the engine anew',
      });
    }, patience);
  }
  #hear(): void {
    clearTimeout(this.#silence);
    this.#silence = undefined;
    if (this.#stuck) this.#hooks.silent(null);
    this.#stuck = false;
  }

  #receive(message: FromWorker): void {
    this.#hear();
    switch (message.kind) {
      case 'progress':
        this.#hooks.progress(message.stage, message.share);
        break;
      case 'started': {
        const { version, lanes, threads } = message;
        this.#hooks.started(`engine ${version}, ${lanes} SIMD lanes, ${threads} ${threads === 1 ? 'thread' : 'threads'}`);
        this.#onStarted?.done(message.lists);
        break;
      }
      case 'loaded':
        this.#shown = message.load;
        this.#forgetActions();
        this.#end((asked) => {
          asked.arrived(message);
          asked.done();
        });
        break;
      case 'failed':
        if (message.load === null) this.#onStarted?.failed(message.failure);
        else this.#end((asked) => asked.failed(message.failure));
        break;
      case 'frame':
        if (message.load === this.#shown) this.#hooks.frame(message.frame);
        break;
      case 'resolved': {
        const waiting = this.#onResolved.get(message.id);
        this.#onResolved.delete(message.id);
        if ('scene' in message) waiting?.done(message.scene);
        else waiting?.failed(message.failure);
        break;
      }
      case 'stepped':
        this.#onStepped.get(message.id)?.();
        this.#onStepped.delete(message.id);
        break;
      case 'acted':
        if (message.load !== this.#shown) break;
        this.#hooks.acted(message.event, message.again);
        if (!message.again) this.#answer();
        break;
      case 'refused':
        if (message.load !== this.#shown) break;
        this.#hooks.refused(message.action, message.failure);
        if (!message.again) this.#answer();
        break;
    }
  }
  /** Of the load that was awaited; the next one goes out. */
  #end(tell: (asked: Asked) => void): void {
    const asked = this.#loading;
    this.#loading = null;
    if (asked) tell(asked);
    this.#loadNext();
  }
  #answer(): void {
    if (--this.#unanswered === 0) for (const done of this.#onAnswered.splice(0)) done();
  }
  /** Of a scene that is gone: of them nothing comes. */
  #forgetActions(): void {
    this.#unanswered = 0;
    for (const done of this.#onAnswered.splice(0)) done();
  }
}
