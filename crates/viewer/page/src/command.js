// Commands of the page; the codes must match `web/src/command.rs`.
export const Command = {
  run: 1, step: 2, speed: 3, reset: 4, keyframe: 5, ctrl: 6, qpos: 7, clearCtrl: 8,
  moveCamera: 10, cameraKind: 11, freeCamera: 12,
  select: 20, lookAt: 21, track: 22, startPush: 23, movePush: 24, endPush: 25, selectBody: 26,
  flag: 30, drawing: 31, group: 32, label: 33, frame: 34, bvhDepth: 35, flexLayer: 36,
  key: 40, cursor: 41, next: 42, size: 43,
};

// MuJoCo's mjtMouse
export const Mouse = { rotateV: 1, rotateH: 2, moveV: 3, moveH: 4, zoom: 5 };

// A command as bytes.
export const encode = (code, ...args) => new Uint8Array(new Float64Array([code, ...args]).buffer);
