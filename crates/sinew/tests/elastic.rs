//! Elastic laws: forces are gradients of energies, energies are those of the textbook, and stiff laws stay stable.

mod common;

use common::deformable::volume;
use common::flex::{POISSON, YOUNG, at, flex, largest, moved, noise, shell, slope, solid};
use common::tolerance::{DIFFERENCED, INTEGRATED, ROUNDING_SUMS, SINGLE, SOLVED};
use sinew_engine::model::enums::Integrator;
use sinew_engine::sim::{BuildError, SimBuilder};
use sinew_engine::support::elastic::{
    self, ElasticModel, Lame, Material, MooneyRivlin, Mujoco, Ogden, Response, StVenant,
};
use sinew_engine::support::elastic::{Elasticity, NeoHookean, lame};
use sinew_engine::support::flex_law::PerFlex;
use sinew_engine::{Data, Model, step};
use sinew_math::{Vec3, mat3, quat, vec3};
use sinew_mjcf::{Source, load_str};

/// The laws available in files, with the moduli of a flex.
fn laws(m: &Model) -> [(&'static str, Material); 4] {
    let lame = lame(m, 0).expect("it has moduli");
    [
        ("st_venant", Material::StVenant(StVenant::from(lame))),
        ("neo_hookean", Material::NeoHookean(NeoHookean::from(lame))),
        ("mooney_rivlin", Material::MooneyRivlin(MooneyRivlin::from(lame))),
        ("ogden", Material::Ogden(Ogden::from(lame))),
    ]
}

/// State of a flex with a law at some positions and velocities.
fn with<E: Elasticity>(m: &Model, law: E, qpos: &[f64], qvel: &[f64]) -> Data {
    let mut sim = SimBuilder::new().elasticity(law).build(m.clone()).expect("it fits");
    sim.data_mut().state.qpos.copy_from_slice(qpos);
    sim.data_mut().state.qvel[..qvel.len()].copy_from_slice(qvel);
    sim.forward();
    sim.data().clone()
}

/// A single triangle or tetrahedron, with displacements of its vertices.
fn single(dim: usize) -> (Model, Vec<f64>) {
    let points = "0 0 0 .2 0 0 .05 .15 0 .03 .04 .18";
    let (point, element) = if dim == 2 { ("0 0 0 .2 0 0 .05 .15 0", "0 1 2") } else { (points, "0 1 2 3") };
    let stretch = if dim == 2 { r#"thickness=".01" elastic2d="stretch""# } else { "" };
    let m = flex(
        &format!(r#"type="direct" dim="{dim}" point="{point}" element="{element}""#),
        &format!(r#"<elasticity young="2e3" poisson=".3" {stretch}/>"#),
    );
    let shift = [0.01, 0.002, 0.005, -0.004, 0.003, 0.001, 0.002, 0.006, -0.003, 0.001, -0.002, 0.004];
    let q = shift[..m.nq].to_vec();
    (m, q)
}

#[test]
fn moduli_are_found_again() {
    for (m, thickness) in [(solid(""), 1.0), (shell("stretch", ""), common::flex::THICKNESS)] {
        let (found, want) = (lame(&m, 0).expect("it has moduli"), Lame::new(YOUNG, POISSON));
        assert!((found.mu / thickness - want.mu).abs() < ROUNDING_SUMS * want.mu, "{found:?}");
        assert!((found.lambda / thickness - want.lambda).abs() < ROUNDING_SUMS * want.lambda, "{found:?}");
    }
    assert!(lame(&shell("bend", ""), 0).is_none());
}

/// Forces of one tetrahedron and one triangle, computed by hand from `−V P D⁻ᵀ`.
#[test]
fn a_single_element_has_the_force_of_the_formula() {
    let solid = [
        -0.9591159021,
        -0.3414591998,
        -0.5792186641,
        0.6908722176,
        0.0649127784,
        0.0940097542,
        0.0601215451,
        -0.020917355,
        0.3016285864,
        0.2081221393,
        0.2974637764,
        0.1835803234,
    ];
    let sheet = [
        -0.1216776678,
        -0.0078944942,
        0.002950869,
        0.1035569982,
        0.0177956344,
        -0.003022617,
        0.0181206696,
        -0.0099011403,
        0.0000717481,
    ];
    for (dim, want) in [(3, &solid[..]), (2, &sheet[..])] {
        let (m, q) = single(dim);
        let d = with(&m, NeoHookean::from_model(), &q, &[]);
        for (got, want) in d.force.qfrc_spring.iter().zip(want) {
            assert!((got - want).abs() < INTEGRATED, "{got} {want}");
        }
    }
}

/// MuJoCo's elastic force equals that of its law in terms of stretches.
#[test]
fn mujocos_material_is_one_of_them() {
    for m in [solid(""), shell("stretch", "")] {
        let q = noise(m.nq, 0.01);
        let law = Mujoco::from(lame(&m, 0).expect("it has moduli"));
        let (ours, theirs) = (with(&m, law, &q, &[]), at(&m, &q));
        let scale = largest(&theirs.force.qfrc_spring);
        for (a, b) in ours.force.qfrc_spring.iter().zip(theirs.force.qfrc_spring.iter()) {
            assert!((a - b).abs() < ROUNDING_SUMS * scale, "{a} {b}");
        }
    }
}

/// Energy of three springs: a law without closed-form derivatives.
struct Cork;

impl ElasticModel for Cork {
    fn energy(&self, s: [f64; 3]) -> f64 {
        s.iter().map(|s| 5e3 * (s - 1.0) * (s - 1.0)).sum()
    }
}

fn check_gradient<E: Elasticity<Law: Sized> + Clone>(name: &str, m: &Model, law: E, q: &[f64]) {
    let energy = |q: &[f64]| {
        let d = at(m, q);
        law.law(m, 0).map_or(f64::NAN, |law| elastic::energy(m, &d.pose, law, 0))
    };
    let d = with(m, law.clone(), q, &[]);
    let scale = largest(&d.force.qfrc_spring);
    for i in (0..m.nv).step_by(5) {
        let want = -slope(q, i, energy);
        let got = d.force.qfrc_spring[i];
        assert!((got - want).abs() < SINGLE * scale.max(1.0), "{name} {i}: {got} {want}");
    }
    let sum = (0..3).map(|k| d.force.qfrc_spring.iter().skip(k).step_by(3).sum::<f64>());
    assert!(sum.into_iter().all(|s| s.abs() < ROUNDING_SUMS * scale), "{name}: momentum");
}

#[test]
fn forces_are_slopes_of_energies() {
    for m in [solid(""), shell("stretch", "")] {
        let turn = quat::to_mat(quat::normalize([0.3, 0.5, -0.7, 0.4]).0);
        let strain = [1.3, 0.2, -0.1, 0.1, 0.8, 0.05, 0.0, 0.1, 1.1];
        let turned = moved(&m, |x| mat3::mul_vec(&turn, mat3::mul_vec(&strain, x)));
        let scattered = noise(m.nq, 0.02);
        // some elements are inverted
        let wild = noise(m.nq, 0.09);
        for q in [turned, scattered, wild] {
            for (name, law) in laws(&m) {
                check_gradient(name, &m, law, &q);
            }
        }
        let rigid = with(&m, NeoHookean::from_model(), &moved(&m, |x| mat3::mul_vec(&turn, x)), &[]);
        assert!(largest(&rigid.force.qfrc_spring) < 1e-10 * YOUNG, "rotation costs nothing");
    }
    // by finite differences of the energy, if the law gives nothing else
    let m = solid("");
    let d = with(&m, Cork, &noise(m.nq, 0.02), &[]);
    let energy = |q: &[f64]| elastic::energy(&m, &at(&m, q).pose, &Cork, 0);
    let want = -slope(&noise(m.nq, 0.02), 7, energy);
    assert!((d.force.qfrc_spring[7] - want).abs() < SINGLE * 100.0 * want.abs(), "{} {want}", d.force.qfrc_spring[7]);
}

/// The second derivatives of a law are the derivatives of its first derivatives.
#[test]
fn curvatures_are_slopes_of_slopes() {
    fn check<const N: usize>(name: &str, s: [f64; N], of: impl Fn([f64; N]) -> Response<N>) {
        let (here, e) = (of(s), 1e-6);
        for i in 0..N {
            let [plus, minus] = [e, -e].map(|e| {
                let mut s = s;
                s[i] += e;
                of(s)
            });
            let first = (plus.energy - minus.energy) / (2.0 * e);
            assert!((here.slope[i] - first).abs() < DIFFERENCED * YOUNG, "{name} {s:?}: {} {first}", here.slope[i]);
            for j in 0..N {
                let second = (plus.slope[j] - minus.slope[j]) / (2.0 * e);
                let got = here.curvature[i][j];
                assert!((got - second).abs() < DIFFERENCED * YOUNG * 10.0, "{name} {s:?}: {got} {second}");
            }
        }
    }
    let lame = Lame::new(YOUNG, POISSON);
    let all = [
        ("st_venant", Material::StVenant(lame.into())),
        ("neo_hookean", Material::NeoHookean(lame.into())),
        ("mooney_rivlin", Material::MooneyRivlin(lame.into())),
        ("ogden", Material::Ogden(lame.into())),
    ];
    for (name, law) in all {
        for s in [[1.0, 1.0, 1.0], [1.4, 0.9, 0.8], [1.1, 0.6, 0.1], [1.2, 0.9, -0.4]] {
            check(name, s, |s| law.response(s));
        }
        for s in [[1.0, 1.0], [1.5, 0.7], [1.2, 0.5]] {
            check(name, s, |s| law.sheet(s));
        }
    }
}

/// At one percent strain all laws reduce to Hooke's.
#[test]
fn small_strains_are_linear() {
    for m in [solid(""), shell("stretch", "")] {
        let strains: [[f64; 9]; 3] = [
            [1.01, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0],
            [1.01, 0.0, 0.0, 0.0, 1.01, 0.0, 0.0, 0.0, 1.01],
            [1.0, 0.01, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0],
        ];
        for strain in strains {
            let q = moved(&m, |x| mat3::mul_vec(&strain, x));
            let base = with(&m, laws(&m)[0].1, &q, &[]);
            let scale = largest(&base.force.qfrc_spring);
            for (name, law) in laws(&m) {
                let d = with(&m, law, &q, &[]);
                for (a, b) in d.force.qfrc_spring.iter().zip(base.force.qfrc_spring.iter()) {
                    assert!((a - b).abs() < 0.05 * scale, "{name}: {a} {b}");
                }
            }
        }
    }
}

/// Lateral stretch of a bar pulled to stretch `s`, for zero lateral stress; then the axial stress.
fn pulled(law: &impl ElasticModel, s: f64) -> (f64, f64) {
    let (mut low, mut high) = (0.2, 2.0);
    for _ in 0..200 {
        let mid = 0.5 * (low + high);
        if law.response([s, mid, mid]).slope[1] > 0.0 { high = mid } else { low = mid }
    }
    (low, law.response([s, low, low]).slope[0])
}

/// A bar of tetrahedra follows the closed form of its material: equilibrium inside, the stress at its ends.
#[test]
fn a_stretched_bar_follows_the_closed_form() {
    let elastic = r#"<elasticity young="2e4" poisson=".45"/>"#;
    let m = flex(r#"type="grid" count="6 3 3" dim="3""#, elastic);
    for (name, law) in laws(&m) {
        // under this much tension a Saint-Venant bar collapses to zero thickness
        for s in if name == "st_venant" { [1.05, 1.1, 1.2] } else { [1.1, 1.5, 2.0] } {
            let (across, stress) = pulled(&law, s);
            let q = moved(&m, |x| [s * x[0], across * x[1], across * x[2]]);
            let d = with(&m, law, &q, &[]);
            let scale = largest(&d.force.qfrc_spring);
            let ends = |x: Vec3| x[0].abs() > 0.24;
            let mut right = 0.0;
            for body in 2..m.nbody {
                let f = &d.force.qfrc_spring[m.body_dofadr[body] as usize..][..3];
                if !ends(m.body_pos[body]) {
                    assert!(largest(f) < SOLVED * scale, "{name} {s}: inside {f:?}");
                } else if m.body_pos[body][0] > 0.0 {
                    right += f[0];
                }
            }
            let want = -stress * 0.2 * 0.2;
            assert!((right - want).abs() < SOLVED * scale, "{name} {s}: {right} {want}");
        }
    }
    // incompressible rubber: μ (s − s⁻²)
    let soft = NeoHookean::from(Lame::new(3.0, 0.4999999));
    let (_, stress) = pulled(&soft, 2.0);
    assert!((stress - (2.0 - 0.25)).abs() < SINGLE, "{stress}");
}

/// Damping dissipates energy, and its force is the stiffness times the velocity.
#[test]
fn damping_takes_energy() {
    for m in [solid(r#"damping=".02""#), shell("stretch", r#"damping=".02""#)] {
        for (name, law) in laws(&m) {
            let (q, v) = (noise(m.nq, 0.01), noise(m.nv, 0.3));
            let d = with(&m, law, &q, &v);
            let power: f64 = d.force.qfrc_damper.iter().zip(&v).map(|(f, v)| f * v).sum();
            assert!(power < 0.0, "{name}: {power}");
            // at rest the stiffness is positive definite, so no part of it was dropped
            let rest = with(&m, law, &vec![0.0; m.nq], &v);
            let e = 1e-6;
            let [plus, minus] = [e, -e].map(|e| {
                let q: Vec<f64> = v.iter().map(|v| e * v).collect();
                with(&m, law, &q, &[]).force.qfrc_spring.to_vec()
            });
            for i in 0..m.nv {
                let want = 0.02 * (plus[i] - minus[i]) / (2.0 * e);
                let got = rest.force.qfrc_damper[i];
                assert!((got - want).abs() < SINGLE * YOUNG, "{name}: {got} {want}");
            }
        }
    }
}

#[test]
fn an_element_that_is_inside_out_comes_back() {
    let (mut m, _) = single(3);
    m.opt.integrator = Integrator::Implicitspringdamper;
    let volume = |d: &Data| {
        let x = &d.pose.flexvert_xpos;
        let [a, b, c] = [1, 2, 3].map(|i| vec3::sub(x[i], x[0]));
        vec3::dot(vec3::cross(a, b), c)
    };
    let rest = volume(&at(&m, &vec![0.0; m.nq]));
    for (name, law) in laws(&m).into_iter().skip(1) {
        let mut sim = SimBuilder::new().elasticity(law).build(m.clone()).expect("it fits");
        // pushes the last vertex through the opposite face
        sim.data_mut().state.qpos[11] = -0.3;
        sim.forward();
        assert!(volume(sim.data()) * rest < 0.0, "{name}");
        for _ in 0..3000 {
            sim.data_mut().state.qvel.iter_mut().for_each(|v| *v *= 0.98);
            sim.step().expect("the motion is tame");
        }
        let now = volume(sim.data());
        assert!((now / rest - 1.0).abs() < 0.01, "{name}: {now} {rest}");
    }
}

#[test]
fn flexes_choose_their_law() {
    let pair = |texts: &str| {
        let one = |name: &str, x: f64| {
            format!(
                r#"<body name="at_{name}" pos="{x} 0 0"><flexcomp name="{name}" type="grid" count="3 3 3" spacing=".1 .1 .1" dim="3" radius=".001">
                <elasticity young="2e4" poisson=".3"/></flexcomp></body>"#
            )
        };
        let xml = format!(
            r#"<mujoco><option gravity="0 0 0"/><worldbody>{}{}</worldbody><custom>{texts}</custom></mujoco>"#,
            one("left", -1.0),
            one("right", 1.0)
        );
        sinew_mjcf::load_str(&xml, &sinew_mjcf::Source::default()).expect("the model compiles")
    };
    let m = pair("");
    let q: Vec<f64> = [noise(m.nq / 2, 0.02), noise(m.nq / 2, 0.02)].concat();
    let plain = at(&m, &q);
    let half = m.nv / 2;
    let same = |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(a, b)| a.to_bits() == b.to_bits());
    let named = with(&m, PerFlex::new().with("right", NeoHookean::from(lame(&m, 1).expect("moduli"))), &q, &[]);
    assert!(same(&named.force.qfrc_spring[..half], &plain.force.qfrc_spring[..half]));
    assert!(!same(&named.force.qfrc_spring[half..], &plain.force.qfrc_spring[half..]));
    let from_file = pair(r#"<text name="sinew:elasticity:right" data="neo_hookean"/>"#);
    let d = at(&from_file, &q);
    assert!(same(&d.force.qfrc_spring, &named.force.qfrc_spring));
    let refused = SimBuilder::new().elasticity(PerFlex::new().with("rigth", NeoHookean::new(1.0, 1.0))).build(m).err();
    assert!(matches!(&refused, Some(BuildError::Elasticity(why)) if why.contains("right")), "{refused:?}");
}

#[test]
fn a_soft_cube_rests_and_keeps_its_volume() {
    for (poisson, bound) in [(0.45, 0.03), (0.3, 0.1)] {
        let m = load_str(
            &format!(
                r#"<mujoco><option timestep=".001"/><worldbody><geom type="plane" size="1 1 1"/><flexcomp name="cube" type="grid" dim="3"
                count="3 3 3" spacing=".05 .05 .05" pos="0 0 .056" mass="1" radius=".005"><elasticity young="5e3" poisson="{poisson}" damping=".005"/>
                <contact selfcollide="none" internal="false"/></flexcomp></worldbody>
                <custom><text name="sinew:elasticity:cube" data="neo_hookean"/></custom></mujoco>"#
            ),
            &Source::default(),
        )
        .expect("the model compiles");
        let mut d = Data::new(&m);
        step::forward(&m, &mut d);
        let before = volume(&m, &d);
        (0..3000).for_each(|_| step::step(&m, &mut d));
        assert!(d.warning.iter().all(|w| w.number == 0), "{:?}", d.warning);
        assert!((volume(&m, &d) / before - 1.0).abs() < bound, "{poisson}: {} {before}", volume(&m, &d));
        assert!(largest(&d.state.qvel) < 1e-3, "{poisson}: {}", largest(&d.state.qvel));
    }
}
