//! Implicit springs with active constraints: `(M + h B + h² K) a = f − h K v + Jᵀ F`, for every solver, against a dense
//! solve of that equation.

use sinew_engine::inverse::inverse;
use sinew_engine::model::enums::{EnableFlags, JacobianType, SolverType};
use sinew_engine::step::{forward, step};
use sinew_engine::support::inertia::full_m;
use sinew_engine::support::row::{Jacobian, tendon_row};
use sinew_engine::{Data, Model};
use sinew_mjcf::{Source, load_str};

const SOLVERS: [SolverType; 3] = [SolverType::Newton, SolverType::Cg, SolverType::Pgs];
const JACOBIANS: [JacobianType; 2] = [JacobianType::Dense, JacobianType::Sparse];

fn model(h: f64, option: &str, rest: &str) -> Model {
    let xml = format!(
        r#"<mujoco><compiler angle="degree"/><option integrator="implicitspringdamper" timestep="{h}" {option}/>{rest}</mujoco>"#
    );
    load_str(&xml, &Source::default()).expect("the model compiles")
}

/// A copy of the model for a solver, with a tolerance that leaves only rounding errors.
fn tight(m: &Model, solver: SolverType, jacobian: JacobianType) -> Model {
    let mut m = m.clone();
    (m.opt.solver, m.opt.jacobian) = (solver, jacobian);
    (m.opt.iterations, m.opt.ls_iterations, m.opt.tolerance) = (20000, 200, 0.0);
    m
}

fn close(got: &[f64], want: &[f64], bound: f64, what: &str) {
    let size = want.iter().fold(1e-12_f64, |s, w| s.max(w.abs()));
    let worst = got.iter().zip(want).fold(0.0_f64, |s, (g, w)| s.max((g - w).abs()));
    assert!(worst <= bound * size, "{what}: {got:?} should be {want:?}, off by {:e}", worst / size);
}

/// `M + h B + h² K` and `h K v`, assembled row by row from joints and tendons.
fn matrix(m: &Model, d: &Data) -> (Vec<f64>, Vec<f64>) {
    let (nv, h) = (m.nv, m.opt.timestep);
    let (mut a, mut pull) = (vec![0.0; nv * nv], vec![0.0; nv]);
    full_m(m, &mut a, &d.inertia.qM);
    for i in 0..nv {
        let k = m.jnt_stiffness[m.dof_jntid[i] as usize];
        a[i * nv + i] += h * m.dof_damping[i] + h * h * k;
        pull[i] += h * k * d.state.qvel[i];
    }
    for t in 0..m.ntendon {
        let mut row = vec![0.0; nv];
        tendon_row(m, &d.pose, t).add_to(&mut row, 1.0);
        let [low, high] = m.tendon_lengthspring[t];
        let slack = low < high && low <= d.pose.ten_length[t] && d.pose.ten_length[t] <= high;
        let k = if slack { 0.0 } else { m.tendon_stiffness[t] };
        let rate: f64 = (0..nv).map(|i| row[i] * d.state.qvel[i]).sum();
        for i in 0..nv {
            pull[i] += h * k * rate * row[i];
            (0..nv).for_each(|j| a[i * nv + j] += (h * m.tendon_damping[t] + h * h * k) * row[i] * row[j]);
        }
    }
    (a, pull)
}

/// Smooth forces, with springs and dampers evaluated at the start of the step.
fn smooth(m: &Model, d: &Data) -> Vec<f64> {
    let (f, s) = (&d.force, &d.state);
    (0..m.nv).map(|i| f.qfrc_passive[i] - f.qfrc_bias[i] + s.qfrc_applied[i] + f.qfrc_actuator[i]).collect()
}

