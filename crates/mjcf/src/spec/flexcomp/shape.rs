//! Points and elements of computed shapes.

use super::{Flexcomp, Kind};
use crate::error::{Error, Result};
use crate::schema::attr;
use std::f64::consts::PI;

/// Coordinates smaller than this in magnitude are set to zero.
const EPS: f64 = 1e-14;

/// Two triangles of a cell, by its corners in cyclic order.
const TRIANGLES: [[usize; 3]; 2] = [[0, 1, 2], [0, 2, 3]];
/// The same along the other diagonal.
const TRIANGLES_ACROSS: [[usize; 3]; 2] = [[0, 1, 3], [1, 2, 3]];
/// Six tetrahedra of a cell: the corners of the lower face in cyclic order, then those above them.
const TETRAHEDRA: [[usize; 4]; 6] =
    [[0, 3, 1, 7], [0, 1, 4, 7], [1, 3, 2, 7], [1, 2, 6, 7], [1, 5, 4, 7], [1, 6, 5, 7]];

/// Points, their texture coordinates, and elements.
#[derive(Default)]
struct Builder {
    points: Vec<[f64; 3]>,
    texcoord: Vec<[f32; 2]>,
    elem: Vec<i32>,
}

impl Builder {
    fn element<const N: usize>(&mut self, corners: [usize; N]) {
        self.elem.extend(corners.map(|v| v as i32));
    }
}

/// Relative position of point `i` of `n`.
fn part(i: usize, n: usize) -> f32 {
    i as f32 / (n - 1).max(1) as f32
}

impl Flexcomp {
    /// Fills points, elements and texture coordinates of a computed shape; listed shapes have them already.
    pub(super) fn shape(&mut self) -> Result<()> {
        let mut b = Builder::default();
        match self.kind {
            Kind::Mesh | Kind::Gmsh | Kind::Direct => return Ok(()),
            Kind::Grid | Kind::Circle => self.grid(&mut b),
            Kind::Square | Kind::Disc => {
                self.flex.dim = 2;
                self.grid(&mut b);
                if self.kind == Kind::Disc {
                    let half = self.half_size();
                    b.points.iter_mut().for_each(|p| *p = on_disc(*p, half));
                }
            }
            Kind::Box | Kind::Cylinder | Kind::Ellipsoid => self.hollow(&mut b)?,
        }
        if b.elem.is_empty() {
            return Err(Error::invalid("the shape has no elements").attribute(attr::COUNT).hint("increase the counts"));
        }
        if matches!(self.kind, Kind::Box | Kind::Cylinder) || (self.kind == Kind::Grid && self.flex.dim == 3) {
            self.flex.flatskin = true;
        }
        if self.flex.texcoord.is_empty() && !self.flex.material.is_empty() {
            self.flex.texcoord = b.texcoord;
        }
        // points and elements listed in the file come first
        self.flex.vert.extend(b.points);
        self.flex.elem.extend(b.elem);
        Ok(())
    }

    /// Half the extent of the points per direction.
    fn half_size(&self) -> [f64; 3] {
        std::array::from_fn(|k| 0.5 * self.spacing[k] * f64::from(self.count[k] - 1))
    }

    /// Coordinate of grid line `i` in direction `k`; the grid is centred.
    fn line(&self, k: usize, i: usize) -> f64 {
        self.spacing[k] * (i as f64 - 0.5 * f64::from(self.count[k] - 1))
    }

    fn grid(&self, b: &mut Builder) {
        match self.flex.dim {
            1 if self.kind == Kind::Circle => self.circle(b),
            1 => self.cable(b),
            2 => self.sheet(b),
            _ => self.block(b),
        }
    }

    fn cable(&self, b: &mut Builder) {
        let n = self.counts()[0];
        b.points.extend((0..n).map(|i| [self.line(0, i), 0.0, 0.0]));
        (1..n).for_each(|i| b.element([i - 1, i]));
    }

