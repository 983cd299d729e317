//! Incremental convex hull: a closed surface of triangles that grows until no point is outside (quickhull).
//!
//! Every point that is still outside waits in the list of one facet that it is strictly above. The farthest point of a
//! facet is added next: the facets it sees are replaced by a cone from their horizon (the rim) to the point, and the
//! points that waited at them move to facets of the cone. A point above a removed facet that is still outside is above
//! some facet of the cone, because each cone plane lies between the planes of the two facets at its rim edge.
//!
//! "Sees" means strictly above, decided exactly. The facets that a point sees are therefore connected by edges, and so
//! are the others; the rim is one closed curve, and no triangle of the cone is degenerate.

use super::HullError;
use super::grid::{Plane, in_line, side};
use sinew_math::{Vec3, vec3};

const NONE: u32 = u32::MAX;

/// A triangle of the surface.
#[derive(Clone, Debug)]
pub(super) struct Facet {
    /// Points, counter-clockwise seen from outside, the oldest last.
    pub corner: [u32; 3],
    /// Neighbour across the edge opposite each corner.
    pub across: [u32; 3],
    pub plane: Plane,
    /// Whether it is still part of the surface.
    pub live: bool,
    /// The farthest of the points that wait here.
    farthest: u32,
    /// Height of the farthest point. (cells)
    height: f64,
    /// First and last of the other waiting points, a linked list in the order in which they stopped being farthest.
    others: [u32; 2],
    /// For a dead facet, the last cone triangle raised on its edges.
    heir: u32,
}

/// A closed convex surface.
#[derive(Clone, Debug, Default)]
pub(super) struct Surface {
    /// Facets, including dead ones.
    pub facets: Vec<Facet>,
    /// Points that were added: the first four from last to first, then the others. Some may be inside the surface by
    /// now.
    pub taken: Vec<u32>,
    /// When each point was added, counted from 1; 0 for points not added.
    pub age: Vec<u32>,
    /// When each point last became a corner of a new facet, ordered by cone and then by facet.
    pub touched: Vec<u64>,
}

/// Builds the hull of some points, stopping after `limit` of them.
pub(super) fn grow(points: &[Vec3], limit: Option<usize>) -> Result<Surface, HullError> {
    let mut work = Work {
        points,
        surface: Surface { age: vec![0; points.len()], touched: vec![0; points.len()], ..Surface::default() },
        behind: vec![NONE; points.len()],
        begins: vec![NONE; points.len()],
        seen: Vec::new(),
        rim: Vec::new(),
    };
    work.start(simplex(points)?);
    // start with the highest point; later cones are appended, so the loop meets every facet once
    let higher = |best: usize, k: usize| {
        if work.surface.facets[k].height > work.surface.facets[best].height { k } else { best }
    };
    let highest = (0..4).fold(0, higher);
    let mut at = 0;
    while at < work.surface.facets.len() && limit.is_none_or(|limit| work.surface.taken.len() < limit) {
        let next = if work.surface.taken.len() == 4 { highest } else { at };
        let facet = &work.surface.facets[next];
        if facet.live && facet.farthest != NONE {
            work.add(facet.farthest, next as u32);
        } else {
            at += 1;
        }
    }
    Ok(work.surface)
}

/// Four points that are not coplanar, the last found first. Candidates are the extreme points along each axis: two span
/// the longest segment along x, the third the largest triangle with them in the xy projection, the fourth the largest
/// tetrahedron.
fn simplex(points: &[Vec3]) -> Result<[u32; 4], HullError> {
    let largest = |among: &mut dyn Iterator<Item = usize>, size: &dyn Fn(Vec3) -> f64| {
        let larger = |best: (usize, f64), (i, x): (usize, f64)| if x > best.1 { (i, x) } else { best };
        among.map(|i| (i, size(points[i]))).fold((0, f64::NEG_INFINITY), larger).0
    };
    let outermost =
        [0, 1, 2].map(|k| [largest(&mut (0..points.len()), &|p| -p[k]), largest(&mut (0..points.len()), &|p| p[k])]);
    let few = || outermost.as_flattened().iter().copied();
    let [a, b] = outermost[0];
    let (from, along) = (points[a], vec3::sub(points[b], points[a]));
    let c = largest(&mut few(), &|p| vec3::cross(along, vec3::sub(p, from))[2].abs());
    // if the extreme points are degenerate, use any point off the line or plane
    let off_line = |p: &Vec3| !in_line([from, points[b], *p]);
    let c = if off_line(&points[c]) { c } else { points.iter().position(off_line).ok_or(HullError::Flat)? };
    let base = [a, b, c].map(|i| points[i]);
    let normal = vec3::cross(along, vec3::sub(points[c], from));
    let d = largest(&mut few(), &|p| vec3::dot(normal, vec3::sub(p, from)).abs());
    let off_plane = |p: &Vec3| side(base, *p) != 0;
    let d = if off_plane(&points[d]) { d } else { points.iter().position(off_plane).ok_or(HullError::Flat)? };
    Ok([d, c, b, a].map(|i| i as u32))
}

