// Checks that every model of a list loads, steps and gives a frame in WebAssembly. Arguments: the engine, the list.
// Model paths are relative to the list's folder.
import fs from 'node:fs';
import path from 'node:path';
import { Engine } from '../src/source/engine.js';
import { Frame } from '../src/frame.js';
import { Model } from '../src/model.js';

const STEPS = 5;
const [wasm, list] = process.argv.slice(2);
const bytes = fs.readFileSync(wasm), root = path.dirname(list);
const names = fs.readFileSync(list, 'utf8').split('\n').map(line => line.split(/\s+/)[0]).filter(name => name && !name.startsWith('#'));

// Files that a model refers to, wherever they are, with paths relative to its folder.
function files(model) {
  const found = {}, folder = path.dirname(model), dirs = new Set(['']);
  const add = (file, name) => {
    if (found[name] || !fs.existsSync(file) || !fs.statSync(file).isFile()) return;
    found[name] = fs.readFileSync(file);
    if (/\.(xml|urdf|mjcf)$/i.test(name)) scan(found[name].toString('utf8'), path.dirname(file), path.dirname(name));
  };
  const scan = (text, dir, prefix) => {
    for (const [, d] of text.matchAll(/(?:meshdir|texturedir|assetdir)\s*=\s*["']([^"']*)["']/g)) dirs.add(d);
    for (const [, f] of text.matchAll(/(?:file\w*|filename)\s*=\s*["']([^"']+)["']/g)) {
      for (const d of dirs) for (const [base, start] of [[dir, prefix], [folder, '']]) {
        if (!path.isAbsolute(f)) add(path.join(base, d, f), path.join(start, d, f));
      }
    }
  };
  const text = fs.readFileSync(model);
  for (let again = 0; again < 2; again++) scan(text.toString('utf8'), folder, ''); // folders may be set later
  return { [path.basename(model)]: text, ...found };
}

let passed = 0;
const failed = new Map();
const engine = await Engine.create(bytes);
for (const name of names) {
  try {
    await engine.restart();
    const model = path.resolve(root, name);
    const { ok, reports } = await engine.load(files(model), path.basename(model));
    if (!ok) throw Error(reports.map(r => r.words).join('; '));
    engine.guard(() => engine.x.steps(STEPS));
    const model_ = new Model(engine.model());
    const frame = new Frame();
    engine.tick(0).forEach(words => frame.read(words));
    if (!model_.names.length || !Number.isFinite(frame.time)) throw Error('no frame');
    passed++;
  } catch (error) { failed.set(error.message.slice(0, 160), [...(failed.get(error.message.slice(0, 160)) ?? []), name]); }
}
for (const [words, models] of failed) console.log(`${models.length}× ${words} (${models[0]})`);
console.log(`${passed} passed, ${names.length - passed} failed`);
process.exit(passed === names.length ? 0 : 1);
