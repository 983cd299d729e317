// Visualisation options: camera, keyframes, flags, groups, labels.
import { h, fold } from './dom.js';
import { Command } from '../command.js';

const GROUPS = ['Geom', 'Site', 'Joint', 'Tendon', 'Actuator', 'Flex', 'Skin'];
const TRACKING = 1, FIXED = 2;

// A labelled checkbox; `read` gets its state from a frame.
const box = (name, read, send) => {
  const input = h('input', { type: 'checkbox', onchange: () => send(input.checked ? 1 : 0) });
  return { element: h('label.box', { title: name }, input, name), show: frame => { input.checked = read(frame) !== 0; } };
};

const choice = (name, words, read, send) => {
  const select = h('select', { 'aria-label': name, onchange: () => send(select.value) }, words.map(([value, text]) => h('option', { value }, text)));
  return { element: h('label.choice', {}, h('span', {}, name), select),
    show: frame => { if (document.activeElement !== select) select.value = read(frame); } };
};

export class Options {
  constructor(app, model) {
    const send = (...c) => app.send(...c);
    const numbered = words => words.map((text, id) => [String(id), text]);
    const flags = model.members('mjtVisFlag').map((name, id) => box(name, f => f.flags[id], on => send(Command.flag, id, on)));
    const drawing = model.members('mjtRndFlag').slice(0, 7).map((name, id) => box(name, f => f.drawing[id], on => send(Command.drawing, id, on)));
    const groups = GROUPS.map((name, kind) => ({ name, boxes: [0, 1, 2, 3, 4, 5].map(id =>
      box(String(id), f => f.groups[kind][id], on => send(Command.group, kind, id, on))) }));
    const label = choice('Label', numbered(model.members('mjtLabel')), f => String(f.label), v => send(Command.label, +v));
    const frames = choice('Frame', numbered(model.members('mjtFrame')), f => String(f.frame), v => send(Command.frame, +v));
    const camera = this.camera(app, model);
    this.parts = [camera, ...flags, ...drawing, ...groups.flatMap(g => g.boxes), label, frames];
    const keys = app.passive ? [] : model.all('key');
    this.element = h('div', {},
      fold('View', true, camera.element, label.element, frames.element),
      keys.length ? fold('Keyframes', true, h('div.keys', {}, keys.map((name, id) =>
        h('button', { onclick: () => send(Command.keyframe, id) }, name)))) : null,
      fold('Show', false, h('div.boxes', {}, flags.map(b => b.element))),
      fold('Groups', false, groups.map(g => h('div.group', {}, h('span', {}, g.name), g.boxes.map(b => b.element)))),
      fold('Drawing', false, h('div.boxes', {}, drawing.map(b => b.element))));
  }

  camera(app, model) {
    const words = [['free', 'Free'], ['track', 'Track selection'], ...model.all('cam').map((name, id) => [`cam ${id}`, name])];
    const read = f => f.cameraKind === FIXED ? `cam ${f.fixedCamera}` : f.cameraKind === TRACKING ? 'track' : 'free';
    return choice('Camera', words, read, value => {
      if (value.startsWith('cam')) return app.send(Command.cameraKind, FIXED, +value.slice(4));
      if (value === 'track') return app.send(Command.cameraKind, TRACKING, app.frame.select > 0 ? app.frame.select : 1);
      return app.send(Command.cameraKind, 0, 0);
    });
  }

  show(frame) { this.parts.forEach(p => p.show(frame)); }
}
