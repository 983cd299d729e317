//! Identities that forces and constraints of flexes must satisfy.

use sinew_engine::{Data, Model, step};
use sinew_mjcf::{Source, load_str};

/// Noise of differences: the step squared times third derivatives, and rounding over the step.
const DIFFERENCES: f64 = 1e-6;
/// Rounding over the sums of a few hundred terms.
const ROUNDING: f64 = 1e-11;

fn flex(attributes: &str, inner: &str) -> Model {
    let xml = format!(
        r#"<mujoco><option gravity="0 0 0"/><worldbody><body name="b">
        <flexcomp name="f" spacing=".1 .1 .1" radius=".001" {attributes}>{inner}<contact selfcollide="none" contype="0"
        conaffinity="0"/></flexcomp></body></worldbody></mujoco>"#
    );
    load_str(&xml, &Source::default()).expect("the model compiles")
}

fn solid() -> Model {
    flex(r#"type="grid" count="3 3 3" dim="3""#, r#"<elasticity young="2e3" poisson=".3"/>"#)
}

fn shell(mode: &str) -> Model {
    let inner = format!(r#"<elasticity young="2e5" poisson=".2" thickness=".01" elastic2d="{mode}"/>"#);
    flex(r#"type="grid" count="4 4 1" dim="2""#, &inner)
}

/// Scattered numbers of the given size.
fn noise(n: usize, size: f64) -> Vec<f64> {
    let mut seed = 12345u64;
    let mut next = || {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((seed >> 33) as f64 / f64::from(1 << 30) - 1.0) * size
    };
    (0..n).map(|_| next()).collect()
}

fn at(m: &Model, qpos: &[f64]) -> Data {
    let mut d = Data::new(m);
    d.state.qpos.copy_from_slice(qpos);
    step::forward(m, &mut d);
    d
}

/// Elastic energy `¼ Σ K_ee' s_e s_e'` of all elements, from the stored coefficients.
fn energy(m: &Model, d: &Data) -> f64 {
    let edges = if m.flex_dim[0] == 2 { 3 } else { 6 };
    let mut sum = 0.0;
    for (k, edge) in m.flex_stiffness.iter().zip(m.flex_elemedge.chunks_exact(edges)) {
        let s: Vec<f64> = edge
            .iter()
            .map(|&e| d.pose.flexedge_length[e as usize].powi(2) - m.flexedge_length0[e as usize].powi(2))
            .collect();
        let mut next = 0;
        for i in 0..edges {
            for j in i..edges {
                sum += if i == j { 0.25 } else { 0.5 } * k[next] * s[i] * s[j];
                next += 1;
            }
        }
    }
    sum
}

#[test]
fn forces_are_minus_the_gradient_of_the_energy() {
    for m in [solid(), shell("stretch")] {
        let qpos = noise(m.nq, 0.01);
        let force = at(&m, &qpos).force.qfrc_spring.to_vec();
        let scale = force.iter().fold(0f64, |a, f| a.max(f.abs()));
        assert!(scale > 0.0);
        let h = 1e-6;
        for i in (0..m.nq).step_by(5) {
            let shifted = |s: f64| {
                let mut q = qpos.clone();
                q[i] += s;
                energy(&m, &at(&m, &q))
            };
            let slope = (shifted(h) - shifted(-h)) / (2.0 * h);
            assert!((force[i] + slope).abs() < DIFFERENCES * scale.max(1.0), "{i}: {} {slope}", force[i]);
        }
    }
}

#[test]
fn a_rigid_motion_gives_no_force() {
    for m in [solid(), shell("both")] {
        // a turn about the vertical and a shift; qpos is the offset from the initial place
        let (sin, cos) = 0.7f64.sin_cos();
        let mut qpos = vec![0.0; m.nq];
        for (q, body) in qpos.chunks_exact_mut(3).zip(2..) {
            let [x, y, _] = m.body_pos[body];
            q.copy_from_slice(&[cos * x - sin * y - x + 0.3, sin * x + cos * y - y - 0.2, 0.5]);
        }
        let d = at(&m, &qpos);
        let largest = d.force.qfrc_spring.iter().fold(0f64, |a, f| a.max(f.abs()));
        let stiffness = m.flex_stiffness.as_flattened().iter().fold(0f64, |a, k| a.max(k.abs()));
        assert!(largest < ROUNDING * stiffness.max(1.0), "{largest}");
    }
}

#[test]
fn momentum_is_kept_in_free_flight() {
    for m in [solid(), shell("both")] {
        let mut d = Data::new(&m);
        d.state.qpos.copy_from_slice(&noise(m.nq, 0.005));
        d.state.qvel.copy_from_slice(&noise(m.nv, 0.2));
        let momentum = |d: &Data| -> [f64; 3] {
            std::array::from_fn(|k| (2..m.nbody).map(|b| m.body_mass[b] * d.state.qvel[3 * (b - 2) + k]).sum())
        };
        let before = momentum(&d);
        (0..200).for_each(|_| step::step(&m, &mut d));
        let after = momentum(&d);
        for k in 0..3 {
            assert!((before[k] - after[k]).abs() < 1e-10, "{before:?} {after:?}");
        }
    }
}

/// Derivatives of some numbers by position `i`, by centred differences.
fn slopes(m: &Model, qpos: &[f64], i: usize, read: impl Fn(&Data) -> Vec<f64>) -> Vec<f64> {
    let h = 1e-6;
    let [plus, minus] = [h, -h].map(|s| {
        let mut q = qpos.to_vec();
        q[i] += s;
        read(&at(m, &q))
    });
    plus.iter().zip(&minus).map(|(a, b)| (a - b) / (2.0 * h)).collect()
}

#[test]
fn jacobians_are_derivatives_of_lengths() {
    let m = flex(r#"type="grid" count="4 3 1" dim="2""#, r#"<edge equality="true"/>"#);
    let qpos = noise(m.nq, 0.02);
    let d = at(&m, &qpos);
    for i in 0..m.nv {
        let slopes = slopes(&m, &qpos, i, |d| d.pose.flexedge_length.to_vec());
        for e in 0..m.nflexedge {
            let start = m.flexedge_J_rowadr[e] as usize;
            let row = start..start + m.flexedge_J_rownnz[e] as usize;
            let entry = m.flexedge_J_colind[row.clone()].iter().position(|&c| c as usize == i);
            let want = entry.map_or(0.0, |k| d.pose.flexedge_J[row.start + k]);
            assert!((slopes[e] - want).abs() < DIFFERENCES, "edge {e}, dof {i}");
        }
    }
}

#[test]
fn strains_have_their_derivatives() {
    let m = flex(r#"type="grid" count="4 3 1" dim="2""#, r#"<edge equality="vert"/>"#);
    let qpos = noise(m.nq, 0.02);
    let d = at(&m, &qpos);
    for i in 0..m.nv {
        let slopes = slopes(&m, &qpos, i, |d| d.pose.flexvert_length.as_flattened().to_vec());
        for v in 0..m.nflexvert {
            let cols = &m.flexvert_J_colind.as_flattened()[m.flexvert_J_rowadr[v][0] as usize..]
                [..m.flexvert_J_rownnz[v][0] as usize];
            for k in 0..2 {
                let entry = cols.iter().position(|&c| c as usize == i);
                let values = d.pose.flexvert_J.as_flattened();
                let want = entry.map_or(0.0, |at| values[m.flexvert_J_rowadr[v][k] as usize + at]);
                let slope = slopes[2 * v + k];
                assert!((slope - want).abs() < 1e-5 * want.abs().max(1.0), "vertex {v}, dof {i}: {slope} {want}");
            }
        }
    }
}
