//! Incremental convex hull: a closed surface of convex faces that grows until no point is outside (quickhull).
//!
//! Every point that is still outside waits in the list of one face that it is strictly above. The farthest point of a
//! face is added next: the faces it sees are replaced by a cone from their horizon (the rim) to the point, and the
//! points that waited at them move to faces of the cone. A point above a removed face that is still outside is above
//! some face of the cone, because each cone plane lies between the planes of the two faces at its rim edge.
//!
//! "Sees" means strictly above, decided exactly. The faces that a point sees are therefore connected by edges, and so
//! are the others; the rim is one closed curve, and no triangle of the cone is degenerate. A triangle of the cone that
//! is coplanar with a face beside it joins the face (`join`).
//!
//! Every hull of the same points has the same vertices, but the order in which points are added decides how flat sides
//! are triangulated and in which order vertices and neighbours are listed, and contacts of meshes depend on both. The
//! order here follows that of Qhull, which MuJoCo uses, so that models behave as in MuJoCo: faces take turns from oldest
//! to newest, and a face that grows becomes the newest.

use super::HullError;
use super::grid::{Cells, Plane, side};
use super::simplex::simplex;
use super::surface::{Face, NONE, Surface, Triangle};
use sinew_math::Vec3;

/// Builds the hull of some points, stopping after `limit` of them.
pub(super) fn grow(cells: &Cells, limit: Option<usize>) -> Result<Surface, HullError> {
    let Cells { given, grid } = cells;
    let count = given.len();
    let mut work = Work {
        given,
        error: height_error(given),
        grid,
        surface: Surface { age: vec![0; count], touched: vec![0; count], ..Surface::default() },
        behind: vec![NONE; count],
        begins: vec![NONE; count],
        seen: Vec::new(),
        starts: Vec::new(),
        coplanar: Vec::new(),
        now: 4,
        joins: 0,
    };
    work.start(simplex(given, grid)?);
    // start with the highest point; the loop meets every face after its last change, because changed faces move to the end
    let faces = &work.surface.faces;
    let highest = (0..4).fold(0, |best, k| if faces[k].height > faces[best].height { k } else { best });
    if limit.is_none_or(|limit| limit > 4) && faces[highest].farthest != NONE {
        work.add(work.surface.faces[highest].farthest, highest as u32);
    }
    let mut slot = 0;
    while slot < work.surface.order.len() && limit.is_none_or(|limit| work.surface.taken.len() < limit) {
        match work.surface.at_slot(slot).map(|face| (face, work.surface.face(face).farthest)) {
            Some((face, farthest)) if farthest != NONE => work.add(farthest, face),
            _ => slot += 1,
        }
    }
    Ok(work.surface)
}

/// Error bound of the height of a point above a plane: that of a product of two vectors and a sum.
fn height_error(points: &[Vec3]) -> f64 {
    let reach = [0, 1, 2].map(|k| points.iter().fold(0.0, |most: f64, p| most.max(p[k].abs())));
    let most = reach[0].max(reach[1]).max(reach[2]);
    let length = (3f64.sqrt() * most).min(reach.iter().sum());
    f64::EPSILON * (3.0 * 1.01 * length + most)
}

/// With more joins, the walk from neighbour to neighbour is no longer used.
const MANY_JOINS: usize = 50;

/// State of the hull construction.
pub(super) struct Work<'a> {
    given: &'a [Vec3],
    /// Error bound of heights.
    error: f64,
    pub(super) grid: &'a [Vec3],
    pub(super) surface: Surface,
    /// Linked list: for each waiting point, the next one at the same face.
    behind: Vec<u32>,
    /// For each point, the triangle of the cone whose rim edge starts there.
    begins: Vec<u32>,
    /// Faces that the new point sees.
    seen: Vec<u32>,
    /// For each of them, the triangle of the cone at which the search for new faces of its points starts.
    starts: Vec<Option<u32>>,
    /// Triangles of the cone that are coplanar with the face across the rim.
    pub(super) coplanar: Vec<u32>,
    /// Counts how often points were touched.
    now: u64,
    /// How often triangles joined a face.
    pub(super) joins: usize,
}

/// The new triangles around an added point.
struct Cone {
    first: usize,
    /// Where its faces begin in the order of all.
    begin: usize,
    apex: u32,
    /// Whether faces for points are searched in the order of all, not from neighbour to neighbour.
    in_order: bool,
    /// Whether the normals face more than one octant; then a local maximum of the height over neighbouring triangles
    /// need not be the global one.
    spread: bool,
    /// Whether the search for a face starts with a scan of all triangles of the cone.
    thorough: bool,
}

