// Textures of a model, created on first use.
import * as THREE from 'three';

const FLAT = 0; // mjTEXTURE_2D
const LINEAR = (x => x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4);

export class Textures {
  constructor(model) { this.model = model; this.made = new Map(); }

  get(id) {
    if (!this.made.has(id)) this.made.set(id, this.make(id));
    return this.made.get(id);
  }

  // The texture of a material: its RGB role, or the user role in old files.
  ofMaterial(matid) {
    if (matid < 0) return null;
    const roles = this.model.mat_texid.subarray(10 * matid, 10 * matid + 10);
    const id = roles[1] >= 0 ? roles[1] : roles[0];
    return id >= 0 ? this.get(id) : null;
  }

  // The sky, if there is one.
  sky() {
    const id = this.model.tex_type.indexOf(2);
    return id >= 0 ? this.get(id) : null;
  }

  make(id) {
    const m = this.model, width = m.tex_width[id], height = m.tex_height[id], channels = m.tex_nchannel[id];
    const flat = m.tex_type[id] === FLAT;
    const pixels = colours(m.tex_data, m.tex_adr[id], width * height, channels, flat && m.tex_colorspace[id] === 2);
    const texture = flat ? new THREE.DataTexture(pixels, width, height) : cube(pixels, width, height);
    texture.wrapS = texture.wrapT = flat ? THREE.RepeatWrapping : THREE.ClampToEdgeWrapping;
    texture.magFilter = THREE.LinearFilter;
    texture.minFilter = THREE.LinearMipmapLinearFilter;
    texture.generateMipmaps = true;
    texture.anisotropy = 8;
    texture.needsUpdate = true;
    return texture;
  }

  dispose() { this.made.forEach(t => t.dispose()); }
}

// RGBA from pixels with any number of channels.
function colours(data, from, count, channels, decode) {
  const out = new Uint8Array(4 * count);
  const value = decode ? x => Math.round(255 * LINEAR(x / 255)) : x => x;
  for (let i = 0; i < count; i++) {
    for (let c = 0; c < 3; c++) out[4 * i + c] = value(data[from + i * channels + (channels >= 3 ? c : 0)]);
    out[4 * i + 3] = channels === 4 ? data[from + 4 * i + 3] : 255;
  }
  return out;
}

// One image for all sides, or six stacked vertically.
function cube(pixels, width, height) {
  const side = 4 * width * width;
  const image = k => new THREE.DataTexture(pixels.slice(height === width ? 0 : k * side, height === width ? side : (k + 1) * side), width, width);
  const sides = [0, 1, 2, 3, 4, 5].map(image);
  sides.forEach(s => { s.needsUpdate = true; });
  return new THREE.CubeTexture(sides);
}
