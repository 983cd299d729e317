// Reads a sequence of four-byte words.
export class Words {
  constructor(buffer, offset = 0, bytes = buffer.byteLength - offset) {
    this.view = new DataView(buffer, offset, bytes);
    this.at = 0;
  }
  get left() { return this.view.byteLength - this.at; }
  int() { return this.view.getInt32((this.at += 4) - 4, true); }
  float() { return this.view.getFloat32((this.at += 4) - 4, true); }
  double() { return this.view.getFloat64((this.at += 8) - 8, true); }
  // a copy, so that it can be kept
  bytes(count) {
    const from = this.view.byteOffset + this.at;
    this.at += (count + 3) & ~3;
    return new Uint8Array(this.view.buffer.slice(from, from + count));
  }
  text(count) { return new TextDecoder().decode(this.bytes(count)); }
  floats(count) { return new Float32Array(this.bytes(4 * count).buffer); }
  ints(count) { return new Int32Array(this.bytes(4 * count).buffer); }
  doubles(count) { return new Float64Array(this.bytes(8 * count).buffer); }
}

// The message kinds, given by the first word.
export const MODEL = 0x4d574e53, FRAME = 0x46574e53;
