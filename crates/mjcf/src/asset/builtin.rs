//! Procedural meshes.

use super::bad;
use crate::error::Result;
use crate::spec;
use sinew_engine::model::enums::{MeshBuiltin, MeshInertia};
use sinew_math::vec3;
use std::collections::HashMap;
use std::f64::consts::PI;

/// Maximum resolution; more would give unreasonably large meshes.
const MAX_RESOLUTION: f64 = 1024.0;

/// Expands a builtin shape to inline arrays of `out`.
#[doc(alias = "mjs_makeMesh")]
pub fn builtin(kind: MeshBuiltin, params: &[f64], out: &mut spec::Mesh) -> Result<()> {
    let shape = match (kind, params) {
        (MeshBuiltin::Sphere, &[n]) => sphere(within(n, 0.0, 4.0, "sphere subdivision")?),
        (MeshBuiltin::Hemisphere, &[n]) => hemisphere(within(n, 0.0, 10.0, "hemisphere resolution")?),
        (MeshBuiltin::Cone, &[n, radius]) => cone(within(n, 1.0, 65536.0, "number of cone edges")?, radius),
        (MeshBuiltin::Supersphere, &[n, e, m]) => {
            let n = within(n, 3.0, MAX_RESOLUTION, "supersphere resolution")?;
            check(e >= 0.0 && m >= 0.0, "supersphere exponents cannot be negative")?;
            supersphere(n, e, m)
        }
        (MeshBuiltin::Supertorus, &[n, radius, s, t]) => {
            let n = within(n, 3.0, MAX_RESOLUTION, "supertorus resolution")?;
            check(radius > 0.0 && radius <= 1.0, "supertorus radius must be in (0, 1]")?;
            check(s > 0.0 && t > 0.0, "supertorus exponents must be positive")?;
            supertorus(n, radius, s, t)
        }
        (MeshBuiltin::Wedge, &[nx, ny, fx, fy, gamma]) => {
            check(fx > 0.0 && fx <= 180.0, "wedge: horizontal field of view must be in (0, 180] degrees")?;
            check(fy > 0.0 && fy <= 90.0, "wedge: vertical field of view must be in (0, 90] degrees")?;
            check((0.0..=1.0).contains(&gamma), "wedge: gamma must be in [0, 1]")?;
            wedge(resolution(nx, ny)?, [fx, fy], gamma)
        }
        (MeshBuiltin::Plate, &[nx, ny]) => {
            out.inertia = MeshInertia::Shell;
            plate(resolution(nx, ny)?)
        }
        (MeshBuiltin::None, _) => return Ok(()),
        _ => {
            return Err(bad(format!("builtin mesh has {} parameters", params.len())).hint(
                "sphere and hemisphere take 1, cone and plate 2, supersphere 3, supertorus 4, wedge 5 parameters",
            ));
        }
    };
    out.uservert = shape.vert;
    if !shape.normal.is_empty() {
        out.usernormal = shape.normal;
    }
    if !shape.face.is_empty() {
        out.userface = shape.face.concat();
    }
    Ok(())
}

/// Flat arrays of a shape; if there are no faces, the hull is used.
#[derive(Default)]
struct Shape {
    vert: Vec<f32>,
    normal: Vec<f32>,
    face: Vec<[i32; 3]>,
}

impl Shape {
    fn push(&mut self, v: [f64; 3]) {
        self.vert.extend(v.map(|x| x as f32));
    }
}

fn check(ok: bool, message: &str) -> Result<()> {
    if ok { Ok(()) } else { Err(bad(message)) }
}

fn within(value: f64, low: f64, high: f64, what: &str) -> Result<usize> {
    check((low..=high).contains(&value.trunc()), &format!("{what} must be between {low} and {high}, got {value}"))?;
    Ok(value as usize)
}

fn resolution(nx: f64, ny: f64) -> Result<[usize; 2]> {
    Ok([within(nx, 1.0, MAX_RESOLUTION, "resolution")?, within(ny, 1.0, MAX_RESOLUTION, "resolution")?])
}

