//! Keyframes: sizes checked, missing numbers filled in, quaternions normalised.

use super::Section;
use super::flat::Flat;
use super::shared::check_len;
use crate::error::{Error, ErrorKind, Result};
use crate::spec::{self, Spec};
use sinew_engine::model::enums::JointType;
use sinew_engine::{Model, Sizes};
use sinew_math::quat;

/// Squared norm below which, and distance from one within which, a vector is left as it is.
const EPS: f64 = 1e-14;

/// Keyframes. A field is empty or complete; `NAN` in an attached keyframe stands for the initial state, which
/// is read from the model, so the tree must be filled first.
#[derive(Clone, Debug, Default)]
pub(crate) struct CompiledKeys {
    list: Vec<spec::Key>,
}

/// Lengths of the parts of a state.
struct StateSizes {
    nq: usize,
    nv: usize,
    na: usize,
    nu: usize,
    nmocap: usize,
}

/// Checks the sizes of every keyframe; short ones are completed as MuJoCo does.
pub(crate) fn resolve(spec: &Spec, flat: &Flat, na: usize) -> Result<CompiledKeys> {
    let nmocap = flat.bodies.iter().filter(|b| b.mocapid.is_some()).count();
    let sizes = StateSizes { nq: flat.nq, nv: flat.nv, na, nu: spec.actuators.len(), nmocap };
    let nkey = spec.keys.len().max(usize::try_from(spec.size.nkey).unwrap_or(0));
    let per_key = sizes.nq + sizes.nv + sizes.na + sizes.nu + 7 * sizes.nmocap;
    check_len("the keyframes", nkey as u64 * per_key.max(1) as u64).map_err(|e| e.element("size").attribute("nkey"))?;
    let reference = Reference::new(&spec.world);
    let one = |key: &spec::Key| complete(key, &sizes, &reference).map_err(|e| e.at(key.meta.loc).element("key"));
    let mut list = spec.keys.iter().map(one).collect::<Result<Vec<_>>>()?;
    list.resize_with(nkey, spec::Key::default);
    Ok(CompiledKeys { list })
}

fn complete(key: &spec::Key, sizes: &StateSizes, reference: &Reference) -> Result<spec::Key> {
    let mut key = key.clone();
    let zeros = |len: usize| vec![0.0; len];
    let attached = key.attached;
    let pad = |values: &mut Vec<f64>, name, want: usize, rest: &[f64]| {
        let have = values.len();
        if have > 0 && have < want && attached {
            values.resize(want, f64::NAN);
        } else if have > 0 && have < want && rest.len() == want {
            values.extend_from_slice(&rest[have..]);
        }
        match values.len() {
            0 => Ok(()),
            len if len == want => Ok(()),
            got => Err(Error::new(ErrorKind::WrongCount { expected: format!("{want} numbers"), got }).attribute(name)),
        }
    };
    pad(&mut key.qpos, "qpos", sizes.nq, &reference.qpos)?;
    pad(&mut key.qvel, "qvel", sizes.nv, &zeros(sizes.nv))?;
    pad(&mut key.act, "act", sizes.na, &zeros(sizes.na))?;
    pad(&mut key.ctrl, "ctrl", sizes.nu, &zeros(sizes.nu))?;
    // mocap poses are completed body by body: one that was begun but not finished is replaced
    let begun = |len: usize, width: usize| if len / width < sizes.nmocap { len - len % width } else { len };
    key.mpos.truncate(begun(key.mpos.len(), 3));
    key.mquat.truncate(begun(key.mquat.len(), 4));
    pad(&mut key.mpos, "mpos", 3 * sizes.nmocap, &reference.mpos)?;
    pad(&mut key.mquat, "mquat", 4 * sizes.nmocap, &reference.mquat)?;
    Ok(key)
}

/// What completes a keyframe that is too short. MuJoCo takes these numbers before it converts units and frames,
/// so angles are as written in the file, and the poses of free and ball joints are the identity.
#[derive(Default)]
struct Reference {
    qpos: Vec<f64>,
    mpos: Vec<f64>,
    mquat: Vec<f64>,
}

