// The built module: its functions (native/sinew_web.h), its memory, and errors.
import { SinewError } from './errors.js';

type Call = (...numbers: number[]) => number;

/** What Emscripten's glue gives. */
export interface NativeModule {
  [name: `_sinew_${string}`]: Call;
  PThread?: { terminateAllThreads(): void };
}

/** What is shared by the glue and the package: how far a creation has got. */
export interface ModuleHooks {
  sinewProgress?: (stage: string, share: number) => number;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Memory for the arguments of one call. */
export class Arguments {
  readonly #native: Native;
  readonly #taken: number[] = [];
  constructor(native: Native) {
    this.#native = native;
  }

  #room(bytes: number): number {
    const at = this.#native.allocate(bytes);
    this.#taken.push(at);
    return at;
  }
  /** Address and length. */
  text(text: string): [number, number] {
    return this.bytes(encoder.encode(text));
  }
  bytes(bytes: Uint8Array): [number, number] {
    const at = this.#room(bytes.length);
    this.#native.bytes().set(bytes, at);
    return [at, bytes.length];
  }
  doubles(numbers: ArrayLike<number>): number {
    const at = this.#room(8 * numbers.length);
    new Float64Array(this.#native.memory.buffer, at, numbers.length).set(numbers);
    return at;
  }
  integers(numbers: ArrayLike<number>): number {
    const at = this.#room(4 * numbers.length);
    new Int32Array(this.#native.memory.buffer, at, numbers.length).set(numbers);
    return at;
  }
  free(): void {
    for (const at of this.#taken) this.#native.free(at);
  }
}

export class Native {
  #broken: unknown = null;
  #stopped = false;
  #view: Uint8Array;

  constructor(
    readonly module: NativeModule,
    readonly hooks: ModuleHooks,
    readonly memory: WebAssembly.Memory,
  ) {
    this.#view = new Uint8Array(memory.buffer);
  }

  /** All of the memory; anew where it has grown. */
  bytes(): Uint8Array {
    if (this.#view.buffer !== this.memory.buffer) this.#view = new Uint8Array(this.memory.buffer);
    return this.#view;
  }

  /** A function's number. Throws what the engine says where it is 0. */
  call(name: string, ...numbers: number[]): number {
    const result = this.run(name, ...numbers);
    if (result === 0) throw this.#error();
    return result;
  }
  /** The same with arguments in memory. */
  callWith(name: string, pass: (argument: Arguments) => number[]): number {
    const argument = new Arguments(this);
    try {
      return this.call(name, ...pass(argument));
    } finally {
      argument.free();
    }
  }
  /** A function's number, whatever it is. */
  run(name: string, ...numbers: number[]): number {
    if (this.#broken) {
      const what = this.#stopped ? 'was disposed of' : 'has stopped';
      throw new SinewError('the engine', what, 'load it again', { cause: this.#broken });
    }
    const call = this.module[`_sinew_${name}`];
    if (!call) throw new SinewError(name, 'is missing in the module', 'build module and package anew');
    try {
      return call(...numbers);
    } catch (cause) {
      // A trap, such as a stack that is too deep: the memory may be in any state.
      this.#broken = cause;
      throw new SinewError('the engine', `has stopped: ${String(cause)}`, 'load it again', { cause });
    }
  }

  /** Hands files to the next creation, or to what is called next with them. */
  giveFiles(files: Record<string, Uint8Array>): void {
    for (const [name, content] of Object.entries(files)) {
      const at = this.callWith('file', (a) => [...a.text(name), content.length]) >>> 0;
      this.bytes().set(content, at);
    }
  }

  /** Whether every call throws, after a trap or stop(). */
  get stopped(): boolean {
    return this.#broken !== null;
  }
  /** From now on every call throws. */
  stop(): void {
    this.#stopped = true;
    this.#broken = true;
  }

  allocate(bytes: number): number {
    const at = this.run('allocate', Math.max(bytes, 8));
    if (at === 0) {
      throw new SinewError('memory', `does not suffice for ${bytes} bytes`, 'dispose of other simulations');
    }
    return at;
  }
  free(at: number): void {
    if (!this.#broken) this.run('free', at);
  }

  // What the last call has given.
  #place(): [number, number] {
    return [this.run('result') >>> 0, this.run('result_count')];
  }
  text(): string {
    return decoder.decode(this.ownBytes());
  }
  json<T>(): T {
    return JSON.parse(this.text()) as T;
  }
  /** A copy. */
  ownBytes(): Uint8Array {
    const [at, count] = this.#place();
    return this.bytes().slice(at, at + count);
  }
  doubles(): Float64Array {
    const [at, count] = this.#place();
    return new Float64Array(this.memory.buffer, count === 0 ? 0 : at, count);
  }
  floats(): Float32Array {
    const [at, count] = this.#place();
    return new Float32Array(this.memory.buffer, count === 0 ? 0 : at, count);
  }
  integers(): Int32Array {
    const [at, count] = this.#place();
    return new Int32Array(this.memory.buffer, count === 0 ? 0 : at, count);
  }

  #error(): SinewError {
    const [where, what, remedy] = [0, 1, 2].map((part) => {
      const from = this.run('error', part) >>> 0;
      const bytes = this.bytes();
      return decoder.decode(bytes.slice(from, bytes.indexOf(0, from)));
    });
    return new SinewError(where ?? '', what ?? '', remedy ?? '');
  }
}
