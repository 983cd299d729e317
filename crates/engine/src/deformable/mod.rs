//! Position-based deformables: ropes, sheets and solids whose edges, curvatures and volumes are constrained, in contact
//! with geoms, with each other and with themselves.
//!
//! As in MuJoCo, each vertex of such a flex is a body with three slide joints, so its position and velocity are in
//! `qpos` and `qvel`. The stage reads the state and the accelerations without deformables. It takes its own substeps
//! and outputs the mean force over the step on every dof, with which the constraint solver runs again; the integrator
//! then computes the new velocities, and [`commit`] the new positions. `docs/math/deformables.md` has the equations.

mod blocks;
mod color;
mod detect;
mod grid;
mod inside;
mod near;
mod plan;
mod rigid;
mod touch;
mod turn;

use crate::data::{Inertia, Pose, State};
use crate::model::Model;
use crate::model::enums::DisableFlags;
use blocks::{Block, Tied, Ties};
use detect::{Meeting, Seen};
use grid::Grid;
use inside::Sweep;
use plan::{Held, Plan};
use rigid::{Rigid, RigidWork};
use sinew_geometry::collide;
use sinew_math::{Vec3, mat3, vec3};
use touch::{Moving, Touch};
use turn::Turns;

/// Workspace of the stage, including the results for [`commit`].
#[derive(Clone, Debug, Default)]
pub struct DeformableWork {
    plan: Plan,
    meetings: Vec<Meeting>,
    /// Bodies that carry particles, followed by other bodies whose geoms deformables may touch.
    bodies: Vec<usize>,
    rigids: Vec<Rigid>,
    rigid_work: RigidWork,
    x: Vec<Vec3>,
    old: Vec<Vec3>,
    v: Vec<Vec3>,
    /// Inverse masses, including the current effective ones of carried particles.
    w: Vec<f64>,
    acceleration: Vec<Vec3>,
    reach: Vec<f64>,
    touches: Vec<Touch>,
    grid: Grid,
    turns: Turns,
    colliders: collide::Work,
    pushes: Pushes,
    /// Substep length for which the bending coefficients were computed.
    fitted: f64,
    /// Mean force over the step on every dof.
    pub force: Vec<f64>,
    /// Positions of particles at the start of the step.
    start: Vec<Vec3>,
    /// `qpos` of free particles, three each.
    qpos: Vec<Vec3>,
    /// Whether the result is kept while an integrator evaluates other states within the step.
    pub frozen: bool,
    /// Contacts that exceeded the capacity in the last step.
    pub refused: usize,
}

/// Multipliers of constraints.
#[derive(Clone, Debug, Default)]
struct Pushes {
    distances: Vec<f64>,
    bends: Vec<Vec3>,
    volumes: Vec<f64>,
}

impl Pushes {
    /// The constraints of a plan, with these multipliers.
    fn ties<'a>(&'a mut self, plan: &'a Plan) -> Ties<'a> {
        Ties {
            distances: Tied { list: &plan.distances, push: &mut self.distances },
            bends: Tied { list: &plan.bends, push: &mut self.bends },
            volumes: Tied { list: &plan.volumes, push: &mut self.volumes },
        }
    }
}

impl DeformableWork {
    /// Workspace for the deformables of a model.
    pub fn new(m: &Model) -> Self {
        let mut work = DeformableWork::default();
        if !m.extension().deformables.is_empty() {
            work.fit(m);
        }
        work
    }

    /// Reallocates if the deformables of the model have changed.
    fn fit(&mut self, m: &Model) {
        if self.plan.settings == m.extension().deformables && self.force.len() == m.nv {
            return;
        }
        let plan = Plan::new(m);
        let n = plan.particles.len();
        let mut bodies = plan.carriers.clone();
        let meetings = detect::meetings(m, &plan, &mut bodies);
        let zeros = || vec![[0.0; 3]; n];
        *self = DeformableWork {
            rigids: Vec::with_capacity(bodies.len()),
            rigid_work: RigidWork::new(m),
            x: zeros(),
            old: zeros(),
            v: zeros(),
            w: plan.weight.clone(),
            acceleration: zeros(),
            reach: vec![0.0; n],
            touches: Vec::with_capacity(detect::ROOM * n),
            grid: Grid::new(m, &plan),
            turns: Turns::new(&plan),
            colliders: collide::Work::new(usize::try_from(m.opt.ccd_iterations).unwrap_or(0)),
            pushes: Pushes {
                distances: vec![0.0; plan.distances.len()],
                bends: vec![[0.0; 3]; plan.bends.len()],
                volumes: vec![0.0; plan.volumes.len()],
            },
            fitted: 0.0,
            force: vec![0.0; m.nv],
            start: zeros(),
            qpos: zeros(),
            frozen: false,
            refused: 0,
            plan,
            meetings,
            bodies,
        };
    }
}

