//! Actuator lengths and moments.

use crate::data::{Awake, Contact, Efc, Pose, State, Trn};
use crate::model::Model;
use crate::model::enums::{ConstraintType, JointType, TrnType};
use crate::support::awake as subset;
use crate::support::chain;
use crate::support::row::{JacRow, Jacobian, RowSum, RowWork, tendon_row};
use sinew_math::{Vec3, mat3, quat, spatial, vec3};

/// Lengths of all actuators and their moments, in compressed sparse rows.
///
/// *Equation*: `moment_i = ∂length_i/∂q`, or the projection of a wrench where no length exists.
/// *Reads* `qpos`, site frames, `cdof`, `ten_length`, `ten_J`, contacts and `efc_J` for adhesion.
/// *Writes* `actuator_length`, `actuator_moment`, `moment_rownnz`, `moment_rowadr`, `moment_colind`.
#[doc(alias = "mj_transmission")]
pub fn transmission(m: &Model, d: Inputs, trn: &mut Trn, row: &mut RowWork) {
    let skips = subset::skips_dofs(m, d.awake);
    let mut next = 0;
    for i in 0..m.nu {
        trn.moment_rowadr[i] = next as i32;
        if let Some((qpos, dof)) = scalar_joint(m, i)
            && !skips
        {
            // fast path for by far the most common case
            let gear = m.actuator_gear[i][0];
            trn.actuator_length[i] = d.state.qpos[qpos] * gear;
            trn.moment_colind[next] = dof;
            trn.actuator_moment[next] = gear;
            trn.moment_rownnz[i] = 1;
            next += 1;
            continue;
        }
        let mut out = Moment { trn: &mut *trn, next };
        if !(skips && subset::actuator_asleep(m, d.awake, i)) {
            let id = m.actuator_trnid[i][0] as usize;
            let row = RowSum::new(row);
            let length = match m.actuator_trntype(i) {
                TrnType::Joint | TrnType::Jointinparent => joint(m, d.state, i, id, &mut out),
                TrnType::Slidercrank => slider_crank(m, d.pose, i, id, &mut out, row),
                TrnType::Tendon => tendon(m, d.pose, i, id, &mut out),
                TrnType::Site if m.actuator_trnid[i][1] >= 0 => site_pair(m, d.pose, i, id, &mut out, row),
                TrnType::Site => site(m, d.pose, i, id, &mut out, row),
                TrnType::Body => adhesion(m, &d, id, &mut out, row),
                _ => 0.0,
            };
            next = out.next;
            trn.actuator_length[i] = length;
        }
        trn.moment_rownnz[i] = next as i32 - trn.moment_rowadr[i];
    }
}

/// Inputs of [`transmission`].
#[derive(Clone, Copy, Debug)]
pub struct Inputs<'a> {
    /// Positions.
    pub state: &'a State,
    /// Sleep states.
    pub awake: &'a Awake,
    /// Frames and tendons.
    pub pose: &'a Pose,
    /// Contacts, for adhesion.
    pub contact: &'a [Contact],
    /// Constraint rows, for adhesion.
    pub efc: &'a Efc,
}

/// Writer of one moment row.
struct Moment<'a> {
    trn: &'a mut Trn,
    next: usize,
}

impl Moment<'_> {
    #[inline(always)]
    fn push(&mut self, dof: i32, value: f64) {
        self.trn.moment_colind[self.next] = dof;
        self.trn.actuator_moment[self.next] = value;
        self.next += 1;
    }

    /// Stores the non-zeros of `gear` times a dense row; returns their number.
    fn compress_dense(&mut self, values: &[f64], gear: f64) -> usize {
        let cols = &mut self.trn.moment_colind[self.next..];
        let moment = &mut self.trn.actuator_moment[self.next..];
        let room = cols.len().min(moment.len());
        let mut n = 0;
        for (dof, v) in values.iter().enumerate() {
            let value = v * gear;
            // branchless, as zeros are unpredictable: every value is written, and a zero is overwritten by the next
            if n < room {
                cols[n] = dof as i32;
                moment[n] = value;
            }
            n += usize::from(value.to_bits() << 1 != 0);
        }
        n
    }

    /// Stores the non-zeros of an accumulated row.
    fn compress(&mut self, row: RowSum) {
        row.drain(|dof, value| {
            if value != 0.0 {
                self.push(dof, value);
            }
        });
    }
}

