// The background, and the haze at the horizon.
import * as THREE from 'three';

const VERTEX = `varying vec3 dir;
  void main() {
    dir = position;
    vec4 at = projectionMatrix * mat4(mat3(viewMatrix)) * vec4(position, 1.0);
    gl_Position = at.xyww;
  }`;
const FRAGMENT = `varying vec3 dir; uniform samplerCube sky;
  void main() { gl_FragColor = vec4(textureCube(sky, vec3(dir.x, dir.z, -dir.y)).rgb, 1.0); }`;

export function sky(texture) {
  if (!texture) return null;
  const material = new THREE.ShaderMaterial({ vertexShader: VERTEX, fragmentShader: FRAGMENT, side: THREE.BackSide,
    depthWrite: false, uniforms: { sky: { value: texture } } });
  const box = new THREE.Mesh(new THREE.BoxGeometry(2, 2, 2), material);
  box.frustumCulled = false;
  box.renderOrder = -1;
  return box;
}
