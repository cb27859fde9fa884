// Which module there is for this page, and loading it.
import { Engine } from './engine.js';
import { SinewError } from './errors.js';
import { Native, type ModuleHooks, type NativeModule } from './native.js';
import type { Progress } from './values.js';

export interface LoadOptions {
  /** Of the engine in all, with the calling one. By default one per core, at most 16; 1: the plain module. */
  threads?: number;
  /** The folder of sinew.js and the files beside it. By default that of this package. */
  base?: string | URL;
  onProgress?: (progress: Progress) => void;
}

// As native/CMakeLists.txt has them.
const pageBytes = 65536;
const initialBytes = 64 * 1024 * 1024;
const maximumBytes = 2 ** 31;

const mostThreads = 16;

// A function that returns a vector of zeros, and one with a try block.
const simdBytes = [
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11,
];
const exceptionBytes = [0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 10, 8, 1, 6, 0, 6, 64, 25, 11, 11];

declare const process: { versions?: { node?: string } } | undefined;
const inNode = typeof process === 'object' && typeof process?.versions?.node === 'string' && typeof document === 'undefined';

/** Loads the threaded module where the page is isolated and threads != 1, else the plain one. */
export async function loadEngine(options: LoadOptions = {}): Promise<Engine> {
  requireFeatures();
  const threads = await threadsOf(options.threads);
  const name = threads > 1 ? 'sinew-threads' : 'sinew';
  const base = baseOf(options.base);
  const tell = options.onProgress ?? (() => undefined);
  tell({ stage: 'download', share: 0 });
  const compiled = await compile(new URL(`${name}.wasm`, base), (share) => tell({ stage: 'download', share }));
  tell({ stage: 'start', share: 0 });

  const memory = new WebAssembly.Memory({
    initial: initialBytes / pageBytes,
    maximum: maximumBytes / pageBytes,
    shared: threads > 1,
  });
  const glue = new URL(`${name}.js`, base).href;
  const hooks: ModuleHooks & Record<string, unknown> = {
    wasmMemory: memory,
    mainScriptUrlOrBlob: glue,
    locateFile: (file: string) => placeOf(file, base),
    sinewWorkers: threads - 1,
    instantiateWasm: (imports: WebAssembly.Imports, done: (instance: WebAssembly.Instance, of: WebAssembly.Module) => void) => {
      void WebAssembly.instantiate(compiled, imports).then((instance) => done(instance, compiled));
      return {};
    },
  };
  let module: NativeModule;
  try {
    const { default: create } = (await import(/* @vite-ignore */ /* webpackIgnore: true */ glue)) as {
      default: (hooks: object) => Promise<NativeModule>;
    };
    module = await create(hooks);
  } catch (cause) {
    throw new SinewError(glue, `could not be started: ${String(cause)}`, 'see the browser’s console', { cause });
  }
  const engine = new Engine(new Native(module, hooks, memory), threads, maximumBytes);
  tell({ stage: 'start', share: 1 });
  return engine;
}

function requireFeatures(): void {
  const has = (bytes: number[]) => typeof WebAssembly === 'object' && WebAssembly.validate(new Uint8Array(bytes));
  if (!has(simdBytes)) {
    throw new SinewError('WebAssembly', 'has no SIMD here', 'use a browser of 2023 or later');
  }
  if (!has(exceptionBytes)) {
    throw new SinewError('WebAssembly', 'has no exceptions here', 'use a browser of 2023 or later');
  }
}

async function threadsOf(wanted: number | undefined): Promise<number> {
  const isolated = inNode || (globalThis as { crossOriginIsolated?: boolean }).crossOriginIsolated === true;
  if (!isolated || typeof SharedArrayBuffer === 'undefined') return 1;
  const cores = globalThis.navigator?.hardwareConcurrency ?? (inNode ? await coresInNode() : 1);
  const threads = wanted === undefined || wanted <= 0 ? cores : Math.floor(wanted);
  return Math.max(1, Math.min(threads, mostThreads));
}

async function coresInNode(): Promise<number> {
  const node = 'node:os';
  const { cpus } = (await import(/* @vite-ignore */ /* webpackIgnore: true */ node)) as { cpus(): unknown[] };
  return cpus().length;
}

function baseOf(base: string | URL | undefined): URL {
  const here = new URL('./', import.meta.url);
  if (base === undefined) return here;
  const page = inNode ? here.href : globalThis.location.href;
  const url = new URL(base, page);
  return url.pathname.endsWith('/') ? url : new URL(`${url.pathname}/`, url);
}

// node takes a path, and tells a script from a module by its name.
function placeOf(file: string, base: URL): string {
  const url = new URL(file, base);
  return inNode ? decodeURI(url.pathname).replace(/\.worker\.js$/, '.worker.cjs') : url.href;
}

async function compile(url: URL, tell: (share: number) => void): Promise<WebAssembly.Module> {
  try {
    if (url.protocol === 'file:') {
      const node = 'node:fs/promises';
      const { readFile } = (await import(/* @vite-ignore */ /* webpackIgnore: true */ node)) as {
        readFile(path: URL): Promise<Uint8Array<ArrayBuffer>>;
      };
      return await WebAssembly.compile(await readFile(url));
    }
    const response = await fetch(url);
    if (!response.ok || !response.body) throw new Error(`status ${response.status}`);
    // Compressed, the length is not that of what comes out.
    const length = response.headers.get('content-encoding') ? 0 : Number(response.headers.get('content-length') ?? 0);
    let read = 0;
    const counted = response.body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          read += chunk.length;
          if (length > 0) tell(Math.min(read / length, 1));
          controller.enqueue(chunk);
        },
      }),
    );
    const headers = { 'content-type': 'application/wasm' };
    const compiled = await WebAssembly.compileStreaming(new Response(counted, { headers }));
    tell(1);
    return compiled;
  } catch (cause) {
    const remedy = 'put sinew.js and the files beside it where `base` says, by default beside the package';
    throw new SinewError(url.href, `could not be loaded: ${String(cause)}`, remedy, { cause });
  }
}
