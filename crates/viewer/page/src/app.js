// The page: a view, panels around it, and a source of frames.
import { Stage } from './draw/stage.js';
import { Model } from './model.js';
import { Frame } from './frame.js';
import { h, save } from './ui/dom.js';
import { Toolbar } from './ui/toolbar.js';
import { Options } from './ui/options.js';
import { Sliders } from './ui/sliders.js';
import { Plots } from './ui/plots.js';
import { Editor } from './ui/editor.js';
import { help } from './ui/help.js';
import { Overlay } from './ui/overlay.js';
import { mouse } from './ui/mouse.js';
import { keys } from './ui/keys.js';
import { Command } from './command.js';
import { Film } from './film.js';
import { chosen, dropped, models } from './files.js';

const MOST_TIME = 0.5; // maximum real time per frame (s)
const PANELS_EVERY = 4; // frames
const HINT_TIME = 12000; // ms

export class App {
  // `source` gives frames; `editable` if its models can be replaced, `passive` if another process runs the simulation.
  constructor(root, { editable = false, passive = false } = {}) {
    Object.assign(this, { editable, passive, frame: new Frame(), model: null, source: null, last: 0 });
    this.send = (...command) => this.source?.send(...command);
    this.view = h('main.view');
    this.notice = h('div.notice', { role: 'status', hidden: true });
    this.panel = h('aside.panel');
    this.toolbar = new Toolbar(this);
    this.editor = new Editor((files, name) => this.load(files, name));
    this.help = help();
    this.plots = { element: h('section', { hidden: true }) };
    this.view.append(this.notice, this.help);
    root.append(this.editor.element, h('div.middle', {}, this.view, this.plots.element, this.toolbar.element), this.panel);
    this.stage = new Stage(this.view);
    this.stage.canvas.tabIndex = 0;
    this.overlay = new Overlay(this.view);
    new ResizeObserver(() => this.tellSize()).observe(this.view);
    mouse(this); keys(this);
    if (editable) this.acceptFiles(root);
    requestAnimationFrame(now => this.tick(now));
  }

  // Shows another model: panels and view are rebuilt.
  use(words) {
    this.model = new Model(words);
    this.frame = new Frame();
    this.stage.use(this.model);
    this.options = new Options(this, this.model);
    this.sliders = new Sliders(this, this.model);
    const plots = new Plots(this.model);
    plots.element.hidden = this.plots.element.hidden;
    this.plots.element.replaceWith(plots.element);
    this.plots = plots;
    this.panel.replaceChildren(h('h1', {}, this.model.title || 'Model'), this.info = h('p.info'), this.options.element, this.sliders.element);
    document.title = `${this.model.title || 'model'} · sinew`;
  }

  // Loads a model from files into the page's engine.
  async load(files, root) {
    try {
      const { ok, reports } = await this.source.load(files, root);
      this.editor.tell(reports);
      const wrong = reports.find(r => r.severity === 'error');
      if (ok) { this.use(this.source.model()); this.say(''); }
      else { this.say(wrong ? `${wrong.line > 0 ? `${wrong.file}:${wrong.line}: ` : ''}${wrong.words}` : 'this model cannot be loaded'); this.editor.element.hidden = false; }
      return ok;
    } catch (error) { this.fail(error); return false; }
  }

  // Accepts files that may contain a model.
  async take(files) {
    const [root] = models(files);
    if (!root) { this.say('There is no model in these files: an MJCF or URDF file is needed.'); return; }
    this.editor.use(files, root, models(files));
    await this.load(files, root);
  }

  acceptFiles(root) {
    this.input = h('input', { type: 'file', multiple: true, hidden: true, onchange: async () => this.take(await chosen(this.input.files)) });
    root.append(this.input);
    root.ondragover = event => { event.preventDefault(); root.classList.add('dropping'); };
    root.ondragleave = event => { if (!root.contains(event.relatedTarget)) root.classList.remove('dropping'); };
    root.ondrop = async event => {
      event.preventDefault();
      root.classList.remove('dropping');
      try { await this.take(await dropped(event.dataTransfer)); } catch (error) { this.fail(error); }
    };
  }

  open() { this.input.click(); }

  tellSize() { this.send(Command.size, this.view.clientWidth, this.view.clientHeight); }

  toggle(what) {
    const element = { editor: this.editor.element, plots: this.plots.element, panel: this.panel, help: this.help }[what];
    element.hidden = !element.hidden;
  }

  async capture() { save(await this.stage.png(), `${this.model?.title || 'sinew'}.png`); }

  // Starts recording a video of the view, or stops and saves it.
  record() {
    if (this.film) { this.film.stop(); return; }
    const film = this.film = new Film(this.stage.canvas, blob => {
      this.film = null;
      this.toolbar.recording(false);
      save(blob, `${this.model?.title || 'sinew'}.${film.ending}`);
    });
    this.toolbar.recording(true);
  }

  say(words) { this.notice.textContent = words; this.notice.hidden = !words; this.notice.classList.remove('hint'); }

  // Shows a hint until another model is loaded or it times out.
  hint(words) {
    this.say(words);
    this.notice.classList.add('hint');
    setTimeout(() => { if (this.notice.textContent === words) this.say(''); }, HINT_TIME);
  }

  fail(error) { this.say(error.message); console.warn(error); }

  tick(now) {
    requestAnimationFrame(next => this.tick(next));
    const seconds = Math.min(MOST_TIME, (now - this.last) / 1000);
    this.last = now;
    if (!this.source || !this.model) return;
    try {
      const frames = this.source.tick(seconds);
      if (frames.length === 0) return;
      frames.forEach(words => this.frame.read(words));
      this.stage.show(this.frame);
      this.plots.show(this.frame);
      this.toolbar.show(this.frame);
      if (this.frame.count % PANELS_EVERY === 1) this.showPanels();
    } catch (error) { this.model = null; this.fail(error); }
  }

  showPanels() {
    const { frame } = this;
    if (this.panel.hidden) return;
    this.options.show(frame);
    this.sliders.show(frame);
    const selected = frame.select > 0 ? `Selected: ${this.model.name('body', frame.select)}` : 'Double-click to select a body.';
    this.info.textContent = selected + (frame.warnings > 0 ? ` ${frame.warnings} warnings.` : '');
  }
}
