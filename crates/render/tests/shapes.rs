//! Images of single shapes compared with double-precision sphere tracing of their distance functions.

mod common;

use sinew_render::{Assets, Frame, Quality, render, render_ids};
use std::array::from_fn;

type V = [f64; 3];

const WIDTH: usize = 48;
const HEIGHT: usize = 40;
/// Largest relative error of a depth: rays are single precision.
const DEPTH: f64 = 2e-5;
/// Sine and cosine of the angle at which the camera at (0, −3, 1.5) looks down on the origin.
const DOWN: [f64; 2] = [0.447_213_595_499_958, 0.894_427_190_999_916];
/// Number of pixels at silhouettes where the two may differ.
const FEW: usize = 6;

fn norm(v: &[f64]) -> f64 {
    v.iter().map(|x| x * x).sum::<f64>().sqrt()
}

fn ball(r: f64) -> impl Fn(V) -> f64 {
    move |p| norm(&p) - r
}

fn capsule(r: f64, h: f64) -> impl Fn(V) -> f64 {
    move |[x, y, z]| norm(&[x, y, z - z.clamp(-h, h)]) - r
}

fn cylinder(r: f64, h: f64) -> impl Fn(V) -> f64 {
    move |[x, y, z]| {
        let (a, b) = (norm(&[x, y]) - r, z.abs() - h);
        a.max(b).min(0.0) + norm(&[a.max(0.0), b.max(0.0)])
    }
}

fn cuboid(size: V) -> impl Fn(V) -> f64 {
    move |p| {
        let q: V = from_fn(|k| p[k].abs() - size[k]);
        q.iter().fold(f64::MIN, |a, b| a.max(*b)).min(0.0) + norm(&q.map(|x| x.max(0.0)))
    }
}

/// A lower bound of the distance that is zero at the surface.
fn ellipsoid(size: V) -> impl Fn(V) -> f64 {
    let least = size.iter().fold(f64::MAX, |a, b| a.min(*b));
    move |p| (norm(&from_fn::<f64, 3, _>(|k| p[k] / size[k])) - 1.0) * least
}

/// Depth of each pixel along the view by sphere tracing; `None` for a miss.
fn walked(distance: impl Fn(V) -> f64) -> Vec<Option<f64>> {
    let [s, c] = DOWN;
    let (eye, forward, right, up) = ([0.0, -3.0, 1.5], [0.0, c, -s], [1.0, 0.0, 0.0], [0.0, s, c]);
    let half = 22.5f64.to_radians().tan();
    (0..WIDTH * HEIGHT)
        .map(|i| {
            let a = (2.0 * ((i % WIDTH) as f64 + 0.5) / WIDTH as f64 - 1.0) * half * WIDTH as f64 / HEIGHT as f64;
            let b = (1.0 - 2.0 * ((i / WIDTH) as f64 + 0.5) / HEIGHT as f64) * half;
            let dir: V = from_fn(|k| forward[k] + a * right[k] + b * up[k]);
            let length = norm(&dir);
            let mut t = 0.0;
            for _ in 0..3000 {
                let d = distance(from_fn(|k| eye[k] + t * dir[k]));
                if d < 1e-9 {
                    return Some(t);
                }
                t += d / length;
                if t > 20.0 {
                    return None;
                }
            }
            Some(t)
        })
        .collect()
}