/// State of the hull construction.
struct Work<'a> {
    points: &'a [Vec3],
    surface: Surface,
    /// Linked list: for each waiting point, the next one at the same facet.
    behind: Vec<u32>,
    /// For each point, the cone facet whose rim edge starts there.
    begins: Vec<u32>,
    /// Facets that the new point sees.
    seen: Vec<u32>,
    /// Edges of the rim, as a seen facet and the index of its edge.
    rim: Vec<(u32, usize)>,
}

/// The new facets around an added point.
struct Cone {
    first: usize,
    apex: u32,
    /// Whether the normals face more than one octant; then a local maximum of the height over neighbouring facets need
    /// not be the global one.
    spread: bool,
    /// Whether the search for a facet starts with a scan of all facets of the cone.
    thorough: bool,
}

impl Work<'_> {
    fn facet(&mut self, corner: [u32; 3], across: [u32; 3]) {
        let plane = Plane::new(corner.map(|i| self.points[i as usize]));
        self.surface.facets.push(Facet {
            corner,
            across,
            plane,
            live: true,
            farthest: NONE,
            height: 0.0,
            others: [NONE; 2],
            heir: NONE,
        });
    }

    /// Starts with a tetrahedron; each facet lies opposite one of its corners.
    fn start(&mut self, corners: [u32; 4]) {
        self.surface.taken.extend(corners);
        for (k, &i) in corners.iter().enumerate() {
            self.surface.age[i as usize] = 4 - k as u32;
            self.surface.touched[i as usize] = k as u64;
        }
        let [a, b, c, d] = corners.map(|i| self.points[i as usize]);
        let inward = side([b, c, d], a) > 0;
        for (k, mut rest) in [[1, 2, 3], [0, 2, 3], [0, 1, 3], [0, 1, 2]].into_iter().enumerate() {
            if inward == (k % 2 == 0) {
                rest.swap(0, 1);
            }
            self.facet(rest.map(|i| corners[i]), rest.map(|i| i as u32));
        }
        for i in 0..self.points.len() as u32 {
            let p = self.points[i as usize];
            let sees = |facet: &Facet| Some(facet.plane.height(p)).filter(|&height| height > 0.0);
            let at = self.surface.facets.iter().enumerate().find_map(|(at, facet)| Some((at, sees(facet)?)));
            at.into_iter().for_each(|(at, height)| self.wait(i, at, height));
        }
    }

    /// Puts a point that is `height` above a facet into the facet's list.
    fn wait(&mut self, i: u32, at: usize, height: f64) {
        let facet = &mut self.surface.facets[at];
        let nearer = if facet.farthest == NONE || height > facet.height {
            facet.height = height;
            std::mem::replace(&mut facet.farthest, i)
        } else {
            i
        };
        if nearer != NONE {
            self.behind[nearer as usize] = NONE;
            match facet.others[1] {
                NONE => facet.others[0] = nearer,
                last => self.behind[last as usize] = nearer,
            }
            facet.others[1] = nearer;
        }
    }

    /// Adds a point that sees a facet.
    fn add(&mut self, point: u32, facet: u32) {
        self.surface.taken.push(point);
        self.surface.age[point as usize] = self.surface.taken.len() as u32;
        self.look(point, facet);
        let first = self.surface.facets.len();
        let (mut seen, mut rim) = (std::mem::take(&mut self.seen), std::mem::take(&mut self.rim));
        rim.drain(..).for_each(|(inner, k)| self.raise(point, inner, k));
        for new in first..self.surface.facets.len() {
            self.link(new, point);
        }
        self.touch(first);
        let octant = |facet: &Facet| facet.plane.normal().map(|x| x > 0.0);
        let new = &self.surface.facets[first..];
        let spread = new.iter().any(|facet| octant(facet) != octant(&new[0]));
        let mut cone = Cone { first, apex: point, spread, thorough: false };
        for at in seen.drain(..) {
            let Facet { farthest, others, heir, .. } = self.surface.facets[at as usize];
            let start = if heir == NONE { first } else { heir as usize };
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
        (self.seen, self.rim) = (seen, rim);
    }

    /// Assigns a point to a facet of the cone, unless it is inside the surface.
    fn place(&mut self, i: u32, start: usize, cone: &mut Cone) {
        self.search(i, start, cone).into_iter().for_each(|(at, height)| self.wait(i, at, height));
    }

    /// A facet of the cone that a point sees, and the point's height above it. Walking around the cone to higher facets
    /// usually finds one; where the walk ends below the cone, all facets are scanned.
    fn search(&self, i: u32, start: usize, cone: &mut Cone) -> Option<(usize, f64)> {
        let p = self.points[i as usize];
        let facets = &self.surface.facets;
        let rough = |at: usize| facets[at].plane.rough(p);
        let seen = |at: usize| Some((at, facets[at].plane.height(p))).filter(|&(_, height)| height > 0.0);
        let mut at = start;
        if !cone.thorough {
            let mut next = Some(start);
            while let Some(higher) = next {
                at = higher;
                if let Some(found) = seen(at) {
                    return Some(found);
                }
                // try the neighbour at the older corner of the rim first
                let apex = usize::from(facets[at].corner[1] == cone.apex);
                let beside = [1 - apex, 2].map(|k| facets[at].across[k] as usize);
                next = beside.into_iter().find(|&f| rough(f) > rough(at));
            }
            cone.thorough = cone.spread;
        }
        (at..facets.len()).chain(cone.first..at).find_map(seen)
    }

    /// Collects the facets that a point sees, marks them dead, and finds the rim around them.
    fn look(&mut self, point: u32, facet: u32) {
        let p = self.points[point as usize];
        self.surface.facets[facet as usize].live = false;
        self.seen.push(facet);
        let mut next = 0;
        while next < self.seen.len() {
            let at = self.seen[next];
            let Facet { corner: [a, b, _], across, .. } = self.surface.facets[at as usize];
            // the edge opposite the newest corner first
            let swapped = self.surface.age[a as usize] < self.surface.age[b as usize];
            for k in if swapped { [1, 0, 2] } else { [0, 1, 2] } {
                let facet = &mut self.surface.facets[across[k] as usize];
                if facet.live && facet.plane.height(p) > 0.0 {
                    facet.live = false;
                    self.seen.push(across[k]);
                } else if facet.live {
                    self.rim.push((at, k));
                }
            }
            next += 1;
        }
    }

    /// Adds the triangle from a rim edge (opposite corner `k` of a seen facet) to the new point.
    fn raise(&mut self, point: u32, inner: u32, k: usize) {
        let old = &self.surface.facets[inner as usize];
        let (from, to, outer) = (old.corner[(k + 1) % 3], old.corner[(k + 2) % 3], old.across[k]);
        let new = self.surface.facets.len() as u32;
        let back = self.surface.facets[outer as usize].across.iter_mut().find(|f| **f == inner);
        back.into_iter().for_each(|f| *f = new);
        self.begins[from as usize] = new;
        self.surface.facets[inner as usize].heir = new;
        if self.surface.age[from as usize] < self.surface.age[to as usize] {
            self.facet([to, point, from], [NONE, outer, NONE]);
        } else {
            self.facet([point, from, to], [outer, NONE, NONE]);
        }
    }

    /// Records when the corners of a cone were touched.
    fn touch(&mut self, first: usize) {
        let Surface { facets, age, touched, .. } = &mut self.surface;
        // at most three corners per facet, and no facet comes twice
        let cone = 3 * first as u64 + 4;
        let mut now = cone;
        for facet in &facets[first..] {
            let mut corner = facet.corner;
            corner.sort_by_key(|&i| std::cmp::Reverse(age[i as usize]));
            for i in corner {
                if touched[i as usize] < cone {
                    touched[i as usize] = now;
                    now += 1;
                }
            }
        }
    }

    /// Links a triangle of the cone to the next one around the new point.
    fn link(&mut self, new: usize, point: u32) {
        let apex = |facet: &Facet| usize::from(facet.corner[1] == point);
        let at = apex(&self.surface.facets[new]);
        // opposite the corner where its rim edge starts
        let (from, to) = ((at + 1) % 3, (at + 2) % 3);
        let next = self.begins[self.surface.facets[new].corner[to] as usize] as usize;
        self.surface.facets[new].across[from] = next as u32;
        let to = (apex(&self.surface.facets[next]) + 2) % 3;
        self.surface.facets[next].across[to] = new as u32;
    }
}