/// Icosahedron whose faces are split into four and projected to the sphere `subdivisions` times.
fn sphere(subdivisions: usize) -> Shape {
    let phi = ((1.0 + 5f64.sqrt()) / 2.0) as f32;
    let norm = (1.0 + f64::from(phi * phi)).sqrt();
    let p = (f64::from(phi) / norm) as f32;
    let o = (1.0 / norm) as f32;
    let mut vert: Vec<[f32; 3]> = Vec::new();
    for turn in 0..3 {
        let corners = match turn {
            0 => [[-o, p, 0.0], [o, p, 0.0], [-o, -p, 0.0], [o, -p, 0.0]],
            1 => [[0.0, -o, p], [0.0, o, p], [0.0, -o, -p], [0.0, o, -p]],
            _ => [[p, 0.0, -o], [p, 0.0, o], [-p, 0.0, -o], [-p, 0.0, o]],
        };
        vert.extend(corners);
    }
    #[rustfmt::skip]
    let mut face: Vec<[i32; 3]> = vec![
        [0, 11, 5], [0, 5, 1], [0, 1, 7], [0, 7, 10], [0, 10, 11],
        [1, 5, 9], [5, 11, 4], [11, 10, 2], [10, 7, 6], [7, 1, 8],
        [3, 9, 4], [3, 4, 2], [3, 2, 6], [3, 6, 8], [3, 8, 9],
        [4, 9, 5], [2, 4, 11], [6, 2, 10], [8, 6, 7], [9, 8, 1],
    ];
    for _ in 0..subdivisions {
        let mut middle: HashMap<[i32; 2], i32> = HashMap::new();
        let mut split = |a: i32, b: i32| {
            *middle.entry([a.min(b), a.max(b)]).or_insert_with(|| {
                let (u, v) = (vert[a as usize], vert[b as usize]);
                let m: [f32; 3] = std::array::from_fn(|k| (u[k] + v[k]) / 2.0);
                let length = (m[0] * m[0] + m[1] * m[1] + m[2] * m[2]).sqrt();
                vert.push(m.map(|x| x / length));
                vert.len() as i32 - 1
            })
        };
        let quarter = |[a, b, c]: [i32; 3]| {
            let (ab, bc, ca) = (split(a, b), split(b, c), split(c, a));
            [[a, ab, ca], [b, bc, ab], [c, ca, bc], [ab, bc, ca]]
        };
        face = face.into_iter().flat_map(quarter).collect();
    }
    Shape { vert: vert.concat(), face, ..Shape::default() }
}

/// Upper half of a subdivided octahedron projected to the sphere, closed by a disc.
///
/// Before the projection, ring k of n has the points (x, y, n − k) with integers |x| + |y| = k: 4 k of them, counted
/// from +x towards +y. Ring 0 is the pole, ring n the equator.
fn hemisphere(resolution: usize) -> Shape {
    let n = resolution + 1;
    let mut shape = Shape::default();
    shape.push([0.0, 0.0, 1.0]);
    for k in 1..=n {
        for i in 0..4 * k {
            let (a, b) = ((k - i % k) as f64, (i % k) as f64);
            let [x, y] = [[a, b], [-b, a], [-a, -b], [b, -a]][i / k];
            let point = [x, y, (n - k) as f64];
            let norm = vec3::norm(point);
            shape.push(point.map(|c| c / norm));
        }
    }
    shape.push([0.0; 3]);
    let at = |k: usize, i: usize| if k == 0 { 0 } else { (1 + 2 * k * (k - 1) + i % (4 * k)) as i32 };
    for k in 0..n {
        for side in 0..4 {
            // along one side of the octahedron, ring k has one edge fewer than the next outer ring
            let (inner, outer) = (k * side, (k + 1) * side);
            for i in 0..=k {
                shape.face.push([at(k, inner + i), at(k + 1, outer + i), at(k + 1, outer + i + 1)]);
                if i < k {
                    shape.face.push([at(k, inner + i), at(k + 1, outer + i + 1), at(k, inner + i + 1)]);
                }
            }
        }
    }
    let center = at(n + 1, 0);
    shape.face.extend((0..4 * n).map(|i| [at(n, i), center, at(n, i + 1)]));
    shape
}

/// Pyramid or truncated pyramid between z = −1 (radius 1) and z = 1.
fn cone(edges: usize, radius: f64) -> Shape {
    let mut shape = Shape::default();
    let angle = |i: usize| 2.0 * i as f64 * PI / edges as f64;
    for i in 0..edges {
        shape.push([angle(i).cos(), angle(i).sin(), -1.0]);
    }
    if radius > 0.0 {
        for i in edges..2 * edges {
            shape.push([radius * angle(i).cos(), radius * angle(i).sin(), 1.0]);
        }
    } else {
        shape.push([0.0, 0.0, 1.0]);
    }
    shape
}

/// `cos` and `sin` with the magnitude raised to a power.
fn power(x: f64, exponent: f64) -> f64 {
    x.abs().powf(exponent).copysign(x)
}

