// Help on keys and mouse.
import { h } from './dom.js';

const ROWS = [
  ['Left drag', 'turn'], ['Right drag', 'move'], ['Wheel, middle drag', 'zoom'], ['Double click', 'select'],
  ['Ctrl + left drag', 'turn the selected body'], ['Ctrl + right drag', 'pull it'], ['Right double click', 'look there; with ctrl, track it'],
  ['Space', 'run or pause'], ['← →', 'step back or on'], ['Backspace', 'reset'], ['Esc', 'free camera'], ['[ ]', 'cameras of the model'],
  ['0 … 5', 'groups of geoms; with shift, of sites'], ['J C F T H I …', 'joints, contacts, forces, transparent, hulls, inertia'],
  ['S W R', 'shadows, wire frames, mirrors'], ['Ctrl + P', 'save a picture'], ['Tab', 'panels'],
];

export function help() {
  return h('section.help', { hidden: true }, h('h2', {}, 'Keys and mouse'),
    h('table', {}, ROWS.map(([key, what]) => h('tr', {}, h('th', {}, key), h('td', {}, what)))),
    h('p', {}, 'Drop a model here, as a file, a folder or a zip archive, to see it run.'));
}
