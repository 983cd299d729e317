//! Saving and restoring the state as one vector, in MuJoCo's order.
//!
//! A signature is a combination of [`StateFlags`] bits; elements are stored in the order of their bits.

use super::{Data, State};
use crate::model::Model;
use crate::model::enums::StateFlags;

/// Elements in the order of their bits.
const ELEMENTS: [StateFlags; 14] = [
    StateFlags::TIME,
    StateFlags::QPOS,
    StateFlags::QVEL,
    StateFlags::ACT,
    StateFlags::HISTORY,
    StateFlags::WARMSTART,
    StateFlags::CTRL,
    StateFlags::QFRC_APPLIED,
    StateFlags::XFRC_APPLIED,
    StateFlags::EQ_ACTIVE,
    StateFlags::MOCAP_POS,
    StateFlags::MOCAP_QUAT,
    StateFlags::USERDATA,
    StateFlags::PLUGIN,
];

/// A signature or a vector length that does not fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StateError {
    /// Bits beyond the known elements.
    #[error("invalid state signature {0}, must be between 0 and {max}", max = (1 << ELEMENTS.len()) - 1)]
    Signature(i32),
    /// Requested elements are missing in the source.
    #[error("state signature {wanted} is not a subset of {held}")]
    NotSubset {
        /// Signature requested.
        wanted: i32,
        /// Signature of the source.
        held: i32,
    },
    /// A vector of the wrong length.
    #[error("state of {got} numbers where {want} are needed")]
    Size {
        /// Length found.
        got: usize,
        /// Length needed.
        want: usize,
    },
}

/// Values of one element.
enum Part<'a> {
    Num(&'a [f64]),
    Byte(&'a [u8]),
}

enum PartMut<'a> {
    Num(&'a mut [f64]),
    Byte(&'a mut [u8]),
}

macro_rules! part {
    ($part:ident, $state:expr, $bit:expr, $flat:ident, $one:path $(, $mut:tt)?) => {
        match $bit {
            StateFlags::TIME => $part::Num($one(&$($mut)? $state.time)),
            StateFlags::QPOS => $part::Num(&$($mut)? $state.qpos),
            StateFlags::QVEL => $part::Num(&$($mut)? $state.qvel),
            StateFlags::ACT => $part::Num(&$($mut)? $state.act),
            StateFlags::HISTORY => $part::Num(&$($mut)? $state.history),
            StateFlags::WARMSTART => $part::Num(&$($mut)? $state.qacc_warmstart),
            StateFlags::CTRL => $part::Num(&$($mut)? $state.ctrl),
            StateFlags::QFRC_APPLIED => $part::Num(&$($mut)? $state.qfrc_applied),
            StateFlags::XFRC_APPLIED => $part::Num($state.xfrc_applied.$flat()),
            StateFlags::EQ_ACTIVE => $part::Byte(&$($mut)? $state.eq_active),
            StateFlags::MOCAP_POS => $part::Num($state.mocap_pos.$flat()),
            StateFlags::MOCAP_QUAT => $part::Num($state.mocap_quat.$flat()),
            StateFlags::USERDATA => $part::Num(&$($mut)? $state.userdata),
            StateFlags::PLUGIN => $part::Num(&$($mut)? $state.plugin_state),
            _ => $part::Num(&$($mut)? []),
        }
    };
}

impl State {
    fn part(&self, bit: StateFlags) -> Part<'_> {
        part!(Part, self, bit, as_flattened, std::slice::from_ref)
    }

    fn part_mut(&mut self, bit: StateFlags) -> PartMut<'_> {
        part!(PartMut, self, bit, as_flattened_mut, std::slice::from_mut, mut)
    }

    /// Copies the elements of a signature to `out`.
    #[doc(alias = "mj_getState")]
    pub fn get(&self, m: &Model, out: &mut [f64], sig: i32) -> Result<(), StateError> {
        fits(m, out.len(), sig)?;
        let mut rest = out;
        for bit in elements(sig)? {
            let (head, tail) = rest.split_at_mut(element_size(m, bit));
            match self.part(bit) {
                Part::Num(values) => head.copy_from_slice(values),
                Part::Byte(values) => head.iter_mut().zip(values).for_each(|(h, v)| *h = f64::from(*v)),
            }
            rest = tail;
        }
        Ok(())
    }

    /// Sets the elements of a signature from `src`.
    #[doc(alias = "mj_setState")]
    pub fn set(&mut self, m: &Model, src: &[f64], sig: i32) -> Result<(), StateError> {
        fits(m, src.len(), sig)?;
        let mut rest = src;
        for bit in elements(sig)? {
            let (head, tail) = rest.split_at(element_size(m, bit));
            match self.part_mut(bit) {
                PartMut::Num(values) => values.copy_from_slice(head),
                PartMut::Byte(values) => values.iter_mut().zip(head).for_each(|(v, h)| *v = *h as u8),
            }
            rest = tail;
        }
        Ok(())
    }

    /// Copies the elements of a signature from another simulation of the same model.
    #[doc(alias = "mj_copyState")]
    pub fn copy_elements(&mut self, src: &State, sig: i32) -> Result<(), StateError> {
        for bit in elements(sig)? {
            match (self.part_mut(bit), src.part(bit)) {
                (PartMut::Num(to), Part::Num(from)) => to.copy_from_slice(from),
                (PartMut::Byte(to), Part::Byte(from)) => to.copy_from_slice(from),
                _ => {}
            }
        }
        Ok(())
    }
}

