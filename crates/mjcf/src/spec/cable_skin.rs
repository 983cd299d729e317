//! The skin of a cable of boxes: two sheets of vertices that move with the bodies.

use super::composite::cut;
use super::{CableSkin, Composite, Meta, Skin, SkinBone};
use crate::error::Result;
use crate::limits::Limits;
use crate::schema::attr;

impl CableSkin {
    /// Limits the number of vertices.
    pub fn check(&self, points: usize, limits: &Limits) -> Result<()> {
        let subgrid = self.subgrid.max(0) as usize;
        let vertices = points.saturating_mul(subgrid + 1).saturating_mul(3 * (subgrid + 1));
        limits.check_count(vertices).map_err(|e| e.attribute(attr::SUBGRID))
    }
}

/// Builds the skin of a checked cable.
pub(super) fn make(cable: &Composite) -> Skin {
    let options = &cable.skin;
    let subgrid = options.subgrid.max(0) as usize;
    // across the cable there are two rows of bones, and a third in the middle when vertices are interpolated
    let rows = if subgrid > 0 { 3 } else { 2 };
    let (nx, ny) = (refined(cable.points(), subgrid), refined(rows, subgrid));
    let mut skin = Skin {
        meta: Meta { name: cut(format!("{}Skin", cable.prefix)), ..cable.meta.clone() },
        material: options.material.clone(),
        rgba: options.rgba,
        inflate: (2.0 * cable.geom.size[2]) as f32,
        group: options.group,
        vert: vec![0.0; 2 * 3 * nx * ny],
        face: faces(nx, ny),
        bones: bones(cable, rows),
        ..Skin::default()
    };
    if options.texcoord {
        let sheet = (0..nx).flat_map(|x| (0..ny).map(move |y| (x, y)));
        let coordinates = sheet.flat_map(|(x, y)| [x as f32 / (nx - 1) as f32, y as f32 / (ny - 1) as f32]);
        skin.texcoord = coordinates.collect::<Vec<_>>().repeat(2);
    }
    if subgrid > 0 {
        bind_between(&mut skin.bones, cable.points(), rows, subgrid);
    } else {
        for (i, bone) in skin.bones.iter_mut().enumerate() {
            bone.vertid = vec![i as i32, (nx * ny + i) as i32];
            bone.vertweight = vec![1.0, 1.0];
        }
    }
    skin
}

/// Number of vertices in a direction with `n` points and `subgrid` extra vertices between neighbours.
fn refined(n: usize, subgrid: usize) -> usize {
    n + (n - 1) * subgrid
}

/// Triangles of two opposite sheets of `nx` × `ny` vertices and of the four strips that join them.
fn faces(nx: usize, ny: usize) -> Vec<i32> {
    let n = nx * ny;
    let at = |x: usize, y: usize| x * ny + y;
    let mut faces: Vec<[usize; 3]> = Vec::new();
    for side in 0..2 {
        let (top, bottom) = (side, 1 - side);
        for x in 0..nx - 1 {
            for y in 0..ny - 1 {
                let face = [at(x, y), at(x + 1, y + top), at(x + 1, y + bottom)];
                faces.push(face.map(|v| side * n + v));
                let face = [at(x, y), at(x + bottom, y + 1), at(x + top, y + 1)];
                faces.push(face.map(|v| side * n + v));
            }
        }
    }
    let mut strip = |a: usize, b: usize, flip: bool| {
        // flipping the winding makes opposite strips face outwards
        let pair = if flip { [[a, b, n + b], [a, n + b, n + a]] } else { [[a, n + b, b], [a, n + a, n + b]] };
        faces.extend(pair);
    };
    (0..nx - 1).for_each(|x| strip(at(x, 0), at(x + 1, 0), false));
    (0..nx - 1).for_each(|x| strip(at(x, ny - 1), at(x + 1, ny - 1), true));
    (0..ny - 1).for_each(|y| strip(at(0, y), at(0, y + 1), true));
    (0..ny - 1).for_each(|y| strip(at(nx - 1, y), at(nx - 1, y + 1), false));
    faces.into_iter().flatten().map(|v| v as i32).collect()
}

/// Bones without vertices: `rows` per point; the last two points use the last body.
fn bones(cable: &Composite, rows: usize) -> Vec<SkinBone> {
    let points = cable.points();
    let [length, width, _] = cable.geom.size;
    let mut bones = Vec::with_capacity(points * rows);
    for x in 0..points {
        let body = cable.bone_name(x);
        for y in 0..rows {
            let side = match y {
                0 => -width,
                _ if y + 1 == rows => width,
                _ => 0.0,
            };
            let back = if x + 1 == points { -2.0 * length } else { 0.0 };
            bones.push(SkinBone {
                body: body.clone(),
                bindpos: [back as f32, side as f32, 0.0],
                bindquat: [1.0, 0.0, 0.0, 0.0],
                ..SkinBone::default()
            });
        }
    }
    bones
}

