//! A closed surface of triangles that grows until no point is outside.
//!
//! Every point that is still outside waits at one facet that it is strictly above. The farthest point of a facet is
//! added: the facets it sees are replaced by a cone from the edges around them to the point, and points that waited
//! there move to facets of the cone. A point above an old facet that is outside the new surface is above some facet of
//! the cone: planes of the cone lie between those of the two facets at an edge of its rim.
//!
//! "Sees" means strictly above, decided exactly. Then the facets that a point sees are connected by edges, and so are
//! the others; the rim is one closed curve, and no triangle of the cone is degenerate.

use super::HullError;
use super::grid::{Plane, in_line, side};
use sinew_math::{Vec3, vec3};

const NONE: u32 = u32::MAX;

/// A triangle of the surface.
#[derive(Clone, Debug)]
pub(super) struct Facet {
    /// Points, counter-clockwise seen from outside.
    pub corner: [u32; 3],
    /// Facet beyond the edge from each corner to the next.
    pub across: [u32; 3],
    pub plane: Plane,
    /// Whether it is still part of the surface.
    pub live: bool,
    /// The farthest of the points that wait here, the others behind it.
    first: u32,
    /// How far it is. (cells)
    height: f64,
}

/// A closed convex surface.
#[derive(Clone, Debug, Default)]
pub(super) struct Surface {
    /// Facets, dead ones among them.
    pub facets: Vec<Facet>,
    /// Points in the order they were added. Some may lie inside of the surface by now.
    pub taken: Vec<u32>,
}

/// The hull of some points, or of as many as the limit allows.
pub(super) fn grow(points: &[Vec3], limit: Option<usize>) -> Result<Surface, HullError> {
    let mut work = Work {
        points,
        surface: Surface::default(),
        behind: vec![NONE; points.len()],
        begins: vec![NONE; points.len()],
        seen: Vec::new(),
        rim: Vec::new(),
    };
    work.start(simplex(points)?);
    // cones are added at the end, so the loop meets every facet once
    let mut at = 0;
    while at < work.surface.facets.len() && limit.is_none_or(|limit| work.surface.taken.len() < limit) {
        let facet = &work.surface.facets[at];
        if facet.live && facet.first != NONE {
            work.add(facet.first, at as u32);
        }
        at += 1;
    }
    Ok(work.surface)
}

/// Four points that are not in a plane, far apart: the ends of the longest axis, then the farthest from the line, then
/// the farthest from the plane.
fn simplex(points: &[Vec3]) -> Result<[u32; 4], HullError> {
    let farthest = |measure: &dyn Fn(Vec3) -> f64| {
        let longer = |best: (usize, f64), (i, x): (usize, f64)| if x > best.1 { (i, x) } else { best };
        points.iter().map(|&p| measure(p)).enumerate().fold((0, f64::NEG_INFINITY), longer).0
    };
    let span = |k: usize| {
        let ends = [farthest(&|p| -p[k]), farthest(&|p| p[k])];
        (points[ends[1]][k] - points[ends[0]][k], ends)
    };
    let longest = [span(1), span(2)].into_iter().fold(span(0), |best, s| if s.0 > best.0 { s } else { best });
    let [a, b] = longest.1;
    let (from, along) = (points[a], vec3::sub(points[b], points[a]));
    let c = farthest(&|p| {
        let n = vec3::cross(along, vec3::sub(p, from));
        vec3::dot(n, n)
    });
    // where floating-point numbers cannot tell, any point off the line or plane will do
    let off_line = |p: &Vec3| !in_line([from, points[b], *p]);
    let c = if off_line(&points[c]) { c } else { points.iter().position(off_line).ok_or(HullError::Flat)? };
    let base = [a, b, c].map(|i| points[i]);
    let normal = vec3::cross(along, vec3::sub(points[c], from));
    let d = farthest(&|p| vec3::dot(normal, vec3::sub(p, from)).abs());
    let off_plane = |p: &Vec3| side(base, *p) != 0;
    let d = if off_plane(&points[d]) { d } else { points.iter().position(off_plane).ok_or(HullError::Flat)? };
    let (b, c) = if side(base, points[d]) < 0 { (b, c) } else { (c, b) };
    Ok([a, b, c, d].map(|i| i as u32))
}

