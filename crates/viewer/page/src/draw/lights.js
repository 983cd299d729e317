// Lights as in MuJoCo: ambient terms add up, the headlight is at the camera.
import * as THREE from 'three';

const SPOT = 0, DIRECTIONAL = 1;
const MOST = 8, MOST_SHADOWS = 2;
const DARK = 0.3; // ambient light of scenes without lights
const SHADOW = 0; // mjRND_SHADOW
const DYNAMIC = 2; // mjCAT_DYNAMIC
const WIDEST = 6; // relative to the model's extent: larger shadow maps would be too coarse

export class Lights {
  constructor(scene, model) {
    this.scene = scene;
    this.model = model;
    this.ambient = new THREE.AmbientLight();
    scene.add(this.ambient);
    this.lamps = [];
  }

  show(frame) {
    this.lit = this.around(frame);
    const lights = frame.lights.slice(0, MOST);
    const sum = [0, 1, 2].map(c => lights.reduce((s, l) => s + l.ambient[c], lights.length ? 0 : DARK));
    // three.js divides reflected light by π
    this.ambient.color.setRGB(...sum);
    this.ambient.intensity = Math.PI;
    let shadows = frame.drawing[SHADOW] ? MOST_SHADOWS : 0;
    while (this.lamps.length > lights.length) this.drop(this.lamps.pop());
    lights.forEach((light, i) => {
      const spot = light.type === SPOT && !light.head;
      const casts = light.casts && (spot || light.type === DIRECTIONAL) && shadows-- > 0;
      let lamp = this.lamps[i];
      if (!lamp || lamp.isSpotLight !== (spot || undefined) || lamp.castShadow !== casts) {
        if (lamp) this.drop(lamp);
        lamp = this.lamps[i] = this.make(spot, casts);
      }
      this.set(lamp, light, frame);
    });
  }

  // Bounding sphere of the model's centre and extent and of everything that moves: some models specify only a part of
  // the scene.
  around(frame) {
    const extent = this.model['stat.extent'][0], centre = new THREE.Vector3().fromArray(this.model['stat.center']);
    const box = new THREE.Box3(centre.clone().subScalar(extent), centre.clone().addScalar(extent));
    const middle = new THREE.Vector3();
    for (const shape of frame.shapes) if (shape.category === DYNAMIC) box.expandByPoint(middle.fromArray(shape.pos));
    box.getCenter(middle);
    const reach = Math.max(...box.getSize(new THREE.Vector3()).toArray()) / 2;
    return reach <= WIDEST * extent ? { centre: middle, reach } : { centre, reach: extent };
  }

  make(spot, casts) {
    const lamp = spot ? new THREE.SpotLight() : new THREE.DirectionalLight();
    lamp.castShadow = casts;
    if (casts) {
      const size = Math.min(2048, Math.max(512, this.model['vis.quality.shadowsize'][0] / 2));
      lamp.shadow.mapSize.set(size, size);
      lamp.shadow.bias = -0.0005;
      lamp.shadow.normalBias = 0.01 * this.model['stat.meansize'][0];
    }
    this.scene.add(lamp, lamp.target);
    return lamp;
  }

  set(lamp, light, frame) {
    lamp.color.setRGB(...light.diffuse);
    lamp.intensity = Math.PI;
    const { centre, reach } = this.lit;
    const point = light.type !== SPOT && light.type !== DIRECTIONAL;
    const dir = new THREE.Vector3().fromArray(point || light.head ? frame.camera.forward : light.dir).normalize();
    const pos = new THREE.Vector3().fromArray(light.pos);
    if (lamp.isSpotLight) {
      lamp.angle = Math.min(light.cutoff * Math.PI / 180, Math.PI / 2 - 0.01);
      lamp.penumbra = Math.min(1, 0.15 + light.exponent / 15);
      lamp.decay = light.attenuation[2] > 0 ? 2 : 0;
      if (light.attenuation[2] > 0) lamp.intensity /= light.attenuation[2];
    } else if (!light.head) {
      pos.copy(centre).addScaledVector(dir, -2 * reach);
    }
    lamp.position.copy(pos);
    lamp.target.position.copy(pos).add(dir);
    lamp.target.updateMatrixWorld();
    if (lamp.castShadow) cover(lamp, reach);
  }

  drop(lamp) { this.scene.remove(lamp, lamp.target); lamp.dispose(); }

  dispose() { this.lamps.forEach(l => this.drop(l)); this.scene.remove(this.ambient); }
}

// Sets the area that a light's shadow map covers.
function cover(lamp, reach) {
  const { camera } = lamp.shadow;
  if (camera.isOrthographicCamera) {
    const side = 1.2 * reach;
    camera.left = camera.bottom = -side; camera.right = camera.top = side;
  }
  camera.near = 0.01 * reach;
  camera.far = 10 * reach;
  camera.updateProjectionMatrix();
}