/// Binds the vertices of a refined grid to the surrounding bones, with bicubic weights.
fn bind_between(bones: &mut [SkinBone], points: usize, rows: usize, subgrid: usize) {
    let (nx, ny) = (refined(points, subgrid), refined(rows, subgrid));
    let steps = subgrid + 1;
    let place = |i: usize, n: usize| if i == 0 { 0 } else { 1 + usize::from(i + 2 == n) };
    let weights: Vec<_> = (0..9).map(|d| weights(place_of(d / 3), place_of(d % 3), subgrid)).collect();
    for x in 0..points - 1 {
        for y in 0..rows - 1 {
            let weights = &weights[3 * place(x, points) + place(y, rows)];
            // the last cell includes its far border
            for dx in 0..steps + usize::from(x + 2 == points) {
                for dy in 0..steps + usize::from(y + 2 == rows) {
                    let vertex = ((x * steps + dx) * ny + y * steps + dy) as i32;
                    for (b, &weight) in weights[dx * (steps + 1) + dy].iter().enumerate() {
                        if weight != 0.0 {
                            // missing neighbours have no weight
                            let bone = &mut bones[(x + b / 4 - 1) * rows + y + b % 4 - 1];
                            bone.vertid.extend([vertex, vertex + (nx * ny) as i32]);
                            bone.vertweight.extend([weight as f32; 2]);
                        }
                    }
                }
            }
        }
    }
}

/// Position of a cell along one direction.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    First,
    Middle,
    Last,
}

fn place_of(i: usize) -> Place {
    [Place::First, Place::Middle, Place::Last][i]
}

type Matrix = [[f64; 16]; 16];

/// Corners of a cell in the order of the coefficients: the position in X and in Y.
const CORNERS: [(usize, usize); 4] = [(0, 0), (1, 0), (1, 1), (0, 1)];

/// Coefficients of a cubic on the unit interval from its two end values and two end slopes.
const CUBIC: [[f64; 4]; 4] =
    [[1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [-3.0, 3.0, -2.0, -1.0], [2.0, -2.0, 1.0, 1.0]];

/// End value (`slope` 0) or end slope (1) at `end`, from the values at the four points around the interval.
fn stencil(place: Place, end: usize, slope: usize) -> [f64; 4] {
    let mut s = [0.0; 4];
    match (slope, end, place) {
        (0, _, _) => s[1 + end] = 1.0,
        // one-sided differences where a neighbour is missing
        (_, 0, Place::First) | (_, 1, Place::Last) => (s[1], s[2]) = (-1.0, 1.0),
        _ => (s[end], s[end + 2]) = (-0.5, 0.5),
    }
    s
}

/// Columns of the coefficient matrices: value, X slope, Y slope and mixed slope at each corner.
fn columns() -> impl Iterator<Item = (usize, usize, usize, usize)> {
    [(0, 0), (1, 0), (0, 1), (1, 1)].into_iter().flat_map(|(sx, sy)| CORNERS.map(|(ex, ey)| (ex, sx, ey, sy)))
}

/// Weights of the 16 bones around a cell at each of its vertices, borders included.
///
/// The product of three matrices is evaluated in MuJoCo's order, so that the same weights are exactly zero.
fn weights(px: Place, py: Place, subgrid: usize) -> Vec<[f64; 16]> {
    let mut cubic: Matrix = [[0.0; 16]; 16];
    let mut slopes: Matrix = [[0.0; 16]; 16];
    for (c, (ex, sx, ey, sy)) in columns().enumerate() {
        let (in_x, in_y) = (stencil(px, ex, sx), stencil(py, ey, sy));
        for i in 0..16 {
            cubic[i][c] = CUBIC[i / 4][2 * sx + ex] * CUBIC[i % 4][2 * sy + ey];
            slopes[c][i] = in_x[i / 4] * in_y[i % 4];
        }
    }
    let step = 1.0 / (1 + subgrid) as f64;
    let grid = (0..subgrid + 2).flat_map(|x| (0..subgrid + 2).map(move |y| (x as f64 * step, y as f64 * step)));
    grid.map(|(x, y)| {
        let monomial = |i: usize| (0..i % 4).fold((0..i / 4).fold(1.0, |p, _| p * x), |p, _| p * y);
        times(&times(&std::array::from_fn(monomial), &cubic), &slopes)
    })
    .collect()
}

/// Row vector times matrix, skipping zeros.
fn times(row: &[f64; 16], matrix: &Matrix) -> [f64; 16] {
    let mut result = [0.0; 16];
    for (&factor, line) in row.iter().zip(matrix).filter(|(factor, _)| **factor != 0.0) {
        result.iter_mut().zip(line).for_each(|(sum, x)| *sum += x * factor);
    }
    result
}