/// Addresses in `qpos` and `qvel` of the slide or hinge that an actuator acts on.
#[inline(always)]
fn scalar_joint(m: &Model, i: usize) -> Option<(usize, i32)> {
    if !matches!(m.actuator_trntype(i), TrnType::Joint | TrnType::Jointinparent) {
        return None;
    }
    let id = m.actuator_trnid[i][0] as usize;
    matches!(m.jnt_type(id), JointType::Slide | JointType::Hinge)
        .then(|| (m.jnt_qposadr[id] as usize, m.jnt_dofadr[id]))
}

fn joint(m: &Model, state: &State, i: usize, id: usize, out: &mut Moment) -> f64 {
    let gear = &m.actuator_gear[i];
    let adr = m.jnt_qposadr[id] as usize;
    let dof = m.jnt_dofadr[id];
    let in_parent = m.actuator_trntype(i) == TrnType::Jointinparent;
    let quat_at =
        |a: usize| quat::normalize([state.qpos[a], state.qpos[a + 1], state.qpos[a + 2], state.qpos[a + 3]]).0;
    // torque axes of quaternion joints are given in the child frame, or in the parent frame
    let axis = |q: [f64; 4], axis: Vec3| if in_parent { quat::rotate(quat::conj(q), axis) } else { axis };
    match m.jnt_type(id) {
        JointType::Ball => {
            let q = quat_at(adr);
            let axis = axis(q, [gear[0], gear[1], gear[2]]);
            (0..3).for_each(|k| out.push(dof + k as i32, axis[k]));
            vec3::dot(quat::to_velocity(q, 1.0), axis)
        }
        JointType::Free => {
            let axis = axis(quat_at(adr + 3), [gear[3], gear[4], gear[5]]);
            (0..3).for_each(|k| out.push(dof + k as i32, gear[k]));
            (0..3).for_each(|k| out.push(dof + 3 + k as i32, axis[k]));
            0.0
        }
        _ => {
            out.push(dof, gear[0]);
            state.qpos[adr] * gear[0]
        }
    }
}

/// Crank site on a rod of fixed length, whose other end slides along the z-axis of the slider site:
/// `l = a·v − √((a·v)² + r² − v·v)`.
fn slider_crank(m: &Model, pose: &Pose, i: usize, id: usize, out: &mut Moment, mut row: RowSum) -> f64 {
    let slider = m.actuator_trnid[i][1] as usize;
    let gear = m.actuator_gear[i][0];
    let rod = m.actuator_cranklength[i];
    let axis = mat3::col(&pose.site_xmat[slider], 2);
    let (crank_pos, slider_pos) = (pose.site_xpos[id], pose.site_xpos[slider]);
    let vec = vec3::sub(crank_pos, slider_pos);
    let av = vec3::dot(vec, axis);
    let det = av * av + rod * rod - vec3::dot(vec, vec);
    // out of reach: take the point of the slider axis nearest to the crank
    let (length, by_axis, by_vec) = if det <= 0.0 {
        (av, vec, axis)
    } else {
        let root = det.sqrt();
        let along = vec3::scale(axis, 1.0 - av / root);
        (av - root, vec3::scale(vec, 1.0 - av / root), vec3::add(along, vec3::scale(vec, 1.0 / root)))
    };
    let bodies = [m.site_bodyid[slider] as usize, m.site_bodyid[id] as usize];
    let arm = [chain::offset(m, pose, bodies[0], slider_pos), chain::offset(m, pose, bodies[1], crank_pos)];
    for shared in chain::merged(m, bodies[0], bodies[1]) {
        let dof = &pose.cdof[shared.dof];
        let mut column = if shared.moves[1] { chain::column(dof, arm[1]) } else { [0.0; 3] };
        let mut turn = [0.0; 3];
        if shared.moves[0] {
            column = vec3::sub(column, chain::column(dof, arm[0]));
            turn = vec3::cross(spatial::rot(dof), axis);
        }
        let value = row.at(shared.dof);
        for k in 0..3 {
            *value += by_axis[k] * turn[k] + by_vec[k] * column[k];
        }
    }
    row.scale(gear);
    out.compress(row);
    length * gear
}

fn tendon(m: &Model, pose: &Pose, i: usize, id: usize, out: &mut Moment) -> f64 {
    let gear = m.actuator_gear[i][0];
    match tendon_row(m, pose, id) {
        JacRow::Sparse(cols, values) => {
            cols.iter().zip(values).for_each(|(&dof, v)| out.push(dof, v * gear));
        }
        JacRow::Dense(values) => out.next += out.compress_dense(values, gear),
    }
    pose.ten_length[id] * gear
}