    /// A regular polygon with the given side length; the last of the counted points closes it.
    fn circle(&self, b: &mut Builder) {
        let sides = self.counts()[0] - 1;
        let angle = 2.0 * PI / sides as f64;
        let radius = self.spacing[0] / (angle / 2.0).sin() / 2.0;
        for i in 0..sides {
            let (sin, cos) = (angle * i as f64).sin_cos();
            b.points.push([radius * cos, radius * sin, 0.0]);
            b.element([i, (i + 1) % sides]);
        }
    }

    fn sheet(&self, b: &mut Builder) {
        let [nx, ny, nz] = self.counts();
        // the count of the third direction is part of the index, as in MuJoCo
        let id = |x: usize, y: usize| nz * (ny * x + y);
        for x in 0..nx {
            for y in 0..ny {
                let at = [self.line(0, x), self.line(1, y), 0.0];
                b.points.push(at);
                b.texcoord.push([part(x, nx), part(y, ny)]);
                if x + 1 == nx || y + 1 == ny {
                    continue;
                }
                // diagonals of a disc run along its radii
                let across = self.kind == Kind::Disc && (at[0] < -EPS) != (at[1] < -EPS);
                let corners = [id(x, y), id(x + 1, y), id(x + 1, y + 1), id(x, y + 1)];
                for t in if across { TRIANGLES_ACROSS } else { TRIANGLES } {
                    b.element(t.map(|i| corners[i]));
                }
            }
        }
    }

    fn block(&self, b: &mut Builder) {
        let [nx, ny, nz] = self.counts();
        let id = |x: usize, y: usize, z: usize| (x * ny + y) * nz + z;
        for (x, y, z) in cells(nx, ny, nz) {
            b.points.push([self.line(0, x), self.line(1, y), self.line(2, z)]);
            b.texcoord.push([part(x, nx), part(y, ny)]);
            if x + 1 == nx || y + 1 == ny || z + 1 == nz {
                continue;
            }
            let corner = |i: usize| {
                let turn = i % 4;
                id(x + usize::from(turn == 1 || turn == 2), y + usize::from(turn >= 2), z + i / 4)
            };
            TETRAHEDRA.iter().for_each(|t| b.element(t.map(corner)));
        }
    }

    /// The surface of a box, projected to the shape: tetrahedra between it and the centre, or triangles, which leave
    /// the upper side open, as in MuJoCo. In one dimension MuJoCo reads the corners of the triangles of the closed
    /// surface as pairs.
    fn hollow(&self, b: &mut Builder) -> Result<()> {
        let counts = self.counts();
        if counts.iter().any(|&n| n < 2) {
            return Err(
                Error::invalid("a closed surface needs at least two points per direction").attribute(attr::COUNT)
            );
        }
        let (solid, closed) = (self.flex.dim == 3, self.flex.dim != 2);
        if solid {
            b.points.push([0.0; 3]);
        }
        // MuJoCo adds a texture coordinate for the centre even if there is no centre
        b.texcoord.push([0.0; 2]);
        let mut ids = vec![0; counts.iter().product()];
        let flat = |p: [usize; 3]| (p[0] * counts[1] + p[1]) * counts[2] + p[2];
        for side in SIDES {
            for p in side.points(counts, closed) {
                ids[flat(p)] = b.points.len();
                b.points.push(self.project(p));
                b.texcoord.push([part(p[side.u], counts[side.u]), part(p[side.v], counts[side.v])]);
            }
        }
        let id = |p: [usize; 3]| ids[flat(p)];
        for side in SIDES {
            side.triangles(counts, solid, closed, |corners| {
                let [i, j, k] = corners.map(id);
                if solid { b.element([0, i, j, k]) } else { b.element([i, j, k]) }
            });
        }
        Ok(())
    }

    /// Position of a point on the box's surface.
    fn project(&self, p: [usize; 3]) -> [f64; 3] {
        let mut unit: [f64; 3] = std::array::from_fn(|k| 2.0 * p[k] as f64 / f64::from(self.count[k] - 1) - 1.0);
        let size = self.half_size();
        match self.kind {
            Kind::Cylinder => {
                let [x, y, _] = on_disc([unit[0], unit[1], 0.0], size);
                return [x, y, unit[2] * size[2]];
            }
            Kind::Ellipsoid => {
                let norm = unit.iter().map(|x| x * x).sum::<f64>().sqrt();
                unit = unit.map(|x| x / norm);
            }
            _ => {}
        }
        std::array::from_fn(|k| unit[k] * size[k])
    }
}

