//! Lists of small structs: contacts, warnings, timers, solver statistics; shapes, lights and cameras of scenes.
//!
//! A list shows each member as one array over all elements (`d.contact.dist`) and each element as an object
//! (`d.contact[0].dist`), both over the same memory.

use super::cell::{CONTACTS, DataCell, LIST, Shared};
use super::place::Place;
use super::structs::{Entry, Field, Struct};
use pyo3::exceptions::{PyAttributeError, PyIndexError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::PySlice;
use sinew_engine::Sizes;
use sinew_engine::data::{Contact, SolverStat, TimerStat, WarningStat};
use sinew_engine::fields::{self, DType, FieldInfo, Zero};
use sinew_engine::model::enums::GeomType;
use sinew_scene::{GlCamera, Light, Scene, Shape};
use std::sync::{Arc, LazyLock, OnceLock};

/// A member of a record.
struct Member {
    name: &'static str,
    offset: usize,
    dtype: DType,
    /// Empty for a scalar.
    shape: Vec<usize>,
    doc: &'static str,
}

/// Type of a record: description of its list and its elements.
struct Record {
    list: &'static str,
    element: &'static str,
    size: usize,
    members: Vec<Member>,
    make_list: fn(Python<'_>, Records) -> PyResult<Py<PyAny>>,
    make_element: fn(Python<'_>, Struct) -> PyResult<Py<PyAny>>,
}

/// The members of a table, and each element of `split` as a separate member, under MuJoCo's older names.
fn members<T: fields::Record>(split: &[(&str, &[&'static str])]) -> Vec<Member> {
    let mut out = Vec::new();
    for (info, &offset) in T::FIELDS.iter().zip(T::OFFSETS) {
        let &FieldInfo { name, dtype, dims, doc, .. } = info;
        let parts = split.iter().find(|(whole, _)| *whole == name).map_or(&[][..], |(_, parts)| parts);
        for (i, name) in parts.iter().enumerate() {
            out.push(Member { name, offset: offset + i * dtype.bytes(), dtype, shape: Vec::new(), doc });
        }
        let shape = dims.iter().map(|d| d.len(&Sizes::default())).collect();
        out.push(Member { name, offset, dtype, shape, doc });
    }
    out
}

impl Record {
    /// The record at an address.
    fn at(&self, place: Place, base: Py<PyAny>) -> Struct {
        let entry = |m: &Member| {
            let place = place.member(m.offset, m.dtype);
            match (m.dtype, &m.shape[..]) {
                (_, []) => Entry::Scalar(place),
                (DType::Char, [len]) => Entry::Label { place, len: *len, name: m.name },
                (_, shape) => Entry::Array { place, shape: shape.to_vec(), made: OnceLock::new() },
            }
        };
        Struct::record(self.element, self.members.iter().map(entry).collect(), place, base)
    }

    /// A standalone record.
    fn fresh<T: Fresh + Send + Sync + 'static>(&self, py: Python<'_>) -> PyResult<Struct> {
        let owner = Shared::new(py, [T::fresh()], self.element)?;
        let place = Place::of_records(&mut *owner.write()?);
        Ok(self.at(place, owner.base(py)))
    }
}

/// Default values of a record.
trait Fresh: fields::Record {
    fn fresh() -> Self {
        Self::ZERO
    }
}

impl Fresh for Contact {}
impl Fresh for WarningStat {}
impl Fresh for TimerStat {}
impl Fresh for SolverStat {}
impl Fresh for Light {}
impl Fresh for GlCamera {}
impl Fresh for Shape {
    fn fresh() -> Self {
        let mut shape = Shape::ZERO;
        sinew_scene::init(&mut shape, GeomType::None as i32, None, None, None, None);
        shape
    }
}

/// Location of the elements of a list.
#[derive(Clone)]
enum Source {
    /// Memory whose address is stable while `base` lives.
    Fixed { first: Place, len: usize, base: Arc<Py<PyAny>> },
    /// The current contacts.
    Contacts(Arc<DataCell>),
}

/// A list of records.
#[pyclass(subclass, frozen, weakref, name = "_Records", module = "sinew")]
pub struct Records {
    record: &'static Record,
    source: Source,
    part: Part,
}

/// The selected elements of a list.
#[derive(Clone, Copy)]
struct Part {
    first: usize,
    /// Stride in elements.
    step: usize,
    /// Maximum number of elements.
    count: usize,
}

impl Records {
    fn all(record: &'static Record, source: Source) -> Self {
        Records { record, source, part: Part { first: 0, step: 1, count: usize::MAX } }
    }

    /// A list of records whose addresses are stable while `base` lives.
    fn fixed<T>(py: Python<'_>, record: &'static Record, records: &mut [T], base: Py<PyAny>) -> PyResult<Py<PyAny>> {
        let (first, len) = (Place::of_records(records), records.len());
        (record.make_list)(py, Records::all(record, Source::Fixed { first, len, base: Arc::new(base) }))
    }

    /// The contacts of a simulation.
    pub fn contacts(py: Python<'_>, cell: &Arc<DataCell>) -> PyResult<Py<PyAny>> {
        (CONTACT.make_list)(py, Records::all(&CONTACT, Source::Contacts(cell.clone())))
    }

    /// The warnings of a simulation.
    pub fn warnings(py: Python<'_>, cell: &Arc<DataCell>) -> PyResult<Py<PyAny>> {
        Records::fixed(py, &WARNING, &mut cell.access()?.warning[..], cell.base(py))
    }

    /// The timers of a simulation.
    pub fn timers(py: Python<'_>, cell: &Arc<DataCell>) -> PyResult<Py<PyAny>> {
        Records::fixed(py, &TIMER, &mut cell.access()?.timer[..], cell.base(py))
    }

    /// Solver statistics.
    pub fn solver(py: Python<'_>, cell: &Arc<DataCell>) -> PyResult<Py<PyAny>> {
        Records::fixed(py, &SOLVER, &mut cell.access()?.solver[..], cell.base(py))
    }

    /// Shapes, lights and cameras of a scene.
    pub fn scene(py: Python<'_>, owner: &Shared<Scene>) -> PyResult<[Py<PyAny>; 3]> {
        let scene = &mut *owner.write()?;
        Ok([
            Records::fixed(py, &SHAPE, &mut scene.geoms, owner.base(py))?,
            Records::fixed(py, &LIGHT, &mut scene.lights, owner.base(py))?,
            Records::fixed(py, &EYE, &mut scene.camera, owner.base(py))?,
        ])
    }

    /// First element, number of elements, and the object that keeps them alive.
    fn elements<'py>(&self, py: Python<'py>) -> PyResult<(Place, usize, Bound<'py, PyAny>)> {
        let (first, len, base) = match &self.source {
            Source::Fixed { first, len, base } => (*first, *len, base.bind(py).clone()),
            Source::Contacts(cell) => {
                let mut data = cell.access()?;
                cell.touch(LIST);
                (Place::of_records(&mut data.contact[..]), data.contact.len(), cell.pin(py, CONTACTS)?)
            }
        };
        let start = self.part.first.min(len);
        let count = self.part.count.min((len - start).div_ceil(self.part.step));
        Ok((first.after(start * self.record.size), count, base))
    }

    fn column<'py>(&self, py: Python<'py>, member: &Member) -> PyResult<Bound<'py, PyAny>> {
        let (first, len, base) = self.elements(py)?;
        let place = first.member(member.offset, member.dtype);
        let stride = self.stride();
        let (mut shape, mut strides, mut inner) = (vec![len], vec![stride], place.width());
        shape.extend(&member.shape);
        for n in member.shape.iter().rev() {
            strides.insert(1, inner);
            inner *= n;
        }
        Ok(place.array(&shape, Some(&strides), base))
    }

    /// Stride in bytes.
    fn stride(&self) -> usize {
        self.record.size * self.part.step
    }

    fn sublist(&self, py: Python<'_>, slice: &Bound<'_, PySlice>) -> PyResult<Py<PyAny>> {
        let s = slice.indices(self.elements(py)?.1 as isize)?;
        let (Ok(start), Ok(step)) = (usize::try_from(s.start), usize::try_from(s.step)) else {
            return Err(PyIndexError::new_err("slices of this list go forward"));
        };
        let Part { first, step: outer, .. } = self.part;
        let part = Part { first: first + start * outer, step: step * outer, count: s.slicelength };
        (self.record.make_list)(py, Records { record: self.record, source: self.source.clone(), part })
    }
}

#[pymethods]
impl Records {
    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        Ok(self.elements(py)?.1)
    }

    fn __getitem__(&self, py: Python<'_>, key: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        if let Ok(slice) = key.cast::<PySlice>() {
            return self.sublist(py, slice);
        }
        let i: isize = key.extract().map_err(|_| {
            PyTypeError::new_err(format!("list indices are integers or slices, not {}", key.get_type()))
        })?;
        let (first, len, base) = self.elements(py)?;
        let i = usize::try_from(i)
            .ok()
            .filter(|i| *i < len)
            .ok_or_else(|| PyIndexError::new_err(format!("index {i} out of range, there are {len}")))?;
        (self.record.make_element)(py, self.record.at(first.after(i * self.stride()), base.unbind()))
    }

    fn __eq__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<bool> {
        let Ok(other) = other.cast::<Records>() else { return Ok(false) };
        let other = other.get();
        if !std::ptr::eq(self.record, other.record) || self.__len__(py)? != other.__len__(py)? {
            return Ok(false);
        }
        let same = py.import("numpy")?.getattr("array_equal")?;
        for member in &self.record.members {
            if !same.call1((self.column(py, member)?, other.column(py, member)?))?.is_truthy()? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let mut members: Vec<&Member> = self.record.members.iter().collect();
        members.sort_by_key(|m| m.name);
        let mut text = format!("<{}\n", self.record.list);
        for m in members {
            text.push_str(&format!("  {}: {}\n", m.name, self.column(py, m)?.repr()?));
        }
        Ok(text + ">")
    }
}

/// The descriptor of a member of a list.
#[pyclass(frozen, name = "_Column", module = "sinew")]
pub struct Column {
    record: &'static Record,
    member: usize,
}

#[pymethods]
impl Column {
    fn __get__<'py>(
        slf: Bound<'py, Self>,
        obj: Option<&Bound<'py, PyAny>>,
        _owner: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let Some(obj) = obj else { return Ok(slf.into_any()) };
        let (list, column) = (obj.cast::<Records>()?.get(), slf.get());
        if !std::ptr::eq(list.record, column.record) {
            return Err(PyTypeError::new_err(format!("this is a member of {}", column.record.list)));
        }
        list.column(slf.py(), &column.record.members[column.member])
    }

    fn __set__(&self, _obj: &Bound<'_, PyAny>, _value: &Bound<'_, PyAny>) -> PyResult<()> {
        Err(PyAttributeError::new_err(format!("property of '{}' object has no setter", self.record.list)))
    }
}

