//! Rays against height fields.

use super::boxes::{Faces, cuboid, face_normal, faces};
use super::triangle::triangle;
use super::{Frame, Hit, Ray, nearer};
use sinew_math::{Vec3, mat3, vec3};

/// Elevations over a rectangle, on a base box.
#[derive(Clone, Copy, Debug)]
pub struct HeightField<'a> {
    /// Half-sizes along x and y, height at elevation 1, thickness of the base.
    pub size: [f64; 4],
    /// Rows, along y.
    pub nrow: usize,
    /// Columns, along x.
    pub ncol: usize,
    /// Elevations, row by row.
    pub data: &'a [f32],
}

impl HeightField<'_> {
    fn elevation(&self, row: usize, col: usize) -> f64 {
        f64::from(self.data[row * self.ncol + col])
    }

    /// Distances between columns and rows.
    pub fn spacing(&self) -> [f64; 2] {
        [2.0 * self.size[0] / (self.ncol - 1) as f64, 2.0 * self.size[1] / (self.nrow - 1) as f64]
    }

    fn vertex(&self, row: usize, col: usize) -> Vec3 {
        let [dx, dy] = self.spacing();
        [dx * col as f64 - self.size[0], dy * row as f64 - self.size[1], self.elevation(row, col) * self.size[2]]
    }

    /// Lowest and highest corner of a cell.
    fn heights(&self, row: usize, col: usize) -> [f64; 2] {
        let lower = &self.data[row * self.ncol + col..][..2];
        let upper = &self.data[(row + 1) * self.ncol + col..][..2];
        let low = lower[0].min(lower[1]).min(upper[0].min(upper[1]));
        let high = lower[0].max(lower[1]).max(upper[0].max(upper[1]));
        [f64::from(low) * self.size[2], f64::from(high) * self.size[2]]
    }

    /// Both triangles of a cell, counter-clockwise seen from above.
    fn cell(&self, row: usize, col: usize) -> [[Vec3; 3]; 2] {
        let (low, high) = (self.vertex(row, col), self.vertex(row + 1, col + 1));
        [[low, self.vertex(row, col + 1), high], [low, high, self.vertex(row + 1, col)]]
    }

    /// Whether a point on a side of the upper box lies below the surface's edge there.
    fn below_edge(&self, face: usize, at: Vec3) -> bool {
        // axis along the side, and number of grid lines
        let (axis, count) = if face < 2 { (1, self.nrow) } else { (0, self.ncol) };
        let step = self.spacing()[axis];
        let y = (at[axis] + self.size[axis]) / step;
        let cell = (y.floor() as usize).min(count - 2);
        let edge = |k: usize| match face {
            0 => self.elevation(k, 0),
            1 => self.elevation(k, self.ncol - 1),
            2 => self.elevation(0, k),
            _ => self.elevation(self.nrow - 1, k),
        };
        let start = cell as f64;
        at[2] / self.size[2] < edge(cell) * (start + 1.0 - y) + edge(cell + 1) * (y - start)
    }
}

/// Cells between two coordinates on a grid of `count` lines, plus one on both sides.
fn cells(a: f64, b: f64, count: usize) -> std::ops::Range<usize> {
    let from = (a.min(b).floor() - 1.0).max(0.0);
    let to = (a.max(b).ceil() + 1.0).min((count - 1) as f64);
    from as usize..to as usize
}

/// Part of a line near a row of cells: the range of columns that it crosses and its range of heights.
struct Strip {
    cols: [f64; 2],
    z: [f64; 2],
}

impl Strip {
    /// Clips the line between two points to the rows near `row`; x and y are in cells.
    fn new(from: Vec3, to: Vec3, row: usize) -> Self {
        let way = to[1] - from[1];
        let place = |y: f64| ((y - from[1]) / way).clamp(0.0, 1.0);
        // one extra row on both sides; a line along the rows is kept whole
        let near = [place(row as f64 - 1.0), place(row as f64 + 2.0)];
        let ends = if near.iter().any(|p| p.is_nan()) || way.abs() < 1e-9 { [0.0, 1.0] } else { near };
        let at = |k: usize| ends.map(|s| from[k] + s * (to[k] - from[k]));
        Strip { cols: at(0), z: at(2) }
    }

    /// Whether the line stays above or below the given range of heights.
    fn misses(&self, [low, high]: [f64; 2]) -> bool {
        let [a, b] = self.z;
        (a > high && b > high) || (a < low && b < low)
    }
}

/// Interval of the ray within the upper box.
fn stretch(upper: &Faces, entry: f64) -> [f64; 2] {
    upper.dist.into_iter().fold([0.0, entry], |[from, to], d| if d > to { [entry, d] } else { [from, to] })
}

/// Ray against a height field: its base, its surface and its sides.
pub fn height_field(frame: Frame, field: HeightField, ray: Ray) -> Option<Hit> {
    if field.nrow < 2 || field.ncol < 2 {
        return None;
    }
    let [sx, sy, top, bottom] = field.size;
    let up = mat3::col(frame.mat, 2);
    let raised = |by: f64| Frame { pos: vec3::add(frame.pos, up.map(|u| u * by * 0.5)), ..frame };
    let base = cuboid(raised(-bottom), [sx, sy, bottom * 0.5], ray);
    let upper = faces(raised(top), [sx, sy, top * 0.5], ray);
    let Some(entry) = upper.first.map(|f| upper.dist[f]) else { return base };

    let local = ray.seen_from(frame);
    let mut dist = base.map(|b| b.dist);
    let mut normal = None;
    let ends = stretch(&upper, entry).map(|x| local.at(x));
    let [dx, dy] = field.spacing();
    // both ends, in cells
    let [from, to] = ends.map(|p| [(p[0] + sx) / dx, (p[1] + sy) / dy, p[2]]);
    let slack = 1e-6 * top;
    for row in cells(from[1], to[1], field.nrow) {
        let strip = Strip::new(from, to, row);
        for col in cells(strip.cols[0], strip.cols[1], field.ncol) {
            let [low, high] = field.heights(row, col);
            if strip.misses([low - slack, high + slack]) {
                continue;
            }
            for corners in field.cell(row, col) {
                if let Some((x, n)) = triangle(&corners, local)
                    && nearer(x, dist)
                {
                    (dist, normal) = (Some(x), Some(vec3::normalize(n).0));
                }
            }
        }
    }
    for face in 0..4 {
        let x = upper.dist[face];
        if nearer(x, dist) && field.below_edge(face, local.at(x)) {
            (dist, normal) = (Some(x), Some(face_normal(face)));
        }
    }
    match (dist, normal) {
        (Some(dist), Some(n)) => Some(Hit { dist, normal: mat3::mul_vec(frame.mat, n) }),
        _ => base,
    }
}
