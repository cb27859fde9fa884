// In a Worker of a page: which module is loaded, and that its bits are those of the program.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';

import { chromium } from 'playwright-core';

import { chromiumPath } from './chromium.mjs';
import { serve } from '../serve.mjs';
import { ask, web } from './reference.mjs';
import { balls, bar } from './scenes.mjs';


describe('a page', () => {
  let browser, isolated, open, expected;
  const scenes = [bar(), balls({ contact: { guarantee: 'intersection_free' } })];
  before(async () => {
    browser = await chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox'] });
    isolated = await serve(web, 0, true);
    open = await serve(web, 0, false);
    expected = await ask('hash', scenes.map((scene) => [scene, 20]));
  });
  after(async () => {
    await browser?.close();
    isolated?.server.close();
    open?.server.close();
  });

  const inPage = async ({ address }, action) => {
    const page = await browser.newPage();
    const faults = [];
    page.on('pageerror', (error) => faults.push(String(error)));
    page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
    await page.goto(`${address}tests/page/index.html`);
    await action((what, argument) => page.evaluate(([w, a]) => window.ask(w, a), [what, argument]));
    assert.deepEqual(faults, []);
    await page.close();
  };
  const sameBits = async (ask) => {
    for (const [k, scene] of scenes.entries()) assert.equal(await ask('hash', { scene, steps: 20 }), expected[k]);
  };

  it('in isolation has threads', () =>
    inPage(isolated, async (ask) => {
      assert.deepEqual(await ask('load', { threads: 3 }), { threads: 3, lanes: 4, isolated: true });
      await sameBits(ask);
    }));
  it('in isolation has none if told so', () =>
    inPage(isolated, async (ask) => {
      assert.deepEqual(await ask('load', { threads: 1 }), { threads: 1, lanes: 4, isolated: true });
      await sameBits(ask);
    }));
  it('of any other kind has one thread', () =>
    inPage(open, async (ask) => {
      assert.deepEqual(await ask('load', { threads: 3 }), { threads: 1, lanes: 4, isolated: false });
      await sameBits(ask);
    }));
  it('without the module’s files gets an error with a remedy', () =>
    inPage(open, async (ask) => {
      await assert.rejects(ask('load', { base: 'nowhere/' }), /could not be loaded: .*404.*; put sinew\.js/);
    }).catch((error) => assert.match(error.message, /404/)));
});