/// Solves a dense system by elimination.
fn solve(mut a: Vec<f64>, mut b: Vec<f64>) -> Vec<f64> {
    let n = b.len();
    for k in 0..n {
        let p = (k..n).max_by(|&i, &j| a[i * n + k].abs().total_cmp(&a[j * n + k].abs())).unwrap_or(k);
        (0..n).for_each(|j| a.swap(k * n + j, p * n + j));
        b.swap(k, p);
        for i in k + 1..n {
            let s = a[i * n + k] / a[k * n + k];
            (k..n).for_each(|j| a[i * n + j] -= s * a[k * n + j]);
            b[i] -= s * b[k];
        }
    }
    for i in (0..n).rev() {
        let sum: f64 = (i + 1..n).map(|j| a[i * n + j] * b[j]).sum();
        b[i] = (b[i] - sum) / a[i * n + i];
    }
    b
}

/// Reference acceleration, and the force of the single active row.
fn reference(m: &Model, d: &Data) -> (Vec<f64>, f64) {
    let nv = m.nv;
    assert_eq!(d.efc.nefc, 1);
    let (mut a, pull) = matrix(m, d);
    let mut row = vec![0.0; nv];
    Jacobian::efc(m, &d.efc).row(0).add_to(&mut row, 1.0);
    let (weight, aref) = (d.efc.efc_D[0], d.efc.efc_aref[0]);
    let f = smooth(m, d);
    let mut b: Vec<f64> = (0..nv).map(|i| f[i] - pull[i]).collect();
    for i in 0..nv {
        b[i] += weight * aref * row[i];
        (0..nv).for_each(|j| a[i * nv + j] += weight * row[i] * row[j]);
    }
    let x = solve(a, b);
    let along: f64 = (0..nv).map(|i| row[i] * x[i]).sum();
    (x, weight * (aref - along))
}

