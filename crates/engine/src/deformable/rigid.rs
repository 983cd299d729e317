//! Rigid bodies as seen by deformables during a step: inverse mass, velocity and a small motion. Impulses on them are
//! accumulated and passed to the constraint solver afterwards.

use crate::data::{Inertia, Pose, State};
use crate::model::Model;
use crate::model::enums::JointType;
use crate::support::chain::{ancestors, column, offset};
use crate::support::force::apply_ft;
use crate::support::inertia::pattern;
use sinew_math::factor;
use sinew_math::sparse::Subset;
use sinew_math::spatial::{self, Vec6};
use sinew_math::{Vec3, mat3, quat, vec3};

/// A body that moves. Vectors of six hold rotation, then translation of the centre of mass.
#[derive(Clone, Copy, Debug, Default)]
pub struct Rigid {
    pub body: usize,
    /// Centre of mass at the start of the step.
    pub com: Vec3,
    /// Maps a wrench to the acceleration it causes: `J M⁻¹ Jᵀ`.
    inverse: [Vec6; 6],
    velocity: Vec6,
    acceleration: Vec6,
    /// Motion since the start of the step, up to the current substep and within it.
    moved: Vec6,
    step: Vec6,
    /// Accumulated impulse: torque × time, force × time.
    push: Vec6,
    /// Linear impulses, each weighted by its time since the start of the step.
    late: Vec3,
    /// Time since the start of the step, up to the current substep.
    time: f64,
    /// Velocity of the centre of mass at the start of the step.
    start: Vec3,
    loose: Option<Loose>,
}

/// A free joint whose tree has no other dofs.
#[derive(Clone, Copy, Debug)]
struct Loose {
    qpos: usize,
    dof: usize,
    mass: f64,
    /// Centre of mass in the frame of the body.
    arm: Vec3,
}

impl Loose {
    fn new(m: &Model, pose: &Pose, body: usize) -> Option<Self> {
        let joint = usize::try_from(m.body_jntadr[body]).ok()?;
        let tree = usize::try_from(m.body_treeid[body]).ok()?;
        if m.jnt_type(joint) != JointType::Free || m.tree_dofnum[tree] != 6 {
            return None;
        }
        let [qpos, dof] = [m.jnt_qposadr[joint], m.jnt_dofadr[joint]].map(|adr| adr as usize);
        let arm = mat3::mul_vec_t(&pose.xmat[body], vec3::sub(pose.subtree_com[body], pose.xpos[body]));
        Some(Loose { qpos, dof, mass: m.body_subtreemass[body], arm })
    }
}

/// Workspace for solves with the mass matrix.
#[derive(Clone, Debug, Default)]
pub struct RigidWork {
    vector: Vec<f64>,
    dofs: Vec<i32>,
}

impl RigidWork {
    pub fn new(m: &Model) -> Self {
        RigidWork { vector: vec![0.0; m.nv], dofs: Vec::with_capacity(m.nv.min(1 << 12)) }
    }
}

impl Rigid {
    /// The body at its current state, with the acceleration it would have without deformables.
    pub fn new(
        m: &Model,
        state: &State,
        pose: &Pose,
        inertia: &Inertia,
        qacc: &[f64],
        body: usize,
        work: &mut RigidWork,
    ) -> Self {
        let loose = Loose::new(m, pose, body);
        let com = if loose.is_some() { pose.subtree_com[body] } else { pose.xipos[body] };
        let arm = offset(m, pose, body, com);
        let axis = |i: usize| spatial::join(spatial::rot(&pose.cdof[i]), column(&pose.cdof[i], arm));
        let mut rigid = Rigid { body, com, loose, ..Rigid::default() };
        for i in ancestors(m, body) {
            spatial::add_scaled(&mut rigid.velocity, &axis(i), state.qvel[i]);
            spatial::add_scaled(&mut rigid.acceleration, &axis(i), qacc[i]);
        }
        // a force on a body moves the dofs above it, and these couple to all dofs of the tree; only those above move
        // the body
        tree_dofs(m, body, &mut work.dofs);
        for k in 0..6 {
            ancestors(m, body).for_each(|i| work.vector[i] = axis(i)[k]);
            let dofs = Subset::Listed(&work.dofs);
            factor::solve_ldl(&mut work.vector, &inertia.qLD, &inertia.qLDiagInv, pattern(m), dofs);
            for i in ancestors(m, body) {
                spatial::add_scaled(&mut rigid.inverse[k], &axis(i), work.vector[i]);
            }
            work.dofs.iter().for_each(|&i| work.vector[i as usize] = 0.0);
        }
        rigid.start = spatial::lin(&rigid.velocity);
        rigid
    }

