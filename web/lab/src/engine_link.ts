// The engine in its Worker, as the page sees it: what is asked and awaited, and another Worker in place of one that does
// not come back.
import type { Lists } from '@sinew/engine';

import type { Action, Failure, Frame, FromWorker, LabEvent, ToWorker } from './worker/protocol.ts';

/** [ms] without a word while a scene is awaited */
const patience = 6000;

export type Loaded = Extract<FromWorker, { kind: 'loaded' }>;
export type LoadRequest = Omit<Extract<ToWorker, { kind: 'load' }>, 'kind' | 'id'>;

export interface EngineHooks {
  progress(stage: string, share: number): void;
  started(words: string): void;
  loaded(message: Loaded): void;
  frame(frame: Frame): void;
  /** again: from a recording */
  acted(event: LabEvent, again: boolean): void;
  refused(action: Action, failure: Failure): void;
  /** Nothing is heard while a scene is awaited. */
  silent(failure: Failure): void;
  /** The Worker itself has failed: nothing works any more. */
  ended(failure: Failure): void;
}

interface Waiting {
  done: () => void;
  failed: (failure: Failure) => void;
}

export class EngineLink {
  readonly #hooks: EngineHooks;
  #worker!: Worker;
  #silence: number | undefined; // a timer
  #stuck = false; // in a step that does not end
  #loads = 0;
  #steps = 0;
  #unanswered = 0; // actions of which it is not known at which step they came
  #onStarted: { done: (lists: Lists) => void; failed: (failure: Failure) => void } | null = null;
  #onLoaded = new Map<number, Waiting>();
  #onStepped = new Map<number, () => void>();
  #onAnswered: (() => void)[] = [];

  constructor(hooks: EngineHooks) {
    this.#hooks = hooks;
    this.#connect();
  }

  start(): Promise<Lists> {
    this.send({ kind: 'start', base: new URL('engine/', document.baseURI).href });
    return new Promise((done, failed) => (this.#onStarted = { done, failed }));
  }
  /** Rejects with a Failure where the scene is refused; the one before goes on. */
  async load(request: LoadRequest): Promise<void> {
    const id = ++this.#loads;
    if (this.#stuck) await this.#restart();
    if (id !== this.#loads) return; // another has been asked for
    this.send({ kind: 'load', id, ...request });
    this.#listen();
    await new Promise<void>((done, failed) => this.#onLoaded.set(id, { done, failed }));
  }
  step(count: number): Promise<void> {
    const id = ++this.#steps;
    this.send({ kind: 'step', id, count });
    return new Promise((done) => this.#onStepped.set(id, done));
  }
  act(action: Action): void {
    ++this.#unanswered;
    this.send({ kind: 'act', action });
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
    // Who waits for the old one waits no longer; of its scenes nothing comes.
    for (const done of [...this.#onStepped.values(), ...this.#onAnswered.splice(0)]) done();
    this.#onStepped.clear();
    this.#onLoaded.clear();
    this.#unanswered = 0;
    this.#connect();
    await this.start();
  }
  #listen(): void {
    this.#hear();
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
    this.#stuck = false;
  }

  #receive(message: FromWorker): void {
    // A frame may be of the scene before.
    if (message.kind !== 'frame' && message.kind !== 'acted') this.#hear();
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
        this.#hooks.loaded(message);
        this.#take(message.id)?.done();
        break;
      case 'failed':
        if (message.id === null) this.#onStarted?.failed(message.failure);
        else this.#take(message.id)?.failed(message.failure);
        break;
      case 'frame':
        this.#hooks.frame(message.frame);
        break;
      case 'stepped':
        this.#onStepped.get(message.id)?.();
        this.#onStepped.delete(message.id);
        break;
      case 'acted':
        this.#hooks.acted(message.event, message.again);
        if (!message.again) this.#answer();
        break;
      case 'refused':
        this.#hooks.refused(message.action, message.failure);
        this.#answer();
        break;
    }
  }
  #take(id: number): Waiting | undefined {
    const waiting = this.#onLoaded.get(id);
    this.#onLoaded.delete(id);
    return waiting;
  }
  #answer(): void {
    if (--this.#unanswered === 0) for (const done of this.#onAnswered.splice(0)) done();
  }
}
