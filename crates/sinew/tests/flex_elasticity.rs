//! Elastic flexes against closed forms of continuum mechanics.

mod common;

use common::flex::{THICKNESS, at, boxed, cable, flex, lame, largest, moved, noise, shell, solid};
use common::tolerance::{DIFFERENCED, ROUNDING_SUMS, SINGLE, SOLVED};
use sinew_engine::model::enums::DisableFlags;
use sinew_engine::{Data, Model, step};
use sinew_math::{Mat3, Vec3, mat3, vec3};

/// Derivatives of spring forces with respect to every degree of freedom, by central differences.
fn tangent(m: &Model, qpos: &[f64]) -> Vec<Vec<f64>> {
    let h = 1e-6;
    let column = |i: usize| {
        let [plus, minus] = [h, -h].map(|s| {
            let mut q = qpos.to_vec();
            q[i] += s;
            at(m, &q).force.qfrc_spring.to_vec()
        });
        plus.iter().zip(&minus).map(|(a, b)| (a - b) / (2.0 * h)).collect()
    };
    (0..m.nv).map(column).collect()
}

/// Forces that derive from an energy have a symmetric derivative everywhere; those of boxes have one at rest.
#[test]
fn stiffness_is_symmetric() {
    let kinds = [
        ("cable", cable(r#"stiffness="40""#), 0.01),
        ("bending", shell("bend", ""), 0.01),
        ("stretching", shell("stretch", ""), 0.01),
        ("solid", solid(""), 0.01),
        ("trilinear", boxed("trilinear", ""), 0.0),
    ];
    for (name, m, size) in kinds {
        let k = tangent(&m, &noise(m.nq, size));
        let scale = k.iter().fold(0.0, |a: f64, row| a.max(largest(row)));
        assert!(scale > 0.0, "{name}");
        for i in 0..m.nv {
            for j in 0..i {
                assert!((k[i][j] - k[j][i]).abs() < DIFFERENCED * scale.max(1.0), "{name} {i} {j}");
            }
        }
    }
}

/// The quadratic forms stored for solids, shells and boxes are positive semidefinite.
#[test]
fn no_strain_gives_energy_away() {
    for m in [solid(""), shell("stretch", ""), boxed("trilinear", "")] {
        let k = tangent(&m, &vec![0.0; m.nq]);
        for seed in 1..40 {
            let u = noise(m.nv * seed, 1.0).split_off(m.nv * (seed - 1));
            let work: f64 = (0..m.nv).map(|i| (0..m.nv).map(|j| u[i] * k[i][j] * u[j]).sum::<f64>()).sum();
            assert!(work < 0.0, "{work}");
        }
    }
}

/// First Piola stress of the energy `c_μ μ tr G² + c_λ λ (tr G)²`.
fn stress(f: &Mat3, flat: bool) -> Mat3 {
    let (mu, lambda) = lame();
    let square = mat3::mul(&mat3::transpose(f), f);
    let g: Mat3 = std::array::from_fn(|k| 0.5 * (square[k] - mat3::IDENTITY[k]));
    let (trace, share) = (g[0] + g[4] + g[8], if flat { 0.25 } else { 1.0 });
    let second: Mat3 = std::array::from_fn(|k| share * (2.0 * mu * g[k] + 2.0 * lambda * trace * mat3::IDENTITY[k]));
    mat3::mul(f, &second)
}

/// Sum of spring forces on the vertices whose rest position satisfies a condition.
fn pull(m: &Model, d: &Data, on: impl Fn(Vec3) -> bool) -> Vec3 {
    let mut sum = [0.0; 3];
    for body in (2..m.nbody).filter(|&b| on(m.body_pos[b])) {
        let first = m.body_dofadr[body] as usize;
        (0..3).for_each(|k| sum[k] += d.force.qfrc_spring[first + k]);
    }
    sum
}

/// Under a homogeneous strain the interior of a bar is in equilibrium, and the force at its ends is stress times area.
#[test]
fn patch_test_of_a_solid_bar() {
    let elastic = r#"<elasticity young="2e4" poisson=".3"/>"#;
    let m = flex(r#"type="grid" count="6 4 4" dim="3""#, elastic);
    let f = [1.04, 0.02, -0.01, 0.015, 0.97, 0.03, -0.02, 0.01, 1.01];
    let d = at(&m, &moved(&m, |x| mat3::mul_vec(&f, x)));
    let p = stress(&f, false);
    let inside = |x: Vec3| x[0].abs() < 0.2 && x[1].abs() < 0.1 && x[2].abs() < 0.1;
    let scale = largest(&d.force.qfrc_spring);
    for body in (2..m.nbody).filter(|&b| inside(m.body_pos[b])) {
        let first = m.body_dofadr[body] as usize;
        assert!(largest(&d.force.qfrc_spring[first..first + 3]) < ROUNDING_SUMS * scale, "vertex inside");
    }
    // all forces on one half sum to minus the stress over its end: those on opposite sides cancel
    let [right, left] = [1.0, -1.0].map(|side| pull(&m, &d, |x| side * x[0] > 0.0));
    for k in 0..3 {
        assert!((right[k] + left[k]).abs() < ROUNDING_SUMS * scale);
        let want = -p[3 * k] * 0.3 * 0.3;
        assert!((right[k] - want).abs() < SOLVED * scale, "{k}: {} {want}", right[k]);
    }
}

/// The same in the plane of a shell.
#[test]
fn patch_test_of_a_shell() {
    let elastic = r#"<elasticity young="2e4" poisson=".3" thickness=".01" elastic2d="stretch"/>"#;
    let m = flex(r#"type="grid" count="6 4 1" dim="2""#, elastic);
    let f = [1.04, 0.02, 0.0, 0.015, 0.97, 0.0, 0.0, 0.0, 1.0];
    let d = at(&m, &moved(&m, |x| mat3::mul_vec(&f, x)));
    let p = stress(&f, true);
    let right = pull(&m, &d, |x| x[0] > 0.0);
    let scale = largest(&d.force.qfrc_spring);
    for k in 0..3 {
        let want = -p[3 * k] * 0.3 * THICKNESS;
        assert!((right[k] - want).abs() < SOLVED * scale, "{k}: {} {want}", right[k]);
    }
}

/// A bar in uniaxial tension: MuJoCo's λ counts twice, so its lateral contraction and modulus are those of the pair
/// (μ, 2λ).
#[test]
fn tension_of_a_bar() {
    let m = flex(r#"type="grid" count="6 4 4" dim="3""#, r#"<elasticity young="2e4" poisson=".3"/>"#);
    let (mu, lambda) = lame();
    let double = 2.0 * lambda;
    let young = mu * (3.0 * double + 2.0 * mu) / (double + mu);
    let poisson = double / (2.0 * (double + mu));
    let stretch: f64 = 1.05;
    let along = 0.5 * (stretch * stretch - 1.0);
    let across = (1.0 - 2.0 * poisson * along).sqrt();
    let d = at(&m, &moved(&m, |x| [stretch * x[0], across * x[1], across * x[2]]));
    let right = pull(&m, &d, |x| x[0] > 0.0);
    let want = -stretch * young * along * 0.3 * 0.3;
    assert!((right[0] - want).abs() < SOLVED * want.abs(), "{} {want}", right[0]);
    let sides = pull(&m, &d, |x| x[1] > 0.0);
    assert!(sides[1].abs() < SOLVED * want.abs(), "sides are free");
}

/// A trilinear box under a homogeneous strain: `λ tr ε + μ ε`, without the usual factor 2 of μ.
#[test]
fn patch_test_of_a_box() {
    let (mu, lambda) = lame();
    for dof in ["trilinear", "quadratic"] {
        let m = boxed(dof, "");
        let strain = 0.001;
        let d = at(&m, &moved(&m, |x| [(1.0 + strain) * x[0], x[1], x[2]]));
        let right = pull(&m, &d, |x| x[0] > 0.19);
        let middle = pull(&m, &d, |x| x[0].abs() < 0.01);
        let want = -(lambda + mu) * strain * 0.4 * 0.4;
        if dof == "trilinear" {
            assert!((right[0] - want).abs() < SOLVED * want.abs(), "{dof}: {} {want}", right[0]);
        } else {
            // the quadrature is not exact, but a constant stress still gives no force on nodes in the middle
            assert!(middle[0].abs() < SINGLE * want.abs() && right[0] < 0.0, "{dof}: {middle:?} {right:?} {want}");
        }
    }
}

/// Positions at which elastic forces balance `load`, by Newton's method with conjugate gradients on finite differences.
fn balance(m: &Model, load: &[f64]) -> Vec<f64> {
    let mut d = Data::new(m);
    let mut forces = |q: &[f64]| {
        d.state.qpos.copy_from_slice(q);
        step::fwd_position(m, &mut d, &mut ());
        step::fwd_velocity(m, &mut d, &mut ());
        d.force.qfrc_spring.to_vec()
    };
    let dot = |a: &[f64], b: &[f64]| -> f64 { a.iter().zip(b).map(|(x, y)| x * y).sum() };
    let mut q = vec![0.0; m.nq];
    for _ in 0..3 {
        let base = forces(&q);
        let mut residual: Vec<f64> = base.iter().zip(load).map(|(f, l)| f + l).collect();
        let (mut p, mut x, mut rr) = (residual.clone(), vec![0.0; m.nq], dot(&residual, &residual));
        let goal = rr * 1e-8;
        for _ in 0..4000 {
            if rr <= goal {
                break;
            }
            let eps = 1e-5 / largest(&p).max(1e-300);
            let ahead: Vec<f64> = q.iter().zip(&p).map(|(q, p)| q + eps * p).collect();
            let kp: Vec<f64> = forces(&ahead).iter().zip(&base).map(|(f, b)| (b - f) / eps).collect();
            let a = rr / dot(&p, &kp);
            (0..m.nq).for_each(|i| {
                x[i] += a * p[i];
                residual[i] -= a * kp[i];
            });
            let next = dot(&residual, &residual);
            (0..m.nq).for_each(|i| p[i] = residual[i] + next / rr * p[i]);
            rr = next;
        }
        q.iter_mut().zip(&x).for_each(|(q, x)| *q += x);
    }
    q
}

/// Weight of a bar, distributed over the vertices of its tetrahedra.
fn weight(m: &Model, density: f64) -> Vec<f64> {
    let mut load = vec![0.0; m.nv];
    let rest = at(m, &vec![0.0; m.nq]);
    for elem in m.flex_elem.chunks_exact(4) {
        let x = [0, 1, 2, 3].map(|k| rest.pose.flexvert_xpos[elem[k] as usize]);
        let volume = common::flex::det(vec3::sub(x[1], x[0]), vec3::sub(x[2], x[0]), vec3::sub(x[3], x[0])).abs() / 6.0;
        for &v in elem {
            let body = m.flex_vertbodyid[v as usize] as usize;
            if m.body_dofnum[body] == 3 {
                load[m.body_dofadr[body] as usize + 2] -= density * 9.81 * volume / 4.0;
            }
        }
    }
    load
}

/// A cantilever of length 1 m and 0.1 m square cross-section, without lateral contraction: its deflection approaches
/// that of a beam, `ρ a g L⁴ / (8 E I)`, from below. Linear tetrahedra are too stiff in bending; the error decreases
/// with their size.
#[test]
fn a_cantilever_bends_as_beams_do_in_the_limit() {
    let beam = 100.0 * 0.01 * 9.81 / (8.0 * 1e7 * 0.1f64.powi(4) / 12.0);
    let mut last = 0.0;
    let mut shares = Vec::new();
    for cells in [1, 2, 4] {
        let (n, spacing) = (10 * cells + 1, 0.1 / cells as f64);
        let end = cells;
        let xml = format!(
            r#"<mujoco><option gravity="0 0 0"/><worldbody><body name="b"><flexcomp name="f" type="grid" dim="3" mass="1"
            count="{n} {0} {0}" spacing="{spacing} {spacing} {spacing}" radius=".0001"><pin gridrange="0 0 0 0 {end} {end}"/>
            <elasticity young="1e7" poisson="0"/><contact selfcollide="none"/></flexcomp></body></worldbody></mujoco>"#,
            cells + 1
        );
        let mut m = sinew_mjcf::load_str(&xml, &sinew_mjcf::Source::default()).expect("the model compiles");
        m.opt.disableflags |= DisableFlags::CONTACT;
        let q = balance(&m, &weight(&m, 100.0));
        let share = -q[m.nq - 1] / beam;
        assert!(share > last && share < 1.02, "{cells} cells across: {share} of the beam's deflection");
        last = share;
        shares.push(share);
    }
    println!("deflection, as a share of the beam's: {shares:?}");
    assert!(last > 0.8, "{last}");
}