/// Inputs of the stage.
pub struct Given<'a> {
    /// Positions and velocities.
    pub state: &'a State,
    /// Frames.
    pub pose: &'a Pose,
    /// Factor of the mass matrix.
    pub inertia: &'a Inertia,
    /// Accelerations without deformables.
    pub qacc: &'a [f64],
    /// Number of threads the stage may use.
    pub threads: usize,
}

/// Moves the deformables over one step without changing the state.
///
/// *Equation*: in each substep `s`, `v += s a`, `x += s v`, constraints correct `x`, `v = (x − x_old)/s`; force
/// `m ((v⁺ − v)/h − a)` on particles, the sum of all impulses over `h` on bodies.
/// *Reads* `qpos`, `qvel`, `flexvert_xpos`, geom frames, `qLD`, `qacc` without deformables. *Writes* its workspace.
pub fn deform(m: &Model, given: Given<'_>, work: &mut DeformableWork) {
    work.fit(m);
    let h = m.opt.timestep;
    if work.frozen {
        // reaction forces on bodies keep their world direction while the body rotates
        work.rigids.iter().for_each(|r| r.release(m, &mut work.force));
        work.rigids.iter().for_each(|r| r.apply(m, given.pose, h, &mut work.force));
        return;
    }
    let (substeps, iterations) = (work.plan.substeps(), work.plan.iterations());
    let every = substeps.div_ceil(work.plan.detections());
    let s = h / substeps as f64;
    work.begin(m, &given);
    if s <= 0.0 {
        // zero timestep
        work.force.fill(0.0);
        return;
    }
    work.fit_masses(s);
    for k in 0..substeps {
        if k % every == 0 {
            work.detect(m, &given, s * every as f64);
        }
        work.substep(s, iterations, given.threads);
        work.lose(s, iterations, given.threads);
    }
    work.end(m, &given, h);
}

impl DeformableWork {
    /// Loads the state.
    fn begin(&mut self, m: &Model, given: &Given<'_>) {
        let Given { state, pose, inertia, qacc, .. } = *given;
        self.rigids.clear();
        self.refused = 0;
        for &body in &self.bodies {
            self.rigids.push(Rigid::new(m, state, pose, inertia, qacc, body, &mut self.rigid_work));
        }
        for (i, p) in self.plan.particles.iter().enumerate() {
            self.x[i] = pose.flexvert_xpos[p.vert];
            match p.held {
                Held::Free(dof) => {
                    let axes = axes(m, pose, p.body);
                    self.v[i] = mat3::mul_vec_t(&axes, three(&state.qvel, dof));
                    self.acceleration[i] = mat3::mul_vec_t(&axes, three(qacc, dof));
                    self.qpos[i] = three(&state.qpos, m.jnt_qposadr[m.dof_jntid[dof] as usize] as usize);
                }
                Held::Still => self.v[i] = [0.0; 3],
                // the carrier's mass is shared among its particles
                Held::Carried(r) => {
                    let (rigid, shared) = (&self.rigids[r as usize], self.plan.loads[r as usize] as f64);
                    self.w[i] = shared * rigid.mean_weight(self.x[i]);
                    self.v[i] = rigid.velocity(self.x[i]);
                }
            }
        }
        self.start.copy_from_slice(&self.x);
    }

    /// Recomputes what depends on masses and the substep length, if these have changed.
    fn fit_masses(&mut self, s: f64) {
        if self.fitted != s || !self.plan.carried.is_empty() {
            self.plan.fit_bends(s, &self.w);
            self.turns.weigh(&self.w);
            self.fitted = s;
        }
    }

