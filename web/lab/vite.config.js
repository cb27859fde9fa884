// The page as static files for any host. Three things are done here rather than in the browser: equations become MathML,
// the colour map becomes its 256 colours, and the compiled engine is copied beside the page, since it is loaded by address
// and not bundled.
import { createReadStream, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { interpolateViridis } from 'd3-scale-chromatic';
import temml from 'temml';
import { defineConfig, transformWithEsbuild } from 'vite';

const engineFolder = join(dirname(fileURLToPath(import.meta.url)), '../engine/dist');
const engineFiles = () => readdirSync(engineFolder).filter((name) => /^sinew.*\.(js|wasm)$/.test(name));

/** Turns tex`...` (a line of its own) and texInline`...` into MathML. A \val{name} becomes an element with that data-val. */
function equations() {
  const macros = { '\\val': '\\class{val-#1}{\\text{?}}' };
  const render = (source, displayMode) =>
    temml
      .renderToString(source, { displayMode, macros: { ...macros }, trust: true, throwOnError: true })
      .replace(/class="val-([a-z-]+)"/g, 'class="value" data-val="$1"');
  return {
    name: 'equations',
    transform(code, id) {
      if (!id.includes('/src/equations/')) return undefined;
      return code.replace(/\b(tex|texInline)`([^`]*)`/g, (_, kind, source) =>
        JSON.stringify(render(source.replaceAll('\\\\', '\\'), kind === 'tex')),
      );
    },
  };
}

/** The module `colors:viridis`: a string of 256 colours, six digits each. */
function colors() {
  const name = 'colors:viridis';
  const hex = (share) => /^#([0-9a-f]{6})$/.exec(interpolateViridis(share))[1];
  return {
    name: 'colors',
    resolveId: (id) => (id === name ? name : undefined),
    load: (id) =>
      id === name ? `export default '${Array.from({ length: 256 }, (_, k) => hex(k / 255)).join('')}'` : undefined,
  };
}

function engine() {
  return {
    name: 'engine',
    configureServer(server) {
      server.middlewares.use('/engine', (request, response, next) => {
        const name = (request.url ?? '').replace(/^\/|\?.*$/g, '');
        if (!engineFiles().includes(name)) return next();
        response.setHeader('content-type', name.endsWith('.wasm') ? 'application/wasm' : 'text/javascript');
        response.setHeader('cross-origin-embedder-policy', 'require-corp');
        createReadStream(join(engineFolder, name)).pipe(response);
      });
    },
    async generateBundle() {
      for (const name of engineFiles()) {
        let source = readFileSync(join(engineFolder, name));
        if (name.endsWith('.js')) source = (await transformWithEsbuild(String(source), name, { minify: true })).code;
        this.emitFile({ type: 'asset', fileName: `engine/${name}`, source });
      }
    },
  };
}

const isolation = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
};

export default defineConfig({
  base: './',
  plugins: [equations(), colors(), engine()],
  worker: { format: 'es' },
  build: { target: 'es2022', chunkSizeWarningLimit: 1000 },
  server: { headers: isolation },
  preview: { headers: isolation },
});
