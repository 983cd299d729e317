//! A simulation as bytes and back, and storage that outlives a resize.

use super::rows::RowGroups;
use super::{Contact, Data};
use crate::bytes::{BytesError, Reader, header, layout};
use crate::fields::{Dim, Fields, Slice, SliceMut};
use crate::model::Model;
use std::any::Any;

const MAGIC: &str = "sinew Data";

/// Copies a growing field to storage of the same capacity; the caller gets the old storage.
pub(super) fn replace_storage<T: Copy>(field: &mut Vec<T>) -> Vec<T> {
    let mut fresh = Vec::with_capacity(field.capacity());
    fresh.extend_from_slice(field);
    std::mem::replace(field, fresh)
}

impl Contact {
    /// All zero; what a contact is before it is filled.
    pub const ZERO: Contact = Contact {
        dist: 0.0,
        pos: [0.0; 3],
        frame: [0.0; 9],
        includemargin: 0.0,
        friction: [0.0; 5],
        solref: [0.0; 2],
        solreffriction: [0.0; 2],
        solimp: [0.0; 5],
        mu: 0.0,
        H: [0.0; 36],
        dim: 0,
        geom: [0; 2],
        flex: [0; 2],
        elem: [0; 2],
        vert: [0; 2],
        exclude: 0,
        efc_address: 0,
    };

    fn reals(&mut self) -> [&mut [f64]; 10] {
        use std::slice::from_mut;
        [
            from_mut(&mut self.dist),
            &mut self.pos,
            &mut self.frame,
            from_mut(&mut self.includemargin),
            &mut self.friction,
            &mut self.solref,
            &mut self.solreffriction,
            &mut self.solimp,
            from_mut(&mut self.mu),
            &mut self.H,
        ]
    }

    fn integers(&mut self) -> [&mut [i32]; 7] {
        use std::slice::from_mut;
        [
            from_mut(&mut self.dim),
            &mut self.geom,
            &mut self.flex,
            &mut self.elem,
            &mut self.vert,
            from_mut(&mut self.exclude),
            from_mut(&mut self.efc_address),
        ]
    }
}

/// Smallest number of bytes a saved contact can take; bounds what a hostile count may allocate.
const CONTACT_BYTES: usize = (3 + 3 + 9 + 5 + 2 + 2 + 5 + 36) * 8 + 11 * 4;

impl Data {
    /// Moves the contacts to fresh storage and hands out the old one, like [`Data::detach`].
    pub fn detach_contacts(&mut self) -> Box<dyn Any + Send + Sync> {
        Box::new(replace_storage(&mut self.contact))
    }

    /// Everything in this simulation as bytes that [`Data::from_bytes`] reads back for the same model.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut w = header(MAGIC, layout(Data::FIELDS, &[]));
        for i in 0..Data::FIELDS.len() {
            let values = self.field(i);
            w.u64(values.len() as u64);
            w.slice(values);
        }
        w.u64(self.contact.len() as u64);
        for mut c in self.contact.iter().copied() {
            c.reals().into_iter().for_each(|s| w.slice(Slice::F64(s)));
            c.integers().into_iter().for_each(|s| w.slice(Slice::I32(s)));
        }
        for warning in &self.warning {
            w.slice(Slice::I32(&[warning.lastinfo, warning.number]));
        }
        self.row_groups.write(&mut w);
        w.0
    }

    /// Reads what [`Data::to_bytes`] wrote for a model of the same sizes as `m`.
    pub fn from_bytes(m: &Model, bytes: &[u8]) -> Result<Data, BytesError> {
        let mut r = Reader(bytes);
        r.header(MAGIC, layout(Data::FIELDS, &[]))?;
        let mut d = Data::new(m);
        for (i, info) in Data::FIELDS.iter().enumerate() {
            let found = r.u64()?;
            if info.dims.iter().any(|dim| matches!(dim, Dim::Growing)) && found <= r.0.len() as u64 {
                d.grow(i, found as usize);
            }
            let values = d.field_mut(i);
            if values.len() as u64 != found {
                return Err(BytesError::Shape { field: info.name, expected: values.len(), found });
            }
            r.slice(values)?;
        }
        d.read_contacts(&mut r)?;
        for warning in &mut d.warning {
            let mut pair = [0; 2];
            r.slice(SliceMut::I32(&mut pair))?;
            [warning.lastinfo, warning.number] = pair;
        }
        d.row_groups = RowGroups::read(&mut r, d.efc.efc_type.len(), m.nv)?;
        r.end()?;
        Ok(d)
    }

    fn read_contacts(&mut self, r: &mut Reader<'_>) -> Result<(), BytesError> {
        let count = r.u64()?;
        let expected = u128::from(count) * CONTACT_BYTES as u128;
        if expected > r.0.len() as u128 {
            return Err(BytesError::Length { expected, found: r.0.len() });
        }
        for _ in 0..count {
            let mut c = Contact::ZERO;
            c.reals().into_iter().try_for_each(|s| r.slice(SliceMut::F64(s)))?;
            c.integers().into_iter().try_for_each(|s| r.slice(SliceMut::I32(s)))?;
            self.contact.push(c);
        }
        self.collision.ncon = self.contact.len() as i32;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Sizes;

    fn model(nq: usize) -> Model {
        let mut m = Model::zeroed(Sizes { nq, nv: 3, nbody: 2, ..Sizes::default() });
        m.body_mocapid.fill(-1);
        m.body_treeid.fill(-1);
        m
    }

    fn sample() -> (Model, Data) {
        let m = model(3);
        let mut d = Data::new(&m);
        d.state.qpos.copy_from_slice(&[1.0, -2.0, f64::MAX]);
        d.efc.efc_KBIP = vec![[1.0, 2.0, 3.0, 4.0]; 2];
        d.contact = vec![Contact { dist: -0.25, geom: [4, 5], ..Contact::ZERO }];
        d.collision.ncon = 1;
        d.warning[3].number = 7;
        (m, d)
    }

    #[test]
    fn bytes_come_back() {
        let (m, d) = sample();
        let back = Data::from_bytes(&m, &d.to_bytes()).unwrap();
        (0..Data::FIELDS.len()).for_each(|i| assert_eq!(back.field(i), d.field(i), "{}", Data::FIELDS[i].name));
        assert_eq!(back.contact, d.contact);
        assert_eq!(back.warning, d.warning);
    }

    #[test]
    fn hostile_bytes_are_refused() {
        let (m, d) = sample();
        let good = d.to_bytes();
        for len in 0..good.len() {
            assert!(Data::from_bytes(&m, &good[..len]).is_err(), "prefix of {len}");
        }
        for i in (0..good.len()).step_by(5) {
            let mut bad = good.clone();
            bad[i] ^= 0xff;
            let _ = Data::from_bytes(&m, &bad); // no panic, no giant allocation
        }
        assert!(matches!(Data::from_bytes(&model(4), &good), Err(BytesError::Shape { field: "qpos", .. })));
    }

    #[test]
    fn detached_storage_stays_where_it_was() {
        let (_, mut d) = sample();
        let row = Data::index_of("efc_KBIP").unwrap();
        let before = d.efc.efc_KBIP.as_ptr();
        let old = d.detach(row).unwrap().downcast::<Vec<[f64; 4]>>().unwrap();
        assert_eq!(old.as_ptr(), before);
        assert_ne!(d.efc.efc_KBIP.as_ptr(), before);
        assert_eq!(*old, d.efc.efc_KBIP);
        assert!(d.detach(Data::index_of("qpos").unwrap()).is_none());
    }
}
