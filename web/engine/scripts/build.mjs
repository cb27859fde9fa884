// Makes dist/ out of the built modules and src/: node scripts/build.mjs [FOLDER_OF_BUILDS]
//
// FOLDER_OF_BUILDS has the build of the preset web, by default build/ of the project.
import { spawnSync } from 'node:child_process';
import { copyFile, mkdir, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = dirname(dirname(fileURLToPath(import.meta.url)));
const builds = process.argv[2] ?? join(folder, '../../build');
const native = join(builds, 'web/web/engine/native');
const dist = join(folder, 'dist');

await rm(dist, { recursive: true, force: true });
await mkdir(dist, { recursive: true });
await mkdir(join(folder, 'src/generated'), { recursive: true });
const scene = join(folder, 'src/generated/scene.ts');
run(process.execPath, [join(folder, 'scripts/scene-types.mjs'), join(native, 'sinew.js'), scene]);
run(process.execPath, [createRequire(import.meta.url).resolve('typescript/bin/tsc'), '-p', folder]);
for (const file of [
  'sinew.js', 'sinew.wasm', 'sinew-threads.js', 'sinew-threads.wasm', 'sinew-threads.worker.js',
])
  await copyFile(join(native, file), join(dist, file));
// Emscripten's workers are scripts, not modules, which node tells by the name.
await copyFile(join(dist, 'sinew-threads.worker.js'), join(dist, 'sinew-threads.worker.cjs'));

function run(program, words) {
  const { status } = spawnSync(program, words, { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
