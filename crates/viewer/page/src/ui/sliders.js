// Sliders of joints and controls.
import { h, fold } from './dom.js';
import { Command } from '../command.js';

const SLIDE = 2, HINGE = 3;
const MOST = 200; // sliders of one kind

function slider(name, [low, high], send) {
  const value = h('output');
  const input = h('input', { type: 'range', min: low, max: high, step: 'any', title: name, 'aria-label': name, oninput: () => send(+input.value) });
  return { element: h('label.slider', {}, h('span', { title: name }, name), input, value),
    show(number) {
      if (input.matches(':active')) return;
      input.value = number;
      value.textContent = Math.abs(number) < 1e-4 ? '0' : number.toPrecision(3);
    } };
}

export class Sliders {
  constructor(app, model) {
    this.ctrl = model.all('actuator').slice(0, MOST).map((name, id) => {
      const limits = model.actuator_ctrllimited[id] ? model.actuator_ctrlrange.subarray(2 * id, 2 * id + 2) : [-1, 1];
      return slider(name, limits, value => app.send(Command.ctrl, id, value));
    });
    this.joints = model.all('jnt').map((name, id) => ({ name, id, type: model.jnt_type[id] }))
      .filter(j => j.type === SLIDE || j.type === HINGE).slice(0, MOST).map(({ name, id, type }) => {
        const wide = type === HINGE ? Math.PI : 1, adr = model.jnt_qposadr[id];
        const limits = model.jnt_limited[id] ? model.jnt_range.subarray(2 * id, 2 * id + 2) : [-wide, wide];
        return { adr, ...slider(name, limits, value => app.send(Command.qpos, adr, value)) };
      });
    const clear = h('button.wide', { onclick: () => app.send(Command.clearCtrl) }, 'All to zero');
    this.element = h('div', {},
      this.ctrl.length ? fold('Control', true, this.ctrl.map(s => s.element), clear) : null,
      this.joints.length ? fold('Joints', this.ctrl.length === 0, this.joints.map(s => s.element)) : null);
  }

  show(frame) {
    this.ctrl.forEach((s, id) => s.show(frame.ctrl[id]));
    this.joints.forEach(s => s.show(frame.qpos[s.adr]));
  }
}
