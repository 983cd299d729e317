//! Keyframes: sizes are checked, missing vectors filled in, quaternions normalised.

use super::Section;
use super::flat::Flat;
use crate::error::{Error, ErrorKind, Result, gather};
use crate::schema::attr;
use crate::spec::keys::overlay;
use crate::spec::{self, Spec};
use sinew_engine::model::enums::JointType;
use sinew_engine::{Model, Sizes};
use sinew_math::quat;

/// Vectors whose squared norm is below this, or within this of one, are left unchanged.
const EPS: f64 = 1e-14;

/// Keyframes. A field is empty or complete; open values come from the initial state, which is read from the model, so
/// the tree must be filled first.
#[derive(Clone, Debug, Default)]
pub(crate) struct CompiledKeys {
    list: Vec<spec::Key>,
}

/// Checks the sizes of every keyframe; short ones and those of attached models are already complete.
pub(crate) fn resolve(spec: &Spec, flat: &Flat, na: usize) -> Result<CompiledKeys> {
    let nmocap = flat.bodies.iter().filter(|b| b.mocapid.is_some()).count();
    let want = [flat.nq, flat.nv, na, spec.actuators.len(), 3 * nmocap, 4 * nmocap];
    let nkey = spec.keys.len().max(usize::try_from(spec.size.nkey).unwrap_or(0));
    let place = |e: Error| e.element("size").attribute(attr::NKEY);
    spec.limits.check_elements(nkey).map_err(place)?;
    spec.limits.check_len("the keyframes", nkey as u64 * want.iter().sum::<usize>() as u64).map_err(place)?;
    gather(spec.keys.iter().map(|key| check_sizes(key, want).map_err(|e| e.at(key.meta.loc).element("key"))))?;
    let mut list = spec.keys.clone();
    list.resize_with(nkey, spec::Key::default);
    Ok(CompiledKeys { list })
}

fn check_sizes(key: &spec::Key, want: [usize; 6]) -> Result<()> {
    let given = [
        ("qpos", &key.qpos),
        ("qvel", &key.qvel),
        ("act", &key.act),
        ("ctrl", &key.ctrl),
        ("mpos", &key.mpos),
        ("mquat", &key.mquat),
    ];
    for ((attribute, values), want) in given.into_iter().zip(want) {
        if !values.is_empty() && values.len() != want {
            let kind = ErrorKind::WrongCount { expected: format!("{want} numbers"), got: values.len() };
            let error = Error::new(kind).attribute(attribute);
            return Err(
                error.hint("keyframes keep the values of joints and actuators that a program has deleted; remove them from the keyframes")
            );
        }
    }
    Ok(())
}

/// Normalises as MuJoCo's compiler does: vectors near zero, or already of unit length, are left unchanged.
fn normalize(q: &mut [f64]) {
    let square: f64 = q.iter().map(|x| x * x).sum();
    let norm = square.sqrt();
    if square >= EPS && (norm - 1.0).abs() > EPS {
        q.iter_mut().for_each(|x| *x /= norm);
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
            overlay(qpos, &key.qpos, &key.open.qpos);
            for &adr in &quats {
                let q = &mut qpos[adr..adr + 4];
                normalize(q);
                q.copy_from_slice(&quat::normalize([q[0], q[1], q[2], q[3]]).0);
            }
            overlay(&mut m.key_qvel[i * nv..][..nv], &key.qvel, &[]);
            overlay(&mut m.key_act[i * na..][..na], &key.act, &[]);
            overlay(&mut m.key_ctrl[i * nu..][..nu], &key.ctrl, &[]);
            let mpos = &mut m.key_mpos[i * 3 * nmocap..][..3 * nmocap];
            mpos.copy_from_slice(&mpos0);
            overlay(mpos, &key.mpos, &key.open.mpos);
            let mquat = &mut m.key_mquat[i * 4 * nmocap..][..4 * nmocap];
            mquat.copy_from_slice(&mquat0);
            overlay(mquat, &key.mquat, &key.open.mquat);
            mquat.chunks_exact_mut(4).for_each(normalize);
        }
    }
}
