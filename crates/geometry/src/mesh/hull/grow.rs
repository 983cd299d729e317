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
    /// Points, counter-clockwise seen from outside, the oldest last.
    pub corner: [u32; 3],
    /// Facet beyond the edge opposite each corner.
    pub across: [u32; 3],
    pub plane: Plane,
    /// Whether it is still part of the surface.
    pub live: bool,
    /// The farthest of the points that wait here.
    farthest: u32,
    /// How far it is. (cells)
    height: f64,
    /// The others, first and last, in the order in which they were overtaken.
    others: [u32; 2],
    /// For a dead one, the last triangle that was raised on its edges.
    heir: u32,
}

/// A closed convex surface.
#[derive(Clone, Debug, Default)]
pub(super) struct Surface {
    /// Facets, dead ones among them.
    pub facets: Vec<Facet>,
    /// Points that were added: the first four from the last to the first, then the others. Some may lie inside of the
    /// surface by now.
    pub taken: Vec<u32>,
    /// When each point was added, counted from 1; 0 for those that were not.
    pub age: Vec<u32>,
    /// When each point last became a corner of a new facet, by cones and then by facets.
    pub touched: Vec<u64>,
}

/// The hull of some points, or of as many as the limit allows.
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
    // the highest point first; after that cones are added at the end, so that the loop meets every facet once
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

/// Four points that are not in a plane, the last found first. Of the points that are outermost along an axis, two span
/// the longest segment along x, the third spans the largest triangle in the plane of x and y with them, the fourth the
/// largest tetrahedron.
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
    // where these do, any point off the line or plane will do
    let off_line = |p: &Vec3| !in_line([from, points[b], *p]);
    let c = if off_line(&points[c]) { c } else { points.iter().position(off_line).ok_or(HullError::Flat)? };
    let base = [a, b, c].map(|i| points[i]);
    let normal = vec3::cross(along, vec3::sub(points[c], from));
    let d = largest(&mut few(), &|p| vec3::dot(normal, vec3::sub(p, from)).abs());
    let off_plane = |p: &Vec3| side(base, *p) != 0;
    let d = if off_plane(&points[d]) { d } else { points.iter().position(off_plane).ok_or(HullError::Flat)? };
    Ok([d, c, b, a].map(|i| i as u32))
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

/// Facets around a new point.
struct Cone {
    first: usize,
    apex: u32,
    /// Whether they face more than one octant, so that a facet that is higher than its neighbours need not be the
    /// highest.
    spread: bool,
    /// Whether the search for a facet of the cone begins with all of them in turn.
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

    /// Begins with a tetrahedron; each facet lies opposite one of its corners.
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

    /// Lets a point wait at a facet that it is so far above.
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
            // the new point itself is in all planes of its cone, so it ends here
            if farthest != NONE && farthest != point {
                self.place(farthest, start, &mut cone);
            }
        }
        (self.seen, self.rim) = (seen, rim);
    }

    /// Lets a point wait at the cone, unless it is inside.
    fn place(&mut self, i: u32, start: usize, cone: &mut Cone) {
        self.search(i, start, cone).into_iter().for_each(|(at, height)| self.wait(i, at, height));
    }

    /// A facet of the cone that a point sees, and how far it is above. Steps around the cone to higher facets mostly
    /// find one; where they end below the cone, facets are asked in turn.
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
                // beyond the edge to the older corner of the rim first
                let apex = usize::from(facets[at].corner[1] == cone.apex);
                let beside = [1 - apex, 2].map(|k| facets[at].across[k] as usize);
                next = beside.into_iter().find(|&f| rough(f) > rough(at));
            }
            cone.thorough = cone.spread;
        }
        (at..facets.len()).chain(cone.first..at).find_map(seen)
    }

    /// Finds the facets that a point sees, which end here, and the rim around them.
    fn look(&mut self, point: u32, facet: u32) {
        let p = self.points[point as usize];
        self.surface.facets[facet as usize].live = false;
        self.seen.push(facet);
        let mut next = 0;
        while next < self.seen.len() {
            let at = self.seen[next];
            let Facet { corner: [a, b, _], across, .. } = self.surface.facets[at as usize];
            // opposite the newest corner first
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

    /// Adds the triangle from an edge of the rim, opposite corner `k` of a facet that is seen, to the new point.
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

    /// Notes the corners of a cone.
    fn touch(&mut self, first: usize) {
        let Surface { facets, age, touched, .. } = &mut self.surface;
        // three corners at most per facet, and no facet comes twice
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

    /// Ties a triangle of the cone to the next one around the new point.
    fn link(&mut self, new: usize, point: u32) {
        let apex = |facet: &Facet| usize::from(facet.corner[1] == point);
        let at = apex(&self.surface.facets[new]);
        // opposite the corner where its edge on the rim begins
        let (from, to) = ((at + 1) % 3, (at + 2) % 3);
        let next = self.begins[self.surface.facets[new].corner[to] as usize] as usize;
        self.surface.facets[new].across[from] = next as u32;
        let to = (apex(&self.surface.facets[next]) + 2) % 3;
        self.surface.facets[next].across[to] = new as u32;
    }
}
