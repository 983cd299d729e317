// A simulation in another process, connected by a WebSocket.
import { Words, MODEL } from '../words.js';
import { encode, Command } from '../command.js';

export class Remote {
  // `onModel` receives each model message, `onText` the text messages of the process.
  constructor(address, onModel, onText) {
    this.frames = [];
    this.socket = new WebSocket(address);
    this.socket.binaryType = 'arraybuffer';
    this.socket.onmessage = ({ data }) => {
      if (typeof data === 'string') return onText(JSON.parse(data));
      const words = new Words(data);
      if (words.view.getInt32(0, true) === MODEL) { this.frames = []; return onModel(words); }
      this.frames.push(words);
    };
    this.socket.onclose = () => onText({ kind: 'closed' });
  }
  send(...command) { if (this.socket.readyState === WebSocket.OPEN) this.socket.send(encode(...command)); }
  // Returns the latest frame and requests the next.
  tick() {
    const frames = this.frames;
    this.frames = [];
    if (frames.length > 0) this.send(Command.next);
    return frames;
  }
}