/// A surface in the making.
struct Work<'a> {
    points: &'a [Vec3],
    surface: Surface,
    /// For each waiting point, the one that waits behind it.
    behind: Vec<u32>,
    /// For each point, the facet of the cone whose edge on the rim begins there.
    begins: Vec<u32>,
    /// Facets that the new point sees.
    seen: Vec<u32>,
    /// Edges around them, as facet seen and edge of it.
    rim: Vec<(u32, usize)>,
}

impl Work<'_> {
    fn facet(&mut self, corner: [u32; 3], across: [u32; 3]) {
        let plane = Plane::new(corner.map(|i| self.points[i as usize]));
        self.surface.facets.push(Facet { corner, across, plane, live: true, first: NONE, height: 0.0 });
    }

    /// Begins with a tetrahedron whose first three corners are counter-clockwise seen from outside.
    fn start(&mut self, [a, b, c, d]: [u32; 4]) {
        self.surface.taken.extend([a, b, c, d]);
        self.facet([a, b, c], [3, 1, 2]);
        self.facet([c, b, d], [0, 3, 2]);
        self.facet([a, c, d], [0, 1, 3]);
        self.facet([b, a, d], [0, 2, 1]);
        for i in 0..self.points.len() as u32 {
            self.wait(i, 0);
        }
    }

    /// Lets a point wait at the facet it is farthest above among those from `first` on, if there is one.
    fn wait(&mut self, i: u32, first: usize) {
        let p = self.points[i as usize];
        let (mut highest, mut at) = (0.0, None);
        for facet in &mut self.surface.facets[first..] {
            let height = facet.plane.height(p);
            if height > highest {
                (highest, at) = (height, Some(facet));
            }
        }
        let Some(facet) = at else { return };
        if facet.first == NONE || highest > facet.height {
            self.behind[i as usize] = facet.first;
            (facet.first, facet.height) = (i, highest);
        } else {
            self.behind[i as usize] = std::mem::replace(&mut self.behind[facet.first as usize], i);
        }
    }

    /// Adds a point that sees a facet.
    fn add(&mut self, point: u32, facet: u32) {
        self.surface.taken.push(point);
        self.look(point, facet);
        let first = self.surface.facets.len();
        let (mut seen, mut rim) = (std::mem::take(&mut self.seen), std::mem::take(&mut self.rim));
        for (k, (inner, edge)) in rim.drain(..).enumerate() {
            let old = &self.surface.facets[inner as usize];
            let (from, to, outer) = (old.corner[edge], old.corner[(edge + 1) % 3], old.across[edge]);
            let new = (first + k) as u32;
            let back = self.surface.facets[outer as usize].across.iter_mut().find(|f| **f == inner);
            back.into_iter().for_each(|f| *f = new);
            self.begins[from as usize] = new;
            self.facet([from, to, point], [outer, NONE, NONE]);
        }
        for new in first..self.surface.facets.len() {
            let next = self.begins[self.surface.facets[new].corner[1] as usize];
            self.surface.facets[new].across[1] = next;
            self.surface.facets[next as usize].across[2] = new as u32;
        }
        for at in seen.drain(..) {
            let mut i = self.surface.facets[at as usize].first;
            while i != NONE {
                let behind = self.behind[i as usize];
                if i != point {
                    self.wait(i, first);
                }
                i = behind;
            }
        }
        (self.seen, self.rim) = (seen, rim);
    }

    /// Finds the facets that a point sees, which end here, and the rim around them.
    fn look(&mut self, point: u32, facet: u32) {
        let p = self.points[point as usize];
        self.surface.facets[facet as usize].live = false;
        self.seen.push(facet);
        let mut next = 0;
        while next < self.seen.len() {
            let at = self.seen[next];
            for edge in 0..3 {
                let other = self.surface.facets[at as usize].across[edge];
                let facet = &mut self.surface.facets[other as usize];
                if facet.live && facet.plane.height(p) > 0.0 {
                    facet.live = false;
                    self.seen.push(other);
                } else if facet.live {
                    self.rim.push((at, edge));
                }
            }
            next += 1;
        }
    }
}
