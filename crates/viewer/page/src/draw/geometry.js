// Geometry of shapes: scaled unit shapes, or triangles of the model.
import * as THREE from 'three';

export const Type = { plane: 0, hfield: 1, sphere: 2, capsule: 3, ellipsoid: 4, cylinder: 5, box: 6, mesh: 7, sdf: 8,
  arrow: 100, arrow1: 101, arrow2: 102, line: 103, linebox: 104, flex: 105, skin: 106, label: 107, triangle: 108 };

const ALIKE = 0.8; // mesh normals with a smaller cosine to the face normal are replaced by it
const TIP = 1.75;

const unit = {
  [Type.sphere]: () => new THREE.SphereGeometry(1, 32, 20).rotateX(Math.PI / 2),
  [Type.ellipsoid]: () => new THREE.SphereGeometry(1, 32, 20).rotateX(Math.PI / 2),
  [Type.cylinder]: () => new THREE.CylinderGeometry(1, 1, 2, 32).rotateX(Math.PI / 2),
  [Type.box]: () => new THREE.BoxGeometry(2, 2, 2),
  [Type.linebox]: () => new THREE.EdgesGeometry(new THREE.BoxGeometry(2, 2, 2)),
  [Type.plane]: () => new THREE.PlaneGeometry(2, 2),
  [Type.line]: () => triangles([0, 0, 0, 0, 0, 1]),
  [Type.triangle]: () => flat([0, 0, 0, 1, 0, 0, 0, 1, 0]),
  [Type.arrow]: () => arrow(TIP), [Type.arrow1]: () => arrow(1), [Type.arrow2]: () => doubleArrow(),
};

// Geometries of a model, created on first use.
export class Geometries {
  constructor(model) { this.model = model; this.made = new Map(); }

  // Geometry and scale of a shape; null if the shape has no geometry here.
  get(shape) {
    const { type, size, dataid } = shape;
    const keep = (key, make) => {
      if (!this.made.has(key)) this.made.set(key, make());
      return this.made.get(key);
    };
    switch (type) {
      case Type.capsule: return [keep(`capsule ${size[0]} ${size[2]}`, () => capsule(size[0], size[2])), [1, 1, 1]];
      case Type.mesh: case Type.sdf:
        return dataid < 0 ? null : [keep(`mesh ${dataid}`, () => dataid % 2 ? hull(this.model, dataid >> 1) : mesh(this.model, dataid >> 1)), [1, 1, 1]];
      case Type.hfield: return dataid < 0 ? null : [keep(`field ${dataid}`, () => field(this.model, dataid)), [1, 1, 1]];
      case Type.plane: return [keep(type, unit[type]), [0, 1].map(k => size[k] > 0 ? size[k] : this.far).concat(1)];
      default: return unit[type] ? [keep(type, unit[type]), [...size].map(s => Math.max(s, 1e-9))] : null;
    }
  }

  // Half the side of an infinite plane.
  get far() { return 1.05 * this.model['vis.map.zfar'][0] * this.model['stat.extent'][0]; }

  dispose() { this.made.forEach(g => g.dispose()); }
}

function triangles(positions, normals, uv) {
  const made = new THREE.BufferGeometry();
  made.setAttribute('position', new THREE.BufferAttribute(Float32Array.from(positions), 3));
  if (normals) made.setAttribute('normal', new THREE.BufferAttribute(Float32Array.from(normals), 3));
  if (uv) made.setAttribute('uv', new THREE.BufferAttribute(Float32Array.from(uv), 2));
  return made;
}

function flat(positions) { const made = triangles(positions); made.computeVertexNormals(); return made; }

const capsule = (radius, half) => new THREE.CapsuleGeometry(radius, 2 * half, 12, 32).rotateX(Math.PI / 2);

// Along z, from 0 to 1/2: shaft, then tip.
function arrow(wider) {
  const shaft = new THREE.CylinderGeometry(1, 1, 1 / 3, 20).rotateX(Math.PI / 2).translate(0, 0, 1 / 6);
  const tip = new THREE.ConeGeometry(wider, 1 / 6, 20).rotateX(Math.PI / 2).translate(0, 0, 1 / 3 + 1 / 12);
  return merged([shaft, tip]);
}