/// Draws a body's geom and compares depths; `sag` is how much deeper the tessellation may be.
fn check(asset: &str, geom: &str, distance: impl Fn(V) -> f64, sag: f64) {
    let [s, c] = DOWN;
    let xml = format!(
        "<mujoco><statistic extent='1'/><visual><map znear='.01' zfar='40'/><global fovy='45'/></visual>
         <asset>{asset}</asset><worldbody><camera pos='0 -3 1.5' xyaxes='1 0 0 0 {s} {c}'/>
         <geom {geom}/></worldbody></mujoco>"
    );
    let (m, scene) = common::scene(&xml);
    let (assets, mut frame) = (Assets::new(&m), Frame::new(WIDTH, HEIGHT));
    let want = walked(distance);
    let compare = |frame: &Frame, sag: f64, what: &str| {
        let mut differ = 0;
        for (i, want) in want.iter().enumerate() {
            match want {
                Some(t) if frame.ids[i] >= 0 => {
                    let error = f64::from(frame.depth[i]) - t;
                    // seen at an angle, a facet is farther behind the round surface
                    differ += usize::from(error < -DEPTH * t || error > DEPTH * t + sag / 0.2);
                }
                Some(_) => differ += 1,
                None => differ += usize::from(frame.ids[i] >= 0),
            }
        }
        assert!(differ <= FEW, "{geom}, {what}: {differ} pixels differ");
        assert!(want.iter().flatten().count() > 50, "{geom}: nothing to see");
    };
    render(&assets, &scene, Quality::Fast, &mut frame).expect("a picture");
    compare(&frame, 0.0, "colours");
    render_ids(&assets, &scene, &mut frame).expect("a picture");
    compare(&frame, sag, "ids");
}

/// Bound on how far a tessellation with 28 slices is inside the round shape.
fn sag(r: f64) -> f64 {
    2.5 * r * (1.0 - (std::f64::consts::PI / 28.0).cos())
}

#[test]
fn spheres_and_ellipsoids() {
    check("", "size='.6'", ball(0.6), sag(0.6));
    check("", "type='ellipsoid' size='.3 .5 .7'", ellipsoid([0.3, 0.5, 0.7]), sag(0.7));
}

#[test]
fn capsules_and_cylinders() {
    check("", "type='capsule' size='.3 .5'", capsule(0.3, 0.5), sag(0.3));
    check("", "type='cylinder' size='.4 .5'", cylinder(0.4, 0.5), sag(0.4));
    let lying = capsule(0.25, 0.6);
    check("", "type='capsule' size='.25 .6' zaxis='1 0 0'", move |[x, y, z]| lying([z, y, x]), sag(0.25));
}

#[test]
fn boxes_planes_meshes_and_height_fields() {
    check("", "type='box' size='.5 .3 .4'", cuboid([0.5, 0.3, 0.4]), 0.0);
    check("", "type='plane' size='.8 .6 .1'", cuboid([0.8, 0.6, 1e-9]), 0.0);
    let corners: String = (0..8)
        .map(|k| format!("{} {} {} ", (k & 1) as f64 - 0.5, (k >> 1 & 1) as f64 - 0.5, (k >> 2) as f64 - 0.5))
        .collect();
    let mesh = format!("<mesh name='cube' vertex='{corners}'/>");
    check(&mesh, "type='mesh' mesh='cube'", cuboid([0.5; 3]), 0.0);
    let field = "<hfield name='flat' nrow='4' ncol='5' size='.8 .6 .3 .2' elevation='1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1'/>";
    // if all elevations are equal the surface is at zero
    let flat = cuboid([0.8, 0.6, 0.1]);
    check(field, "type='hfield' hfield='flat'", move |[x, y, z]| flat([x, y, z + 0.1]), 0.0);
}

/// Corners without a normal get their face's, as do corners whose normal is far from it.
#[test]
fn corners_without_normals() {
    let xml = "<mujoco><asset><mesh name='m' vertex='0 0 0 1 0 0 0 1 0 0 0 1'/></asset><worldbody>
               <camera pos='0 -3 1.5' xyaxes='1 0 0 0 .447 .894'/><geom type='mesh' mesh='m'/></worldbody></mujoco>";
    let (mut m, scene) = common::scene(xml);
    let picture = |m: &sinew_engine::Model| {
        let mut frame = Frame::new(WIDTH, HEIGHT);
        render(&Assets::new(m), &scene, Quality::Fast, &mut frame).expect("a picture");
        frame.rgb
    };
    let before = picture(&m);
    m.mesh_facenormal.fill([-1; 3]);
    assert!(before == picture(&m));
}
