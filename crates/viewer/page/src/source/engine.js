// The engine in the page.
import { Words } from '../words.js';
import { encode } from '../command.js';

// Maximum time for simulation in one frame. (ms)
const BUDGET = 12;

export class Engine {
  static async create(bytes) {
    const engine = new Engine();
    engine.module = await WebAssembly.compile(bytes);
    await engine.restart();
    return engine;
  }

  async restart() {
    this.x = (await WebAssembly.instantiate(this.module, {})).exports;
    this.x.start();
    this.loaded = false;
    this.perStep = 0.1;
  }

  give(bytes) {
    const at = this.x.input(bytes.length);
    new Uint8Array(this.x.memory.buffer, at, bytes.length).set(bytes);
  }

  answer() { return new Words(this.x.memory.buffer, this.x.output(), this.x.output_length()); }

  words() { return this.answer().text(this.x.output_length()); }

  // Calls the engine; if it panics, it must be restarted, and its panic message becomes the error.
  guard(work) {
    try { return work(); } catch (error) {
      const { x } = this;
      let words = '';
      try { words = new TextDecoder().decode(new Uint8Array(x.memory.buffer, x.last_words(), x.last_words_length())); } catch { /* none */ }
      this.loaded = false;
      throw Error(`the engine stopped: ${words || error.message}`, { cause: error });
    }
  }

  // Loads files by name, with the model named `root`. Returns the reported errors.
  async load(files, root) {
    if (!this.loaded) await this.restart(); // WebAssembly memory never shrinks: restart
    this.give(pack(files));
    if (!this.guard(() => this.x.files())) return { ok: false, reports: [report('error', root, 0, 0, this.words())] };
    this.give(new TextEncoder().encode(root));
    const ok = this.guard(() => this.x.load()) === 1;
    const reports = this.words().split('\n').filter(Boolean).map(line => report(...line.split('\t')));
    if (ok) this.loaded = true;
    return { ok, reports };
  }

  // Shows recorded positions instead of a simulation.
  replay(times, qpos) {
    const numbers = new Float64Array(times.length + qpos.length);
    numbers.set(times); numbers.set(qpos, times.length);
    this.give(new Uint8Array(numbers.buffer));
    return this.guard(() => this.x.replay(times.length)) === 1;
  }

  model() { this.x.model(); return this.answer(); }

  send(...command) {
    if (!this.loaded) return;
    this.give(encode(...command));
    this.guard(() => this.x.command());
  }

  // Advances real time; returns the next frame.
  tick(seconds) {
    if (!this.loaded) return [];
    const most = Math.max(1, Math.floor(BUDGET / this.perStep));
    const start = performance.now();
    const steps = this.guard(() => this.x.advance(seconds, most));
    if (steps > 0) this.perStep += 0.2 * (Math.max((performance.now() - start) / steps, 1e-4) - this.perStep);
    this.guard(() => this.x.frame());
    return [this.answer()];
  }
}

const report = (severity, file, line, column, words) => ({ severity, file, line: +line, column: +column, words });

// Packs files into a byte array, as `web/src/files.rs` reads them.
export function pack(files) {
  const parts = Object.entries(files).map(([name, content]) => [new TextEncoder().encode(name), content]);
  const bytes = new Uint8Array(parts.reduce((sum, [n, c]) => sum + 8 + n.length + c.length, 0));
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const [name, content] of parts) {
    view.setUint32(at, name.length, true); view.setUint32(at + 4, content.length, true);
    bytes.set(name, at + 8); bytes.set(content, at + 8 + name.length);
    at += 8 + name.length + content.length;
  }
  return bytes;
}
