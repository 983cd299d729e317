// The first reflecting plane: shapes above it are first drawn mirrored below it, then the plane is blended over them.
import * as THREE from 'three';
import { Type } from './geometry.js';

const OPAQUE = 0.995;

// Draws the mirrored scene.
export function mirror(stage, frame) {
  const i = frame.shapes.findIndex(s => s.type === Type.plane && s.reflectance > 0 && s.rgba[3] > OPAQUE);
  if (i < 0) return;
  const { renderer, scene, perspective } = stage, shape = frame.shapes[i], plane = stage.shapes.objects[i];
  const normal = new THREE.Vector3(shape.mat[2], shape.mat[5], shape.mat[8]);
  const height = normal.dot(new THREE.Vector3().fromArray(shape.pos));
  if (normal.dot(new THREE.Vector3().setFromMatrixPosition(perspective.matrixWorld)) <= height) return;
  plane.visible = false;
  move(scene, reflection(normal, height));
  renderer.clippingPlanes = [new THREE.Plane(normal.clone().negate(), height)];
  renderer.render(scene, perspective);
  renderer.clippingPlanes = [];
  move(scene, new THREE.Matrix4());
  plane.visible = true;
  renderer.clearDepth();
  // the plane is transparent to its mirrored scene
  Object.assign(plane.material, { transparent: true, opacity: 1 - shape.reflectance, depthWrite: true });
}

// Restores the plane after a reflection.
export function unmirror(stage, frame) {
  frame.shapes.forEach((shape, i) => {
    if (shape.type !== Type.plane || shape.reflectance <= 0 || shape.rgba[3] <= OPAQUE) return;
    Object.assign(stage.shapes.objects[i].material, { transparent: false, opacity: 1 });
  });
}

function move(scene, matrix) {
  scene.matrix.copy(matrix);
  scene.matrixWorldNeedsUpdate = true;
}

function reflection({ x, y, z }, height) {
  return new THREE.Matrix4().set(
    1 - 2 * x * x, -2 * x * y, -2 * x * z, 2 * height * x,
    -2 * y * x, 1 - 2 * y * y, -2 * y * z, 2 * height * y,
    -2 * z * x, -2 * z * y, 1 - 2 * z * z, 2 * height * z,
    0, 0, 0, 1);
}