impl Work<'_> {
    fn triangle(&mut self, corner: [u32; 3], across: [u32; 3]) {
        // the order of age makes rounding independent of the orientation
        let mut rows = corner;
        rows.sort_unstable_by_key(|&i| std::cmp::Reverse(self.surface.age[i as usize]));
        let turned = (0..3).all(|k| rows != [corner[k], corner[(k + 1) % 3], corner[(k + 2) % 3]]);
        let [on_grid, given] = [(corner, self.grid), (rows, self.given)].map(|(c, p)| c.map(|i| p[i as usize]));
        self.surface.add(corner, across, Plane::new(on_grid, given, turned));
    }

    /// Starts with a tetrahedron; each face lies opposite one of its corners.
    fn start(&mut self, corners: [u32; 4]) {
        self.surface.taken.extend(corners);
        for (k, &i) in corners.iter().enumerate() {
            self.surface.age[i as usize] = 4 - k as u32;
            self.surface.touched[i as usize] = k as u64;
        }
        let [a, b, c, d] = corners.map(|i| self.grid[i as usize]);
        let inward = side([b, c, d], a) > 0;
        for (k, mut rest) in [[1, 2, 3], [0, 2, 3], [0, 1, 3], [0, 1, 2]].into_iter().enumerate() {
            if inward == (k % 2 == 0) {
                rest.swap(0, 1);
            }
            self.triangle(rest.map(|i| corners[i]), rest.map(|i| i as u32));
        }
        for i in 0..self.given.len() as u32 {
            if let Some(face) = (0..4).find(|&face| self.sees(i, face)) {
                self.wait(i, face);
            }
        }
    }

    /// Whether a point is strictly above a face.
    fn sees(&self, i: u32, face: u32) -> bool {
        self.surface.face(face).plane.sees(self.grid[i as usize])
    }

    /// Height of a point above a face, rounded.
    fn height(&self, i: u32, face: u32) -> f64 {
        self.surface.face(face).plane.distance(self.given[i as usize])
    }

    /// Puts a point into the list of a face.
    fn wait(&mut self, i: u32, at: u32) {
        let height = self.height(i, at);
        let face = self.surface.face_mut(at);
        let nearer = if face.farthest == NONE || height > face.height {
            face.height = height;
            std::mem::replace(&mut face.farthest, i)
        } else {
            i
        };
        if nearer != NONE {
            self.behind[nearer as usize] = NONE;
            match face.others[1] {
                NONE => face.others[0] = nearer,
                last => self.behind[last as usize] = nearer,
            }
            face.others[1] = nearer;
        }
    }

    /// Adds a point that sees a face.
    fn add(&mut self, point: u32, face: u32) {
        self.surface.taken.push(point);
        self.surface.age[point as usize] = self.surface.taken.len() as u32;
        self.look(point, face);
        let (first, begin) = (self.surface.triangles.len(), self.surface.order.len());
        self.raise_cone(point);
        for new in first..self.surface.triangles.len() {
            self.link(new, point);
        }
        let before = self.now;
        self.touch(first);
        self.surface.renew_stars(first);
        let joins = self.joins;
        self.join_horizon(point, before);
        self.join_neighbors(first, point);
        let in_order = self.joins > joins || self.joins > MANY_JOINS;
        let octant = |at: usize| self.surface.face_of(at as u32).plane.unit().map(|x| x > 0.0);
        let spread = !in_order && (first..self.surface.triangles.len()).any(|at| octant(at) != octant(first));
        let mut cone = Cone { first, begin, apex: point, in_order, spread, thorough: false };
        for k in 0..self.seen.len() {
            let Face { farthest, others, .. } = *self.surface.face(self.seen[k]);
            let start = self.starts[k].unwrap_or(first as u32);
            let mut i = others[0];
            while i != NONE {
                let behind = self.behind[i as usize];
                self.place(i, start, &mut cone);
                i = behind;
            }
            // the new point lies in all planes of its cone, so it drops out here
            if farthest != NONE && farthest != point {
                self.place(farthest, start, &mut cone);
            }
        }
        self.seen.clear();
        self.starts.clear();
    }

    /// Assigns a point to a face of the cone, unless it is inside the surface.
    fn place(&mut self, i: u32, start: u32, cone: &mut Cone) {
        let found = if cone.in_order {
            // all faces of the cone, from that of the start on
            let slots = self.surface.face_of(start).slot;
            let all = (slots..self.surface.order.len()).chain(cone.begin..slots);
            all.filter_map(|slot| self.surface.at_slot(slot)).find(|&face| self.sees(i, face))
        } else {
            self.search(i, start, cone)
        };
        found.into_iter().for_each(|face| self.wait(i, face));
    }

    /// A face of the cone that a point sees. Walking around the cone to higher triangles usually finds one; where the walk
    /// ends below the cone, all are scanned.
    fn search(&self, i: u32, start: u32, cone: &mut Cone) -> Option<u32> {
        let face = |at: u32| self.surface.triangle(at).face;
        let mut at = start;
        if !cone.thorough {
            let mut next = Some(start);
            while let Some(higher) = next {
                at = higher;
                if self.sees(i, face(at)) {
                    return Some(face(at));
                }
                // try the neighbour at the older corner of the rim first
                let Triangle { corner, across, .. } = self.surface.triangle(at);
                let apex = usize::from(corner[1] == cone.apex);
                let height = self.height(i, face(at));
                next = [across[1 - apex], across[2]].into_iter().find(|&t| self.height(i, face(t)) > height);
            }
            cone.thorough = cone.spread && self.height(i, face(at)) < -self.error;
        }
        let all = (at..self.surface.triangles.len() as u32).chain(cone.first as u32..at);
        all.map(face).find(|&face| self.sees(i, face))
    }

    /// Collects the faces that a point sees, from neighbour to neighbour, and marks them dead.
    fn look(&mut self, point: u32, face: u32) {
        self.visit(point, face);
        let mut next = 0;
        while let Some(&face) = self.seen.get(next) {
            if self.surface.is_single(face) {
                for edge in self.surface.own_edges(face) {
                    self.visit(point, self.surface.face_across(edge));
                }
            } else {
                for k in 0..self.surface.face(face).border.len() {
                    self.visit(point, self.surface.face_across(self.surface.face(face).border[k]));
                }
            }
            next += 1;
        }
    }

    fn visit(&mut self, point: u32, face: u32) {
        if self.surface.face(face).live && self.sees(point, face) {
            self.surface.face_mut(face).live = false;
            self.seen.push(face);
        }
    }

    /// Raises the cone on the rim around the faces that are seen, face by face: first on listed edges, then on the others of a
    /// single triangle. Points of a seen face will start to look for a new face at the last triangle on a listed edge, of the
    /// latest face that has such edges, or else at the last triangle on an edge of their own face.
    fn raise_cone(&mut self, point: u32) {
        let mut on_listed = None;
        for at in 0..self.seen.len() {
            let face = self.seen[at];
            let listed = std::mem::take(&mut self.surface.face_mut(face).border);
            if !listed.is_empty() {
                on_listed = self.raise_on(point, listed.iter().copied());
            }
            let own = self.surface.own_edges(face).into_iter();
            let single = self.surface.is_single(face);
            let last = self.raise_on(point, own.filter(|edge| single && !listed.contains(edge)));
            self.starts.push(on_listed.or(last));
        }
    }

    /// Raises triangles on those edges of seen faces that are on the rim; returns the last.
    fn raise_on(&mut self, point: u32, edges: impl Iterator<Item = u32>) -> Option<u32> {
        let mut last = None;
        for edge in edges {
            let (beyond, theirs) = (self.surface.face_across(edge), self.surface.mirror(edge));
            if self.surface.face(beyond).live {
                let new = self.raise(point, edge);
                if self.is_coplanar(point, beyond) {
                    self.coplanar.push(new);
                }
                self.surface.list_rim(beyond, theirs);
                last = Some(new);
            }
        }
        last
    }

    /// Whether the plane of a face contains a point, exactly.
    fn is_coplanar(&self, point: u32, face: u32) -> bool {
        self.surface.face(face).plane.contains(self.grid[point as usize])
    }

    /// The edge of a triangle of the cone on the rim, opposite the new point.
    pub(super) fn rim_edge(&self, triangle: u32, point: u32) -> u32 {
        3 * triangle + u32::from(self.surface.triangle(triangle).corner[1] == point)
    }

    /// Adds the triangle from an edge of a seen triangle to the new point; returns it.
    fn raise(&mut self, point: u32, edge: u32) -> u32 {
        let (inner, k) = (edge / 3, edge as usize % 3);
        let Triangle { corner, across, .. } = *self.surface.triangle(inner);
        let (from, to, outer) = (corner[(k + 1) % 3], corner[(k + 2) % 3], across[k]);
        let new = self.surface.triangles.len() as u32;
        let back = self.surface.triangles[outer as usize].across.iter_mut().find(|t| **t == inner);
        back.into_iter().for_each(|t| *t = new);
        self.begins[from as usize] = new;
        if self.surface.age[from as usize] < self.surface.age[to as usize] {
            self.triangle([to, point, from], [NONE, outer, NONE]);
        } else {
            self.triangle([point, from, to], [outer, NONE, NONE]);
        }
        new
    }

    /// Links a triangle of the cone to the next one around the new point.
    fn link(&mut self, new: usize, point: u32) {
        let triangles = &mut self.surface.triangles;
        let apex = |triangle: &Triangle| usize::from(triangle.corner[1] == point);
        let at = apex(&triangles[new]);
        // opposite the corner where its rim edge starts
        let (from, to) = ((at + 1) % 3, (at + 2) % 3);
        let next = self.begins[triangles[new].corner[to] as usize] as usize;
        triangles[new].across[from] = next as u32;
        let to = (apex(&triangles[next]) + 2) % 3;
        triangles[next].across[to] = new as u32;
    }

    /// Records that the corners of a cone were touched, face by face.
    fn touch(&mut self, first: usize) {
        let before = self.now;
        for at in first..self.surface.triangles.len() {
            let mut corner = self.surface.triangles[at].corner;
            corner.sort_unstable_by_key(|&i| std::cmp::Reverse(self.surface.age[i as usize]));
            self.touch_points(&corner, before);
        }
    }

    /// Records that points were touched, unless this has happened since a count of touches.
    pub(super) fn touch_points(&mut self, points: &[u32], before: u64) {
        for &i in points {
            let last = &mut self.surface.touched[i as usize];
            if *last < before {
                *last = self.now;
                self.now += 1;
            }
        }
    }
}
