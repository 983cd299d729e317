// Determines the source of frames: parts of this file, a server of models, or a process that simulates.
import { App } from './app.js';
import { Engine } from './source/engine.js';
import { Remote } from './source/remote.js';
import { has, part, unpack } from './inline.js';
import { NAME, TEXT } from './starter.js';

const root = document.getElementById('app');
const mode = document.documentElement.dataset.mode; // one of: file, model, remote, managed, window
const socket = () => `ws://${location.host}/socket`;

async function get(path) {
  const answer = await fetch(path);
  if (!answer.ok) throw Error(`${path}: ${answer.status} ${await answer.text()}`);
  return new Uint8Array(await answer.arrayBuffer());
}

// Everything is in this file: engine, model, and possibly a recorded motion.
async function fromFile() {
  const app = window.app = new App(root, { editable: true });
  app.source = await Engine.create(await part('engine'));
  if (!has('files')) { await playground(app); return; }
  await app.take(unpack(await part('files')));
  if (has('motion')) replay(app, await part('motion'));
}

// An initial model with its text.
async function playground(app) {
  app.editor.element.hidden = false;
  await app.take({ [NAME]: new TextEncoder().encode(TEXT) });
  app.hint('Drop a model here: an MJCF or URDF file with its assets, as files, a folder or a zip archive.');
}

// Times, then positions; the first value is the number of times.
function replay(app, bytes) {
  const numbers = new Float64Array(bytes.buffer), states = numbers[0];
  if (!app.source.replay(numbers.subarray(1, 1 + states), numbers.subarray(1 + states))) app.say('The recorded motion does not fit the model.');
}

// A server of models: the engine runs here, and the server notifies it when files change.
async function fromServer() {
  const app = window.app = new App(root, { editable: true });
  app.source = await Engine.create(await get('engine.wasm'));
  const load = async () => {
    await app.take(unpack(await get('files')));
    const motion = await get('motion');
    if (motion.length) replay(app, motion);
  };
  const events = new WebSocket(socket());
  events.onmessage = ({ data }) => {
    const { text } = JSON.parse(data); // model errors, with an excerpt
    load().then(() => { if (text) app.say(text); }).catch(error => app.fail(error));
  };
  events.onclose = () => app.say('The server has ended; this page goes on without it.');
  await load();
}

// A process that simulates: `managed` if the page may run and pause it, `plain` if it is a window without panels.
function fromProcess({ managed = false, plain = false } = {}) {
  const app = window.app = new App(root, { passive: !managed });
  app.panel.hidden = plain;
  app.source = new Remote(socket(), words => { app.use(words); app.tellSize(); }, ({ kind, text }) => {
    if (kind === 'closed') app.say('The simulation has ended.');
    if (kind === 'overlay') app.overlay.show(JSON.parse(text));
  });
}

const start = { file: fromFile, model: fromServer, remote: () => fromProcess(), managed: () => fromProcess({ managed: true }),
  window: () => fromProcess({ plain: true }) }[mode];
Promise.resolve().then(start).catch(error => { root.append(Object.assign(document.createElement('pre'), { className: 'fatal', textContent: error.message })); });
