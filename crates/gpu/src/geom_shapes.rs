//! Shape data of geoms beyond type and size, for the collision search: mesh vertices and hulls, height fields,
//! bounding boxes.

use crate::geom_distances::GeomDistance;
use crate::pairs::{Pairs, Work};
use crate::ray_meshes::{RayMeshes, ray_meshes};
use sinew_engine::Model;
use sinew_engine::model::enums::GeomType;
use std::ops::Range;

/// Bounding boxes are enlarged by this part, so that rounding cannot separate shapes that touch.
const SLACK: f64 = 1e-5;

/// Shapes beyond type and size.
#[derive(Debug, Default)]
pub struct GeomShapes {
    /// Hull vertices of meshes that may collide; all vertices if there is no hull.
    pub points: Vec<[f64; 3]>,
    /// Index of the first neighbour of each vertex.
    pub adr: Vec<usize>,
    /// Neighbours on the hull.
    pub next: Vec<usize>,
    /// Start vertices for hill climbing: the support vertices of the centres of [`CELLS`] cells of directions.
    pub seeds: Vec<usize>,
    /// Elevations of height fields that may collide.
    pub heights: Vec<f64>,
    /// Vertices of each geom. For a height field: the index of its first elevation, and its number of columns.
    pub of_geom: Vec<Range<usize>>,
    /// Rows of height fields.
    pub rows: Vec<usize>,
    /// Sizes of height fields.
    pub sizes: Vec<[f64; 4]>,
    /// Index of the first start vertex of each geom, if it has a hull.
    pub hull: Vec<Option<usize>>,
    /// Triangles that rays may hit.
    pub ray_meshes: RayMeshes,
    /// Whether any collider uses all lanes of a warp for one pair.
    pub per_warp: bool,
    /// Faces of meshes, if pairs may have several contacts.
    pub faces: Option<MeshPolygons>,
}

/// Faces of mesh hulls (mesh_poly*): coplanar triangles merged to polygons.
#[derive(Debug, Default)]
pub struct MeshPolygons {
    /// Their normals.
    pub normals: Vec<[f64; 3]>,
    /// Index of the first vertex of each.
    pub adr: Vec<usize>,
    /// Their vertices, as indices of points.
    pub corners: Vec<usize>,
    /// Index of the first face around each point.
    pub around_adr: Vec<usize>,
    /// Faces around the points.
    pub around: Vec<usize>,
}

impl MeshPolygons {
    /// MuJoCo ignores vertices of a face, and faces around a vertex, beyond this number.
    const MOST: usize = 150;

    fn new() -> Self {
        MeshPolygons { adr: vec![0], around_adr: vec![0], ..MeshPolygons::default() }
    }

    /// Adds those of a mesh. `place` maps its vertices to indices of points.
    fn add(&mut self, m: &Model, id: usize, vertices: impl Iterator<Item = usize>, place: impl Fn(usize) -> usize) {
        let first = self.normals.len();
        for poly in (0..m.mesh_polynum[id]).map(|k| (m.mesh_polyadr[id] + k) as usize) {
            self.normals.push(m.mesh_polynormal[poly]);
            let corners = &m.mesh_polyvert[m.mesh_polyvertadr[poly] as usize..][..m.mesh_polyvertnum[poly] as usize];
            self.corners.extend(corners.iter().map(|v| place(*v as usize)));
            self.adr.push(self.corners.len());
        }
        for v in vertices.map(|v| m.mesh_vertadr[id] as usize + v) {
            let faces = &m.mesh_polymap[m.mesh_polymapadr[v] as usize..][..m.mesh_polymapnum[v] as usize];
            self.around.extend(faces.iter().map(|f| first + *f as usize));
            self.around_adr.push(self.around.len());
        }
    }

    /// Maximum number of vertices of a face (at least those of a box), and of faces around a vertex.
    pub fn max_counts(&self) -> [usize; 2] {
        let most = |adr: &[usize]| adr.windows(2).map(|w| w[1] - w[0]).max().unwrap_or(0).clamp(4, Self::MOST);
        [most(&self.adr), most(&self.around_adr)]
    }
}

