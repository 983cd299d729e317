// A model's arrays, under MuJoCo's names.
import { MODEL } from './words.js';

const READ = [
  (w, n) => w.doubles(n), (w, n) => w.floats(n), (w, n) => w.ints(n),
  (w, n) => w.bytes(n), (w, n) => w.bytes(n), (w, n) => w.bytes(n),
];

export class Model {
  constructor(words) {
    if (words.int() !== MODEL) throw Error('not a model');
    while (words.left > 0) {
      const kind = words.int(), letters = words.int(), count = words.int();
      const name = words.text(letters);
      this[name] = READ[kind](words, count);
    }
  }
  count(kind) { return this[`name_${kind}adr`].length; }
  // Name of an element, or else its kind and id.
  name(kind, id) {
    const from = this[`name_${kind}adr`][id];
    const end = this.names.indexOf(0, from);
    return new TextDecoder().decode(this.names.subarray(from, end)) || `${kind} ${id}`;
  }
  get title() { return new TextDecoder().decode(this.names.subarray(0, this.names.indexOf(0))); }
  all(kind) { return Array.from({ length: this.count(kind) }, (_, id) => this.name(kind, id)); }
  // Members of an enum without their prefix, in readable form.
  members(name) {
    const words = new TextDecoder().decode(this[name]).trim().split('\n');
    return words.map(word => {
      const plain = word.slice(word.indexOf('_') + 1).replaceAll('_', ' ').toLowerCase();
      return plain[0].toUpperCase() + plain.slice(1);
    });
  }
}
