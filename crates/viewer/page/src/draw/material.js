// Materials as in MuJoCo: lighting in display colours, textures mapped by the shape's local coordinates.
import * as THREE from 'three';

const NONE = 0, PROJECTED = 1, CUBE = 2, MAPPED = 3;
const MESHES = new Set([0, 1, 7, 8]); // planes, height fields, meshes: cube maps are not scaled with their size

export function material(shape, model, textures) {
  const made = new THREE.MeshPhongMaterial();
  const texture = textures.ofMaterial(shape.matid);
  const mode = !texture ? NONE : shape.texcoord ? MAPPED : texture.isCubeTexture ? CUBE : PROJECTED;
  made.userData.uniforms = {
    shapeScale: { value: new THREE.Vector3(1, 1, 1) },
    shapeTexture: { value: texture },
    shapeRepeat: { value: new THREE.Vector3(1, 1, 1) },
  };
  made.defines = { SHAPE_MODE: mode };
  made.customProgramCacheKey = () => `sinew${mode}`;
  made.onBeforeCompile = patch;
  paint(made, shape, model);
  return made;
}

// Sets all properties that do not need another shader program.
export function paint(made, shape, model) {
  const [r, g, b, alpha] = shape.rgba, gloss = 128 * shape.shininess;
  made.color.setRGB(r, g, b);
  made.emissive.setRGB(r, g, b).multiplyScalar(shape.emission);
  // three.js normalises specular highlights; MuJoCo does not
  made.specular.setScalar(shape.specular / (0.125 * gloss + 0.25));
  made.shininess = gloss;
  made.opacity = alpha;
  made.transparent = alpha < 0.995;
  made.depthWrite = !made.transparent;
  made.side = shape.type === 0 ? THREE.DoubleSide : THREE.FrontSide;
  const { shapeRepeat, shapeTexture } = made.userData.uniforms;
  if (shapeTexture.value) repeat(shapeRepeat.value, shape, model, shapeTexture.value.isCubeTexture);
}

// Scale from a shape's local coordinates to texture coordinates.
function repeat(out, shape, model, cube) {
  const uniform = model.mat_texuniform[shape.matid] !== 0, size = shape.size;
  if (cube) {
    const inverse = !MESHES.has(shape.type);
    const by = s => inverse === uniform ? 1 : inverse ? 1 / Math.max(s, 1e-9) : s;
    return out.set(by(size[0]), by(size[1]), by(size[2]));
  }
  const along = k => 0.5 * model.mat_texrepeat[2 * shape.matid + k] / (uniform || size[k] <= 0 ? 1 : size[k]);
  return out.set(along(0), along(1), 1);
}

function patch(shader) {
  Object.assign(shader.uniforms, this.userData.uniforms);
  shader.vertexShader = shader.vertexShader
    .replace('#include <common>', `#include <common>
      uniform vec3 shapeScale;
      varying vec3 shapeLocal;
      varying vec2 shapeUv;
      #if SHAPE_MODE == ${MAPPED}
        attribute vec2 uv;
      #endif`)
    .replace('#include <begin_vertex>', `#include <begin_vertex>
      shapeLocal = position * shapeScale;
      #if SHAPE_MODE == ${MAPPED}
        shapeUv = uv;
      #endif`);
  shader.fragmentShader = shader.fragmentShader
    .replace('#include <common>', `#include <common>
      uniform vec3 shapeRepeat;
      varying vec3 shapeLocal;
      varying vec2 shapeUv;
      #if SHAPE_MODE == ${CUBE}
        uniform samplerCube shapeTexture;
      #elif SHAPE_MODE != ${NONE}
        uniform sampler2D shapeTexture;
      #endif`)
    .replace('#include <map_fragment>', `
      #if SHAPE_MODE == ${CUBE}
        diffuseColor.rgb *= textureCube(shapeTexture, shapeLocal * shapeRepeat).rgb;
      #elif SHAPE_MODE == ${PROJECTED}
        diffuseColor.rgb *= texture2D(shapeTexture, vec2(shapeLocal.x, -shapeLocal.y) * shapeRepeat.xy - 0.5).rgb;
      #elif SHAPE_MODE == ${MAPPED}
        diffuseColor.rgb *= texture2D(shapeTexture, shapeUv).rgb;
      #endif`);
}
