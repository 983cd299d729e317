// The rendered scene: renderer, camera, and all objects.
import * as THREE from 'three';
import { Shapes } from './shapes.js';
import { Lights } from './lights.js';
import { Labels } from './labels.js';
import { sky } from './sky.js';
import { mirror, unmirror } from './mirror.js';

const REFLECTION = 2, SKYBOX = 4, FOG = 5, HAZE = 6; // mjtRndFlag

THREE.ColorManagement.enabled = false; // colours are displayed without conversion, as in MuJoCo

export class Stage {
  constructor(parent) {
    this.parent = parent;
    this.renderer = new THREE.WebGLRenderer({ antialias: true, preserveDrawingBuffer: true });
    this.renderer.outputColorSpace = THREE.LinearSRGBColorSpace;
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = THREE.PCFShadowMap;
    this.renderer.autoClear = false;
    this.canvas = this.renderer.domElement;
    parent.prepend(this.canvas);
    this.labels = new Labels(parent);
    this.scene = new THREE.Scene();
    this.scene.matrixAutoUpdate = false;
    this.behind = new THREE.Scene();
    this.perspective = new THREE.PerspectiveCamera();
    this.perspective.matrixAutoUpdate = false;
    new ResizeObserver(() => this.resize()).observe(parent);
    this.resize();
  }

  resize() {
    this.width = Math.max(1, this.parent.clientWidth);
    this.height = Math.max(1, this.parent.clientHeight);
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.renderer.setSize(this.width, this.height);
  }

  get aspect() { return this.width / this.height; }

  // Shows another model: everything is rebuilt.
  use(model) {
    this.shapes?.dispose(); this.lights?.dispose();
    this.scene.clear(); this.behind.clear();
    this.model = model;
    this.shapes = new Shapes(this.scene, model);
    this.lights = new Lights(this.scene, model);
    this.sky = sky(this.shapes.textures.sky());
    if (this.sky) this.behind.add(this.sky);
  }

  show(frame) {
    this.shapes.show(frame);
    const c = frame.camera;
    this.lights.show(frame);
    this.aim(c);
    if (this.sky) this.sky.visible = frame.drawing[SKYBOX] !== 0;
    this.haze(frame);
    this.renderer.setClearColor(0x000000, 1);
    this.renderer.clear();
    this.renderer.render(this.behind, this.perspective);
    unmirror(this, frame);
    if (frame.drawing[REFLECTION]) mirror(this, frame);
    this.renderer.render(this.scene, this.perspective);
    this.labels.show(frame, this.perspective, this.width, this.height);
  }

  // Sets the camera of the frame, with its frustum.
  aim(c) {
    const camera = this.perspective, half = c.width > 0 ? c.width : 0.5 * this.aspect * (c.top - c.bottom);
    const sides = [c.center - half, c.center + half, c.top, c.bottom, c.near, c.far];
    if (c.orthographic) camera.projectionMatrix.makeOrthographic(...sides);
    else camera.projectionMatrix.makePerspective(...sides);
    camera.projectionMatrixInverse.copy(camera.projectionMatrix).invert();
    const z = new THREE.Vector3().fromArray(c.forward).negate(), y = new THREE.Vector3().fromArray(c.up);
    camera.matrix.makeBasis(y.clone().cross(z), y, z).setPosition(...c.pos);
    camera.matrixWorld.copy(camera.matrix);
    camera.matrixWorldInverse.copy(camera.matrix).invert();
  }

  haze(frame) {
    const m = this.model, extent = m['stat.extent'][0], far = 0.7 * m['vis.map.zfar'][0] * extent;
    const fog = frame.drawing[FOG] !== 0, haze = frame.drawing[HAZE] !== 0 && this.sky;
    if (!fog && !haze) { this.scene.fog = null; return; }
    const [near, end] = fog ? [m['vis.map.fogstart'][0] * extent, m['vis.map.fogend'][0] * extent] : [far * (1 - m['vis.map.haze'][0]), far * (1 + m['vis.map.haze'][0])];
    this.scene.fog = new THREE.Fog(new THREE.Color().setRGB(...m[fog ? 'vis.rgba.fog' : 'vis.rgba.haze']), near, end);
  }

  png() { return new Promise(done => this.canvas.toBlob(done, 'image/png')); }
}
