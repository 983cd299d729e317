// Builds the page into `../dist`: script and style as one file each, the engine made small, all compressed.
// Arguments: the engine's WebAssembly, and `--quick` to leave it as the compiler made it.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const [wasm, quick] = process.argv.slice(2);
const here = new URL('.', import.meta.url).pathname, dist = `${here}../dist`;
mkdirSync(dist, { recursive: true });

const made = await build({ entryPoints: [`${here}src/main.js`], bundle: true, minify: true, format: 'iife', target: 'es2022', write: false, legalComments: 'eof' });
const style = readFileSync(`${here}node_modules/uplot/dist/uPlot.min.css`, 'utf8') + readFileSync(`${here}src/style.css`, 'utf8');
const { outputFiles: [css] } = await build({ stdin: { contents: style, loader: 'css' }, minify: true, write: false });

let engine = wasm;
if (!quick) {
  engine = `${dist}/engine.wasm`;
  // features that the compiler uses by default
  const features = ['bulk-memory', 'nontrapping-float-to-int', 'sign-ext', 'mutable-globals', 'reference-types', 'multivalue'];
  execFileSync('node', [`${here}node_modules/binaryen/bin/wasm-opt`, '-Oz', ...features.map(f => `--enable-${f}`), wasm, '-o', engine], { stdio: 'inherit' });
}

const parts = { 'page.js': made.outputFiles[0].contents, 'page.css': css.contents, 'engine.wasm': readFileSync(engine), 'page.html': readFileSync(`${here}src/index.html`) };
for (const [name, content] of Object.entries(parts)) {
  const small = gzipSync(content, { level: 9 });
  writeFileSync(`${dist}/${name}.gz`, small);
  console.log(`${name}: ${content.length} bytes, ${small.length} compressed`);
}
