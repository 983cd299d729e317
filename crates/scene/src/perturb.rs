//! Interactive translation and rotation of bodies.

use crate::Result;
use crate::camera::{frustum_height, in_model};
use crate::mouse::PARALLEL;
use crate::scene::Scene;
use sinew_engine::model::enums::{JointType, ObjType, PertBits};
use sinew_engine::support::{inertia, jacobian, object};
use sinew_engine::view::Perturb;
use sinew_engine::{Data, Model};
use sinew_math::spatial::{lin, rot};
use sinew_math::{MINVAL, Quat, Vec3, mat3, quat, vec3};

/// Active perturbations of both users.
fn active(pert: &Perturb) -> PertBits {
    PertBits::from_bits_retain(pert.active | pert.active2)
}

/// The selected body.
fn selected(m: &Model, pert: &Perturb) -> Option<usize> {
    usize::try_from(pert.select).ok().filter(|b| *b < m.nbody)
}

/// The selected point in the world.
pub(crate) fn point(d: &Data, body: usize, pert: &Perturb) -> Vec3 {
    vec3::add(mat3::mul_vec(&d.pose.xmat[body], pert.localpos), d.pose.xpos[body])
}

/// Starts a perturbation: sets the reference to the body's pose, and computes its inertia and the scale of motions.
///
/// # Errors
/// A scene without a camera.
#[doc(alias = "mjv_initPerturb")]
pub fn init_perturb(m: &Model, d: &Data, scene: &Scene, pert: &mut Perturb) -> Result<()> {
    let Some(body) = selected(m, pert).filter(|b| *b > 0) else { return Ok(()) };
    let at = point(d, body, pert);
    pert.localmass = mass_at(m, d, at, body);
    let flex = usize::try_from(pert.flexselect).ok().filter(|f| *f < m.nflex && m.flex_rigid[*f] == 0);
    if let Some(f) = flex {
        // a vertex shares its edges' stiffness with its neighbours
        pert.localmass *= 2.0 * f64::from(m.flex_edgenum[f]) / f64::from(m.flex_vertnum[f]);
    }
    pert.refpos = d.pose.xipos[body];
    pert.refquat = quat::mul(d.pose.xquat[body], m.body_iquat[body]);
    pert.refselpos = at;
    let eye = in_model(scene)?;
    pert.scale = frustum_height(scene)? * vec3::dot(vec3::sub(at, eye.pos), eye.forward);
    if scene.camera[0].orthographic != 0 {
        pert.scale *= PARALLEL;
    }
    Ok(())
}

/// Effective mass when a point of a body is pulled, averaged over three directions.
fn mass_at(m: &Model, d: &Data, at: Vec3, body: usize) -> f64 {
    let mut jac = vec![0.0; 3 * m.nv];
    jacobian::jac(m, &d.pose, Some(&mut jac), None, at, body);
    let root: Vec<f64> = d.inertia.qLDiagInv.iter().map(|x| x.sqrt()).collect();
    let mut inverse = 0.0;
    for row in jac.chunks_exact_mut(m.nv.max(1)) {
        inertia::solve_m2(m, &d.inertia, row, &root);
        inverse += row.iter().map(|x| x * x).sum::<f64>();
    }
    if inverse == 0.0 { 1.0 } else { 3.0 / inverse.max(MINVAL) }
}

/// Composition of two poses, the second given in the frame of the first.
fn compose((pos, turn): (Vec3, Quat), (local, inner): (Vec3, Quat)) -> (Vec3, Quat) {
    (vec3::add(quat::rotate(turn, local), pos), quat::mul(turn, inner))
}

/// Inverse of a pose.
fn inverse((pos, turn): (Vec3, Quat)) -> (Vec3, Quat) {
    let back = quat::conj(turn);
    (vec3::scale(quat::rotate(back, pos), -1.0), back)
}

