//! Flexes that move by positions: ropes, sheets and solids whose parts keep their lengths, curvatures and volumes, in
//! contact with geoms, with each other and with themselves.
//!
//! The vertices of such a flex are bodies on three slides, as MuJoCo has them, so their positions and velocities are
//! `qpos` and `qvel`. The stage reads the state and what accelerations would be without it. It takes its own substeps and
//! leaves the mean force of the step on every dof, with which the constraint solver runs again; then the integrator makes
//! velocities of the result, and [`commit`] positions. `docs/math/deformables.md` has the equations.

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

/// Workspace of the stage, and what it hands to [`commit`].
#[derive(Clone, Debug, Default)]
pub struct DeformableWork {
    plan: Plan,
    meetings: Vec<Meeting>,
    /// Bodies that carry particles, then other bodies whose geoms deformables may touch.
    bodies: Vec<usize>,
    rigids: Vec<Rigid>,
    rigid_work: RigidWork,
    x: Vec<Vec3>,
    old: Vec<Vec3>,
    v: Vec<Vec3>,
    /// Inverse masses, with those of carried particles at present.
    w: Vec<f64>,
    acceleration: Vec<Vec3>,
    reach: Vec<f64>,
    touches: Vec<Touch>,
    grid: Grid,
    turns: Turns,
    colliders: collide::Work,
    pushes: Pushes,
    /// Length of substeps that curvatures are fitted to.
    fitted: f64,
    /// Force of the step on every dof.
    pub force: Vec<f64>,
    /// Where particles were, and where and how fast they are after the step.
    start: Vec<Vec3>,
    /// `qpos` of particles that move freely, three each.
    qpos: Vec<Vec3>,
    /// Whether the result of the step stays while an integrator looks at other states on the way.
    pub frozen: bool,
    /// Contacts that found no room in the last step.
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
    /// The constraints of a plan with them.
    fn ties<'a>(&'a mut self, plan: &'a Plan) -> Ties<'a> {
        Ties {
            distances: Tied { list: &plan.distances, push: &mut self.distances },
            bends: Tied { list: &plan.bends, push: &mut self.bends },
            volumes: Tied { list: &plan.volumes, push: &mut self.volumes },
        }
    }
}

impl DeformableWork {
    /// Room for the deformables of a model.
    pub fn new(m: &Model) -> Self {
        let mut work = DeformableWork::default();
        if !m.extension().deformables.is_empty() {
            work.fit(m);
        }
        work
    }

    /// Makes room, if the model has other deformables than before.
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

/// What the stage reads.
pub struct Given<'a> {
    /// Positions and velocities.
    pub state: &'a State,
    /// Frames.
    pub pose: &'a Pose,
    /// Factor of the mass matrix.
    pub inertia: &'a Inertia,
    /// Accelerations without deformables.
    pub qacc: &'a [f64],
    /// Threads that may work side by side.
    pub threads: usize,
}