    /// Finds contacts that may occur within `time`.
    fn detect(&mut self, m: &Model, given: &Given<'_>, time: f64) {
        self.touches.clear();
        let disabled = m.opt.disabled(DisableFlags::CONSTRAINT) || m.opt.disabled(DisableFlags::CONTACT);
        if disabled {
            self.grid.pairs.clear();
            return;
        }
        let fastest = self.rigids.iter().map(Rigid::speed).fold(0.0, f64::max);
        let mut widest = 0.0f64;
        for (i, reach) in self.reach.iter_mut().enumerate() {
            let own = vec3::norm(self.v[i]) + time * vec3::norm(self.acceleration[i]);
            *reach = HASTE * time * (own + fastest) + SLACK * m.flex_radius[self.plan.settings[self.plan.part(i)].flex];
            widest = widest.max(HASTE * time * own);
        }
        let DeformableWork { plan, x, rigids, reach, touches, colliders, meetings, grid, .. } = self;
        let seen = Seen { m, pose: given.pose, plan, x, rigids, reach };
        let mut geoms = || meetings.iter().map(|meeting| seen.add(meeting, touches, colliders)).sum::<usize>();
        let mut folds = || {
            if !grid.is_idle() {
                // folds approach each other much more slowly than the fastest particle moves
                let most = plan.apart.iter().fold(f64::INFINITY, |a, &b| a.min(b));
                grid.search(plan, x, (0.5 * widest).min(0.5 * most));
            }
            grid.refused
        };
        let (a, b) = if given.threads > 1 { rayon::join(geoms, folds) } else { (geoms(), folds()) };
        self.refused += a + b;
    }

    fn substep(&mut self, s: f64, iterations: usize, threads: usize) {
        self.predict(s);
        let DeformableWork { plan, rigids, x, old, v, w, touches, grid, turns, pushes, .. } = self;
        touches.iter_mut().for_each(|t| (t.press, t.drag) = (0.0, [0.0; 3]));
        let per_s2 = 1.0 / (s * s);
        for k in 0..iterations {
            turns.note(old, x);
            let keep = |block: Block<'_>| inside::keep(block, per_s2, Sweep::new(k, iterations));
            plan.blocks.each(x, w, pushes.ties(plan), threads, &keep);
            turns.keep(old, x);
            grid::part(&grid.pairs, x, old, w);
            pull_carriers(plan, rigids, Ends { x, old, start: &self.start, w }, s);
            Moving { x, old, w, rigids, s }.touches(touches);
        }
        rigids.iter_mut().for_each(|r| r.end(s));
        let per_s = 1.0 / s;
        for ((v, x), old) in v.iter_mut().zip(&*x).zip(&*old) {
            *v = vec3::scale(vec3::sub(*x, *old), per_s);
        }
        touch::calm(touches, v, x, w, rigids, s);
    }

    /// Predicts positions at the end of a substep, without constraints. Fixed particles have zero velocity.
    fn predict(&mut self, s: f64) {
        let DeformableWork { plan, rigids, x, old, v, acceleration, .. } = self;
        rigids.iter_mut().for_each(|r| r.begin(s));
        old.copy_from_slice(x);
        for (part, d) in plan.settings.iter().enumerate() {
            let (calm, range) = (1.0 / (1.0 + s * d.damping), plan.particles_of(part));
            let moving = x[range.clone()].iter_mut().zip(&mut v[range.clone()]).zip(&acceleration[range]);
            for ((x, v), a) in moving {
                *v = vec3::add_scaled(vec3::scale(*v, calm), *a, s);
                *x = vec3::add_scaled(*x, *v, s);
            }
        }
        plan.carried.iter().for_each(|&(i, r)| x[i] = rigids[r].carry(self.start[i]));
    }

    /// Applies material damping over a substep. Bodies that carry particles receive the reaction.
    fn lose(&mut self, s: f64, iterations: usize, threads: usize) {
        let DeformableWork { plan, rigids, x, old, v, w, turns, pushes, .. } = self;
        for &(i, r) in &plan.carried {
            v[i] = rigids[r].velocity(x[i]);
            old[i] = v[i];
        }
        turns.note(x, v);
        for k in 0..iterations {
            // the multipliers of the position sweeps are no longer needed and are reused
            let lose = |block: Block<'_>| inside::lose(block, x, s, Sweep::new(k, iterations));
            plan.blocks.each(v, w, pushes.ties(plan), threads, &lose);
        }
        turns.keep(x, v);
        for &(i, r) in plan.carried.iter().filter(|&&(i, _)| w[i] > 0.0) {
            rigids[r].kick(x[i], vec3::scale(vec3::sub(v[i], old[i]), 1.0 / w[i]));
        }
    }

