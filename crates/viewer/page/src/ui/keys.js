// Keys, as in MuJoCo's viewer. For a simulation in another process they are also sent to it.
import { Command } from '../command.js';

const SPECIAL = { ' ': 32, Enter: 257, Escape: 256, Tab: 258, Backspace: 259, Insert: 260, Delete: 261, ArrowRight: 262, ArrowLeft: 263,
  ArrowDown: 264, ArrowUp: 265, PageUp: 266, PageDown: 267, Home: 268, End: 269 };

// GLFW's code of a key.
export function keyCode(key) {
  if (SPECIAL[key]) return SPECIAL[key];
  if (/^F\d+$/.test(key)) return 289 + +key.slice(1);
  return key.length === 1 ? key.toUpperCase().charCodeAt(0) : 0;
}

// Shortcut letters of mjVISSTRING and mjRNDSTRING.
const FLAGS = { H: 0, X: 1, J: 2, Q: 3, U: 4, ',': 5, Z: 6, V: 7, Y: 8, E: 9, I: 10, "'": 11, B: 12, O: 13, C: 14, N: 15, F: 16, P: 17,
  T: 18, A: 19, M: 20, D: 22, ';': 23, '`': 28, '\\': 29 };
const DRAWING = { S: 0, W: 1, R: 2, L: 3, K: 4, G: 5, '/': 6 };

export function keys(app) {
  addEventListener('keydown', event => {
    if (event.target.matches?.('input[type=text], textarea, select') || event.metaKey || event.altKey) return;
    const code = keyCode(event.key);
    if (code) app.send(Command.key, code);
    if (act(app, event)) event.preventDefault();
  });
}

function act(app, event) {
  const { frame, send } = app, key = event.key.length === 1 ? event.key.toUpperCase() : event.key;
  const number = '012345'.indexOf(key);
  if (event.ctrlKey) {
    if (key !== 'P') return false;
    app.capture();
  } else if (key === ' ') send(Command.run, frame.running ? 0 : 1);
  else if (key === 'ArrowRight') send(Command.step, 1);
  else if (key === 'ArrowLeft') send(Command.step, -1);
  else if (key === 'Backspace') send(Command.reset);
  else if (key === 'Escape') send(Command.cameraKind, 0, 0);
  else if (key === 'Tab') app.toggle('panel');
  else if (key === 'F1') app.toggle('help');
  else if (key === '[' || key === ']') cycle(app, key === ']' ? 1 : -1);
  else if (number >= 0) send(Command.group, event.shiftKey ? 1 : 0, number, frame.groups[event.shiftKey ? 1 : 0][number] ? 0 : 1);
  else if (key in FLAGS) send(Command.flag, FLAGS[key], frame.flags[FLAGS[key]] ? 0 : 1);
  else if (key in DRAWING) send(Command.drawing, DRAWING[key], frame.drawing[DRAWING[key]] ? 0 : 1);
  else return false;
  return true;
}

// Selects the next camera of the model.
function cycle(app, by) {
  const count = app.model.count('cam');
  if (count === 0) return;
  const at = app.frame.cameraKind === 2 ? app.frame.fixedCamera : by > 0 ? -1 : 0;
  app.send(Command.cameraKind, 2, (at + by + count) % count);
}