/// Moment of a wrench given in the frame of a site.
fn site(m: &Model, pose: &Pose, i: usize, id: usize, out: &mut Moment, mut row: RowSum) -> f64 {
    let [force, torque] = wrench(m, pose, i, id);
    let body = m.site_bodyid[id] as usize;
    let arm = chain::offset(m, pose, body, pose.site_xpos[id]);
    for dof in chain::ancestors(m, body) {
        let axis = &pose.cdof[dof];
        *row.at(dof) = vec3::dot(chain::column(axis, arm), force) + vec3::dot(spatial::rot(axis), torque);
    }
    out.compress(row);
    0.0
}

/// Gear of an actuator as force and torque, rotated from the frame of a site to the world.
fn wrench(m: &Model, pose: &Pose, i: usize, site: usize) -> [Vec3; 2] {
    let (gear, mat) = (&m.actuator_gear[i], &pose.site_xmat[site]);
    [mat3::mul_vec(mat, [gear[0], gear[1], gear[2]]), mat3::mul_vec(mat, [gear[3], gear[4], gear[5]])]
}

/// Position and rotation of a site relative to a reference site, along the gear in the reference frame.
/// Dofs that move both sites have no effect.
fn site_pair(m: &Model, pose: &Pose, i: usize, id: usize, out: &mut Moment, mut row: RowSum) -> f64 {
    let reference = m.actuator_trnid[i][1] as usize;
    let sites = [reference, id];
    let bodies = sites.map(|s| m.site_bodyid[s] as usize);
    let gear = &m.actuator_gear[i];
    let (gear_tran, gear_rot) = ([gear[0], gear[1], gear[2]], [gear[3], gear[4], gear[5]]);
    let [force, torque] = wrench(m, pose, i, reference);
    let mut length = 0.0;
    if gear_tran != [0.0; 3] {
        let vec = vec3::sub(pose.site_xpos[id], pose.site_xpos[reference]);
        length += vec3::dot(mat3::mul_vec_t(&pose.site_xmat[reference], vec), gear_tran);
    }
    if gear_rot != [0.0; 3] {
        let [ref_quat, quat] = [0, 1].map(|k| quat::mul(m.site_quat[sites[k]], pose.xquat[bodies[k]]));
        length += vec3::dot(quat::sub(quat, ref_quat), gear_rot);
    }
    for shared in chain::merged(m, bodies[0], bodies[1]) {
        let (side, sign) = match shared.moves {
            [true, true] => continue,
            [true, false] => (0, -1.0),
            _ => (1, 1.0),
        };
        let axis = &pose.cdof[shared.dof];
        let arm = chain::offset(m, pose, bodies[side], pose.site_xpos[sites[side]]);
        let along = vec3::dot(chain::column(axis, arm), force) + vec3::dot(spatial::rot(axis), torque);
        *row.at(shared.dof) = sign * along;
    }
    out.compress(row);
    length
}

/// Adhesion of a body: minus the mean of the normal Jacobians of its contacts, including contacts in the gap.
fn adhesion(m: &Model, d: &Inputs, body: usize, out: &mut Moment, mut row: RowSum) -> f64 {
    let jac = Jacobian::efc(m, d.efc);
    let mut count = 0;
    for con in d.contact {
        let [Ok(g1), Ok(g2)] = con.geom.map(usize::try_from) else { continue };
        let [b1, b2] = [m.geom_bodyid[g1] as usize, m.geom_bodyid[g2] as usize];
        if b1 != body && b2 != body {
            continue;
        }
        match con.exclude {
            0 => {
                let Ok(first) = usize::try_from(con.efc_address) else { continue };
                // the edges of a pyramid average to its normal; the row tells the cone, as the option may have changed
                // since the rows were made
                let pyramid = d.efc.efc_type[first] == ConstraintType::ContactPyramidal as i32;
                let edges = if pyramid { 2 * (con.dim as usize - 1) } else { 1 };
                let weight = 1.0 / edges as f64;
                for r in first..first + edges {
                    jac.row(r).entries().for_each(|(dof, v)| *row.at(dof) += v * weight);
                }
            }
            1 => {
                let normal = mat3::row(&con.frame, 0);
                let arm = [b1, b2].map(|b| chain::offset(m, d.pose, b, con.pos));
                for shared in chain::merged(m, b1, b2) {
                    let axis = &d.pose.cdof[shared.dof];
                    let at = |k: usize| if shared.moves[k] { chain::column(axis, arm[k]) } else { [0.0; 3] };
                    *row.at(shared.dof) += vec3::dot(normal, vec3::sub(at(1), at(0)));
                }
            }
            _ => continue,
        }
        count += 1;
    }
    if count > 0 {
        row.scale(-1.0 / count as f64);
    }
    out.compress(row);
    0.0
}