    /// Computes the mean forces over the whole step.
    fn end(&mut self, m: &Model, given: &Given<'_>, h: f64) {
        self.force.fill(0.0);
        for (i, p) in self.plan.particles.iter().enumerate() {
            let Held::Free(dof) = p.held else { continue };
            let axes = axes(m, given.pose, p.body);
            let before = three(&given.state.qvel, dof);
            let after = mat3::mul_vec(&axes, self.v[i]);
            for k in 0..3 {
                self.force[dof + k] = ((after[k] - before[k]) / h - given.qacc[dof + k]) / self.w[i];
            }
        }
        self.rigids.iter().for_each(|r| r.apply(m, given.pose, h, &mut self.force));
    }
}

/// Sets the positions of deformables to where the stage has moved them. Integrating the final velocity over the step
/// would not give the path through the substeps. Velocity changes by the constraint solver since then apply to the
/// whole step.
///
/// *Equation*: `qpos⁺ = qpos + (x⁺ − x) + h (qvel⁺ − v⁺)` along the slides; likewise for the bodies that deformables
/// have pushed.
pub fn commit(m: &Model, pose: &Pose, reaction: &[f64], state: &mut State, work: &DeformableWork) {
    let h = m.opt.timestep;
    work.rigids.iter().for_each(|r| r.commit(state, reaction, work.plan.substeps()));
    for (i, p) in work.plan.particles.iter().enumerate() {
        let Held::Free(dof) = p.held else { continue };
        let axes = axes(m, pose, p.body);
        let (way, v) = (vec3::sub(work.x[i], work.start[i]), mat3::mul_vec(&axes, work.v[i]));
        let way = mat3::mul_vec(&axes, way);
        let adr = m.jnt_qposadr[m.dof_jntid[dof] as usize] as usize;
        for k in 0..3 {
            state.qpos[adr + k] = work.qpos[i][k] + way[k] + h * (state.qvel[dof + k] - v[k]);
        }
    }
}

/// Positions of particles in a sweep, at the start of the substep and at the start of the step, with inverse masses.
struct Ends<'a> {
    x: &'a mut [Vec3],
    old: &'a [Vec3],
    start: &'a [Vec3],
    w: &'a [f64],
}

/// Transfers the displacements of carried particles to their carriers, then moves these particles with the carriers.
fn pull_carriers(plan: &Plan, rigids: &mut [Rigid], ends: Ends<'_>, s: f64) {
    let Ends { x, old, start, w } = ends;
    let pulled = || plan.carried.iter().filter(|&&(i, _)| w[i] > 0.0);
    // compute all pulls before applying any: each was found with the carriers at their current poses
    for &(i, r) in pulled() {
        x[i] = vec3::scale(vec3::sub(x[i], rigids[r].carry(start[i])), 1.0 / w[i]);
    }
    for &(i, r) in pulled() {
        rigids[r].shift(old[i], x[i], s);
    }
    plan.carried.iter().for_each(|&(i, r)| x[i] = rigids[r].carry(start[i]));
}

/// Safety factor on the distance a particle would travel at its current speed before the next contact search.
const HASTE: f64 = 1.5;
/// Search margin for particles at rest, in radii.
const SLACK: f64 = 1.0;

/// Directions of the slides of a particle's body, as rows.
fn axes(m: &Model, pose: &Pose, body: usize) -> [f64; 9] {
    let first = m.body_jntadr[body] as usize;
    let [x, y, z] = [0, 1, 2].map(|k| pose.xaxis[first + k]);
    [x[0], x[1], x[2], y[0], y[1], y[2], z[0], z[1], z[2]]
}

/// Three consecutive values starting at `at`.
fn three(list: &[f64], at: usize) -> Vec3 {
    [list[at], list[at + 1], list[at + 2]]
}
