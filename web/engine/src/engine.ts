import type { Scene } from './generated/scene.js';
import type { Lists } from './lists.js';
import type { Arguments, Native } from './native.js';
import { ReportReader } from './reports.js';
import { Simulation } from './simulation.js';
import type { Progress } from './values.js';

export interface CreateOptions {
  /** In errors, in place of a file's name. */
  name?: string;
  /** What the scene names: mesh.file and the like. */
  files?: Record<string, Uint8Array>;
  /** "path=value" each, as `sinew run --set` has them. */
  overrides?: string[];
  /** Returns false to give up. */
  onProgress?: (progress: Progress) => void | boolean;
  /** At most those of the engine, which is the default. Results do not depend on it. */
  threads?: number;
}

interface Description {
  version: string;
  commit: string;
  lanes: number;
  lists: Lists;
}

/** The module and what it offers; loadEngine() returns one. */
export class Engine {
  readonly version: string;
  /** of the source */
  readonly commit: string;
  /** Numbers in a register. */
  readonly lanes: number;
  /** That all simulations together may have. */
  readonly threads: number;
  readonly lists: Lists;
  readonly #native: Native;
  readonly #reader: ReportReader;
  #schema?: object;

  constructor(native: Native, threads: number, maximumBytes: number) {
    this.#native = native;
    this.threads = threads;
    native.call('start', threads, maximumBytes);
    native.call('description');
    const description = native.json<Description>();
    this.version = description.version;
    this.commit = description.commit;
    this.lanes = description.lanes;
    this.lists = description.lists;
    native.call('report_fields');
    this.#reader = new ReportReader(native.text().split('\n'));
  }

  /** Of the module's memory, which grows but never shrinks. */
  get memoryBytes(): number {
    return this.#native.memory.buffer.byteLength;
  }
  /** Of it, what is in use. */
  get usedBytes(): number {
    return this.#native.run('memory_in_use');
  }
  /** The module's memory: with threads a SharedArrayBuffer, which another thread may read Surface.points from. */
  get memory(): WebAssembly.Memory {
    return this.#native.memory;
  }

  /** JSON Schema of a scene. */
  get schema(): object {
    if (!this.#schema) {
      this.#native.call('schema');
      this.#schema = this.#native.json<object>();
    }
    return this.#schema;
  }

  create(scene: Scene | string, options: CreateOptions = {}): Simulation {
    return this.#made(options, () =>
      this.#native.callWith('create', (a) => [...this.#sceneArguments(a, scene, options), options.threads ?? 0]),
    );
  }

  /** A simulation that goes on from a checkpoint, with the same bits and handles. Files are to be given again. */
  resume(checkpoint: Uint8Array, options: CreateOptions = {}): Simulation {
    return this.#made(options, () =>
      this.#native.callWith('resume', (a) => [...a.bytes(checkpoint), options.threads ?? 0]),
    );
  }

  /** The scene with every default written out. */
  resolve(scene: Scene | string, options: CreateOptions = {}): Scene {
    this.#native.callWith('resolve', (a) => this.#sceneArguments(a, scene, options));
    return this.#native.json<Scene>();
  }

  /** Ends the threads. No simulation can be used any more. */
  dispose(): void {
    this.#native.module.PThread?.terminateAllThreads();
    this.#native.stop();
  }

  #sceneArguments(a: Arguments, scene: Scene | string, options: CreateOptions): number[] {
    return [
      ...a.text(typeof scene === 'string' ? scene : JSON.stringify(scene)),
      ...a.text(options.name ?? 'scene'),
      ...a.text(JSON.stringify(options.overrides ?? [])),
    ];
  }

  #made(options: CreateOptions, make: () => number): Simulation {
    this.#native.giveFiles(options.files ?? {});
    let thrown: { error: unknown } | null = null;
    const { hooks } = this.#native;
    if (options.onProgress) {
      const listener = options.onProgress;
      hooks.sinewProgress = (stage, share) => {
        try {
          return listener({ stage, share }) === false ? 0 : 1;
        } catch (error) {
          thrown = { error };
          return 0;
        }
      };
    }
    try {
      return new Simulation(this.#native, this.#reader, make());
    } catch (error) {
      throw thrown ? (thrown as { error: unknown }).error : error;
    } finally {
      delete hooks.sinewProgress;
    }
  }
}

