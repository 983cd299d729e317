// Builds the page into `../dist`: script and style as one file each, and the engine, all compressed. The argument is
// the engine's WebAssembly as compiled: optimising it further with binaryen saves less than 1 % and takes longer than
// compiling.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { gzip } from '@gfx/zopfli';
import { build } from 'esbuild';

const [wasm] = process.argv.slice(2);
const here = new URL('.', import.meta.url).pathname, dist = `${here}../dist`;
mkdirSync(dist, { recursive: true });

const made = await build({ entryPoints: [`${here}src/main.js`], bundle: true, minify: true, format: 'iife', target: 'es2022', write: false, legalComments: 'eof' });
const style = readFileSync(`${here}node_modules/uplot/dist/uPlot.min.css`, 'utf8') + readFileSync(`${here}src/style.css`, 'utf8');
const { outputFiles: [css] } = await build({ stdin: { contents: style, loader: 'css' }, minify: true, write: false });

const parts = { 'page.js': made.outputFiles[0].contents, 'page.css': css.contents, 'engine.wasm': readFileSync(wasm), 'page.html': readFileSync(`${here}src/index.html`) };
// gzip with higher effort takes seconds for 5 % less
const compress = promisify(gzip), sizes = {};
for (const [name, content] of Object.entries(parts)) {
  const small = await compress(content, { numiterations: 5 });
  writeFileSync(`${dist}/${name}.gz`, small);
  console.log(`${name}: ${content.length} bytes, ${small.length} compressed`);
  sizes[name] = small.length;
}

const MOST = 1e6; // bytes of the compressed engine
if (sizes['engine.wasm'] > MOST) {
  console.error(`the engine has ${sizes['engine.wasm']} bytes compressed, more than ${MOST}: see what has grown (tables in the data section, copies of functions)`);
  process.exit(1);
}
