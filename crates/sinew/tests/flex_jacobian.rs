//! Jacobians of flexes equal the derivatives of their lengths and strains.

mod common;

use common::flex::{at, flex, noise};
use common::tolerance::{DIFFERENCED, INTEGRATED, SETTLED, SINGLE};
use sinew_engine::support::position::integrate_pos;
use sinew_engine::{Data, Model, step};
use sinew_mjcf::{Source, load_str};

/// Derivatives with respect to degree of freedom `i`, by central differences.
fn slopes(m: &Model, qpos: &[f64], i: usize, read: impl Fn(&Data) -> Vec<f64>) -> Vec<f64> {
    let h = 1e-6;
    let [plus, minus] = [h, -h].map(|s| {
        let (mut q, mut v) = (qpos.to_vec(), vec![0.0; m.nv]);
        v[i] = 1.0;
        integrate_pos(m, &mut q, &v, s);
        read(&at(m, &q))
    });
    plus.iter().zip(&minus).map(|(a, b)| (a - b) / (2.0 * h)).collect()
}

/// Entry of column `i` in a sparse row that starts at `start`.
fn entry(columns: &[i32], values: &[f64], start: i32, count: i32, i: usize) -> f64 {
    let row = start as usize..(start + count) as usize;
    let place = columns[row.clone()].iter().position(|&c| c as usize == i);
    place.map_or(0.0, |k| values[row.start + k])
}

fn lengths_have_their_derivatives(m: &Model, qpos: &[f64]) {
    let d = at(m, qpos);
    for i in 0..m.nv {
        let slopes = slopes(m, qpos, i, |d| d.pose.flexedge_length.to_vec());
        for e in 0..m.nflexedge {
            let (start, count) = (m.flexedge_J_rowadr[e], m.flexedge_J_rownnz[e]);
            let want = entry(&m.flexedge_J_colind, &d.pose.flexedge_J, start, count, i);
            assert!((slopes[e] - want).abs() < SINGLE, "edge {e}, dof {i}: {} {want}", slopes[e]);
        }
    }
}

#[test]
fn lengths_between_points() {
    let m = flex(r#"type="grid" count="4 3 1" dim="2""#, r#"<edge equality="true"/>"#);
    lengths_have_their_derivatives(&m, &noise(m.nq, 0.02));
}

/// Vertices on a floating body, a hinged one, two in a chain, and the world.
const BODIES: &str = r#"<mujoco><option gravity="0 0 0"/><worldbody>
  <body name="p"><freejoint/><geom size=".1"/></body>
  <body name="q" pos=".2 0 0"><joint axis="0 0 1" pos="0 -.1 0"/><geom size=".1"/>
    <body name="r" pos=".2 0 0"><joint type="ball"/><geom size=".1"/></body></body></worldbody>
  <deformable><flex name="f" dim="1" body="p q r world" vertex="0 .05 0 0 .02 0 .1 .1 0 .5 .5 .5"
    element="0 1 1 2 2 3 3 0"><edge stiffness="10" damping="1"/><contact contype="0" conaffinity="0"/></flex></deformable></mujoco>"#;

#[test]
fn lengths_between_bodies() {
    let m = load_str(BODIES, &Source::default()).expect("the model compiles");
    let mut qpos = Data::new(&m).state.qpos.to_vec();
    integrate_pos(&m, &mut qpos, &noise(m.nv, 1.0), 0.3);
    lengths_have_their_derivatives(&m, &qpos);
}

/// Reference values computed by MuJoCo 3.5.0.
#[test]
fn an_edge_from_a_floating_to_a_hinged_body() {
    let xml = r#"<mujoco><option gravity="0 0 0"/><worldbody><body name="p"><freejoint/><geom size=".1"/></body>
      <body name="q" pos=".2 0 0"><joint axis="0 0 1" pos="0 -.1 0"/><geom size=".1"/></body></worldbody>
      <deformable><flex name="f" dim="1" body="p q" vertex="0 .05 0 0 .02 0" element="0 1">
      <edge stiffness="10" damping="1"/></flex></deformable></mujoco>"#;
    let m = load_str(xml, &Source::default()).expect("the model compiles");
    let mut d = Data::new(&m);
    d.state.qpos[1] = 0.03;
    (0..7).for_each(|k| d.state.qvel[k] = 0.1 * (k + 1) as f64);
    step::forward(&m, &mut d);
    let close = |got: &[f64], want: &[f64]| {
        assert_eq!(got.len(), want.len());
        assert!(got.iter().zip(want).all(|(a, b)| (a - b).abs() < INTEGRATED), "{got:?} {want:?}");
    };
    close(&d.pose.flexedge_J, &[-0.95782629, 0.28734789, 0.0, 0.0, 0.0, 0.04789131, -0.11493915]);
    close(&d.pose.flexedge_length, &[0.20880613]);
    close(&m.flexedge_length0, &[0.20223748]);
    close(&d.motion.flexedge_velocity, &[-0.09003567]);
    close(&d.force.qfrc_spring, &[0.06291622, -0.01887487, 0.0, 0.0, 0.0, -0.00314581, 0.00754995]);
    close(&d.force.qfrc_damper, &[-0.08623853, 0.02587156, 0.0, 0.0, 0.0, 0.00431193, -0.01034862]);
}

/// Rates of lengths equal the difference quotient along the velocity.
#[test]
fn rates_of_lengths() {
    let m = load_str(BODIES, &Source::default()).expect("the model compiles");
    let mut d = Data::new(&m);
    d.state.qvel.copy_from_slice(&noise(m.nv, 1.0));
    step::forward(&m, &mut d);
    let h = 1e-6;
    let [plus, minus] = [h, -h].map(|s| {
        let mut q = d.state.qpos.to_vec();
        integrate_pos(&m, &mut q, &d.state.qvel, s);
        at(&m, &q).pose.flexedge_length.to_vec()
    });
    for e in 0..m.nflexedge {
        let slope = (plus[e] - minus[e]) / (2.0 * h);
        assert!((slope - d.motion.flexedge_velocity[e]).abs() < DIFFERENCED, "edge {e}");
    }
}

#[test]
fn strains_around_vertices() {
    let m = flex(r#"type="grid" count="4 3 1" dim="2""#, r#"<edge equality="vert"/>"#);
    let qpos = noise(m.nq, 0.02);
    let d = at(&m, &qpos);
    let (columns, values) = (m.flexvert_J_colind.as_flattened(), d.pose.flexvert_J.as_flattened());
    for i in 0..m.nv {
        let slopes = slopes(&m, &qpos, i, |d| d.pose.flexvert_length.as_flattened().to_vec());
        for v in 0..m.nflexvert {
            // both rows of a vertex have the columns of the first
            let (start, count) = (m.flexvert_J_rowadr[v], m.flexvert_J_rownnz[v]);
            let place = columns[start[0] as usize..][..count[0] as usize].iter().position(|&c| c as usize == i);
            for k in 0..2 {
                let want = place.map_or(0.0, |at| values[start[k] as usize + at]);
                let slope = slopes[2 * v + k];
                assert!((slope - want).abs() < SETTLED * want.abs().max(1.0), "vertex {v}, dof {i}: {slope} {want}");
            }
        }
    }
}
