//! Structs whose attributes alias native memory.

use super::cell::{DataCell, ROWS, Shared};
use super::place::{Place, is_shared};
use super::watch::Watch;
use crate::error;
use pyo3::exceptions::{PyAttributeError, PyIndexError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::PyType;
use sinew_engine::fields::{FieldInfo, Fields, Record};
use sinew_engine::model::enums::EnumInfo;
use sinew_engine::{Data, Sizes};
use std::ops::Deref;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// How one attribute is read and written.
pub(super) enum Entry {
    /// A size of the model: a read-only integer.
    Size(i64),
    /// A scalar.
    Scalar(Place),
    /// A value of an enum, or flags.
    Code(Place, &'static EnumInfo, Unknown),
    /// An array at a stable address.
    Array { place: Place, shape: Vec<usize>, made: OnceLock<Py<PyAny>> },
    /// Read-only text, read as `bytes`.
    Text { place: Place, len: usize, made: OnceLock<Py<PyAny>> },
    /// Writable text, up to a zero byte.
    Label { place: Place, len: usize, name: &'static str },
    /// An array whose length changes from step to step: row of the `Data` table.
    Growing(usize),
}

/// An assigned integer that is no value of the enum; calls are refused until a valid one is assigned. The memory, which
/// holds a Rust enum, keeps the previous value.
#[derive(Default)]
pub(super) struct Unknown(Mutex<Option<i32>>);

impl Unknown {
    fn get(&self) -> Option<i32> {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn set(&self, code: Option<i32>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = code;
    }
}

/// Enums whose unknown values MuJoCo refuses when a step reads them, with its error message.
const AT_A_STEP: [(&str, &str); 2] =
    [("mjtSolver", "mj_fwdConstraint: unknown solver type"), ("mjtIntegrator", "mj_step: invalid integrator")];

/// Character fields that are `bytes` in Python.
const TEXTS: [&str; 3] = ["names", "paths", "text_data"];

/// Entries for all rows of a table; `grows` if the lengths of arrays may change with the state.
fn entries<T: Fields>(owner: &mut T, sizes: &Sizes, grows: bool) -> Vec<Entry> {
    let row = |(i, info): (usize, &FieldInfo)| {
        if grows && info.grows() {
            return Entry::Growing(i);
        }
        let slice = owner.field_mut(i);
        let len = slice.len();
        let place = Place::of(slice, info.dtype);
        if let (Some(codes), true) = (info.codes(), info.is_scalar() && info.section == "Options") {
            Entry::Code(place, codes, Unknown::default())
        } else if info.is_scalar() {
            Entry::Scalar(place)
        } else if TEXTS.contains(&info.name) {
            Entry::Text { place, len, made: OnceLock::new() }
        } else {
            Entry::Array { place, shape: info.shape(sizes, len), made: OnceLock::new() }
        }
    };
    T::FIELDS.iter().enumerate().map(row).collect()
}

/// A MuJoCo struct whose attributes alias native memory.
#[pyclass(subclass, frozen, weakref, name = "_Struct", module = "sinew")]
pub struct Struct(Arc<Table>);

/// The attributes of a struct and their owner.
pub struct Table {
    /// Which table the entries belong to.
    tag: &'static str,
    entries: Vec<Entry>,
    base: Py<PyAny>,
    /// Set for `MjData`, which has growing fields.
    cell: Option<Arc<DataCell>>,
    /// Integer arrays that Python holds, for structs in which integers are indices.
    watch: Option<Watch>,
    /// Address, if it is a record.
    record: Option<Place>,
}

impl Deref for Struct {
    type Target = Arc<Table>;
    fn deref(&self) -> &Arc<Table> {
        &self.0
    }
}

impl Struct {
    /// A part of a shared value that has a field table, preceded by `sizes` as read-only integers.
    pub fn over<O: Send + Sync + 'static, T: Fields>(
        py: Python<'_>,
        tag: &'static str,
        owner: &Shared<O>,
        part: impl FnOnce(&mut O) -> &mut T,
        sizes: &[(&'static str, usize)],
    ) -> PyResult<Self> {
        let mut all: Vec<Entry> = sizes.iter().map(|(_, n)| Entry::Size(*n as i64)).collect();
        let mut known = Sizes::default();
        for (name, n) in sizes {
            known.get_mut(name).into_iter().for_each(|size| *size = *n);
        }
        all.extend(entries(part(&mut *owner.write()?), &known, false));
        let watch = (!sizes.is_empty()).then(Watch::default);
        Ok(Struct(Arc::new(Table { tag, entries: all, base: owner.base(py), cell: None, watch, record: None })))
    }

    /// A whole simulation.
    pub fn over_data(py: Python<'_>, cell: &Arc<DataCell>, sizes: &Sizes) -> PyResult<Self> {
        let all = entries(&mut *cell.access()?, sizes, true);
        let (base, cell) = (cell.base(py), Some(cell.clone()));
        Ok(Struct(Arc::new(Table {
            tag: "MjData",
            entries: all,
            base,
            cell,
            watch: Some(Watch::default()),
            record: None,
        })))
    }

    /// The record at an address that `base` keeps alive.
    pub(super) fn record(tag: &'static str, entries: Vec<Entry>, at: Place, base: Py<PyAny>) -> Self {
        Struct(Arc::new(Table { tag, entries, base, cell: None, watch: None, record: Some(at) }))
    }
}

impl Table {
    fn base<'py>(&self, py: Python<'py>) -> Bound<'py, PyAny> {
        self.base.bind(py).clone()
    }

    /// The simulation behind this table, if it is one.
    pub fn data(&self) -> Option<&Arc<DataCell>> {
        self.cell.as_ref()
    }

    /// The record behind this table; the caller knows its type.
    pub(super) fn load<T: Record>(&self) -> PyResult<T> {
        Ok(self.record.ok_or_else(|| error::fatal("no record"))?.read_record())
    }

    /// Replaces the record behind this table; the caller knows its type.
    pub(super) fn store<T: Record>(&self, value: T) -> PyResult<()> {
        self.record.ok_or_else(|| error::fatal("no record"))?.write_record(value);
        Ok(())
    }

    /// Value of an attribute.
    pub fn get<'py>(&self, py: Python<'py>, index: usize) -> PyResult<Bound<'py, PyAny>> {
        Ok(match &self.entries[index] {
            Entry::Size(n) => n.into_pyobject(py)?.into_any(),
            Entry::Scalar(place) => place.get(py)?,
            Entry::Code(place, _, unknown) => match unknown.get() {
                Some(code) => code.into_pyobject(py)?.into_any(),
                None => place.get(py)?,
            },
            Entry::Array { place, shape, made } => {
                if let Some(watch) = self.watch.as_ref().filter(|_| place.is_integer()) {
                    watch.add(index, *place, shape.iter().product());
                }
                made.get_or_init(|| place.array(shape, None, self.base(py)).unbind()).bind(py).clone()
            }
            Entry::Text { place, len, made } => {
                made.get_or_init(|| place.bytes(py, *len).into_any().unbind()).bind(py).clone()
            }
            Entry::Label { place, len, .. } => place.label(py, *len).into_any(),
            Entry::Growing(row) => self.growing(py, *row)?,
        })
    }

    /// Base object of an array over part of an entry: the whole array, so that it counts as held.
    fn part_base<'py>(&self, py: Python<'py>, index: usize) -> PyResult<Bound<'py, PyAny>> {
        match &self.entries[index] {
            Entry::Array { place, .. } if self.watch.is_some() && place.is_integer() => self.get(py, index),
            _ => Ok(self.base(py)),
        }
    }

    /// Refuses to continue with an unknown value of an enum, with MuJoCo's message.
    pub fn check_codes(&self) -> PyResult<()> {
        let unknown = self.entries.iter().find_map(|entry| match entry {
            Entry::Code(_, codes, unknown) => Some((codes.name, unknown.get()?)),
            _ => None,
        });
        let Some((of, code)) = unknown else { return Ok(()) };
        let says = AT_A_STEP.iter().find(|(name, _)| *name == of).map_or("unknown", |(_, says)| says);
        Err(error::fatal(format!("{says} {code}")))
    }

    /// Checks the owner if Python may have written integers into it and did.
    pub fn check(&self, in_order: impl FnOnce() -> PyResult<()>) -> PyResult<()> {
        let Some(watch) = &self.watch else { return Ok(()) };
        let held = |index: usize| match &self.entries[index] {
            // one reference belongs to the cache
            Entry::Array { made, .. } => Python::attach(|py| made.get().is_some_and(|array| is_shared(py, array))),
            _ => false,
        };
        watch.check(held, in_order)
    }

    fn growing<'py>(&self, py: Python<'py>, row: usize) -> PyResult<Bound<'py, PyAny>> {
        let cell = self.cell.as_ref().ok_or_else(|| error::fatal("a growing field outside MjData"))?;
        let mut data = cell.access()?;
        let info = &Data::FIELDS[row];
        let slice = data.field_mut(row);
        let shape = info.shape(&Sizes::default(), slice.len());
        let place = Place::of(slice, info.dtype);
        if shape.contains(&0) {
            return place.empty(py, &shape);
        }
        if place.is_integer() {
            cell.touch(ROWS);
        }
        Ok(place.array(&shape, None, cell.pin(py, row)?))
    }

    /// Assigns to an attribute: scalars are replaced, arrays filled.
    pub fn set(&self, py: Python<'_>, index: usize, value: &Bound<'_, PyAny>) -> PyResult<()> {
        match &self.entries[index] {
            Entry::Scalar(place) => {
                if let Some(cell) = self.cell.as_ref().filter(|_| place.is_integer()) {
                    cell.touch(ROWS);
                }
                place.set(value)
            }
            Entry::Code(place, codes, unknown) => {
                let refused = place.set_code(value, codes)?.err();
                let later = AT_A_STEP.iter().any(|(name, _)| *name == codes.name);
                if let Some(e) = refused.filter(|_| !later) {
                    return Err(error::fatal(e.to_string()));
                }
                unknown.set(refused.map(|e| e.code));
                Ok(())
            }
            Entry::Label { place, len, name } => place.set_label(value, *len, name),
            Entry::Array { .. } | Entry::Growing(_) => self.get(py, index)?.set_item(py.Ellipsis(), value),
            Entry::Size(_) | Entry::Text { .. } => {
                Err(PyAttributeError::new_err(format!("property of '{}' object has no setter", self.tag)))
            }
        }
    }

    /// Row `i` of an array; for a vector, the value as an array of shape `(1,)`.
    pub fn row<'py>(&self, py: Python<'py>, index: usize, i: usize) -> PyResult<Bound<'py, PyAny>> {
        match &self.entries[index] {
            Entry::Array { place, shape, .. } if i < shape[0] => {
                let len: usize = shape[1..].iter().product();
                let row = if shape.len() == 1 { &[1][..] } else { &shape[1..] };
                Ok(place.after(i * len).array(row, None, self.part_base(py, index)?))
            }
            _ => Err(PyIndexError::new_err(format!("row {i} is out of range"))),
        }
    }

    /// Rows `first .. first + count` of an array, or a piece of a text.
    pub fn rows<'py>(&self, py: Python<'py>, index: usize, first: usize, count: usize) -> PyResult<Bound<'py, PyAny>> {
        let end = first.checked_add(count);
        match &self.entries[index] {
            Entry::Text { place, len, .. } if end.is_some_and(|e| e <= *len) => {
                Ok(place.after(first).bytes(py, count).into_any())
            }
            Entry::Array { place, shape, .. } if end.is_some_and(|e| e <= shape[0]) => {
                let len: usize = shape[1..].iter().product();
                let mut part = shape.clone();
                part[0] = count;
                Ok(place.after(first * len).array(&part, None, self.part_base(py, index)?))
            }
            _ => Err(PyIndexError::new_err(format!("{count} rows from {first} are out of range"))),
        }
    }

    /// An array of `shape` over a vector, from element `first`.
    pub fn block<'py>(
        &self,
        py: Python<'py>,
        index: usize,
        first: usize,
        shape: &[usize],
    ) -> PyResult<Bound<'py, PyAny>> {
        let len = shape.iter().try_fold(1usize, |a, b| a.checked_mul(*b)).and_then(|n| n.checked_add(first));
        match &self.entries[index] {
            Entry::Array { place, shape: whole, .. } if whole.len() == 1 && len.is_some_and(|end| end <= whole[0]) => {
                Ok(place.after(first).array(shape, None, self.part_base(py, index)?))
            }
            _ => Err(PyIndexError::new_err(format!("{shape:?} values from {first} are out of range"))),
        }
    }

    /// Whether every field of the owner is still at the address its views use; `first` is the entry of row 0.
    pub fn in_place<T: Fields>(&self, owner: &mut T, first: usize) -> bool {
        T::FIELDS.iter().enumerate().all(|(i, info)| match &self.entries[first + i] {
            Entry::Scalar(place) | Entry::Code(place, ..) | Entry::Array { place, .. } | Entry::Text { place, .. } => {
                place.address() == Place::of(owner.field_mut(i), info.dtype).address()
            }
            Entry::Size(_) | Entry::Growing(_) | Entry::Label { .. } => true,
        })
    }

    /// Copies all values of a struct of the same kind.
    pub fn assign(&self, py: Python<'_>, from: &Table) -> PyResult<()> {
        if self.tag != from.tag {
            return Err(PyTypeError::new_err(format!("expected {}, got {}", self.tag, from.tag)));
        }
        (0..self.entries.len()).try_for_each(|i| self.set(py, i, &from.get(py, i)?))
    }

    /// Whether all values equal those of a struct of the same kind.
    pub fn equal(&self, py: Python<'_>, other: &Table) -> PyResult<bool> {
        if self.tag != other.tag {
            return Ok(false);
        }
        let same = py.import("numpy")?.getattr("array_equal")?;
        for i in 0..self.entries.len() {
            if !same.call1((self.get(py, i)?, other.get(py, i)?))?.is_truthy()? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// All attributes with their values, by name.
    pub fn describe(&self, obj: &Bound<'_, PyAny>, names: impl Iterator<Item = &'static str>) -> PyResult<String> {
        let mut rows: Vec<(&str, usize)> = names.enumerate().map(|(i, name)| (name, i)).collect();
        rows.sort_unstable();
        let mut text = format!("<{}\n", obj.get_type().name()?);
        for (name, i) in rows {
            text.push_str(&format!("  {name}: {}\n", self.get(obj.py(), i)?.repr()?));
        }
        Ok(text + ">")
    }
}

// The descriptor behind an attribute. No doc comment: `__doc__` is the field's.
#[allow(missing_docs)]
#[pyclass(frozen, name = "_Field", module = "sinew")]
pub struct Field {
    tag: &'static str,
    index: usize,
    name: &'static str,
    doc: String,
}

impl Field {
    pub fn new(tag: &'static str, index: usize, name: &'static str, doc: String) -> Self {
        Field { tag, index, name, doc }
    }

    fn owner<'a, 'py>(&self, obj: &'a Bound<'py, PyAny>) -> PyResult<&'a Bound<'py, Struct>> {
        let owner = obj.cast::<Struct>()?;
        if owner.get().tag == self.tag {
            Ok(owner)
        } else {
            Err(PyTypeError::new_err(format!("'{}' is an attribute of {}", self.name, self.tag)))
        }
    }
}

#[pymethods]
impl Field {
    fn __get__<'py>(
        slf: Bound<'py, Self>,
        obj: Option<&Bound<'py, PyAny>>,
        _owner: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        match obj {
            Some(obj) => slf.get().owner(obj)?.get().get(slf.py(), slf.get().index),
            None => Ok(slf.into_any()),
        }
    }

    fn __set__(&self, py: Python<'_>, obj: &Bound<'_, PyAny>, value: &Bound<'_, PyAny>) -> PyResult<()> {
        self.owner(obj)?.get().set(py, self.index, value)
    }

    #[getter]
    fn __name__(&self) -> &'static str {
        self.name
    }

    #[getter]
    fn __doc__(&self) -> &str {
        &self.doc
    }

    fn __repr__(&self) -> String {
        format!("<field '{}' of '{}'>", self.name, self.tag)
    }
}

/// Puts a descriptor for each row of a table on a class; `first` is the entry of row 0.
pub fn install<T: Fields>(class: &Bound<'_, PyType>, tag: &'static str, first: usize) -> PyResult<()> {
    for (i, f) in T::FIELDS.iter().enumerate() {
        let unit = if f.unit == "-" { String::new() } else { format!(" [{}]", f.unit) };
        class.setattr(f.name, Field::new(tag, first + i, f.name, format!("{}{unit}", f.doc)))?;
    }
    Ok(())
}