/// Maps a point of a square to the circle with the same largest coordinate, scaled per direction.
fn on_disc(p: [f64; 3], size: [f64; 3]) -> [f64; 3] {
    let norm = p[0].hypot(p[1]);
    if norm < EPS {
        // MuJoCo normalizes a zero vector to the first axis; its length is zero here
        return [0.0, 0.0, p[2]];
    }
    let reach = p[0].abs().max(p[1].abs());
    [p[0] / norm * size[0] * reach, p[1] / norm * size[1] * reach, p[2]]
}

fn cells(nx: usize, ny: usize, nz: usize) -> impl Iterator<Item = (usize, usize, usize)> {
    (0..nx).flat_map(move |x| (0..ny).flat_map(move |y| (0..nz).map(move |z| (x, y, z))))
}

/// A pair of opposite faces of a box: the directions along them, and the direction across.
struct Sides {
    u: usize,
    v: usize,
    across: usize,
}

/// Points of earlier faces are skipped.
const SIDES: [Sides; 3] =
    [Sides { u: 0, v: 1, across: 2 }, Sides { u: 0, v: 2, across: 1 }, Sides { u: 1, v: 2, across: 0 }];

impl Sides {
    fn at(&self, u: usize, v: usize, level: usize) -> [usize; 3] {
        let mut p = [0; 3];
        (p[self.u], p[self.v], p[self.across]) = (u, v, level);
        p
    }

    /// Positions of the faces; an open surface lacks the upper one.
    fn levels(&self, counts: [usize; 3], closed: bool) -> impl Iterator<Item = usize> + use<> {
        let upper = (self.across < 2 || closed).then_some(counts[self.across] - 1);
        std::iter::once(0).chain(upper)
    }

    /// Points of both faces that are in no earlier pair of faces.
    fn points(&self, counts: [usize; 3], closed: bool) -> impl Iterator<Item = [usize; 3]> {
        let earlier = move |p: &[usize; 3]| {
            let on = |k: usize| p[k] == 0 || p[k] + 1 == counts[k] && (k < 2 || closed);
            (self.across < 2 && on(2)) || (self.across < 1 && on(1))
        };
        self.levels(counts, closed).flat_map(move |level| {
            cells(counts[self.u], counts[self.v], 1)
                .map(move |(u, v, _)| self.at(u, v, level))
                .filter(move |p| !earlier(p))
        })
    }

    /// Two triangles per cell of both faces. Those of a surface are counter-clockwise seen from outside.
    fn triangles(&self, counts: [usize; 3], solid: bool, closed: bool, mut f: impl FnMut([[usize; 3]; 3])) {
        for level in self.levels(counts, closed) {
            for (u, v, _) in cells(counts[self.u] - 1, counts[self.v] - 1, 1) {
                let c = |du: usize, dv: usize| self.at(u + du, v + dv, level);
                if solid {
                    f([c(0, 0), c(1, 0), c(1, 1)]);
                    f([c(0, 0), c(0, 1), c(1, 1)]);
                    continue;
                }
                let top = level > 0;
                match self.across {
                    2 if top => {
                        f([c(0, 0), c(1, 0), c(1, 1)]);
                        f([c(0, 0), c(1, 1), c(0, 1)]);
                    }
                    2 => {
                        f([c(0, 0), c(1, 1), c(1, 0)]);
                        f([c(0, 0), c(0, 1), c(1, 1)]);
                    }
                    // start at the corner that makes the face counter-clockwise
                    _ => {
                        let flip = (self.across == 1) == top;
                        let (near, far) = if flip { (1, 0) } else { (0, 1) };
                        f([c(near, 0), c(far, 0), c(far, 1)]);
                        f([c(near, 0), c(far, 1), c(near, 1)]);
                    }
                }
            }
        }
    }
}
