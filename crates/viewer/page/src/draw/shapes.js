// The shapes of a frame as three.js objects: created once, moved when they move, recreated when their appearance
// changes.
import * as THREE from 'three';
import { Geometries, Type } from './geometry.js';
import { Textures } from './texture.js';
import { material, paint } from './material.js';
import { bend, bendSkin, wires } from './soft.js';

const DECOR = 4;
const WIRE = 1; // mjRND_WIREFRAME

export class Shapes {
  constructor(scene, model) {
    this.scene = scene;
    this.model = model;
    this.geometries = new Geometries(model);
    this.textures = new Textures(model);
    this.objects = [];
  }

  // Applies a frame.
  show(frame) {
    const { shapes } = frame;
    while (this.objects.length > shapes.length) this.drop(this.objects.pop());
    shapes.forEach((shape, i) => {
      if (shape.changed || !this.objects[i]) this.objects[i] = this.look(shape, this.objects[i]);
      if (shape.moved || shape.changed) place(this.objects[i], shape);
      if (shape.type === Type.flex || shape.type === Type.skin) this.soften(this.objects[i], shape, frame);
      shape.changed = shape.moved = false;
    });
    const wire = frame.drawing[WIRE] !== 0;
    this.objects.forEach(o => { if (o.material?.isMeshPhongMaterial) o.material.wireframe = wire; });
  }

  // The object of a shape; the old one is reused if only colours or sizes differ.
  look(shape, old) {
    const key = `${shape.type} ${shape.matid} ${shape.texcoord} ${shape.type === Type.mesh ? shape.dataid : ''}`;
    let object = old;
    if (old?.userData.key !== key) {
      if (old) this.drop(old);
      object = this.make(shape);
      object.userData.key = key;
      object.matrixAutoUpdate = false;
      this.scene.add(object);
    }
    const made = this.geometries.get(shape);
    if (made) { [object.geometry, object.userData.stretch] = made; }
    if (object.material?.isMeshPhongMaterial) {
      paint(object.material, shape, this.model);
      object.material.userData.uniforms.shapeScale.value.fromArray(object.userData.stretch);
    } else object.material?.color?.setRGB(shape.rgba[0], shape.rgba[1], shape.rgba[2]);
    const solid = shape.category !== DECOR && shape.rgba[3] > 0.5;
    object.castShadow = solid && shape.type !== Type.plane;
    object.receiveShadow = solid;
    object.renderOrder = shape.rgba[3] < 0.995 ? 1 : 0;
    return object;
  }

  make(shape) {
    if (shape.type === Type.line || shape.type === Type.linebox) {
      const made = new THREE.LineSegments(undefined, new THREE.LineBasicMaterial());
      made.userData.stretch = [1, 1, 1];
      return made;
    }
    if (shape.type === Type.label || shape.type > Type.triangle) return new THREE.Object3D();
    const made = new THREE.Mesh(new THREE.BufferGeometry(), material(shape, this.model, this.textures));
    made.userData.stretch = [1, 1, 1];
    made.frustumCulled = shape.type !== Type.flex && shape.type !== Type.skin;
    return made;
  }

  // Flexes and skins deform every frame.
  soften(object, shape, frame) {
    if (shape.type === Type.skin) return bendSkin(object, this.model, shape.objid, frame.skins[shape.objid]);
    bend(object, frame.flexes[shape.objid]);
    return wires(object, this.model, shape, frame);
  }

  drop(object) {
    this.scene.remove(object);
    object.material?.dispose();
    if (object.userData.own) object.geometry.dispose();
  }

  dispose() {
    this.objects.forEach(o => this.drop(o));
    this.geometries.dispose();
    this.textures.dispose();
  }
}

function place(object, { pos: p, mat: m }) {
  const [a, b, c] = object.userData.stretch ?? [1, 1, 1];
  object.matrix.set(
    m[0] * a, m[1] * b, m[2] * c, p[0],
    m[3] * a, m[4] * b, m[5] * c, p[1],
    m[6] * a, m[7] * b, m[8] * c, p[2],
    0, 0, 0, 1);
  object.matrixWorldNeedsUpdate = true;
}