function doubleArrow() {
  const shaft = new THREE.CylinderGeometry(1, 1, 2 / 3, 20, 1, true).rotateX(Math.PI / 2);
  const tip = new THREE.ConeGeometry(TIP, 1 / 6, 20).rotateX(Math.PI / 2).translate(0, 0, 1 / 3 + 1 / 12);
  return merged([shaft, tip, tip.clone().rotateX(Math.PI)]);
}

function merged(parts) {
  const plain = parts.map(p => p.toNonIndexed());
  const join = name => plain.flatMap(p => [...p.getAttribute(name).array]);
  return triangles(join('position'), join('normal'));
}

function faceNormal(p, i) {
  const [a, b, c] = [0, 3, 6].map(k => new THREE.Vector3().fromArray(p, 9 * i + k));
  return b.sub(a).cross(c.sub(a)).normalize();
}

function mesh(m, id) {
  const first = m.mesh_faceadr[id], count = m.mesh_facenum[id];
  const verts = 3 * m.mesh_vertadr[id], normals = 3 * m.mesh_normaladr[id], texture = m.mesh_texcoordadr[id];
  const p = new Float32Array(9 * count), n = new Float32Array(9 * count);
  const uv = texture >= 0 ? new Float32Array(6 * count) : null;
  for (let i = 0; i < count; i++) {
    const corner = k => 3 * (first + i) + k;
    for (let k = 0; k < 3; k++) {
      const v = verts + 3 * m.mesh_face[corner(k)], nv = normals + 3 * m.mesh_facenormal[corner(k)], t = m.mesh_facetexcoord[corner(k)];
      for (let c = 0; c < 3; c++) { p[9 * i + 3 * k + c] = m.mesh_vert[v + c]; n[9 * i + 3 * k + c] = m.mesh_normal[nv + c]; }
      if (uv && t >= 0) for (let c = 0; c < 2; c++) uv[6 * i + 2 * k + c] = m.mesh_texcoord[2 * (texture + t) + c];
    }
    for (let k = 0; k < 3; k++) if (m.mesh_facenormal[corner(k)] < 0) faceNormal(p, i).toArray(n, 9 * i + 3 * k);
    if (!uv) soften(p, n, i);
  }
  return triangles(p, n, uv);
}

function soften(p, n, i) {
  const own = faceNormal(p, i).toArray();
  for (let k = 9 * i; k < 9 * i + 9; k += 3) {
    if (n[k] * own[0] + n[k + 1] * own[1] + n[k + 2] * own[2] < ALIKE) n.set(own, k);
  }
}

function hull(m, id) {
  const graph = m.mesh_graph.subarray(m.mesh_graphadr[id]), [nvert, nface] = graph;
  const faces = graph.subarray(2 + 3 * nvert + 3 * nface, 2 + 3 * nvert + 6 * nface);
  const from = 3 * m.mesh_vertadr[id];
  return flat([...faces].flatMap(v => [...m.mesh_vert.subarray(from + 3 * v, from + 3 * v + 3)]));
}

function field(m, id) {
  const rows = m.hfield_nrow[id], cols = m.hfield_ncol[id], from = m.hfield_adr[id];
  const [sx, sy, sz, base] = m.hfield_size.subarray(4 * id, 4 * id + 4), out = [];
  const top = (r, c) => [sx * (2 * c / (cols - 1) - 1), sy * (2 * r / (rows - 1) - 1), sz * m.hfield_data[from + r * cols + c]];
  const low = p => [p[0], p[1], -base];
  const add = (...corners) => corners.forEach(corner => out.push(...corner));
  const wall = (a, b) => add(low(a), low(b), b, low(a), b, a);
  for (let r = 0; r + 1 < rows; r++) for (let c = 0; c + 1 < cols; c++) {
    add(top(r + 1, c), top(r, c), top(r + 1, c + 1), top(r, c), top(r, c + 1), top(r + 1, c + 1));
  }
  for (let r = 0; r + 1 < rows; r++) { wall(top(r + 1, 0), top(r, 0)); wall(top(r, cols - 1), top(r + 1, cols - 1)); }
  for (let c = 0; c + 1 < cols; c++) { wall(top(0, c), top(0, c + 1)); wall(top(rows - 1, c + 1), top(rows - 1, c)); }
  return flat(out);
}
