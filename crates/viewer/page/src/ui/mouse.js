// Mouse control, as in MuJoCo's viewer: drags rotate, move and zoom; with ctrl they perturb the selected body.
import { Command, Mouse } from '../command.js';

const PULL = 1, TURN = 2; // mjtPertBit

export function mouse(app) {
  const { canvas } = app.stage;
  let drag = null;
  const place = event => {
    const box = canvas.getBoundingClientRect();
    return [(event.clientX - box.left) / box.width, 1 - (event.clientY - box.top) / box.height, box.width / box.height];
  };
  canvas.oncontextmenu = event => event.preventDefault();
  canvas.onpointerdown = event => {
    canvas.setPointerCapture(event.pointerId);
    canvas.focus();
    drag = { x: event.clientX, y: event.clientY, button: event.button, push: event.ctrlKey && app.frame.select > 0 };
    if (drag.push) app.send(Command.startPush, event.button === 0 ? TURN : PULL);
  };
  canvas.onpointermove = event => {
    if (!drag) return;
    const height = canvas.clientHeight, dx = (event.clientX - drag.x) / height, dy = (event.clientY - drag.y) / height;
    [drag.x, drag.y] = [event.clientX, event.clientY];
    const flat = event.shiftKey;
    const action = drag.button === 2 ? (flat ? Mouse.moveH : Mouse.moveV) : drag.button === 0 ? (flat ? Mouse.rotateH : Mouse.rotateV) : Mouse.zoom;
    app.send(drag.push ? Command.movePush : Command.moveCamera, action, dx, dy);
  };
  canvas.onpointerup = canvas.onpointercancel = () => {
    if (drag?.push) app.send(Command.endPush);
    drag = null;
  };
  canvas.addEventListener('wheel', event => {
    event.preventDefault();
    app.send(Command.moveCamera, Mouse.zoom, 0, -0.05 * Math.sign(event.deltaY));
  }, { passive: false });
  canvas.ondblclick = event => app.send(Command.select, ...place(event));
  canvas.onauxclick = event => {
    if (event.button === 2 && event.detail === 2) app.send(event.ctrlKey ? Command.track : Command.lookAt, ...place(event));
  };
}
