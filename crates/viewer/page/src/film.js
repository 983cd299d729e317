// Records a canvas as a video, in the browser's encoding.
const KINDS = { webm: 'video/webm', mp4: 'video/mp4' };
const RATE = 30; // frames per second
const BITS = 8e6; // per second

export class Film {
  // `done` receives the video when recording stops.
  constructor(canvas, done) {
    this.ending = Object.keys(KINDS).find(k => window.MediaRecorder?.isTypeSupported(KINDS[k]));
    if (!this.ending) throw Error('this browser records no films');
    const type = KINDS[this.ending], parts = [];
    this.recorder = new MediaRecorder(canvas.captureStream(RATE), { mimeType: type, videoBitsPerSecond: BITS });
    this.recorder.ondataavailable = ({ data }) => parts.push(data);
    this.recorder.onstop = () => done(new Blob(parts, { type }));
    this.recorder.start(1000);
  }

  stop() { this.recorder.stop(); }
}
