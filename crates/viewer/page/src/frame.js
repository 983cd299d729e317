// The latest frame: state of the simulation, and the shapes to draw. Unchanged shapes are those of the previous frame.
import { FRAME } from './words.js';

const POSE = 1, LOOKS = 2;
const GROUPS = 7, PER_GROUP = 6, FLAGS = 31, DRAWING = 11;

export class Frame {
  constructor() { this.shapes = []; this.count = 0; }

  read(w) {
    if (w.int() !== FRAME) throw Error('not a frame');
    this.running = w.int() !== 0;
    this.time = w.double();
    this.speed = w.float(); this.span = [w.float(), w.float()];
    this.contacts = w.int(); this.warnings = w.int();
    this.energy = [w.float(), w.float()];
    [this.select, this.flexselect, this.skinselect, this.pushing] = w.ints(4);
    [this.cameraKind, this.fixedCamera, this.trackBody] = w.ints(3);
    [this.label, this.frame, this.bvhDepth, this.flexLayer] = w.ints(4);
    const options = w.bytes(FLAGS + DRAWING + GROUPS * PER_GROUP);
    this.flags = options.subarray(0, FLAGS);
    this.drawing = options.subarray(FLAGS, FLAGS + DRAWING);
    this.groups = Array.from({ length: GROUPS }, (_, k) =>
      options.subarray(FLAGS + DRAWING + k * PER_GROUP, FLAGS + DRAWING + (k + 1) * PER_GROUP));
    this.qpos = w.floats(w.int()); this.ctrl = w.floats(w.int()); this.sensordata = w.floats(w.int());
    this.camera = { pos: w.floats(3), forward: w.floats(3), up: w.floats(3),
      center: w.float(), width: w.float(), bottom: w.float(), top: w.float(), near: w.float(), far: w.float(),
      orthographic: w.int() !== 0 };
    this.lights = Array.from({ length: w.int() }, () => light(w));
    this.readShapes(w);
    this.flexParts = w.bytes(4);
    this.flexes = Array.from({ length: w.int() }, () => {
      const n = w.int();
      const flex = { faces: w.floats(9 * n), normals: w.floats(9 * n), uv: w.floats(6 * n) };
      flex.verts = w.floats(3 * w.int());
      return flex;
    });
    this.skins = Array.from({ length: w.int() }, () => {
      const n = w.int();
      return { verts: w.floats(3 * n), normals: w.floats(3 * n) };
    });
    this.count++;
  }

  readShapes(w) {
    const total = w.int();
    this.shapes.length = Math.min(this.shapes.length, total);
    for (let k = w.int(); k > 0; k--) {
      const shape = (this.shapes[w.int()] ??= {});
      const what = w.int();
      if (what & POSE) { shape.pos = w.floats(3); shape.mat = w.floats(9); shape.moved = true; }
      if (what & LOOKS) Object.assign(shape, looks(w), { changed: true });
    }
  }
}

function light(w) {
  return { type: w.int(), head: w.int() !== 0, casts: w.int() !== 0, pos: w.floats(3), dir: w.floats(3),
    attenuation: w.floats(3), ambient: w.floats(3), diffuse: w.floats(3), specular: w.floats(3),
    cutoff: w.float(), exponent: w.float() };
}

function looks(w) {
  const [type, dataid, objtype, objid, category, matid, texcoord] = w.ints(7);
  return { type, dataid, objtype, objid, category, matid, texcoord, size: w.floats(3), rgba: w.floats(4),
    emission: w.float(), specular: w.float(), shininess: w.float(), reflectance: w.float(), label: w.text(w.int()) };
}