    /// Speed of its centre of mass.
    pub fn speed(&self) -> f64 {
        vec3::norm(spatial::lin(&self.velocity))
    }

    /// Begins a substep of length `s`.
    pub fn begin(&mut self, s: f64) {
        spatial::add_scaled(&mut self.velocity, &self.acceleration, s);
        self.step = self.velocity.map(|v| s * v);
    }

    /// Ends the substep.
    pub fn end(&mut self, s: f64) {
        self.velocity = self.step.map(|u| u / s);
        spatial::add_to(&mut self.moved, &self.step);
        self.step = [0.0; 6];
        self.time += s;
    }

    /// Current position of the body-fixed point that was at `p` at the start of the step.
    pub fn carry(&self, p: Vec3) -> Vec3 {
        let at = vec3::sub(p, self.com);
        let turn = vec3::add(spatial::rot(&self.moved), spatial::rot(&self.step));
        let shift = vec3::add(spatial::lin(&self.moved), spatial::lin(&self.step));
        vec3::add(p, vec3::add(shift, vec3::cross(turn, at)))
    }

    /// Position at the start of the step of the body-fixed point that is at `p` before the current substep.
    pub fn uncarry(&self, p: Vec3) -> Vec3 {
        let at = vec3::sub(p, vec3::add(self.com, spatial::lin(&self.moved)));
        let turned = vec3::sub(at, vec3::cross(spatial::rot(&self.moved), at));
        vec3::add(self.com, turned)
    }

    /// Rotates a body-fixed direction from the start of the step to now.
    pub fn turn(&self, n: Vec3) -> Vec3 {
        let turn = vec3::add(spatial::rot(&self.moved), spatial::rot(&self.step));
        vec3::add(n, vec3::cross(turn, n))
    }

    /// Displacement in the current substep of the point that was at `p` before it.
    pub fn motion(&self, p: Vec3) -> Vec3 {
        column(&self.step, self.lever(p))
    }

    /// Velocity of the point at `p` at the end of a substep.
    pub fn velocity(&self, p: Vec3) -> Vec3 {
        column(&self.velocity, self.lever(p))
    }

    /// Lever arm from the centre of mass to a point, both before the current substep. Impulses of the substep act
    /// there, since `x × m (x − x₀)/s = x₀ × m (x − x₀)/s`.
    fn lever(&self, p: Vec3) -> Vec3 {
        vec3::sub(p, vec3::add(self.com, spatial::lin(&self.moved)))
    }

    fn wrench(&self, p: Vec3, force: Vec3) -> Vec6 {
        spatial::join(vec3::cross(self.lever(p), force), force)
    }

    fn answer(&self, wrench: &Vec6) -> Vec6 {
        std::array::from_fn(|k| spatial::dot(&self.inverse[k], wrench))
    }

    /// Inverse mass along a direction, for the point that was at `p` before the current substep.
    pub fn weight(&self, p: Vec3, n: Vec3) -> f64 {
        let wrench = self.wrench(p, n);
        spatial::dot(&self.answer(&wrench), &wrench)
    }

