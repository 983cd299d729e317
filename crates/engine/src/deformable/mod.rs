//! Flexes that move by positions: ropes, sheets and solids whose parts keep their lengths, curvatures and volumes, in
//! contact with geoms, with each other and with themselves.
//!
//! The vertices of such a flex are bodies on three slides, as MuJoCo has them, so their positions and velocities are
//! `qpos` and `qvel`. The stage reads the state and what accelerations would be without it. It takes its own substeps and
//! leaves the mean force of the step on every dof, with which the constraint solver runs again; then the integrator makes
//! velocities of the result, and [`commit`] positions. `docs/math/deformables.md` has the equations.

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
use detect::{Meeting, Seen};
use grid::Grid;
use inside::{Losses, Points};
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
    distance_push: Vec<f64>,
    bend_push: Vec<Vec3>,
    volume_push: Vec<f64>,
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
            distance_push: vec![0.0; plan.distances.len()],
            bend_push: vec![[0.0; 3]; plan.bends.len()],
            volume_push: vec![0.0; plan.volumes.len()],
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
}

/// Moves the deformables over a step, on trial.
///
/// *Equation*: in each substep `s`, `v += s a`, `x += s v`, constraints put `x` right, `v = (x − x_old)/s`; force
/// `m ((v⁺ − v)/h − a)` on particles, the sum of all pushes over `h` on bodies.
/// *Reads* `qpos`, `qvel`, `flexvert_xpos`, geom frames, `qLD`, `qacc` without deformables. *Writes* its workspace.
pub fn deform(m: &Model, given: Given<'_>, work: &mut DeformableWork) {
    work.fit(m);
    if work.frozen {
        return;
    }
    let h = m.opt.timestep;
    let (substeps, iterations) = (work.plan.substeps(), work.plan.iterations());
    let every = substeps.div_ceil(work.plan.detections());
    let s = h / substeps as f64;
    work.begin(m, &given);
    if s <= 0.0 {
        // no time passes
        work.force.fill(0.0);
        return;
    }
    for k in 0..substeps {
        if k % every == 0 {
            work.detect(m, given.pose, s * every as f64);
        }
        work.substep(s, iterations);
        work.lose(s, iterations);
    }
    work.end(m, &given, h);
}

impl DeformableWork {
    /// Takes over the state.
    fn begin(&mut self, m: &Model, given: &Given<'_>) {
        let Given { state, pose, inertia, qacc } = *given;
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
                    let shared = self.plan.carried[r as usize] as f64;
                    self.w[i] = shared * self.rigids[r as usize].mean_weight(self.x[i]);
                }
            }
        }
        self.start.copy_from_slice(&self.x);
    }

    /// Looks for contacts that may come up within a time.
    fn detect(&mut self, m: &Model, pose: &Pose, time: f64) {
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
        let DeformableWork { plan, x, rigids, reach, touches, colliders, refused, grid, .. } = self;
        let seen = Seen { m, pose, plan, x, rigids, reach };
        for meeting in &self.meetings {
            *refused += seen.add(meeting, touches, colliders);
        }
        if !grid.is_idle() {
            // folds approach each other far slower than the fastest particle moves
            let most = plan.apart.iter().fold(f64::INFINITY, |a, &b| a.min(b));
            grid.search(plan, x, (0.5 * widest).min(0.5 * most));
            *refused += grid.refused;
        }
    }

    fn substep(&mut self, s: f64, iterations: usize) {
        let DeformableWork { plan, rigids, x, old, v, w, acceleration, touches, grid, turns, .. } = self;
        rigids.iter_mut().for_each(|r| r.begin(s));
        for i in 0..x.len() {
            old[i] = x[i];
            match plan.particles[i].held {
                Held::Free(_) => {
                    let calm = 1.0 / (1.0 + s * plan.settings[plan.part(i)].damping);
                    v[i] = vec3::add_scaled(vec3::scale(v[i], calm), acceleration[i], s);
                    x[i] = vec3::add_scaled(x[i], v[i], s);
                }
                Held::Still => {}
                Held::Carried(r) => x[i] = rigids[r as usize].carry(self.start[i]),
            }
        }
        touches.iter_mut().for_each(|t| (t.press, t.drag) = (0.0, [0.0; 3]));
        let per_s2 = 1.0 / (s * s);
        for sweep in 0..iterations {
            turns.note(old, x, w);
            let mut points = Points { x, w, per_s2, first: sweep == 0, last: sweep + 1 == iterations };
            points.distances(&plan.distances, &mut self.distance_push);
            points.bends(&plan.bends, &mut self.bend_push);
            points.volumes(&plan.volumes, &mut self.volume_push);
            turns.keep(old, x, w);
            grid::part(&grid.pairs, x, old, w);
            pull_carriers(plan, rigids, Ends { x, old, start: &self.start, w }, s);
            Moving { x, old, w, rigids, s }.touches(touches);
        }
        rigids.iter_mut().for_each(|r| r.end(s));
        for i in 0..x.len() {
            if matches!(plan.particles[i].held, Held::Free(_)) {
                v[i] = vec3::scale(vec3::sub(x[i], old[i]), 1.0 / s);
            }
        }
        touch::calm(touches, v, x, w, rigids, s);
    }

    /// Takes away what the materials lose in a substep. Bodies that carry particles pay their part.
    fn lose(&mut self, s: f64, iterations: usize) {
        let DeformableWork { plan, rigids, x, old, v, w, turns, .. } = self;
        for (i, p) in plan.particles.iter().enumerate() {
            if let Held::Carried(r) = p.held {
                v[i] = rigids[r as usize].velocity(x[i]);
                old[i] = v[i];
            }
        }
        turns.note(x, v, w);
        for sweep in 0..iterations {
            // the multipliers of positions are over
            let mut losses = Losses { x, v, w, s, first: sweep == 0, last: sweep + 1 == iterations };
            losses.distances(&plan.distances, &mut self.distance_push);
            losses.bends(&plan.bends, &mut self.bend_push);
        }
        turns.keep(x, v, w);
        for (i, p) in plan.particles.iter().enumerate() {
            if let Held::Carried(r) = p.held
                && w[i] > 0.0
            {
                rigids[r as usize].kick(x[i], vec3::scale(vec3::sub(v[i], old[i]), 1.0 / w[i]));
            }
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
    if plan.carriers.is_empty() {
        return;
    }
    let Ends { x, old, start, w } = ends;
    let carried = || plan.particles.iter().enumerate().filter_map(|(i, p)| p.held.carrier().map(|r| (i, r)));
    // all pulls before any of them moves a carrier: each has been found with the carriers where they are
    for (i, r) in carried().filter(|&(i, _)| w[i] > 0.0) {
        x[i] = vec3::scale(vec3::sub(x[i], rigids[r].carry(start[i])), 1.0 / w[i]);
    }
    for (i, r) in carried().filter(|&(i, _)| w[i] > 0.0) {
        rigids[r].shift(old[i], x[i], s);
    }
    carried().for_each(|(i, r)| x[i] = rigids[r].carry(start[i]));
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