/// Moves the deformables over a step, on trial.
///
/// *Equation*: in each substep `s`, `v += s a`, `x += s v`, constraints put `x` right, `v = (x − x_old)/s`; force
/// `m ((v⁺ − v)/h − a)` on particles, the sum of all pushes over `h` on bodies.
/// *Reads* `qpos`, `qvel`, `flexvert_xpos`, geom frames, `qLD`, `qacc` without deformables. *Writes* its workspace.
pub fn deform(m: &Model, given: Given<'_>, work: &mut DeformableWork) {
    work.fit(m);
    let h = m.opt.timestep;
    if work.frozen {
        // what pushes bodies does not turn with them
        work.rigids.iter().for_each(|r| r.release(m, &mut work.force));
        work.rigids.iter().for_each(|r| r.apply(m, given.pose, h, &mut work.force));
        return;
    }
    let (substeps, iterations) = (work.plan.substeps(), work.plan.iterations());
    let every = substeps.div_ceil(work.plan.detections());
    let s = h / substeps as f64;
    work.begin(m, &given);
    if s <= 0.0 {
        // no time passes
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
    /// Takes over the state.
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
                // particles of one carrier share its mass
                Held::Carried(r) => {
                    let (rigid, shared) = (&self.rigids[r as usize], self.plan.loads[r as usize] as f64);
                    self.w[i] = shared * rigid.mean_weight(self.x[i]);
                    self.v[i] = rigid.velocity(self.x[i]);
                }
            }
        }
        self.start.copy_from_slice(&self.x);
    }

    /// Takes over masses and the length of substeps, where they are not as before.
    fn fit_masses(&mut self, s: f64) {
        if self.fitted != s || !self.plan.carried.is_empty() {
            self.plan.fit_bends(s, &self.w);
            self.turns.weigh(&self.w);
            self.fitted = s;
        }
    }

    /// Looks for contacts that may come up within a time.
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
                // folds approach each other far slower than the fastest particle moves
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

    /// Where everything would be after a substep if nothing held it. Fixed particles have no velocity.
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

    /// Takes away what the materials lose in a substep. Bodies that carry particles pay their part.
    fn lose(&mut self, s: f64, iterations: usize, threads: usize) {
        let DeformableWork { plan, rigids, x, old, v, w, turns, pushes, .. } = self;
        for &(i, r) in &plan.carried {
            v[i] = rigids[r].velocity(x[i]);
            old[i] = v[i];
        }
        turns.note(x, v);
        for k in 0..iterations {
            // the multipliers of positions are over
            let lose = |block: Block<'_>| inside::lose(block, x, s, Sweep::new(k, iterations));
            plan.blocks.each(v, w, pushes.ties(plan), threads, &lose);
        }
        turns.keep(x, v);
        for &(i, r) in plan.carried.iter().filter(|&&(i, _)| w[i] > 0.0) {
            rigids[r].kick(x[i], vec3::scale(vec3::sub(v[i], old[i]), 1.0 / w[i]));
        }
    }

    /// Forces of the whole step.
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

/// Puts the particles of deformables where the stage has moved them: what is integrated from the velocity at the end is not
/// the way of all substeps. Velocities that constraints have changed since then count for the whole step.
///
/// *Equation*: `qpos⁺ = qpos + (x⁺ − x) + h (qvel⁺ − v⁺)` along the slides; bodies they have pushed likewise.
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

/// Where particles are in a sweep, at the beginning of the substep and of the step, and their inverse masses.
struct Ends<'a> {
    x: &'a mut [Vec3],
    old: &'a [Vec3],
    start: &'a [Vec3],
    w: &'a [f64],
}

/// What particles that are carried were pulled with, given to their carriers; they go where those go.
fn pull_carriers(plan: &Plan, rigids: &mut [Rigid], ends: Ends<'_>, s: f64) {
    let Ends { x, old, start, w } = ends;
    let pulled = || plan.carried.iter().filter(|&&(i, _)| w[i] > 0.0);
    // all pulls before any of them moves a carrier: each has been found with the carriers where they are
    for &(i, r) in pulled() {
        x[i] = vec3::scale(vec3::sub(x[i], rigids[r].carry(start[i])), 1.0 / w[i]);
    }
    for &(i, r) in pulled() {
        rigids[r].shift(old[i], x[i], s);
    }
    plan.carried.iter().for_each(|&(i, r)| x[i] = rigids[r].carry(start[i]));
}

/// How much farther than it would get at its present speed a particle may come before the next search for contacts.
const HASTE: f64 = 1.5;
/// The same for particles at rest, in radii.
const SLACK: f64 = 1.0;

/// Directions of the slides of a particle's body, as rows.
fn axes(m: &Model, pose: &Pose, body: usize) -> [f64; 9] {
    let first = m.body_jntadr[body] as usize;
    let [x, y, z] = [0, 1, 2].map(|k| pose.xaxis[first + k]);
    [x[0], x[1], x[2], y[0], y[1], y[2], z[0], z[1], z[2]]
}

/// Three numbers from `at` on.
fn three(list: &[f64], at: usize) -> Vec3 {
    [list[at], list[at + 1], list[at + 2]]
}
