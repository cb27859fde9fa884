// Asks the program's build (tests/native) for hashes and times.
import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const web = dirname(dirname(fileURLToPath(import.meta.url)));

// `what`: hash or time; a line for each [scene, steps].
export async function ask(what, scenes) {
  const built = '../build/web-reference/web/tests/native/sinew_web_reference';
  const program = process.env.SINEW_WEB_REFERENCE ?? join(web, built);
  const child = spawn(program, [what], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(scenes.map(([scene, steps]) => `${steps} ${JSON.stringify(scene)}\n`).join(''));
  let text = '';
  child.stdout.on('data', (piece) => (text += piece));
  const status = await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
  if (status !== 0) throw new Error(`${program} ends with status ${status}`);
  return text.trim().split('\n');
}