/// Shape data of the geoms that occur in pairs or distance sensors.
pub fn geom_shapes(m: &Model, pairs: &Pairs, geom_distances: &[GeomDistance]) -> GeomShapes {
    let mut used = vec![false; m.nmesh];
    for &g in pairs.all.iter().flat_map(|p| &p.geoms).chain(geom_distances.iter().flat_map(|g| &g.geoms)) {
        if let Some(id) = mesh(m, g) {
            used[id] = true;
        }
    }
    let per_warp = pairs.kinds.iter().any(|k| k.work == Work::PerWarp);
    let faces = pairs.multicontact().then(MeshPolygons::new);
    let mut s = GeomShapes { per_warp, adr: vec![0], faces, ray_meshes: ray_meshes(m), ..GeomShapes::default() };
    let of_mesh: Vec<_> = (0..m.nmesh).map(|id| if used[id] { s.add(m, id) } else { (0..0, None) }).collect();
    for g in 0..m.ngeom {
        let (mut points, hull) = mesh(m, g).map_or((0..0, None), |id| of_mesh[id].clone());
        let field = (m.geom_type(g) == GeomType::Hfield).then(|| usize::try_from(m.geom_dataid[g]).ok()).flatten();
        s.rows.push(field.map_or(0, |id| m.hfield_nrow[id] as usize));
        s.sizes.push(field.map_or([0.0; 4], |id| m.hfield_size[id]));
        if let Some(id) = field {
            let (rows, columns) = (m.hfield_nrow[id] as usize, m.hfield_ncol[id] as usize);
            points = s.heights.len()..s.heights.len() + columns;
            let heights = &m.hfield_data[m.hfield_adr[id] as usize..][..rows * columns];
            s.heights.extend(heights.iter().map(|x| f64::from(*x)));
        }
        s.of_geom.push(points);
        s.hull.push(hull);
    }
    s
}

fn mesh(m: &Model, g: usize) -> Option<usize> {
    (m.geom_type(g) == GeomType::Mesh).then(|| usize::try_from(m.geom_dataid[g]).ok()).flatten()
}

impl GeomShapes {
    /// Adds the vertices of a mesh. Returns their range, and the index of the first start vertex if it has a hull.
    fn add(&mut self, m: &Model, id: usize) -> (Range<usize>, Option<usize>) {
        let first = self.points.len();
        let vertices = &m.mesh_vert[m.mesh_vertadr[id] as usize..][..m.mesh_vertnum[id] as usize];
        let place = |v: usize| vertices[v].map(f64::from);
        let Some(graph) = usize::try_from(m.mesh_graphadr[id]).ok().map(|adr| &m.mesh_graph[adr..]) else {
            self.points.extend((0..vertices.len()).map(place));
            self.adr.resize(self.points.len() + 1, self.next.len());
            if let Some(faces) = &mut self.faces {
                faces.add(m, id, 0..vertices.len(), |v| first + v);
            }
            return (first..self.points.len(), None);
        };
        let count = graph[0] as usize;
        let (starts, rest) = graph[2..].split_at(count);
        let (corners, neighbours) = rest.split_at(count);
        for (start, corner) in starts.iter().zip(corners) {
            self.points.push(place(*corner as usize));
            let around = neighbours[*start as usize..].iter().take_while(|n| **n >= 0);
            self.next.extend(around.map(|n| first + *n as usize));
            self.adr.push(self.next.len());
        }
        if let Some(faces) = &mut self.faces {
            let mut places = vec![first; vertices.len()];
            corners.iter().enumerate().for_each(|(k, v)| places[*v as usize] = first + k);
            faces.add(m, id, corners.iter().map(|v| *v as usize), |v| places[v]);
        }
        let corners = first..self.points.len();
        let seeds = self.seeds.len();
        let points = &self.points;
        self.seeds.extend((0..CELLS).map(|cell| {
            let dir = middle(cell);
            let reach = |i: &usize| points[*i].iter().zip(dir).map(|(x, d)| x * d).sum::<f64>();
            corners.clone().max_by(|i, j| reach(i).total_cmp(&reach(j))).unwrap_or(first)
        }));
        (corners, Some(seeds))
    }
}

/// Cells along a side of the cube map of directions, and all cells. Kernels number them in the same way.
pub const SIDE: usize = 4;
const CELLS: usize = 6 * SIDE * SIDE;

/// The direction of a cell's centre: the axis of its face, positive before negative, then the two following axes.
fn middle(cell: usize) -> [f64; 3] {
    let (face, u, v) = (cell / (SIDE * SIDE), cell / SIDE % SIDE, cell % SIDE);
    let across = |k: usize| (2 * k + 1) as f64 / SIDE as f64 - 1.0;
    let mut dir = [0.0; 3];
    dir[face / 2] = if face % 2 == 0 { 1.0 } else { -1.0 };
    dir[(face / 2 + 1) % 3] = across(u);
    dir[(face / 2 + 2) % 3] = across(v);
    dir
}

/// Half-size of a box, enlarged.
pub fn enlarged(middle: f64, half: f64) -> f64 {
    half + SLACK * (middle.abs() + half)
}

/// Centre and half-sizes of a geom's bounding box, in its own axes.
pub fn aabb(m: &Model, g: usize) -> [[f64; 3]; 2] {
    let [r, h, _] = m.geom_size[g];
    let half = match m.geom_type(g) {
        GeomType::Sphere => [r; 3],
        GeomType::Capsule => [r, r, r + h],
        GeomType::Cylinder => [r, r, h],
        GeomType::Ellipsoid | GeomType::Box => m.geom_size[g],
        _ => {
            let [x, y, z, a, b, c] = m.geom_aabb[g];
            return [[x, y, z], [enlarged(x, a), enlarged(y, b), enlarged(z, c)]];
        }
    };
    [[0.0; 3], half.map(|x| x * (1.0 + SLACK))]
}
