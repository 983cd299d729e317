//! Saving a simulation to bytes and loading it, and moving fields to new storage.

use super::rows::RowGroups;
use super::{Contact, Data, SolverStat, memory, multiplier};
use crate::bytes::{BytesError, Reader, header, layout, sealed};
use crate::fields::{FieldInfo, Fields, Zero};
use crate::model::{Model, Sizes};
use std::any::Any;

const MAGIC: &str = "sinew Data3";

/// Moves a growing field to new storage of the same capacity and returns the old storage.
pub(super) fn replace_storage<T: Copy>(field: &mut Vec<T>) -> Vec<T> {
    let mut fresh = Vec::with_capacity(field.capacity());
    fresh.extend_from_slice(field);
    std::mem::replace(field, fresh)
}

/// Size of a saved contact; bounds the allocation for an untrusted count.
fn contact_bytes() -> usize {
    let len = |f: &FieldInfo| f.dims.iter().map(|d| d.len(&Sizes::default())).product::<usize>();
    Contact::FIELDS.iter().map(|f| len(f) * f.dtype.bytes()).sum()
}

fn data_layout() -> u64 {
    layout(Data::FIELDS.iter().chain(Contact::FIELDS), &[])
}

impl Data {
    /// Moves the contacts to new storage and returns the old one, like [`Data::detach`].
    pub fn detach_contacts(&mut self) -> Box<dyn Any + Send + Sync> {
        Box::new(replace_storage(&mut self.contact))
    }

    /// Serialises the whole simulation; [`Data::from_bytes`] reads it back for the same model.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut w = header(MAGIC, data_layout());
        for i in 0..Data::FIELDS.len() {
            let values = self.field(i);
            w.u64(values.len() as u64);
            w.slice(values);
        }
        w.u64(self.contact.len() as u64);
        self.contact.iter().for_each(|c| w.fields(c));
        self.warning.iter().for_each(|warning| w.fields(warning));
        // groups of rows that have been dropped are stale
        let current = self.row_groups.rows() == self.efc.efc_type.len();
        if current {
            self.row_groups.write(&mut w)
        } else {
            RowGroups::default().write(&mut w)
        }
        self.timer.iter().for_each(|timer| w.fields(timer));
        // most iterations of the list were never run
        let used = self.solver.iter().rposition(|s| *s != SolverStat::default()).map_or(0, |last| last + 1);
        w.u64(used as u64);
        self.solver[..used].iter().for_each(|iteration| w.fields(iteration));
        multiplier::write(&self.multipliers, &mut w);
        sealed(w.0)
    }

    /// Loads the output of [`Data::to_bytes`] for a model of the same sizes as `m`.
    pub fn from_bytes(m: &Model, bytes: &[u8]) -> Result<Data, BytesError> {
        let mut r = Reader(bytes);
        r.open(MAGIC, data_layout())?;
        memory::probe(Data::bytes_needed(m))?;
        let mut d = Data::new(m);
        for (i, info) in Data::FIELDS.iter().enumerate() {
            let found = r.u64()?;
            if info.grows() && found <= r.0.len() as u64 {
                d.grow(i, found as usize);
            }
            let values = d.field_mut(i);
            if values.len() as u64 != found {
                return Err(BytesError::Shape { field: info.name, expected: values.len(), found });
            }
            r.slice(values)?;
        }
        d.read_contacts(&mut r)?;
        d.warning.iter_mut().try_for_each(|warning| r.fields(warning))?;
        d.row_groups = RowGroups::read(&mut r, d.efc.efc_type.len(), m.nv)?;
        d.read_statistics(&mut r)?;
        d.multipliers = multiplier::read(&mut r)?;
        r.end()?;
        d.validate(m)?;
        Ok(d)
    }

    fn read_statistics(&mut self, r: &mut Reader<'_>) -> Result<(), BytesError> {
        self.timer.iter_mut().try_for_each(|timer| r.fields(timer))?;
        let (used, room) = (r.u64()?, self.solver.len());
        let wrong = BytesError::Shape { field: "solver", expected: room, found: used };
        let list = usize::try_from(used).ok().and_then(|n| self.solver.get_mut(..n)).ok_or(wrong)?;
        list.iter_mut().try_for_each(|iteration| r.fields(iteration))
    }

    fn read_contacts(&mut self, r: &mut Reader<'_>) -> Result<(), BytesError> {
        let count = r.u64()?;
        let expected = u128::from(count) * contact_bytes() as u128;
        if expected > r.0.len() as u128 {
            return Err(BytesError::Length { expected, found: r.0.len() });
        }
        for _ in 0..count {
            let mut c = Contact::ZERO;
            r.fields(&mut c)?;
            self.contact.push(c);
        }
        self.collision.ncon = self.contact.len() as i32;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::TimerStat;
    use crate::model::enums::ConstraintType;

    fn model(nq: usize) -> Model {
        let mut m = Model::zeroed(Sizes { nq, nv: 3, nbody: 2, ngeom: 6, ntree: 1, ..Sizes::default() });
        m.body_mocapid.fill(-1);
        m.body_treeid.fill(-1);
        m
    }

    fn sample() -> (Model, Data) {
        let m = model(3);
        let mut d = Data::new(&m);
        d.state.qpos.copy_from_slice(&[1.0, -2.0, f64::MAX]);
        d.efc.efc_type = vec![ConstraintType::FrictionDof as i32; 2];
        d.efc.efc_id = vec![0, 2];
        (d.efc.nefc, d.efc.nf) = (2, 2);
        d.efc.efc_KBIP = vec![[1.0, 2.0, 3.0, 4.0]; 2];
        let none = [-1; 2];
        let geoms = Contact { geom: [4, 5], flex: none, elem: none, vert: none, ..Contact::ZERO };
        d.contact = vec![Contact { dist: -0.25, dim: 3, efc_address: -1, ..geoms }];
        d.collision.ncon = 1;
        d.warning[3].number = 7;
        d.timer[2] = TimerStat { duration: 0.5, number: 3 };
        d.solver[1] = SolverStat { gradient: 1e-3, nupdate: 4, ..SolverStat::default() };
        (m, d)
    }

    #[test]
    fn bytes_come_back() {
        let (m, d) = sample();
        let back = Data::from_bytes(&m, &d.to_bytes()).unwrap();
        (0..Data::FIELDS.len()).for_each(|i| assert_eq!(back.field(i), d.field(i), "{}", Data::FIELDS[i].name));
        assert_eq!(back.contact, d.contact);
        assert_eq!(back.warning, d.warning);
        assert_eq!(back.timer, d.timer);
        assert_eq!(back.solver, d.solver);
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
            assert!(Data::from_bytes(&m, &bad).is_err(), "byte {i}");
            bad.truncate(good.len() - 8);
            let _ = Data::from_bytes(&m, &sealed(bad)); // no panic, no giant allocation
        }
        let (_, mut astray) = sample();
        astray.efc.efc_id[1] = 3;
        let broken = Data::from_bytes(&m, &astray.to_bytes()).unwrap_err();
        assert_eq!(broken.to_string(), "efc_id[1] is 3, expected an index below 3");
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