fn elements(sig: i32) -> Result<impl Iterator<Item = StateFlags>, StateError> {
    if !(0..1 << ELEMENTS.len()).contains(&sig) {
        return Err(StateError::Signature(sig));
    }
    Ok(ELEMENTS.into_iter().filter(move |&bit| sig & bit.bits() != 0))
}

fn element_size(m: &Model, bit: StateFlags) -> usize {
    match bit {
        StateFlags::TIME => 1,
        StateFlags::QPOS => m.nq,
        StateFlags::QVEL | StateFlags::WARMSTART | StateFlags::QFRC_APPLIED => m.nv,
        StateFlags::ACT => m.na,
        StateFlags::HISTORY => m.nhistory,
        StateFlags::CTRL => m.nu,
        StateFlags::XFRC_APPLIED => 6 * m.nbody,
        StateFlags::EQ_ACTIVE => m.neq,
        StateFlags::MOCAP_POS => 3 * m.nmocap,
        StateFlags::MOCAP_QUAT => 4 * m.nmocap,
        StateFlags::USERDATA => m.nuserdata,
        StateFlags::PLUGIN => m.npluginstate,
        _ => 0,
    }
}

fn fits(m: &Model, got: usize, sig: i32) -> Result<(), StateError> {
    let want = state_size(m, sig)?;
    if got == want { Ok(()) } else { Err(StateError::Size { got, want }) }
}

/// Length of the vector with the elements of a signature.
#[doc(alias = "mj_stateSize")]
pub fn state_size(m: &Model, sig: i32) -> Result<usize, StateError> {
    Ok(elements(sig)?.map(|bit| element_size(m, bit)).sum())
}

/// Copies the elements of `dst_sig` from a vector with the elements of `src_sig`.
#[doc(alias = "mj_extractState")]
pub fn extract_state(m: &Model, src: &[f64], src_sig: i32, dst: &mut [f64], dst_sig: i32) -> Result<(), StateError> {
    fits(m, src.len(), src_sig)?;
    if src_sig & dst_sig != dst_sig {
        return Err(StateError::NotSubset { wanted: dst_sig, held: src_sig });
    }
    fits(m, dst.len(), dst_sig)?;
    let (mut from, mut to) = (src, dst);
    for bit in elements(src_sig)? {
        let (head, tail) = from.split_at(element_size(m, bit));
        if dst_sig & bit.bits() != 0 {
            let (out, rest) = to.split_at_mut(head.len());
            out.copy_from_slice(head);
            to = rest;
        }
        from = tail;
    }
    Ok(())
}

/// A keyframe that the model does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("keyframe {key} does not exist; the model has {count}, counted from 0")]
#[non_exhaustive]
pub struct UnknownKeyframe {
    /// The requested keyframe.
    pub key: usize,
    /// Number of keyframes in the model.
    pub count: usize,
}

impl UnknownKeyframe {
    fn check(m: &Model, key: usize) -> Result<usize, Self> {
        if key < m.nkey { Ok(key) } else { Err(UnknownKeyframe { key, count: m.nkey }) }
    }
}

impl Data {
    /// [`Data::reset`], then loads a keyframe, given by its index or [`Id`](crate::handle::Id).
    ///
    /// # Errors
    /// [`UnknownKeyframe`]; the simulation is then unchanged.
    #[doc(alias = "mj_resetDataKeyframe")]
    pub fn reset_keyframe(&mut self, m: &Model, key: impl Into<usize>) -> Result<(), UnknownKeyframe> {
        let key = UnknownKeyframe::check(m, key.into())?;
        self.reset(m);
        let s = &mut self.state;
        s.time = m.key_time[key];
        s.qpos.copy_from_slice(&m.key_qpos[key * m.nq..][..m.nq]);
        s.qvel.copy_from_slice(&m.key_qvel[key * m.nv..][..m.nv]);
        s.act.copy_from_slice(&m.key_act[key * m.na..][..m.na]);
        s.ctrl.copy_from_slice(&m.key_ctrl[key * m.nu..][..m.nu]);
        s.mocap_pos.as_flattened_mut().copy_from_slice(&m.key_mpos[key * 3 * m.nmocap..][..3 * m.nmocap]);
        s.mocap_quat.as_flattened_mut().copy_from_slice(&m.key_mquat[key * 4 * m.nmocap..][..4 * m.nmocap]);
        Ok(())
    }
}

impl Model {
    /// Stores the current state as a keyframe.
    ///
    /// # Errors
    /// [`UnknownKeyframe`]: only the keyframes of the file can be overwritten.
    #[doc(alias = "mj_setKeyframe")]
    pub fn set_keyframe(&mut self, d: &Data, key: impl Into<usize>) -> Result<(), UnknownKeyframe> {
        let key = UnknownKeyframe::check(self, key.into())?;
        let (nq, nv, na, nu, nmocap) = (self.nq, self.nv, self.na, self.nu, self.nmocap);
        let s = &d.state;
        self.key_time[key] = s.time;
        self.key_qpos[key * nq..][..nq].copy_from_slice(&s.qpos);
        self.key_qvel[key * nv..][..nv].copy_from_slice(&s.qvel);
        self.key_act[key * na..][..na].copy_from_slice(&s.act);
        self.key_ctrl[key * nu..][..nu].copy_from_slice(&s.ctrl);
        self.key_mpos[key * 3 * nmocap..][..3 * nmocap].copy_from_slice(s.mocap_pos.as_flattened());
        self.key_mquat[key * 4 * nmocap..][..4 * nmocap].copy_from_slice(s.mocap_quat.as_flattened());
        Ok(())
    }
}