fn supersphere(n: usize, e: f64, m: f64) -> Shape {
    let mut shape = Shape::default();
    shape.push([0.0, 0.0, -1.0]);
    for i in 1..n {
        let v = -PI / 2.0 + i as f64 * PI / n as f64;
        for j in 0..n {
            let u = -PI + (j * 2) as f64 * PI / n as f64;
            let ring = power(v.cos(), m);
            shape.push([ring * power(u.cos(), e), ring * power(u.sin(), e), power(v.sin(), m)]);
        }
    }
    shape.push([0.0, 0.0, 1.0]);

    let ring = |i: usize, j: usize| (1 + i * n + j % n) as i32;
    let north = ((n - 1) * n + 1) as i32;
    shape.face.extend((0..n).map(|j| [0, ring(0, j + 1), ring(0, j)]));
    for i in 0..n - 2 {
        for j in 0..n {
            shape.face.push([ring(i, j), ring(i, j + 1), ring(i + 1, j)]);
            shape.face.push([ring(i, j + 1), ring(i + 1, j + 1), ring(i + 1, j)]);
        }
    }
    shape.face.extend((0..n).map(|j| [ring(n - 2, j), ring(n - 2, j + 1), north]));
    shape
}

fn supertorus(n: usize, radius: f64, s: f64, t: f64) -> Shape {
    let mut shape = Shape::default();
    for i in 0..n {
        let u = 2.0 * PI * i as f64 / n as f64;
        for j in 0..n {
            let v = 2.0 * PI * j as f64 / n as f64;
            let ring = 1.0 + radius * power(v.cos(), s);
            shape.push([ring * power(u.cos(), t), ring * power(u.sin(), t), radius * power(v.sin(), s)]);
        }
    }
    let at = |i: usize, j: usize| (i % n * n + j % n) as i32;
    for i in 0..n {
        for j in 0..n {
            shape.face.push([at(i, j), at(i + 1, j), at(i, j + 1)]);
            shape.face.push([at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)]);
        }
    }
    shape
}

/// `n` values from −1 to 1, accumulated step by step.
fn spaced(n: usize) -> Vec<f64> {
    let step = if n > 1 { 2.0 / (n - 1) as f64 } else { 0.0 };
    std::iter::successors(Some(-1.0), |x| Some(x + step)).take(n).collect()
}

/// Points on a patch of the unit sphere seen along −z, denser in the middle for larger `gamma`, each with its normal
/// and two tangents.
fn wedge([nx, ny]: [usize; 2], fov: [f64; 2], gamma: f64) -> Shape {
    let warp = |x: f64| if gamma == 0.0 { x } else { gamma * x.powf(5.0) + (1.0 - gamma) * x };
    let edges =
        |n: usize, fov: f64| -> Vec<f64> { spaced(n + 1).into_iter().map(|x| warp(x) * (fov * PI / 180.0)).collect() };
    let (x, y) = (edges(nx, fov[0]), edges(ny, fov[1]));
    let unit = |v: [f64; 3]| {
        let square = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
        if square < 1e-14 { v } else { v.map(|c| c / square.sqrt()) }
    };
    let mut shape = Shape::default();
    for i in 0..nx {
        let (sa, ca) = (0.5 * (x[i + 1] + x[i])).sin_cos();
        for j in 0..ny {
            let (se, ce) = (0.5 * (y[j + 1] + y[j])).sin_cos();
            shape.push([ce * sa, se, -ce * ca]);
            let azimuth = unit([ce * ca, 0.0, ce * sa]);
            let elevation = unit([-se * sa, ce, se * ca]);
            let normal = vec3::cross(elevation, azimuth);
            shape.normal.extend([normal, azimuth, elevation].concat().iter().map(|&c| c as f32));
        }
    }
    shape
}

/// Grid of points in the plane z = −1, each with three normals.
fn plate([nx, ny]: [usize; 2]) -> Shape {
    let mut shape = Shape::default();
    let place = |i: usize, n: usize| -1.0 + (i as f64 + 0.5) * (2.0 / n as f64);
    let at = |i: usize, j: usize| (i * ny + j) as i32;
    for i in 0..nx {
        for j in 0..ny {
            shape.push([place(i, nx), place(j, ny), -1.0]);
            shape.normal.extend([1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]);
            if i > 0 && j > 0 {
                shape.face.push([at(i - 1, j - 1), at(i, j - 1), at(i - 1, j)]);
                shape.face.push([at(i, j), at(i - 1, j), at(i, j - 1)]);
            }
        }
    }
    shape
}
