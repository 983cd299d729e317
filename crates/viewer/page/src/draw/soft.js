// Deformable surfaces: flexes with their edges and vertices, and skins.
import * as THREE from 'three';

function own(object) {
  if (!object.userData.own) { object.geometry = new THREE.BufferGeometry(); object.userData.own = true; }
  return object.geometry;
}

// Writes an attribute of a geometry; if the length changes, it is replaced.
function write(geometry, name, values, width) {
  const old = geometry.getAttribute(name);
  if (old?.array.length === values.length) { old.array.set(values); old.needsUpdate = true; return; }
  geometry.setAttribute(name, new THREE.BufferAttribute(values, width));
}

export function bend(object, flex) {
  const geometry = own(object);
  write(geometry, 'position', flex.faces, 3);
  write(geometry, 'normal', flex.normals, 3);
  write(geometry, 'uv', flex.uv, 2);
  object.material.side = THREE.DoubleSide;
}

export function bendSkin(object, m, id, skin) {
  const geometry = own(object);
  if (!geometry.index) {
    const faces = m.skin_face.subarray(3 * m.skin_faceadr[id], 3 * (m.skin_faceadr[id] + m.skin_facenum[id]));
    geometry.setIndex(new THREE.BufferAttribute(Uint32Array.from(faces), 1));
    const from = m.skin_texcoordadr[id];
    if (from >= 0) geometry.setAttribute('uv', new THREE.BufferAttribute(m.skin_texcoord.slice(2 * from, 2 * (from + m.skin_vertnum[id])), 2));
  }
  write(geometry, 'position', skin.verts, 3);
  write(geometry, 'normal', skin.normals, 3);
  object.material.side = THREE.DoubleSide;
}

const ball = new THREE.SphereGeometry(1, 12, 8), tube = new THREE.CylinderGeometry(1, 1, 1, 8, 1, true);

// Spheres at vertices and tubes along edges, unless a skin covers them.
export function wires(object, m, shape, frame) {
  const { verts, faces } = frame.flexes[shape.objid];
  const [vertexes, edges, , skin] = frame.flexParts;
  const covered = skin && faces.length > 0, radius = shape.size[0];
  const edge = m.flex_edge.subarray(2 * m.flex_edgeadr[shape.objid], 2 * (m.flex_edgeadr[shape.objid] + m.flex_edgenum[shape.objid]));
  const point = v => new THREE.Vector3().fromArray(verts, 3 * v);
  const matrix = new THREE.Matrix4(), turn = new THREE.Quaternion(), up = new THREE.Vector3(0, 1, 0);
  const show = (name, geometry, count, at) => {
    let many = object.getObjectByName(name);
    if (many && (many.count !== count)) { object.remove(many); many.dispose(); many = null; }
    if (!count) return;
    if (!many) { many = new THREE.InstancedMesh(geometry, object.material, count); many.name = name; many.frustumCulled = false; object.add(many); }
    for (let i = 0; i < count; i++) many.setMatrixAt(i, at(i));
    many.instanceMatrix.needsUpdate = true;
  };
  const drawn = !covered && radius > 0;
  show('balls', ball, drawn && vertexes ? verts.length / 3 : 0,
    i => matrix.compose(point(i), turn.identity(), new THREE.Vector3(radius, radius, radius)));
  show('tubes', tube, drawn && edges && verts.length ? edge.length / 2 : 0, i => {
    const a = point(edge[2 * i]), b = point(edge[2 * i + 1]), along = b.clone().sub(a), length = along.length();
    return matrix.compose(a.add(b).multiplyScalar(0.5), turn.setFromUnitVectors(up, along.normalize()), new THREE.Vector3(radius, length, radius));
  });
}
