// The example of the package's README runs.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';

import { web } from './reference.mjs';

it('the example runs', () => {
  const [, example] = readFileSync(join(web, 'engine/README.md'), 'utf8').match(/```js\n([^]*?)```/);
  assert.ok(example.split('\n').length <= 27);
  const file = join(web, 'tests', 'readme-example.mjs');
  try {
    writeFileSync(file, example);
    assert.match(execFileSync(process.execPath, [file], { encoding: 'utf8' }), /^\d{4} \d{4} \d{4,} [0-9a-f]{16}\n$/);
  } finally {
    rmSync(file);
  }
});