/// Sliders along x, the first at its limit, coupled by a tendon.
fn sliders(mass: [f64; 2], k: f64, range: &str) -> Model {
    let rest = format!(
        r#"<worldbody>
          <body><joint name="a" type="slide" axis="1 0 0" limited="true" range="{range}"/><geom size=".1" mass="{}"/></body>
          <body pos="0 1 0"><joint name="b" type="slide" axis="1 0 0"/><geom size=".1" mass="{}"/></body>
        </worldbody>
        <tendon><fixed stiffness="{k}" springlength="0 0"><joint joint="a" coef="1"/><joint joint="b" coef="-1"/></fixed></tendon>"#,
        mass[0], mass[1]
    );
    model(0.01, r#"gravity="0 0 0""#, &rest)
}

/// Two fingers of one hand, the first at its limit, coupled by a tendon.
fn fingers() -> Model {
    model(
        0.01,
        r#"gravity="0 0 0""#,
        r#"<worldbody><body><joint type="slide" axis="1 0 0"/><geom size=".05" mass="5"/>
          <body pos="0 .3 0"><joint name="a" axis="0 0 1" limited="true" range="-180 10"/>
            <geom type="capsule" size=".02" fromto="0 0 0 .3 0 0" mass="1"/></body>
          <body pos="0 -.3 0"><joint name="b" axis="0 0 1"/>
            <geom type="capsule" size=".02" fromto="0 0 0 .3 0 0" mass="1"/></body>
        </body></worldbody>
        <tendon><fixed stiffness="1e5" springlength="0 0"><joint joint="a" coef="1"/><joint joint="b" coef="-1"/></fixed></tendon>"#,
    )
}

fn check(m: &Model, q: &[f64], v: &[f64], force: f64, next: &[f64]) {
    for solver in SOLVERS {
        for jacobian in JACOBIANS {
            let m = tight(m, solver, jacobian);
            let mut d = Data::new(&m);
            d.state.qpos.copy_from_slice(q);
            d.state.qvel.copy_from_slice(v);
            forward(&m, &mut d);
            let what = format!("{solver:?} {jacobian:?}");
            let (a, f) = reference(&m, &d);
            close(&d.accel.qacc, &a, 1e-9, &what);
            close(&d.solution.efc_force, &[f], 1e-9, &what);
            close(&[f], &[force], 1e-8, &what);
            close(&d.accel.jnt_limit_frc[..], &limit(&m, f), 1e-9, &what);
            step(&m, &mut d);
            close(&d.state.qvel, next, 1e-6, &what);
        }
    }
}

/// The force vector of the one joint that has a limit.
fn limit(m: &Model, f: f64) -> Vec<f64> {
    (0..m.njnt).map(|j| if m.jnt_limited[j] != 0 { f } else { 0.0 }).collect()
}

#[test]
fn two_trees() {
    let m = sliders([1.0, 1.0], 1e6, "-1 0");
    check(&m, &[0.001, 0.0], &[1.0, 1.0], 185.4009434, &[0.0186321, 0.1273585]);
}

#[test]
fn two_branches_of_one_tree() {
    let angle = 10.5_f64.to_radians();
    check(&fingers(), &[0.0, angle, angle], &[0.0, 2.0, 2.0], 13.2224897, &[-0.0147998, -0.1140762, -0.1074753]);
}

/// Two hinges over a floor, coupled along their chain.
fn chain() -> Model {
    model(
        0.001,
        "",
        r#"<worldbody><geom type="plane" size="5 5 .1"/>
          <body pos="0 0 .5"><joint name="a" axis="0 1 0"/><geom size=".1" pos=".5 0 0" mass="1"/>
            <body pos=".5 0 0"><joint name="b" axis="0 1 0"/><geom size=".1" pos=".5 0 0" mass="1"/></body></body>
        </worldbody>
        <tendon><fixed stiffness="100" damping="10"><joint joint="a" coef="1"/><joint joint="b" coef="-1"/></fixed></tendon>"#,
    )
}

#[test]
fn a_chain_on_the_floor_is_the_same_for_all_solvers() {
    let mut touched = 0;
    let runs = SOLVERS.map(|solver| {
        let m = tight(&chain(), solver, JacobianType::Auto);
        let mut d = Data::new(&m);
        d.state.qpos[0] = 0.5;
        for _ in 0..400 {
            step(&m, &mut d);
            touched += i32::from(d.accel.qfrc_constraint.iter().any(|f| f.abs() > 1e-3));
        }
        [&d.state.qpos[..], &d.state.qvel].concat()
    });
    assert!(touched > 30, "{touched}");
    runs[1..].iter().for_each(|run| close(run, &runs[0], 1e-6, "another solver"));
}

/// Joint springs, and tendons within a chain, across branches and across trees, over a floor.
fn creature(option: &str) -> Model {
    model(
        0.005,
        option,
        r#"<worldbody><geom type="plane" size="5 5 .1"/>
          <body pos="0 0 .12"><freejoint/><geom type="box" size=".1 .1 .1" mass="2"/>
            <body pos=".1 0 0"><joint name="a" axis="0 1 0" stiffness="30" damping="1"/><geom type="capsule" size=".03" fromto="0 0 0 .2 0 0" mass=".3"/>
              <body pos=".2 0 0"><joint name="b" axis="0 1 0" limited="true" range="-10 2"/><geom type="capsule" size=".03" fromto="0 0 0 .2 0 0" mass=".2"/></body></body>
            <body pos="-.1 0 0"><joint name="c" axis="0 1 0" frictionloss=".1"/><geom type="capsule" size=".03" fromto="0 0 0 -.2 0 0" mass=".3"/></body>
          </body>
          <body pos="0 .6 .1"><joint name="e" type="slide" axis="0 0 1"/><geom size=".1" mass="1"/></body>
          <body pos="0 1.2 .1"><joint name="g" type="slide" axis="0 0 1"/><geom size=".1" mass="1"/></body>
          <body pos="3 0 .1"><freejoint/><geom size=".1" mass="1"/></body>
        </worldbody>
        <tendon>
          <fixed stiffness="400" damping="2"><joint joint="a" coef="1"/><joint joint="b" coef=".5"/></fixed>
          <fixed stiffness="5000" damping="5"><joint joint="b" coef="1"/><joint joint="c" coef="-1"/></fixed>
          <fixed stiffness="3000" springlength="-.01 .01"><joint joint="c" coef="1"/><joint joint="e" coef="2"/></fixed>
          <fixed stiffness="1e5"><joint joint="e" coef="1"/><joint joint="g" coef="-1"/></fixed>
        </tendon>"#,
    )
}

/// Simulates until it lies on the floor.
fn fallen(m: &Model) -> Data {
    let mut d = Data::new(m);
    d.state.qvel[6] = 2.0;
    d.state.qvel[8] = -3.0;
    (0..30).for_each(|_| step(m, &mut d));
    d
}

#[test]
fn every_solver_meets_the_equation() {
    for cone in ["pyramidal", "elliptic"] {
        let plain = creature(&format!(r#"cone="{cone}""#));
        let start = fallen(&plain);
        let mut first: Option<Vec<f64>> = None;
        for solver in SOLVERS {
            for jacobian in JACOBIANS {
                let m = tight(&plain, solver, jacobian);
                let mut d = Data::new(&m);
                d.state = start.state.clone();
                forward(&m, &mut d);
                assert!(d.efc.nefc > 20 && d.island.nisland >= 2, "{} rows, {} islands", d.efc.nefc, d.island.nisland);
                let (a, pull) = matrix(&m, &d);
                let (nv, f) = (m.nv, smooth(&m, &d));
                let left: Vec<f64> =
                    (0..nv).map(|i| (0..nv).map(|j| a[i * nv + j] * d.accel.qacc[j]).sum::<f64>()).collect();
                let right: Vec<f64> = (0..nv).map(|i| f[i] - pull[i] + d.accel.qfrc_constraint[i]).collect();
                // primal solvers stop where rounding hides further descent
                let bound = if solver == SolverType::Cg { 1e-6 } else { 1e-8 };
                close(&left, &right, bound, &format!("{solver:?} {jacobian:?} {cone}"));
                let first = first.get_or_insert_with(|| d.accel.qacc.to_vec());
                close(&d.accel.qacc, first, 1e-5, &format!("{solver:?} {jacobian:?} {cone}"));
            }
        }
    }
}

#[test]
fn dense_and_sparse_are_one() {
    let plain = creature("");
    let start = fallen(&plain);
    let [dense, sparse] = JACOBIANS.map(|jacobian| {
        let m = tight(&plain, SolverType::Newton, jacobian);
        let mut d = Data::new(&m);
        d.state = start.state.clone();
        forward(&m, &mut d);
        d.accel.qacc.to_vec()
    });
    close(&sparse, &dense, 1e-12, "sparse");
}

#[test]
fn without_slip_the_equation_holds_too() {
    let mut m = creature(r#"cone="elliptic" noslip_iterations="30""#);
    let start = fallen(&m);
    for solver in SOLVERS {
        m.opt.solver = solver;
        let mut d = Data::new(&m);
        d.state = start.state.clone();
        forward(&m, &mut d);
        let (a, pull) = matrix(&m, &d);
        let (nv, f) = (m.nv, smooth(&m, &d));
        let left: Vec<f64> = (0..nv).map(|i| (0..nv).map(|j| a[i * nv + j] * d.accel.qacc[j]).sum::<f64>()).collect();
        let right: Vec<f64> = (0..nv).map(|i| f[i] - pull[i] + d.accel.qfrc_constraint[i]).collect();
        close(&left, &right, 1e-9, &format!("{solver:?}"));
    }
}

#[test]
fn rows_that_do_not_push_change_nothing() {
    let m = sliders([1.0, 1.0], 1e6, "-1 0");
    let mut without = m.clone();
    without.jnt_limited.fill(0);
    for solver in SOLVERS {
        let [rows, free] = [&m, &without].map(|m| {
            let m = tight(m, solver, JacobianType::Auto);
            let mut d = Data::new(&m);
            // beyond the limit, but returning faster than the limit requires
            d.state.qpos.copy_from_slice(&[1e-4, 0.0]);
            d.state.qvel.copy_from_slice(&[-1.0, -1.5]);
            forward(&m, &mut d);
            (d.solution.efc_force.clone(), d.accel.qacc.to_vec())
        });
        assert_eq!((rows.0, free.0), (vec![0.0], vec![]));
        close(&rows.1, &free.1, 1e-9, &format!("{solver:?}"));
    }
}

/// Penetration depth of a slider that hits its limit at 1 m/s.
fn penetration(m: &Model) -> f64 {
    let mut d = Data::new(m);
    d.state.qpos.fill(-0.005);
    d.state.qvel.fill(1.0);
    (0..100).fold(0.0, |deep: f64, _| {
        step(m, &mut d);
        deep.max(d.state.qpos[0])
    })
}

#[test]
fn a_limit_stops_what_is_tied_to_the_joint() {
    let single = model(
        0.01,
        r#"gravity="0 0 0""#,
        r#"<worldbody><body><joint type="slide" axis="1 0 0" limited="true" range="-1 0"/><geom size=".1" mass="101"/></body></worldbody>"#,
    );
    let want = penetration(&single);
    for solver in SOLVERS {
        let mut tied = tight(&sliders([1.0, 100.0], 1e7, "-1 0"), solver, JacobianType::Auto);
        // the limit of a single body of that mass
        tied.dof_invweight0[0] = single.dof_invweight0[0];
        let got = penetration(&tied);
        assert!((got - want).abs() < 0.1 * want, "{solver:?}: {got} {want}");
    }
}

#[test]
fn discrete_inverse_finds_the_applied_force() {
    let mut m = tight(&creature(""), SolverType::Newton, JacobianType::Auto);
    m.opt.enableflags |= EnableFlags::INVDISCRETE;
    let mut d = Data::new(&m);
    d.state = fallen(&m).state;
    (0..m.nv).for_each(|i| d.state.qfrc_applied[i] = (i as f64).sin());
    forward(&m, &mut d);
    assert!(d.accel.qfrc_constraint.iter().any(|f| f.abs() > 1.0));
    let (applied, force) = (d.state.qfrc_applied.to_vec(), d.accel.qfrc_constraint.to_vec());
    inverse(&m, &mut d, &mut ()).expect("there is a discrete inverse");
    close(&d.accel.qfrc_inverse, &applied, 1e-6, "applied force");
    close(&d.accel.qfrc_constraint, &force, 1e-6, "constraint force");
}

#[test]
fn tendons_tie_islands() {
    let m = creature("");
    let d = fallen(&m);
    let tree = |body: usize| d.island.tree_island[m.body_treeid[body] as usize];
    let last = m.nbody - 1;
    assert_eq!(tree(1), tree(last - 2), "the creature and the first slider");
    assert_eq!(tree(1), tree(last - 1), "and what hangs on that");
    assert_ne!(tree(1), tree(last), "but not the ball");
    let mut euler = m.clone();
    euler.opt.integrator = sinew_engine::model::enums::Integrator::Euler;
    let mut other = d.clone();
    forward(&euler, &mut other);
    assert!(other.island.nisland > d.island.nisland);
}

#[test]
fn tendon_forces_are_shown_for_every_integrator() {
    for integrator in ["Euler", "RK4", "implicit", "implicitfast", "implicitspringdamper"] {
        let mut m = creature("");
        m.opt.integrator =
            load_str(&format!(r#"<mujoco><option integrator="{integrator}"/></mujoco>"#), &Source::default())
                .expect("a name")
                .opt
                .integrator;
        let mut d = fallen(&m);
        forward(&m, &mut d);
        for t in 0..m.ntendon {
            let [low, high] = m.tendon_lengthspring[t];
            let length = d.pose.ten_length[t];
            let stretch = (length - high).max(0.0) - (low - length).max(0.0);
            let want = -m.tendon_stiffness[t] * stretch - m.tendon_damping[t] * d.motion.ten_velocity[t];
            close(&[d.force.ten_force[t]], &[want], 1e-12, integrator);
        }
    }
}