impl Reference {
    fn new(world: &spec::Body) -> Self {
        let mut reference = Reference::default();
        let mut stack = vec![world];
        while let Some(body) = stack.pop() {
            for joint in &body.joints {
                match joint.kind {
                    JointType::Free => reference.qpos.extend([0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]),
                    JointType::Ball => reference.qpos.extend([1.0, 0.0, 0.0, 0.0]),
                    JointType::Hinge | JointType::Slide => reference.qpos.push(joint.ref_),
                }
            }
            if body.mocap {
                reference.mpos.extend(body.pos);
                reference.mquat.extend(body.quat);
            }
            stack.extend(body.bodies.iter().rev());
        }
        reference
    }
}

/// Copies `values` over `row`, which holds the initial state; an empty list and `NAN` keep it.
fn overlay(row: &mut [f64], values: &[f64], keep_nan: bool) {
    for (to, &from) in row.iter_mut().zip(values) {
        if !(keep_nan && from.is_nan()) {
            *to = from;
        }
    }
}

/// Normalises as MuJoCo's compiler does: a vector near zero, or already of unit length, is not touched.
fn normalize(q: &mut [f64]) {
    let square: f64 = q.iter().map(|x| x * x).sum();
    let norm = square.sqrt();
    if square >= EPS && (norm - 1.0).abs() > EPS {
        q.iter_mut().for_each(|x| *x /= norm);
    }
}

impl CompiledKeys {
    /// Number of keyframes, including those that only the `size` element asks for.
    pub(crate) fn len(&self) -> usize {
        self.list.len()
    }
}

impl Section for CompiledKeys {
    fn count(&self, sizes: &mut Sizes) {
        sizes.nkey = self.list.len();
    }

    fn fill(&self, m: &mut Model) {
        let (nq, nv, na, nu, nmocap) = (m.nq, m.nv, m.na, m.nu, m.nmocap);
        let mocap: Vec<usize> = (0..m.nbody).filter(|&i| m.body_mocapid[i] >= 0).collect();
        let mpos0: Vec<f64> = mocap.iter().flat_map(|&i| m.body_pos[i]).collect();
        let mquat0: Vec<f64> = mocap.iter().flat_map(|&i| m.body_quat[i]).collect();
        let quats: Vec<usize> = (0..m.njnt)
            .filter_map(|j| match JointType::try_from(m.jnt_type[j]) {
                Ok(JointType::Free) => Some(m.jnt_qposadr[j] as usize + 3),
                Ok(JointType::Ball) => Some(m.jnt_qposadr[j] as usize),
                _ => None,
            })
            .collect();
        for (i, key) in self.list.iter().enumerate() {
            m.key_time[i] = key.time;
            let qpos = &mut m.key_qpos[i * nq..][..nq];
            qpos.copy_from_slice(&m.qpos0);
            overlay(qpos, &key.qpos, key.attached);
            for &adr in &quats {
                let q = &mut qpos[adr..adr + 4];
                normalize(q);
                q.copy_from_slice(&quat::normalize([q[0], q[1], q[2], q[3]]).0);
            }
            overlay(&mut m.key_qvel[i * nv..][..nv], &key.qvel, key.attached);
            overlay(&mut m.key_act[i * na..][..na], &key.act, key.attached);
            overlay(&mut m.key_ctrl[i * nu..][..nu], &key.ctrl, key.attached);
            let mpos = &mut m.key_mpos[i * 3 * nmocap..][..3 * nmocap];
            mpos.copy_from_slice(&mpos0);
            overlay(mpos, &key.mpos, key.attached);
            let mquat = &mut m.key_mquat[i * 4 * nmocap..][..4 * nmocap];
            mquat.copy_from_slice(&mquat0);
            overlay(mquat, &key.mquat, key.attached);
            mquat.chunks_exact_mut(4).for_each(normalize);
        }
    }
}