    /// Inverse mass of the point at `p`, averaged over directions.
    pub fn mean_weight(&self, p: Vec3) -> f64 {
        [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].iter().map(|&n| self.weight(p, n)).sum::<f64>() / 3.0
    }

    /// Displaces the body by a push (mass × length) at the point that was at `p` before the current substep of length
    /// `s`.
    pub fn shift(&mut self, p: Vec3, push: Vec3, s: f64) {
        let wrench = self.wrench(p, push);
        let answer = self.answer(&wrench);
        spatial::add_to(&mut self.step, &answer);
        self.count(&wrench, 1.0 / s);
    }

    /// Changes the velocity by an impulse (mass × velocity) at `p`, at the end of a substep.
    pub fn kick(&mut self, p: Vec3, push: Vec3) {
        let wrench = self.wrench(p, push);
        let answer = self.answer(&wrench);
        spatial::add_to(&mut self.velocity, &answer);
        self.count(&wrench, 1.0);
    }

    fn count(&mut self, wrench: &Vec6, per: f64) {
        spatial::add_scaled(&mut self.push, wrench, per);
        self.late = vec3::add_scaled(self.late, spatial::lin(wrench), per * self.time);
    }

    /// Adds the mean force over a step of length `h`, fixed in world direction, to the generalised forces at the given
    /// pose.
    pub fn apply(&self, m: &Model, pose: &Pose, h: f64, qfrc: &mut [f64]) {
        let [torque, force] = [spatial::rot(&self.push), spatial::lin(&self.push)].map(|v| vec3::scale(v, 1.0 / h));
        let com = if self.loose.is_some() { pose.subtree_com[self.body] } else { pose.xipos[self.body] };
        apply_ft(m, pose, force, torque, com, self.body, qfrc);
    }

    /// Clears the forces on the dofs above the body.
    pub fn release(&self, m: &Model, qfrc: &mut [f64]) {
        ancestors(m, self.body).for_each(|i| qfrc[i] = 0.0);
    }

    /// Sets the position of a free-floating body on which no constraint acts to where `n` substeps bring its centre of
    /// mass. Integrators apply the whole impulse at once, which would change its angular momentum about other points.
    ///
    /// *Equation*: `h v₀ + h (n+1)/(2n) (Δv − P) + h P − Σ t P_t`, with `P` the impulses over the mass.
    pub fn commit(&self, state: &mut State, reaction: &[f64], n: usize) {
        let Some(Loose { qpos, dof, mass, arm }) = self.loose else { return };
        let held = reaction[dof..dof + 6].iter().any(|f| *f != 0.0);
        if held || self.push == [0.0; 6] {
            return;
        }
        let frame = quat::to_mat(std::array::from_fn(|k| state.qpos[qpos + 3 + k]));
        let [place, lin, rot] = [(&state.qpos, qpos), (&state.qvel, dof), (&state.qvel, dof + 3)]
            .map(|(of, at)| -> Vec3 { std::array::from_fn(|k| of[at + k]) });
        let now = vec3::add(place, mat3::mul_vec(&frame, arm));
        let after = vec3::add(lin, mat3::mul_vec(&frame, vec3::cross(rot, arm)));
        let (h, part) = (self.time, (n + 1) as f64 / (2 * n) as f64);
        for k in 0..3 {
            let pushed = self.push[3 + k] / mass;
            let way = h * (self.start[k] + part * (after[k] - self.start[k] - pushed) + pushed) - self.late[k] / mass;
            state.qpos[qpos + k] += self.com[k] + way - now[k];
        }
    }
}

/// Dofs of the body's tree, in increasing order.
fn tree_dofs(m: &Model, body: usize, dofs: &mut Vec<i32>) {
    dofs.clear();
    let tree = m.body_treeid[body];
    if let Ok(tree) = usize::try_from(tree) {
        let first = m.tree_dofadr[tree];
        dofs.extend(first..first + m.tree_dofnum[tree]);
    }
}
