//! Per-world fields of the model: which tables of the kernels depend on them, and their numbers.

use crate::GpuError;
use crate::plan::{Plan, tables_of};
use crate::refuse::Refusal;
use crate::tables::Numbers;
use sinew_engine::Model;
use sinew_engine::data::Data;
use sinew_engine::fields::{DType, Fields, Slice, SliceMut};
use sinew_engine::set_const::set_const;
use std::borrow::Cow;

/// Per-world fields and tables.
#[derive(Clone, Debug, Default)]
pub struct WorldFields {
    /// Fields of the model, by their index in its field table.
    pub fields: Vec<usize>,
    /// For each table of the kernels, whether it is per world.
    pub tables: Vec<bool>,
}

const ADVICE: &str = "ask for fields of MjModel that are real numbers and that kernels read";

impl WorldFields {
    /// Finds the tables that depend on fields by perturbing the fields.
    pub fn new(m: &Model, numbers: &Numbers, names: &[String]) -> Result<Self, Refusal> {
        let mut per_world = WorldFields { fields: Vec::new(), tables: vec![false; numbers.fields.len()] };
        for name in names {
            let refused = || Refusal::advised(format!("the field {name} of each world"), ADVICE);
            let row = Model::index_of(name).filter(|r| Model::FIELDS[*r].dtype == DType::F64).ok_or_else(refused)?;
            let mut other = m.clone();
            change(&mut other, row);
            let changed = derived(&mut other, &mut Data::new(m)).map_err(|_| refused())?;
            let differ = |k: usize| changed.fields[k].values != numbers.fields[k].values;
            let any =
                (0..per_world.tables.len()).filter(|k| differ(*k)).map(|k| per_world.tables[k] = true).count() > 0;
            if !any || changed.fields.len() != numbers.fields.len() {
                return Err(refused());
            }
            per_world.fields.push(row);
        }
        Ok(per_world)
    }

    /// A model in which no number of the fields is zero, so that its kernels contain all code that the fields may
    /// need.
    pub fn general<'a>(&self, m: &'a Model) -> Cow<'a, Model> {
        let mut general = Cow::Borrowed(m);
        self.fields.iter().for_each(|row| change(general.to_mut(), *row));
        general
    }

    fn chosen<'a>(&'a self, numbers: &'a Numbers) -> impl Iterator<Item = &'a crate::tables::Field> {
        numbers.fields.iter().zip(&self.tables).filter(|(_, each)| **each).map(|(f, _)| f)
    }

    /// The per-world numbers, in the kernels' layout.
    pub fn packed(&self, numbers: &Numbers) -> Vec<f32> {
        self.chosen(numbers).flat_map(crate::tables::Field::packed).collect()
    }

    /// The per-world numbers for given field values, one list per field. Changes the model and its derived constants.
    pub fn row(&self, m: &mut Model, d: &mut Data, values: &[&[f32]], like: &Numbers) -> Result<Vec<f32>, GpuError> {
        for (row, values) in self.fields.iter().zip(values) {
            if let SliceMut::F64(field) = m.field_mut(*row) {
                field.iter_mut().zip(*values).for_each(|(x, v)| *x = f64::from(*v));
            }
        }
        let numbers = derived(m, d)?;
        let alike = numbers.fields.len() == like.fields.len()
            && numbers.scalar_rows == like.scalar_rows
            && numbers
                .fields
                .iter()
                .zip(&like.fields)
                .zip(&self.tables)
                .all(|((a, b), own)| a.values.len() == b.values.len() && (*own || a.values == b.values));
        if alike {
            return Ok(self.packed(&numbers));
        }
        Err(GpuError::Structure)
    }
}

/// Changes all numbers of a field to other nonzero numbers.
fn change(m: &mut Model, row: usize) {
    if let SliceMut::F64(values) = m.field_mut(row) {
        values.iter_mut().for_each(|x| *x += 0.01 * x.abs() + if *x == -0.001 { 0.002 } else { 0.001 });
    }
}

/// The per-world numbers of some worlds, in parallel on the CPU. For each field: its width, and its values in all
/// worlds.
pub fn rows(plan: &Plan, m: &Model, worlds: &[usize], fields: &[(usize, Vec<f32>)]) -> Result<Vec<Vec<f32>>, GpuError> {
    let cores = std::thread::available_parallelism().map_or(1, |n| n.get());
    let part = |worlds: &[usize]| {
        let (mut m, mut d) = (m.clone(), Data::new(m));
        let of = |w: usize| fields.iter().map(|(n, values)| &values[w * n..][..*n]).collect::<Vec<_>>();
        worlds
            .iter()
            .map(|w| plan.world_fields.row(&mut m, &mut d, &of(*w), &plan.numbers))
            .collect::<Result<Vec<_>, _>>()
    };
    std::thread::scope(|scope| {
        let chunks = worlds.chunks(worlds.len().div_ceil(cores).max(1));
        let running: Vec<_> = chunks.map(|worlds| scope.spawn(move || part(worlds))).collect();
        let done = running.into_iter().map(|r| r.join().unwrap_or(Err(GpuError::Structure)));
        Ok(done.collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect())
    })
}

/// Values of a field in single precision.
pub fn values(m: &Model, row: usize) -> Vec<f32> {
    match m.field(row) {
        Slice::F64(values) => values.iter().map(|x| *x as f32).collect(),
        _ => Vec::new(),
    }
}

/// Tables of a model after recomputing its derived constants.
fn derived(m: &mut Model, d: &mut Data) -> Result<Numbers, GpuError> {
    set_const(m, d).map_err(|e| GpuError::Failed(e.to_string()))?;
    Ok(tables_of(m)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Settings;

    #[test]
    fn a_range_that_begins_to_act_at_both_ends_asks_for_other_kernels() {
        let xml = r#"<mujoco><worldbody><body><joint name="j"/><geom size=".1"/></body></worldbody>
            <tendon><fixed limited="true" range="-1 1" margin=".1"><joint joint="j" coef="1"/></fixed></tendon></mujoco>"#;
        let m = sinew_mjcf::load_str(xml, &sinew_mjcf::Source::default()).expect("a model");
        let settings = Settings { fields: vec!["tendon_range".into()], ..Settings::default() };
        let plan = Plan::new(&m, &settings).expect("a plan");
        let row = |range: [f32; 2]| plan.world_fields.row(&mut m.clone(), &mut Data::new(&m), &[&range], &plan.numbers);
        assert!(row([-0.5, 0.5]).is_ok());
        assert!(matches!(row([-0.05, 0.05]), Err(GpuError::Structure)));
    }
}
