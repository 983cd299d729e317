//! Newton–Euler after the constraint solve: body accelerations and the forces between bodies.

use super::rne::{along, body_forces, world_acc};
use crate::data::{Accel, Contact, Efc, Motion, Pose, Solution, State};
use crate::model::Model;
use crate::model::enums::{EqType, ObjType};
use crate::support::contact::contact_force;
use sinew_math::spatial::{Vec6, add, add_to, join, lin, rot, sub, transform_force};
use sinew_math::{Vec3, mat3, vec3};

/// Contacts and constraint forces, as external forces on bodies.
#[derive(Clone, Copy)]
pub struct External<'a> {
    /// Contacts.
    pub contact: &'a [Contact],
    /// Constraint rows.
    pub efc: &'a Efc,
    /// Constraint forces.
    pub solution: &'a Solution,
}

/// Accelerations of bodies, external forces on them, and interaction forces with their parents.
///
/// *Equation*: `cfrc_ext` = applied + contact + connect and weld forces; `cacc` as in
/// [`rne`](super::rne::rne) with the final `qacc`; `cfrc_int = I cacc + cvel ×* I cvel − cfrc_ext`,
/// summed leaf to root.
/// *Reads* `xfrc_applied`, poses, velocities, contacts, `efc_force`, `qacc`.
/// *Writes* `cacc`, `cfrc_ext`, `cfrc_int`, `flg_rnepost`.
#[doc(alias = "mj_rnePostConstraint")]
pub fn rne_post_constraint(m: &Model, state: &State, pose: &Pose, motion: &Motion, x: External, accel: &mut Accel) {
    accel.cfrc_ext.fill([0.0; 6]);
    applied(m, state, pose, &mut accel.cfrc_ext);
    contacts(m, pose, x, &mut accel.cfrc_ext);
    equalities(m, pose, x, &mut accel.cfrc_ext);

    let n = m.nbody;
    let Accel { cacc, cfrc_int, cfrc_ext, qacc, .. } = accel;
    let (cacc, cfrc_int, cfrc_ext) = (&mut cacc[..n], &mut cfrc_int[..n], &cfrc_ext[..n]);
    let (cinert, cvel, parents) = (&pose.cinert[..n], &motion.cvel[..n], &m.body_parentid[..n]);
    cacc[0] = world_acc(m);
    cfrc_int[0] = [0.0; 6];
    for i in 1..n {
        let dofs = m.body_dofs(i);
        let rate = along(&motion.cdof_dot, &state.qvel, dofs.clone());
        let before = add(&cacc[parents[i] as usize], &rate);
        cacc[i] = add(&before, &along(&pose.cdof, qacc, dofs));
    }
    body_forces(1..n, cinert, cacc, cvel, |i, f| cfrc_int[i] = sub(&f, &cfrc_ext[i]));
    for i in (1..n).rev() {
        let f = cfrc_int[i];
        add_to(&mut cfrc_int[parents[i] as usize], &f);
    }
    accel.flg_rnepost = 1;
}

/// Adds `sign · frc`, acting at `point`, to body `b` about its tree's centre of mass; nothing is added for the world.
fn push(m: &Model, pose: &Pose, cfrc_ext: &mut [Vec6], b: usize, frc: &Vec6, point: Vec3, sign: f64) {
    if b == 0 {
        return;
    }
    let com = pose.subtree_com[m.body_rootid[b] as usize];
    let at_com = transform_force(frc, com, point, None);
    for (sum, f) in cfrc_ext[b].iter_mut().zip(at_com) {
        *sum += sign * f;
    }
}

/// User forces `xfrc_applied`, acting at the bodies' centres of mass.
fn applied(m: &Model, state: &State, pose: &Pose, cfrc_ext: &mut [Vec6]) {
    for i in 1..m.nbody {
        let x = &state.xfrc_applied[i];
        if *x != [0.0; 6] {
            // `xfrc_applied` stores force first, torque second, so `rot` and `lin` are swapped
            push(m, pose, cfrc_ext, i, &join(lin(x), rot(x)), pose.xipos[i], 1.0);
        }
    }
}

/// Contact forces between geoms, opposite on the two bodies.
fn contacts(m: &Model, pose: &Pose, x: External, cfrc_ext: &mut [Vec6]) {
    for con in x.contact {
        let [Ok(g1), Ok(g2)] = con.geom.map(usize::try_from) else { continue };
        if con.efc_address < 0 {
            continue;
        }
        let f = contact_force(m, con, x.solution);
        let frc = join(mat3::mul_vec_t(&con.frame, lin(&f)), mat3::mul_vec_t(&con.frame, rot(&f)));
        push(m, pose, cfrc_ext, m.geom_bodyid[g1] as usize, &frc, con.pos, -1.0);
        push(m, pose, cfrc_ext, m.geom_bodyid[g2] as usize, &frc, con.pos, 1.0);
    }
}

/// Forces of connect and weld constraints, acting at their anchors.
fn equalities(m: &Model, pose: &Pose, External { efc, solution, .. }: External, cfrc_ext: &mut [Vec6]) {
    let mut row = 0;
    while row < efc.ne as usize {
        let id = efc.efc_id[row] as usize;
        let kind = m.eq_type(id);
        if let EqType::Connect | EqType::Weld = kind {
            let weld = kind == EqType::Weld;
            let f = &solution.efc_force[row..];
            let torque = if weld { [f[3], f[4], f[5]] } else { [0.0; 3] };
            let frc = join(torque, [f[0], f[1], f[2]]);
            // a connect stores the anchors of bodies 1 and 2 in data 0–2 and 3–5; a weld in the opposite order
            for (obj, at, sign) in [(m.eq_obj1id[id], weld, 1.0), (m.eq_obj2id[id], !weld, -1.0)] {
                let (b, offset) = anchor(m, id, obj as usize, 3 * at as usize);
                let point = vec3::add(mat3::mul_vec(&pose.xmat[b], offset), pose.xpos[b]);
                push(m, pose, cfrc_ext, b, &frc, point, sign);
            }
        }
        row += rows_of(m, id, kind);
    }
}

/// Body of an anchor of equality `id`, and the anchor in that body's frame.
fn anchor(m: &Model, id: usize, obj: usize, data: usize) -> (usize, Vec3) {
    if m.eq_objtype(id) == ObjType::Body {
        let d = &m.eq_data[id];
        (obj, [d[data], d[data + 1], d[data + 2]])
    } else {
        (m.site_bodyid[obj] as usize, m.site_pos[obj])
    }
}

/// Number of constraint rows of equality `id`.
fn rows_of(m: &Model, id: usize, kind: EqType) -> usize {
    let flex = m.eq_obj1id[id] as usize;
    match kind {
        EqType::Connect => 3,
        EqType::Weld => 6,
        EqType::Flex => {
            let start = m.flex_edgeadr[flex] as usize;
            let edges = &m.flexedge_rigid[start..start + m.flex_edgenum[flex] as usize];
            edges.iter().filter(|&&rigid| rigid == 0).count()
        }
        EqType::Flexvert => 2 * m.flex_vertnum[flex] as usize,
        _ => 1,
    }
}
