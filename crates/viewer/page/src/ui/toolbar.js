// The toolbar below the view: run, step, reset, speed, time.
import { h } from './dom.js';
import { icon } from './icons.js';
import { Command } from '../command.js';

const SPEEDS = [0.01, 0.1, 0.25, 0.5, 1, 2, 5, 10];

export class Toolbar {
  // `app` provides send, frame, and the actions of buttons.
  constructor(app) {
    const button = (name, title, onclick) => h('button', { title, onclick, 'aria-label': title }, icon(name));
    this.run = button('pause', 'Run or pause (space)', () => app.send(Command.run, app.frame.running ? 0 : 1));
    this.speed = h('select', { title: 'Speed', onchange: () => app.send(Command.speed, +this.speed.value) },
      SPEEDS.map(s => h('option', { value: s, selected: s === 1 }, `${s}×`)));
    this.time = h('output.time');
    this.rate = h('output.rate');
    this.cursor = h('input.cursor', { type: 'range', min: 0, max: 1, step: 'any', hidden: true, 'aria-label': 'Time',
      oninput: () => app.send(Command.cursor, +this.cursor.value) });
    const physics = [
      this.run, button('back', 'Step back (left)', () => app.send(Command.step, -1)),
      button('next', 'Step (right)', () => app.send(Command.step, 1)),
      button('reset', 'Reset (backspace)', () => app.send(Command.reset)), this.speed,
    ];
    this.element = h('div.toolbar', {}, app.passive ? [] : physics, this.cursor, this.time, h('span.grow'), this.rate,
      app.editable ? [button('open', 'Open files…', () => app.open()), button('edit', 'Edit the model', () => app.toggle('editor'))] : [],
      button('plot', 'Plots', () => app.toggle('plots')),
      button('camera', 'Save a picture (ctrl + P)', () => app.capture()),
      this.film = button('film', 'Record a film', () => { try { app.record(); } catch (error) { app.fail(error); } }),
      button('side', 'Panels (tab)', () => app.toggle('panel')),
      button('help', 'Keys and mouse (F1)', () => app.toggle('help')));
    this.counted = { at: performance.now(), frames: 0, time: 0 };
  }

  recording(on) { this.film.classList.toggle('recording', on); }

  show(frame) {
    const name = frame.running ? 'pause' : 'play';
    if (name !== this.shown) this.run.replaceChildren(icon(this.shown = name));
    this.time.textContent = `${frame.time.toFixed(3)} s`;
    if (frame.span[1] > frame.span[0]) {
      Object.assign(this.cursor, { hidden: false, min: frame.span[0], max: frame.span[1] });
      if (document.activeElement !== this.cursor || frame.running) this.cursor.value = frame.time;
    }
    this.count(frame);
  }

  // Frames per second, and simulated time per real time.
  count(frame) {
    const now = performance.now(), since = this.counted;
    since.frames++;
    if (now - since.at < 500) return;
    const seconds = (now - since.at) / 1000;
    const pace = (frame.time - since.time) / seconds;
    this.rate.textContent = `${Math.round(since.frames / seconds)} fps` +
      (frame.running && pace >= 0 ? ` · ${pace.toFixed(2)}× real time` : '') + ` · ${frame.contacts} contacts`;
    this.counted = { at: now, frames: 0, time: frame.time };
  }
}
