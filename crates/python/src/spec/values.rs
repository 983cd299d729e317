//! Conversion of values and errors between Python and a specification.

use crate::error;
use numpy::PyArray1;
use pyo3::exceptions::{PyKeyError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyString;
use sinew_engine::model::enums::ObjType;
use sinew_mjcf::spec;
use sinew_mjcf::spec::class::Defaults;
use sinew_mjcf::spec::field::{Count, Field, Kind, Record, Slot, Value};

/// A field: name, kind, enum, count, whether the count is a minimum or exact, whether it is optional, meaning.
pub(super) type Row = (&'static str, &'static str, &'static str, i64, bool, &'static str);

/// Describes a field for Python.
fn row(field: &Field) -> Row {
    let (kind, of) = match field.kind {
        Kind::Text => ("text", ""),
        Kind::Real => ("real", ""),
        Kind::Float => ("float", ""),
        Kind::Int => ("int", ""),
        Kind::Bool(_) => ("bool", ""),
        Kind::Code(_, info) => ("code", info.map_or("", |info| info.name)),
        Kind::Orientation => ("orientation", ""),
    };
    let count = match field.count {
        Count::One => 0,
        Count::Exactly(n) | Count::AtMost(n) => n as i64,
        Count::Any => -1,
    };
    (field.name, kind, of, count, field.optional, field.doc)
}

/// The fields of all structs.
pub(super) fn structs() -> Vec<(&'static str, Vec<Row>)> {
    fn of<R: Record>() -> (&'static str, Vec<Row>) {
        (R::NAME, R::FIELDS.iter().map(row).collect())
    }
    vec![
        of::<spec::Body>(),
        of::<spec::Frame>(),
        of::<spec::Joint>(),
        of::<spec::Geom>(),
        of::<spec::Site>(),
        of::<spec::Camera>(),
        of::<spec::Light>(),
        of::<spec::Mesh>(),
        of::<spec::HField>(),
        of::<spec::Skin>(),
        of::<spec::Flex>(),
        of::<spec::Texture>(),
        of::<spec::Material>(),
        of::<spec::Pair>(),
        of::<spec::Exclude>(),
        of::<spec::Equality>(),
        of::<spec::Tendon>(),
        of::<spec::Actuator>(),
        of::<spec::Sensor>(),
        of::<spec::Numeric>(),
        of::<spec::Text>(),
        of::<spec::Tuple>(),
        of::<spec::Key>(),
        of::<spec::PluginInstance>(),
        of::<spec::Compiler>(),
        of::<spec::SpecSizes>(),
        of::<spec::StatisticOverride>(),
    ]
}

/// Converts a value to Python.
pub(super) fn to_python<'py>(py: Python<'py>, value: Value) -> PyResult<Bound<'py, PyAny>> {
    Ok(match value {
        Value::Absent => py.None().into_bound(py),
        Value::Text(text) => text.into_pyobject(py)?.into_any(),
        Value::Texts(texts) => texts.into_pyobject(py)?.into_any(),
        Value::Numbers(numbers) => PyArray1::from_vec(py, numbers).into_any(),
        Value::Codes(codes) => codes.into_pyobject(py)?.into_any(),
    })
}

fn of_python(value: &Bound<'_, PyAny>) -> PyResult<Value> {
    if value.is_none() {
        return Ok(Value::Absent);
    }
    if let Ok(text) = value.cast::<PyString>() {
        return Ok(Value::Text(text.to_cow()?.into_owned()));
    }
    if let Ok(number) = value.extract::<f64>() {
        return Ok(Value::Numbers(vec![number]));
    }
    match value.extract::<Vec<f64>>() {
        Ok(numbers) => Ok(Value::Numbers(numbers)),
        Err(_) => value.extract::<Vec<String>>().map(Value::Texts).map_err(|_| PyTypeError::new_err("wrong type")),
    }
}

/// Stores a value. Setting a scalar from an empty list is an error.
pub(super) fn put(slot: Option<&mut dyn Slot>, count: Option<Count>, value: &Bound<'_, PyAny>) -> PyResult<()> {
    let value = of_python(value)?;
    let empty =
        matches!(&value, Value::Numbers(n) if n.is_empty()) || matches!(&value, Value::Codes(n) if n.is_empty());
    if empty && count != Some(Count::Any) {
        return Err(PyValueError::new_err("at least one number is needed"));
    }
    let slot = slot.ok_or_else(|| PyKeyError::new_err("no such field"))?;
    slot.fill(&value);
    Ok(())
}

/// An error of compilation. As in MuJoCo, it ends with the element that a program has created and its `info`.
pub(super) fn blame(spec: &mut spec::Spec, e: &sinew_mjcf::Error) -> PyErr {
    let Some(id) = spec.blamed(e) else { return failed(e) };
    let kind = spec.kind_of(id).unwrap_or(ObjType::Unknown);
    let place = spec.all(kind).iter().position(|other| *other == id).unwrap_or(0);
    let meta = spec.element(id).map(|element| element.meta().clone()).unwrap_or_default();
    let hint = e.hint.as_ref().map(|hint| format!("\n{hint}")).unwrap_or_default();
    let name = meta.name;
    PyValueError::new_err(format!("Error: {}\nElement name '{name}', id {place}, {}{hint}", e.kind, meta.info))
}

/// An error of reading or editing.
pub(super) fn failed(e: &sinew_mjcf::Error) -> PyErr {
    error::model(e)
}

/// Calls a macro with the structs that a default class holds.
macro_rules! class_part {
    ($defaults:expr, $kind:expr, $do:ident) => {
        match $kind {
            ObjType::Mesh => $do!($defaults.mesh),
            ObjType::Material => $do!($defaults.material),
            ObjType::Joint => $do!($defaults.joint),
            ObjType::Geom => $do!($defaults.geom),
            ObjType::Site => $do!($defaults.site),
            ObjType::Camera => $do!($defaults.camera),
            ObjType::Light => $do!($defaults.light),
            ObjType::Pair => $do!($defaults.pair),
            ObjType::Equality => $do!($defaults.equality),
            ObjType::Tendon => $do!($defaults.tendon),
            _ => $do!($defaults.actuator),
        }
    };
}

/// Where a default class stores a field of an element kind.
pub(super) fn class_slot(defaults: &mut Defaults, kind: ObjType, index: usize) -> Option<&mut dyn Slot> {
    macro_rules! slot {
        ($part:expr) => {
            Record::slot(&mut $part, index)
        };
    }
    class_part!(defaults, kind, slot)
}

/// The value that a default class stores.
pub(super) fn class_value(defaults: &Defaults, kind: ObjType, index: usize) -> Value {
    macro_rules! value {
        ($part:expr) => {
            Record::value(&$part, index)
        };
    }
    class_part!(defaults, kind, value)
}