macro_rules! records {
    ($($table:ident, $native:ty, $list:ident $list_name:literal, $element:ident $element_name:literal,
        $doc:literal, [$($whole:literal: $parts:expr),*];)*) => {$(
        #[doc = concat!("List of ", $element_name, " objects.")]
        #[pyclass(extends = Records, frozen, name = $list_name, module = "sinew")]
        pub struct $list;

        #[doc = $doc]
        #[pyclass(extends = Struct, subclass, frozen, name = $element_name, module = "sinew")]
        pub struct $element;

        static $table: LazyLock<Record> = LazyLock::new(|| Record {
            list: $list_name,
            element: $element_name,
            size: size_of::<$native>(),
            members: members::<$native>(&[$(($whole, $parts)),*]),
            make_list: |py, list| Ok(Py::new(py, PyClassInitializer::from(list).add_subclass($list))?.into_any()),
            make_element: |py, fields| {
                Ok(Py::new(py, PyClassInitializer::from(fields).add_subclass($element))?.into_any())
            },
        });

        impl $element {
            /// Returns a copy of the record.
            pub fn load(slf: &Bound<'_, Self>) -> PyResult<$native> {
                slf.as_super().get().load()
            }

            /// Replaces the record.
            pub fn store(slf: &Bound<'_, Self>, value: $native) -> PyResult<()> {
                slf.as_super().get().store(value)
            }
        }

        #[pymethods]
        impl $element {
            #[new]
            fn new(py: Python<'_>) -> PyResult<PyClassInitializer<Self>> {
                Ok(PyClassInitializer::from($table.fresh::<$native>(py)?).add_subclass($element))
            }

            fn __copy__(slf: &Bound<'_, Self>) -> PyResult<Py<Self>> {
                let copy = Py::new(slf.py(), Self::new(slf.py())?)?;
                copy.bind(slf.py()).as_super().get().assign(slf.py(), slf.as_super().get())?;
                Ok(copy)
            }

            fn __deepcopy__(slf: &Bound<'_, Self>, _memo: &Bound<'_, PyAny>) -> PyResult<Py<Self>> {
                Self::__copy__(slf)
            }

            fn __eq__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> PyResult<bool> {
                match other.cast::<Struct>() {
                    Ok(other) => slf.as_super().get().equal(slf.py(), other.get()),
                    Err(_) => Ok(false),
                }
            }

            fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
                slf.as_super().get().describe(slf.as_any(), $table.members.iter().map(|m| m.name))
            }
        }
    )*

    /// Adds the classes with their members.
    pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
        $(
            module.add_class::<$list>()?;
            module.add_class::<$element>()?;
            let (list, element) = (module.py().get_type::<$list>(), module.py().get_type::<$element>());
            for (i, m) in $table.members.iter().enumerate() {
                list.setattr(m.name, Column { record: &$table, member: i })?;
                element.setattr(m.name, Field::new($element_name, i, m.name, m.doc.into()))?;
            }
        )*
        Ok(())
    }
    };
}

records! {
    CONTACT, Contact, ContactList "_MjContactList", MjContact "MjContact",
    "A contact between two geoms.", ["geom": &["geom1", "geom2"]];
    WARNING, WarningStat, WarningList "_MjWarningStatList", MjWarningStat "MjWarningStat",
    "How often a warning was raised.", [];
    TIMER, TimerStat, TimerList "_MjTimerStatList", MjTimerStat "MjTimerStat",
    "Time spent in a stage.", [];
    SOLVER, SolverStat, SolverList "_MjSolverStatList", MjSolverStat "MjSolverStat",
    "One iteration of the solver.", [];
    SHAPE, Shape, ShapeList "_MjvGeomList", MjvGeom "MjvGeom",
    "A shape to draw.", [];
    LIGHT, Light, LightList "_MjvLightList", MjvLight "MjvLight",
    "A light of a scene.", [];
    EYE, GlCamera, EyeList "_MjvGLCameraList", MjvGLCamera "MjvGLCamera",
    "One eye of a scene.", [];
}