/// Moves the selected body to its reference: a mocap body always, a body with a free joint, or in a tree whose root has
/// one, while `paused`.
#[doc(alias = "mjv_applyPerturbPose")]
pub fn apply_pose(m: &Model, d: &mut Data, pert: &Perturb, paused: bool) {
    let Some(body) = selected(m, pert).filter(|b| *b > 0 && !active(pert).is_empty()) else { return };
    let frame = compose((pert.refpos, pert.refquat), inverse((m.body_ipos[body], m.body_iquat[body])));
    if let Ok(mocap) = usize::try_from(m.body_mocapid[body]) {
        (d.state.mocap_pos[mocap], d.state.mocap_quat[mocap]) = frame;
        return;
    }
    let floating = |b: usize| {
        let joint = usize::try_from(m.body_jntadr[b]).ok().filter(|_| m.body_jntnum[b] == 1)?;
        (m.jnt_type(joint) == JointType::Free).then(|| m.jnt_qposadr[joint] as usize)
    };
    let root = m.body_rootid[body] as usize;
    let Some((adr, of)) = [body, root].into_iter().find_map(|b| Some((floating(b)?, b))).filter(|_| paused) else {
        return;
    };
    let qpos = &mut d.state.qpos[adr..adr + 7];
    let placed = if of == body {
        frame
    } else {
        let now = ([qpos[0], qpos[1], qpos[2]], [qpos[3], qpos[4], qpos[5], qpos[6]]);
        compose(frame, compose(inverse((d.pose.xpos[body], d.pose.xquat[body])), now))
    };
    qpos[..3].copy_from_slice(&placed.0);
    qpos[3..].copy_from_slice(&placed.1);
}

/// Pulls and rotates the selected body towards its reference with critically damped springs in `xfrc_applied`.
#[doc(alias = "mjv_applyPerturbForce")]
pub fn apply_force(m: &Model, d: &mut Data, pert: &Perturb) {
    let (Some(body), under_way) = (selected(m, pert), active(pert)) else { return };
    if under_way.is_empty() {
        return;
    }
    let Some(frame) = object::object_frame(m, &d.pose, ObjType::Body, body) else { return };
    let velocity = frame.velocity(m, &d.pose, &d.motion, false);
    let (spin, speed) = (rot(&velocity), lin(&velocity));
    let weight = m.body_invweight0[body][1];
    let inertia = if weight == 0.0 { 1.0 } else { 1.0 / weight.max(MINVAL) };
    let turning = f64::from(m.vis.map.stiffnessrot);
    let [fx, fy, fz, tx, ty, tz] = d.state.xfrc_applied[body];
    let (mut force, mut torque) = ([fx, fy, fz], [tx, ty, tz]);
    if under_way.intersects(PertBits::TRANSLATE) {
        let at = point(d, body, pert);
        let away = vec3::sub(at, pert.refselpos);
        let arm = vec3::sub(at, d.pose.xipos[body]);
        let velocity = vec3::add(vec3::cross(spin, arm), speed);
        let stiffness = f64::from(m.vis.map.stiffness);
        let pull = vec3::scale(away, -stiffness * pert.localmass);
        force = vec3::add_scaled(pull, velocity, -stiffness.sqrt() * pert.localmass);
        let axis = vec3::normalize(away).0;
        let twist = -turning.sqrt() * inertia * vec3::dot(axis, spin);
        torque = vec3::add_scaled(vec3::cross(arm, force), axis, twist);
    }
    if under_way.intersects(PertBits::ROTATE) {
        let own = quat::mul(d.pose.xquat[body], m.body_iquat[body]);
        let back = quat::mul(pert.refquat, quat::conj(own));
        let spring = quat::to_velocity(back, 1.0 / (turning * inertia));
        torque = vec3::add_scaled(spring, spin, -turning.sqrt() * inertia);
    }
    d.state.xfrc_applied[body] = [force[0], force[1], force[2], torque[0], torque[1], torque[2]];
}
