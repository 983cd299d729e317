// Editor of a model's text, with errors marked at their lines.
import { h, save } from './dom.js';

const DELAY = 600; // ms after the last key

export class Editor {
  // `compile(files, root)` loads the model and returns its reports.
  constructor(compile) {
    this.compile = compile;
    this.files = {};
    this.gutter = h('pre.gutter');
    this.area = h('textarea', { spellcheck: false, wrap: 'off', 'aria-label': 'Model', oninput: () => this.typed(), onscroll: () => this.align(),
      onkeydown: event => this.key(event) });
    this.choice = h('select', { 'aria-label': 'File', onchange: () => this.open(this.choice.value) });
    this.list = h('ul.reports');
    this.run = h('button', { title: 'Run this model', hidden: true, onclick: () => this.start() }, 'Run this one');
    this.element = h('section.editor', { hidden: true }, h('header', {}, this.choice, this.run, h('span.grow'),
      h('button', { title: 'Save this file', onclick: () => save(new Blob([this.area.value]), this.name.split('/').pop()) }, 'Save')),
      h('div.text', {}, this.gutter, this.area), this.list);
  }

  // Opens files; `root` is the running model, one of `models`.
  use(files, root, models) {
    Object.assign(this, { files, root, models, reports: [] });
    const texts = Object.keys(files).filter(n => /\.(xml|urdf|mjcf|txt)$/i.test(n));
    this.choice.replaceChildren(...texts.map(n => h('option', { value: n }, n)));
    if (texts.includes(root)) this.open(root);
  }

  open(name) {
    this.name = this.choice.value = name;
    this.area.value = new TextDecoder().decode(this.files[name]);
    this.run.hidden = name === this.root || !this.models.includes(name);
    this.mark();
  }

  // Runs another one of the models.
  start() {
    this.root = this.name;
    this.run.hidden = true;
    this.compile(this.files, this.root);
  }

  typed() {
    this.files = { ...this.files, [this.name]: new TextEncoder().encode(this.area.value) };
    this.mark();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.compile(this.files, this.root), DELAY);
  }

  key(event) {
    event.stopPropagation(); // keys typed here are not viewer shortcuts
    if (event.key !== 'Tab') return;
    event.preventDefault();
    this.area.setRangeText('  ', this.area.selectionStart, this.area.selectionEnd, 'end');
    this.typed();
  }

  // Shows reports: a list, and marks at lines of this file.
  tell(reports) {
    this.reports = reports;
    this.list.replaceChildren(...reports.map(r => h(`li.${r.severity}`, { tabIndex: 0, onclick: () => this.jump(r) },
      h('b', {}, r.severity), r.line > 0 ? ` ${r.file}:${r.line}:${r.column} ` : ' ', h('span', {}, r.words))));
    this.mark();
  }

  jump(report) {
    if (report.line <= 0) return;
    if (this.files[report.file] && report.file !== this.name) this.open(report.file);
    const lines = this.area.value.split('\n');
    const start = lines.slice(0, report.line - 1).reduce((sum, line) => sum + line.length + 1, 0);
    const at = start + Math.max(0, report.column - 1), end = start + (lines[report.line - 1]?.length ?? 0);
    this.area.focus();
    this.area.setSelectionRange(at, Math.max(at, end));
    this.area.scrollTop = Math.max(0, (report.line - 5) * parseFloat(getComputedStyle(this.area).lineHeight));
  }

  mark() {
    const wrong = new Map((this.reports ?? []).filter(r => !r.file || r.file === this.name).map(r => [r.line, r]));
    const count = this.area.value.split('\n').length;
    this.gutter.replaceChildren(...Array.from({ length: count }, (_, i) => {
      const report = wrong.get(i + 1);
      return h(report ? `span.${report.severity}` : 'span', { title: report?.words ?? '' }, `${i + 1}\n`);
    }));
    this.align();
  }

  align() { this.gutter.scrollTop = this.area.scrollTop; }
}
