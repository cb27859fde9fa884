// Emscripten's module for node uses what only CommonJS has.
let require, __dirname;
if (typeof process === 'object' && process.versions && process.versions.node && process.type !== 'renderer') {
  const node = 'module';
  require = (await import(/* @vite-ignore */ /* webpackIgnore: true */ node)).createRequire(import.meta.url);
  __dirname = require('url').fileURLToPath(new URL('.', import.meta.url));
}
